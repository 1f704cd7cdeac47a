//! Links siblings of a distributed tree.
//!
//! **Problem.** Every rank has the parents of its slice; find the first child and the next sibling
//! of every vertex, which make the Euler tour. **Method.** Link the siblings of a slice, then send
//! the first and last child of each parent to a rank chosen by a hash of the parent, which links
//! the groups. So no rank gets all children of a large vertex.

use super::ranks::{Metered, Ranks, RanksError};
use super::route::{Slices, send};
use super::{DistributedError, NO_VERTEX};
use palmette_core::random::mixed;

/// What the Euler tour is made of, by vertex of the slice.
pub(super) struct Links {
    pub(super) first_child: Vec<u64>,
    /// Of a root, the next root.
    pub(super) next_sibling: Vec<u64>,
}

/// Parents are vertices, none its own, and there is a root, or several if allowed.
pub(super) fn check_roots<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    parents: &[u64],
    forest: bool,
) -> Result<(), DistributedError> {
    let (first, vertices) = (slices.of(ranks.rank()).start, slices.total());
    let numbered = || (first..).zip(parents.iter().copied());
    let is_wrong =
        |v: u64, parent: u64| (parent == v) | ((parent >= vertices) & (parent != NO_VERTEX));
    // Without a branch; who is wrong, and the roots, are looked for where there are any.
    let (mut wrong, mut count) = (0u64, 0u64);
    for (v, parent) in numbered() {
        wrong += u64::from(is_wrong(v, parent));
        count += u64::from(parent == NO_VERTEX);
    }
    let wrong = (wrong > 0).then(|| numbered().find(|&(v, parent)| is_wrong(v, parent))).flatten();
    ranks.agree(match wrong {
        None => Ok(()),
        Some((vertex, parent)) if vertex == parent => Err(DistributedError::Cycle { vertex }),
        Some((vertex, parent)) => {
            Err(DistributedError::ParentOutOfRange { vertex, parent, vertices })
        }
    })?;
    let roots = numbered().filter(|&(_, parent)| parent == NO_VERTEX).map(|(v, _)| v);
    let mut roots = roots.take(count.min(2) as usize);
    let (one, two) = (roots.next(), roots.next());
    let words = [count, one.unwrap_or(0), two.unwrap_or(0)];
    let all = ranks.gather(&words)?;
    let count: u64 = all.records::<3>().iter().map(|[count, ..]| count).sum();
    let some = all.records::<3>().iter().filter(|[count, ..]| *count > 0);
    let two: Vec<u64> = some
        .flat_map(|&[count, one, two]| [one, two].into_iter().take(count.min(2) as usize))
        .take(2)
        .collect();
    // Everybody knows; one rank says it.
    let outcome = match two[..] {
        [] => Err(DistributedError::Cycle { vertex: 0 }),
        [first, second] if !forest => Err(DistributedError::ManyRoots { first, second, count }),
        _ => Ok(()),
    };
    ranks.agree(outcome)
}

/// Links siblings in the order of their numbers, roots among them.
///
/// **Cost.** A sort of the slice by parents, which sorted slices do without; at most 7 words
/// for each pair of a rank and a parent with children there.
pub(super) fn link<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    parents: &[u64],
) -> Result<Links, RanksError> {
    let own = slices.of(ranks.rank());
    let mut links = Links {
        first_child: vec![NO_VERTEX; parents.len()],
        next_sibling: vec![NO_VERTEX; parents.len()],
    };
    let groups = local_groups(own.start, parents, &mut links.next_sibling);
    let p = ranks.ranks() as u64;
    let mail = send(ranks, |post| {
        for group in &groups {
            post((mixed(group[0]) % p) as usize, group);
        }
    })?;
    drop(groups);
    let mut groups = mail.records::<3>().to_vec();
    groups.sort_unstable();
    // The low bit tells first children from next siblings.
    let news = send(ranks, |post| {
        for (k, &[parent, first, last]) in groups.iter().enumerate() {
            if (k == 0 || groups[k - 1][0] != parent) && parent != NO_VERTEX {
                post(slices.owner(parent), &[2 * parent + 1, first]);
            }
            if let Some(&[same, next, _]) = groups.get(k + 1)
                && same == parent
            {
                post(slices.owner(last), &[2 * last, next]);
            }
        }
    })?;
    for &[subject, to] in news.records() {
        let v = (subject / 2 - own.start) as usize;
        if subject % 2 == 1 { links.first_child[v] = to } else { links.next_sibling[v] = to }
    }
    Ok(links)
}

/// Links siblings of the slice, and returns for each parent its first and last child here.
fn local_groups(first: u64, parents: &[u64], next_sibling: &mut [u64]) -> Vec<[u64; 3]> {
    let mut order: Vec<(u64, u32)> = parents.iter().copied().zip(0..).collect();
    if !parents.is_sorted() {
        order.sort_unstable();
    }
    let mut groups: Vec<[u64; 3]> = Vec::new();
    for (parent, v) in order {
        let vertex = first + u64::from(v);
        match groups.last_mut() {
            Some(group) if group[0] == parent => {
                next_sibling[(group[2] - first) as usize] = vertex;
                group[2] = vertex;
            }
            _ => groups.push([parent, vertex, vertex]),
        }
    }
    groups
}
