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
//! then from the root down for those above, which are those above the parent and those below its other
//! children. Two children are each other's others; of more, sums are kept from the last on.
//!
//! **Cost.** O(n), two sweeps; 24 bytes per vertex, which hold what is below until what is above is known.
//!
//! **Determinism.** Sequential; of equally good branches the first in preorder.
//!
//! **Reference.** U. Mai, E. Sayyari, S. Mirarab, PLoS ONE 12 (2017), e0182238; T. F. Chan, G. H.
//! Golub, R. J. LeVeque, Amer. Statistician 37 (1983), 242–247.

use super::builder::Source;
use super::reroot::{RootPlace, reroot};
use super::{EditError, Edited};
use palmette_core::Tree;

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

/// The best place so far.
struct Best<'a> {
    source: &'a Source<'a>,
    /// Distances to all tips below a position, or, once its branch was looked at, to all others.
    spreads: Vec<Spread>,
    /// How many tips there are, and one over that.
    tips: f64,
    share: f64,
    /// The least sum of squares.
    squares: f64,
    at: usize,
    distance: f64,
}

impl Best<'_> {
    /// What is below a position, from its parent.
    #[inline(always)]
    fn seen_from_parent(&self, i: usize) -> Spread {
        self.spreads[i].farther(self.source.length(i as u32))
    }

    /// Looks for the best place on the branch above a position, given what else is seen from its parent.
    #[inline(always)]
    fn look(&mut self, i: usize, high: Spread) {
        let (low, length) = (self.spreads[i], self.source.length(i as u32));
        let distance = ((high.mean + length - low.mean) / 2.0).min(length).max(0.0);
        let apart = (low.mean + distance) - (high.mean + length - distance);
        let between = low.count * (high.count * self.share) * (apart * apart);
        let squares = low.squares + high.squares + between;
        if squares < self.squares || (squares == self.squares && i < self.at) {
            (self.squares, self.at, self.distance) = (squares, i, distance);
        }
        self.spreads[i] = high.farther(length);
    }
}

fn best(source: &Source<'_>) -> (RootPlace, f64) {
    let (tree, sizes) = (source.tree, source.tree.sizes());
    let n = tree.len();
    // The children of a vertex, if they are two.
    let two = |i: usize| {
        let (first, end) = (i + 1, i + sizes[i] as usize);
        let second = first + sizes[first] as usize;
        let are_two = second < end && second + sizes[second] as usize == end;
        are_two.then_some((first, second))
    };
    let spreads = vec![Spread::TIP; n];
    let crown = source.crown() as usize;
    let (squares, at, distance) = (f64::INFINITY, n, 0.0);
    let mut best = Best { source, spreads, tips: 0.0, share: 0.0, squares, at, distance };
    for i in (0..n).rev().filter(|&i| sizes[i] > 1) {
        best.spreads[i] = match two(i) {
            Some((first, second)) => {
                best.seen_from_parent(first).and(best.seen_from_parent(second))
            }
            None => tree.children(i as u32).fold(Spread::default(), |sum, child| {
                sum.and(best.seen_from_parent(child as usize))
            }),
        };
    }
    best.tips = best.spreads[crown].count;
    best.share = 1.0 / best.tips;
    best.spreads[crown] = Spread::default();
    let (mut children, mut later) = (Vec::new(), Vec::new());
    for i in (crown..n).filter(|&i| sizes[i] > 1) {
        let mut high = best.spreads[i];
        if let Some((first, second)) = two(i) {
            let (left, right) = (best.seen_from_parent(first), best.seen_from_parent(second));
            best.look(first, high.and(right));
            best.look(second, high.and(left));
            continue;
        }
        children.clear();
        children.extend(tree.children(i as u32).map(|child| child as usize));
        later.clear();
        let mut sum = Spread::default();
        for &child in children.iter().rev() {
            later.push(sum);
            sum = best.seen_from_parent(child).and(sum);
        }
        for (&child, &later) in children.iter().zip(later.iter().rev()) {
            let own = best.seen_from_parent(child);
            best.look(child, high.and(later));
            high = high.and(own);
        }
    }
    let place = match tree.vertices().get(best.at) {
        Some(&vertex) => RootPlace::Distance { vertex, distance: best.distance },
        None => RootPlace::Vertex(tree.vertices()[crown]),
    };
    (place, best.squares / best.tips)
}
