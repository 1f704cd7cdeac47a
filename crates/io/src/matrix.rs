//! Square matrices of distances: written a strip of rows at a time.
//!
//! **Problem.** A matrix that may be larger than memory, as a CSV table with names in its first row and column, or as an npy
//! array: square, or condensed as scipy has it.
//! **Method.** Rows are filled in blocks, in parallel, and written in order.
//! **Cost.** A few megabytes of memory. **Determinism.** The bytes do not depend on the number of threads.

use crate::npy::head;
use crate::rows::write_field;
use crate::write::{put_all, put_float};
use rayon::prelude::*;
use std::borrow::Cow;
use std::io::{self, Write};

/// About as many numbers are in memory for each thread.
const STRIP: usize = 1 << 19;

/// Writes a square matrix as a table: `row` fills a row, `name` is that of a row and column.
///
/// # Errors
/// When writing fails.
pub fn write_matrix<'a>(
    out: &mut impl Write,
    separator: u8,
    n: usize,
    name: impl Fn(usize) -> Cow<'a, str> + Sync,
    row: impl Fn(usize, &mut [f64]) + Sync,
) -> io::Result<()> {
    let mut header = Vec::new();
    for k in 0..n {
        header.push(separator);
        write_field(&mut header, &name(k), separator);
    }
    header.push(b'\n');
    out.write_all(&header)?;
    strips(out, n, &|i, bytes| {
        let mut numbers = vec![0.0; n];
        row(i, &mut numbers);
        write_field(bytes, &name(i), separator);
        bytes.push(separator);
        put_all(bytes, separator, numbers, put_float);
        bytes.push(b'\n');
    })
}

/// Writes a square matrix as an npy array of f64.
///
/// # Errors
/// When writing fails.
pub fn write_npy_matrix(
    out: &mut impl Write,
    n: usize,
    row: impl Fn(usize, &mut [f64]) + Sync,
) -> io::Result<()> {
    out.write_all(&head("<f8", &format!("({n}, {n})")))?;
    strips(out, n, &|i, bytes| {
        let mut numbers = vec![0.0; n];
        row(i, &mut numbers);
        bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
    })
}

fn strips(
    out: &mut impl Write,
    n: usize,
    put: &(dyn Fn(usize, &mut Vec<u8>) + Sync),
) -> io::Result<()> {
    let rows = (STRIP / n.max(1)).max(1);
    let parts = rayon::current_num_threads();
    let mut buffers = vec![Vec::new(); parts];
    for first in (0..n).step_by(rows * parts) {
        buffers.par_iter_mut().enumerate().for_each(|(k, bytes)| {
            bytes.clear();
            let start = first + k * rows;
            (start..(start + rows).min(n)).for_each(|i| put(i, bytes));
        });
        buffers.iter().try_for_each(|bytes| out.write_all(bytes))?;
    }
    Ok(())
}
