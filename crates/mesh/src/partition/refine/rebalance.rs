//! Restores balance: moves vertices out of parts that are too heavy, at the least loss per weight.

use super::{Distances, Parts, Ties};
use crate::partition::net::Net;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Moves vertices out of parts that are too heavy, those first that cost least for their
/// weight: to a part they touch that has room, or to any part with room.
pub(in crate::partition) fn rebalance<D: Distances>(net: &Net, parts: &mut Parts, distances: &D) {
    let count = parts.limits.len();
    let heavy: Vec<bool> = (0..count as u32).map(|p| parts.excess(p) > 0).collect();
    if !heavy.contains(&true) {
        return;
    }
    let mut ties = Ties::new(count);
    let mut heap: BinaryHeap<Reverse<(i64, u32)>> = BinaryHeap::new();
    for v in 0..net.len() as u32 {
        if heavy[parts.part[v as usize] as usize]
            && let Some((loss, _)) = cheapest(net, parts, distances, &mut ties, v)
        {
            heap.push(Reverse((loss, v)));
        }
    }
    while let Some(Reverse((claimed, v))) = heap.pop() {
        let from = parts.part[v as usize];
        if parts.excess(from) == 0 || !parts.can_lose(from) {
            continue;
        }
        let Some((loss, to)) = cheapest(net, parts, distances, &mut ties, v) else { continue };
        if loss > claimed {
            heap.push(Reverse((loss, v)));
            continue;
        }
        parts.shift(v, to, net.weights[v as usize]);
        for &(w, _) in net.row(v) {
            if parts.excess(parts.part[w as usize]) > 0
                && let Some((loss, _)) = cheapest(net, parts, distances, &mut ties, w)
            {
                heap.push(Reverse((loss, w)));
            }
        }
    }
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
