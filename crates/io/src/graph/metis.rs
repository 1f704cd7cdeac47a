//! METIS graphs: a line of neighbours a vertex.
//!
//! **Problem.** A header `n m [fmt [ncon]]`, then for each vertex a line
//! `[size] [weights] neighbour [weight] neighbour [weight] …`, to a graph. Sizes of
//! vertices are skipped; lines that start with `%` are comments; an empty line is a vertex without neighbours. Weights of vertices are
//! integers; those of edges are positive, as a rule integers. Each edge is listed at both
//! its ends, with the same weight.
//! **Method.** The text is cut at line ends into pieces; the lines of each are counted,
//! which gives each piece its first vertex; then pieces are parsed in parallel.
//! **Cost.** Linear but for the sorting of rows in [`palmette_core::Graph`]; 56
//! bytes per edge beside the text where neighbours ascend, else 64.
//! **Determinism.** The pieces do not depend on the number of threads.
//! **Reference.** Karypis, *METIS 5.1.0 manual*, section 4.1.1, 2013.

use super::entries::{Entries, Mirrored, both, mirrored};
use super::format::is_weights;
use super::{GraphCounts, GraphFile, GraphForm, GraphFormat, blanks};
use crate::IoError;
use crate::error::shown;
use crate::fast::line_pieces;
use crate::number::{float_prefix, unsigned, unsigned_prefix};
use crate::source::{Source, line_at};
use memchr::{memchr, memchr_iter};
use palmette_core::{Graph, GraphError, MAX_VERTICES};
use rayon::prelude::*;

#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub(crate) vertices: usize,
    edges: u64,
    /// Numbers before the first neighbour: sizes, then weights.
    sizes: usize,
    pub(crate) constraints: usize,
    weighted: bool,
    /// Where it stands, and where the lists begin.
    pub(crate) line: u64,
    pub(crate) body: usize,
}

impl Header {
    /// How many numbers come before the first neighbour.
    fn before(&self) -> usize {
        self.sizes.saturating_add(self.constraints)
    }
}

pub(crate) fn read(source: &Source<'_>) -> Result<GraphFile, IoError> {
    let lists = NeighbourLists { source, header: header(source)?, first: 0 };
    let (mut entries, weights) = lists.entries()?;
    let constraints = lists.header.constraints;
    let found = GraphCounts { constraints, ..entries.counts() };
    lists.check_count(&found)?;
    let n = lists.header.vertices;
    let made = mirrored(n, &mut entries).map_err(|error| lists.no_graph(error))?;
    let (graph, duplicates) = match made {
        Mirrored::Graph(graph, duplicates) => (graph, duplicates),
        Mirrored::Differ(lower, upper) => return Err(lists.one_sided(&lower, &upper)),
    };
    let found = GraphCounts { duplicates, ..found };
    let of_kind = |kind: usize| -> Vec<u64> {
        weights.iter().skip(kind).step_by(constraints.max(1)).copied().collect()
    };
    let vertex_weights = (constraints > 0).then(|| of_kind(0));
    // Without vertices nothing says that there are so many.
    let kinds = if n == 0 { 0 } else { constraints };
    let further_weights = (1..kinds).map(of_kind).collect();
    let (format, form) = (GraphFormat::Metis, GraphForm::Adjacency);
    let file = GraphFile::new(source.name, format, graph, form, found);
    Ok(GraphFile { vertex_weights, further_weights, ..file })
}

pub(crate) fn header(source: &Source<'_>) -> Result<Header, IoError> {
    let (mut at, mut line) = (0, 0);
    for whole in source.text.split_inclusive('\n') {
        (at, line) = (at + whole.len(), line + 1);
        let text = whole.trim();
        if text.is_empty() || text.starts_with('%') {
            continue;
        }
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let numbers: Option<Vec<u64>> = words.iter().map(|word| unsigned(word)).collect();
        let Some(numbers) = numbers.filter(|n| (2..=4).contains(&n.len())) else {
            let expected = "the header `vertices edges [format [constraints]]`";
            return Err(source.on_line(line, expected, shown(text)));
        };
        let format = words.get(2).copied().unwrap_or("0");
        if !is_weights(format) {
            return Err(source.on_line(line, "a format of three digits 0 or 1", shown(format)));
        }
        let has = |place: usize| format.as_bytes().iter().rev().nth(place) == Some(&b'1');
        let most = MAX_VERTICES as u64;
        if numbers[0] > most {
            let expected = format!("at most {most} vertices");
            return Err(source.on_line(line, expected, numbers[0].to_string()));
        }
        let constraints = numbers.get(3).map_or(1, |&n| usize::try_from(n).unwrap_or(usize::MAX));
        return Ok(Header {
            vertices: numbers[0] as usize,
            edges: numbers[1],
            sizes: usize::from(has(2)),
            constraints: if has(1) { constraints } else { 0 },
            weighted: has(0),
            line,
            body: at,
        });
    }
    let found = if line == 0 { "an empty file" } else { "the end of the file" };
    Err(source.on_line(line.max(1), "the header `vertices edges [format [constraints]]`", found))
}

struct NeighbourLists<'a> {
    source: &'a Source<'a>,
    header: Header,
    /// The vertex of the first list.
    first: usize,
}

/// The lists of consecutive vertices.
#[cfg(unix)]
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ListedRows {
    /// By vertex: where its neighbours begin; one more for the end.
    pub(crate) offsets: Vec<usize>,
    pub(crate) neighbours: Vec<u32>,
    /// By neighbour; none if the file has none.
    pub(crate) edge_weights: Vec<f64>,
    /// By vertex its first weight; none if the file has none.
    pub(crate) weights: Vec<u64>,
}

/// The lists of a slice of a file, whose first one is that of vertex `first`. Lines of messages
/// count from the first of the slice.
#[cfg(unix)]
pub(crate) fn rows_of_slice(
    source: &Source<'_>,
    header: &Header,
    first: usize,
) -> Result<ListedRows, IoError> {
    let header = Header { body: 0, ..header.clone() };
    let end = source.bytes().len();
    let vertices = vertices_in(source.bytes()).min(header.vertices.saturating_sub(first));
    let weighted = header.weighted;
    let lists = NeighbourLists { source, header, first };
    let mut rows = ListedRows { offsets: vec![0; vertices + 1], ..ListedRows::default() };
    let found = lists.piece(0, end, first, |_, v, found| match found {
        Found::Weight(weight) => rows.weights.push(weight),
        Found::Neighbour(u, w) => {
            rows.offsets[v as usize - first + 1] += 1;
            rows.neighbours.push(u);
            if weighted {
                rows.edge_weights.push(w);
            }
        }
    });
    found.map_err(|(start, at)| lists.wrong_word(start, at))?;
    let mut sum = 0;
    for end in &mut rows.offsets {
        sum += *end;
        *end = sum;
    }
    Ok(rows)
}

impl Header {
    /// Checks how many neighbours all lists have, and loops among them.
    pub(crate) fn check_edges(&self, name: &str, listed: u64, loops: u64) -> Result<(), IoError> {
        let stated = self.edges;
        let listed = listed - loops;
        // Some writers count a loop as an edge.
        if listed == stated.saturating_mul(2)
            || listed == stated.saturating_sub(loops).saturating_mul(2) && stated >= loops
        {
            return Ok(());
        }
        let expected = format!("the number of edges, half of the {listed} neighbours listed");
        Err(IoError::on_line(name, self.line, expected, stated.to_string()))
    }
}

/// What a list has.
enum Found {
    /// A weight of the vertex.
    Weight(u64),
    /// A neighbour, and the weight of the edge.
    Neighbour(u32, f64),
}

impl NeighbourLists<'_> {
    /// All edges, and the weights of each vertex, one after another.
    fn entries(&self) -> Result<(Entries, Vec<u64>), IoError> {
        let (data, n) = (self.source.bytes(), self.header.vertices);
        let body = &data[self.header.body..];
        let pieces = line_pieces(body);
        let heights: Vec<usize> =
            pieces.par_iter().map(|range| vertices_in(&body[range.clone()])).collect();
        let mut first = 0;
        let jobs: Vec<_> = pieces
            .into_iter()
            .zip(heights)
            .map(|(range, height)| {
                first += height;
                (self.header.body + range.start, self.header.body + range.end, first - height)
            })
            .collect();
        let parsed: Vec<_> = jobs
            .into_par_iter()
            .map(|(at, end, first)| {
                let (mut entries, mut weights) = (Entries::default(), Vec::new());
                self.piece(at, end, first, |at, v, found| match found {
                    Found::Weight(weight) => weights.push(weight),
                    Found::Neighbour(u, w) => entries.push(at, (v, u, w), false),
                })?;
                Ok((entries, weights))
            })
            .collect();
        let parsed: Result<Vec<_>, (usize, usize)> = parsed.into_iter().collect();
        let parsed = parsed.map_err(|(start, at)| self.wrong_word(start, at))?;
        let (parsed, weights): (Vec<Entries>, Vec<Vec<u64>>) = parsed.into_iter().unzip();
        // Whether there are too many lines was seen while parsing them.
        if first < n {
            let last = line_at(data, data.len().saturating_sub(1));
            let expected = format!("a line for each of {n} vertices");
            return Err(self.source.on_line(last, expected, format!("the end after {first}")));
        }
        Ok((Entries::join(parsed), weights.concat()))
    }

    /// Takes the lists between two places, the first of which is that of vertex `v`. An
    /// error is the start of a line and where in it the parser stopped.
    fn piece(
        &self,
        mut at: usize,
        end: usize,
        mut v: usize,
        mut take: impl FnMut(usize, u32, Found),
    ) -> Result<(), (usize, usize)> {
        let data = self.source.bytes();
        while at < end {
            let start = at;
            at = blanks(data, at);
            if data.get(at) == Some(&b'%') {
                at = memchr(b'\n', &data[at..]).map_or(data.len(), |end| at + end + 1);
                continue;
            }
            if v >= self.header.vertices {
                // Empty lines may follow the last vertex.
                if !is_end(data, at) {
                    return Err((start, at));
                }
                at += usize::from(data.get(at) == Some(&b'\r')) + 1;
                continue;
            }
            for i in 0..self.header.before() {
                let (number, length) = unsigned_prefix(&data[at..]).ok_or((start, at))?;
                at = after(data, at + length).ok_or((start, at))?;
                if i >= self.header.sizes {
                    take(start, v as u32, Found::Weight(number));
                }
            }
            while !is_end(data, at) {
                let place = at;
                let neighbour = unsigned_prefix(&data[at..])
                    .filter(|&(u, _)| u >= 1 && u <= self.header.vertices as u64);
                let (u, length) = neighbour.ok_or((start, at))?;
                at = after(data, at + length).ok_or((start, place))?;
                let mut w = 1.0;
                if self.header.weighted {
                    let weight =
                        float_prefix(&data[at..]).filter(|(w, _)| w.is_normal() && *w > 0.0);
                    let (value, length) = weight.ok_or((start, at))?;
                    at = after(data, at + length).ok_or((start, at))?;
                    w = value;
                }
                take(start, v as u32, Found::Neighbour((u - 1) as u32, w));
            }
            at += usize::from(data.get(at) == Some(&b'\r')) + 1;
            v += 1;
        }
        Ok(())
    }

    fn check_count(&self, found: &GraphCounts) -> Result<(), IoError> {
        let (listed, loops) = (found.entries as u64, found.diagonal as u64);
        self.header.check_edges(self.source.name, listed, loops)
    }

    /// The first entry of which something holds, and the start of its line.
    fn find(&self, holds: impl Fn(u32, u32) -> bool) -> Option<(usize, u32, u32)> {
        let mut first = None;
        let end = self.source.text.len();
        let all = self.piece(self.header.body, end, 0, |at, v, found| {
            if let Found::Neighbour(u, _) = found
                && first.is_none()
                && holds(v, u)
            {
                first = Some((at, v, u));
            }
        });
        all.ok().and(first)
    }

    #[cold]
    fn no_graph(&self, error: GraphError) -> IoError {
        if let GraphError::Sum { a, b } = error
            && let Some((at, v, u)) = self.find(|v, u| (v.min(u), v.max(u)) == (a.min(b), a.max(b)))
        {
            let found = format!("an infinite one between {} and {}", v + 1, u + 1);
            return self.wrong(at, "weights with a finite sum", found);
        }
        self.source.on_line(self.header.line, "a graph", error.to_string())
    }

    #[cold]
    fn one_sided(&self, lower: &Graph, upper: &Graph) -> IoError {
        let sums = |v: u32, u: u32| both(lower, upper, v, u);
        let offends = |v: u32, u: u32| v != u && sums(v, u).0 != sums(v, u).1;
        let expected = "each edge at both its ends with the same weight";
        let Some((at, v, u)) = self.find(offends) else {
            return self.source.on_line(self.header.line, expected, "others");
        };
        let found = match sums(v, u) {
            (Some(own), Some(other)) => {
                format!("weight {own} at {} and {other} at {}", v + 1, u + 1)
            }
            _ => format!("{} as a neighbour of {}, but not the reverse", u + 1, v + 1),
        };
        self.wrong(at, expected, found)
    }

    fn wrong(&self, at: usize, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        self.source.on_line(line_at(self.source.bytes(), at), expected, found)
    }

    /// Says what is wrong at `at` in the line that starts at `start`.
    #[cold]
    fn wrong_word(&self, start: usize, at: usize) -> IoError {
        let Header { vertices: n, weighted, .. } = self.header;
        let skipped = self.header.before();
        let line = self.source.text[start..].lines().next().unwrap_or("");
        let comments = |text: &&str| !text.trim_start().starts_with('%');
        let before = self.source.text[self.header.body..start].lines().filter(comments).count();
        let before = before + self.first;
        if before >= n {
            return self.wrong(start, format!("the end after {n} vertices"), shown(line.trim()));
        }
        let (before_it, rest) = line.split_at(at - start);
        let word = rest.split_ascii_whitespace().next();
        let found = word.map_or("the end of the line".to_string(), shown);
        let place = before_it.split_ascii_whitespace().count();
        let expected = if place < skipped {
            format!("{skipped} integer(s) of vertex {} before its neighbours", before + 1)
        } else if weighted && (place - skipped) % 2 == 1 {
            "a positive, finite weight".to_string()
        } else {
            format!("a neighbour from 1 to {n}")
        };
        self.wrong(at, expected, found)
    }
}

/// The number of vertices that a piece of the text has lines for.
pub(crate) fn vertices_in(piece: &[u8]) -> usize {
    let unfinished = usize::from(piece.last().is_some_and(|&b| b != b'\n'));
    let lines = memchr_iter(b'\n', piece).count() + unfinished;
    if memchr(b'%', piece).is_none() {
        return lines;
    }
    let comment = |line: &&[u8]| line.trim_ascii_start().first() == Some(&b'%');
    lines - piece.split(|&b| b == b'\n').filter(comment).count()
}

/// Whether a line ends at `at`.
#[inline]
fn is_end(data: &[u8], at: usize) -> bool {
    match data.get(at) {
        None | Some(b'\n') => true,
        Some(b'\r') => matches!(data.get(at + 1), None | Some(b'\n')),
        _ => false,
    }
}

/// The next word after a number that ends at `at`; nothing if it does not end there.
#[inline]
fn after(data: &[u8], at: usize) -> Option<usize> {
    let next = blanks(data, at);
    (next > at || is_end(data, at)).then_some(next)
}
