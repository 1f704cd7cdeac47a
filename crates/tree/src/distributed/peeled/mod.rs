//! Rootfix and leaffix without an order of the tree: peeling on many ranks.
//!
//! **Problem.** As the [module above](super), for rootfixes, and for leaffixes with operators
//! that commute: children come in no particular order.
//!
//! **Method.** What is on one rank is contracted there before anything is sent.
//! 1. *Edges.* Children whose parent is on another rank hang on a deputy for it (`../edges.rs`); lone ones
//!    only name it.
//! 2. *Rounds.* Ranks fold complete vertices into their parents, and send complete deputies to
//!    their vertices, until little or only chains are left (`rounds.rs`).
//! 3. *Chains.* They are cut at samples and walked by cursors that go from rank to rank; the
//!    cuts form a smaller tree (`chains.rs`, `walk.rs`), which every rank gets when it is small enough, or
//!    which is peeled in turn (`rest.rs`).
//!
//! This finds who goes where and when; every rootfix and leaffix then follows it.
//!
//! **Cost.** For a vertex of the slice about 60 bytes while building and 40 after it, beside
//! parents, values and answers. Words per rank: half of one for each deputy, and one per word of
//! an element in each computation; on chains, two for each deputy, and two per word of an element.
//! Rounds: as often as root paths change ranks, at most a few hundred for each factor of 32 in
//! the length of chains.
//!
//! **Determinism.** What is combined with what depends on the tree and on the slices, never on
//! time. So sums of floats depend on the slices up to rounding, and all else does not.
//!
//! **When not to use.** Where a rank would get many more deputies than it has vertices, as the
//! first of many ranks does whose vertices have children everywhere: then nothing is built, and
//! the caller takes blocks of the preorder, whose load is even for every tree.

mod chains;
mod rest;
mod rounds;
mod walk;

use super::DistributedError;
use super::edges::{self, Edges, exchange_small};
use super::ranks::Slices;
use super::ranks::{Metered, Ranks};
use chains::Chains;
use palmette_core::Monoid;
use palmette_core::memory::{huge_words, prefetch};
use rounds::Rounds;
use walk::START;

/// Below so many vertices everybody has them all.
const FEW: u64 = 1024;

/// The most deputies that a rank may get, for each vertex of an even slice.
const UNEVEN: u64 = 4;

/// A tree that is ready for computations; see the file.
pub(super) struct Peeled {
    /// By vertex of the slice, its parent: a vertex, a deputy or none.
    up: Vec<u32>,
    /// The vertices of the slice and the deputies that are not lone. A place after them belongs to nobody:
    /// what has no parent here is folded into it, which takes no branch.
    len: usize,
    lone: usize,
    rounds: Rounds,
    chains: Option<Chains>,
}

/// When less is left on all ranks together, everybody gets it: little beside what a rank has.
#[derive(Clone, Copy)]
struct Limits {
    /// After rounds.
    left: u64,
    /// After chains: they are long already, and another turn has rounds of its own.
    starts: u64,
}

impl Peeled {
    /// Takes the parents of the slice, which are known to be vertices. Nothing when the load would
    /// be uneven, or numbers do not fit; all ranks agree on that.
    pub(super) fn build<R: Ranks>(
        ranks: &mut Metered<R>,
        slices: &Slices,
        parents: &[u64],
    ) -> Result<Option<Peeled>, DistributedError> {
        let part = |one_in: u64| FEW.max(slices.total() / (one_in * slices.ranks() as u64));
        Peeled::contract(ranks, slices, parents, Limits { left: part(64), starts: part(8) })
    }

    fn contract<R: Ranks>(
        ranks: &mut Metered<R>,
        slices: &Slices,
        parents: &[u64],
        limits: Limits,
    ) -> Result<Option<Peeled>, DistributedError> {
        ranks.phase("rounds");
        let edges = Edges::find(ranks, slices, parents, true);
        if is_uneven(ranks, slices, &edges)? {
            return Ok(None);
        }
        let mut pending = edges.children();
        let mut most = 0;
        let counts = [edges.counts(), edges.lone_counts()];
        for (targets, counts) in edges.both_targets().into_iter().zip(&counts) {
            let (arrived, _) = exchange_small(ranks, targets, counts)?;
            for (k, &v) in arrived.iter().enumerate() {
                if let Some(&far) = arrived.get(k + edges::AHEAD) {
                    prefetch(&pending, far as usize);
                }
                let pending = &mut pending[v as usize];
                *pending = pending.saturating_add(1);
                most = most.max(*pending);
            }
        }
        if ranks.sum(u64::from(most >= START))? > 0 {
            return Ok(None);
        }
        let (rounds, left) = Rounds::peel(ranks, &edges, &mut pending, limits.left)?;
        let mut chains = None;
        if left.all > 0 {
            ranks.phase("chains");
            let first = slices.of(ranks.rank()).start;
            // A child of a deputy is here, and goes round with it.
            let name = |v: u32| {
                let child = || edges.up.iter().position(|&up| up == v);
                let here = Some(v as usize).filter(|&v| v < parents.len()).or_else(child);
                first + here.unwrap_or(0) as u64
            };
            let walked = Chains::walk(ranks, &edges, &mut pending, &left, limits, name)?;
            let Some(walked) = walked else { return Ok(None) };
            chains = Some(walked);
        }
        let (len, lone) = (edges.len(), edges.lone());
        Ok(Some(Peeled { len, lone, up: edges.up, rounds, chains }))
    }

    /// The product over subtrees; without the vertex itself if `exclusive`.
    pub(super) fn up<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        values: &[[u64; N]],
        exclusive: bool,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        let mut sums = huge_words(self.len + 1, op.identity());
        if !exclusive {
            sums[..values.len()].copy_from_slice(values);
        }
        let whole = |v: u32, sum: [u64; N]| match values.get(v as usize) {
            Some(&value) if exclusive => op.combine(value, sum),
            _ => sum,
        };
        self.rounds.up(ranks, op, &mut sums, whole)?;
        if let Some(chains) = &self.chains {
            chains.up(ranks, op, &mut sums, whole)?;
        }
        sums.truncate(values.len());
        Ok(sums)
    }

    /// The product from the root; without the vertex itself if `exclusive`.
    pub(super) fn down<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        values: &[[u64; N]],
        exclusive: bool,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        // Lone deputies have a value for those who ask for it.
        let more = if exclusive { self.lone } else { 0 };
        let mut sums = huge_words(self.len + 1 + more, op.identity());
        sums[..values.len()].copy_from_slice(values);
        let up = exclusive.then_some(&self.up[..]);
        if let Some(chains) = &self.chains {
            chains.down(ranks, op, &mut sums, exclusive)?;
        }
        self.rounds.down(ranks, op, &mut sums, up)?;
        if exclusive {
            let words = |&above: &u32| sums.get(above as usize).copied();
            return Ok(self.up.iter().map(|up| words(up).unwrap_or(op.identity())).collect());
        }
        sums.truncate(values.len());
        Ok(sums)
    }
}

/// Whether a rank would get far more deputies than there are vertices in an even slice.
fn is_uneven<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    edges: &Edges,
) -> Result<bool, DistributedError> {
    let counts = edges.counts().into_iter().zip(edges.lone_counts());
    let counts: Vec<u64> = counts.map(|(shared, lone)| (shared + lone) as u64).collect();
    let ones = vec![1; counts.len()];
    let received: u64 = ranks.exchange(&counts, &ones)?.words.iter().sum();
    let even = slices.total() / slices.ranks() as u64 + FEW;
    Ok(ranks.sum(u64::from(received > UNEVEN * even))? > 0)
}
