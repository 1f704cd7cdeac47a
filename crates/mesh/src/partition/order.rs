//! An order of the vertices in which neighbours are near each other in memory.
//!
//! **Method.** Along a Hilbert curve where there are points, else by breadth-first search. A net
//! that is small, or in such an order already, keeps its own.
//!
//! **Cost.** Linear, with sorting for the curve. It pays on large nets: every later pass waits for
//! memory less, and blocks of vertices can be matched by themselves.

use super::hilbert;
use super::net::Net;
use palmette_core::NONE;
use rayon::prelude::*;

/// Smaller nets are in the processor's cache anyway.
const LARGE: usize = 50_000;
/// Neighbours further apart than this,
const FAR: u32 = 1 << 14;
/// more than one in so many, make a new order worth it.
const MANY: usize = 8;

/// A better order than the net's own, if it is worth it.
pub(super) fn local(net: &Net) -> Option<Vec<u32>> {
    if net.len() < LARGE || !is_scattered(net) {
        return None;
    }
    if net.points.is_empty() {
        return Some(by_search(net));
    }
    let places = hilbert::places(&net.points);
    let mut order: Vec<u32> = (0..net.len() as u32).collect();
    order.par_sort_unstable_by_key(|&v| (places[v as usize], v));
    Some(order)
}

fn is_scattered(net: &Net) -> bool {
    let far = |v: u32| net.row(v).iter().filter(|e| e.0.abs_diff(v) > FAR).count();
    let vertices = (0..net.len() as u32).into_par_iter().with_min_len(1 << 13);
    vertices.map(far).sum::<usize>() * MANY > net.entries.len()
}

fn by_search(net: &Net) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(net.len());
    let mut place = vec![NONE; net.len()];
    let mut next = 0;
    for start in 0..net.len() as u32 {
        if place[start as usize] != NONE {
            continue;
        }
        place[start as usize] = order.len() as u32;
        order.push(start);
        while let Some(&v) = order.get(next) {
            next += 1;
            for &(w, _) in net.row(v) {
                if place[w as usize] == NONE {
                    place[w as usize] = order.len() as u32;
                    order.push(w);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::Graph;
    use palmette_core::random::{Purpose, Random};

    #[test]
    fn an_order_has_every_vertex_once_and_brings_neighbours_together() {
        let n = 60_000;
        let mut names: Vec<u32> = (0..n).collect();
        Random::new(1, Purpose::Shuffle).shuffle(&mut names);
        let edge = |v: u32| (names[v as usize - 1], names[v as usize], 1.0);
        let edges: Vec<_> = (1..n).filter(|v| v % 20_000 != 0).map(edge).collect();
        let graph = Graph::from_edges(n as usize, &edges).unwrap();
        let net = Net::new(&graph, &[], None);
        let order = local(&net).expect("a shuffled path is scattered");
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..n));
        assert!(local(&net.reordered(&order)).is_none());
    }
}
