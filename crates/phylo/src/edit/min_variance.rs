//! The root from which the distances to the tips differ least.
//!
//! **Problem.** Input: a tree with lengths. Output: the place on its branches with the least population
//! variance of the distances to all tips, and that variance.
//!
//! **Method.** A branch of length L divides the tips into k below and m above, n in all, with means a and b
//! of their distances from its ends, and sums of squared differences from these means A and B. At
//! distance x from the lower end the variance is
//! `(A + B)/n + km/n²·d²`, where `d = (a + x) − (b + L − x)`:
//! least at `x = (b + L − a)/2`, or at the nearer end of the branch. The three numbers of a set of tips
//! add up by Chan's rule, which loses no digits to cancellation: from the tips up for the tips below;
//! then from the root down for those above, of which a vertex's own are left out by adding up its
//! siblings from both sides.
//!
//! **Cost.** O(n), two sweeps; 48 bytes per vertex.
//!
//! **Determinism.** Sequential; of equally good branches the first in preorder.
//!
//! **Reference.** U. Mai, E. Sayyari, S. Mirarab, PLoS ONE 12 (2017), e0182238; T. F. Chan, G. H.
//! Golub, R. J. LeVeque, Amer. Statistician 37 (1983), 242–247.

use super::builder::Source;
use super::reroot::{RootPlace, reroot};
use super::{EditError, Edited};
use palmette_core::{NONE, Tree};

/// A tree rooted where distances to tips vary least.
#[derive(Debug, Clone, PartialEq)]
pub struct MinVariance {
    /// The tree.
    pub edited: Edited,
    /// Where its root is, in the old tree.
    pub place: RootPlace,
    /// The population variance of the distances from there to the tips.
    pub variance: f64,
}

/// Distances to some tips: how many, their mean, and the sum of squared differences from it.
#[derive(Clone, Copy, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    const TIP: Spread = Spread { count: 1.0, mean: 0.0, squares: 0.0 };

    /// The same from farther away.
    fn farther(self, by: f64) -> Spread {
        Spread { mean: self.mean + by, ..self }
    }

    fn and(self, other: Spread) -> Spread {
        let count = self.count + other.count;
        // No branch where one of them is empty: its mean is 0, and its share.
        let (apart, share) = (other.mean - self.mean, other.count / count.max(1.0));
        Spread {
            count,
            mean: self.mean + apart * share,
            squares: self.squares + other.squares + apart * apart * self.count * share,
        }
    }
}

/// Roots a tree where the variance of the distances to its tips is least; `lengths` by vertex. Where
/// that is at an inner vertex, it becomes the root.
///
/// # Errors
/// When the tree has several roots, no lengths or one that is no number, or fewer than two tips.
pub fn min_variance(tree: &Tree, lengths: Option<&[f64]>) -> Result<MinVariance, EditError> {
    let source = Source::measured(tree, lengths)?;
    let tips = tree.leaves();
    if tips < 2 {
        return Err(EditError::FewTips { tips, least: 2 });
    }
    let (place, variance) = best(&source);
    let edited = reroot(tree, lengths, place)?;
    Ok(MinVariance { edited, place, variance })
}

fn best(source: &Source<'_>) -> (RootPlace, f64) {
    let tree = source.tree;
    let n = tree.len();
    let mut below = vec![Spread::default(); n];
    // The tips of later siblings; then of all but those below, as seen from a vertex, while its
    // children are gone through.
    let mut beside = vec![Spread::default(); n];
    for i in (0..n).rev() {
        if tree.sizes()[i] == 1 {
            below[i] = Spread::TIP;
        }
        let p = tree.parents()[i];
        if p != NONE {
            beside[i] = below[p as usize];
            let own = below[i].farther(source.length(i as u32));
            below[p as usize] = own.and(below[p as usize]);
        }
    }
    let crown = source.crown() as usize;
    let count = below[crown].count;
    let mut best = (RootPlace::Vertex(tree.vertices()[crown]), f64::INFINITY);
    beside[crown] = Spread::default();
    for i in crown + 1..n {
        let (p, length) = (tree.parents()[i] as usize, source.length(i as u32));
        let (low, high) = (below[i], beside[p].and(beside[i]));
        let distance = ((high.mean + length - low.mean) / 2.0).min(length).max(0.0);
        let apart = (low.mean + distance) - (high.mean + length - distance);
        let between = low.count * high.count / count * apart * apart;
        let variance = (low.squares + high.squares + between) / count;
        if variance < best.1 {
            best = (RootPlace::Distance { vertex: tree.vertices()[i], distance }, variance);
        }
        beside[p] = beside[p].and(low.farther(length));
        beside[i] = high.farther(length);
    }
    best
}
