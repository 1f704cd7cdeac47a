//! Restores balance: moves vertices out of parts that are too heavy, at the least loss per weight.

use super::{Distances, Parts, Ties};
use crate::partition::net::Net;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Moves vertices out of parts that are too heavy, those first that cost least for their
/// weight: to a part they touch that has room, or to any part with room.
pub(in crate::partition) fn rebalance<D: Distances>(net: &Net, parts: &mut Parts, distances: &D) {
    let too_heavy = |parts: &Parts, p: u32| parts.excess(p) > 0;
    if (0..parts.limits.len() as u32).any(|p| too_heavy(parts, p)) {
        let best = |parts: &Parts, ties: &mut Ties, v| cheapest(net, parts, distances, ties, v);
        if parts.further.is_none() {
            drain(net, parts, too_heavy, best, |_, _| true);
            return;
        }
        // A move that helps may only be found after others.
        for _ in 0..PASSES {
            let best =
                |parts: &Parts, ties: &mut Ties, v| relieving(net, parts, distances, ties, v);
            if !drain(net, parts, too_heavy, best, |_, _| true) {
                return;
            }
        }
    }
}

/// Where vertices have several weights, so many times at most.
const PASSES: u32 = 8;
/// Up to so many parts, all are asked for room.
const FEW_PARTS: u32 = 64;

/// Of several weights: where a vertex can go so that parts are less too heavy, at the least loss
/// for that, in thousandths.
fn relieving<D: Distances>(
    net: &Net,
    parts: &Parts,
    distances: &D,
    ties: &mut Ties,
    v: u32,
) -> Option<(i64, u32)> {
    let (from, weight) = (parts.part[v as usize], net.weights[v as usize]);
    ties.fill(net, &parts.part, v);
    let count = parts.limits.len() as u32;
    let offer = |to: u32| {
        let relief = if to == from { 0 } else { parts.relief(v, weight, to) };
        let loss = -ties.gain(distances, from, to);
        (relief > 0).then(|| ((loss * 1000).div_euclid(relief), to))
    };
    let near = ties.parts.iter().filter_map(|&to| offer(to)).min();
    // Others in turns, so that vertices do not all ask the same.
    let asked = count.min(FEW_PARTS);
    let first = if count > asked { v % count } else { 0 };
    near.or_else(|| (0..asked).filter_map(|i| offer((first + i) % count)).min())
}

/// Moves vertices out of parts that are too heavy, those first that cost least for their weight;
/// whether any moved. `gives` says whose vertices are looked at, `best` what a vertex costs and
/// where it goes, and `may_go` whether it can.
pub(in crate::partition) fn drain(
    net: &Net,
    parts: &mut Parts,
    gives: impl Fn(&Parts, u32) -> bool,
    best: impl Fn(&Parts, &mut Ties, u32) -> Option<(i64, u32)>,
    mut may_go: impl FnMut(&Parts, u32) -> bool,
) -> bool {
    let mut ties = Ties::new(parts.limits.len());
    let mut heap: BinaryHeap<Reverse<(i64, u32)>> = BinaryHeap::new();
    let offer = |parts: &Parts, ties: &mut Ties, heap: &mut BinaryHeap<_>, v: u32| {
        if gives(parts, parts.part[v as usize])
            && !net.is_fixed(v)
            && let Some((loss, _)) = best(parts, ties, v)
        {
            heap.push(Reverse((loss, v)));
        }
    };
    (0..net.len() as u32).for_each(|v| offer(parts, &mut ties, &mut heap, v));
    let mut moved = false;
    while let Some(Reverse((claimed, v))) = heap.pop() {
        let from = parts.part[v as usize];
        if parts.excess(from) == 0 || !parts.can_lose(from) {
            continue;
        }
        let Some((loss, to)) = best(parts, &mut ties, v) else { continue };
        if loss > claimed {
            heap.push(Reverse((loss, v)));
        } else if may_go(parts, v) {
            parts.shift(v, to, net.weights[v as usize]);
            moved = true;
            net.row(v).iter().for_each(|&(w, _)| offer(parts, &mut ties, &mut heap, w));
        }
    }
    moved
}

/// Where a vertex can go at the least loss per weight, in thousandths.
fn cheapest<D: Distances>(
    net: &Net,
    parts: &Parts,
    distances: &D,
    ties: &mut Ties,
    v: u32,
) -> Option<(i64, u32)> {
    let weight = net.weights[v as usize];
    if weight == 0 {
        return None;
    }
    let from = parts.part[v as usize];
    ties.fill(net, &parts.part, v);
    let fits = |p: u32| p != from && parts.weights[p as usize] + weight <= parts.limits[p as usize];
    let near = ties.parts.iter().copied().filter(|&p| fits(p));
    let best = near.map(|p| (-ties.gain(distances, from, p), p)).min();
    let best = best.or_else(|| {
        let room = |p: &u32| (parts.limits[*p as usize] - parts.weights[*p as usize], Reverse(*p));
        let roomiest = (0..parts.limits.len() as u32).max_by_key(room)?;
        fits(roomiest).then(|| (-ties.gain(distances, from, roomiest), roomiest))
    });
    best.map(|(loss, to)| (loss * 1000 / weight, to))
}
