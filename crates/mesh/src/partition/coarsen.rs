//! Smaller nets by contracting pairs of vertices.
//!
//! **Method.** Each vertex is matched with the neighbour to which it is tied most strongly for
//! its weight, unless both together would be too heavy. The vertices are taken in fixed blocks,
//! and matched within their block first, so that blocks can go to any threads; then those that
//! are left, across blocks. Where many are left, as around hubs, pairs that share their
//! strongest neighbour are matched too (two hops). Points become weighted means.
//!
//! **Cost.** Linear in the size of the net. **Determinism.** Whole numbers; blocks do not depend
//! on threads.
//!
//! **Reference.** Karypis, Kumar, *A fast and high quality multilevel scheme for partitioning
//! irregular graphs*, 1998; LaSalle et al., *Improving graph partitioning for modern graphs and
//! architectures*, 2015 (two hops).

use super::net::{Net, rows};
use palmette_core::NONE;
use palmette_core::mesh::Point;
use palmette_core::random::{Purpose, Random};
use rayon::prelude::*;

/// Blocks of this many vertices are matched on their own.
const BLOCK: usize = 1 << 15;
/// Two hops are tried where more than one in so many vertices has no mate.
const TWO_HOPS: usize = 8;
/// Up to this many entries of a row, equal neighbours are looked for one by one.
const SHORT: usize = 32;

/// A smaller net, and for each vertex the one it became a part of.
pub(super) struct Coarser {
    pub(super) net: Net,
    pub(super) map: Vec<u32>,
}

/// Contracts a matching. Vertices with different labels, if there are any, are not matched.
pub(super) fn coarsen(net: &Net, heaviest: i64, labels: Option<&[u32]>, seed: u64) -> Coarser {
    let heaviest_more = heaviest_more(net, heaviest);
    let mates = Matching { net, heaviest, heaviest_more: &heaviest_more, labels }.mates(seed);
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

#[derive(Clone, Copy)]
struct Matching<'a> {
    net: &'a Net,
    heaviest: i64,
    /// By kind of further weights.
    heaviest_more: &'a [i64],
    labels: Option<&'a [u32]>,
}

/// The same share of further weights.
fn heaviest_more(net: &Net, heaviest: i64) -> Vec<i64> {
    if net.more.is_empty() {
        return Vec::new();
    }
    let total = i128::from(net.weight().max(1));
    let share = |all: i64| (i128::from(all) * i128::from(heaviest) / total) as i64 + 1;
    net.further_totals().into_iter().map(share).collect()
}

impl Matching<'_> {
    /// By vertex: its mate, itself for none.
    fn mates(self, seed: u64) -> Vec<u32> {
        let mut mates = vec![NONE; self.net.len()];
        mates.par_chunks_mut(BLOCK).enumerate().for_each(|(block, mates)| {
            let first = (block * BLOCK) as u32;
            let mut random = Random::numbered(seed, Purpose::Partition, block as u64);
            let mut order: Vec<u32> = (0..mates.len() as u32).collect();
            random.shuffle(&mut order);
            for &i in &order {
                if mates[i as usize] != NONE {
                    continue;
                }
                let v = first + i;
                let free = |w: u32| mates.get(w.wrapping_sub(first) as usize) == Some(&NONE);
                if let Some(mate) = self.best(v, random.below(u32::MAX), free) {
                    mates[i as usize] = mate;
                    mates[(mate - first) as usize] = v;
                }
            }
        });
        let mut left: Vec<u32> =
            (0..self.net.len() as u32).filter(|&v| mates[v as usize] == NONE).collect();
        if self.net.len() > BLOCK {
            for &v in &left {
                if mates[v as usize] == NONE
                    && let Some(mate) = self.best(v, 0, |w| mates[w as usize] == NONE)
                {
                    mates[v as usize] = mate;
                    mates[mate as usize] = v;
                }
            }
            left.retain(|&v| mates[v as usize] == NONE);
        }
        if left.len() * TWO_HOPS > self.net.len() {
            self.two_hops(&left, &mut mates);
        }
        for v in left {
            if mates[v as usize] == NONE {
                mates[v as usize] = v;
            }
        }
        mates
    }

    fn fit(self, v: u32, w: u32) -> bool {
        let weights = &self.net.weights;
        weights[v as usize] + weights[w as usize] <= self.heaviest
            && self.labels.is_none_or(|labels| labels[v as usize] == labels[w as usize])
            && (self.heaviest_more.is_empty() || self.more_fit(v, w))
    }

    fn more_fit(self, v: u32, w: u32) -> bool {
        let both = self.net.further(v).iter().zip(self.net.further(w));
        both.zip(self.heaviest_more).all(|((a, b), heaviest)| a + b <= *heaviest)
    }

    /// The free neighbour with the largest weight of the edge squared for its own weight.
    #[inline]
    fn best(self, v: u32, turn: u32, free: impl Fn(u32) -> bool) -> Option<u32> {
        // Square of the edge, weight of the neighbour, the neighbour.
        let mut best = (0u64, 1u64, None);
        let row = self.net.row(v);
        let (before, after) = row.split_at(((u64::from(turn) * row.len() as u64) >> 32) as usize);
        for &(w, weight) in after.iter().chain(before) {
            if w == v || !free(w) || !self.fit(v, w) {
                continue;
            }
            let square = u64::from(weight) * u64::from(weight);
            let other = self.net.weights[w as usize].max(1) as u64;
            let (ours, kept) =
                (u128::from(square) * u128::from(best.1), u128::from(best.0) * u128::from(other));
            if ours > kept {
                best = (square, other, Some(w));
            }
        }
        best.2
    }

    /// Matches vertices without mates that are tied most strongly to the same vertex, and
    /// vertices without neighbours with each other.
    fn two_hops(self, left: &[u32], mates: &mut [u32]) {
        // By vertex: one that is tied to it and has no mate yet. The last is for no neighbours.
        let mut waiting = vec![NONE; mates.len() + 1];
        for &v in left {
            let row = self.net.row(v).iter().filter(|e| e.0 != v && !self.net.is_fixed(e.0));
            let strongest = row.max_by_key(|e| (e.1, std::cmp::Reverse(e.0)));
            let hub = strongest.map_or(mates.len(), |e| e.0 as usize);
            let other = waiting[hub];
            if other != NONE && self.fit(v, other) {
                (mates[v as usize], mates[other as usize]) = (other, v);
                waiting[hub] = NONE;
            } else {
                waiting[hub] = v;
            }
        }
    }
}

fn contract(net: &Net, mates: &[u32], map: &[u32], firsts: &[u32]) -> Net {
    let (offsets, entries) = rows(firsts, |v, row| {
        let own = map[v as usize];
        let mate = mates[v as usize];
        let both = [net.row(v), if mate == v { &[] } else { net.row(mate) }];
        let mapped = both.into_iter().flatten().map(|&(w, weight)| (map[w as usize], weight));
        let mapped = mapped.filter(|e| e.0 != own);
        if both[0].len() + both[1].len() <= SHORT {
            for (w, weight) in mapped {
                match row.iter_mut().find(|e| e.0 == w) {
                    Some(e) => e.1 += weight,
                    None => row.push((w, weight)),
                }
            }
            return;
        }
        row.extend(mapped);
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
    let weights = firsts.par_iter().with_min_len(1 << 12).map(|&v| {
        let (v, mate) = merged(v);
        net.weights[v] + mate.map_or(0, |m| net.weights[m])
    });
    let points = firsts.par_iter().with_min_len(1 << 12).map(|&v| {
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
    let fixed = if net.fixed.is_empty() {
        Vec::new()
    } else {
        // Mates have the same label, and so are both fixed or both not.
        firsts.iter().map(|&v| net.fixed[v as usize]).collect()
    };
    let mut more = Vec::with_capacity(net.kinds() * firsts.len());
    for &v in firsts.iter().filter(|_| !net.more.is_empty()) {
        let at = more.len();
        more.extend_from_slice(net.further(v));
        if let Some(mate) = merged(v).1 {
            more[at..].iter_mut().zip(net.further(mate as u32)).for_each(|(sum, w)| *sum += w);
        }
    }
    Net { offsets, entries, weights: weights.collect(), points, fixed, more }
}
