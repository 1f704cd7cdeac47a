//! What ranks bring, checked once.

use super::shard::Rows;
use super::{GraphSlice, RanksPartitionError, RanksPartitionParams};
use crate::partition::PartitionError;
use palmette_core::MAX_VERTICES;
use palmette_core::random::mixed;
use palmette_core::ranks::{Metered, Ranks, Slices, send};

/// The sum of all weights of edges stays below this, as on one machine.
const WEIGHT_LIMIT: f64 = (1u64 << 31) as f64;

/// Rows with whole weights, and what they were multiplied with.
pub(super) fn checked<R: Ranks>(
    ranks: &mut Metered<R>,
    slice: GraphSlice,
    params: &RanksPartitionParams,
) -> Result<(Rows, f64), RanksPartitionError> {
    ranks.agree(params.on_one().check().map_err(RanksPartitionError::from))?;
    let n = slice.offsets.len().saturating_sub(1);
    let slices = Slices::of_lengths(ranks.gather(&[n as u64])?.words);
    let first = slices.of(ranks.rank()).start;
    let located = ranks.sum(slice.points.len() as u64)? > 0;
    let weighted = ranks.sum(slice.weights.len() as u64)? > 0;
    let whole = slice.edge_weights.iter().all(|w| w.fract() == 0.0);
    let entries = ranks.sum(slice.neighbours.len() as u64)?;
    let broken = ranks.sum(u64::from(!whole))? > 0;
    // A rank without vertices may not know whether there are weights.
    let has_weights = ranks.sum(slice.edge_weights.len() as u64)? > 0;
    let found = check(&slice, (first, slices.total()), (located, weighted, has_weights), params);
    ranks.agree(found)?;
    // Largest weights, as words that order as they do.
    let largest = slice.edge_weights.iter().fold(0.0, |a: f64, &b| a.max(b));
    let largest = ranks.gather(&[largest.to_bits()])?.words.into_iter().max().unwrap_or(0);
    let most = if has_weights { f64::from_bits(largest) } else { 1.0 } * entries as f64;
    let sum = slice.edge_weights.iter().map(|&w| if broken { 0 } else { w as u64 }).sum();
    let sum = if has_weights { ranks.sum(sum)? } else { entries };
    let fits = !broken && (most < WEIGHT_LIMIT || (sum as f64) < WEIGHT_LIMIT);
    let scale = if fits || most == 0.0 { 1.0 } else { WEIGHT_LIMIT / 2.0 / most };
    one_sided(ranks, &slices, &slice)?;
    Ok((rows(slice, first as u32, scale), scale))
}

fn check(
    slice: &GraphSlice,
    (first, vertices): (u64, u64),
    (located, weighted, has_weights): (bool, bool, bool),
    params: &RanksPartitionParams,
) -> Result<(), RanksPartitionError> {
    let n = slice.offsets.len().saturating_sub(1);
    if vertices > MAX_VERTICES as u64 {
        return Err(RanksPartitionError::TooManyVertices { vertices });
    }
    if u64::from(params.parts) > vertices {
        let (parts, vertices) = (params.parts, vertices as usize);
        return Err(PartitionError::TooManyParts { parts, vertices }.into());
    }
    let counts =
        [("points", slice.points.len(), located), ("weights", slice.weights.len(), weighted)];
    for (what, found, there) in counts {
        if there && found != n {
            return Err(PartitionError::Count { what, found, vertices: n }.into());
        }
    }
    let (found, vertices_of_rows) = (slice.edge_weights.len(), slice.neighbours.len());
    if has_weights && found != vertices_of_rows {
        let what = "weights of edges";
        return Err(PartitionError::Count { what, found, vertices: vertices_of_rows }.into());
    }
    for (v, point) in (first as usize..).zip(&slice.points) {
        if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
            return Err(PartitionError::Coordinate { vertex: v, value }.into());
        }
    }
    for (v, row) in (first..).zip(slice.offsets.windows(2)) {
        let mut row = slice.neighbours[row[0]..row[1]].iter();
        if let Some(&neighbour) = row.find(|&&w| u64::from(w) >= vertices) {
            return Err(RanksPartitionError::NoSuchVertex { vertex: v, neighbour, vertices });
        }
    }
    if let Some(&weight) = slice.edge_weights.iter().find(|w| !(w.is_finite() && **w > 0.0)) {
        return Err(RanksPartitionError::EdgeWeight { weight });
    }
    Ok(())
}

/// The entries of a slice: vertex, neighbour and weight; loops are left out.
fn entries(slice: &GraphSlice, first: u64) -> impl Iterator<Item = (u64, u64, f64)> + Clone + '_ {
    (first..).zip(slice.offsets.windows(2)).flat_map(move |(v, row)| {
        let weight = |i: usize| slice.edge_weights.get(i).copied().unwrap_or(1.0);
        let entry = move |i: usize| (v, u64::from(slice.neighbours[i]), weight(i));
        (row[0]..row[1]).map(entry).filter(|e| e.0 != e.1)
    })
}

/// Finds an edge that is not listed at both its ends with the same weight. Sums of hashes show that there
/// is none.
fn one_sided<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: &Slices,
    slice: &GraphSlice,
) -> Result<(), RanksPartitionError> {
    let first = slices.of(ranks.rank()).start;
    let hash = |(v, w, weight): (u64, u64, f64)| {
        let hash = mixed(mixed(v.min(w) << 32 | v.max(w)) ^ weight.to_bits());
        if v < w { hash } else { hash.wrapping_neg() }
    };
    let own = entries(slice, first).map(hash).fold(0, u64::wrapping_add);
    if ranks.sum(own)? == 0 {
        return Ok(());
    }
    // At the rank of the lower end: all that both ends say.
    let mail = send(ranks, |post| {
        for (v, w, weight) in entries(slice, first) {
            let side = u64::from(v > w);
            post(slices.owner(v.min(w)), &[v.min(w) << 32 | v.max(w), weight.to_bits(), side]);
        }
    })?;
    let mut all = mail.records::<3>().to_vec();
    all.sort_unstable();
    let wrong = all.chunk_by(|a, b| a[..2] == b[..2]).find_map(|same| {
        let higher = same.iter().filter(|record| record[2] == 1).count();
        (2 * higher != same.len()).then(|| {
            let (lower, upper) = (same[0][0] >> 32, u64::from(same[0][0] as u32));
            let named_by_upper = 2 * higher > same.len();
            let (vertex, neighbour) = if named_by_upper { (upper, lower) } else { (lower, upper) };
            RanksPartitionError::OneSided { vertex, neighbour }
        })
    });
    ranks.agree(wrong.map_or(Ok(()), Err))
}

fn rows(slice: GraphSlice, first: u32, scale: f64) -> Rows {
    let GraphSlice { offsets, neighbours, edge_weights, weights, points } = slice;
    let n = offsets.len().saturating_sub(1);
    let mut rows = Rows {
        offsets: Vec::with_capacity(n + 1),
        entries: Vec::with_capacity(neighbours.len()),
        weights: match weights.is_empty() {
            true => vec![1; n],
            false => weights.into_iter().map(i64::from).collect(),
        },
        points,
    };
    rows.offsets.push(0);
    for (v, bounds) in (first..).zip(offsets.windows(2)) {
        let start = rows.entries.len();
        for (&w, i) in neighbours[bounds[0]..bounds[1]].iter().zip(bounds[0]..) {
            if w != v {
                let weight = edge_weights.get(i).map_or(1.0, |weight| weight * scale);
                rows.entries.push((w, weight.ceil() as u32));
            }
        }
        let sorted = rows.entries[start..].windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !sorted {
            let mut row = rows.entries.split_off(start);
            row.sort_unstable();
            row.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 = kept.1.saturating_add(if same { next.1 } else { 0 });
                same
            });
            rows.entries.extend(row);
        }
        rows.offsets.push(rows.entries.len());
    }
    rows
}
