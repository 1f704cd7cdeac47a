//! From places among siblings to positions in the preorder.
//!
//! **Problem.** Every vertex knows how far behind its parent it stands; find its position.
//! **Method.** Go down in the reverse of the order in which the tree was peeled, so that parents
//! are placed before children; tasks work in parallel, and a task that needs an ancestor of another
//! task places it itself, with the same result. Long chains are summed piece by piece. **Cost.**
//! Linear.

use super::Down;
use super::claim::link;
use crate::NONE;
use crate::memory::{huge_vec, huge_zeroed, prefetch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const AHEAD: usize = 24;
const CHUNK: usize = 1 << 16;

/// What is known of a tree once its vertices have positions.
pub(super) struct Placed {
    /// The parent's position, by position.
    pub(super) parent: Vec<u32>,
    /// The size of the subtree, by position.
    pub(super) size: Vec<u32>,
    /// The vertex, by position.
    pub(super) vertex_at: Vec<u32>,
    /// The position, by vertex.
    pub(super) position_of: Vec<u32>,
}

/// The positions of all vertices. `scratch` is memory for one word per vertex; what it holds does
/// not matter.
pub(super) fn positions(
    roots: &[u32],
    links: Vec<AtomicU64>,
    scratch: Vec<AtomicU64>,
    down: &Down,
) -> Placed {
    let n = links.len();
    let sweep = Sweep { links, placed: scratch };
    roots.iter().for_each(|&root| sweep.settle(root, sweep.link(root).1, NONE));
    match down {
        Down::Ascending => sweep.all(n, |i| (n - 1 - i) as u32),
        Down::Descending => sweep.all(n, |i| i as u32),
        Down::Peeled(peeled) => {
            sweep.top(&peeled.top, &peeled.pieces);
            peeled.queues.par_iter().for_each(|queue| sweep.all(queue.len(), |i| queue[i]));
        }
    }
    let half = |words: &[AtomicU64], shift: u32| {
        let mut to: Vec<u32> = huge_zeroed(n);
        let fill = |(to, from): (&mut [u32], &[AtomicU64])| {
            to.iter_mut().zip(from).for_each(|(t, f)| *t = (f.load(Relaxed) >> shift) as u32);
        };
        to.par_chunks_mut(CHUNK).zip(words.par_chunks(CHUNK)).for_each(fill);
        to
    };
    let position_of = half(&sweep.links, 0);
    drop(sweep.links);
    let parent = half(&sweep.placed, 32);
    // Sizes are one sweep; another thread has something else to do meanwhile.
    let (size, vertex_at) = rayon::join(|| sizes(&parent), || half(&sweep.placed, 0));
    Placed { parent, size, vertex_at, position_of }
}

/// The size of every subtree, by position.
fn sizes(parent: &[u32]) -> Vec<u32> {
    let mut size = huge_vec(parent.len(), 1u32);
    for i in (0..parent.len()).rev() {
        if parent[i] != NONE {
            size[parent[i] as usize] += size[i];
        }
    }
    size
}

/// Going down in the reverse of a peeling order.
///
/// A link whose parent is NONE holds a position. Links are relaxed atomics: two
/// threads may place the same vertex, and then write the same words.
struct Sweep {
    links: Vec<AtomicU64>,
    /// By position: the parent's position in the high half, the vertex in the low.
    placed: Vec<AtomicU64>,
}

impl Sweep {
    fn link(&self, v: u32) -> (u32, u32) {
        let link = self.links[v as usize].load(Relaxed);
        ((link >> 32) as u32, link as u32)
    }

    #[inline(always)]
    fn settle(&self, v: u32, position: u32, above: u32) {
        self.links[v as usize].store(link(NONE, position), Relaxed);
        self.placed[position as usize].store(link(above, v), Relaxed);
    }

    /// Finds the position of a vertex, and first those of its ancestors where another
    /// task has not yet placed them. Returns what is still to be written, and where.
    #[inline(always)]
    fn place(&self, v: u32) -> Option<(u32, u64)> {
        let (parent, offset) = self.link(v);
        if parent == NONE {
            return None;
        }
        match self.link(parent) {
            (NONE, above) => {
                self.links[v as usize].store(link(NONE, above + offset), Relaxed);
                Some((above + offset, link(above, v)))
            }
            _ => {
                self.climb(v);
                None
            }
        }
    }

    #[cold]
    fn climb(&self, mut v: u32) {
        let mut path = Vec::new();
        let mut above = loop {
            let (parent, offset) = self.link(v);
            if parent == NONE {
                break offset;
            }
            path.push((v, offset));
            v = parent;
        };
        for &(v, offset) in path.iter().rev() {
            self.settle(v, above + offset, above);
            above += offset;
        }
    }

    /// A task's vertices, from the last of so many to the first. Where a vertex goes is known only when
    /// it is placed, so what goes there waits until its cache line has come.
    #[inline(always)]
    fn all(&self, count: usize, vertex: impl Fn(usize) -> u32) {
        let mut waiting = [(0u32, u64::MAX); AHEAD];
        for i in (0..count).rev() {
            if i >= 3 * AHEAD {
                prefetch(&self.links, vertex(i - 3 * AHEAD) as usize);
            }
            if i >= 2 * AHEAD {
                prefetch(&self.links, self.link(vertex(i - 2 * AHEAD)).0 as usize);
            }
            if let Some((position, word)) = self.place(vertex(i)) {
                prefetch(&self.placed, position as usize);
                let (position, word) = std::mem::replace(&mut waiting[i % AHEAD], (position, word));
                if word != u64::MAX {
                    self.placed[position as usize].store(word, Relaxed);
                }
            }
        }
        for (position, word) in waiting.into_iter().filter(|&(_, word)| word != u64::MAX) {
            self.placed[position as usize].store(word, Relaxed);
        }
    }

    /// The vertical pieces: their heights in parallel, the position at the foot of
    /// each one after another, then what is above the foot in parallel.
    fn top(&self, top: &[u32], pieces: &[u32]) {
        let piece = |k: usize| &top[pieces[k] as usize..pieces[k + 1] as usize];
        let count = pieces.len().saturating_sub(1);
        let heights: Vec<u32> = (0..count)
            .into_par_iter()
            .with_min_len(64)
            .map(|k| {
                let piece = piece(k);
                piece.iter().enumerate().fold(0, |height, (i, &v)| {
                    piece.get(i + AHEAD).inspect(|&&far| prefetch(&self.links, far as usize));
                    height + self.link(v).1
                })
            })
            .collect();
        for k in (0..count).rev() {
            let (foot, (parent, offset)) = (piece(k)[0], self.link(piece(k)[0]));
            if parent != NONE {
                let position = self.base(piece(k)) + heights[k];
                self.settle(foot, position, position - offset);
            }
        }
        (0..count).into_par_iter().with_min_len(64).for_each(|k| {
            let piece = piece(k);
            let mut above = self.base(piece);
            for i in (1..piece.len()).rev() {
                if i >= AHEAD {
                    prefetch(&self.links, piece[i - AHEAD] as usize);
                }
                let (parent, offset) = self.link(piece[i]);
                if parent != NONE {
                    self.settle(piece[i], above + offset, above);
                }
                above += offset;
            }
        });
    }

    /// The position above a piece: that of the parent of its last entry, which is
    /// the foot of another piece; 0 when the last entry is a root, whose offset is
    /// its position.
    fn base(&self, piece: &[u32]) -> u32 {
        match self.link(piece[piece.len() - 1]) {
            (NONE, _) => 0,
            (parent, _) => self.link(parent).1,
        }
    }
}
