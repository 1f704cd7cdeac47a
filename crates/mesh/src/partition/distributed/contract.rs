//! A smaller net from a matching, on many ranks.
//!
//! **Method.** Of two mates the one with the lower number stays, and its rank gets the row of the
//! other. Those that stay are numbered in their order, so that the numbers do not depend on who has
//! them. **Cost.** Two exchanges, and one of ghosts.

use super::matching::{Rules, mates};
use super::shard::{Rows, Shard};
use palmette_core::mesh::Point;
use palmette_core::ranks::{Metered, Ranks, RanksError, Slices, ask, send};

/// A smaller net, and for each own vertex of the larger the number of the one it became part of.
pub(super) struct Coarser {
    pub(super) shard: Shard,
    pub(super) map: Vec<u32>,
}

/// Contracts a matching.
pub(super) fn coarsen<R: Ranks>(
    ranks: &mut Metered<R>,
    shard: &Shard,
    rules: &Rules<'_>,
) -> Result<Coarser, RanksError> {
    let mates = mates(ranks, shard, rules)?;
    let (n, first) = (shard.len(), shard.first);
    let stays = |v: usize| mates[v] >= first + v as u32;
    let kept = (0..n).filter(|&v| stays(v)).count();
    let slices = Slices::of_lengths(ranks.gather(&[kept as u64])?.words);
    let start = slices.of(ranks.rank()).start as u32;
    let mut map = vec![u32::MAX; n];
    let mut next = start;
    for (v, number) in map.iter_mut().enumerate() {
        if stays(v) {
            *number = next;
            next += 1;
        }
    }
    let mut away = Vec::new();
    for v in (0..n).filter(|&v| !stays(v)) {
        match mates[v].checked_sub(first) {
            Some(mate) => map[v] = map[mate as usize],
            None => away.push(v),
        }
    }
    let questions: Vec<(usize, [u64; 1])> = away
        .iter()
        .map(|&v| u64::from(mates[v]))
        .map(|mate| (shard.slices.owner(mate), [mate]))
        .collect();
    let found = ask(ranks, &questions, |[v]| [u64::from(map[(v - u64::from(first)) as usize])])?;
    away.iter().zip(found).for_each(|(&v, [number])| map[v] = number as u32);
    let all = shard.with_ghosts(ranks, &map)?;
    let mail = send(ranks, |post| {
        let mut record = Vec::new();
        for &v in &away {
            record.clear();
            let row = shard.row(v as u32);
            record.extend([u64::from(map[v]), shard.weights[v] as u64, row.len() as u64]);
            if let Some(point) = shard.points.get(v) {
                record.extend(point.map(f64::to_bits));
            }
            record.extend(
                row.iter().map(|&(w, weight)| u64::from(all[w as usize]) << 32 | u64::from(weight)),
            );
            post(slices.owner(u64::from(map[v])), &record);
        }
    })?;
    let rows = Contraction { shard, mates: &mates, all: &all, start, kept }.rows(&mail.words);
    drop(mail);
    drop(all);
    Ok(Coarser { shard: Shard::new(ranks, rows)?, map })
}

struct Contraction<'a> {
    shard: &'a Shard,
    mates: &'a [u32],
    /// By own vertex and ghost: its new number.
    all: &'a [u32],
    /// The first new number of this rank, and how many it has.
    start: u32,
    kept: usize,
}

impl Contraction<'_> {
    /// The rows of the smaller net; `received` has those of mates on other ranks.
    fn rows(&self, received: &[u64]) -> Rows {
        let shard = self.shard;
        let located = !shard.points.is_empty();
        // By new vertex: where the row of its mate is.
        let mut places = vec![usize::MAX; self.kept];
        let mut at = 0;
        while at < received.len() {
            places[(received[at] as u32 - self.start) as usize] = at;
            at += 3 + 3 * usize::from(located) + received[at + 2] as usize;
        }
        let mut rows = Rows { offsets: vec![0], ..Rows::default() };
        let mut row: Vec<(u32, u32)> = Vec::new();
        for v in 0..shard.len() as u32 {
            let number = self.all[v as usize];
            let mate = self.mates[v as usize];
            if mate < shard.first + v {
                continue;
            }
            row.clear();
            let mapped = |v: u32| shard.row(v).iter().map(|&(w, x)| (self.all[w as usize], x));
            row.extend(mapped(v));
            let mut weight = shard.weights[v as usize];
            let mut point = shard.points.get(v as usize).copied();
            let place = places[(number - self.start) as usize];
            if place != usize::MAX {
                let words = &received[place..];
                let begin = 3 + 3 * usize::from(located);
                let entries = &words[begin..][..words[2] as usize];
                row.extend(entries.iter().map(|&word| ((word >> 32) as u32, word as u32)));
                let coordinate = |k: usize| f64::from_bits(words[3 + k]);
                let other = located.then(|| std::array::from_fn(coordinate));
                point = mean((point, weight), (other, words[1] as i64));
                weight += words[1] as i64;
            } else if mate != shard.first + v {
                let mate = mate - shard.first;
                row.extend(mapped(mate));
                let (other, more) =
                    (shard.points.get(mate as usize).copied(), shard.weights[mate as usize]);
                point = mean((point, weight), (other, more));
                weight += more;
            }
            row.retain(|e| e.0 != number);
            row.sort_unstable();
            row.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 = kept.1.saturating_add(if same { next.1 } else { 0 });
                same
            });
            rows.entries.extend_from_slice(&row);
            rows.offsets.push(rows.entries.len());
            rows.weights.push(weight);
            rows.points.extend(point);
        }
        rows.entries.shrink_to_fit();
        rows
    }
}

/// The mean of two points by their weights.
fn mean(a: (Option<Point>, i64), b: (Option<Point>, i64)) -> Option<Point> {
    let ((a, of_a), (b, of_b)) = ((a.0?, a.1.max(1) as f64), (b.0?, b.1.max(1) as f64));
    let share = of_b / (of_a + of_b);
    Some(std::array::from_fn(|k| a[k] * (1.0 - share) + b[k] * share))
}
