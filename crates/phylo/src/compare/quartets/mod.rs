//! Two trees by their quartets: on how many sets of four tips do they disagree?
//!
//! **Problem.** Four tips of a tree are in one of four states: `ab|cd`, `ac|bd`, `ad|bc`, or a star, where no branch
//! divides them two and two. The quartet distance of two trees is the number of sets of four that are in different states.
//! **Method.** Removing a vertex cuts the tips into *components*. Each `ab|cd` has one vertex where `a` and `b` are in one
//! component and `c` and `d` in two others, and one the other way around. For each vertex of the first tree the tips
//! are coloured by component; then a sweep over the second tree counts, at each of its vertices, the sets with two
//! tips of one colour and two of others that are cut there in the same way ([`sweep`]). A vertex counts only if two
//! of its components have tips from below the first tree's vertex, so that only ancestors of these are visited.
//! Trees where all vertices have three neighbours are done then; otherwise the same sweep counts the sets that both trees
//! divide, but differently.
//! **Cost.** O(min(n², n·d₁·d₂)) for mean depths d of tips and bounded degrees; O(n²·√n) at most, which needs many
//! vertices with √n children in both trees. Threads share the first tree's vertices; per thread 50 bytes per tip.
//! **Determinism.** Whole numbers: exact on any number of threads.
//! **Reference.** G. Estabrook, F. McMorris, C. Meacham, Syst. Zool. 34 (1985); counting by colours: G. S. Brodal,
//! R. Fagerberg, T. Mailund, C. N. S. Pedersen, A. Sand, SODA 2013 (there with trees of decompositions, O(d n log n)).
//! **When not to use.** Beyond 10^5 tips, or for deep trees of more than some 10^4: use Robinson–Foulds, which is linear.

mod sums;
mod sweep;
#[cfg(test)]
mod tests;

use super::matrix::condensed;
use super::{CompareError, TipTree};
use palmette_core::NONE;
use rayon::prelude::*;
use sweep::{Coloured, Sweep};

/// The most tips of trees that are compared by quartets: twice the sets of four must fit into 64 bits.
pub const MOST_QUARTET_TIPS: usize = 100_000;

/// Vertices of the first tree that are worth a task.
const GRAIN: usize = 64;

/// How two trees divide the sets of four tips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Quartets {
    /// All sets of four tips.
    pub all: u64,
    /// Those that the first tree divides two and two.
    pub first: u64,
    /// Those that the second divides.
    pub second: u64,
    /// Those that both divide.
    pub both: u64,
    /// Those that both divide in the same way.
    pub same: u64,
}

impl Quartets {
    /// Counts the quartets of two trees over the same tips. Roots do not matter.
    ///
    /// ```
    /// use palmette_core::{NONE, Tree};
    /// use palmette_phylo::compare::{Quartets, TipTree};
    /// // ((0,1),2,3) and ((0,2),1,3)
    /// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0, 0])?;
    /// let a = TipTree::new(&tree, 0, 4, &[NONE, NONE, 0, 1, 2, 3], None)?;
    /// let b = TipTree::new(&tree, 0, 4, &[NONE, NONE, 0, 2, 1, 3], None)?;
    /// assert_eq!(Quartets::new(&a, &b)?.distance(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// More than [`MOST_QUARTET_TIPS`] tips.
    ///
    /// # Panics
    /// When the trees have different numbers of tips.
    pub fn new(first: &TipTree<'_>, second: &TipTree<'_>) -> Result<Quartets, CompareError> {
        assert_eq!(first.count, second.count, "trees over the same tips");
        let tips = first.count;
        if tips > MOST_QUARTET_TIPS {
            return Err(CompareError::TooManyForQuartets { tips });
        }
        let all = sets_of_four(tips as u64);
        let (a, b) = (divided(first), divided(second));
        // Where one tree divides all sets, both divide what the other does.
        let by_count = (a == all || b == all).then_some(a.min(b));
        let coloured = Coloured::new(first);
        let sweep = Sweep::new(second, by_count.is_none());
        let found = (0..coloured.len()).into_par_iter().with_min_len(GRAIN);
        let found = found.map_init(|| sweep.clone(), |sweep, k| coloured.count(k, sweep));
        let (same, other) = found.reduce(|| (0, 0), |x, y| (x.0 + y.0, x.1 + y.1));
        // A set was counted once for each way to take its pairs: two, and four where the trees differ.
        let same = (same / 2) as u64;
        let both = by_count.unwrap_or(same + (other / 4) as u64);
        Ok(Quartets { all, first: a, second: b, both, same })
    }

    /// The sets on which the trees disagree.
    pub fn distance(&self) -> u64 {
        self.first + self.second - self.both - self.same
    }

    /// The same over all sets of four; 0 where there are none.
    pub fn normalised(&self) -> f64 {
        if self.all == 0 { 0.0 } else { self.distance() as f64 / self.all as f64 }
    }
}

/// The quartet distance of each pair, condensed.
///
/// # Errors
/// More than [`MOST_QUARTET_TIPS`] tips.
pub fn quartet_distances(trees: &[TipTree<'_>]) -> Result<Vec<u64>, CompareError> {
    let pairs = (0..trees.len()).flat_map(|i| (i + 1..trees.len()).map(move |j| (i, j)));
    let mut all: Vec<(usize, usize)> = Vec::with_capacity(condensed(trees.len()));
    all.extend(pairs);
    let one = |&(i, j): &(usize, usize)| Quartets::new(&trees[i], &trees[j]);
    all.par_iter().map(|pair| one(pair).map(|found| found.distance())).collect()
}

fn sets_of_four(n: u64) -> u64 {
    let n = u128::from(n);
    (n * n.saturating_sub(1) * n.saturating_sub(2) * n.saturating_sub(3) / 24) as u64
}

/// The sets of four that a tree divides two and two: all but those whose tips are in four components of one vertex.
fn divided(tree: &TipTree<'_>) -> u64 {
    let below = tree.tip_counts();
    let n = tree.count as u64;
    // By position, how many sets of 1 to 4 tips are in as many children.
    let mut sums = vec![[0u64; 4]; tree.len()];
    let add = |sums: &mut [u64; 4], size: u64| {
        for k in (1..4).rev() {
            sums[k] += sums[k - 1] * size;
        }
        sums[0] += size;
    };
    for i in (1..tree.len()).rev() {
        let size = u64::from(below[i]);
        if let Some(p) = tree.parent(i) {
            add(&mut sums[p], size);
        }
        add(&mut sums[i], n - size);
    }
    sets_of_four(n) - sums.iter().map(|sums| sums[3]).sum::<u64>()
}

/// By position, where the tips below it begin in the order of the tree's tips; and that order.
fn in_order(tree: &TipTree<'_>) -> (Vec<u32>, Vec<u32>) {
    let mut order = Vec::with_capacity(tree.count);
    let starts = tree.tips.iter().map(|&tip| {
        let start = order.len() as u32;
        if tip != NONE {
            order.push(tip);
        }
        start
    });
    (starts.collect(), order)
}
