//! Rootfix and leaffix of trees whose parents come before their children, on few ranks: in turns.
//!
//! **Problem.** As the [module above](super), where the number of every parent is below those of its
//! children.
//!
//! **Method.** A slice sends to earlier slices only. So the last rank sweeps its slice from the end, as
//! one machine would, and sends what it has for the vertices of the others; these add it to their values;
//! then it is the turn of the rank before. A rootfix goes the other way. What is for other ranks is
//! added up in *deputies*: one for every vertex before the slice if many of them are parents here, so
//! that nothing is looked up and nothing but elements is sent; else as in `edges.rs`.
//!
//! **Cost.** The sweeps of one machine one after another, and a word per word of an element for each
//! deputy. No rank works while another sweeps, so that this takes as long on any number of ranks: beyond
//! [`MOST_RANKS`] peeling, which needs five times the work, takes less time.
//!
//! **Determinism.** As `peeled/mod.rs`.
//!
//! **When not to use.** For shuffled vertices, and on many ranks.

use super::edges::{AHEAD, Edges, exchange_small};
use super::ranks::{Metered, Ranks, RanksError};
use super::route::Slices;
use palmette_core::memory::{huge_collect, prefetch};
use palmette_core::{Monoid, NONE};

/// On more ranks peeling is faster.
const MOST_RANKS: usize = 3;

/// There is a deputy for every earlier vertex if one in so many of the edges lead to them.
const DENSE: u64 = 2;

/// A tree that is ready for computations; see the file.
pub(super) struct Swept {
    /// By vertex of the slice, its parent: a vertex, a deputy (counted after the vertices), or none.
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
    /// Takes the parents of the slice, which are known to be vertices. Nothing if parents do not come
    /// first, on too many ranks, or where numbers do not fit; all ranks agree on that.
    pub(super) fn build<R: Ranks>(
        ranks: &mut Metered<R>,
        slices: &Slices,
        parents: &[u64],
    ) -> Result<Option<Swept>, RanksError> {
        let (rank, own) = (ranks.rank(), slices.of(ranks.rank()));
        if ranks.ranks() > MOST_RANKS || slices.total() >= u64::from(NONE) {
            return Ok(None);
        }
        let (late, away) = looked_at(parents, own.start as u32);
        if ranks.sum(u64::from(late))? > 0 {
            return Ok(None);
        }
        let is_dense = own.start <= DENSE * away;
        let dense = ranks.gather(&[u64::from(is_dense)])?.words;
        let n = parents.len();
        let edges = (!is_dense).then(|| Edges::find(ranks, slices, parents));
        let none = vec![0; ranks.ranks()];
        let (targets, counts) =
            edges.as_ref().map_or((&[][..], none), |edges| (&edges.targets[..], edges.counts()));
        let (arrived, received) = exchange_small(ranks, targets, &counts)?;
        let mut arrived = &arrived[..];
        let receives = (0..).zip(received).map(|(from, count)| {
            let (own, after) = arrived.split_at(count);
            arrived = after;
            if dense[from] == 1 && from > rank { Far::All } else { Far::Some(own.to_vec()) }
        });
        let receives = receives.collect();
        let length = |rank: usize| slices.of(rank).end - slices.of(rank).start;
        let sends = match &edges {
            Some(_) => counts,
            None => {
                let before = (0..ranks.ranks()).map(|r| if r < rank { length(r) } else { 0 });
                before.map(|length| length as usize).collect()
            }
        };
        let up = edges.map_or_else(
            || huge_collect(n, |v| place(parents[v] as u32, own.start as u32, n as u32)),
            |edges| edges.up,
        );
        Ok(Some(Swept { up, sends, receives }))
    }

    fn deputies(&self) -> usize {
        self.sends.iter().sum()
    }

    /// Those for which another rank has deputies.
    fn elements<const N: usize>(&self, from: usize, own: &[[u64; N]]) -> Vec<u64> {
        match &self.receives[from] {
            Far::All => own.as_flattened().to_vec(),
            Far::Some(vertices) => vertices.iter().flat_map(|&v| own[v as usize]).collect(),
        }
    }

    fn counts<const N: usize>(&self) -> Vec<usize> {
        let count = |far: &Far| match far {
            Far::All => N * self.up.len(),
            Far::Some(vertices) => N * vertices.len(),
        };
        self.receives.iter().map(count).collect()
    }

    /// The product over subtrees; without the vertex itself if `exclusive`.
    pub(super) fn up<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        values: &[[u64; N]],
        exclusive: bool,
    ) -> Result<Vec<[u64; N]>, RanksError> {
        let (rank, n) = (ranks.rank(), self.up.len());
        let mut sums = self.begin(op, values, exclusive);
        for turn in (0..ranks.ranks()).rev() {
            if turn == rank {
                for v in (0..n).rev() {
                    if let Some(&far) = self.up.get(v.wrapping_sub(AHEAD)) {
                        prefetch(&sums, far as usize);
                    }
                    let sum = if exclusive { op.combine(values[v], sums[v]) } else { sums[v] };
                    if let Some(above) = sums.get_mut(self.up[v] as usize) {
                        *above = op.combine(*above, sum);
                    }
                }
            }
            if turn == 0 {
                break;
            }
            let mine = turn == rank;
            let words = if mine { sums[n..].as_flattened() } else { &[] };
            let counts: Vec<usize> =
                self.sends.iter().map(|&count| if mine { N * count } else { 0 }).collect();
            let mail = ranks.exchange(words, &counts)?;
            if turn > rank {
                add(op, &mut sums[..n], &self.receives[turn], mail.words.as_chunks().0);
            }
        }
        sums.truncate(n);
        Ok(sums)
    }

    /// The product from the root; without the vertex itself if `exclusive`.
    pub(super) fn down<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        values: &[[u64; N]],
        exclusive: bool,
    ) -> Result<Vec<[u64; N]>, RanksError> {
        let (rank, n) = (ranks.rank(), self.up.len());
        let mut sums = self.begin(op, values, false);
        let mut place = n;
        for turn in 0..ranks.ranks() {
            let mine = turn == rank;
            if mine {
                for v in 0..n {
                    if let Some(&far) = self.up.get(v + AHEAD) {
                        prefetch(&sums, far as usize);
                    }
                    if let Some(&above) = sums.get(self.up[v] as usize) {
                        sums[v] = op.combine(above, sums[v]);
                    }
                }
            }
            if turn + 1 == ranks.ranks() {
                break;
            }
            let (mut words, mut counts) = (Vec::new(), vec![0; ranks.ranks()]);
            if mine {
                counts = self.counts::<N>();
                (0..counts.len()).for_each(|to| words.extend(self.elements(to, &sums[..n])));
            }
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
        sums.truncate(n);
        Ok(sums)
    }

    /// Values, or identities, and an identity per deputy.
    fn begin<M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        op: &M,
        values: &[[u64; N]],
        empty: bool,
    ) -> Vec<[u64; N]> {
        let values = if empty { &[] } else { values };
        let element = |k: usize| values.get(k).copied().unwrap_or(op.identity());
        huge_collect(self.up.len() + self.deputies(), element)
    }
}

/// Whether any of these parents, of vertices from `start` on, does not come first, and if not, how many are
/// before `start`. Numbers fit 32 bits, of which vectors hold twice as many; none is above all.
fn looked_at(parents: &[u64], start: u32) -> (bool, u64) {
    const ROW: usize = 1 << 12;
    let mut away = 0;
    for (row, first) in parents.chunks(ROW).zip((start..).step_by(ROW)) {
        let (mut late, mut before) = (false, 0u32);
        for (&parent, v) in row.iter().zip(first..) {
            let p = parent as u32;
            late |= (p >= v) & (p != NONE);
            before += u32::from(p < start);
        }
        if late {
            return (true, 0);
        }
        away += u64::from(before);
    }
    (false, away)
}

/// The place of a parent among vertices from `start` on, then all before; roots have none.
#[inline(always)]
fn place(parent: u32, start: u32, n: u32) -> u32 {
    // One of the two is meant, and the other may wrap.
    let place = if parent < start { n.wrapping_add(parent) } else { parent.wrapping_sub(start) };
    if parent == NONE { NONE } else { place }
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
