//! Matrix Market files of symmetric matrices.
//!
//! **Problem.** A square matrix in coordinate form (`real`, `integer` or `pattern`;
//! `general` or `symmetric`), or the same without the format's first line (then
//! `general`), to a graph.
//! **Method.** The text is cut at line ends into pieces that are parsed in parallel;
//! `entries.rs` makes the graph. A parser stops at the first line that it does not
//! understand, and another function says what is wrong there: lines are not counted
//! on the way. Entries off the diagonal are all positive (weights; the diagonal holds
//! loops and is dropped) or all negative (a Laplacian, see `laplacian.rs`).
//! **Cost.** Linear but for the sorting of rows in [`palmette_core::Graph`]. Beside the
//! text, reading takes 40 bytes per edge of a `symmetric` file, 56 of a sorted `general`
//! one, 64 of another, and 16 per vertex; `tests/all/graph_memory.rs` measures it. Duplicates
//! come on top.
//! **Determinism.** The pieces do not depend on the number of threads.
//! **Reference.** Boisvert, Pozo, Remington, *The Matrix Market exchange formats*, 1996.
//! **When not to use.** For matrices that are not symmetric: [`read_matrix_bytes`].

mod header;
pub(super) mod laplacian;
mod square;

pub use square::{MatrixFile, read_matrix_bytes};

use super::entries::{Entries, Mirrored, both, mirrored};
use super::{GraphCounts, GraphFile, GraphForm, GraphFormat, blanks};
use crate::IoError;
use crate::error::shown;
use crate::fast::line_pieces;
use crate::number::{float, float_prefix, unsigned, unsigned_prefix};
use crate::source::{Source, line_at};
use header::{Field, Header};
use memchr::{memchr, memchr_iter};
use palmette_core::{Graph, GraphError, MAX_VERTICES};
use rayon::prelude::*;

/// Reads a matrix; with `signed`, entries off the diagonal may have either sign, and the graph is the
/// double cover unless all are negative.
pub(crate) fn read(source: &Source<'_>, signed: bool) -> Result<GraphFile, IoError> {
    let matrix = Matrix { source, header: Header::read(source)?, signed };
    let mut entries = matrix.entries()?;
    if signed && entries.positive.is_none() {
        drop(entries);
        return read(source, false);
    }
    let found = entries.counts();
    let (graph, duplicates) = matrix.graph(&mut entries)?;
    let adjacency = !signed
        && entries.negative.is_none()
        && (entries.positive.is_some()
            || entries.diagonal.is_empty()
            || matrix.header.field == Field::Pattern);
    let form = match (signed, adjacency) {
        (true, _) => GraphForm::Signed,
        (_, true) => GraphForm::Adjacency,
        _ => GraphForm::Laplacian,
    };
    let found = GraphCounts { duplicates, ..found };
    let mut file = GraphFile::new(source.name, GraphFormat::MatrixMarket, graph, form, found);
    if !adjacency {
        let diagonal = laplacian::diagonal(&file.graph, &entries.diagonal, 0.0)
            .map_err(|row| matrix.unbalanced(row % matrix.header.size as u32))?;
        (file.ground, file.rounding) = (diagonal.ground, diagonal.rounding);
        file.found.duplicates += diagonal.repeated;
    }
    Ok(file)
}

struct Matrix<'a> {
    source: &'a Source<'a>,
    header: Header,
    /// Whether entries off the diagonal may have either sign.
    signed: bool,
}

/// An entry from 0, or nothing on a blank line or a comment, and the next line.
type Parsed = (Option<(u32, u32, f64)>, usize);

impl Matrix<'_> {
    fn cover(&self) -> Option<u32> {
        // Headers allow no more rows than vertices.
        self.signed.then_some(self.header.size as u32)
    }

    /// The line that starts at `at`; nothing if it is wrong.
    #[inline]
    fn line(&self, at: usize) -> Option<Parsed> {
        let data = self.source.bytes();
        let mut at = blanks(data, at);
        if matches!(data.get(at), None | Some(b'\n' | b'\r' | b'%')) {
            if data.get(at) == Some(&b'\r') && !matches!(data.get(at + 1), None | Some(b'\n')) {
                return None;
            }
            let end = memchr(b'\n', &data[at..]).map_or(data.len(), |end| at + end + 1);
            return Some((None, end));
        }
        let mut ends = [0u32; 2];
        for end in &mut ends {
            let (number, length) = unsigned_prefix(&data[at..])?;
            if number == 0 || number > self.header.size as u64 {
                return None;
            }
            *end = (number - 1) as u32;
            let after = at + length;
            at = blanks(data, after);
            if at == after && !matches!(data.get(at), None | Some(b'\n' | b'\r')) {
                return None;
            }
        }
        let mut value = 1.0;
        if self.header.field != Field::Pattern {
            let (number, length) = float_prefix(&data[at..])?;
            if !self.header.field.holds(number) {
                return None;
            }
            value = number;
            at = blanks(data, at + length);
        }
        at += usize::from(data.get(at) == Some(&b'\r'));
        match data.get(at) {
            None | Some(b'\n') => Some((Some((ends[0], ends[1], value)), at + 1)),
            _ => None,
        }
    }

    fn entries(&self) -> Result<Entries, IoError> {
        let (data, body) = (self.source.bytes(), self.header.body);
        let piece = |range: std::ops::Range<usize>| -> Result<Entries, usize> {
            let (mut at, end) = (body + range.start, body + range.end);
            let mut entries = Entries { cover: self.cover(), ..Entries::default() };
            let lines = memchr_iter(b'\n', &data[at..end]).count() + 1;
            let lines = if self.signed { 2 * lines } else { lines };
            entries.lower.reserve_exact(if self.header.symmetric { lines } else { lines / 2 });
            while at < end {
                let (entry, next) = self.line(at).ok_or(at)?;
                if let Some(entry) = entry {
                    entries.push(at, entry, self.header.symmetric);
                }
                at = next;
            }
            Ok(entries)
        };
        let pieces: Vec<_> = line_pieces(&data[body..]).into_par_iter().map(piece).collect();
        let pieces: Result<Vec<Entries>, usize> = pieces.into_iter().collect();
        let entries = Entries::join(pieces.map_err(|at| self.wrong_line(at))?);
        self.check_count(entries.count as u64)?;
        if let (Some(positive), Some(negative), false) =
            (entries.positive, entries.negative, self.signed)
        {
            let (sign, at) = match positive < negative {
                true => ("positive", negative),
                false => ("negative", positive),
            };
            let expected = format!("a {sign} number, as the entries off the diagonal before it");
            return Err(self.wrong(at, expected, shown(self.text_at(at))));
        }
        Ok(entries)
    }

    /// All entries with their places, where an error needs them again.
    fn again(&self) -> impl Iterator<Item = (usize, (u32, u32, f64))> + '_ {
        let mut at = self.header.body;
        std::iter::from_fn(move || {
            while at < self.source.text.len() {
                let start = at;
                let (entry, next) = self.line(start)?;
                at = next;
                if let Some(entry) = entry {
                    return Some((start, entry));
                }
            }
            None
        })
    }

    fn check_count(&self, count: u64) -> Result<(), IoError> {
        let (stated, line) = (self.header.entries, self.header.line);
        if count < stated {
            let data = self.source.bytes();
            let last = line_at(data, data.len().saturating_sub(1));
            let expected = format!("{stated} entries, as line {line} says");
            return Err(self.source.on_line(last, expected, format!("the end after {count}")));
        }
        if count > stated {
            let more = self.again().nth(stated as usize).map_or(0, |(at, _)| at);
            let expected = format!("the end after {stated} entries, as line {line} says");
            return Err(self.wrong(more, expected, shown(self.text_at(more))));
        }
        Ok(())
    }

    /// The graph of the entries off the diagonal, and how many were added to others.
    fn graph(&self, entries: &mut Entries) -> Result<(Graph, usize), IoError> {
        let n = self.header.size * if self.signed { 2 } else { 1 };
        if n > MAX_VERTICES {
            let error = GraphError::TooMany { what: "vertices", count: n as u64 };
            return Err(self.no_graph(error));
        }
        if self.header.symmetric {
            let lower = std::mem::take(&mut entries.lower);
            let made = Graph::simplify(n, &lower).map_err(|error| self.no_graph(error))?;
            return Ok((made.0, made.1.parallel));
        }
        match mirrored(n, entries).map_err(|error| self.no_graph(error))? {
            Mirrored::Graph(graph, duplicates) => Ok((graph, duplicates)),
            Mirrored::Differ(lower, upper) => Err(self.not_symmetric(&lower, &upper)),
        }
    }

    #[cold]
    fn not_symmetric(&self, lower: &Graph, upper: &Graph) -> IoError {
        let sums = |i: u32, j: u32| match (self.cover(), both(lower, upper, i, j)) {
            // Of the double cover, the edge of a positive entry.
            (Some(rows), (None, None)) => {
                let (own, other) = if i > j { (lower, upper) } else { (upper, lower) };
                (own.weight(i, j + rows), other.weight(i, j + rows))
            }
            (_, found) => found,
        };
        let offends = |&(_, (i, j, _)): &(usize, (u32, u32, f64))| {
            let (own, other) = sums(i, j);
            i != j && own != other
        };
        let Some((at, (i, j, w))) = self.again().find(offends) else {
            return self.source.on_line(self.header.line, "a symmetric matrix", "another");
        };
        let (row, column) = (i + 1, j + 1);
        let found = match sums(i, j) {
            (Some(own), Some(other)) => {
                let sign = w.signum();
                format!("{} at ({row}, {column}) and {} there", own * sign, other * sign)
            }
            _ => format!("({row}, {column}) without it"),
        };
        self.wrong(at, format!("a symmetric matrix, the same number at ({column}, {row})"), found)
    }

    #[cold]
    fn no_graph(&self, error: GraphError) -> IoError {
        let place = match error {
            GraphError::Sum { a, b } => self
                .again()
                .find(|&(_, (i, j, _))| (i.min(j), i.max(j)) == (a.min(b), a.max(b)))
                .map(|(at, _)| at),
            _ => None,
        };
        match place {
            Some(at) => self.wrong(at, "entries with a finite sum", "an infinite one"),
            None => self.source.on_line(self.header.line, "a graph", error.to_string()),
        }
    }

    /// A Laplacian whose row (from 0) has too small a diagonal.
    #[cold]
    fn unbalanced(&self, row: u32) -> IoError {
        let on_diagonal = self.again().find(|&(_, (i, j, _))| (i, j) == (row, row));
        let expected = "a diagonal entry of at least the sum of the others in its row";
        let (at, found) = match on_diagonal {
            Some((at, _)) => (at, format!("row {}, which is not diagonally dominant", row + 1)),
            None => {
                let any = self.again().find(|&(_, (i, j, _))| i == row || j == row);
                (any.map_or(0, |(at, _)| at), format!("row {} without a diagonal entry", row + 1))
            }
        };
        self.wrong(at, expected, found)
    }

    fn text_at(&self, at: usize) -> &str {
        self.source.text[at..].lines().next().unwrap_or("").trim()
    }

    fn wrong(&self, at: usize, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        self.source.on_line(line_at(self.source.bytes(), at), expected, found)
    }

    /// Says what is wrong with the line at `at`, where `line` stopped.
    #[cold]
    fn wrong_line(&self, at: usize) -> IoError {
        let (text, n, field) = (self.text_at(at), self.header.size, self.header.field);
        let shape = if field == Field::Pattern { "`row column`" } else { "`row column value`" };
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let width = if field == Field::Pattern { 2 } else { 3 };
        for (word, what) in words.iter().zip(["row", "column"]) {
            if unsigned(word).is_none_or(|i| i == 0 || i > n as u64) {
                return self.wrong(at, format!("a {what} from 1 to {n}"), shown(word));
            }
        }
        if words.len() == width
            && width == 3
            && float(words[2].as_bytes()).is_none_or(|value| !field.holds(value))
        {
            return self.wrong(at, field.expected(), shown(words[2]));
        }
        self.wrong(at, shape, shown(text))
    }
}
