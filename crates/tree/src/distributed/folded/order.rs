//! The preorder in which the largest child comes last.
//!
//! **Problem.** Every rank has the parents of its slice; find the positions of its vertices in a preorder
//! in which the largest subtree below each vertex is its last.
//! **Method.** Siblings of one slice are added up there and told to the rank of the parent, which lines the
//! groups up: all but the largest child in the order of their numbers, then that one. The place of a vertex
//! is that of its parent and what it is behind it: a rootfix.
//! **Cost.** A leaffix, a rootfix, and four words for each parent and rank with children of it, of which
//! two come back.

use super::super::ranking::Places;
use super::super::ranks::{Metered, Ranks, ask, send};
use super::super::{DistributedError, DistributedTree, NO_VERTEX, OneWord};
use crate::Scope;
use palmette_core::operator::Sum;

/// The children of one vertex on one rank: their vertices in all, their number, and the largest.
#[derive(Clone, Copy)]
struct Group {
    parent: u64,
    total: u64,
    count: u64,
    largest: (u64, u64),
}

/// Places, and the most children that a vertex has.
pub(super) fn places<R: Ranks>(
    ranks: &mut Metered<R>,
    tree: &DistributedTree,
    parents: &[u64],
) -> Result<(Places, u64), DistributedError> {
    let sizes = tree.sizes(ranks)?;
    ranks.phase("numbering");
    let slices = tree.slices();
    let first = slices.of(ranks.rank()).start;
    // Vertices of the slice by parent; roots come last.
    let mut order: Vec<u32> = (0..parents.len() as u32).collect();
    order.sort_unstable_by_key(|&v| (parents[v as usize], v));
    let groups: Vec<Group> = order
        .chunk_by(|&u, &v| parents[u as usize] == parents[v as usize])
        .filter(|group| parents[group[0] as usize] != NO_VERTEX)
        .map(|group| Group {
            parent: parents[group[0] as usize],
            total: group.iter().map(|&v| sizes[v as usize]).sum(),
            count: group.len() as u64,
            largest: largest(group.iter().map(|&v| (sizes[v as usize], first + u64::from(v)))),
        })
        .collect();
    let asked = send(ranks, |post| {
        for group in &groups {
            let (size, vertex) = group.largest;
            let record = [group.parent, group.total, group.count, size, vertex];
            post(slices.owner(group.parent), &record);
        }
    })?;
    // By vertex of the slice: the largest child, the children, and those of earlier ranks.
    let mut below = vec![((0, NO_VERTEX), 0u64, 0u64); parents.len()];
    let asked_groups = asked.records::<5>();
    for &[parent, _, count, size, vertex] in asked_groups {
        let (last, children, _) = &mut below[(parent - first) as usize];
        *last = largest([*last, (size, vertex)]);
        *children += count;
    }
    let most = below.iter().map(|&(_, children, _)| children).max().unwrap_or(0);
    let most = ranks.gather(&[most])?.words.into_iter().max().unwrap_or(0);
    let mut words = Vec::with_capacity(2 * asked_groups.len());
    for &[parent, total, _, _, vertex] in asked_groups {
        let ((size, last), _, before) = &mut below[(parent - first) as usize];
        words.extend([*before, *last]);
        *before += total - if vertex == *last { *size } else { 0 };
    }
    let counts: Vec<usize> = asked.counts.iter().map(|words| words / 5 * 2).collect();
    drop(asked);
    let answers = ranks.exchange(&words, &counts)?;
    // Groups are in the order of their parents, hence of the ranks that answer.
    let mut steps = vec![[0u64]; parents.len()];
    let mut behind = 0;
    for (group, &[before, last]) in groups.iter().zip(answers.records::<2>()) {
        let mut at = 1 + before;
        for &v in &order[behind..behind + group.count as usize] {
            if first + u64::from(v) == last {
                // Counted from the end of the parent's subtree, which its rank knows.
                steps[v as usize] = [NO_VERTEX];
            } else {
                steps[v as usize] = [at];
                at += sizes[v as usize];
            }
        }
        behind += group.count as usize;
    }
    // The largest children ask for the size of the parent's subtree.
    let lasts: Vec<u32> =
        (0..parents.len() as u32).filter(|&v| steps[v as usize] == [NO_VERTEX]).collect();
    let questions: Vec<(usize, [u64; 1])> =
        lasts.iter().map(|&v| (slices.owner(parents[v as usize]), [parents[v as usize]])).collect();
    let whole = ask(ranks, &questions, |[parent]| [sizes[(parent - first) as usize]])?;
    for (&v, [whole]) in lasts.iter().zip(whole) {
        steps[v as usize] = [whole - sizes[v as usize]];
    }
    let roots = &order[behind..];
    let own = roots.iter().map(|&v| sizes[v as usize]).sum();
    let mut at = ranks.sum_before(own)?;
    for &v in roots {
        steps[v as usize] = [at];
        at += sizes[v as usize];
    }
    let positions = tree.rootfix(ranks, &steps, &OneWord(Sum::<u64>::new()), Scope::Inclusive)?;
    Ok((Places { positions: positions.into_flattened(), sizes }, most))
}

/// The largest size; of equal ones that of the vertex with the smallest number.
fn largest(children: impl IntoIterator<Item = (u64, u64)>) -> (u64, u64) {
    let all = children.into_iter();
    all.max_by_key(|&(size, vertex)| (size, !vertex)).unwrap_or((0, NO_VERTEX))
}
