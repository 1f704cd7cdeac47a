//! Smaller nets by contracting edges.
//!
//! **Method.** Each vertex is matched with the neighbour to which it is tied most strongly
//! for its weight, unless both together would be too heavy. The vertices are taken in fixed
//! blocks, and matched within their block, so that blocks can go to any threads.
//! Points become weighted means.

use super::net::{Net, rows};
use palmette_core::mesh::Point;
use palmette_core::random::{Purpose, Random};
use rayon::prelude::*;

/// Blocks of this many vertices are matched on their own.
const BLOCK: usize = 1 << 15;

const UNMATCHED: u32 = u32::MAX;

/// A smaller net, and for each vertex the one it became a part of.
pub(super) struct Coarser {
    pub(super) net: Net,
    pub(super) map: Vec<u32>,
}

/// Contracts a matching. Vertices of different parts, if there are any, are not matched.
pub(super) fn coarsen(net: &Net, heaviest: i64, part: Option<&[u32]>, seed: u64) -> Coarser {
    let mates = matching(net, heaviest, part, seed);
    let mut map = vec![0; net.len()];
    let mut firsts = Vec::with_capacity(net.len() / 2);
    for v in 0..net.len() as u32 {
        let mate = mates[v as usize];
        if mate >= v {
            map[v as usize] = firsts.len() as u32;
            firsts.push(v);
        } else {
            map[v as usize] = map[mate as usize];
        }
    }
    let net = contract(net, &mates, &map, &firsts);
    Coarser { net, map }
}

/// By vertex: its mate, itself for none.
fn matching(net: &Net, heaviest: i64, part: Option<&[u32]>, seed: u64) -> Vec<u32> {
    let mut mates = vec![UNMATCHED; net.len()];
    mates.par_chunks_mut(BLOCK).enumerate().for_each(|(block, mates)| {
        let first = (block * BLOCK) as u32;
        let mut random = Random::numbered(seed, Purpose::Partition, block as u64);
        let mut order: Vec<u32> = (0..mates.len() as u32).collect();
        // Short runs in random order: near each other in memory.
        order.chunks_mut(64).for_each(|run| random.shuffle(run));
        for &i in &order {
            if mates[i as usize] != UNMATCHED {
                continue;
            }
            let v = first + i;
            let mate = best_mate(net, v, heaviest, part, |w| {
                mates.get(w.wrapping_sub(first) as usize) == Some(&UNMATCHED)
            });
            mates[i as usize] = mate;
            mates[(mate - first) as usize] = v;
        }
    });
    mates
}

/// The free neighbour with the largest weight of the edge squared for the weights of both
/// vertices.
fn best_mate(
    net: &Net,
    v: u32,
    heaviest: i64,
    part: Option<&[u32]>,
    free: impl Fn(u32) -> bool,
) -> u32 {
    let own = net.weights[v as usize];
    let mut best = (0.0, v);
    for &(w, weight) in net.row(v) {
        let other = net.weights[w as usize];
        if own + other > heaviest || !free(w) {
            continue;
        }
        if part.is_some_and(|part| part[v as usize] != part[w as usize]) {
            continue;
        }
        let weight = f64::from(weight);
        let rating = weight * weight / (own.max(1) * other.max(1)) as f64;
        if rating > best.0 {
            best = (rating, w);
        }
    }
    best.1
}

fn contract(net: &Net, mates: &[u32], map: &[u32], firsts: &[u32]) -> Net {
    let (offsets, entries) = rows(firsts, |v, row| {
        let own = map[v as usize];
        let mut gather = |v: u32| {
            let mapped = net.row(v).iter().map(|&(w, weight)| (map[w as usize], weight));
            row.extend(mapped.filter(|e| e.0 != own));
        };
        gather(v);
        if mates[v as usize] != v {
            gather(mates[v as usize]);
        }
        row.sort_unstable_by_key(|e| e.0);
        row.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
    });
    let merged = |v: u32| {
        let mate = mates[v as usize];
        (v as usize, (mate != v).then_some(mate as usize))
    };
    let weights = firsts.par_iter().map(|&v| {
        let (v, mate) = merged(v);
        net.weights[v] + mate.map_or(0, |m| net.weights[m])
    });
    let points = firsts.par_iter().map(|&v| {
        let (v, mate) = merged(v);
        mate.map_or(net.points[v], |m| {
            let (a, b) = (net.weights[v].max(1) as f64, net.weights[m].max(1) as f64);
            let mean: Point = std::array::from_fn(|k| {
                let share = b / (a + b);
                net.points[v][k] * (1.0 - share) + net.points[m][k] * share
            });
            mean
        })
    });
    let points = if net.points.is_empty() { Vec::new() } else { points.collect() };
    Net { offsets, entries, weights: weights.collect(), points }
}
