//! Where every vertex stands in the preorder, by a leaffix and a rootfix.
//!
//! **Method.** A leaffix gives the sizes of subtrees. The place of a vertex is that of its parent, and
//! one more, and the sizes of the siblings before it: a rootfix of what siblings add. Siblings of one
//! slice are added up as they come, in the parent's slice or at its deputies; then the ranks of the
//! parents line up the groups of all ranks, in their order, and tell each what is before it.
//!
//! **Cost.** Two computations, and two words for each deputy. Ranking the Euler tour
//! (`ranking.rs`) takes several times as long and as many words, but burdens no rank.

use super::edges::{Edges, exchange_small};
use super::followed::Followed;
use super::ranking::Places;
use super::ranks::Slices;
use super::ranks::{Metered, Ranks};
use super::{DistributedError, NO_VERTEX, OneWord};
use palmette_core::operator::Sum;

pub(super) fn places<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    parents: &[u64],
    tree: &Followed,
) -> Result<Places, DistributedError> {
    let op = OneWord(Sum::<u64>::new());
    let sizes = tree.up(ranks, &op, &vec![[1]; parents.len()], false)?.into_flattened();
    let steps = steps(ranks, slices, parents, &sizes)?;
    let positions = tree.down(ranks, &op, &steps, false)?.into_flattened();
    Ok(Places { positions, sizes })
}

/// By vertex, how far it is behind its parent in the preorder; roots, behind the beginning.
fn steps<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    parents: &[u64],
    sizes: &[u64],
) -> Result<Vec<[u64; 1]>, DistributedError> {
    let (rank, n) = (ranks.rank(), parents.len());
    let edges = Edges::find(ranks, slices, parents, false);
    let (arrived, counts) = exchange_small(ranks, &edges.targets, &edges.counts())?;
    // By vertex and deputy, the sizes of the children so far.
    let mut before = vec![0; edges.len()];
    let mut steps = vec![[0]; n];
    let mut line_up = |before: &mut [u64], deputies: bool| {
        for (v, &up) in edges.up.iter().enumerate() {
            if (up as usize >= n) == deputies
                && let Some(before) = before.get_mut(up as usize)
            {
                steps[v] = [1 + *before];
                *before += sizes[v];
            }
        }
    };
    line_up(&mut before, true);
    let groups = ranks.exchange(&before[n..], &edges.counts())?.words;
    // Slices of earlier ranks have the earlier siblings.
    let earlier: usize = counts[..rank].iter().sum();
    let mut bases = vec![0; groups.len()];
    let mut join = |before: &mut [u64], range: std::ops::Range<usize>| {
        for k in range {
            let before = &mut before[arrived[k] as usize];
            bases[k] = *before;
            *before += groups[k];
        }
    };
    join(&mut before, 0..earlier);
    line_up(&mut before, false);
    join(&mut before, earlier..groups.len());
    let bases = ranks.exchange(&bases, &counts)?.words;
    let roots = || (0..n).filter(|&v| parents[v] == NO_VERTEX);
    let mut place = ranks.sum_before(roots().map(|v| sizes[v]).sum())?;
    for v in roots() {
        steps[v] = [place];
        place += sizes[v];
    }
    for (step, &up) in steps.iter_mut().zip(&edges.up) {
        if let Some(base) = (up as usize).checked_sub(n).and_then(|deputy| bases.get(deputy)) {
            step[0] += base;
        }
    }
    Ok(steps)
}
