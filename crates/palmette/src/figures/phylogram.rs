//! Figures of a drawing of a phylogeny.

use super::Figures;
use palmette_core::Record;

/// How much of a tree a drawing shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhylogramFigures {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of tips.
    pub tips: usize,
    /// The rows of the drawing.
    pub rows: usize,
    /// The clades that are collapsed.
    pub clades: usize,
    /// Groups of small clades.
    pub groups: usize,
    /// Tips with a row of their own.
    pub single_tips: usize,
    /// Highlighted vertices that lie inside of a collapsed clade.
    pub hidden: Vec<u32>,
}

impl Figures for PhylogramFigures {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => vertices, tips, rows, clades, groups, single_tips);
    }
}
