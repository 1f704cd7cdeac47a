//! Rootfix and leaffix of trees whose parents come before their children, on few ranks: in turns.
//!
//! **Problem.** As the [module above](super), where the number of every parent is below those of its
//! children.
//!
//! **Method.** A slice sends to earlier slices only. So the last rank sweeps its slice from the end, as
//! one machine would, and sends what it has for the vertices of the others; these add it to their values;
//! then it is the turn of the rank before. A rootfix goes the other way. What is for other ranks is
//! added up in *deputies*: one for every vertex before the slice if many of them are parents here, so
//! that nothing is looked up and nothing but elements is sent; else as in `edges.rs`. Deputies come before
//! the vertices: then the place of a parent is its number.
//!
//! **Cost.** The sweeps of one machine one after another, and a word per word of an element for each
//! deputy. No rank works while another sweeps, so that this takes as long on any number of ranks: beyond
//! [`MOST_RANKS`] peeling, which needs five times the work, takes less time.
//!
//! **Determinism.** As `peeled/mod.rs`.
//!
//! **When not to use.** For shuffled vertices, and on many ranks.

use super::children::InOrder;
use super::edges::{AHEAD, Edges, exchange_small};
use super::ranks::{Metered, Ranks, RanksError, Slices};
use palmette_core::memory::{huge_words, prefetch};
use palmette_core::{Monoid, NONE};
use std::borrow::Cow;

/// On more ranks peeling is faster.
const MOST_RANKS: usize = 3;

/// There is a deputy for every earlier vertex if one in so many of the edges lead to them.
const DENSE: u64 = 2;

/// Vertices that are added to and swept while they are in a cache.
const BLOCK: usize = 1 << 14;

/// A tree that is ready for computations; see the file.
pub(super) struct Swept {
    /// By vertex of the slice, the place of its parent: deputies have the first places, in the order of
    /// their vertices, and then the vertices. So parents come first here, too; roots have none.
    up: Vec<u32>,
    /// By rank, how many deputies stand for its vertices.
    sends: Vec<usize>,
    /// By rank, for which vertices of this slice it has deputies.
    receives: Vec<Far>,
}

/// The vertices that another rank has deputies for.
enum Far {
    /// All of the slice.
    All,
    Some(Vec<u32>),
}

impl Swept {
    /// Takes the parents of the slice, which are known to be vertices, and again where they come first.
    /// Nothing if they do not everywhere, or on too many ranks; all ranks agree on that.
    pub(super) fn build<R: Ranks>(
        ranks: &mut Metered<R>,
        slices: &Slices,
        parents: &[u64],
        in_order: Option<InOrder>,
    ) -> Result<Option<Swept>, RanksError> {
        let (rank, own) = (ranks.rank(), slices.of(ranks.rank()));
        if ranks.ranks() > MOST_RANKS {
            return Ok(None);
        }
        // Whether parents come first here, and whether there are deputies for all that is before.
        let is_dense = in_order.as_ref().is_some_and(|seen| own.start <= DENSE * seen.away);
        let says = ranks.gather(&[u64::from(in_order.is_some()) + u64::from(is_dense)])?.words;
        let Some(InOrder { parents: low, .. }) = in_order.filter(|_| !says.contains(&0)) else {
            return Ok(None);
        };
        let edges = (!is_dense).then(|| Edges::find(ranks, slices, parents, false));
        let none = vec![0; ranks.ranks()];
        let (targets, counts) =
            edges.as_ref().map_or((&[][..], none), |edges| (&edges.targets[..], edges.counts()));
        let (arrived, received) = exchange_small(ranks, targets, &counts)?;
        let mut arrived = &arrived[..];
        let receives = (0..).zip(received).map(|(from, count)| {
            let (own, after) = arrived.split_at(count);
            arrived = after;
            if says[from] == 2 && from > rank { Far::All } else { Far::Some(own.to_vec()) }
        });
        let receives = receives.collect();
        let length = |rank: usize| slices.of(rank).end - slices.of(rank).start;
        let (up, sends) = match edges {
            Some(edges) => (places(edges), counts),
            // The place of a vertex is its number.
            None => {
                let before = (0..ranks.ranks()).map(|r| if r < rank { length(r) } else { 0 });
                (low, before.map(|length| length as usize).collect())
            }
        };
        Ok(Some(Swept { up, sends, receives }))
    }

    fn deputies(&self) -> usize {
        self.sends.iter().sum()
    }

    /// Those for which other ranks have deputies, one rank after another, and the numbers of words.
    fn elements<'s, const N: usize>(&self, own: &'s [[u64; N]]) -> (Cow<'s, [u64]>, Vec<usize>) {
        let length = |far: &Far| match far {
            Far::All => N * own.len(),
            Far::Some(vertices) => N * vertices.len(),
        };
        let counts: Vec<usize> = self.receives.iter().map(length).collect();
        if counts.iter().sum::<usize>() == N * own.len()
            && self.receives.iter().any(|far| matches!(far, Far::All))
        {
            return (Cow::Borrowed(own.as_flattened()), counts);
        }
        let mut words = Vec::with_capacity(counts.iter().sum());
        for far in &self.receives {
            match far {
                Far::All => words.extend_from_slice(own.as_flattened()),
                Far::Some(vertices) => {
                    words.extend(vertices.iter().flat_map(|&v| own[v as usize]));
                }
            }
        }
        (Cow::Owned(words), counts)
    }

    /// The product over subtrees; without the vertex itself if `exclusive`.
    pub(super) fn up<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        values: &[[u64; N]],
        exclusive: bool,
    ) -> Result<Vec<[u64; N]>, RanksError> {
        let (rank, d) = (ranks.rank(), self.deputies());
        let mut sums = self.begin(op, values, exclusive);
        for turn in (rank + 1..ranks.ranks()).rev() {
            let mail = ranks.exchange(&[], &vec![0; ranks.ranks()])?;
            let elements = mail.words.as_chunks().0;
            match &self.receives[turn] {
                // These are added as they are swept.
                Far::All if turn == rank + 1 => {
                    self.sweep_up(op, values, &mut sums, elements, exclusive)
                }
                far => add(op, &mut sums[d..], far, elements),
            }
        }
        if !matches!(self.receives.get(rank + 1), Some(Far::All)) {
            self.sweep_up(op, values, &mut sums, &[], exclusive);
        }
        // The first rank has nobody to send to.
        for turn in (1..=rank).rev() {
            let mine = turn == rank;
            let words = if mine { sums[..d].as_flattened() } else { &[] };
            let counts: Vec<usize> =
                self.sends.iter().map(|&count| if mine { N * count } else { 0 }).collect();
            ranks.exchange(words, &counts)?;
        }
        Ok(without_deputies(sums, d))
    }

    /// The turn of this rank, with elements of a later one to add, if any, one for each vertex.
    fn sweep_up<M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        op: &M,
        values: &[[u64; N]],
        sums: &mut [[u64; N]],
        more: &[[u64; N]],
        exclusive: bool,
    ) {
        let (d, n) = (self.deputies(), self.up.len());
        let mut end = n;
        while end > 0 {
            let begin = end.saturating_sub(BLOCK);
            if !more.is_empty() {
                add(op, &mut sums[d + begin..d + end], &Far::All, &more[begin..end]);
            }
            for v in (begin..end).rev() {
                if let Some(&far) = self.up.get(v.wrapping_sub(AHEAD)) {
                    prefetch(sums, far as usize);
                }
                let sum = sums[d + v];
                let sum = if exclusive { op.combine(values[v], sum) } else { sum };
                if let Some(above) = sums.get_mut(self.up[v] as usize) {
                    *above = op.combine(*above, sum);
                }
            }
            end = begin;
        }
    }

    /// The product from the root; without the vertex itself if `exclusive`.
    pub(super) fn down<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        values: &[[u64; N]],
        exclusive: bool,
    ) -> Result<Vec<[u64; N]>, RanksError> {
        let (rank, n, d) = (ranks.rank(), self.up.len(), self.deputies());
        let mut sums = self.begin(op, values, false);
        let mut place = 0;
        for turn in 0..ranks.ranks() {
            let mine = turn == rank;
            if mine {
                for v in 0..n {
                    if let Some(&far) = self.up.get(v + AHEAD) {
                        prefetch(&sums, far as usize);
                    }
                    if let Some(&above) = sums.get(self.up[v] as usize) {
                        sums[d + v] = op.combine(above, sums[d + v]);
                    }
                }
            }
            if turn + 1 == ranks.ranks() {
                break;
            }
            let nothing = (Cow::Borrowed(&[][..]), vec![0; ranks.ranks()]);
            let (words, counts) = if mine { self.elements(&sums[d..]) } else { nothing };
            let mail = ranks.exchange(&words, &counts)?;
            if turn < rank {
                let deputies = place..place + self.sends[turn];
                place = deputies.end;
                sums[deputies].copy_from_slice(mail.words.as_chunks().0);
            }
        }
        if exclusive {
            let words = |&above: &u32| sums.get(above as usize).copied();
            return Ok(self.up.iter().map(|up| words(up).unwrap_or(op.identity())).collect());
        }
        Ok(without_deputies(sums, d))
    }

    /// An identity per deputy, then values, or identities.
    fn begin<M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        op: &M,
        values: &[[u64; N]],
        empty: bool,
    ) -> Vec<[u64; N]> {
        let d = self.deputies();
        let mut sums = huge_words(d + self.up.len(), op.identity());
        if !empty {
            sums[d..].copy_from_slice(values);
        }
        sums
    }
}

/// What vertices have; the others may be busy meanwhile.
fn without_deputies<const N: usize>(mut sums: Vec<[u64; N]>, deputies: usize) -> Vec<[u64; N]> {
    if deputies > 0 {
        sums.copy_within(deputies.., 0);
        sums.truncate(sums.len() - deputies);
    }
    sums
}

/// The places of parents where deputies come first.
fn places(edges: Edges) -> Vec<u32> {
    let (n, d) = (edges.up.len() as u32, edges.targets.len() as u32);
    let mut up = edges.up;
    for up in &mut up {
        let place = if *up < n { *up + d } else { up.wrapping_sub(n) };
        *up = if *up == NONE { NONE } else { place };
    }
    up
}

/// Adds elements that another rank has sent.
fn add<M: Monoid<Elem = [u64; N]>, const N: usize>(
    op: &M,
    sums: &mut [[u64; N]],
    to: &Far,
    elements: &[[u64; N]],
) {
    match to {
        Far::All => {
            let pairs = sums.iter_mut().zip(elements);
            pairs.for_each(|(sum, &element)| *sum = op.combine(*sum, element));
        }
        Far::Some(vertices) => {
            for (k, (&v, &element)) in vertices.iter().zip(elements).enumerate() {
                if let Some(&far) = vertices.get(k + AHEAD) {
                    prefetch(sums, far as usize);
                }
                sums[v as usize] = op.combine(sums[v as usize], element);
            }
        }
    }
}
