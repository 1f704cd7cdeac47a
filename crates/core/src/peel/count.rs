//! Counts the children of every vertex.
//!
//! **Problem.** Given parents, find the number of children of each vertex, the roots, and whether
//! parents come before or after their children. **Method.** One byte per vertex, so that ten
//! million counters fit in a cache; a vertex with more than 255 children gets extra entries in a
//! list. **Cost.** One pass over the parents.

use crate::memory::{huge_zeroed, prefetch};
use crate::{NONE, TreeError};

/// Whether every parent comes before its children. Such parents are those of a forest.
pub fn parents_come_first(parents: &[u32]) -> bool {
    const ROW: usize = 1 << 12;
    let row = |(k, row): (usize, &[u32])| {
        let first = (k * ROW) as u32;
        let before = |(&p, v): (&u32, u32)| p < v || p == NONE;
        row.iter().zip(first..).fold(true, |all, x| all & before(x))
    };
    parents.len() <= crate::MAX_VERTICES && parents.chunks(ROW).enumerate().all(row)
}

/// The number of children of every vertex, in a byte each so that ten million of
/// them fit a cache; the few that need more are listed apart.
#[derive(Debug)]
pub struct ChildCounts {
    /// The number of children modulo 256.
    pub low: Vec<u8>,
    /// One entry for every 256 children of a vertex.
    pub carries: Vec<u32>,
    /// The vertices with no parent, ascending.
    pub roots: Vec<u32>,
    /// Whether every parent comes before its children.
    pub ascending: bool,
    /// Whether every parent comes after its children.
    pub descending: bool,
}

impl ChildCounts {
    /// Counts, checks that parents are in range, and notices the order.
    ///
    /// # Errors
    /// A parent out of range, or too many vertices.
    pub fn new(parents: &[u32]) -> Result<ChildCounts, TreeError> {
        const AHEAD: usize = 32;
        let n = parents.len();
        if n > crate::MAX_VERTICES {
            return Err(TreeError::TooMany { vertices: n as u64 });
        }
        let mut low: Vec<u8> = huge_zeroed(n);
        let (mut carries, mut roots) = (Vec::new(), Vec::new());
        // Comparisons are counted, not branched on: on shuffled labels they are
        // coin tosses.
        let (mut before, mut after) = (0usize, 0usize);
        for (v, &p) in parents.iter().enumerate() {
            if let Some(&far) = parents.get(v + AHEAD) {
                prefetch(&low, far as usize);
            }
            match low.get_mut(p as usize) {
                Some(count) => {
                    *count = count.wrapping_add(1);
                    if *count == 0 {
                        carries.push(p);
                    }
                    before += usize::from((p as usize) < v);
                    after += usize::from((p as usize) > v);
                }
                None if p == NONE => roots.push(v as u32),
                None => {
                    let vertex = v as u32;
                    return Err(TreeError::ParentOutOfRange { vertex, parent: p, vertices: n });
                }
            }
        }
        let (ascending, descending) = (before + roots.len() == n, after + roots.len() == n);
        Ok(ChildCounts { low, carries, roots, ascending, descending })
    }
}
