//! Files about the vertices of a tree: values, pairs, sets.
//!
//! **Problem.** One value a vertex, or vertices named by their labels, in tables
//! (separators as in `table.rs`, header optional) or `.npy` arrays.
//! **Method.** Where labels are integers, `fast.rs` in parallel; else row by row,
//! which is also what reports errors.
//! **Cost.** Linear expected work. Text labels need the index of [`Labels`].

use crate::IoError;
use crate::error::shown;
use crate::fast::{self, Cell};
use crate::header;
use crate::labels::{Labels, Lookup};
use crate::npy::{Element, Npy};
use crate::rows::{Rows, Separator};
use crate::source::{Source, name_of, read_bytes};
use palmette_core::NONE;
use rayon::prelude::*;
use std::path::Path;

/// Names that make the first row of a file of pairs a header.
const END_NAMES: [&str; 20] = [
    "u", "v", "a", "b", "x", "y", "first", "second", "source", "target", "from", "to", "left",
    "right", "node1", "node2", "id1", "id2", "vertex1", "vertex2",
];

/// Reads pairs of vertices: `u,v` rows of labels, or an `.npy` array of shape
/// `(m, 2)` with labels if these are integers, else vertex numbers.
///
/// # Errors
/// An unknown or ambiguous label, a row without exactly two fields; with its line.
pub fn read_pairs(path: impl AsRef<Path>, labels: &Labels) -> Result<Vec<(u32, u32)>, IoError> {
    let path = path.as_ref();
    read_pairs_bytes(&name_of(path), &read_bytes(path)?, labels)
}

/// As [`read_pairs`], from bytes that are already here.
///
/// # Errors
/// As [`read_pairs`].
pub fn read_pairs_bytes(
    name: &str,
    data: &[u8],
    labels: &Labels,
) -> Result<Vec<(u32, u32)>, IoError> {
    if Npy::is_npy(data) {
        return npy_pairs(&Npy::new(name, data)?, labels);
    }
    let source = Source::new(name, data)?;
    let separator = header::separator(&source);
    let mut rows = Rows::new(source, separator);
    skip_header(&source, &mut rows, labels)?;
    if let Some(pairs) = integer_pairs(&source, &rows, separator, labels) {
        return Ok(pairs);
    }
    let mut pairs = Vec::new();
    let mut fields = Vec::new();
    while let Some(line) = rows.next(&mut fields)? {
        let [u, v] = fields[..] else {
            return Err(source.on_line(line, "two labels", format!("{} field(s)", fields.len())));
        };
        let u = vertex(&source, line, &u.text(&source), labels)?;
        pairs.push((u, vertex(&source, line, &v.text(&source), labels)?));
    }
    Ok(pairs)
}

/// Reads sets of vertices: a line a set of labels. Blank lines are skipped.
///
/// # Errors
/// An unknown or ambiguous label, with its line.
pub fn read_sets(path: impl AsRef<Path>, labels: &Labels) -> Result<Vec<Vec<u32>>, IoError> {
    let path = path.as_ref();
    read_sets_bytes(&name_of(path), &read_bytes(path)?, labels)
}

/// As [`read_sets`], from bytes that are already here.
///
/// # Errors
/// As [`read_sets`].
pub fn read_sets_bytes(name: &str, data: &[u8], labels: &Labels) -> Result<Vec<Vec<u32>>, IoError> {
    let source = Source::new(name, data)?;
    let mut rows = Rows::new(source, header::separator(&source));
    let (mut sets, mut fields) = (Vec::new(), Vec::new());
    while let Some(line) = rows.next(&mut fields)? {
        let set = fields.iter().map(|field| vertex(&source, line, &field.text(&source), labels));
        sets.push(set.collect::<Result<Vec<u32>, _>>()?);
    }
    Ok(sets)
}

/// The vertex of a label on a line.
pub(crate) fn vertex(
    source: &Source<'_>,
    line: u64,
    label: &str,
    labels: &Labels,
) -> Result<u32, IoError> {
    let what = match labels.find(label) {
        Lookup::Vertex(v) => return Ok(v),
        Lookup::Unknown => "which no vertex has".to_string(),
        Lookup::Ambiguous(u, v) => format!("which several vertices have, such as {u} and {v}"),
    };
    Err(source.on_line(line, "the label of a vertex", format!("{}, {what}", shown(label))))
}

/// Skips a header: a first row whose fields are no labels but usual names, or no
/// integers where all labels are.
fn skip_header(source: &Source<'_>, rows: &mut Rows<'_>, labels: &Labels) -> Result<(), IoError> {
    let mut ahead = rows.clone();
    let mut fields = Vec::new();
    if ahead.next(&mut fields)?.is_none() {
        return Ok(());
    }
    let is_name = fields.iter().all(|field| {
        let text = field.text(source);
        let usual = END_NAMES.contains(&text.to_lowercase().as_str());
        let no_integer = labels.are_integers() && text.starts_with(|c: char| c.is_alphabetic());
        labels.find(&text) == Lookup::Unknown && (usual || no_integer)
    });
    if is_name {
        *rows = ahead;
    }
    Ok(())
}

fn integer_pairs(
    source: &Source<'_>,
    rows: &Rows<'_>,
    separator: Separator,
    labels: &Labels,
) -> Option<Vec<(u32, u32)>> {
    if !labels.are_integers() {
        return None;
    }
    let numbers =
        fast::numbers(&source.bytes()[rows.at..], rows.line, separator, &[Cell::Key, Cell::Key])?;
    let find = |bits: u64| match labels.find_integer(bits as i64) {
        Lookup::Vertex(v) => v,
        _ => NONE,
    };
    let (first, second) = (numbers.column(0, find), numbers.column(1, find));
    let pair = |(&u, &v): (&u32, &u32)| (u, v);
    let pairs: Vec<(u32, u32)> =
        first.par_iter().zip(&second).with_min_len(1 << 14).map(pair).collect();
    let known = pairs.par_iter().with_min_len(1 << 14).all(|&(u, v)| u != NONE && v != NONE);
    known.then_some(pairs)
}

fn npy_pairs(npy: &Npy<'_>, labels: &Labels) -> Result<Vec<(u32, u32)>, IoError> {
    if npy.shape.len() != 2 || npy.shape[1] != 2 {
        return Err(npy.error(
            0,
            "pairs as an array of shape (m, 2)",
            format!("shape {:?}", npy.shape),
        ));
    }
    let find = |row: usize, column: usize| -> Result<u32, IoError> {
        let (i, element) = npy.at(row, column);
        let number = match element {
            Element::Signed(v) => Some(v),
            Element::Unsigned(v) => i64::try_from(v).ok(),
            Element::Float(_) => None,
        };
        let vertex = number.and_then(|v| match labels.are_integers() {
            true => match labels.find_integer(v) {
                Lookup::Vertex(v) => Some(v),
                _ => None,
            },
            false => u32::try_from(v).ok().filter(|&v| (v as usize) < labels.len()),
        });
        vertex.ok_or_else(|| {
            npy.error(i, "the number of a vertex", format!("{element} in pair {row}"))
        })
    };
    (0..npy.shape[0]).map(|row| Ok((find(row, 0)?, find(row, 1)?))).collect()
}
