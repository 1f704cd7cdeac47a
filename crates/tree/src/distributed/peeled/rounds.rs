//! Rounds of peeling: what is complete on a rank goes up, then to the ranks of the parents.
//!
//! **Method.** In a round every rank folds its complete vertices into their parents, in the order
//! of a queue that says which cache lines come next; deputies that are complete go to their
//! vertices. Rounds end when little is left, or when a round finishes little of what is left:
//! then that consists of long chains. **Cost.** Half a word for each deputy; a round and a gather
//! for each time that a root path changes ranks, as long as that pays.

use crate::distributed::edges::{AHEAD, Edges, exchange_small};
use crate::distributed::ranks::{Metered, Ranks, RanksError};
use palmette_core::memory::{huge_zeroed, prefetch};
use palmette_core::{Lists, Monoid, NONE};

/// Below so many vertices and deputies nothing is worth overlapping.
const SMALL: usize = 1 << 14;

/// A round that finishes less than one in so many of what is left is the last.
const WORTH: u64 = 16;

/// Which vertices are finished when.
#[derive(Default)]
pub(super) struct Rounds {
    /// The finished vertices, each after all below it.
    order: Vec<u32>,
    /// Their parents, here; nobody's place for those that have none, or a lone deputy.
    above: Vec<u32>,
    /// The finished deputies, by round and rank; for lone ones, their children.
    sent: Vec<u32>,
    /// The vertices that deputies of other ranks stand for, by round and rank.
    received: Vec<u32>,
    rounds: Vec<Round>,
    /// The vertices of the slice.
    vertices: usize,
    /// The place that belongs to nobody.
    nobody: u32,
}

/// Where a round ends in the lists of all rounds, and how many went from and to each rank.
struct Round {
    order: usize,
    sent: usize,
    received: usize,
    sends: Vec<usize>,
    receives: Vec<usize>,
}

/// What the rounds leave.
pub(super) struct Left {
    /// Vertices that are complete, but not folded into their parents.
    pub(super) ready: Vec<u32>,
    /// Vertices and deputies that are not finished, on this rank and on all.
    pub(super) own: usize,
    pub(super) all: u64,
}

impl Rounds {
    /// Peels until at most `few` vertices and deputies are left on all ranks, or chains.
    pub(super) fn peel<R: Ranks>(
        ranks: &mut Metered<R>,
        edges: &Edges,
        pending: &mut Vec<u32>,
        few: u64,
    ) -> Result<(Rounds, Left), RanksError> {
        let (n, nobody) = (edges.vertices(), edges.len());
        // Nobody is never complete.
        pending.push(NONE);
        let mut log: Vec<u32> = huge_zeroed(n + 1);
        let mut len = 0;
        for (v, &pending) in (0u32..).zip(&pending[..n]) {
            log[len] = v;
            len += usize::from(pending == 0);
        }
        let mut above: Vec<u32> = huge_zeroed(n);
        let mut sent: Vec<u32> = huge_zeroed(nobody - n + edges.lone() + 1);
        let (mut head, mut gone) = (0, 0);
        let mut all = Rounds { vertices: n, nobody: nobody as u32, ..Rounds::default() };
        let enough = if edges.len() < SMALL { 1 } else { 2 * AHEAD };
        loop {
            let (first, first_gone) = (head, gone);
            while head + enough <= len {
                if let Some(&far) = log[..len].get(head + 2 * AHEAD) {
                    prefetch(&edges.up, far as usize);
                }
                if let Some(&near) = log[..len].get(head + AHEAD) {
                    prefetch(pending, (edges.up[near as usize] as usize).min(nobody));
                }
                let v = log[head];
                let parent = edges.up[v as usize];
                let place = (parent as usize).min(nobody);
                above[head] = place as u32;
                head += 1;
                let pending = &mut pending[place];
                *pending = pending.wrapping_sub(1);
                // Written anyway and counted if so: branches would be coin tosses.
                let (last, here, lone) = (*pending == 0, place < n, edges.is_lone(parent));
                log[len] = parent;
                len += usize::from(last & here);
                sent[gone] = if lone { v } else { parent };
                gone += usize::from((last & !here) | lone);
            }
            let sends = by_owner(ranks.ranks(), edges, &mut sent[first_gone..gone]);
            let targets: Vec<u32> = sent[first_gone..gone]
                .iter()
                .map(|&sent| edges.target(deputy(edges, sent)))
                .collect();
            let (arrived, receives) = exchange_small(ranks, &targets, &sends)?;
            for (k, &v) in arrived.iter().enumerate() {
                if let Some(&far) = arrived.get(k + AHEAD) {
                    prefetch(pending, far as usize);
                }
                let pending = &mut pending[v as usize];
                *pending -= 1;
                log[len] = v;
                len += usize::from(*pending == 0);
            }
            all.received.extend(arrived);
            let (order, received) = (head, all.received.len());
            all.rounds.push(Round { order, sent: gone, received, sends, receives });
            let own = nobody + edges.lone() - head - gone;
            let finished = (head - first) + (gone - first_gone);
            let words = ranks.gather(&[own as u64, finished as u64])?;
            let sum = |k: usize| words.records::<2>().iter().map(|record| record[k]).sum::<u64>();
            let (left, finished) = (sum(0), sum(1));
            if left <= few || WORTH * finished < left {
                pending.pop();
                let ready = log[head..len].to_vec();
                log.truncate(head);
                above.truncate(head);
                sent.truncate(gone);
                (all.order, all.above, all.sent) = (log, above, sent);
                all.order.shrink_to_fit();
                all.above.shrink_to_fit();
                return Ok((all, Left { ready, own, all: left }));
            }
        }
    }

    /// Folds values into parents, from the leaves. `whole` is what a vertex hands on, given what it
    /// has.
    pub(super) fn up<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        sums: &mut [[u64; N]],
        whole: impl Fn(u32, [u64; N]) -> [u64; N],
    ) -> Result<(), RanksError> {
        let [mut order, mut sent, mut received] = [0; 3];
        for round in &self.rounds {
            for k in order..round.order {
                if let (Some(&v), Some(&p)) = (self.order.get(k + AHEAD), self.above.get(k + AHEAD))
                {
                    prefetch(sums, v as usize);
                    prefetch(sums, p as usize);
                }
                let (v, p) = (self.order[k], self.above[k]);
                let sum = whole(v, sums[v as usize]);
                sums[p as usize] = op.combine(sums[p as usize], sum);
            }
            let words = gathered(&self.sent[sent..round.sent], sums, &whole);
            let mail = ranks.exchange(&words, &times(N, &round.sends))?;
            drop(words);
            let arrived = &self.received[received..round.received];
            for (k, (&v, &sum)) in arrived.iter().zip(mail.records()).enumerate() {
                if let Some(&far) = arrived.get(k + AHEAD) {
                    prefetch(sums, far as usize);
                }
                sums[v as usize] = op.combine(sums[v as usize], sum);
            }
            (order, sent, received) = (round.order, round.sent, round.received);
        }
        Ok(())
    }

    /// Combines every vertex with its parent, from the roots; deputies get what their vertices
    /// have, and lone ones as well if `up` says which these are.
    pub(super) fn down<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        sums: &mut [[u64; N]],
        up: Option<&[u32]>,
    ) -> Result<(), RanksError> {
        for (r, round) in self.rounds.iter().enumerate().rev() {
            let [order, sent, received] = match r.checked_sub(1).map(|r| &self.rounds[r]) {
                Some(before) => [before.order, before.sent, before.received],
                None => [0; 3],
            };
            let words = gathered(&self.received[received..round.received], sums, |_, sum| sum);
            let mail = ranks.exchange(&words, &times(N, &round.receives))?;
            drop(words);
            for (&place, &sum) in self.sent[sent..round.sent].iter().zip(mail.records()) {
                let child = (place as usize) < self.vertices;
                if let Some(up) = up.filter(|_| child) {
                    sums[up[place as usize] as usize] = sum;
                }
                let here = &mut sums[place as usize];
                *here = if child { op.combine(sum, *here) } else { sum };
            }
            for k in (order..round.order).rev() {
                if let Some(far) = k.checked_sub(AHEAD) {
                    prefetch(sums, self.order[far] as usize);
                    prefetch(sums, self.above[far] as usize);
                }
                let (v, p) = (self.order[k], self.above[k]);
                if p != self.nobody {
                    sums[v as usize] = op.combine(sums[p as usize], sums[v as usize]);
                }
            }
        }
        Ok(())
    }
}

/// The deputy that is sent: for a vertex, its lone one.
#[inline(always)]
fn deputy(edges: &Edges, sent: u32) -> u32 {
    edges.up.get(sent as usize).copied().unwrap_or(sent)
}

/// Sorts what is sent by rank, and counts that of each.
fn by_owner(ranks: usize, edges: &Edges, sent: &mut [u32]) -> Vec<usize> {
    if ranks <= 2 {
        // None is of this rank.
        let all = edges.counts().into_iter().zip(edges.lone_counts());
        return all.map(|(shared, lone)| if shared + lone > 0 { sent.len() } else { 0 }).collect();
    }
    let owners = sent.iter().map(|&sent| edges.owner(deputy(edges, sent)) as u32);
    let lists = Lists::by_key(ranks, owners.zip(sent.iter().copied()));
    sent.copy_from_slice(lists.items());
    (0..ranks as u32).map(|rank| lists.of(rank).len()).collect()
}

/// The words of what these elements hand on, one after another.
pub(super) fn gathered<const N: usize>(
    places: &[u32],
    sums: &[[u64; N]],
    whole: impl Fn(u32, [u64; N]) -> [u64; N],
) -> Vec<u64> {
    let mut words = Vec::with_capacity(N * places.len());
    for (k, &place) in places.iter().enumerate() {
        if let Some(&far) = places.get(k + AHEAD) {
            prefetch(sums, far as usize);
        }
        words.extend(whole(place, sums[place as usize]));
    }
    words
}

/// Numbers of words from numbers of elements.
pub(super) fn times(words: usize, counts: &[usize]) -> Vec<usize> {
    counts.iter().map(|count| words * count).collect()
}
