//! Tree to tree: pruning, rerooting, collapsing, sorting.
//!
//! Every edit returns a new tree and says where it comes from ([`Edited`]): names, columns and supports
//! follow from that, whatever the edit was.

use palmette_core::NONE;

/// A tree made from another one. New vertices are numbered in preorder.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// The parent by new vertex; [`NONE`] for a root.
    pub parents: Vec<u32>,
    /// The length of the branch to the parent by new vertex, if the old tree has lengths.
    pub lengths: Option<Vec<f64>>,
    /// The old vertex that a new one was; [`NONE`] for one that was none.
    pub origin: Vec<u32>,
    /// The old vertex whose branch to its parent is (a part of) the branch of a new vertex; [`NONE`] where
    /// there is none. What belongs to branches, as support does, follows it: rerooting turns branches
    /// around.
    pub branch: Vec<u32>,
}

impl Edited {
    /// What became of each of `old` vertices: the new vertex, or [`NONE`] where it is gone.
    pub fn fates(&self, old: usize) -> Vec<u32> {
        let mut fates = vec![NONE; old];
        for (new, &origin) in self.origin.iter().enumerate() {
            if origin != NONE {
                fates[origin as usize] = new as u32;
            }
        }
        fates
    }
}
