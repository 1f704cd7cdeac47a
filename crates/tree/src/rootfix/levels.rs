//! **Problem.** Rootfix, level by level.
//!
//! **Method.** Every vertex of a level takes its parent's answer from the level
//! above; the vertices of a level are independent of each other.
//!
//! **Cost.** n combinations, one barrier per level; narrow levels run on one thread.
//!
//! **Determinism.** The association is from the root down, whatever the threads.
//!
//! **Reference.** Defour and Marin, 2013, Algorithm 1, with the queues replaced by
//! a counting sort on depth.
//!
//! **When not to use.** On deep trees, and whenever `threads` is at hand.

use super::step;
use crate::Scope;
use crate::leaffix::GRAIN;
use palmette_core::memory::SharedSlice;
use palmette_core::parallel;
use palmette_core::{Lists, Monoid, NONE, Tree};

/// The rootfix by levels. Slices must have the tree's length, and `levels` must be
/// the tree's.
pub fn levels<M: Monoid>(
    tree: &Tree,
    levels: &Lists,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let shared = SharedSlice::new(out);
    for depth in 0..levels.len() {
        let settle = |i: u32| {
            let i = i as usize;
            let p = tree.parents()[i];
            let own = step(op, scope, values, i, p);
            // SAFETY: the level above was finished before this one began, and every
            // position is on one level.
            unsafe {
                let answer = match p {
                    NONE => own,
                    p => op.combine(shared.get(p as usize), own),
                };
                shared.set(i, answer);
            }
        };
        let level = levels.of(depth as u32);
        parallel::for_each(level.len(), GRAIN, |k| settle(level[k]));
    }
}
