//! From the entries of a symmetric matrix to its graph.
//!
//! **Problem.** Entries `(i, j, w)` in any order, of both triangles or of one, to a
//! graph; where both are there, each must be the other's mirror image, bit for bit.
//! **Method.** Readers sort entries into triangles as they come. The lower triangle
//! makes the graph. An upper triangle whose columns come in ascending order (as all
//! files sorted by rows or columns have them) is compared entry by entry along the
//! rows of the graph; any other makes a second graph, and the two are compared.
//! **Cost.** 16 bytes per entry, the graph, and for the second graph 24 bytes per edge.

use super::GraphCounts;
use palmette_core::{Graph, GraphError};

/// Entries of a matrix, or of a piece of it.
#[derive(Default)]
pub(crate) struct Entries {
    /// Larger index, smaller index, absolute value; also of the upper triangle.
    pub(crate) lower: Vec<(u32, u32, f64)>,
    pub(crate) upper: Vec<(u32, u32, f64)>,
    pub(crate) diagonal: Vec<(u32, f64)>,
    pub(crate) count: usize,
    pub(crate) zeros: usize,
    /// The place of the first entry off the diagonal with this sign.
    pub(crate) positive: Option<usize>,
    pub(crate) negative: Option<usize>,
    /// The rows of a matrix whose double cover is wanted: row `i` and a second vertex `i + rows`,
    /// joined to those of their own kind by negative entries, to those of the other by positive ones.
    pub(crate) cover: Option<u32>,
}

impl Entries {
    /// Takes the entry that stands at byte `at`; `one_triangle` takes `(j, i)` for
    /// `(i, j)`.
    #[inline]
    pub(crate) fn push(&mut self, at: usize, (i, j, w): (u32, u32, f64), one_triangle: bool) {
        self.count += 1;
        if w == 0.0 {
            self.zeros += 1;
        } else if i == j {
            self.diagonal.push((i, w));
            self.diagonal.extend(self.cover.map(|rows| (i + rows, w)));
        } else {
            let first = if w > 0.0 { &mut self.positive } else { &mut self.negative };
            first.get_or_insert(at);
            let (large, small) = (i.max(j), i.min(j));
            let list = if i > j || one_triangle { &mut self.lower } else { &mut self.upper };
            match self.cover {
                None => list.push((large, small, w.abs())),
                Some(n) if w < 0.0 => list.extend([(large, small, -w), (large + n, small + n, -w)]),
                Some(n) => list.extend([(large + n, small, w), (small + n, large, w)]),
            }
        }
    }

    /// How many there are of each sort.
    pub(crate) fn counts(&self) -> GraphCounts {
        let sheets = if self.cover.is_some() { 2 } else { 1 };
        let (entries, diagonal, zeros) = (self.count, self.diagonal.len() / sheets, self.zeros);
        GraphCounts { entries, diagonal, zeros, ..GraphCounts::default() }
    }

    /// The entries of all pieces; a piece is freed when it is taken over.
    pub(crate) fn join(pieces: Vec<Entries>) -> Entries {
        let cover = pieces.first().and_then(|piece| piece.cover);
        let mut all = Entries { cover, ..Entries::default() };
        all.lower.reserve_exact(pieces.iter().map(|p| p.lower.len()).sum());
        all.upper.reserve_exact(pieces.iter().map(|p| p.upper.len()).sum());
        for piece in pieces {
            all.lower.extend_from_slice(&piece.lower);
            all.upper.extend_from_slice(&piece.upper);
            all.diagonal.extend_from_slice(&piece.diagonal);
            all.count += piece.count;
            all.zeros += piece.zeros;
            all.positive = all.positive.or(piece.positive);
            all.negative = all.negative.or(piece.negative);
        }
        all
    }
}

/// What a triangle and the other say of an entry.
pub(crate) fn both(lower: &Graph, upper: &Graph, i: u32, j: u32) -> (Option<f64>, Option<f64>) {
    let (own, other) = if i > j { (lower, upper) } else { (upper, lower) };
    (own.weight(i, j), other.weight(i, j))
}

/// What two triangles make.
pub(crate) enum Mirrored {
    /// A graph, and how many entries were added to another one.
    Graph(Graph, usize),
    /// Two graphs, of the lower and of the upper triangle.
    Differ(Graph, Graph),
}

/// The graph of two triangles; leaves both empty.
pub(crate) fn mirrored(n: usize, entries: &mut Entries) -> Result<Mirrored, GraphError> {
    let lower = std::mem::take(&mut entries.lower);
    let upper = std::mem::take(&mut entries.upper);
    let (graph, simplified) = Graph::simplify(n, &lower)?;
    drop(lower);
    if is_mirror(&graph, &upper) {
        return Ok(Mirrored::Graph(graph, simplified.parallel));
    }
    let (other, too) = Graph::simplify(n, &upper)?;
    if graph == other {
        return Ok(Mirrored::Graph(graph, simplified.parallel + too.parallel));
    }
    Ok(Mirrored::Differ(graph, other))
}

/// Whether each upper entry, in its order, is the next of its column in the graph.
fn is_mirror(graph: &Graph, upper: &[(u32, u32, f64)]) -> bool {
    if upper.len() != graph.edge_count() {
        return false;
    }
    let (neighbours, weights) = (graph.all_neighbours(), graph.all_weights());
    let mut next = graph.offsets().to_vec();
    upper.iter().all(|&(j, i, w)| {
        let at = next[j as usize];
        next[j as usize] += 1;
        at < graph.offsets()[j as usize + 1] && neighbours[at] == i && weights[at] == w
    })
}
