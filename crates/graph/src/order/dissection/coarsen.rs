//! Smaller nets by contracting pairs of vertices.
//!
//! **Method.** In random order each vertex is matched with the free neighbour that it has the strongest
//! tie with, the lighter of equals. Where many find none, as around hubs, those with the same strongest
//! neighbour are matched with each other.
//!
//! **Cost.** Linear. **Determinism.** A function of the net and the seed.
//!
//! **Reference.** Karypis, Kumar, *A fast and high quality multilevel scheme for partitioning
//! irregular graphs*, 1998.
//!
//! The partitioner of `mesh` has a matching of its own, with points, blocks for threads and wide
//! weights; here threads work on different nets, and rows are half as long.

use super::net::Net;
use palmette_core::NONE;
use palmette_core::random::Random;

/// Two hops are tried where more than one in so many vertices has no mate.
const TWO_HOPS: usize = 8;

/// A smaller net, and for each vertex the one it became a part of.
pub(super) struct Coarser {
    pub(super) net: Net,
    pub(super) map: Vec<u32>,
}

pub(super) fn coarsen(net: &Net, heaviest: u32, random: &mut Random) -> Coarser {
    let mates = matching(net, heaviest, random);
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
    Coarser { net: contract(net, &mates, &map, &firsts), map }
}

fn matching(net: &Net, heaviest: u32, random: &mut Random) -> Vec<u32> {
    let n = net.len();
    let mut mates = vec![NONE; n];
    let mut order: Vec<u32> = (0..n as u32).collect();
    random.shuffle(&mut order);
    let mut left = Vec::new();
    for &v in &order {
        if mates[v as usize] != NONE {
            continue;
        }
        let own = net.weights[v as usize];
        let (mut best, mut strongest, mut lightest) = (NONE, 0, u32::MAX);
        for (&w, &tie) in net.row(v).iter().zip(net.ties(v)) {
            if tie < strongest || mates[w as usize] != NONE {
                continue;
            }
            let weight = net.weights[w as usize];
            if (tie > strongest || weight < lightest) && own + weight <= heaviest {
                (best, strongest, lightest) = (w, tie, weight);
            }
        }
        if best == NONE {
            left.push(v);
        } else {
            mates[v as usize] = best;
            mates[best as usize] = v;
        }
    }
    left.retain(|&v| mates[v as usize] == NONE);
    if left.len() * TWO_HOPS > n {
        two_hops(net, heaviest, &left, &mut mates);
    }
    for v in left {
        if mates[v as usize] == NONE {
            mates[v as usize] = v;
        }
    }
    mates
}

/// Matches vertices without mates that are tied most strongly to the same vertex.
fn two_hops(net: &Net, heaviest: u32, left: &[u32], mates: &mut [u32]) {
    let mut waiting = vec![NONE; net.len()];
    for &v in left {
        let row = net.row(v).iter().zip(net.ties(v));
        let Some((&hub, _)) = row.max_by_key(|&(&w, &tie)| (tie, std::cmp::Reverse(w))) else {
            continue;
        };
        let other = std::mem::replace(&mut waiting[hub as usize], v);
        if other != NONE && net.weights[v as usize] + net.weights[other as usize] <= heaviest {
            (mates[v as usize], mates[other as usize]) = (other, v);
            waiting[hub as usize] = NONE;
        }
    }
}

fn contract(net: &Net, mates: &[u32], map: &[u32], firsts: &[u32]) -> Net {
    let mut coarse = Net { offsets: Vec::with_capacity(firsts.len() + 1), ..Net::default() };
    coarse.offsets.push(0);
    coarse.neighbours.reserve(net.neighbours.len() / 2);
    coarse.ties.reserve(net.neighbours.len() / 2);
    coarse.weights.reserve(firsts.len());
    // By coarse vertex: where the row that is being made has it.
    let mut place = vec![NONE; firsts.len()];
    for (own, &v) in firsts.iter().enumerate() {
        let start = coarse.neighbours.len() as u32;
        let mate = mates[v as usize];
        let mut weight = net.weights[v as usize];
        let mut add = |v: u32| {
            for (&w, &tie) in net.row(v).iter().zip(net.ties(v)) {
                let other = map[w as usize];
                if other as usize == own {
                    continue;
                }
                let at = place[other as usize];
                if at != NONE && at >= start {
                    coarse.ties[at as usize] += tie;
                } else {
                    place[other as usize] = coarse.neighbours.len() as u32;
                    coarse.neighbours.push(other);
                    coarse.ties.push(tie);
                }
            }
        };
        add(v);
        if mate != v {
            add(mate);
            weight += net.weights[mate as usize];
        }
        coarse.weights.push(weight);
        coarse.offsets.push(coarse.neighbours.len() as u32);
    }
    coarse
}
