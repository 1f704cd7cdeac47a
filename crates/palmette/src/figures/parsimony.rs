//! Figures of parsimony.

use super::{Figures, whole};
use crate::phylogeny::parsimony::AlignedParsimony;
use palmette_core::Record;

impl Figures for AlignedParsimony {
    fn figures(&self, record: &mut Record) {
        let scores = &self.found.site_scores;
        record
            .figure("score", whole(self.found.score()))
            .figure("variable_sites", scores.iter().filter(|&&score| score > 0.0).count());
        figures!(record, self => sites, states, tips, unknown_tips, left_out);
    }
}
