//! A net cut in two without the need of points.
//!
//! **Problem.** A net and how heavy its two sides may be; out come sides with few edges between
//! them.
//!
//! **Method.** The net is made small by matching. There a side grows from a vertex at random: it
//! takes the vertex next that lowers the cut most. The better of several tries, each improved by
//! local search, is improved again on every size of net up to the whole.
//!
//! **Cost.** Nearly linear in the size of the net.
//!
//! **Reference.** Karypis, Kumar, *A fast and high quality multilevel scheme for partitioning
//! irregular graphs*, 1998.

use super::coarsen::{Coarser, coarsen};
use super::net::Net;
use super::queue::Queue;
use super::refine::{Parts, Plain, rebalance, two_way};
use palmette_core::random::Random;

/// Sides grow on nets of at most this many vertices, if matching gets so far.
const SMALL: usize = 120;
/// Matching ends when it leaves more than this share of the vertices, in hundredths.
const LEAST_SHRINKING: usize = 95;
/// Passes of local search on every size.
const PASSES: u32 = 6;

/// What two sides may weigh.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    /// The weight that the first side shall have,
    pub(super) first: i64,
    /// how heavy each may be,
    pub(super) limits: [i64; 2],
    /// and how many vertices each has at least.
    pub(super) least: [u32; 2],
}

/// The weight of the cut, and by vertex its side.
pub(super) type Halves = (i64, Vec<u32>);

/// Cuts a net in two; of so many tries on its smallest form the best.
pub(super) fn halve(net: &Net, shares: &Shares, tries: u32, random: &mut Random) -> Halves {
    let mut levels: Vec<Coarser> = Vec::new();
    let heaviest = (net.weight() / SMALL as i64 * 3 / 2).max(1);
    loop {
        let finest = levels.last().map_or(net, |level| &level.net);
        if finest.len() <= SMALL {
            break;
        }
        let next = coarsen(finest, heaviest, None, random.below_wide(u64::MAX));
        if next.net.len() * 100 > finest.len() * LEAST_SHRINKING {
            break;
        }
        levels.push(next);
    }
    let smallest = levels.last().map_or(net, |level| &level.net);
    let free = Shares { least: [1; 2], ..*shares };
    let on_net = |whole: bool| if whole { *shares } else { free };
    let mut best: Option<((i64, i64), Vec<u32>)> = None;
    for _ in 0..tries.max(1) {
        let side = grow(smallest, shares.first, random);
        let (over, cut, side) = polish(smallest, &on_net(levels.is_empty()), side);
        if best.as_ref().is_none_or(|b| (over, cut) < b.0) {
            best = Some(((over, cut), side));
        }
    }
    let Some(((_, mut cut), mut side)) = best else { return (0, Vec::new()) };
    while let Some(level) = levels.pop() {
        side = level.map.iter().map(|&c| side[c as usize]).collect();
        let finer = levels.last().map_or(net, |level| &level.net);
        (_, cut, side) = polish(finer, &on_net(levels.is_empty()), side);
    }
    (cut, side)
}

/// Improves two sides by local search: what is too heavy, the cut, and the sides.
pub(super) fn polish(net: &Net, shares: &Shares, side: Vec<u32>) -> (i64, i64, Vec<u32>) {
    let mut sides = Parts::new(&net.weights, side, shares.limits.to_vec());
    sides.least = shares.least.to_vec();
    fill_up(net, &mut sides);
    let cut = two_way::improve(net, &mut sides, PASSES);
    let over = sides.excess(0) + sides.excess(1);
    if over == 0 {
        return (0, cut, sides.part);
    }
    rebalance(net, &mut sides, &Plain);
    let cut = two_way::improve(net, &mut sides, 1);
    (sides.excess(0) + sides.excess(1), cut, sides.part)
}

/// A side that has too few vertices gets those of the other that weigh least.
fn fill_up(net: &Net, sides: &mut Parts) {
    for short in [0, 1] {
        let missing = sides.least[short as usize].saturating_sub(sides.counts[short as usize]);
        if missing == 0 {
            continue;
        }
        let mut others: Vec<u32> =
            (0..net.len() as u32).filter(|&v| sides.part[v as usize] != short).collect();
        others.sort_by_key(|&v| (net.weights[v as usize], v));
        for &v in others.iter().take(missing as usize) {
            sides.shift(v, short, net.weights[v as usize]);
        }
    }
}

/// The first side, grown from a random vertex to its weight; where it can grow no further, from
/// another one.
fn grow(net: &Net, first: i64, random: &mut Random) -> Vec<u32> {
    let n = net.len() as u32;
    let mut side = vec![1; n as usize];
    let mut queue = Queue::new(n as usize);
    let mut weight = 0;
    // Vertices from here on, around the end, are on the second side or not looked at.
    let mut starts = 0..n;
    let turn = random.below(n.max(1));
    while weight < first {
        let v = match queue.pop() {
            Some((_, v)) => v,
            None => {
                match starts.by_ref().map(|i| (i + turn) % n).find(|&v| side[v as usize] == 1) {
                    Some(v) => v,
                    None => break,
                }
            }
        };
        let own = net.weights[v as usize];
        // The vertex in the middle goes where it leaves sides nearer to their weights.
        if weight > 0 && 2 * (weight + own - first) > own {
            break;
        }
        side[v as usize] = 0;
        weight += own;
        for &(w, _) in net.row(v) {
            if side[w as usize] == 1 {
                let gain = net.row(w).iter().map(|&(u, weight)| {
                    if side[u as usize] == 0 { i64::from(weight) } else { -i64::from(weight) }
                });
                queue.set(w, gain.sum());
            }
        }
    }
    side
}
