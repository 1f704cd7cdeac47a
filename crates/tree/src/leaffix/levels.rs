//! **Problem.** Leaffix, level by level.
//!
//! **Method.** From the deepest level up, every vertex of a level multiplies its
//! children's products; the vertices of a level are independent of each other.
//!
//! **Cost.** n combinations, one barrier per level: a path has n levels, and narrow
//! levels run on one thread.
//!
//! **Determinism.** The association is that of the tree, whatever the threads.
//!
//! **Reference.** Defour and Marin, 2013, section II-A: the level-synchronous
//! method (there for rootfix).
//!
//! **When not to use.** On deep trees, and whenever `threads` is at hand: levels
//! jump about in memory.

use super::with_own;
use crate::Scope;
use palmette_core::memory::SharedSlice;
use palmette_core::parallel;
use palmette_core::{Lists, Monoid, Tree};

/// Vertices of a level that are worth a task of their own.
pub(crate) const GRAIN: usize = 1 << 11;

/// The leaffix by levels. Slices must have the tree's length, and `levels` must be
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
    for depth in (0..levels.len()).rev() {
        let settle = |i: u32| {
            let below = tree.children(i).fold(op.identity(), |product, c| {
                // SAFETY: the level below was finished before this one began.
                let child = unsafe { shared.get(c as usize) };
                let whole = match scope {
                    Scope::Inclusive => child,
                    Scope::Exclusive => op.combine(values[c as usize], child),
                };
                op.combine(product, whole)
            });
            let answer = with_own(op, scope, values[i as usize], below);
            // SAFETY: every position is on one level and is written once.
            unsafe { shared.set(i as usize, answer) };
        };
        let level = levels.of(depth as u32);
        parallel::for_each(level.len(), GRAIN, |k| settle(level[k]));
    }
}
