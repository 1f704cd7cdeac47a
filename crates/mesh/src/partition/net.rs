//! The graph as a partitioner sees it: compact rows with whole weights, and where its
//! vertices lie.
//!
//! **Form.** 8 bytes per entry (neighbour, weight), two entries per edge; 16 bytes per vertex
//! and 24 more for its point; 4 more where vertices are fixed, and 8 for each further weight.

use palmette_core::mesh::Point;
use palmette_core::{Graph, NONE};
use rayon::prelude::*;

/// All weights of edges add up to less than this, so that sums fit everywhere.
const WEIGHT_LIMIT: f64 = (1u64 << 31) as f64;

#[derive(Debug, Clone, Default)]
pub(crate) struct Net {
    /// By vertex: where its neighbours begin; one more for the end.
    pub(crate) offsets: Vec<usize>,
    /// Neighbour and weight.
    pub(crate) entries: Vec<(u32, u32)>,
    /// By vertex: its weight, at least 0.
    pub(crate) weights: Vec<i64>,
    /// By vertex: its point; empty when unknown.
    pub(crate) points: Vec<Point>,
    /// By vertex: the part that it is fixed in, or `NONE`; empty where none is.
    pub(crate) fixed: Vec<u32>,
    /// Further weights, those of a vertex one after another; empty where there is one weight.
    pub(crate) more: Vec<i64>,
}

impl Net {
    /// Weights of edges are kept when they are whole numbers with a sum below 2^31; others
    /// are scaled to that, and none becomes 0.
    pub(crate) fn new(graph: &Graph, points: &[Point], weights: Option<&[u32]>) -> Net {
        let all = graph.all_weights();
        let scale = Scale::of(all);
        let entries = graph.all_neighbours().par_iter().zip(all);
        let entries = entries.map(|(&w, &weight)| (w, scale.whole(weight))).collect();
        let weights = whole_weights(graph.len(), weights);
        let (offsets, points) = (graph.offsets().to_vec(), points.to_vec());
        Net { offsets, entries, weights, points, ..Net::default() }
    }

    /// Vertices alone.
    pub(crate) fn without_edges(vertices: usize, weights: Option<&[u32]>) -> Net {
        Net { weights: whole_weights(vertices, weights), ..Net::default() }
    }

    /// Whether a vertex stays in its part.
    #[inline]
    pub(crate) fn is_fixed(&self, v: u32) -> bool {
        self.fixed.get(v as usize).is_some_and(|&p| p != NONE)
    }

    /// How many further weights a vertex has.
    pub(crate) fn kinds(&self) -> usize {
        self.more.len().checked_div(self.len()).unwrap_or(0)
    }

    /// The further weights of a vertex.
    pub(crate) fn further(&self, v: u32) -> &[i64] {
        let kinds = self.kinds();
        &self.more[v as usize * kinds..][..kinds]
    }

    /// By kind, the sum of further weights.
    pub(crate) fn further_totals(&self) -> Vec<i64> {
        let kinds = self.kinds();
        let mut totals = vec![0; kinds];
        for of_vertex in self.more.chunks_exact(kinds.max(1)) {
            totals.iter_mut().zip(of_vertex).for_each(|(total, weight)| *total += weight);
        }
        totals
    }

    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    #[inline]
    pub(crate) fn row(&self, v: u32) -> &[(u32, u32)] {
        &self.entries[self.offsets[v as usize]..self.offsets[v as usize + 1]]
    }

    pub(crate) fn weight(&self) -> i64 {
        self.weights.iter().sum()
    }

    /// The weight of all edges between different parts.
    pub(crate) fn cut(&self, part: &[u32]) -> u64 {
        let twice: u64 = (0..self.len() as u32)
            .into_par_iter()
            .with_min_len(1 << 12)
            .map(|v| {
                let own = part[v as usize];
                let cut = self.row(v).iter().filter(|&&(w, _)| part[w as usize] != own);
                cut.map(|&(_, weight)| u64::from(weight)).sum::<u64>()
            })
            .sum();
        twice / 2
    }

    /// The same graph with other numbers: vertex `i` is `order[i]` of this one.
    pub(crate) fn reordered(&self, order: &[u32]) -> Net {
        let mut place = vec![0; self.len()];
        order.iter().enumerate().for_each(|(i, &v)| place[v as usize] = i as u32);
        self.induced(order, &place)
    }

    /// The graph on some vertices. `place` says where each of them is in `vertices`; for all
    /// others it names a place where another vertex is.
    pub(crate) fn induced(&self, vertices: &[u32], place: &[u32]) -> Net {
        let chosen = |w: u32| {
            let i = place[w as usize];
            (vertices.get(i as usize) == Some(&w)).then_some(i)
        };
        let (offsets, entries) = rows(vertices, |v, row| {
            row.extend(self.row(v).iter().filter_map(|&(w, weight)| Some((chosen(w)?, weight))));
        });
        let of = |v: &u32| *v as usize;
        let points = if self.points.is_empty() {
            Vec::new()
        } else {
            vertices.par_iter().map(|v| self.points[of(v)]).collect()
        };
        let weights = vertices.par_iter().map(|v| self.weights[of(v)]).collect();
        let fixed = if self.fixed.is_empty() {
            Vec::new()
        } else {
            vertices.iter().map(|v| self.fixed[of(v)]).collect()
        };
        let more = if self.more.is_empty() {
            Vec::new()
        } else {
            vertices.iter().flat_map(|&v| self.further(v)).copied().collect()
        };
        Net { offsets, entries, weights, points, fixed, more }
    }
}

fn whole_weights(vertices: usize, weights: Option<&[u32]>) -> Vec<i64> {
    match weights {
        Some(weights) => weights.iter().map(|&w| i64::from(w)).collect(),
        None => vec![1; vertices],
    }
}

/// How weights of edges become whole numbers whose sum fits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    first: f64,
    then: f64,
}

impl Scale {
    /// Whole numbers with a sum below 2^31 are kept.
    pub(super) fn of(weights: &[f64]) -> Scale {
        // Chunks are added in order, so that threads do not show in the sum.
        let sums: Vec<f64> = weights.par_chunks(1 << 16).map(|c| c.iter().sum()).collect();
        let sum: f64 = sums.iter().sum();
        let whole = weights.par_iter().all(|w| w.fract() == 0.0);
        if whole && sum < WEIGHT_LIMIT {
            return Scale { first: 1.0, then: 1.0 };
        }
        // The sum of weights that are each finite need not be.
        let first = if sum.is_finite() { 1.0 } else { 1.0 / weights.len() as f64 };
        let sum: f64 = if sum.is_finite() { sum } else { weights.iter().map(|w| w * first).sum() };
        Scale { first, then: WEIGHT_LIMIT / 2.0 / sum }
    }

    /// None becomes 0.
    #[inline]
    pub(super) fn whole(self, weight: f64) -> u32 {
        (weight * self.first * self.then).ceil() as u32
    }
}

/// Vertices whose rows are made in one go.
const PIECE: usize = 1 << 13;

/// Offsets and entries of rows that are made vertex by vertex, on all threads.
pub(super) fn rows(
    vertices: &[u32],
    fill: impl Fn(u32, &mut Vec<(u32, u32)>) + Sync,
) -> (Vec<usize>, Vec<(u32, u32)>) {
    struct Piece {
        ends: Vec<u32>,
        entries: Vec<(u32, u32)>,
    }
    let make = |vertices: &[u32]| {
        let mut piece = Piece { ends: Vec::with_capacity(vertices.len()), entries: Vec::new() };
        let mut row = Vec::new();
        for &v in vertices {
            row.clear();
            fill(v, &mut row);
            piece.entries.extend_from_slice(&row);
            piece.ends.push(piece.entries.len() as u32);
        }
        piece
    };
    let pieces: Vec<Piece> = vertices.par_chunks(PIECE).map(make).collect();
    let mut offsets = Vec::with_capacity(vertices.len() + 1);
    offsets.push(0);
    let mut entries = Vec::with_capacity(pieces.iter().map(|p| p.entries.len()).sum());
    for piece in pieces {
        offsets.extend(piece.ends.iter().map(|&end| entries.len() + end as usize));
        entries.extend_from_slice(&piece.entries);
    }
    (offsets, entries)
}
