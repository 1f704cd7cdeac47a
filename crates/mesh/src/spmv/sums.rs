//! Sums over all unknowns of all parts.
//!
//! **Determinism.** A piece is cut into blocks of [`BLOCK`] unknowns. A block is added up in
//! eight lanes, unknown `i` in lane `i mod 8`; lanes are added in their order, then what is
//! left of the block, then blocks in their order, then parts in theirs. The same bits on any
//! number of threads and ranks.

use super::blocks::{Block, cut};
use super::transport::parts_of_rank;
use super::{Full, Partial, Piece, State, Transport, TransportError, Vector, World, WorldError};
use rayon::prelude::*;

/// Unknowns that are added up at once.
const BLOCK: usize = 1 << 12;

const LANES: usize = 8;

/// The most sums in one reduction.
const MOST: usize = 4;

/// The first vector of a dot: of any state.
#[derive(Debug, Clone, Copy)]
pub enum Left<'a> {
    /// Owned copies count.
    Full(&'a Vector<Full>),
    /// All copies count.
    Partial(&'a Vector<Partial>),
}

impl<'a> From<&'a Vector<Full>> for Left<'a> {
    fn from(vector: &'a Vector<Full>) -> Left<'a> {
        Left::Full(vector)
    }
}

impl<'a> From<&'a Vector<Partial>> for Left<'a> {
    fn from(vector: &'a Vector<Partial>) -> Left<'a> {
        Left::Partial(vector)
    }
}

impl Left<'_> {
    fn values(&self) -> (&[f64], bool) {
        match self {
            Left::Full(vector) => (&vector.values, Full::WHOLE),
            Left::Partial(vector) => (&vector.values, Partial::WHOLE),
        }
    }
}

/// Room for sums, and which copies count.
pub(super) struct Sums {
    pub(super) blocks: Vec<Block>,
    /// By block: its sums.
    found: Vec<[f64; MOST]>,
    /// By piece, its blocks in all blocks: where they begin; one more for the end.
    pub(super) first: Vec<usize>,
    /// By unknown of shared nodes, piece after piece: 1 for owned copies, 0 for others.
    weights: Vec<f64>,
    /// By piece: where its weights begin; one more for the end.
    weights_of: Vec<usize>,
    own: Vec<f64>,
    all: Vec<f64>,
    /// By rank: its parts.
    counts: Vec<usize>,
    /// The same times the number of sums.
    words: Vec<usize>,
}

impl Sums {
    pub(super) fn new(
        pieces: &[Piece],
        starts: &[usize],
        components: usize,
        ranks: usize,
        parts: usize,
    ) -> Sums {
        let (mut blocks, mut first) = (Vec::new(), vec![0]);
        let (mut weights, mut weights_of) = (Vec::new(), vec![0]);
        for (i, piece) in pieces.iter().enumerate() {
            cut(i, starts[i], 0..components * piece.nodes.len(), BLOCK, |row| row, &mut blocks);
            first.push(blocks.len());
            let of = |&owned: &bool| std::iter::repeat_n(f64::from(u8::from(owned)), components);
            weights.extend(piece.owned.iter().flat_map(of));
            weights_of.push(weights.len());
        }
        let counts: Vec<usize> =
            (0..ranks).map(|rank| parts_of_rank(rank, ranks, parts).len()).collect();
        Sums {
            found: vec![[0.0; MOST]; blocks.len()],
            blocks,
            first,
            weights,
            weights_of,
            own: Vec::with_capacity(MOST * pieces.len()),
            all: Vec::with_capacity(MOST * parts),
            words: counts.clone(),
            counts,
        }
    }

    /// How many pieces there are.
    pub(super) fn pieces(&self) -> usize {
        self.first.len() - 1
    }

    /// Some numbers of each piece of this process; those of all parts, in their order.
    pub(super) fn gathered(
        &self,
        own: &[f64],
        each: usize,
        transport: &mut impl Transport,
    ) -> Result<Vec<f64>, TransportError> {
        let words: Vec<usize> = self.counts.iter().map(|parts| each * parts).collect();
        let mut all = vec![0.0; words.iter().sum()];
        transport.gather(own, &words, &mut all)?;
        Ok(all)
    }

    /// Weights of the unknowns of a block that are of shared nodes.
    pub(super) fn weights(&self, block: &Block) -> &[f64] {
        let of = &self.weights[self.weights_of[block.piece]..self.weights_of[block.piece + 1]];
        &of[block.rows.start.min(of.len())..block.rows.end.min(of.len())]
    }

    /// Adds up numbers of pieces, in the order of parts on every rank.
    pub(super) fn over_parts<const K: usize>(
        &mut self,
        pieces: &[[f64; K]],
        transport: &mut impl Transport,
    ) -> Result<[f64; K], TransportError> {
        self.own.clear();
        self.own.extend(pieces.iter().flatten());
        self.reduce(transport)
    }

    fn reduce<const K: usize>(
        &mut self,
        transport: &mut impl Transport,
    ) -> Result<[f64; K], TransportError> {
        let parts: usize = self.counts.iter().sum();
        self.all.resize(K * parts, 0.0);
        self.words.iter_mut().zip(&self.counts).for_each(|(words, parts)| *words = K * parts);
        transport.gather(&self.own, &self.words, &mut self.all)?;
        let mut sums = [0.0; K];
        for part in self.all.chunks_exact(K) {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        Ok(sums)
    }

    fn dots<const K: usize>(
        &mut self,
        pairs: [(Left<'_>, &Vector<Full>); K],
        transport: &mut impl Transport,
    ) -> Result<[f64; K], TransportError> {
        let mut found = std::mem::take(&mut self.found);
        found.par_iter_mut().zip(&self.blocks).with_min_len(4).for_each(|(found, block)| {
            let range = block.start..block.start + block.rows.len();
            for (found, (left, right)) in found.iter_mut().zip(&pairs) {
                let (left, whole) = left.values();
                let (a, b) = (&left[range.clone()], &right.values[range.clone()]);
                let weights = if whole { self.weights(block) } else { &[] };
                *found = if weights.is_empty() { dot(a, b) } else { weighted(a, b, weights) };
            }
        });
        self.own.clear();
        for blocks in self.first.windows(2) {
            for k in 0..K {
                self.own.push(found[blocks[0]..blocks[1]].iter().map(|sums| sums[k]).sum());
            }
        }
        self.found = found;
        self.reduce(transport)
    }
}

/// Adds up terms: term `i` in lane `i mod 8`, then lanes, then what is left.
#[inline]
pub(super) fn in_lanes(len: usize, term: impl Fn(usize) -> f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let whole = len / LANES * LANES;
    for first in (0..whole).step_by(LANES) {
        for (k, lane) in lanes.iter_mut().enumerate() {
            *lane += term(first + k);
        }
    }
    (whole..len).fold(lanes.iter().sum(), |sum, i| sum + term(i))
}

/// `a · b`, in lanes.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut lanes = [0.0; LANES];
    for (a, b) in a.0.iter().zip(b.0) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    let sum: f64 = lanes.iter().sum();
    a.1.iter().zip(b.1).fold(sum, |sum, (a, b)| sum + a * b)
}

/// `Σ a b w`, in the same lanes; weights are 1 where there are none.
fn weighted(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    in_lanes(a.len(), |i| a[i] * b[i] * weights.get(i).copied().unwrap_or(1.0))
}

impl<T: Transport> World<T> {
    /// The product `a · b` over all nodes, each counted once. One reduction.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When a vector is not of this world.
    pub fn dot<'a, S: State>(
        &mut self,
        a: &'a Vector<S>,
        b: &'a Vector<Full>,
    ) -> Result<f64, WorldError>
    where
        &'a Vector<S>: Into<Left<'a>>,
    {
        Ok(self.dots([(a.into(), b)])?[0])
    }

    /// Several products at once, in one reduction; at most 4.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When a vector is not of this world.
    pub fn dots<const K: usize>(
        &mut self,
        pairs: [(Left<'_>, &Vector<Full>); K],
    ) -> Result<[f64; K], WorldError> {
        const { assert!(K <= MOST) };
        for (left, right) in &pairs {
            self.check_sizes(&[left.values().0, &right.values]);
        }
        self.traffic.reductions += 1;
        Ok(self.sums.dots(pairs, &mut self.transport)?)
    }

    /// The Euclidean norm.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When the vector is not of this world.
    pub fn norm(&mut self, x: &Vector<Full>) -> Result<f64, WorldError> {
        Ok(self.dot(x, x)?.sqrt())
    }
}
