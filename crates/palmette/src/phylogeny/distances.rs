//! Distances of all pairs of trees, by the name of the distance.

use super::compare::{CompareInputError, TreeSet};
use palmette_core::named;
use palmette_io::Values;
use palmette_phylo::compare::{Collection, Rooting, quartet_distances};

named! {
    /// How far two trees are from each other; see [`palmette_phylo::compare`].
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum TreeMetric("distance") {
        /// Robinson–Foulds: splits that one of the trees has.
        #[default]
        Rf = "rf",
        /// The same over the splits of both.
        RfNormalised = "rf-normalised",
        /// Weighted Robinson–Foulds.
        Wrf = "wrf",
        /// Branch score of Kuhner and Felsenstein.
        Kf = "kf",
        /// Sets of four tips that the trees divide differently.
        Quartet = "quartet",
    }
}

impl TreeMetric {
    /// What it is called in pictures.
    pub fn words(self) -> &'static str {
        match self {
            TreeMetric::Rf => "Robinson–Foulds distance",
            TreeMetric::RfNormalised => "Robinson–Foulds distance, normalised",
            TreeMetric::Wrf => "weighted Robinson–Foulds distance",
            TreeMetric::Kf => "branch score",
            TreeMetric::Quartet => "quartet distance",
        }
    }

    /// Whether all branches must have lengths.
    pub fn needs_lengths(self) -> bool {
        matches!(self, TreeMetric::Wrf | TreeMetric::Kf)
    }
}

/// The distances of all pairs, condensed: whole numbers where they are. Quartets know no roots.
///
/// # Errors
/// A tree without lengths where they are needed, or too many tips for quartets.
pub fn tree_distances(
    set: &TreeSet<'_>,
    metric: TreeMetric,
    rooting: Rooting,
) -> Result<Values, CompareInputError> {
    if metric.needs_lengths() {
        set.check_lengths()?;
    }
    let trees = set.trees()?;
    if metric == TreeMetric::Quartet {
        return Ok(Values::U64(quartet_distances(&trees)?));
    }
    let all = Collection::new(&trees, rooting);
    Ok(match metric {
        TreeMetric::RfNormalised => Values::F64(all.robinson_foulds_normalised()),
        // Lengths were checked.
        TreeMetric::Wrf => Values::F64(all.weighted().unwrap_or_default()),
        TreeMetric::Kf => Values::F64(all.branch_score().unwrap_or_default()),
        _ => Values::U64(all.robinson_foulds().into_iter().map(u64::from).collect()),
    })
}
