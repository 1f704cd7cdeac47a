//! Writers: parent tables, Newick, tables of results.
//!
//! **Method.** Rows are formatted in blocks, in parallel, and written in order; meanwhile the next
//! ones are formatted. A few megabytes are in memory, whatever the size of the output.
//! **Determinism.** The bytes do not depend on the number of threads.
//! Floats are printed as the shortest decimal that reads back to the same number.
//! Writers take any [`Write`], as `dyn`: so they are compiled in this crate, which is built for speed.
//! [`crate::Output`] adds compression and safe replacement.

use crate::annotation::{Annotation, AnnotationStyle};
use crate::first_row;
use crate::header::{ANNOTATION_MARK, SUPPORT_NAME};
use crate::labels::Labels;
use crate::parts::TreeParts;
use crate::rows::{write_field, write_label};
use crate::values::{Column, ValueSlice, Values};
use palmette_core::{NONE, Tree};
use std::io::{self, Write};
use std::ops::Range;

/// What a column of a table of results holds.
#[derive(Debug, Clone, Copy)]
pub enum Cells<'a> {
    /// Row `i` is vertex `i`; its name is printed.
    EachVertex,
    /// Vertices, printed as their names; `NONE` as nothing.
    Vertices(&'a [u32]),
    /// Row `i` has the label of vertex `i` among these labels, whether or not others have it.
    LabelsOf(&'a Labels),
    /// Numbers.
    Numbers(ValueSlice<'a>),
    /// Numbers; nothing where they are NaN.
    Known(&'a [f64]),
    /// Texts; nothing where they are empty.
    Texts(&'a Annotation),
    /// Another column where the row's flag is set; nothing elsewhere.
    Where(&'a [bool], &'a Cells<'a>),
    /// Some rows of another column, by their numbers.
    Rows(&'a [u32], &'a Cells<'a>),
}

impl<'a> From<&'a Values> for Cells<'a> {
    fn from(values: &'a Values) -> Cells<'a> {
        Cells::Numbers(values.as_slice())
    }
}

impl Cells<'_> {
    fn len(&self) -> Option<usize> {
        match self {
            Cells::EachVertex => None,
            Cells::LabelsOf(labels) => Some(labels.len()),
            Cells::Vertices(x) => Some(x.len()),
            Cells::Numbers(x) => Some(x.len()),
            Cells::Known(x) => Some(x.len()),
            Cells::Texts(x) => Some(x.len()),
            Cells::Where(present, _) => Some(present.len()),
            Cells::Rows(rows, _) => Some(rows.len()),
        }
    }

    #[inline]
    fn put(&self, row: usize, labels: &Labels, separator: u8, out: &mut Vec<u8>) {
        match self {
            Cells::EachVertex => write_label(out, labels, row as u32, separator),
            Cells::LabelsOf(labels) => match labels.label(row as u32) {
                text if text.is_empty() => {}
                text => write_field(out, &text, separator),
            },
            Cells::Vertices(x) if x[row] == NONE => {}
            Cells::Vertices(x) => write_label(out, labels, x[row], separator),
            Cells::Numbers(ValueSlice::I64(x)) => put_number(out, x[row]),
            Cells::Numbers(ValueSlice::U64(x)) => put_number(out, x[row]),
            Cells::Numbers(ValueSlice::F64(x)) => put_float(out, x[row]),
            Cells::Numbers(ValueSlice::F32(x)) => put_shortest(out, x[row]),
            Cells::Known(x) if x[row].is_nan() => {}
            Cells::Known(x) => put_float(out, x[row]),
            Cells::Texts(x) => match x.get(row as u32) {
                "" => {}
                text => write_field(out, text, separator),
            },
            Cells::Where(present, _) if !present[row] => {}
            Cells::Where(_, cells) => cells.put(row, labels, separator, out),
            Cells::Rows(rows, cells) => cells.put(rows[row] as usize, labels, separator, out),
        }
    }
}

pub(crate) fn put_number(out: &mut Vec<u8>, number: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// The error about what a writer was given.
pub(crate) fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// The shortest decimal that reads back to the same number; `2.0` is written `2`.
#[inline]
pub(crate) fn put_float(out: &mut Vec<u8>, number: f64) {
    if !put_few_decimals(out, number) {
        put_shortest(out, number);
    }
}

/// As [`put_float`] where the decimal has at most five digits after the point, and fifteen in all.
/// Two decimals of fifteen digits are different numbers, so that no other is shorter.
#[inline]
fn put_few_decimals(out: &mut Vec<u8>, number: f64) -> bool {
    let size = number.abs();
    if !(1e-5..1e10).contains(&size) {
        return false;
    }
    let scaled = (size * 1e5 + 0.5) as u64;
    // Both are exact, so that the quotient is what the decimal reads as.
    if scaled as f64 / 1e5 != size {
        return false;
    }
    if number < 0.0 {
        out.push(b'-');
    }
    match scaled / 100_000 {
        whole @ 0..10 => out.push(b'0' + whole as u8),
        whole => put_number(out, whole),
    }
    let digits = five_digits((scaled % 100_000) as u32);
    if digits > 0 {
        // Zeros at the end are left out.
        let count = digits.ilog2() as usize / 8 + 1;
        let text = ((digits | 0x30_3030_3030) << 8) | u64::from(b'.');
        let end = out.len() + 1 + count;
        // No call, and no loop: what is too much is dropped.
        out.extend_from_slice(&text.to_le_bytes());
        out.truncate(end);
    }
    true
}

/// The five digits of a number, each in a byte, the first in the lowest.
#[inline]
fn five_digits(number: u32) -> u64 {
    let (first, rest) = (number / 10_000, number % 10_000);
    let pairs = (rest / 100) | ((rest % 100) << 16);
    // A tenth of each, exact below 179.
    let tens = ((pairs * 103) >> 10) & 0x000f_000f;
    let ones = pairs - 10 * tens;
    u64::from(first) | (u64::from(tens | (ones << 8)) << 8)
}

fn put_shortest(out: &mut Vec<u8>, number: impl ryu::Float) {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format(number);
    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
}

/// Formats `n` items in blocks, in parallel, and writes them in order. While one wave of blocks
/// is written, threads format the next one into the memory of the one before.
pub(crate) fn blocks(
    out: &mut dyn Write,
    n: usize,
    put: impl Fn(usize, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    runs(out, n, |run, bytes| run.for_each(|i| put(i, bytes)))
}

/// As [`blocks`], with a function that appends all items of a range.
pub(crate) fn runs(
    out: &mut dyn Write,
    n: usize,
    put: impl Fn(Range<usize>, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    waves(n.div_ceil(BLOCK), &mut |bytes| out.write_all(bytes), &|block, bytes| {
        put(block * BLOCK..((block + 1) * BLOCK).min(n), bytes);
    })
}

/// Items that are formatted together.
const BLOCK: usize = 1 << 12;
/// Blocks in a wave at most; two waves are in memory.
const WAVE: usize = 32;
/// Blocks in a wave for each thread: what one writes has not left its cache.
const PER_THREAD: usize = 4;

fn waves(
    count: usize,
    write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    format: &(dyn Fn(usize, &mut Vec<u8>) + Sync),
) -> io::Result<()> {
    let width = WAVE.min(PER_THREAD * rayon::current_num_threads()).min(count).max(1);
    // Most items take less; memory that is not used is not taken.
    let room = |_| Vec::with_capacity(BLOCK * 16);
    let (mut ready, mut next): (Vec<Vec<u8>>, Vec<Vec<u8>>) =
        ((0..width).map(room).collect(), (0..width).map(room).collect());
    // The first turn has nothing to write, and the last one nothing to format.
    for first in (0..count + width).step_by(width) {
        rayon::in_place_scope(|scope| {
            for (bytes, block) in next.iter_mut().zip(first..count) {
                scope.spawn(move |_| format(block, bytes));
            }
            ready.iter().try_for_each(|bytes: &Vec<u8>| write(bytes))
        })?;
        std::mem::swap(&mut ready, &mut next);
        next.iter_mut().for_each(Vec::clear);
    }
    Ok(())
}

/// Appends a line of items.
#[inline]
pub(crate) fn put_line<T>(
    out: &mut Vec<u8>,
    separator: u8,
    items: impl IntoIterator<Item = T>,
    put: impl Fn(&mut Vec<u8>, T),
) {
    put_all(out, separator, items, put);
    out.push(b'\n');
}

/// Appends items with a separator between them.
#[inline]
pub(crate) fn put_all<T>(
    out: &mut Vec<u8>,
    separator: u8,
    items: impl IntoIterator<Item = T>,
    put: impl Fn(&mut Vec<u8>, T),
) {
    for (k, item) in items.into_iter().enumerate() {
        if k > 0 {
            out.push(separator);
        }
        put(out, item);
    }
}

/// The first line of a table.
pub(crate) fn header_row<'a>(separator: u8, names: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut header = Vec::new();
    put_line(&mut header, separator, names, |out, name| write_field(out, name, separator));
    header
}

/// Writes a table with a header: the columns in their order, separated by
/// `separator` (`,` or a tab), labels in quotes where they need them.
///
/// # Errors
/// When writing fails, or the columns differ in length (`InvalidInput`).
pub fn write_table(
    out: &mut dyn Write,
    separator: u8,
    labels: &Labels,
    columns: &[(&str, Cells<'_>)],
) -> io::Result<()> {
    let rows = rows_of(labels, columns)?;
    out.write_all(&header_row(separator, columns.iter().map(|(name, _)| *name)))?;
    blocks(out, rows, |row, bytes| {
        put_line(bytes, separator, columns, |bytes, (_, cells)| {
            cells.put(row, labels, separator, bytes);
        });
    })
}

/// The number of rows that all columns have.
pub(crate) fn rows_of(labels: &Labels, columns: &[(&str, Cells<'_>)]) -> io::Result<usize> {
    let rows = columns.iter().find_map(|(_, cells)| cells.len()).unwrap_or(labels.len());
    match columns.iter().find(|(_, cells)| cells.len().unwrap_or(labels.len()) != rows) {
        None => Ok(rows),
        Some((name, cells)) => {
            Err(invalid(format!("column {name} has {:?} rows, others have {rows}", cells.len())))
        }
    }
}

/// The columns of a parent table.
pub(crate) fn parent_columns<'a>(
    parent: &'a str,
    annotations: &'a [String],
    parts: &TreeParts<'a>,
) -> Vec<(&'a str, Cells<'a>)> {
    let labels = parts.labels;
    let mut table = vec![("id", Cells::EachVertex), (parent, Cells::Vertices(parts.parents))];
    table.extend((!labels.are_names()).then_some(("label", Cells::LabelsOf(labels))));
    table.extend(parts.lengths.map(|lengths| ("length", Cells::Numbers(ValueSlice::F64(lengths)))));
    table.extend(parts.support.map(|support| (SUPPORT_NAME, Cells::Known(support))));
    let columns = parts.columns.iter();
    table.extend(columns.map(|column| (column.name.as_str(), Cells::from(&column.values))));
    let texts = annotations.iter().zip(parts.annotations);
    table.extend(texts.map(|(name, texts)| (name.as_str(), Cells::Texts(texts))));
    table
}

/// What tables call annotations.
pub(crate) fn annotation_names(annotations: &[Annotation]) -> Vec<String> {
    annotations.iter().map(|one| format!("{ANNOTATION_MARK}{}", one.name)).collect()
}

/// As [`write_parent_table`], with all that a tree has.
pub(crate) fn put_parent_table(
    out: &mut dyn Write,
    separator: u8,
    parts: &TreeParts<'_>,
) -> io::Result<()> {
    let parent = first_row::parent_word(parts.labels);
    let names = annotation_names(parts.annotations);
    write_table(out, separator, parts.labels, &parent_columns(&parent, &names, parts))
}

/// Writes a parent table: `id,parent[,label][,length][,columns]`, a root's parent empty
/// ([`crate::write_tree`] adds support and annotations). Ids
/// are the names of vertices (see [`Labels`]); where some of them are not their labels (Newick
/// has vertices without labels, and several with one), the labels are a column of their own.
/// Where labels would make a reader doubt which is the header, its words are others.
///
/// # Errors
/// As [`write_table`].
pub fn write_parent_table(
    out: &mut dyn Write,
    separator: u8,
    parents: &[u32],
    labels: &Labels,
    lengths: Option<&[f64]>,
    columns: &[Column],
) -> io::Result<()> {
    let parts = TreeParts { lengths, columns, ..TreeParts::new(parents, labels) };
    put_parent_table(out, separator, &parts)
}

/// Writes a tree in Newick, or a forest as one tree per line, children in the tree's
/// order. Labels get quotes where they need them, and so do numbers on inner vertices, which would
/// be taken for support; unlabelled vertices get nothing; `lengths` go by vertex, and roots get one
/// only if it is not 0, or if there are only roots. [`crate::write_tree`] writes more.
///
/// # Errors
/// When writing fails.
pub fn write_newick(
    out: &mut dyn Write,
    tree: &Tree,
    labels: &Labels,
    lengths: Option<&[f64]>,
) -> io::Result<()> {
    let parts = TreeParts { lengths, ..TreeParts::new(&[], labels) };
    crate::newick::put_newick(out, tree, &parts, AnnotationStyle::None)
}

/// Appends a text in quotes, which are doubled in it.
pub(crate) fn put_quoted(out: &mut Vec<u8>, quote: u8, text: &str) {
    out.push(quote);
    for &byte in text.as_bytes() {
        if byte == quote {
            out.push(quote);
        }
        out.push(byte);
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(number: f64) {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        put_float(&mut one, number);
        put_shortest(&mut other, number);
        assert_eq!(String::from_utf8(one), String::from_utf8(other));
    }

    #[test]
    fn numbers_at_the_edges() {
        for number in [0.0, 1.0, 0.1, 1e-5, 9.99999e-6, 1.1, 0.3, 1e10, 9_999_999_999.999_99, 1e9] {
            for step in [0.0, f64::EPSILON, -f64::EPSILON] {
                check(number * (1.0 + step));
                check(-number * (1.0 + step));
            }
        }
        [f64::NAN, f64::INFINITY, -0.0, f64::MAX, f64::MIN_POSITIVE].into_iter().for_each(check);
    }

    proptest! {
        #[test]
        fn few_decimals_are_the_shortest(
            any in any::<f64>(),
            digits in -2_000_000_000_000_000i64..2_000_000_000_000_000,
            less in 0u32..13,
            power in 0i32..8,
        ) {
            check(any);
            let number = (digits / 10i64.pow(less)) as f64 / 10f64.powi(power);
            check(number);
            check(number * (1.0 + f64::EPSILON));
            check(number * (1.0 - f64::EPSILON));
        }
    }
}
