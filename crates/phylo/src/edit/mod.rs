//! Tree to tree: pruning, rerooting, collapsing, sorting.
//!
//! Every edit returns a new tree and says where it comes from ([`Edited`]): names, columns and supports
//! follow from that, whatever the edit was.
//!
//! | edit | result |
//! |---|---|
//! | [`subtree`] | the tree below a vertex |
//! | [`prune`] | some tips and what joins them |
//! | [`reroot`] | the root on another branch: given, [`midpoint`], [`outgroup`], [`min_variance`]; or none, [`unroot`] |
//! | [`collapse`] | short or badly supported branches gone |
//! | [`resolve`] | at most two children everywhere |
//! | [`ladderize`], [`sort`] | children in another order |
//! | [`graft`] | one tree hung into another |
//!
//! Arguments and `lengths` go by *vertex*, and so do [`Edited::origin`] and [`Edited::branch`]. A
//! vertex without children is a tip. All edits are passes over the preorder, without recursion.
//!
//! **Branches.** A length and a support belong to the branch between a vertex and its parent. A root
//! has no branch: what stands there as its length is kept while the vertex stays the root, and is 0 for
//! a vertex that becomes one. The two branches at a root with two children are *one* branch of the
//! unrooted tree: rerooting merges them and adds their lengths; [`one_support_at_root`] makes their
//! supports one.

mod builder;
mod collapse;
mod error;
mod graft;
mod midpoint;
mod min_variance;
mod outgroup;
mod prune;
mod reorder;
mod reroot;
mod resolve;
mod subtree;
mod support;
#[cfg(test)]
mod tests;
mod unroot;

pub use collapse::{CollapsedLength, collapse, shorter_than, support_below};
pub use error::EditError;
pub use graft::{GraftPlace, graft};
pub use midpoint::{Midpoint, midpoint};
pub use min_variance::{MinVariance, min_variance};
pub use outgroup::{Outgroup, outgroup};
pub use prune::{Unifurcations, prune};
pub use reorder::{LadderOrder, ladderize, sort};
pub use reroot::{RootPlace, reroot};
pub use resolve::{Resolution, resolve};
pub use subtree::{common_ancestor, subtree};
pub use support::one_support_at_root;
pub use unroot::unroot;

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
    /// The number of new vertices.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

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

    /// What belongs to branches, such as support, by new vertex: NaN where a branch is new.
    pub fn by_branch(&self, old: &[f64]) -> Vec<f64> {
        self.branch.iter().map(|&v| old.get(v as usize).copied().unwrap_or(f64::NAN)).collect()
    }
}
