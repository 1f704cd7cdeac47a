//! Vectors: right-hand sides and solutions, a number per vertex.
//!
//! **Problem.** One or several columns of `n` finite numbers from a file, and back.
//! **Formats.** Matrix Market arrays (`real` or `integer`, `general`; column after
//! column), `.npy` arrays of shape `(n,)` or `(n, k)`, and tables as
//! [`crate::read_values_bytes`] reads them: a number per line, or a vertex's number (from 0)
//! and a value.
//! **Method.** Arrays of a number per line go through `fast.rs` in parallel; where that
//! gives up, word by word, which is also what reports errors.
//! **Cost.** Linear work; 8 bytes per number and while reading text as many again.

use crate::IoError;
use crate::error::shown;
use crate::fast::{self, Cell};
use crate::graph::is_banner;
use crate::labels::Labels;
use crate::npy::{self, Npy};
use crate::number::{float, unsigned};
use crate::rows::Separator;
use crate::source::{Source, plain};
use crate::values::{ValueSlice, ValueType, Values};
use crate::write::{Cells, blocks, invalid, put_float, write_table};
use std::io::{self, Write};

/// A format that vectors are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VectorFormat {
    /// A Matrix Market array.
    MatrixMarket,
    /// A table `vertex,value`.
    Csv,
    /// A NumPy array.
    Npy,
}

impl VectorFormat {
    /// The format a file's name promises, compression suffixes aside.
    pub fn from_name(name: &str) -> Option<VectorFormat> {
        match crate::format::stem(name).rsplit_once('.')?.1 {
            "mtx" | "mm" => Some(VectorFormat::MatrixMarket),
            "csv" => Some(VectorFormat::Csv),
            "npy" => Some(VectorFormat::Npy),
            _ => None,
        }
    }
}

/// Reads columns of `n` numbers; see the module for the formats, which are told apart
/// by content. There is at least one column.
///
/// # Errors
/// Another count of numbers, or something else than a finite number; with its place.
pub fn read_vectors_bytes(name: &str, bytes: &[u8], n: usize) -> Result<Vec<Vec<f64>>, IoError> {
    read_vectors_labelled(name, bytes, &Labels::numbers(n))
}

/// As [`read_vectors_bytes`], one number for each label; a table names vertices by them.
///
/// # Errors
/// As [`read_vectors_bytes`].
pub fn read_vectors_labelled(
    name: &str,
    bytes: &[u8],
    labels: &Labels,
) -> Result<Vec<Vec<f64>>, IoError> {
    let n = labels.len();
    let data = plain(name, bytes)?;
    if Npy::is_npy(&data) {
        return npy_columns(&Npy::new(name, &data)?, n);
    }
    let source = Source::new(name, &data)?;
    if is_banner(source.text) {
        return array(&source, n);
    }
    let kind = ValueType::F64;
    let values = crate::read_values::read_values_bytes(name, &data, kind, None, labels)?;
    let Values::F64(column) = values else { return Ok(Vec::new()) };
    if column.iter().all(|x| x.is_finite()) {
        return Ok(vec![column]);
    }
    Err(infinite(&source))
}

/// The error about a table that has an infinite number.
#[cold]
fn infinite(source: &Source<'_>) -> IoError {
    let last = |line: &str| {
        let field = line.rsplit([',', ';', '\t', ' ']).find(|field| !field.trim().is_empty());
        field.unwrap_or("").trim().trim_matches('"').to_string()
    };
    let is_infinite = |text: &String| float(text.as_bytes()).is_some_and(f64::is_infinite);
    let lines = source.text.lines().map(last).enumerate();
    let (before, text) = lines.into_iter().find(|(_, text)| is_infinite(text)).unwrap_or_default();
    source.on_line(before as u64 + 1, "a finite number", shown(&text))
}

fn npy_columns(npy: &Npy<'_>, n: usize) -> Result<Vec<Vec<f64>>, IoError> {
    let columns = match npy.shape()[..] {
        [rows] if rows == n => 1,
        [rows, columns] if rows == n && columns > 0 => columns,
        _ => {
            let expected = format!("an array of shape ({n},) or ({n}, columns)");
            return Err(npy.error(0, expected, format!("shape {:?}", npy.shape())));
        }
    };
    let one = npy.shape().len() == 1;
    let number = |row: usize, column: usize| {
        let (i, element) = if one { (row, npy.get(row)) } else { npy.at(row, column) };
        let finite = Some(element.as_f64()).filter(|x| x.is_finite());
        finite.ok_or_else(|| npy.error(i, "a finite number", element.to_string()))
    };
    (0..columns).map(|column| (0..n).map(|row| number(row, column)).collect()).collect()
}

fn array(source: &Source<'_>, n: usize) -> Result<Vec<Vec<f64>>, IoError> {
    let (columns, body, line) = array_header(source, n)?;
    let cells = [Cell::Value(ValueType::F64.into())];
    let total = n as u64 * columns;
    let fast = fast::numbers(&source.bytes()[body..], line + 1, Separator::Blanks, &cells)
        .filter(|numbers| numbers.rows as u64 == total)
        .map(|numbers| numbers.column(0, f64::from_bits))
        .filter(|all| all.iter().all(|x| x.is_finite()));
    let all = match fast {
        Some(all) => all,
        None => array_words(source, total, body, line)?,
    };
    match n {
        // No chunks tell how many columns of nothing there are.
        0 => Ok(vec![Vec::new()]),
        _ => Ok(all.chunks(n).map(<[f64]>::to_vec).collect()),
    }
}

/// The number of columns, where the numbers start, and the line before.
fn array_header(source: &Source<'_>, n: usize) -> Result<(u64, usize, u64), IoError> {
    let (mut at, mut line) = (0, 0);
    for whole in source.text.split_inclusive('\n') {
        (at, line) = (at + whole.len(), line + 1);
        let text = whole.trim();
        if line == 1 {
            let banner = text.to_lowercase();
            let words: Vec<&str> = banner.split_ascii_whitespace().skip(1).collect();
            if !matches!(words[..], ["matrix", "array", "real" | "integer", "general"]) {
                let expected = "`%%MatrixMarket matrix array real general`";
                return Err(source.on_line(line, expected, shown(text)));
            }
        } else if !text.is_empty() && !text.starts_with('%') {
            let sizes: Option<Vec<u64>> = text.split_ascii_whitespace().map(unsigned).collect();
            let columns = match sizes.as_deref() {
                Some(&[rows, columns]) if rows == n as u64 && columns > 0 => Some(columns),
                _ => None,
            };
            // So many numbers cannot follow: the count below would overflow.
            let columns = columns.filter(|&columns| (n as u64).checked_mul(columns).is_some());
            let expected = || format!("the sizes `{n} columns` of an array with {n} rows");
            let columns = columns.ok_or_else(|| source.on_line(line, expected(), shown(text)))?;
            return Ok((columns, at, line));
        }
    }
    Err(source.on_line(line.max(1), format!("the sizes `{n} columns`"), "the end of the file"))
}

fn array_words(
    source: &Source<'_>,
    total: u64,
    body: usize,
    before: u64,
) -> Result<Vec<f64>, IoError> {
    let mut all = Vec::new();
    let mut line = before;
    for text in source.text[body..].lines() {
        line += 1;
        if text.trim_start().starts_with(['%', '#']) {
            continue;
        }
        for word in text.split_ascii_whitespace() {
            let number = float(word.as_bytes()).filter(|x| x.is_finite());
            let wrong = || source.on_line(line, "a finite number", shown(word));
            let number = number.ok_or_else(wrong)?;
            if all.len() as u64 == total {
                return Err(source.on_line(line, format!("{total} numbers"), "more"));
            }
            all.push(number);
        }
    }
    if (all.len() as u64) < total {
        let found = format!("the end after {}", all.len());
        return Err(source.on_line(line, format!("{total} numbers"), found));
    }
    Ok(all)
}

/// Writes columns of numbers. A CSV table holds one column, the others any number.
///
/// # Errors
/// When writing fails, the columns differ in length, there is none, or there are several
/// for a table (`InvalidInput`).
pub fn write_vectors(
    out: &mut dyn Write,
    format: VectorFormat,
    columns: &[Vec<f64>],
) -> io::Result<()> {
    let wrong = |message: String| Err(invalid(message));
    let (Some(first), k) = (columns.first(), columns.len()) else {
        return wrong("expected at least one column".to_string());
    };
    let n = first.len();
    if let Some(other) = columns.iter().find(|column| column.len() != n) {
        return wrong(format!("a column has {} numbers instead of {n}", other.len()));
    }
    match format {
        VectorFormat::MatrixMarket => {
            writeln!(out, "%%MatrixMarket matrix array real general\n{n} {k}")?;
            blocks(out, n * k, |i, bytes| {
                put_float(bytes, columns[i / n][i % n]);
                bytes.push(b'\n');
            })
        }
        VectorFormat::Csv if k > 1 => {
            wrong(format!("a table `vertex,value` holds one column, not {k}; use .mtx or .npy"))
        }
        VectorFormat::Csv => {
            let cells =
                [("vertex", Cells::EachVertex), ("value", Cells::Numbers(ValueSlice::F64(first)))];
            write_table(out, b',', &Labels::numbers(n), &cells)
        }
        VectorFormat::Npy => {
            let shape = if k == 1 { format!("({n},)") } else { format!("({n}, {k})") };
            npy::write(out, "<f8", &shape, n * k, |run, bytes| {
                bytes.extend(run.flat_map(|i| columns[i % k][i / k].to_le_bytes()));
            })
        }
    }
}
