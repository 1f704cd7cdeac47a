//! Diversity of samples of tips: how much of a tree a sample has, and how far two samples are apart.
//!
//! **Problem.** Input: a tree with branch lengths, and samples with counts of tips. Output:
//! [`faith_pd`], the length of all branches above the tips of a sample, or [`distances`] between all
//! pairs of samples. With `p` and `q` the shares of two samples below a branch and `L` its length:
//!
//! | [`Distance`] | is |
//! |---|---|
//! | unweighted UniFrac | ΣL\[one of p, q is 0\] / ΣL\[p + q > 0\] |
//! | weighted UniFrac | ΣL\|p − q\|, the earth mover's distance along the tree |
//! | the same, normalised | over ΣL(p + q) |
//! | generalised UniFrac | ΣL(p + q)^(α−1) \|p − q\| / ΣL(p + q)^α |
//! | Kantorovich–Rubinstein | (ΣL\|p − q\|^k)^(1/k) |
//!
//! **Conventions.** The length above a root does not count, unless [`DiversityParams::root_length`]
//! says so. A sample without counts has a Faith PD of 0, a distance of 1 to all others by the measures that
//! have a denominator, that of the other to nothing (p = 0) by the others, and 0 to another empty
//! one. Where a denominator is 0 although both have counts (all their branches have length 0), the distance
//! is 0. Counts may be fractions: only shares matter.
//!
//! **Method.** Branches come one after the other, each with the samples below it (`branches.rs`);
//! those that no sample reaches are left out, and chains with the same samples are joined. Blocks of them go to the
//! engine of the distance, which adds for all pairs of samples that are present together.
//!
//! **Determinism.** Sums for a pair have one order: threads share out samples, never branches.
//!
//! **Reference.** Faith, *Conservation evaluation and phylogenetic diversity*, 1992; Lozupone and
//! Knight, *UniFrac*, 2005; Lozupone et al., 2007 (weighted); Chen et al., 2012 (generalised); Evans and
//! Matsen, *The phylogenetic Kantorovich–Rubinstein metric*, 2012.

mod branches;
mod cluster;
mod condensed;
mod faith;
mod generalised;
mod kantorovich;
mod pcoa;
mod power;
mod samples;
mod spectrum;
#[cfg(test)]
mod tests;
mod unweighted;
mod weighted;

pub use cluster::cluster_order;
pub use condensed::Condensed;
pub use faith::faith_pd;
pub use pcoa::{Pcoa, PcoaParams, pcoa};
pub use samples::Samples;

use branches::Branches;
use palmette_core::{NONE, Tree};
use thiserror::Error;

palmette_core::named! {
    /// What is asked about samples.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Metric("metric") {
        /// Faith's phylogenetic diversity, one number per sample.
        Faith = "faith",
        /// UniFrac by presence.
        Unweighted = "unweighted",
        /// UniFrac by shares.
        Weighted = "weighted",
        /// UniFrac by shares, between 0 and 1.
        WeightedNormalised = "weighted-normalised",
        /// UniFrac between the two.
        Generalised = "generalised",
        /// The metric of Kantorovich and Rubinstein.
        Kr = "kr",
    }
}

/// A distance between samples; see the module.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distance {
    /// By presence.
    Unweighted,
    /// By shares.
    Weighted,
    /// By shares, between 0 and 1.
    WeightedNormalised,
    /// Between the two.
    Generalised {
        /// How much large shares count: from 0 to 1, where it is the normalised one.
        alpha: f64,
    },
    /// By a power of differences.
    KantorovichRubinstein {
        /// The power, from 1, where it is the weighted one.
        order: f64,
    },
}

impl Distance {
    /// The default of the generalised distance.
    pub const ALPHA: f64 = 0.5;
    /// The default of Kantorovich and Rubinstein's.
    pub const ORDER: f64 = 2.0;

    /// The distance of a name with its parameter; none for what is no distance.
    pub fn of(metric: Metric, alpha: f64, order: f64) -> Option<Distance> {
        Some(match metric {
            Metric::Faith => return None,
            Metric::Unweighted => Distance::Unweighted,
            Metric::Weighted => Distance::Weighted,
            Metric::WeightedNormalised => Distance::WeightedNormalised,
            Metric::Generalised => Distance::Generalised { alpha },
            Metric::Kr => Distance::KantorovichRubinstein { order },
        })
    }
}

/// How lengths count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiversityParams {
    /// The length above a root counts, too.
    pub root_length: bool,
}

/// Why there is no answer about samples.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DiversityError {
    #[error("{found} lengths for {vertices} vertices")]
    Lengths { vertices: usize, found: usize },
    #[error("vertex {vertex} has the branch length {length}; expected a finite one, at least 0")]
    Length { vertex: u32, length: f64 },
    #[error(
        "sample {sample} has the count {count} of vertex {vertex}; expected a finite one, at least 0"
    )]
    Count { sample: usize, vertex: u32, count: f64 },
    #[error("sample {sample} counts vertex {vertex}, which is no tip of the tree")]
    NoTip { sample: usize, vertex: u32 },
    #[error("the counts of sample {sample} add up to more than a number holds")]
    Total { sample: usize },
    #[error("{tips} tips and {counts} counts, in samples that end at {end}")]
    Shape { tips: usize, counts: usize, end: usize },
    #[error("alpha is {alpha}; expected a number from 0 to 1")]
    Alpha { alpha: f64 },
    #[error("the order is {order}; expected a finite number, at least 1")]
    Order { order: f64 },
    #[error("{samples} samples are too few: principal coordinates need 2 or more")]
    FewSamples { samples: usize },
    #[error("the distance of samples {first} and {second} is {distance}; expected a finite one")]
    NotFinite { first: usize, second: usize, distance: f64 },
}

/// The distances between all pairs of samples. Lengths are by vertex, that of the branch to the parent.
///
/// Memory: 16 bytes per branch that is present, 12 per count, 1.5 MB for a block of branches, and
/// per pair of samples 8 bytes for the answer and as much for sums (16 for the generalised distance,
/// 24 for Kantorovich and Rubinstein's).
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::diversity::{Distance, DiversityParams, Samples, distances};
/// let tree = Tree::from_parents(&[NONE, 0, 0])?;
/// // Two samples: half and half, and one tip alone.
/// let samples = Samples::new(vec![0, 2, 3], vec![1, 2, 1], vec![5.0, 5.0, 7.0])?;
/// let lengths = [0.0, 1.0, 3.0];
/// let found = distances(&tree, &lengths, &samples, Distance::Unweighted, DiversityParams::default())?;
/// assert_eq!(found.get(0, 1), 0.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Lengths or counts that are negative or not finite, samples of what is no tip, parameters out of
/// their range.
pub fn distances(
    tree: &Tree,
    lengths: &[f64],
    samples: &Samples,
    distance: Distance,
    params: DiversityParams,
) -> Result<Condensed, DiversityError> {
    match distance {
        Distance::Generalised { alpha } if !(0.0..=1.0).contains(&alpha) => {
            return Err(DiversityError::Alpha { alpha });
        }
        Distance::KantorovichRubinstein { order } if !(order.is_finite() && order >= 1.0) => {
            return Err(DiversityError::Order { order });
        }
        _ => {}
    }
    let branches = Branches::new(tree, lengths, samples, params)?;
    let found = match distance {
        Distance::Unweighted => unweighted::distances(branches, samples),
        Distance::Weighted => weighted::distances(branches, false),
        Distance::WeightedNormalised => weighted::distances(branches, true),
        Distance::Generalised { alpha: 1.0 } => weighted::distances(branches, true),
        Distance::Generalised { alpha } => generalised::distances(branches, alpha),
        Distance::KantorovichRubinstein { order: 1.0 } => weighted::distances(branches, false),
        Distance::KantorovichRubinstein { order } => kantorovich::distances(branches, order),
    };
    let relative = !matches!(distance, Distance::Weighted | Distance::KantorovichRubinstein { .. });
    Ok(if relative { found.with_empty(samples) } else { found })
}

/// Lengths by position, checked; 0 for roots whose length does not count.
fn lengths_by_position(
    tree: &Tree,
    lengths: &[f64],
    params: DiversityParams,
) -> Result<Vec<f64>, DiversityError> {
    if lengths.len() != tree.len() {
        return Err(DiversityError::Lengths { vertices: tree.len(), found: lengths.len() });
    }
    let counted = |(&vertex, &parent): (&u32, &u32)| {
        if parent == NONE && !params.root_length {
            return Ok(0.0);
        }
        let length = lengths[vertex as usize];
        match length.is_finite() && length >= 0.0 {
            true => Ok(length),
            false => Err(DiversityError::Length { vertex, length }),
        }
    };
    tree.vertices().iter().zip(tree.parents()).map(counted).collect()
}
