//! Which parts are refined together.
//!
//! **Problem.** How much every two parts exchange; out come groups of parts whose borders one rank
//! can hold.
//!
//! **Method.** Pairs of parts are taken by the weight of edges between them, those first that were not
//! together before, and their groups are joined as long as the borders inside stay small.
//!
//! **Determinism.** Depends on the parts only; every rank finds the same.

use palmette_core::NONE;
use palmette_core::ranks::{Metered, Ranks, RanksError};
use std::collections::{BTreeMap, BTreeSet};

/// What lies between two parts: the weight of edges, counted at both ends, and how many vertices have
/// such an edge.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Between {
    pub(super) weight: u64,
    pub(super) vertices: u64,
}

/// By pair of parts, the lower first.
pub(super) type Pairs = BTreeMap<(u32, u32), Between>;

/// What all ranks have found, added up.
pub(super) fn all_pairs<R: Ranks>(
    ranks: &mut Metered<R>,
    own: &Pairs,
) -> Result<Pairs, RanksError> {
    let words: Vec<u64> = own
        .iter()
        .flat_map(|(&(a, b), between)| {
            [u64::from(a) << 32 | u64::from(b), between.weight, between.vertices]
        })
        .collect();
    let mut all = Pairs::new();
    for &[pair, weight, vertices] in ranks.gather(&words)?.records::<3>() {
        let between = all.entry(((pair >> 32) as u32, pair as u32)).or_default();
        between.weight += weight;
        between.vertices += vertices;
    }
    Ok(all)
}

/// Groups of parts.
pub(super) struct Groups {
    /// By part: its group, `NONE` for a part that is alone.
    pub(super) of: Vec<u32>,
    /// The parts of each group, in ascending order.
    pub(super) members: Vec<Vec<u32>>,
}

/// Groups with borders of at most so many vertices, or of two parts. Pairs of `known` count little;
/// those that are together now are added. None if all that matter are known.
pub(super) fn grouped(
    parts: u32,
    pairs: &Pairs,
    most: u64,
    known: &mut BTreeSet<(u32, u32)>,
) -> Option<Groups> {
    let new: u64 = pairs.iter().filter(|p| !known.contains(p.0)).map(|p| p.1.weight).sum();
    let all: u64 = pairs.values().map(|between| between.weight).sum();
    if new * 20 <= all {
        return None;
    }
    let mut order: Vec<_> = pairs.iter().collect();
    order.sort_by_key(|&(pair, between)| {
        (known.contains(pair), std::cmp::Reverse(between.weight), *pair)
    });
    let mut of: Vec<u32> = (0..parts).collect();
    let mut members: Vec<Vec<u32>> = (0..parts).map(|p| vec![p]).collect();
    let mut sizes = vec![0u64; parts as usize];
    for (&(a, b), between) in order {
        let (a, b) = (of[a as usize], of[b as usize]);
        if a == b {
            continue;
        }
        let across = |&p: &u32| {
            let others = members[b as usize].iter();
            others
                .filter_map(|&q| pairs.get(&(p.min(q), p.max(q))))
                .map(|x| x.vertices)
                .sum::<u64>()
        };
        let joined = sizes[a as usize]
            + sizes[b as usize]
            + members[a as usize].iter().map(across).sum::<u64>();
        let single = members[a as usize].len() == 1 && members[b as usize].len() == 1;
        if joined > most && !single {
            continue;
        }
        debug_assert!(between.vertices <= joined);
        let (to, from) = (a.min(b), a.max(b));
        let moved = std::mem::take(&mut members[from as usize]);
        moved.iter().for_each(|&p| of[p as usize] = to);
        members[to as usize].extend(moved);
        sizes[to as usize] = joined;
    }
    members.retain(|parts| parts.len() > 1);
    let mut groups = Groups { of: vec![NONE; parts as usize], members };
    for (number, parts) in groups.members.iter_mut().enumerate() {
        parts.sort_unstable();
        parts.iter().for_each(|&p| groups.of[p as usize] = number as u32);
    }
    let together = |&(a, b): &(u32, u32)| {
        let group = groups.of[a as usize];
        group != NONE && group == groups.of[b as usize]
    };
    known.extend(pairs.keys().filter(|pair| together(pair)).copied());
    Some(groups)
}
