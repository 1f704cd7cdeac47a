//! Files about the vertices of a tree: values, pairs, sets.
//!
//! **Problem.** One value per vertex, or vertices named by their labels, in tables
//! (separators as in `table.rs`, header optional) or `.npy` arrays.
//! **Method.** Where labels are integers, `fast.rs` in parallel; else row by row,
//! which is also what reports errors.
//! **Cost.** Linear expected work. Text labels need the index of [`Labels`].

use crate::IoError;
use crate::columnar::{self, ColumnTable};
use crate::fast::Cell;
use crate::index::Lookup;
use crate::labels::Labels;
use crate::limit::InputLimit;
use crate::npy::Npy;
use crate::number::float;
use crate::quote::{listed, shown};
use crate::rows::Rows;
use crate::source::Source;
use palmette_core::NONE;
use rayon::prelude::*;

/// The usual words in the header of a file of pairs.
const END_NAMES: [&str; 20] = [
    "u", "v", "a", "b", "x", "y", "first", "second", "source", "target", "from", "to", "left",
    "right", "node1", "node2", "id1", "id2", "vertex1", "vertex2",
];

/// Pairs of vertices from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairFile {
    /// The pairs.
    pub pairs: Vec<(u32, u32)>,
    /// The first row, where it was taken for a header though its words are not the usual ones.
    pub unusual_header: Option<String>,
}

/// Reads pairs of vertices: `u,v` rows of names, or an `.npy` array of shape
/// `(m, 2)` with labels if these are integers, else vertex numbers; or the names in the first two
/// columns of Parquet or Arrow.
///
/// The first row is a header if it starts with two words (no numbers) that are no labels, and
/// other rows follow. A file with a header may have further columns, which are not read: what
/// starts with `u,v,` and a word has one, whatever labels are.
///
/// # Errors
/// An unknown or ambiguous label, another number of fields; with its line.
pub fn read_pairs_bytes(
    name: &str,
    data: &[u8],
    labels: &Labels,
) -> Result<Vec<(u32, u32)>, IoError> {
    Ok(read_pair_file(name, data, labels)?.pairs)
}

/// As [`read_pairs_bytes`], with what is worth a note.
///
/// # Errors
/// As [`read_pairs_bytes`].
pub fn read_pair_file(name: &str, data: &[u8], labels: &Labels) -> Result<PairFile, IoError> {
    if Npy::is_npy(data) {
        let pairs = npy_pairs(&Npy::new(name, data)?, labels)?;
        return Ok(PairFile { pairs, unusual_header: None });
    }
    if let Some(format) = columnar::format_of(data) {
        let table = ColumnTable::open(name, data, format, InputLimit::default())?;
        return Ok(PairFile { pairs: columnar::pairs(&table, labels)?, unusual_header: None });
    }
    let source = Source::new(name, data)?;
    let mut rows = Rows::of(source);
    let header = skip_header(&source, &mut rows, labels)?;
    let unusual_header = header.as_ref().filter(|words| !are_usual(words)).map(listed);
    let width = header.as_ref().map_or(2, Vec::len);
    if let Some(pairs) = integer_pairs(&rows, width, labels) {
        return Ok(PairFile { pairs, unusual_header });
    }
    let mut pairs = Vec::new();
    let mut fields = Vec::new();
    while let Some(line) = rows.next(&mut fields)? {
        if fields.len() != width {
            let expected = match header {
                Some(_) => format!("{width} fields as in the header"),
                None => "two names".to_string(),
            };
            return Err(source.on_line(line, expected, format!("{} field(s)", fields.len())));
        }
        let u = vertex(&source, line, &fields[0].text(&source), labels)?;
        pairs.push((u, vertex(&source, line, &fields[1].text(&source), labels)?));
    }
    Ok(PairFile { pairs, unusual_header })
}

/// Reads sets of vertices: one line of labels per set. Blank lines are skipped.
///
/// # Errors
/// An unknown or ambiguous label, with its line.
pub fn read_sets_bytes(name: &str, data: &[u8], labels: &Labels) -> Result<Vec<Vec<u32>>, IoError> {
    let source = Source::new(name, data)?;
    let mut rows = Rows::of(source);
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
        Lookup::Ambiguous(u, v) => {
            let (u, v) = (shown(&labels.get(u)), shown(&labels.get(v)));
            format!("which several vertices have; the first two are called {u} and {v}")
        }
    };
    Err(source.on_line(line, "the name of a vertex", format!("{}, {what}", shown(label))))
}

/// Whether a row starts with the usual words of a header.
fn are_usual(words: &[String]) -> bool {
    words[..2].iter().all(|word| END_NAMES.contains(&word.to_lowercase().as_str()))
}

/// Skips a header and returns its words: a first row that starts with two words, neither of
/// which is a label, above other rows.
fn skip_header(
    source: &Source<'_>,
    rows: &mut Rows<'_>,
    labels: &Labels,
) -> Result<Option<Vec<String>>, IoError> {
    let mut ahead = rows.clone();
    let mut fields = Vec::new();
    if ahead.next(&mut fields)?.is_none() || fields.len() < 2 {
        return Ok(None);
    }
    let words: Vec<String> = fields.iter().map(|field| field.text(source).into_owned()).collect();
    let is_word = |text: &String| {
        !text.is_empty() && float(text.as_bytes()).is_none() && labels.find(text) == Lookup::Unknown
    };
    // Tables of answers start so, whatever labels are.
    let ours = words.len() > 2
        && words[..2] == ["u", "v"]
        && words.iter().all(|word| float(word.as_bytes()).is_none());
    // Alone, only usual words are a header, above no pairs.
    let mut above = || are_usual(&words) || !matches!(ahead.clone().next(&mut fields), Ok(None));
    let is_header = ours || (words[..2].iter().all(is_word) && above());
    if is_header {
        *rows = ahead;
    }
    Ok(is_header.then_some(words))
}

fn integer_pairs(rows: &Rows<'_>, width: usize, labels: &Labels) -> Option<Vec<(u32, u32)>> {
    if !labels.are_integers() {
        return None;
    }
    let mut cells = vec![Cell::Skip; width];
    cells[..2].fill(Cell::Key);
    let numbers = rows.numbers(&cells)?;
    let find = |bits: u64| labels.find_integer(bits as i64).vertex().unwrap_or(NONE);
    let (first, second) = (numbers.column(0, find), numbers.column(1, find));
    let pair = |(&u, &v): (&u32, &u32)| (u, v);
    let pairs: Vec<(u32, u32)> =
        first.par_iter().zip(&second).with_min_len(1 << 14).map(pair).collect();
    let known = pairs.par_iter().with_min_len(1 << 14).all(|&(u, v)| u != NONE && v != NONE);
    known.then_some(pairs)
}

fn npy_pairs(npy: &Npy<'_>, labels: &Labels) -> Result<Vec<(u32, u32)>, IoError> {
    if npy.shape().len() != 2 || npy.shape()[1] != 2 {
        let found = format!("shape {:?}", npy.shape());
        return Err(npy.error(0, "pairs as an array of shape (m, 2)", found));
    }
    let find = |row: usize, column: usize| -> Result<u32, IoError> {
        let (i, element) = npy.at(row, column);
        let vertex = element.as_i64().and_then(|v| match labels.are_integers() {
            true => labels.find_integer(v).vertex(),
            false => u32::try_from(v).ok().filter(|&v| (v as usize) < labels.len()),
        });
        vertex.ok_or_else(|| {
            npy.error(i, "the number of a vertex", format!("{element} in pair {row}"))
        })
    };
    (0..npy.shape()[0]).map(|row| Ok((find(row, 0)?, find(row, 1)?))).collect()
}
