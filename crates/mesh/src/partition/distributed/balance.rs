//! Makes parts light enough that still are too heavy: many small parts, whose coarse vertices did not
//! fit together.
//!
//! **Method.** Every rank names the vertices that lose least by leaving a part that is too heavy, as
//! many as are needed; rank 0 takes the best of all of them, as long as there is room where they go.
//! **Cost.** Words for what is too heavy, and two per part and rank. Nothing if no part is.

use super::shard::Shard;
use palmette_core::ranks::{Metered, Ranks, RanksError, send};

/// Each leaves less; more are not needed where vertices weigh the same.
const ROUNDS: usize = 64;

/// What all parts weigh, and how many vertices they have.
pub(super) fn totals<R: Ranks>(
    ranks: &mut Metered<R>,
    shard: &Shard,
    part: &[u32],
    parts: u32,
) -> Result<(Vec<i64>, Vec<u64>), RanksError> {
    let mut own = vec![0u64; 2 * parts as usize];
    for (&p, &weight) in part.iter().zip(&shard.weights) {
        own[2 * p as usize] += weight as u64;
        own[2 * p as usize + 1] += 1;
    }
    let all = ranks.gather(&own)?;
    let (mut weights, mut counts) = (vec![0; parts as usize], vec![0; parts as usize]);
    for own in all.by_rank() {
        for (p, &[weight, count]) in own.as_chunks::<2>().0.iter().enumerate() {
            weights[p] += weight as i64;
            counts[p] += count;
        }
    }
    Ok((weights, counts))
}

/// Moves vertices out of parts that are too heavy, as far as that can be done.
pub(super) fn lighten<R: Ranks>(
    ranks: &mut Metered<R>,
    shard: &Shard,
    part: &mut [u32],
    parts: u32,
    limit: i64,
) -> Result<(), RanksError> {
    for _ in 0..ROUNDS {
        let (mut weights, mut counts) = totals(ranks, shard, part, parts)?;
        if weights.iter().all(|&weight| weight <= limit) {
            return Ok(());
        }
        let all = shard.with_ghosts(ranks, part)?;
        let offers = offers(shard, &all, &weights, limit);
        let mut asked = send(ranks, |post| offers.iter().for_each(|offer| post(0, offer)))?
            .records::<3>()
            .to_vec();
        asked.sort_unstable();
        let mut taken = Vec::new();
        for [_, names, weight] in asked {
            let (v, from, weight) = (names >> 32, names as u32 as usize, weight);
            let (to, own) = ((weight >> 32) as usize, i64::from(weight as u32));
            let fits = |p: usize| weights[p] + own <= limit;
            let roomiest = || (0..weights.len()).min_by_key(|&p| weights[p]);
            let Some(to) =
                Some(to).filter(|&to| fits(to)).or_else(|| roomiest().filter(|&p| fits(p)))
            else {
                continue;
            };
            if weights[from] > limit && counts[from] > 1 {
                weights[from] -= own;
                weights[to] += own;
                counts[from] -= 1;
                counts[to] += 1;
                taken.push((v, to as u64));
            }
        }
        let told = send(ranks, |post| {
            taken.iter().for_each(|&(v, to)| post(shard.slices.owner(v), &[v << 32 | to]));
        })?;
        for &word in &told.words {
            part[((word >> 32) as u32 - shard.first) as usize] = word as u32;
        }
        if ranks.sum(told.words.len() as u64)? == 0 {
            return Ok(());
        }
    }
    Ok(())
}

/// What leaving costs per weight, in an order of numbers without a sign; vertex and part; where it
/// goes, and its weight.
fn offers(shard: &Shard, part: &[u32], weights: &[i64], limit: i64) -> Vec<[u64; 3]> {
    let roomiest = (0..weights.len()).min_by_key(|&p| weights[p]).unwrap_or(0) as u32;
    let mut offers: Vec<Vec<[u64; 3]>> = vec![Vec::new(); weights.len()];
    let mut ties: Vec<(u32, i64)> = Vec::new();
    for v in 0..shard.len() as u32 {
        let (from, weight) = (part[v as usize], shard.weights[v as usize]);
        let light = u32::try_from(weight).is_ok();
        if weights[from as usize] <= limit || weight == 0 || !light {
            continue;
        }
        ties.clear();
        for &(w, tie) in shard.row(v) {
            let p = part[w as usize];
            match ties.iter_mut().find(|other| other.0 == p) {
                Some(other) => other.1 += i64::from(tie),
                None => ties.push((p, i64::from(tie))),
            }
        }
        let kept = ties.iter().find(|tie| tie.0 == from).map_or(0, |tie| tie.1);
        let fits = |tie: &&(u32, i64)| tie.0 != from && weights[tie.0 as usize] + weight <= limit;
        let best = ties.iter().filter(fits).max_by_key(|tie| (tie.1, std::cmp::Reverse(tie.0)));
        let &(to, gain) = best.unwrap_or(&(roomiest, 0));
        let loss = ((kept - gain) * 1000 / weight) as u64 ^ 1 << 63;
        let names = u64::from(shard.number(v)) << 32 | u64::from(from);
        offers[from as usize].push([loss, names, u64::from(to) << 32 | weight as u64]);
    }
    for (offers, &weight) in offers.iter_mut().zip(weights) {
        offers.sort_unstable();
        let mut left = weight - limit;
        let needed = offers.iter().take_while(|offer| {
            let needed = left > 0;
            left -= i64::from(offer[2] as u32);
            needed
        });
        let needed = needed.count();
        offers.truncate(needed);
    }
    offers.concat()
}
