//! Square matrices of distances: written a strip of rows at a time.
//!
//! **Problem.** A matrix that may be larger than memory, as a CSV table with names in its first row and column, or as an npy
//! array: square, or condensed as scipy has it.
//! **Method.** A strip of rows is filled, in parallel, turned into bytes, in parallel, and written. What filling takes is
//! told, so that records can say what was computed and what was written.
//! **Cost.** 512 KB of numbers and their bytes per thread: they stay in the cache on the way to the file.
//! **Determinism.** The bytes do not depend on the number of threads.

use crate::npy::{head, set_words};
use crate::rows::write_field;
use crate::write::{put_all, put_float};
use rayon::prelude::*;
use std::borrow::Cow;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Fills a row of a matrix.
pub(crate) type Fill<'a> = dyn Fn(usize, &mut [f64]) + Sync + 'a;

/// About as many numbers are in memory for each thread.
const STRIP: usize = 1 << 16;

/// Writes a square matrix as a table: `row` fills a row, `name` is that of a row and column. Returns
/// how long rows took to fill.
///
/// # Errors
/// When writing fails.
pub fn write_matrix<'a>(
    out: &mut dyn Write,
    separator: u8,
    n: usize,
    name: &(dyn Fn(usize) -> Cow<'a, str> + Sync),
    row: &Fill<'_>,
) -> io::Result<Duration> {
    let mut header = Vec::new();
    for k in 0..n {
        header.push(separator);
        write_field(&mut header, &name(k), separator);
    }
    header.push(b'\n');
    out.write_all(&header)?;
    strips(out, n, row, &|first, numbers, bytes| {
        bytes.clear();
        for (k, numbers) in numbers.chunks_exact(n).enumerate() {
            write_field(bytes, &name(first + k), separator);
            bytes.push(separator);
            put_all(bytes, separator, numbers.iter().copied(), put_float);
            bytes.push(b'\n');
        }
    })
}

/// Writes a square matrix as an npy array of f64. Returns how long rows took to fill.
///
/// # Errors
/// When writing fails.
pub fn write_npy_matrix(out: &mut dyn Write, n: usize, row: &Fill<'_>) -> io::Result<Duration> {
    out.write_all(&head("<f8", &format!("({n}, {n})")))?;
    // All strips but the last are as long as the first: nothing is cleared before it is filled.
    strips(out, n, row, &|_, numbers, bytes| {
        bytes.resize(8 * numbers.len(), 0);
        set_words(bytes, numbers, f64::to_le_bytes);
    })
}

/// Makes the bytes of rows, whose first is given, in place of others.
type Put<'a> = dyn Fn(usize, &[f64], &mut Vec<u8>) + Sync + 'a;

/// The rows of one thread.
#[derive(Default)]
struct Strip {
    first: usize,
    numbers: Vec<f64>,
    bytes: Vec<u8>,
}

fn strips(out: &mut dyn Write, n: usize, row: &Fill<'_>, put: &Put<'_>) -> io::Result<Duration> {
    let rows = (STRIP / n.max(1)).max(1);
    let mut strips = Vec::new();
    strips.resize_with(rayon::current_num_threads(), Strip::default);
    let mut filling = Duration::ZERO;
    for first in (0..n).step_by(rows * strips.len()) {
        let start = Instant::now();
        strips.par_iter_mut().enumerate().for_each(|(k, strip)| {
            strip.first = (first + k * rows).min(n);
            let last = (strip.first + rows).min(n);
            strip.numbers.resize((last - strip.first) * n, 0.0);
            let numbers = strip.numbers.chunks_exact_mut(n);
            numbers.zip(strip.first..last).for_each(|(numbers, i)| row(i, numbers));
        });
        filling += start.elapsed();
        strips
            .par_iter_mut()
            .for_each(|Strip { first, numbers, bytes }| put(*first, numbers, bytes));
        strips.iter().try_for_each(|strip| out.write_all(&strip.bytes))?;
    }
    Ok(filling)
}
