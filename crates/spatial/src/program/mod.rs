//! Tree algorithms as message programs.
//!
//! Everything here runs on the [simulator](crate::machine): the host only fills the
//! memory of the processors, starts one program after another, and reads the answers.
//! All are Las Vegas: the machine's seed decides what they cost, never what they answer.
//!
//! | to | use | energy, measured on Hilbert | depth |
//! |---|---|---|---|
//! | rank linked lists | [`list_ranking`] | 2.7 n^1.5 | O(log n) |
//! | walk around a tree | [`tour`] | 4.5 n^1.5 | O(log n) |
//! | bring a tree into light-first order | [`creation`] | 18 to 23 n^1.5 | O(log² n) |
//! | fold subtrees or root paths of a tree that lies so | [`treefix`] | 4 to 13 n | O(log n), or O(log² n) with many children per vertex |
//! | find lowest common ancestors of n pairs in it | [`lca`] | 27 to 94 n at 2^16 | O(log² n) |
//! | compare with what needs no layout | [`pram`] | 4 to 31 n^1.5 at 2^12 | O(log n) |
//!
//! [`Method`] chooses between the published way to contract lists and trees, and ours.
//!
//! docs/theorems.md has the constants theorem by theorem, and the tests that hold them.

mod coin;
pub mod creation;
mod error;
mod kin;
pub mod lca;
pub mod list_ranking;
mod method;
pub mod pram;
mod priority;
pub mod tour;
pub mod treefix;

/// Counts vertices by the round, from 1 on, in which each was contracted.
fn by_round(rounds: u32, contracted: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut counts = vec![0; rounds as usize];
    contracted.for_each(|round| counts[round as usize - 1] += 1);
    counts
}

pub use error::ProgramError;
pub use kin::{Kin, kin};
pub use method::Method;
