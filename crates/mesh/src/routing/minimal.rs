//! Shortest paths chosen by load, as routers with adaptive routing choose them.
//!
//! **Problem.** Paths for messages on any network, each as short as can be (`minimal`), or with a
//! detour where the short ways are full (`adaptive`), so that the fullest link has little.
//!
//! **Method.** Messages choose in turn, those with most values first, and twice more when all have
//! chosen. Among all shortest paths the one whose fullest link would have least is found by
//! searching backwards from the end, the least sum of loads among equals. With detours, a
//! message also looks at ways through a few points drawn at random, and goes there if its fullest
//! link then has less than half.
//!
//! **Cost.** A choice looks at the links of all points on shortest paths; with detours
//! [`DETOURS`] times as many.
//!
//! **Determinism.** Whole numbers; points are drawn by seed.
//!
//! **Reference.** Kim, Dally, Scott and Abts, *Technology-driven, highly-scalable dragonfly
//! topology*, 2008 (UGAL); Valiant, *A scheme for fast parallel communication*, 1982.

use super::{Message, RouteParams};
use crate::machine::Wires;
use palmette_core::NONE;
use palmette_core::random::{Purpose, Random};

/// Points through which a message tries to go.
const DETOURS: usize = 4;

/// The largest load on a path, and the sum of loads.
type Burden = (u64, u64);

/// The paths of all messages.
pub(super) fn route(
    wires: &Wires,
    messages: &[Message],
    detours: bool,
    params: &RouteParams,
) -> Vec<Vec<u32>> {
    let mut random = Random::new(params.seed, Purpose::Samples);
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(messages[i].values));
    let mut loads = vec![0u64; wires.link_slots()];
    let mut chosen: Vec<Vec<u32>> = vec![Vec::new(); messages.len()];
    let mut search = Search::new(wires);
    for _ in 0..3 {
        for &i in &order {
            let Message { from, to, values } = messages[i];
            let load = |link: u32| values * wires.burden(link);
            chosen[i].iter().for_each(|&link| loads[link as usize] -= load(link));
            let (mut burden, mut path) = search.path(&loads, from, to, values);
            let middles = if detours && from != to { DETOURS } else { 0 };
            for _ in 0..middles {
                let by = random.below(wires.points() as u32);
                // Dead points are nowhere near.
                if by == from || by == to || wires.links_of(by).next().is_none() {
                    continue;
                }
                let (first, mut longer) = search.path(&loads, from, by, values);
                let (second, rest) = search.path(&loads, by, to, values);
                longer.extend(rest);
                let all = (first.0.max(second.0), first.1 + second.1);
                if 2 * all.0 < burden.0 && is_simple(wires, from, &longer) {
                    (burden, path) = (all, longer);
                }
            }
            path.iter().for_each(|&link| loads[link as usize] += load(link));
            chosen[i] = path;
        }
    }
    chosen
}

/// Whether a path meets no point twice.
fn is_simple(wires: &Wires, from: u32, path: &[u32]) -> bool {
    let mut met: Vec<u32> = path.iter().map(|&link| wires.end(link)).chain([from]).collect();
    met.sort_unstable();
    met.windows(2).all(|pair| pair[0] != pair[1])
}

/// Arrays by point, cleared after each search.
struct Search<'a> {
    wires: &'a Wires,
    /// The least burden of a way from the start, and the link that it ends with.
    best: Vec<(Burden, u32)>,
    met: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(wires: &'a Wires) -> Search<'a> {
        let unknown = ((u64::MAX, u64::MAX), NONE);
        Search { wires, best: vec![unknown; wires.points()], met: Vec::new() }
    }

    /// The least burdened shortest path.
    fn path(&mut self, loads: &[u64], from: u32, to: u32, values: u64) -> (Burden, Vec<u32>) {
        let wires = self.wires;
        self.met.clear();
        self.met.push(from);
        self.best[from as usize] = ((0, 0), NONE);
        let mut next = 0;
        // Points come by their hops from the start, so each is final when its turn comes.
        while let Some(&p) = self.met.get(next) {
            next += 1;
            let left = wires.hops(p, to);
            let here = self.best[p as usize].0;
            for (link, q) in wires.links_of(p) {
                if wires.hops(q, to) + 1 != left {
                    continue;
                }
                let load = loads[link as usize] + values * wires.burden(link);
                let there = (here.0.max(load), here.1 + load);
                let known = &mut self.best[q as usize];
                if known.1 == NONE {
                    self.met.push(q);
                }
                if there < known.0 {
                    *known = (there, link);
                }
            }
        }
        let burden = self.best[to as usize].0;
        let (mut path, mut at) = (Vec::new(), to);
        while at != from {
            let link = self.best[at as usize].1;
            path.push(link);
            at = wires.start(link);
        }
        path.reverse();
        for &p in &self.met {
            self.best[p as usize] = ((u64::MAX, u64::MAX), NONE);
        }
        (burden, path)
    }
}
