//! Long chains, cut at sampled vertices and walked side by side on all ranks.
//!
//! **Problem.** What rounds leave is a tree with few leaves, hence a few long chains that change
//! ranks at any step. **Method.** One link in 32, every vertex that is ready and every one
//! that waits for several children is a *start*. From every start a cursor walks up to the next
//! one. In a round all cursors walk until they leave their rank, and go on where they arrive: a
//! *segment* is the part of a walk between two ranks, and the segments of a walk are numbered by
//! the rounds. The rank of a start then learns of all segments of its walk, and combines them for
//! every operator without walking again. The starts form a tree that is 32 times smaller:
//! see `rest.rs`.
//!
//! **Cost.** A word for each time that a chain changes ranks to walk, another to learn, and two
//! elements for each computation, which takes two exchanges. Rounds of walking: at most about
//! 32 times the logarithm of the number of vertices.
//!
//! **Reference.** List ranking from sampled splitters: Helman and JáJá, 1999.

use super::Limits;
use super::rest::Rest;
use super::rounds::{Left, gathered, times};
use super::walk::{Cursor, Walk, hand_over, starts, unseen};
use crate::distributed::DistributedError;
use crate::distributed::edges::{AHEAD, Edges};
use crate::distributed::ranks::{Metered, Ranks, RanksError};
use crate::distributed::ranks::{Slices, send};
use palmette_core::memory::prefetch;
use palmette_core::{Lists, Monoid, NONE};

/// The walks of a rank.
pub(super) struct Chains {
    /// Vertices and deputies where walks begin.
    starts: Vec<u32>,
    /// The links that were passed, with their segments, each after those below it. The first
    /// segments are those of the starts here; the others came from elsewhere.
    passed: Vec<[u32; 2]>,
    /// Segments that end at a lone deputy, and that.
    lone: Vec<[u32; 2]>,
    /// Segments from elsewhere, by the rank of their start, and how many there are of each.
    away: Vec<u32>,
    sends: Vec<usize>,
    /// What others sent of walks that began here: by arrival, the place among `hops`.
    places: Vec<u32>,
    receives: Vec<usize>,
    /// By start, where its segments on other ranks begin, from below; one more for the end.
    hops: Vec<usize>,
    /// The tree of starts.
    rest: Rest,
}

impl Chains {
    /// Walks what rounds have left. `name` is the vertex of this rank to blame for a
    /// vertex or deputy. Without
    /// a result, there are too many starts.
    pub(super) fn walk<R: Ranks>(
        ranks: &mut Metered<R>,
        edges: &Edges,
        pending: &mut [u32],
        left: &Left,
        limits: Limits,
        name: impl Fn(u32) -> u64,
    ) -> Result<Option<Chains>, DistributedError> {
        let starts = starts(pending, left, left.all <= limits.left);
        let slices = Slices::agreed(ranks, starts.len())?;
        if slices.total() >= u64::from(NONE) {
            return Ok(None);
        }
        let (count, first) = (starts.len() as u32, slices.of(ranks.rank()).start as u32);
        let mut walk = Walk {
            edges,
            pending,
            first,
            passed: Vec::with_capacity(left.own.saturating_sub(starts.len() + edges.lone())),
            lone: Vec::new(),
            leaving: vec![Vec::new(); ranks.ranks()],
            ended: Vec::new(),
        };
        let mut here = Vec::with_capacity(starts.len());
        for (k, &at) in (0..).zip(&starts) {
            match edges.up.get(at as usize) {
                Some(&next) => here.push(Cursor { segment: k, start: first + k, next }),
                None => walk.leave(first + k, at),
            }
        }
        walk.go(here.into_iter());
        // By segment from elsewhere, its start and its round.
        let mut segments: Vec<[u32; 2]> = Vec::new();
        for round in 0.. {
            let Some(arrived) = hand_over(ranks, &mut walk.leaving)? else { break };
            let begun = count + segments.len() as u32;
            segments.extend(arrived.iter().map(|&word| [word as u32, round]));
            let cursors = (begun..).zip(arrived);
            walk.go(cursors.map(|(segment, word)| Cursor {
                segment,
                start: word as u32,
                next: (word >> 32) as u32,
            }));
        }
        let Walk { passed, lone, ended, .. } = walk;
        // What no walk reaches goes round.
        let lost = passed.len() + lone.len() + starts.len() < left.own;
        let unseen = || name(unseen(pending, &passed));
        ranks.agree(if lost {
            Err(DistributedError::Cycle { vertex: unseen() })
        } else {
            Ok(())
        })?;
        let stops = stops(ranks, &slices, &ended)?;
        let chains = Chains::learn(ranks, &slices, starts, [passed, lone], &segments, count)?;
        let rest = Rest::of(ranks, slices, stops, limits);
        let named = |error| match error {
            DistributedError::Cycle { vertex } => {
                let k = (vertex - u64::from(first)) as usize;
                DistributedError::Cycle { vertex: name(chains.starts[k]) }
            }
            other => other,
        };
        Ok(rest.map_err(named)?.map(|rest| Chains { rest, ..chains }))
    }

    /// Tells the ranks of starts of the segments on this one.
    fn learn<R: Ranks>(
        ranks: &mut Metered<R>,
        slices: &Slices,
        starts: Vec<u32>,
        [passed, lone]: [Vec<[u32; 2]>; 2],
        segments: &[[u32; 2]],
        count: u32,
    ) -> Result<Chains, RanksError> {
        let owner = |&[start, _]: &[u32; 2]| slices.owner(start.into()) as u32;
        let away = Lists::by_key(ranks.ranks(), segments.iter().map(owner).zip(count..));
        let sends: Vec<usize> = (0..ranks.ranks() as u32).map(|rank| away.of(rank).len()).collect();
        let away = away.into_items();
        let word = |&segment: &u32| {
            let [start, round] = segments[(segment - count) as usize];
            u64::from(round) << 32 | u64::from(start)
        };
        let words: Vec<u64> = away.iter().map(word).collect();
        let mail = ranks.exchange(&words, &sends)?;
        let first = slices.of(ranks.rank()).start as u32;
        let start = |word: u64| (word as u32 - first) as usize;
        let mut hops = vec![0; starts.len() + 1];
        mail.words.iter().for_each(|&word| hops[start(word) + 1] += 1);
        for k in 0..starts.len() {
            hops[k + 1] += hops[k];
        }
        // A walk leaves its rank once in every round until it ends.
        let place = |&word: &u64| (hops[start(word)] + (word >> 32) as usize) as u32;
        let places = mail.words.iter().map(place).collect();
        let (receives, rest) = (mail.counts, Rest::default());
        Ok(Chains { starts, passed, lone, away, sends, places, receives, hops, rest })
    }

    /// As [`Rounds::up`](super::rounds::Rounds::up), for what the rounds have left.
    pub(super) fn up<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        sums: &mut [[u64; N]],
        whole: impl Fn(u32, [u64; N]) -> [u64; N],
    ) -> Result<(), DistributedError> {
        let mut segments = vec![op.identity(); self.starts.len() + self.away.len()];
        for (segment, &v) in segments.iter_mut().zip(&self.starts) {
            *segment = whole(v, sums[v as usize]);
        }
        for (k, &[segment, v]) in self.passed.iter().enumerate() {
            self.expect(k + AHEAD, sums);
            let below = &mut segments[segment as usize];
            let sum = op.combine(*below, sums[v as usize]);
            sums[v as usize] = sum;
            *below = whole(v, sum);
        }
        let mut hops = self.to_starts(ranks, &segments)?;
        let mut totals = segments;
        totals.truncate(self.starts.len());
        for (k, total) in totals.iter_mut().enumerate() {
            for hop in &mut hops[self.hops[k]..self.hops[k + 1]] {
                let below = *total;
                *total = op.combine(below, *hop);
                *hop = below;
            }
        }
        let below = self.rest.up(ranks, op, &totals)?;
        drop(totals);
        self.spread(ranks, op, sums, below.clone(), &below, hops)?;
        Ok(())
    }

    /// As [`Rounds::down`](super::rounds::Rounds::down), for what the rounds have left; lone deputies get
    /// a value if `each` shall have one.
    pub(super) fn down<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        sums: &mut [[u64; N]],
        each: bool,
    ) -> Result<(), DistributedError> {
        let mut segments = vec![op.identity(); self.starts.len() + self.away.len()];
        for (k, &[segment, v]) in self.passed.iter().enumerate().rev() {
            self.expect(k.wrapping_sub(AHEAD), sums);
            let above = &mut segments[segment as usize];
            *above = op.combine(*above, sums[v as usize]);
            sums[v as usize] = *above;
        }
        for (segment, &v) in segments.iter_mut().zip(&self.starts) {
            *segment = op.combine(*segment, sums[v as usize]);
            sums[v as usize] = *segment;
        }
        let mut hops = self.to_starts(ranks, &segments)?;
        let mut totals = segments;
        totals.truncate(self.starts.len());
        // What the segments elsewhere make together, which are above the one here.
        let mut elsewhere = vec![op.identity(); totals.len()];
        for (k, all) in elsewhere.iter_mut().enumerate() {
            for hop in hops[self.hops[k]..self.hops[k + 1]].iter_mut().rev() {
                let above = *all;
                *all = op.combine(above, *hop);
                *hop = above;
            }
            totals[k] = op.combine(*all, totals[k]);
        }
        let above = self.rest.down(ranks, op, &totals)?;
        drop(totals);
        let bases = above.iter().zip(&elsewhere).map(|(&above, &all)| op.combine(above, all));
        let bases = self.spread(ranks, op, sums, bases.collect(), &above, hops)?;
        if each {
            for &[segment, deputy] in &self.lone {
                sums[deputy as usize] = bases[segment as usize];
            }
        }
        Ok(())
    }

    /// Combines all that was passed with what its segment begins with: `bases` for those of
    /// starts, and `outer` of the start with what `hops` says for the others. Returns that of all segments.
    fn spread<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        sums: &mut [[u64; N]],
        mut bases: Vec<[u64; N]>,
        outer: &[[u64; N]],
        mut hops: Vec<[u64; N]>,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        for (k, &outer) in outer.iter().enumerate() {
            for hop in &mut hops[self.hops[k]..self.hops[k + 1]] {
                *hop = op.combine(outer, *hop);
            }
        }
        let words = gathered(&self.places, &hops, |_, hop| hop);
        drop(hops);
        let mail = ranks.exchange(&words, &times(N, &self.receives))?;
        drop(words);
        bases.resize(self.starts.len() + self.away.len(), op.identity());
        for (&segment, &base) in self.away.iter().zip(mail.records()) {
            bases[segment as usize] = base;
        }
        drop(mail);
        for (k, &[segment, v]) in self.passed.iter().enumerate() {
            self.expect(k + AHEAD, sums);
            sums[v as usize] = op.combine(bases[segment as usize], sums[v as usize]);
        }
        for (&v, &base) in self.starts.iter().zip(&bases) {
            sums[v as usize] = op.combine(base, sums[v as usize]);
        }
        Ok(bases)
    }

    /// The elements of segments, where their walks began.
    fn to_starts<R: Ranks, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        segments: &[[u64; N]],
    ) -> Result<Vec<[u64; N]>, RanksError> {
        let words = gathered(&self.away, segments, |_, sum| sum);
        let mail = ranks.exchange(&words, &times(N, &self.sends))?;
        drop(words);
        let mut hops = vec![[0; N]; self.places.len()];
        for (k, (&place, &element)) in self.places.iter().zip(mail.records()).enumerate() {
            if let Some(&far) = self.places.get(k + AHEAD) {
                prefetch(&hops, far as usize);
            }
            hops[place as usize] = element;
        }
        Ok(hops)
    }

    fn expect<const N: usize>(&self, k: usize, sums: &[[u64; N]]) {
        if let Some(&[_, far]) = self.passed.get(k) {
            prefetch(sums, far as usize);
        }
    }
}

/// By start, the one above it, or [`NONE`].
fn stops<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    ended: &[[u32; 2]],
) -> Result<Vec<u32>, RanksError> {
    let own = slices.of(ranks.rank());
    let mail = send(ranks, |post| {
        for &[start, stop] in ended {
            post(slices.owner(start.into()), &[u64::from(stop) << 32 | u64::from(start)]);
        }
    })?;
    let mut stops = vec![NONE; (own.end - own.start) as usize];
    for &word in &mail.words {
        stops[(u64::from(word as u32) - own.start) as usize] = (word >> 32) as u32;
    }
    Ok(stops)
}
