//! Writing arrays.

use super::MAGIC;
use crate::values::{ValueType, Values};
use palmette_core::NONE;
use std::io::{self, Write};
use std::ops::Range;

/// What an npy file of version 1 has before its data.
pub(crate) fn head(descr: &str, shape: &str) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length take 10 bytes; data start at a multiple of 64.
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header.push_str(&" ".repeat(length - 1 - header.len()));
    header.push('\n');
    let mut head = MAGIC.to_vec();
    head.extend([1, 0]);
    head.extend((length as u16).to_le_bytes());
    head.extend(header.as_bytes());
    head
}

/// Writes an array of little-endian elements; `put` appends those of a range.
pub(crate) fn write(
    out: &mut dyn Write,
    descr: &str,
    shape: &str,
    n: usize,
    put: impl Fn(Range<usize>, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    out.write_all(&head(descr, shape))?;
    crate::write::runs(out, n, put)
}

/// Writes parents as `int32` (`int64` where they do not fit), -1 for roots.
///
/// # Errors
/// When writing fails.
pub fn write_npy_parents(out: &mut dyn Write, parents: &[u32]) -> io::Result<()> {
    let shape = format!("({},)", parents.len());
    if parents.len() <= i32::MAX as usize {
        return write(out, "<i4", &shape, parents.len(), |run, to| {
            put_words(to, &parents[run], |p| (p as i32).to_le_bytes());
        });
    }
    let wide = |p: u32| if p == NONE { -1 } else { i64::from(p) };
    write(out, "<i8", &shape, parents.len(), |run, to| {
        put_words(to, &parents[run], |p| wide(p).to_le_bytes());
    })
}

/// Writes a column of values as a one-dimensional array.
///
/// # Errors
/// When writing fails.
pub fn write_npy_values(out: &mut dyn Write, values: &Values) -> io::Result<()> {
    let shape = format!("({},)", values.len());
    write(out, descr(values), &shape, values.len(), |run, to| put(values, run, to))
}

/// How an npy file calls the type of values.
pub(crate) fn descr(values: &Values) -> &'static str {
    match values.value_type() {
        ValueType::I64 => "<i8",
        ValueType::U64 => "<u8",
        ValueType::F64 => "<f8",
        ValueType::F32 => "<f4",
    }
}

/// Appends the values of a range as an npy file has them.
pub(crate) fn put(values: &Values, run: Range<usize>, to: &mut Vec<u8>) {
    match values {
        Values::I64(x) => put_words(to, &x[run], i64::to_le_bytes),
        Values::U64(x) => put_words(to, &x[run], u64::to_le_bytes),
        Values::F64(x) => put_words(to, &x[run], f64::to_le_bytes),
        Values::F32(x) => put_words(to, &x[run], f32::to_le_bytes),
    }
}

/// Appends numbers as bytes: a copy, on a machine of this byte order.
fn put_words<T: Copy, const N: usize>(to: &mut Vec<u8>, from: &[T], bytes: impl Fn(T) -> [u8; N]) {
    let start = to.len();
    to.resize(start + N * from.len(), 0);
    set_words(&mut to[start..], from, bytes);
}

/// As [`put_words`], in place of other bytes.
pub(crate) fn set_words<T: Copy, const N: usize>(
    to: &mut [u8],
    from: &[T],
    bytes: impl Fn(T) -> [u8; N],
) {
    for (to, &word) in to.as_chunks_mut().0.iter_mut().zip(from) {
        *to = bytes(word);
    }
}
