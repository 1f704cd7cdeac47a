//! Square tables with the same names on both sides.

use crate::Labels;
use crate::rows::write_field;
use crate::write::{put_float, runs};
use std::io::{self, Write};

/// Writes the numbers of all ordered pairs, row after row, with names in the first row and the first
/// column, whose head is empty.
///
/// # Errors
/// When writing fails.
pub fn write_square(
    out: &mut impl Write,
    separator: u8,
    names: &Labels,
    number: impl Fn(usize, usize) -> f64 + Sync,
) -> io::Result<()> {
    let n = names.len();
    let name = |out: &mut Vec<u8>, i: usize| write_field(out, &names.label(i as u32), separator);
    let mut header = Vec::new();
    for i in 0..n {
        header.push(separator);
        name(&mut header, i);
    }
    header.push(b'\n');
    out.write_all(&header)?;
    runs(out, n * n, |run, bytes| {
        for at in run {
            let (i, j) = (at / n, at % n);
            if j == 0 {
                name(bytes, i);
            }
            bytes.push(separator);
            put_float(bytes, number(i, j));
            if j + 1 == n {
                bytes.push(b'\n');
            }
        }
    })
}
