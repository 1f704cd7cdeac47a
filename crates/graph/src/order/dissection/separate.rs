//! A light separator of a net.
//!
//! **Method.** The net is made small by matching; there a side grows from a vertex at random until it has half
//! of the weight, and its border is improved by moves (`moves.rs`), several times; the best is improved again on
//! every size of net up to the whole, by moves and by the lightest separator nearby (`flow.rs`). Large nets are
//! made smaller by a factor first, and separated several times from there on.
//!
//! **Cost.** Nearly linear. **Determinism.** A function of the net and the seed.

use super::coarsen::{Coarser, coarsen};
use super::flow::Band;
use super::moves::Search;
use super::net::Net;
use super::sides::{BETWEEN, Sides};
use palmette_core::random::Random;

/// Sides grow on nets of about so many vertices.
const SMALL: usize = 100;
/// Matching ends when it leaves more than this share of the vertices, in hundredths.
const LEAST_SHRINKING: usize = 93;
/// Passes of moves on each size.
const PASSES: u32 = 8;
/// Flows are tried on the way up on nets of so many vertices, and where a way ends.
const FLOWS: usize = 1000;
/// Vertices on a side of the band for flows, by vertex of the separator.
const BAND: usize = 16;
/// A side is at most this share of both, in hundredths.
const HEAVIEST: u64 = 60;

/// How much is tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Growths on the smallest net,
    pub(super) growths: u32,
    /// and ways there from the net that has at most so many vertices,
    pub(super) ways: u32,
    pub(super) from: usize,
}

/// The sides and the separator; `None` if there is nothing to separate.
pub(super) fn separate(net: &Net, effort: &Effort, random: &mut Random) -> Option<Sides> {
    let limit = |net: &Net| net.weight() * HEAVIEST / 100;
    let heaviest = (net.weight() * 3 / 2 / SMALL as u64).max(1) as u32;
    let mut levels = Vec::new();
    shrink(net, effort.from, heaviest, &mut levels, random);
    let start = levels.last().map_or(net, |level: &Coarser| &level.net);
    let mut best: Option<((u64, u64), Sides)> = None;
    for _ in 0..effort.ways.max(1) {
        let Some(sides) = from_smallest(start, heaviest, effort, limit(start), random) else {
            continue;
        };
        let score = sides.score(limit(start));
        if best.as_ref().is_none_or(|best| score < best.0) {
            best = Some((score, sides));
        }
    }
    let (_, sides) = best?;
    let sides = unfold(net, levels, sides, limit(net));
    (sides.weights[0] > 0 && sides.weights[1] > 0).then_some(sides)
}

/// Contracts until there are at most so many vertices, or it helps no more.
fn shrink(net: &Net, most: usize, heaviest: u32, levels: &mut Vec<Coarser>, random: &mut Random) {
    loop {
        let finest = levels.last().map_or(net, |level| &level.net);
        if finest.len() <= most {
            break;
        }
        let next = coarsen(finest, heaviest, random);
        if next.net.len() * 100 > finest.len() * LEAST_SHRINKING {
            break;
        }
        levels.push(next);
    }
}

fn from_smallest(
    net: &Net,
    heaviest: u32,
    effort: &Effort,
    limit: u64,
    random: &mut Random,
) -> Option<Sides> {
    let mut levels = Vec::new();
    shrink(net, SMALL, heaviest, &mut levels, random);
    let smallest = levels.last().map_or(net, |level: &Coarser| &level.net);
    let mut search = Search::new(smallest.len());
    let mut best: Option<((u64, u64), Sides)> = None;
    for _ in 0..effort.growths {
        let mut sides = grow(smallest, random);
        search.improve(smallest, &mut sides, limit, PASSES);
        let score = sides.score(limit);
        if best.as_ref().is_none_or(|best| score < best.0) {
            best = Some((score, sides));
        }
    }
    let (_, sides) = best?;
    Some(unfold(net, levels, sides, limit))
}

/// Brings sides back to the whole net, and improves them on every size.
fn unfold(net: &Net, mut levels: Vec<Coarser>, mut sides: Sides, limit: u64) -> Sides {
    while let Some(Coarser { map, .. }) = levels.pop() {
        let finer = levels.last().map_or(net, |level| &level.net);
        sides = sides.finer(finer, &map);
        Search::new(finer.len()).improve(finer, &mut sides, limit, PASSES);
        if levels.is_empty() || finer.len() >= FLOWS {
            let most = BAND * sides.separator.len() + 50;
            Band::new(finer.len()).improve(finer, &mut sides, limit, most);
        }
    }
    sides
}

/// A side grown from a random vertex, breadth first, to half of the weight; the vertices next to it are the
/// separator.
fn grow(net: &Net, random: &mut Random) -> Sides {
    let n = net.len() as u32;
    let half = net.weight() / 2;
    let mut of = vec![1; n as usize];
    let mut queue = vec![random.below(n)];
    let mut queued = vec![false; n as usize];
    queued[queue[0] as usize] = true;
    let (mut head, mut weight) = (0, 0);
    let mut starts = 0..n;
    while weight < half {
        let v = match queue.get(head) {
            Some(&v) => v,
            None => match starts.find(|&v| !queued[v as usize]) {
                Some(v) => {
                    queued[v as usize] = true;
                    queue.push(v);
                    v
                }
                None => break,
            },
        };
        head += 1;
        of[v as usize] = 0;
        weight += u64::from(net.weights[v as usize]);
        for &w in net.row(v) {
            if !std::mem::replace(&mut queued[w as usize], true) {
                queue.push(w);
            }
        }
    }
    for v in 0..n {
        let touches = |&w: &u32| of[w as usize] == 0;
        if of[v as usize] == 1 && net.row(v).iter().any(touches) {
            of[v as usize] = BETWEEN;
        }
    }
    Sides::new(net, of)
}
