//! Peeling: combine every vertex into its parent, leaves first, from a bare
//! parent array in any order.
//!
//! **Problem.** Input: the parent of every vertex, and a [`Store`] that holds a
//! sum and a number of pending children for each. Output: every sum completed
//! over its subtree, and an order in which children come before parents.
//!
//! **Method.** The vertices with no pending children are a queue; folding the
//! head of the queue into its parent may complete the parent, which joins the
//! tail without a branch. Because the queue says which vertices come next, their
//! cache lines are asked for long before they are needed. When fewer vertices are
//! ready than it takes to hide a cache miss, what is left of the tree has so few
//! leaves that it consists of a few long chains: `chains.rs` cuts those at sampled
//! vertices and walks the pieces side by side.
//!
//! **Cost.** O(n) work. The peeling loop moves about two random cache lines per vertex; a chain
//! costs two walks. No shape makes it wait for one miss after another: that is measured by `make
//! bench-tree` on a shuffled path and a shuffled caterpillar.
//!
//! **Determinism.** With one task the order is a function of the input. With
//! several tasks the order depends on timing, and so does the association of the
//! sums: use several only for sums where that cannot be seen, such as integers.
//!
//! **When not to use.** When parents come before (or after) all their children,
//! one sweep over the array is faster.

mod chains;
mod count;
mod store;

pub use count::{ChildCounts, parents_come_first};
pub use store::{Entries, Order, Sizes, Store, Values};

use crate::NONE;
use crate::memory::{huge_copy, huge_zeroed, prefetch};

/// How far ahead of its use a cache line is asked for, in queue entries.
const AHEAD: usize = 24;

/// Below this many vertices nothing is worth overlapping.
const SMALL: usize = 1 << 14;

/// An order in which children come before parents.
#[derive(Debug, Default)]
pub struct Peeled {
    /// Finished by the queues, one list per task. A parent may be in the list of
    /// another task than its child; within a task, children come first.
    pub queues: Vec<Vec<u32>>,
    /// Finished afterwards, each entry after all entries below it.
    pub top: Vec<u32>,
    /// Where the vertical pieces of `top` begin: inside a piece each entry is the
    /// parent of the one before. Has one entry more than there are pieces.
    pub pieces: Vec<u32>,
}

impl Peeled {
    /// The number of vertices that were finished; fewer than all when there is a
    /// cycle.
    pub fn finished(&self) -> usize {
        self.queues.iter().map(Vec::len).sum::<usize>() + self.top.len()
    }
}

/// Peels a forest given by `parents`; entries must be valid indices or [`NONE`].
pub fn peel<S: Store>(parents: &[u32], store: &S, tasks: usize) -> Peeled {
    let n = parents.len();
    let tasks = if n < SMALL { 1 } else { tasks.max(1) };
    // Reached at random, so worth a copy on huge pages.
    let copy = if S::HAS_PARENTS { Vec::new() } else { huge_copy(parents) };
    let parents = if S::HAS_PARENTS { parents } else { &copy[..] };
    let share = n.div_ceil(tasks).max(1);
    let mut runs: Vec<(Vec<u32>, Vec<u32>)> = vec![Default::default(); tasks];
    rayon::scope(|scope| {
        for (task, run) in runs.iter_mut().enumerate() {
            let range = (task * share).min(n)..((task + 1) * share).min(n);
            let work = move || {
                if tasks > 1 {
                    queue::<S, true>(parents, store, range)
                } else {
                    queue::<S, false>(parents, store, range)
                }
            };
            scope.spawn(move |_| *run = work());
        }
    });
    let mut peeled = Peeled::default();
    let mut ready = Vec::new();
    for (done, left) in runs {
        peeled.queues.push(done);
        ready.extend(left);
    }
    let remaining = n - peeled.finished();
    if remaining > SMALL && remaining > n / 64 {
        chains::finish(parents, store, &ready, &mut peeled);
    } else {
        plain(parents, store, ready, &mut peeled);
    }
    peeled
}

/// Peels from the leaves in `range` until too few are ready. Returns the finished
/// vertices in order, and those that are complete but not folded into their parents.
fn queue<S: Store, const SHARED: bool>(
    parents: &[u32],
    store: &S,
    range: std::ops::Range<usize>,
) -> (Vec<u32>, Vec<u32>) {
    let n = parents.len();
    let mut log: Vec<u32> = huge_zeroed(n + 1);
    let mut len = 0;
    for v in range {
        log[len] = v as u32;
        len += usize::from(store.is_leaf(v));
    }
    let enough = if n < SMALL { 1 } else { 2 * AHEAD };
    let mut head = 0;
    while head + enough <= len {
        if let Some(&far) = log[..len].get(head + 2 * AHEAD) {
            if !S::HAS_PARENTS {
                prefetch(parents, far as usize);
            }
            store.prefetch(far as usize);
        }
        if let Some(&near) = log[..len].get(head + AHEAD) {
            // NONE is far out of range; asking for it does nothing.
            store.prefetch(store.parent(parents, near as usize) as usize);
        }
        let child = log[head] as usize;
        head += 1;
        let p = store.parent(parents, child);
        if p != NONE {
            let last = store.fold::<SHARED>(p as usize, child);
            log[len] = p;
            len += usize::from(last);
        }
    }
    let left = log[head..len].to_vec();
    log.truncate(head);
    (log, left)
}

/// Finishes a small rest one vertex after another; every entry is its own piece.
fn plain<S: Store>(parents: &[u32], store: &S, ready: Vec<u32>, peeled: &mut Peeled) {
    let mut queue = ready;
    let mut head = 0;
    while let Some(&child) = queue.get(head) {
        head += 1;
        let p = store.parent(parents, child as usize);
        if p != NONE && store.fold::<false>(p as usize, child as usize) {
            queue.push(p);
        }
    }
    peeled.pieces = (0..=queue.len() as u32).collect();
    peeled.top = queue;
}
