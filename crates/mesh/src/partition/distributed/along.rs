//! Slices along Hilbert's curve, so that neighbours are on the same rank as a rule.
//!
//! **Method.** Where points are known and neighbours far apart in the order of the file, vertices
//! are sorted along the curve by samples: every rank tells evenly spaced keys of its own, which say
//! where slices end. Rows then move to their new ranks, with new numbers.
//!
//! **Cost.** A row travels once, at about a word per entry, and 6 for its vertex. **Determinism.** The new
//! numbers are those of the sorted order; where slices end depends on the number of ranks.

use super::shard::{Rows, Shard};
use crate::partition::hilbert::{Curve, extent};
use palmette_core::mesh::Point;
use palmette_core::ranks::{Metered, Ranks, RanksError, Slices, send};

/// Keys that each rank tells.
const SAMPLES: usize = 256;
/// Neighbours further apart than this,
const FAR: u32 = 1 << 14;
/// more than one in so many, make a new order worth it.
const MANY: u64 = 8;

/// A net in another order, and the number that each vertex had before.
pub(super) struct Sorted {
    pub(super) shard: Shard,
    pub(super) before: Vec<u32>,
    /// Who had them.
    pub(super) slices: Slices,
}

/// Whether the net is large, has points and is scattered.
pub(super) fn is_worth_it<R: Ranks>(
    ranks: &mut Metered<R>,
    shard: &Shard,
) -> Result<bool, RanksError> {
    let far = |v: u32| {
        let own = shard.number(v);
        shard.row(v).iter().filter(|e| shard.number(e.0).abs_diff(own) > FAR).count() as u64
    };
    let far = ranks.sum((0..shard.len() as u32).map(far).sum())?;
    let entries = ranks.sum(shard.entries.len() as u64)?;
    let located = ranks.sum(shard.points.len() as u64)? > 0;
    Ok(located && far * MANY > entries)
}

/// The curve through the points of all ranks.
fn curve<R: Ranks>(ranks: &mut Metered<R>, points: &[Point]) -> Result<Curve, RanksError> {
    let (low, high) = extent(points);
    let words: Vec<u64> = low.iter().chain(&high).map(|x| x.to_bits()).collect();
    let own: &[u64] = if points.is_empty() { &[] } else { &words };
    let all = ranks.gather(own)?;
    let boxes: Vec<Point> = all
        .words
        .chunks_exact(3)
        .map(|corner| std::array::from_fn(|k| f64::from_bits(corner[k])))
        .collect();
    let (low, high) = extent(&boxes);
    let dimension = if low[2] == high[2] { 2 } else { 3 };
    Ok(Curve::new(dimension, low, high))
}

/// Sorts a net along the curve.
pub(super) fn sorted<R: Ranks>(ranks: &mut Metered<R>, shard: Shard) -> Result<Sorted, RanksError> {
    let (n, first) = (shard.len() as u32, shard.first);
    let curve = curve(ranks, &shard.points)?;
    let mut keys: Vec<[u64; 2]> =
        (0..n).map(|v| [curve.place(&shard.points[v as usize]), u64::from(first + v)]).collect();
    keys.sort_unstable();
    // As many samples as vertices allow, each with how many of them it stands for.
    let count = SAMPLES.min(keys.len());
    let sample = |k: usize| keys[(2 * k + 1) * keys.len() / (2 * count)];
    let share = |k: usize| ((k + 1) * keys.len() / count - k * keys.len() / count) as u64;
    let own: Vec<u64> = (0..count)
        .flat_map(|k| {
            let [key, number] = sample(k);
            [key, number, share(k)]
        })
        .collect();
    let all = ranks.gather(&own)?;
    let mut samples = all.records::<3>().to_vec();
    samples.sort_unstable();
    let p = ranks.ranks() as u64;
    let (mut ends, mut sum): (Vec<[u64; 2]>, u64) = (Vec::new(), 0);
    for [key, number, share] in samples {
        sum += share;
        while (ends.len() as u64) < p - 1 && sum * p >= (ends.len() as u64 + 1) * shard.total() {
            ends.push([key, number]);
        }
    }
    let home = |key: &[u64; 2]| ends.partition_point(|end| end < key);
    let mail = send(ranks, |post| keys.iter().for_each(|key| post(home(key), key)))?;
    drop(keys);
    let mut mine = mail.records::<2>().to_vec();
    drop(mail);
    mine.sort_unstable();
    let start = ranks.sum_before(mine.len() as u64)?;
    let before: Vec<u32> = mine.iter().map(|key| key[1] as u32).collect();
    drop(mine);
    let told = send(ranks, |post| {
        for (&old, new) in before.iter().zip(start..) {
            post(shard.slices.owner(u64::from(old)), &[u64::from(old) << 32 | new]);
        }
    })?;
    let mut names = vec![0u32; n as usize];
    for &word in &told.words {
        names[((word >> 32) as u32 - first) as usize] = word as u32;
    }
    drop(told);
    let names = shard.with_ghosts(ranks, &names)?;
    let slices = Slices::of_lengths(ranks.gather(&[before.len() as u64])?.words);
    let mail = send(ranks, |post| {
        let mut record = Vec::new();
        for v in 0..n {
            let (row, new) = (shard.row(v), names[v as usize]);
            record.clear();
            record.push(u64::from(new) << 32 | row.len() as u64);
            record.push(shard.weights[v as usize] as u64);
            record.extend(shard.points[v as usize].map(f64::to_bits));
            record.extend(
                row.iter().map(|&(w, x)| u64::from(names[w as usize]) << 32 | u64::from(x)),
            );
            post(slices.owner(u64::from(new)), &record);
        }
    })?;
    let old = shard.slices.clone();
    drop(names);
    drop(shard);
    let rows = placed(&mail.words, start as u32, before.len());
    drop(mail);
    Ok(Sorted { shard: Shard::new(ranks, rows)?, before, slices: old })
}

/// Rows from records, in the order of their numbers.
fn placed(records: &[u64], start: u32, count: usize) -> Rows {
    let mut places = vec![0; count];
    let mut at = 0;
    let mut entries = 0;
    while at < records.len() {
        let length = records[at] as u32 as usize;
        places[((records[at] >> 32) as u32 - start) as usize] = at;
        at += 5 + length;
        entries += length;
    }
    let mut rows = Rows {
        offsets: Vec::with_capacity(count + 1),
        entries: Vec::with_capacity(entries),
        weights: Vec::with_capacity(count),
        points: Vec::with_capacity(count),
    };
    rows.offsets.push(0);
    for at in places {
        let record = &records[at..];
        rows.weights.push(record[1] as i64);
        rows.points.push(std::array::from_fn(|k| f64::from_bits(record[2 + k])));
        let row = &record[5..][..record[0] as u32 as usize];
        rows.entries.extend(row.iter().map(|&word| ((word >> 32) as u32, word as u32)));
        rows.offsets.push(rows.entries.len());
    }
    rows
}
