//! Sequences of sets as FASTA, which read back.

use super::Symbols;
use crate::rows::write_field;
use std::io::{self, Write};

/// Writes sequences: a name and the sets of each.
///
/// # Errors
/// When writing fails.
pub fn write_fasta<N: AsRef<str>, S: Iterator<Item = u32>>(
    out: &mut dyn Write,
    symbols: &Symbols,
    sequences: impl Iterator<Item = (N, S)>,
) -> io::Result<()> {
    let mut text = Vec::new();
    for (name, sets) in sequences {
        text.clear();
        text.push(b'>');
        text.extend(name.as_ref().bytes());
        text.push(b'\n');
        sets.for_each(|set| symbols.push(set, &mut text));
        text.push(b'\n');
        out.write_all(&text)?;
    }
    Ok(())
}

/// Writes a table of texts with a header.
///
/// # Errors
/// When writing fails.
pub fn write_texts<const N: usize>(
    out: &mut dyn Write,
    separator: u8,
    header: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> io::Result<()> {
    let header = header.map(str::to_string);
    let mut text = Vec::new();
    for row in std::iter::once(header).chain(rows) {
        text.clear();
        for (k, field) in row.iter().enumerate() {
            if k > 0 {
                text.push(separator);
            }
            write_field(&mut text, field, separator);
        }
        text.push(b'\n');
        out.write_all(&text)?;
    }
    Ok(())
}
