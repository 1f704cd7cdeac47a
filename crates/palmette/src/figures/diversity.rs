//! Figures of samples of tips.

use super::Figures;
use crate::phylogeny::diversity::Community;
use palmette_core::Record;
use palmette_phylo::diversity::{Metric, Pcoa};

/// What was measured about which samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiversityFigures {
    /// The metric.
    pub metric: Metric,
    /// The number of samples.
    pub samples: usize,
    /// Tips of the table that the tree has.
    pub tips: usize,
    /// Tips of the table that the tree lacks.
    pub missing: usize,
    /// Samples without counts.
    pub empty_samples: usize,
}

impl DiversityFigures {
    /// Of samples.
    pub fn of(metric: Metric, community: &Community) -> DiversityFigures {
        DiversityFigures {
            metric,
            samples: community.samples.len(),
            tips: community.tips,
            missing: community.missing,
            empty_samples: community.empty,
        }
    }
}

impl Figures for DiversityFigures {
    fn figures(&self, record: &mut Record) {
        record.figure("metric", self.metric.name());
        figures!(record, self => samples, tips, missing, empty_samples);
    }
}

impl Figures for Pcoa {
    fn figures(&self, record: &mut Record) {
        record.figure("axes", self.axes.len());
        record.figure("eigenvalues", self.eigenvalues.clone());
        record.figure("proportions", self.proportions.clone());
        if let Some((count, sum)) = self.negative {
            record.figure("negative_eigenvalues", count);
            if count > 0 {
                record.figure("negative_sum", sum);
            }
        }
    }

    fn lists(&self) -> &'static [&'static str] {
        &["eigenvalues", "proportions"]
    }
}
