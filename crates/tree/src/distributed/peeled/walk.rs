//! Walks along chains: where they begin, and how cursors move.

use super::rounds::Left;
use crate::distributed::edges::Edges;
use crate::distributed::ranks::{Metered, Ranks, RanksError};
use palmette_core::NONE;
use palmette_core::memory::prefetch;

/// One link in so many is a start: a power of two.
const SAMPLE: u64 = 32;

/// Cursors that are moved in turn, so that memory latency overlaps.
const CURSORS: usize = 32;

/// In the number of pending children: that a vertex is a start, of which number here.
pub(super) const START: u32 = 1 << 31;

/// Where a walk is.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    pub(super) segment: u32,
    /// The number of its start on all ranks.
    pub(super) start: u32,
    /// The vertex or deputy to visit next, or [`NONE`].
    pub(super) next: u32,
}

/// A walk in progress.
pub(super) struct Walk<'a> {
    pub(super) edges: &'a Edges,
    pub(super) pending: &'a [u32],
    /// The number of the first start here.
    pub(super) first: u32,
    pub(super) passed: Vec<[u32; 2]>,
    /// Segments that end at a lone deputy, and that.
    pub(super) lone: Vec<[u32; 2]>,
    /// By rank, the vertices there that cursors go on to, and their starts.
    pub(super) leaving: Vec<Vec<u64>>,
    /// Starts that were followed to the next, and that.
    pub(super) ended: Vec<[u32; 2]>,
}

impl Walk<'_> {
    /// Moves cursors until each has left or ended.
    pub(super) fn go(&mut self, mut cursors: impl Iterator<Item = Cursor>) {
        let mut moving: Vec<Cursor> = Vec::with_capacity(CURSORS);
        loop {
            while moving.len() < CURSORS
                && let Some(cursor) = cursors.next()
            {
                self.expect(cursor.next);
                moving.push(cursor);
            }
            if moving.is_empty() {
                return;
            }
            let mut k = 0;
            while k < moving.len() {
                if let Some(next) = self.step(moving[k]) {
                    self.expect(next);
                    moving[k].next = next;
                } else if let Some(cursor) = cursors.next() {
                    self.expect(cursor.next);
                    moving[k] = cursor;
                } else {
                    moving.swap_remove(k);
                    continue;
                }
                k += 1;
            }
        }
    }

    fn expect(&self, next: u32) {
        // What is not needed is the first of all, which is in a cache.
        let (edges, next) = (self.edges, next as usize);
        let here = next < edges.vertices();
        prefetch(self.pending, if next < self.pending.len() { next } else { 0 });
        prefetch(&edges.up, if here { next } else { 0 });
        prefetch(&edges.targets, if here { 0 } else { edges.place(next as u32) });
    }

    /// Visits a vertex, and returns the next one on this rank.
    fn step(&mut self, Cursor { segment, start, next }: Cursor) -> Option<u32> {
        match self.pending.get(next as usize) {
            None if next == NONE => self.ended.push([start, NONE]),
            None => {
                self.lone.push([segment, next]);
                self.leave(start, next);
            }
            Some(&pending) if pending & START != 0 => {
                self.ended.push([start, self.first + (pending & !START)]);
            }
            Some(_) => {
                self.passed.push([segment, next]);
                match self.edges.up.get(next as usize) {
                    Some(&above) => return Some(above),
                    None => self.leave(start, next),
                }
            }
        }
        None
    }

    pub(super) fn leave(&mut self, start: u32, deputy: u32) {
        let word = u64::from(self.edges.target(deputy)) << 32 | u64::from(start);
        self.leaving[self.edges.owner(deputy)].push(word);
    }
}

/// Chooses the starts, and marks them with their numbers.
pub(super) fn starts(pending: &mut [u32], left: &Left, all: bool) -> Vec<u32> {
    let mut starts = left.ready.clone();
    for (k, &v) in (0..).zip(&starts) {
        pending[v as usize] = START | k;
    }
    for (pending, v) in pending.iter_mut().zip(0u32..) {
        let hash = u64::from(v).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let chosen = match *pending {
            0 | START.. => false,
            1 => all || hash % SAMPLE == 0,
            _ => true,
        };
        if chosen {
            *pending = START | starts.len() as u32;
            starts.push(v);
        }
    }
    starts
}

/// Cursors that left go to their ranks; those that came. Nothing when none left on any rank.
pub(super) fn hand_over<R: Ranks>(
    ranks: &mut Metered<R>,
    leaving: &mut [Vec<u64>],
) -> Result<Option<Vec<u64>>, RanksError> {
    let own: usize = leaving.iter().map(Vec::len).sum();
    let mut words = Vec::with_capacity(own + leaving.len());
    let mut counts = Vec::with_capacity(leaving.len());
    // Every rank hears how many left here: none anywhere is the end.
    for leaving in leaving {
        words.push(own as u64);
        words.append(leaving);
        counts.push(words.len() - counts.iter().sum::<usize>());
    }
    let mail = ranks.exchange(&words, &counts)?;
    let (mut arrived, mut any) = (Vec::with_capacity(mail.words.len()), false);
    for words in mail.by_rank() {
        if let Some((&left, cursors)) = words.split_first() {
            any |= left > 0;
            arrived.extend_from_slice(cursors);
        }
    }
    Ok(any.then_some(arrived))
}

/// A link that no walk has passed.
pub(super) fn unseen(pending: &[u32], passed: &[[u32; 2]]) -> u32 {
    let mut seen = vec![false; pending.len()];
    passed.iter().for_each(|&[_, v]| seen[v as usize] = true);
    let unseen = |&v: &usize| !seen[v] && (1..START).contains(&pending[v]);
    (0..pending.len()).find(unseen).unwrap_or(0) as u32
}
