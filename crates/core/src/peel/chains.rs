//! Long chains, cut at sampled vertices and walked side by side.
//!
//! **Problem.** A few vertices are ready, and everything that is left lies above
//! them: a tree with few leaves, hence a few long chains whose order in memory is
//! arbitrary. Following one chain waits for one cache miss after another.
//!
//! **Method.** One link in [`SAMPLE`] is marked, chosen by a hash of its number.
//! From every start (ready vertex, marked link, branching vertex) a cursor walks
//! up to the next stop and sums what it passes; each thread moves [`CURSORS`]
//! cursors in turn, so that their misses overlap. The stops form a tree
//! `SAMPLE` times smaller, which is peeled plainly. A second walk, now with the
//! sum at its start known, completes every vertex on the way.
//!
//! **Cost.** Two visits a vertex. The walks are independent of each other.
//!
//! **Determinism.** Starts, and so the association of the sums, depend on the
//! input only; threads change nothing.
//!
//! **Reference.** List ranking from sampled splitters: Helman and JáJá, 1999.

use super::{Peeled, Store};
use crate::NONE;
use crate::memory::{SharedSlice, huge_zeroed, prefetch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Cursors that one thread moves in turn.
const CURSORS: usize = 32;

/// One link in this many is a start.
const SAMPLE: u64 = 256;

/// Starts that a thread takes at a time.
const BATCH: usize = 64;

fn sampled(v: usize) -> bool {
    (v as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56 == 0
}

/// What a walk from a start found.
#[derive(Clone, Copy)]
struct Walk<T> {
    /// The stop above, or NONE.
    stop: u32,
    /// The links passed.
    steps: u32,
    /// Their sum, if there are any.
    sum: Option<T>,
    /// Where the start stands in the order; NONE when it was not reached.
    place: u32,
}

pub(super) fn finish<S: Store>(parents: &[u32], store: &S, ready: &[u32], peeled: &mut Peeled) {
    debug_assert_eq!(SAMPLE, 256, "`sampled` keeps the top eight bits");
    let n = parents.len();
    let inner: Vec<(u32, bool)> = (0..n.div_ceil(1 << 15))
        .into_par_iter()
        .flat_map_iter(|chunk| {
            let range = chunk << 15..((chunk + 1) << 15).min(n);
            range.filter_map(|v| match store.is_link(v) {
                true => sampled(v).then_some((v as u32, true)),
                false => store.is_open(v).then_some((v as u32, false)),
            })
        })
        .collect();
    let mark = |turn: fn(&S, usize)| {
        inner.iter().filter(|&&(_, link)| link).for_each(|&(v, _)| turn(store, v as usize));
    };
    // Inner starts ascend, so that a stop is found by binary search; ready ones
    // come after them.
    let starts: Vec<u32> = inner.iter().map(|&(v, _)| v).chain(ready.iter().copied()).collect();
    let mut walks = vec![Walk { stop: NONE, steps: 0, sum: None, place: NONE }; starts.len()];
    mark(S::mark);
    survey(parents, store, &starts, &mut walks);
    mark(S::unmark);
    let length = contract(store, &starts, inner.len(), &mut walks, peeled);
    peeled.top = huge_zeroed(length);
    complete(parents, store, &starts, &walks, &mut peeled.top);
}

/// One cursor: the walk it is on, the vertex it will visit next, its sum so far.
struct Cursor<T> {
    walk: usize,
    next: u32,
    steps: u32,
    sum: Option<T>,
}

/// Moves [`CURSORS`] cursors per thread over all walks. `ask` asks for the cache lines of a
/// vertex, `begin` gives a cursor for a walk, or none; `step` moves one and says whether it goes on.
fn walk_all<T: Send>(
    walks: usize,
    ask: impl Fn(usize) + Sync,
    begin: impl Fn(usize) -> Option<Cursor<T>> + Sync,
    step: impl Fn(&mut Cursor<T>) -> bool + Sync,
) {
    let next = AtomicUsize::new(0);
    rayon::broadcast(|_| {
        let mut batch = 0..0;
        let mut fresh = || loop {
            let Some(walk) = batch.next() else {
                let from = next.fetch_add(BATCH, Relaxed).min(walks);
                batch = from..(from + BATCH).min(walks);
                if batch.is_empty() {
                    return None;
                }
                continue;
            };
            if let Some(cursor) = begin(walk) {
                return Some(cursor);
            }
        };
        let mut cursors: Vec<Cursor<T>> = std::iter::from_fn(&mut fresh).take(CURSORS).collect();
        while !cursors.is_empty() {
            let mut i = 0;
            while i < cursors.len() {
                let cursor = &mut cursors[i];
                if step(cursor) {
                    ask(cursor.next as usize);
                    i += 1;
                } else if let Some(another) = fresh() {
                    *cursor = another;
                } else {
                    cursors.swap_remove(i);
                }
            }
        }
    });
}

fn ask<S: Store>(parents: &[u32], store: &S, v: usize) {
    if !S::HAS_PARENTS {
        prefetch(parents, v);
    }
    store.prefetch(v);
}

/// First walk: where each start leads, and the sum of the links on the way.
fn survey<S: Store>(parents: &[u32], store: &S, starts: &[u32], walks: &mut [Walk<S::Sum>]) {
    let count = walks.len();
    let found = SharedSlice::new(walks);
    walk_all(
        count,
        |v| ask(parents, store, v),
        |walk| {
            Some(Cursor {
                walk,
                next: store.parent(parents, starts[walk] as usize),
                steps: 0,
                sum: None,
            })
        },
        |cursor| {
            let v = cursor.next as usize;
            if cursor.next != NONE && store.is_link(v) {
                let own = store.sum(v);
                cursor.sum = Some(cursor.sum.map_or(own, |sum| store.join(sum, own)));
                cursor.steps += 1;
                cursor.next = store.parent(parents, v);
                return true;
            }
            let &mut Cursor { walk, next: stop, steps, sum } = cursor;
            // SAFETY: every walk is taken by one cursor.
            unsafe { found.set(walk, Walk { stop, steps, sum, place: NONE }) };
            false
        },
    );
}

/// Peels the tree of starts and stops, gives every piece its place in the order,
/// and returns the length of the order.
fn contract<S: Store>(
    store: &S,
    starts: &[u32],
    inner: usize,
    walks: &mut [Walk<S::Sum>],
    peeled: &mut Peeled,
) -> usize {
    let mut queue: Vec<usize> = (inner..starts.len()).collect();
    let (mut head, mut length) = (0, 0);
    while let Some(&at) = queue.get(head) {
        head += 1;
        let walk = &mut walks[at];
        walk.place = length;
        peeled.pieces.push(length);
        length += 1 + walk.steps;
        if walk.stop != NONE {
            let start = store.sum(starts[at] as usize);
            let sum = walk.sum.map_or(start, |sum| store.join(start, sum));
            if store.add(walk.stop as usize, sum) {
                let stop = starts[..inner].binary_search(&walk.stop);
                queue.push(stop.expect("a walk stops at an inner start"));
            }
        }
    }
    peeled.pieces.push(length);
    length as usize
}

/// Second walk: every link on the way gets its final sum and its place.
fn complete<S: Store>(
    parents: &[u32],
    store: &S,
    starts: &[u32],
    walks: &[Walk<S::Sum>],
    top: &mut [u32],
) {
    let top = SharedSlice::new(top);
    walk_all(
        walks.len(),
        |v| ask(parents, store, v),
        |walk| {
            let start = starts[walk] as usize;
            let place = walks[walk].place;
            if place == NONE {
                return None;
            }
            // SAFETY: pieces do not overlap, and each is written by one cursor.
            unsafe { top.set(place as usize, start as u32) };
            let next = store.parent(parents, start);
            Some(Cursor { walk, next, steps: 0, sum: Some(store.sum(start)) })
        },
        |cursor| {
            let walk = &walks[cursor.walk];
            if cursor.steps == walk.steps {
                return false;
            }
            let v = cursor.next as usize;
            let sum = store.sum(v);
            let sum = cursor.sum.map_or(sum, |below| store.join(below, sum));
            store.complete(v, sum);
            cursor.sum = Some(sum);
            cursor.steps += 1;
            // SAFETY: as above.
            unsafe { top.set((walk.place + cursor.steps) as usize, v as u32) };
            cursor.next = store.parent(parents, v);
            true
        },
    );
}
