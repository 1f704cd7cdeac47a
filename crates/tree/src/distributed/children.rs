//! Links siblings of a distributed tree.
//!
//! **Problem.** Every rank has the parents of its slice; find the first child and the next sibling
//! of every vertex, which make the Euler tour. **Method.** Link the siblings of a slice, then send
//! the first and last child of each parent to a rank chosen by a hash of the parent, which links
//! the groups. So no rank gets all children of a large vertex.

use super::ranks::{Metered, Ranks, RanksError};
use super::ranks::{Slices, send};
use super::{DistributedError, NO_VERTEX};
use palmette_core::NONE;
use palmette_core::memory::huge_room;
use palmette_core::random::mixed;

/// What the Euler tour is made of, by vertex of the slice.
pub(super) struct Links {
    pub(super) first_child: Vec<u64>,
    /// Of a root, the next root.
    pub(super) next_sibling: Vec<u64>,
}

/// Parents are vertices, none its own, and there is a root, or several if allowed. Returns the parents
/// of this slice in half the room where all come before their children, if they have 32 bits.
pub(super) fn check_roots<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    parents: &[u64],
    forest: bool,
) -> Result<Option<InOrder>, DistributedError> {
    let (first, vertices) = (slices.of(ranks.rank()).start, slices.total());
    let numbered = || (first..).zip(parents.iter().copied());
    let is_wrong =
        |v: u64, parent: u64| (parent == v) | ((parent >= vertices) & (parent != NO_VERTEX));
    // Who is wrong, and the roots, are looked for where there are any.
    let Seen { wrong, roots: count, in_order } = match vertices < u64::from(NONE) {
        true => seen(parents, first as u32, vertices as u32),
        false => {
            let (mut wrong, mut roots) = (false, 0u64);
            for (v, parent) in numbered() {
                wrong |= is_wrong(v, parent);
                roots += u64::from(parent == NO_VERTEX);
            }
            Seen { wrong, roots, in_order: None }
        }
    };
    let wrong = wrong.then(|| numbered().find(|&(v, parent)| is_wrong(v, parent))).flatten();
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
        _ => Ok(in_order),
    };
    ranks.agree(outcome)
}

/// What one look at the parents of a slice finds.
struct Seen {
    /// Whether one is no vertex, or its own child.
    wrong: bool,
    roots: u64,
    in_order: Option<InOrder>,
}

/// The parents of a slice, all of which come before their children.
pub(super) struct InOrder {
    /// Their numbers; those of roots are [`NONE`].
    pub(super) parents: Vec<u32>,
    /// How many are of earlier slices.
    pub(super) away: u64,
}

/// Looks at parents of vertices from `start` on, of which there are `total` in all. Numbers have 32 bits,
/// of which vectors hold twice as many; a row is in a cache when it is copied.
fn seen(parents: &[u64], start: u32, total: u32) -> Seen {
    const ROW: usize = 1 << 11;
    let (mut any_wrong, mut roots, mut away) = (false, 0, 0);
    let mut low: Option<Vec<u32>> = Some(huge_room(parents.len()));
    for (row, first) in parents.chunks(ROW).zip((start..).step_by(ROW)) {
        let (mut wrong, mut late, mut none, mut before) = (false, false, 0u32, 0u32);
        for (&parent, v) in row.iter().zip(first..) {
            let (p, high) = (parent as u32, (parent >> 32) as u32);
            let root = (p & high) == NONE;
            wrong |= !root & ((high != 0) | (p >= total) | (p == v));
            late |= !root & (p >= v);
            none += u32::from(root);
            before += u32::from(p < start);
        }
        any_wrong |= wrong;
        roots += u64::from(none);
        away += u64::from(before);
        low = low.filter(|_| !late);
        if let Some(low) = &mut low {
            low.extend(row.iter().map(|&parent| parent as u32));
        }
    }
    let in_order = low.map(|parents| InOrder { parents, away });
    Seen { wrong: any_wrong, roots, in_order }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_finds_all_that_may_be_wrong() {
        let (start, total) = (4096, 8192);
        let mut parents: Vec<u64> = (0..4096).map(|k| (start + k) * 7 / 9).collect();
        parents[17] = NO_VERTEX;
        let found = |parents: &[u64]| seen(parents, start as u32, total);
        let away = parents.iter().filter(|&&parent| parent < start).count() as u64;
        let first = found(&parents);
        assert!(!first.wrong && first.roots == 1);
        let in_order = first.in_order.expect("parents come first");
        assert_eq!(in_order.away, away);
        let low = |&parent: &u64| if parent == NO_VERTEX { NONE } else { parent as u32 };
        assert_eq!(in_order.parents, parents.iter().map(low).collect::<Vec<_>>());
        for k in [0, 2047, 2048, 4095] {
            let v = start + k as u64;
            // Itself, no vertex, no vertex whose low half is one, and almost none.
            for wrong in [v, u64::from(total), 1 << 32 | 1, u64::from(NONE), NO_VERTEX - 1] {
                let mut parents = parents.clone();
                parents[k] = wrong;
                assert!(found(&parents).wrong, "{wrong} above {v}");
            }
            let mut parents = parents.clone();
            parents[k] = (v + 1) % u64::from(total);
            let late = parents[k] >= v;
            let seen = found(&parents);
            assert!(!seen.wrong && seen.in_order.is_none() == late);
        }
    }
}
