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
#[derive(Debug, Clone)]
pub(super) struct Shares {
    /// The weight that the first side shall have,
    pub(super) first: i64,
    /// how heavy each may be,
    pub(super) limits: [i64; 2],
    /// and how many vertices each has at least.
    pub(super) least: [u32; 2],
    /// Vertices that are fixed in a part from here on are on the second side.
    pub(super) middle: u32,
    /// By side and kind: how heavy it may be by further weights; empty where there are none.
    pub(super) further: Vec<i64>,
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
        // Those that are fixed in different parts stay apart.
        let labels: Vec<u32> = finest.fixed.iter().map(|part| part.wrapping_add(1)).collect();
        let labels = Some(&labels[..]).filter(|labels| !labels.is_empty());
        let next = coarsen(finest, heaviest, labels, random.below_wide(u64::MAX));
        if next.net.len() * 100 > finest.len() * LEAST_SHRINKING {
            break;
        }
        levels.push(next);
    }
    let smallest = levels.last().map_or(net, |level| &level.net);
    let free = Shares { least: [1; 2], ..shares.clone() };
    let on_net = |whole: bool| if whole { shares } else { &free };
    let mut best: Option<((i64, i64), Vec<u32>)> = None;
    for _ in 0..tries.max(1) {
        let side = grow(smallest, shares, random);
        let (over, cut, side) = polish(smallest, on_net(levels.is_empty()), side);
        if best.as_ref().is_none_or(|b| (over, cut) < b.0) {
            best = Some(((over, cut), side));
        }
    }
    let Some(((_, mut cut), mut side)) = best else { return (0, Vec::new()) };
    while let Some(level) = levels.pop() {
        side = level.map.iter().map(|&c| side[c as usize]).collect();
        let finer = levels.last().map_or(net, |level| &level.net);
        (_, cut, side) = polish(finer, on_net(levels.is_empty()), side);
    }
    (cut, side)
}

/// Improves two sides by local search: what is too heavy, the cut, and the sides.
pub(super) fn polish(net: &Net, shares: &Shares, side: Vec<u32>) -> (i64, i64, Vec<u32>) {
    let sides = Parts::new(&net.weights, side, shares.limits.to_vec());
    let mut sides = sides.with_further(net, &shares.further);
    sides.least = shares.least.to_vec();
    sides.fill_up(net);
    let cut = two_way::improve(net, &mut sides, PASSES);
    let over = sides.excess(0) + sides.excess(1);
    if over == 0 {
        return (0, cut, sides.part);
    }
    rebalance(net, &mut sides, &Plain);
    let cut = two_way::improve(net, &mut sides, 1);
    (sides.excess(0) + sides.excess(1), cut, sides.part)
}

/// The first side, grown from the vertices that are fixed on it and a random one to its weight;
/// where it can grow no further, from another one.
fn grow(net: &Net, shares: &Shares, random: &mut Random) -> Vec<u32> {
    let n = net.len() as u32;
    let first = shares.first;
    let mut side = vec![1; n as usize];
    let mut queue = Queue::new(n as usize);
    let mut weight = 0;
    // Vertices from here on, around the end, are on the second side or not looked at.
    let mut starts = 0..n;
    let turn = random.below(n.max(1));
    for v in (0..net.fixed.len() as u32).filter(|&v| net.fixed[v as usize] < shares.middle) {
        side[v as usize] = 0;
        weight += net.weights[v as usize];
    }
    for v in (0..net.fixed.len() as u32).filter(|&v| side[v as usize] == 0) {
        reach(net, &side, v, &mut queue);
    }
    while weight < first {
        let is_free = |&v: &u32| side[v as usize] == 1 && !net.is_fixed(v);
        let v = match queue.pop() {
            Some((_, v)) => v,
            None => match starts.by_ref().map(|i| (i + turn) % n).find(is_free) {
                Some(v) => v,
                None => break,
            },
        };
        let own = net.weights[v as usize];
        // The vertex in the middle goes where it leaves sides nearer to their weights.
        if weight > 0 && 2 * (weight + own - first) > own {
            break;
        }
        side[v as usize] = 0;
        weight += own;
        reach(net, &side, v, &mut queue);
    }
    side
}

/// Neighbours of a vertex that has come to the first side may be next.
fn reach(net: &Net, side: &[u32], v: u32, queue: &mut Queue) {
    for &(w, _) in net.row(v) {
        if side[w as usize] == 1 && !net.is_fixed(w) {
            let gain = net.row(w).iter().map(|&(u, weight)| {
                if side[u as usize] == 0 { i64::from(weight) } else { -i64::from(weight) }
            });
            queue.set(w, gain.sum());
        }
    }
}
