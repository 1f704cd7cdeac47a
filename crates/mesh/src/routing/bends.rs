//! Paths of few straight pieces.
//!
//! **Method.** For each message all shortest paths that take the dimensions one after
//! another, in any order and any of equally long ways round; with two bends also those that
//! take one dimension in two pieces, before and after the others. (In a plane these are
//! the paths of one and of two bends.) Messages choose in turn, those with most values
//! first, and twice more when all have chosen: the path whose fullest link is least loaded,
//! then the least sum of loads. Or each draws one at random.
//!
//! **Cost.** `O(hops)` for each of at most 48 paths with one bend, and `hops` times as many
//! with two; 24 bytes and more a candidate while one message chooses.

use super::{Message, RouteParams};
use crate::machine::Lattice;
use palmette_core::random::{Purpose, Random};

/// A path in straight pieces: directions and steps.
type Pieces = Vec<(usize, u32)>;

/// The paths of all messages.
pub(super) fn route(
    lattice: &Lattice,
    messages: &[Message],
    two: bool,
    params: &RouteParams,
) -> Vec<Vec<u32>> {
    let paths_of = |message: &Message| -> Vec<Vec<u32>> {
        let pieces = candidates(lattice, message, two);
        pieces.iter().map(|pieces| lattice.walk(message.from, pieces)).collect()
    };
    let mut random = Random::new(params.seed, Purpose::Samples);
    if params.random_bends {
        let draw = |message| {
            let mut paths = paths_of(message);
            let drawn = random.below(paths.len() as u32) as usize;
            paths.swap_remove(drawn)
        };
        return messages.iter().map(draw).collect();
    }
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(messages[i].values));
    let mut loads = vec![0u64; lattice.link_slots()];
    let mut chosen: Vec<Vec<u32>> = vec![Vec::new(); messages.len()];
    for _ in 0..3 {
        for &i in &order {
            let values = messages[i].values;
            chosen[i].iter().for_each(|&link| loads[link as usize] -= values);
            let burden = |path: &Vec<u32>| {
                let loads = path.iter().map(|&link| loads[link as usize]);
                (loads.clone().max(), loads.sum::<u64>())
            };
            let best = paths_of(&messages[i]).into_iter().min_by_key(burden);
            chosen[i] = best.unwrap_or_default();
            chosen[i].iter().for_each(|&link| loads[link as usize] += values);
        }
    }
    chosen
}

/// All candidates of a message, at least one; the machine's default is the first.
fn candidates(lattice: &Lattice, message: &Message, two: bool) -> Vec<Pieces> {
    let [a, b] = [message.from, message.to].map(|processor| lattice.coordinates(processor));
    // By dimension that changes, the last first: its shortest ways.
    let ways: Vec<Vec<(usize, u32)>> = (0..lattice.sides().len())
        .rev()
        .map(|d| lattice.ways(d, a[d], b[d]))
        .filter(|ways| !ways.is_empty())
        .collect();
    let mut chosen: Vec<Pieces> = vec![Vec::new()];
    for ways in &ways {
        let extended = |pieces: &Pieces| {
            let pieces = pieces.clone();
            ways.iter().map(move |&way| [&pieces[..], &[way]].concat()).collect::<Vec<_>>()
        };
        chosen = chosen.iter().flat_map(extended).collect();
    }
    let mut all: Vec<Pieces> = chosen.iter().flat_map(|pieces| orders(pieces)).collect();
    if two {
        all.extend(chosen.iter().flat_map(|pieces| split(pieces)));
    }
    all
}

/// The pieces in all orders; there are at most three.
fn orders(pieces: &[(usize, u32)]) -> Vec<Pieces> {
    let mut all = vec![Vec::new()];
    for (k, &piece) in pieces.iter().enumerate() {
        let mut next = Vec::new();
        for order in &all {
            for place in (0..=k).rev() {
                let mut longer: Pieces = order.clone();
                longer.insert(place, piece);
                next.push(longer);
            }
        }
        all = next;
    }
    all
}

/// One piece in two, around the others.
fn split(pieces: &[(usize, u32)]) -> Vec<Pieces> {
    let mut all = Vec::new();
    for (k, &(direction, steps)) in pieces.iter().enumerate() {
        let others = [&pieces[..k], &pieces[k + 1..]].concat();
        if others.is_empty() {
            continue;
        }
        for order in orders(&others) {
            for before in 1..steps {
                let ends = [(direction, before), (direction, steps - before)];
                all.push([&ends[..1], &order[..], &ends[1..]].concat());
            }
        }
    }
    all
}
