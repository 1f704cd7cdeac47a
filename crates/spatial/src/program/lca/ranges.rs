//! Subtrees as ranges of addresses.
//!
//! **Problem.** Every vertex is to know the addresses of its subtree.
//!
//! **Method.** The tree lies in preorder, so the subtree of the vertex at address p is the
//! range [p, p + size): one leaffix of ones.
//!
//! **Cost.** That of a [leaffix](crate::program::treefix::leaffix), phases `sizes ...`.
//!
//! **Determinism.** The ranges and their costs depend on the tree alone.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section VI-C, step 1.
//!
//! **When not to use.** Where the host has the tree, its sizes are known: they could be input.

use crate::collective::Range;
use crate::machine::{Machine, Memory};
use crate::program::{Kin, ProgramError, treefix};
use palmette_core::operator::Sum;

/// The range of every vertex's subtree.
#[derive(Debug, Clone)]
pub struct SubtreeRanges {
    /// By address; every range begins with its vertex.
    pub ranges: Memory<Range>,
    /// The rounds of the leaffix.
    pub rounds: u32,
    /// How many vertices it contracted in each round.
    pub contracted: Vec<u64>,
}

/// Finds the range of every vertex's subtree.
///
/// # Errors
/// Memory of another machine, and what stops this one.
pub fn subtree_ranges(
    machine: &mut Machine,
    kin: &Memory<Kin>,
) -> Result<SubtreeRanges, ProgramError> {
    let ones = Memory::new(machine.processors(), |_| 1);
    let sizes = treefix::leaffix(&mut machine.keep(kin), "sizes", Sum::<u32>::new(), kin, ones)?;
    let contracted = sizes.by_round();
    let ranges = sizes.values.map(|me, size| Range::new(me, me + size));
    Ok(SubtreeRanges { ranges, rounds: sizes.rounds, contracted })
}
