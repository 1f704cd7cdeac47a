//! How balanced a tree is, and how long.
//!
//! **Problem.** Numbers that describe one tree.
//! **Method.** Sweeps over the preorder, up and down.
//!
//! | number | is |
//! |---|---|
//! | Sackin | Σ over tips of the edges to the root |
//! | Colless | Σ over inner vertices of \|tips left − tips right\|; only of binary trees |
//! | B1 | Σ over inner vertices but the root of 1 / height, in edges |
//! | cherries | inner vertices whose children are two tips |
//! | treeness | length of inner branches over all length |
//! | gamma | whether branching came early (below 0) or late; only of binary ultrametric trees |
//!
//! **Cost.** O(n); O(n log n) for gamma. 16 bytes per vertex.
//! **Determinism.** Sequential, sums in preorder.
//! **Reference.** M. J. Sackin, Syst. Zool. 21 (1972); D. H. Colless, Syst. Zool. 31 (1982); K.-T. Shao, R. R. Sokal, Syst. Zool. 39
//! (1990); O. G. Pybus, P. H. Harvey, Proc. R. Soc. B 267 (2000).

use super::root_distances;
use palmette_core::{NONE, Tree};

/// Root-to-tip distances that differ by less, relative to the largest, are the same: files round lengths.
const SAME: f64 = 1e-6;

/// Numbers that describe a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Leaves.
    pub tips: usize,
    /// Vertices with children.
    pub inner: usize,
    /// Whether each inner vertex has two children.
    pub binary: bool,
    /// Σ over tips of the edges to the root.
    pub sackin: u64,
    /// Σ|left − right| in tips; none where the tree is not binary.
    pub colless: Option<u64>,
    /// Σ 1 / height over inner vertices but the root.
    pub b1: f64,
    /// Inner vertices whose children are two tips.
    pub cherries: usize,
    /// What lengths say, where there are any.
    pub lengths: Option<Lengths>,
}

/// What the lengths of a tree say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lengths {
    /// The sum of all.
    pub total: f64,
    /// The sum of those above inner vertices.
    pub inner: f64,
    /// The largest root-to-tip distance.
    pub farthest: f64,
    /// The smallest.
    pub nearest: f64,
    /// Their mean.
    pub mean: f64,
    /// Whether all are the same, to six digits.
    pub ultrametric: bool,
    /// Pybus and Harvey's statistic, of binary ultrametric trees with three tips or more.
    pub gamma: Option<f64>,
}

impl Shape {
    /// Describes a tree with one root; `lengths` by position.
    ///
    /// ```
    /// use palmette_core::{NONE, Tree};
    /// use palmette_phylo::measures::Shape;
    /// let shape = Shape::new(&Tree::from_parents(&[NONE, 0, 1, 1, 0])?, None);
    /// assert_eq!((shape.sackin, shape.colless, shape.cherries), (5, Some(1), 1));
    /// # Ok::<(), palmette_core::TreeError>(())
    /// ```
    ///
    /// # Panics
    /// When there is not one length per position.
    pub fn new(tree: &Tree, lengths: Option<&[f64]>) -> Shape {
        let n = tree.len();
        let depths = tree.depths();
        let (mut tips, mut heights) = (vec![0u32; n], vec![0u32; n]);
        // Of children: how many, how many tips, the tips of the first in the sweep, and of all.
        let (mut children, mut leaf_children) = (vec![0u32; n], vec![0u32; n]);
        let (mut colless, mut last) = (0u64, vec![0u32; n]);
        let (mut b1, mut cherries, mut sackin, mut inner, mut binary) = (0.0, 0, 0u64, 0, true);
        for i in (0..n).rev() {
            let p = tree.parents()[i];
            if children[i] == 0 {
                tips[i] = 1;
                sackin += u64::from(depths[i]);
            } else {
                inner += 1;
                binary &= children[i] == 2;
                colless += u64::from(tips[i].abs_diff(2 * last[i]));
                cherries += usize::from(children[i] == 2 && leaf_children[i] == 2);
                if p != NONE {
                    b1 += 1.0 / f64::from(heights[i]);
                }
            }
            if p != NONE {
                let p = p as usize;
                children[p] += 1;
                leaf_children[p] += u32::from(children[i] == 0);
                tips[p] += tips[i];
                last[p] = tips[i];
                heights[p] = heights[p].max(heights[i] + 1);
            }
        }
        let leaves = n - inner;
        let lengths = lengths.map(|lengths| Lengths::new(tree, lengths, &children, binary));
        let colless = (binary && inner > 0).then_some(colless);
        Shape { tips: leaves, inner, binary, sackin, colless, b1, cherries, lengths }
    }

    /// The mean number of edges from tips to the root.
    pub fn sackin_mean(&self) -> f64 {
        self.sackin as f64 / self.tips.max(1) as f64
    }

    /// Colless over what it is for a caterpillar; none for fewer than three tips.
    pub fn colless_normalised(&self) -> Option<f64> {
        let n = self.tips as f64;
        self.colless.filter(|_| self.tips > 2).map(|c| c as f64 / ((n - 1.0) * (n - 2.0) / 2.0))
    }
}

impl Lengths {
    fn new(tree: &Tree, lengths: &[f64], children: &[u32], binary: bool) -> Lengths {
        assert_eq!(lengths.len(), tree.len(), "one length per position");
        let distances = root_distances(tree, lengths);
        let (mut total, mut inner, mut sum, mut tips) = (0.0, 0.0, 0.0, 0usize);
        let (mut farthest, mut nearest) = (f64::NEG_INFINITY, f64::INFINITY);
        for (i, &p) in tree.parents().iter().enumerate() {
            if p != NONE {
                total += lengths[i];
                inner += if children[i] > 0 { lengths[i] } else { 0.0 };
            }
            if children[i] == 0 {
                tips += 1;
                sum += distances[i];
                (farthest, nearest) = (farthest.max(distances[i]), nearest.min(distances[i]));
            }
        }
        let ultrametric = farthest - nearest <= SAME * farthest.abs();
        let times = || {
            let inner = (0..tree.len()).filter(|&i| children[i] > 0);
            inner.map(|i| distances[i]).collect()
        };
        let gamma = if binary && ultrametric { gamma(times(), sum / tips as f64) } else { None };
        Lengths { total, inner, farthest, nearest, mean: sum / tips as f64, ultrametric, gamma }
    }

    /// The length of inner branches over all.
    pub fn treeness(&self) -> f64 {
        self.inner / self.total
    }
}

/// From the times of branchings and of the present: `g[k]` is how long there were `k` lineages,
/// `T(k) = Σ_{j ≤ k} j g[j]`, and gamma is the mean of T(2), …, T(n − 1) less T(n)/2, over T(n) √(1 / 12(n − 2)).
fn gamma(mut times: Vec<f64>, present: f64) -> Option<f64> {
    times.sort_unstable_by(f64::total_cmp);
    times.push(present);
    // One more lineage than branchings, and the present is none.
    let n = times.len();
    if n < 3 {
        return None;
    }
    let (mut sum, mut sums) = (0.0, 0.0);
    for (k, pair) in (2..).zip(times.windows(2)) {
        sum += f64::from(k) * (pair[1] - pair[0]);
        if (k as usize) < n {
            sums += sum;
        }
    }
    let m = (n - 2) as f64;
    let gamma = (sums / m - sum / 2.0) / (sum * (1.0 / (12.0 * m)).sqrt());
    gamma.is_finite().then_some(gamma)
}
