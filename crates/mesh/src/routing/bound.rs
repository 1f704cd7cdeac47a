//! How little the fullest link could have, whatever the routes.
//!
//! **Problem.** Messages on a network. If values could be split among paths at will, how large
//! must the largest load over capacity of a link be? No routes do better.
//!
//! **Method.** That is a multicommodity flow, and by its dual every choice of lengths of links
//! gives a bound: the sum of values times shortest lengths, over the sum of capacities times
//! lengths. Lengths start equal; in each round all messages go along shortest paths, and links
//! become longer by their loads (multiplicative weights). The best bound of all rounds counts.
//! Messages with the same start share a search.
//!
//! **Cost.** A search with a heap for every start and round; fewer rounds on large networks, at
//! least one. Rounding is in favour of the bound being too low.
//!
//! **Determinism.** Additions, multiplications and divisions only, in a fixed order.
//!
//! **Reference.** Garg and Könemann, *Faster and simpler algorithms for multicommodity flow and
//! other fractional packing problems*, 2007; Arora, Hazan and Kale, *The multiplicative weights
//! update method*, 2012.

use super::Message;
use crate::machine::Wires;
use palmette_core::NONE;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Rounds at most, and about how many links all of them look at.
const ROUNDS: usize = 120;
const WORK: usize = 30_000_000;

/// How fast lengths grow: the fullest link by this share in a round.
const STEP: f64 = 0.25;

/// A lower bound on the time of the fullest link, its load over its capacity; 0 where nothing is
/// sent.
pub fn congestion_bound(wires: &Wires, messages: &[Message]) -> f64 {
    let mut order: Vec<&Message> = messages.iter().filter(|m| m.from != m.to).collect();
    order.sort_by_key(|m| (m.from, m.to));
    let starts: Vec<&[&Message]> = order.chunk_by(|a, b| a.from == b.from).collect();
    let links: Vec<u32> = wires.links().collect();
    if starts.is_empty() || links.is_empty() {
        return 0.0;
    }
    let rounds = (WORK / (starts.len() * links.len()).max(1)).clamp(1, ROUNDS);
    let mut lengths = vec![0.0f64; wires.link_slots()];
    let fill = 1.0 / links.len() as f64;
    links.iter().for_each(|&l| lengths[l as usize] = fill / f64::from(wires.capacity(l)));
    let mut best = 0.0f64;
    for _ in 0..rounds {
        let found: Vec<(f64, Vec<(u32, u64)>)> =
            starts.par_iter().map(|to| tree(wires, &lengths, to)).collect();
        let sent: f64 = found.iter().map(|found| found.0).sum();
        let room = |&l: &u32| lengths[l as usize] * f64::from(wires.capacity(l));
        let all: f64 = links.iter().map(room).sum();
        best = best.max(sent / all * (1.0 - 1e-9));
        let mut loads = vec![0u64; wires.link_slots()];
        found.iter().flat_map(|found| &found.1).for_each(|&(l, v)| loads[l as usize] += v);
        let time = |l: u32| loads[l as usize] as f64 / f64::from(wires.capacity(l));
        let most = links.iter().map(|&l| time(l)).fold(0.0, f64::max);
        for &l in &links {
            // Divided by the sum, so that lengths neither grow nor vanish.
            lengths[l as usize] *= (1.0 + STEP * time(l) / most) / all;
        }
    }
    best
}

/// Shortest lengths from one start: their sum times values, and the loads of the paths.
fn tree(wires: &Wires, lengths: &[f64], messages: &[&Message]) -> (f64, Vec<(u32, u64)>) {
    let points = wires.points();
    let mut length = vec![f64::INFINITY; points];
    let mut by = vec![NONE; points];
    let mut done = Vec::with_capacity(points);
    let mut heap = BinaryHeap::new();
    let from = messages[0].from;
    length[from as usize] = 0.0;
    // Lengths are positive, so their bits are in their order.
    heap.push((Reverse(0u64), Reverse(from)));
    while let Some((Reverse(bits), Reverse(p))) = heap.pop() {
        let here = length[p as usize];
        if here.to_bits() != bits {
            continue;
        }
        done.push(p);
        for (link, q) in wires.links_of(p) {
            let there = here + lengths[link as usize];
            if there < length[q as usize] {
                length[q as usize] = there;
                by[q as usize] = link;
                heap.push((Reverse(there.to_bits()), Reverse(q)));
            }
        }
    }
    let mut values = vec![0u64; points];
    let mut sum = 0.0;
    for message in messages {
        values[message.to as usize] += message.values;
        sum += message.values as f64 * length[message.to as usize];
    }
    let mut loads = Vec::new();
    for &p in done.iter().rev() {
        let (link, sent) = (by[p as usize], values[p as usize]);
        if link != NONE && sent > 0 {
            loads.push((link, sent));
            values[wires.start(link) as usize] += sent;
        }
    }
    (sum, loads)
}
