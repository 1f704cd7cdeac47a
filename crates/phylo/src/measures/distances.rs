//! Patristic distances of tips.
//!
//! **Problem.** The sum of lengths (or the number of edges) between each pair of some vertices, one row at a time.
//! **Method.** Vertices are ranked in preorder, so that those below any vertex are an interval of ranks. On the way up
//! from vertex `i`, the intervals beside the one before have a common lowest ancestor `a` with it, and their
//! distances are one loop: `(d(i) − d(a)) + (d(j) − d(a))`. Steps on which the interval does not grow are skipped.
//! **Cost.** O(n) to prepare; a row of k costs k additions and at most k steps. Memory for a row only: matrices of any size are
//! written in strips.
//! **Determinism.** Each distance is computed by itself, and is the same both ways.

use palmette_core::{NONE, Tree};

/// Distances between chosen vertices.
#[derive(Debug)]
pub struct TipDistances {
    /// By rank: the number among the chosen, its distance from the root.
    order: Vec<u32>,
    ranked: Vec<f64>,
    /// By number among the chosen: its rank.
    rank_of: Vec<u32>,
    /// By rank: the position.
    positions: Vec<u32>,
    /// By position: the ranks below, the next ancestor with more of them, the distance from the root.
    below: Vec<(u32, u32)>,
    jumps: Vec<u32>,
    distances: Vec<f64>,
    /// Whether ranks are the order of the chosen.
    in_order: bool,
}

impl TipDistances {
    /// Prepares rows for `chosen` positions, none of them twice; `distances` are from the root, by position.
    ///
    /// # Panics
    /// When there is not one distance per position, or no such position.
    pub fn new(tree: &Tree, chosen: &[u32], distances: Vec<f64>) -> TipDistances {
        assert_eq!(distances.len(), tree.len(), "one distance per position");
        let mut order: Vec<u32> = (0..chosen.len() as u32).collect();
        let in_order = chosen.is_sorted();
        if !in_order {
            order.sort_unstable_by_key(|&k| chosen[k as usize]);
        }
        let positions: Vec<u32> = order.iter().map(|&k| chosen[k as usize]).collect();
        let ranked = positions.iter().map(|&p| distances[p as usize]).collect();
        let mut rank_of = vec![0; chosen.len()];
        order.iter().zip(0..).for_each(|(&k, rank)| rank_of[k as usize] = rank);
        // Ranks that begin at a position or after it.
        let mut from = vec![0u32; tree.len() + 1];
        positions.iter().for_each(|&p| from[p as usize + 1] += 1);
        (1..from.len()).for_each(|i| from[i] += from[i - 1]);
        let ends = tree.sizes().iter().enumerate();
        let below: Vec<(u32, u32)> =
            ends.map(|(i, &size)| (from[i], from[i + size as usize])).collect();
        let mut jumps = vec![NONE; tree.len()];
        for (i, &p) in tree.parents().iter().enumerate() {
            if p != NONE {
                let same = below[i] == below[p as usize];
                jumps[i] = if same { jumps[p as usize] } else { p };
            }
        }
        TipDistances { order, ranked, rank_of, positions, below, jumps, distances, in_order }
    }

    /// How many vertices were chosen.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether none were.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The distances of one of the chosen to all, in their order; NaN across trees.
    ///
    /// # Panics
    /// When there is no such one, or the row has another length.
    pub fn row(&self, of: usize, row: &mut [f64]) {
        assert_eq!(row.len(), self.len(), "a place for each distance");
        if self.in_order {
            return self.by_rank(of, row);
        }
        let mut ranked = vec![0.0; row.len()];
        self.by_rank(self.rank_of[of] as usize, &mut ranked);
        self.order.iter().zip(ranked).for_each(|(&k, distance)| row[k as usize] = distance);
    }

    fn by_rank(&self, rank: usize, row: &mut [f64]) {
        let own = self.ranked[rank];
        let mut at = self.positions[rank] as usize;
        let (mut start, mut end) = (rank as u32, rank as u32 + 1);
        row[rank] = 0.0;
        loop {
            let (first, last) = self.below[at];
            let above = self.distances[at];
            let up = own - above;
            for range in [first as usize..start as usize, end as usize..last as usize] {
                for (to, &other) in row[range.clone()].iter_mut().zip(&self.ranked[range]) {
                    *to = up + (other - above);
                }
            }
            (start, end) = (first, last);
            match self.jumps[at] {
                NONE => break,
                next => at = next as usize,
            }
        }
        row[..start as usize].fill(f64::NAN);
        row[end as usize..].fill(f64::NAN);
    }
}
