//! The exclusive scan of an array.
//!
//! **Problem.** In place: entry k becomes the product of all entries before k.
//!
//! **Method.** Reduce, then scan. Tiles of a fixed length are multiplied, one workgroup each;
//! their products are scanned in the same way; then each tile is scanned behind its product.
//! No workgroup waits for another: that only *later* dispatches see what earlier ones wrote is
//! all that WebGPU promises, and all that is used.
//!
//! **Cost.** Three passes over the memory, 2 log(tile) steps per level, and log(n) / log(tile)
//! levels: three at 2^31 entries.
//!
//! **Determinism.** The association is fixed by the tile, whatever the device.
//!
//! **Reference.** Merrill and Garland, 2016, for why chained scans need forward progress.

use crate::GpuError;
use crate::array::Array;
use crate::batch::{Batch, Source, read, write};
use crate::kernel::Law;

const REDUCE: Source = Source {
    params: &["count", "first"],
    arrays: &[read("line", "Elem"), write("sums", "Elem")],
    body: concat!(include_str!("wgsl/tile.wgsl"), include_str!("wgsl/reduce.wgsl")),
};

const SCAN: Source = Source {
    params: &["count", "first", "has_before"],
    arrays: &[write("line", "Elem"), read("before", "Elem")],
    body: concat!(include_str!("wgsl/tile.wgsl"), include_str!("wgsl/scan.wgsl")),
};

/// Entries of a tile, of so many bytes each: eight kilobytes of a workgroup's memory, of the
/// sixteen there are.
pub(crate) const fn tile(bytes: usize) -> usize {
    8192 / bytes
}

/// Adds the scan of a line to a batch.
pub(crate) fn exclusive(batch: &mut Batch<'_>, line: &Array, law: &Law) -> Result<(), GpuError> {
    let tile = tile(law.bytes());
    let (reduce, scan) = (batch.kernel(&REDUCE)?, batch.kernel(&SCAN)?);
    // The products of the line's tiles, the products of theirs, until one tile is left.
    let mut products: Vec<Array> = Vec::new();
    let mut len = line.len();
    while len > tile {
        len = len.div_ceil(tile);
        products.push(Array::of_bytes(batch.device(), len, law.bytes())?);
    }
    let nothing = Array::of_bytes(batch.device(), 1, law.bytes())?;
    let level = |k: usize| if k == 0 { line } else { &products[k - 1] };
    for (k, sums) in products.iter().enumerate() {
        for part in parts(level(k), tile) {
            let arrays = [level(k).chunk(part.chunk), sums.chunk(part.products)];
            batch.push(&reduce, &arrays, &[part.count, part.first], part.groups);
        }
    }
    for k in (0..=products.len()).rev() {
        let (before, has_before) = products.get(k).map_or((&nothing, 0), |before| (before, 1));
        for part in parts(level(k), tile) {
            let arrays = [level(k).chunk(part.chunk), before.chunk(part.products)];
            batch.push(&scan, &arrays, &[part.count, part.first, has_before], part.groups);
        }
    }
    products.push(nothing);
    batch.keep(products);
    Ok(())
}

/// The tiles of one chunk.
struct Part {
    chunk: usize,
    /// Entries of the chunk.
    count: u32,
    groups: usize,
    /// The chunk that has the products of its tiles, and where they begin there. Lengths of
    /// chunks and tiles are powers of two: they do not straddle.
    products: usize,
    first: u32,
}

fn parts(array: &Array, tile: usize) -> impl Iterator<Item = Part> {
    let size = array.device().bounds().chunk;
    (0..array.count()).map(move |chunk| {
        let count = array.range(chunk).len();
        let place = chunk * (size / tile);
        Part {
            chunk,
            count: count as u32,
            groups: count.div_ceil(tile),
            products: place / size,
            first: (place % size) as u32,
        }
    })
}
