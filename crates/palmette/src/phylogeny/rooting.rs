//! What files say of roots, and what follows for comparing trees.

use palmette_io::{Rooting as Stated, TreeFacts};
use palmette_phylo::compare::Rooting;

/// Whether files say that trees are rooted: `[&R]` and `[&U]` of Newick and NEXUS, `utree`, `rooted="true"` of PhyloXML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatedRooting {
    /// No file says anything.
    Nothing,
    /// All trees are rooted.
    Rooted,
    /// All trees are unrooted, or nothing is said of them.
    Unrooted,
    /// Some trees are rooted, of others the opposite is said, or nothing.
    Mixed,
}

impl StatedRooting {
    /// From the number of trees and what is said of each, by file.
    pub fn of<'a>(files: impl IntoIterator<Item = (usize, &'a [TreeFacts])>) -> StatedRooting {
        let (mut trees, mut rooted, mut unrooted) = (0, 0, 0);
        for (roots, facts) in files {
            let count = |what| facts.iter().filter(|tree| tree.rooting == what).count();
            trees += roots;
            rooted += count(Stated::Rooted);
            unrooted += count(Stated::Unrooted);
        }
        match (rooted, unrooted) {
            (0, 0) => StatedRooting::Nothing,
            (0, _) => StatedRooting::Unrooted,
            (rooted, _) if rooted == trees => StatedRooting::Rooted,
            _ => StatedRooting::Mixed,
        }
    }

    /// How trees are compared if the user does not say: by their roots only where all have one.
    pub fn default_rooting(self) -> Rooting {
        match self {
            StatedRooting::Rooted => Rooting::Rooted,
            _ => Rooting::Unrooted,
        }
    }
}
