//! A matching of vertices that lie on many ranks.
//!
//! **Method.** Edges have a fixed order: the square of the weight over the weights of both ends,
//! then a hash. In a round every free vertex names the free neighbour at its best edge; two that
//! name each other are matched. Where many stay alone, as around hubs, those that are tied most
//! strongly to the same vertex are matched by the rank that has it (two hops).
//!
//! **Cost.** Two exchanges of ghosts per round, at most [`ROUNDS`]. **Determinism.** Depends on
//! numbers and weights only, not on who has them.
//!
//! **Reference.** Manne, Bisseling, *A parallel approximation algorithm for the weighted maximum
//! matching problem*, 2008.

use super::shard::Shard;
use palmette_core::NONE;
use palmette_core::random::mixed;
use palmette_core::ranks::{Metered, Ranks, RanksError, send};

/// Rounds at most,
const ROUNDS: usize = 12;
/// and no further one when the last matched less than one vertex in so many.
const FEW: u64 = 100;
/// Two hops are tried where more than one in so many vertices has no mate.
const TWO_HOPS: u64 = 8;
/// Vertices without neighbours are matched within blocks of this many numbers.
const BLOCK: u32 = 1 << 16;

/// Which pairs may be matched.
pub(super) struct Rules<'a> {
    /// How heavy both may be together.
    pub(super) heaviest: i64,
    /// By own vertex and ghost: its label; those with different ones are not matched.
    pub(super) labels: Option<&'a [u32]>,
    pub(super) seed: u64,
}

/// By own vertex: the number of its mate in the whole net, its own for none.
pub(super) fn mates<R: Ranks>(
    ranks: &mut Metered<R>,
    shard: &Shard,
    rules: &Rules<'_>,
) -> Result<Vec<u32>, RanksError> {
    let n = shard.len();
    let weights = shard.all_weights(ranks)?;
    let search = Search { shard, rules, weights: &weights };
    let mut mates = vec![NONE; n];
    let mut taken = vec![false; weights.len()];
    let mut free: Vec<u32> = (0..n as u32).collect();
    let mut choices = vec![NONE; n];
    for _ in 0..ROUNDS {
        for &v in &free {
            choices[v as usize] = search.best(v, &taken).map_or(NONE, |w| shard.number(w));
        }
        let all = shard.with_ghosts(ranks, &choices)?;
        let before = free.len();
        for &v in &free {
            let number = shard.number(v);
            let choice = choices[v as usize];
            let named = |w: u32| shard.number(w) == choice && all[w as usize] == number;
            if choice != NONE && shard.row(v).iter().any(|&(w, _)| named(w)) {
                mates[v as usize] = choice;
            }
        }
        free.retain(|&v| {
            let stays = mates[v as usize] == NONE;
            if !stays {
                choices[v as usize] = NONE;
            }
            stays
        });
        let own: Vec<bool> = mates.iter().map(|&mate| mate != NONE).collect();
        taken = shard.bits_with_ghosts(ranks, &own)?;
        if ranks.sum((before - free.len()) as u64)? * FEW < shard.total() {
            break;
        }
    }
    if ranks.sum(free.len() as u64)? * TWO_HOPS > shard.total() {
        two_hops(ranks, &search, &free, &mut mates)?;
    }
    for v in free {
        if mates[v as usize] == NONE {
            mates[v as usize] = shard.number(v);
        }
    }
    Ok(mates)
}

struct Search<'a> {
    shard: &'a Shard,
    rules: &'a Rules<'a>,
    weights: &'a [i64],
}

impl Search<'_> {
    /// The free neighbour at the best edge.
    fn best(&self, v: u32, taken: &[bool]) -> Option<u32> {
        let own = self.shard.number(v);
        // Square of the edge, weight of the neighbour, hash; the neighbour.
        let mut best: Option<(u64, u64, u64, u32)> = None;
        for &(w, weight) in self.shard.row(v) {
            if taken[w as usize] || !self.fit(v, w) {
                continue;
            }
            let square = u64::from(weight) * u64::from(weight);
            let other = self.weights[w as usize].max(1) as u64;
            let number = self.shard.number(w);
            let ends = u64::from(own.min(number)) << 32 | u64::from(own.max(number));
            let hash = mixed(ends ^ self.rules.seed);
            let better = best.is_none_or(|(kept, of, last, _)| {
                let ours = u128::from(square) * u128::from(of);
                let theirs = u128::from(kept) * u128::from(other);
                (ours, hash) > (theirs, last)
            });
            if better {
                best = Some((square, other, hash, w));
            }
        }
        best.map(|best| best.3)
    }

    fn fit(&self, v: u32, w: u32) -> bool {
        let (v, w) = (v as usize, w as usize);
        self.weights[v] + self.weights[w] <= self.rules.heaviest
            && self.rules.labels.is_none_or(|labels| labels[v] == labels[w])
    }
}

/// Matches free vertices that are tied most strongly to the same one, and some of those without
/// neighbours.
fn two_hops<R: Ranks>(
    ranks: &mut Metered<R>,
    search: &Search<'_>,
    free: &[u32],
    mates: &mut [u32],
) -> Result<(), RanksError> {
    let shard = search.shard;
    // The vertex that matches them, whether they have no neighbours, and their label.
    let meeting = |v: u32| {
        let row = shard.row(v).iter().filter(|e| e.0 != v);
        let strongest = row.map(|&(w, weight)| (weight, !shard.number(w))).max();
        let label = search.rules.labels.map_or(0, |labels| labels[v as usize]);
        let (hub, alone) = match strongest {
            Some((_, number)) => (!number, 0),
            None => (shard.number(v) / BLOCK * BLOCK, 1),
        };
        [u64::from(hub), alone << 32 | u64::from(label)]
    };
    let mail = send(ranks, |post| {
        for &v in free {
            let [hub, label] = meeting(v);
            let weight = shard.weights[v as usize] as u64;
            let record = [hub, label, u64::from(shard.number(v)), weight];
            post(shard.slices.owner(hub), &record);
        }
    })?;
    let mut waiting = mail.records::<4>().to_vec();
    drop(mail);
    waiting.sort_unstable();
    let mut pairs = Vec::new();
    let mut before: Option<[u64; 4]> = None;
    for record in waiting {
        let [hub, label, v, weight] = record;
        before = match before {
            Some([same, labelled, w, other])
                if (same, labelled) == (hub, label)
                    && other as i64 + weight as i64 <= search.rules.heaviest =>
            {
                pairs.push([v, w]);
                None
            }
            _ => Some(record),
        };
    }
    let told = send(ranks, |post| {
        for &[v, w] in &pairs {
            post(shard.slices.owner(v), &[v << 32 | w]);
            post(shard.slices.owner(w), &[w << 32 | v]);
        }
    })?;
    for word in told.words {
        mates[((word >> 32) as u32 - shard.first) as usize] = word as u32;
    }
    Ok(())
}
