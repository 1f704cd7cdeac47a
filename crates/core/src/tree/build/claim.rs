//! From subtree sizes to places among siblings.
//!
//! **Problem.** In preorder a subtree is an interval; find where each vertex's interval begins
//! inside its parent's. **Method.** Vertices take the next free part of their parent's interval, in
//! the order in which siblings are to stand: one sweep for the given order, a sweep over a radix
//! sort for orders by size. Two threads share the sweep for the given order by parents: one goes up
//! from the first vertex and hands out intervals from their beginning, the other goes down from the
//! last and hands them out from their end. **Cost.** Linear; sorting takes one more pass for each 11
//! bits that differ.

use crate::NONE;
use crate::memory::{huge_zeroed, prefetch};
use crate::tree::SiblingOrder;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const AHEAD: usize = 32;
const HIGH: u64 = 1 << 32;

/// Below this many vertices a second thread is not worth its start.
const SHARED_FROM: usize = 1 << 22;

/// Vertices that a thread looks through at a time for those whose parents are its own.
const ROW: usize = 128;

/// A vertex on its way to its position: the parent in the high half, and how far
/// after the parent's position it stands in the low half. With [`NONE`] as the
/// parent, the low half is the position itself.
pub(super) type Link = u64;

pub(super) fn link(parent: u32, offset: u32) -> Link {
    u64::from(parent) * HIGH + u64::from(offset)
}

/// Links of which each is written by one thread.
pub(super) fn shared(words: Vec<u64>) -> Vec<AtomicU64> {
    // In place: both types have one layout, so the collect reuses the memory.
    words.into_iter().map(AtomicU64::new).collect()
}

/// The link of every vertex, from the sizes in the low halves of `words`; gives
/// the words back as scratch memory.
///
/// Vertices claim in the order in which siblings are to stand: as given, that is
/// one sweep; by size, a sweep in an order sorted by size.
pub(super) fn offsets(
    parents: &[u32],
    words: Vec<u64>,
    siblings: SiblingOrder,
) -> (Vec<AtomicU64>, Vec<AtomicU64>) {
    let n = parents.len();
    let order = match siblings {
        SiblingOrder::AsGiven => Vec::new(),
        _ => by_size(&words, siblings == SiblingOrder::HeavyFirst),
    };
    let claims = Claims { parents, words: shared(words), links: shared(huge_zeroed(n)) };
    if siblings == SiblingOrder::AsGiven {
        let several = n >= SHARED_FROM && rayon::current_num_threads() > 1;
        match middle(parents).filter(|_| several) {
            Some(middle) => {
                rayon::join(|| claims.up(middle), || claims.down(middle));
            }
            None => claims.all(),
        }
    } else {
        claims.in_order(&order);
    }
    (claims.links, claims.words)
}

/// A parent so that about as many vertices have one up to it as have a later one; none if that is
/// far from possible, as in a star.
fn middle(parents: &[u32]) -> Option<u32> {
    const SAMPLES: usize = 1024;
    let step = (parents.len() / SAMPLES).max(1);
    let mut some: Vec<u32> = parents.iter().copied().step_by(step).collect();
    some.sort_unstable();
    let middle = *some.get(some.len() / 2)?;
    let before = some.partition_point(|&p| p <= middle);
    (middle != NONE && 4 * before <= 3 * some.len()).then_some(middle)
}

struct Claims<'a> {
    parents: &'a [u32],
    /// Sizes in the low halves, which never change; the high half counts what a vertex's children
    /// have claimed, and is written by one thread.
    words: Vec<AtomicU64>,
    links: Vec<AtomicU64>,
}

impl Claims<'_> {
    fn size(&self, v: usize) -> u64 {
        self.words[v].load(Relaxed) % HIGH
    }

    /// Claims the next free part of an interval; says what was claimed before.
    #[inline(always)]
    fn next(&self, v: usize, p: u32) -> u32 {
        let word = &self.words[p as usize];
        let old = word.load(Relaxed);
        word.store(old.wrapping_add(self.size(v) * HIGH), Relaxed);
        (old / HIGH) as u32
    }

    #[inline(always)]
    fn claim(&self, v: usize, p: u32, before_root: &mut u64) {
        let offset = match p {
            NONE => {
                let before = *before_root as u32;
                *before_root += self.size(v);
                before
            }
            p => self.next(v, p) + 1,
        };
        self.links[v].store(link(p, offset), Relaxed);
    }

    /// All vertices as they are numbered.
    fn all(&self) {
        let mut before_root = 0;
        for (v, &p) in self.parents.iter().enumerate() {
            if let Some(&far) = self.parents.get(v + AHEAD) {
                prefetch(&self.words, far as usize);
            }
            self.claim(v, p, &mut before_root);
        }
    }

    /// All vertices in an order.
    fn in_order(&self, order: &[u32]) {
        let (parents, mut before_root) = (self.parents, 0);
        for (i, &v) in order.iter().enumerate() {
            if let Some(&far) = order.get(i + 2 * AHEAD) {
                prefetch(parents, far as usize);
                prefetch(&self.words, far as usize);
            }
            if let Some(&far) = order.get(i + AHEAD) {
                prefetch(&self.words, parents[far as usize] as usize);
            }
            self.claim(v as usize, parents[v as usize], &mut before_root);
        }
    }

    /// Roots, and vertices whose parent is at most `middle`, from the first one.
    fn up(&self, middle: u32) {
        let mut before_root = 0;
        let rows = (0..self.parents.len()).step_by(ROW);
        self.rows(
            rows,
            |p| p <= middle || p == NONE,
            |own| {
                own.iter().for_each(|&v| {
                    self.claim(v as usize, self.parents[v as usize], &mut before_root)
                });
            },
        );
    }

    /// Vertices whose parent is after `middle`, from the last one: what is free of their parent's
    /// interval ends where a later sibling's begins.
    fn down(&self, middle: u32) {
        let rows = (0..self.parents.len()).step_by(ROW).rev();
        self.rows(
            rows,
            |p| p > middle && p != NONE,
            |own| {
                for &v in own.iter().rev() {
                    let (v, p) = (v as usize, self.parents[v as usize]);
                    let behind = self.next(v, p);
                    let end = (self.size(p as usize) as u32) - behind;
                    self.links[v].store(link(p, end - self.size(v) as u32), Relaxed);
                }
            },
        );
    }

    /// Calls `work` with those vertices of every row whose parent is `mine`, a row after their
    /// parents' words were asked for.
    #[inline(always)]
    fn rows(
        &self,
        rows: impl Iterator<Item = usize>,
        mine: impl Fn(u32) -> bool,
        mut work: impl FnMut(&[u32]),
    ) {
        let (mut next, mut now) = ([0u32; ROW], [0u32; ROW]);
        let mut ready = 0;
        for start in rows {
            let mut found = 0;
            // Without a branch: on shuffled labels it would be a coin toss.
            for (v, &p) in (start as u32..).zip(self.parents[start..].iter().take(ROW)) {
                next[found] = v;
                found += usize::from(mine(p));
            }
            for &v in &next[..found] {
                prefetch(&self.words, self.parents[v as usize] as usize);
            }
            work(&now[..ready]);
            std::mem::swap(&mut next, &mut now);
            ready = found;
        }
        work(&now[..ready]);
    }
}

/// The vertices sorted by size, ties as in the input: a radix sort on digits of
/// eleven bits that skips digits which all share.
fn by_size(words: &[u64], descending: bool) -> Vec<u32> {
    const BITS: u32 = 11;
    const DIGITS: usize = 1 << BITS;
    let flip = if descending { u32::MAX } else { 0 };
    let mut order: Vec<u32> = (0..words.len() as u32).collect();
    let mut other: Vec<u32> = huge_zeroed(words.len());
    for shift in [0, BITS, 2 * BITS] {
        let digit = |v: u32| ((words[v as usize] as u32 ^ flip) >> shift) as usize % DIGITS;
        // Not `lists::offsets`: a digit that all share shows in the counts and costs no pass.
        let mut start = vec![0usize; DIGITS + 1];
        order.iter().for_each(|&v| start[digit(v) + 1] += 1);
        if start.contains(&words.len()) {
            continue;
        }
        for d in 0..DIGITS {
            start[d + 1] += start[d];
        }
        for &v in &order {
            let place = &mut start[digit(v)];
            other[*place] = v;
            *place += 1;
        }
        std::mem::swap(&mut order, &mut other);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_threads_claim_as_one() {
        // A root with 200 children, of which every third has grandchildren, and a second root.
        let n = 5000u32;
        let parents: Vec<u32> = (0..n)
            .map(|v| match v {
                0 | 2500 => NONE,
                1..=200 => 0,
                v => (v * 7919 % 66) * 3 + 1,
            })
            .collect();
        let mut sizes = vec![1u64; parents.len()];
        for v in (0..parents.len()).filter(|&v| v > 200 && parents[v] != NONE) {
            sizes[parents[v] as usize] += 1;
        }
        sizes[0] += (1..=200).map(|v| sizes[v]).sum::<u64>();
        let claims = || {
            let (words, links) = (shared(sizes.clone()), shared(vec![0; parents.len()]));
            Claims { parents: &parents, words, links }
        };
        let links = |claims: &Claims<'_>| -> Vec<u64> {
            claims.links.iter().map(|link| link.load(Relaxed)).collect()
        };
        let alone = claims();
        alone.all();
        for middle in [0, 1, 50, 100, 199] {
            let both = claims();
            both.up(middle);
            both.down(middle);
            assert_eq!(links(&both), links(&alone), "{middle}");
        }
        assert_eq!(middle(&parents).map(|m| m < 200), Some(true));
        assert_eq!(middle(&vec![0; 5000]), None);
        assert_eq!(middle(&vec![NONE; 5000]), None);
    }
}
