//! Which chunks of two arrays a kernel has to see together.
//!
//! **Problem.** Entries of one array point into another, and a kernel binds one chunk of each.
//! Going over every pair of chunks is right, and quadratic in their number. [`meeting`] finds the
//! stretches of chunks that point into a chunk at all.
//!
//! **Method.** Chunks are looked at in sixteen blocks each, with a mark for every chunk that a
//! block points into; neighbouring blocks with the same mark are one stretch. Positions on an
//! Euler tour, or in order by level, mostly ascend, so that a block points into one or two chunks.
//!
//! **Cost.** One sweep on the host, only where there are several chunks.

use crate::array::Array;

/// Every chunk of one array beside every chunk of another, in order: the two chunks, the
/// entries of the first, and where the second begins and how long it is.
pub(crate) fn tiles<'a>(
    one: &'a Array,
    other: &'a Array,
) -> impl Iterator<Item = (usize, usize, [u32; 3])> + 'a {
    let count = move |k: usize| one.range(k).len() as u32;
    (0..one.count()).flat_map(move |k| {
        (0..other.count()).map(move |e| {
            let [first, length] = place(other, e);
            (k, e, [count(k), first, length])
        })
    })
}

/// Where a chunk begins, and how long it is.
pub(crate) fn place(array: &Array, k: usize) -> [u32; 2] {
    [array.range(k).start as u32, array.range(k).len() as u32]
}

/// A stretch of a chunk that points into a chunk of another array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tile {
    /// The chunk, and the one that it points into.
    pub(crate) here: usize,
    pub(crate) there: usize,
    /// Where the stretch begins in its chunk.
    pub(crate) start: usize,
    pub(crate) count: usize,
}

/// Blocks of a chunk.
const BLOCKS: usize = 16;

/// The tiles of lists of one length that point into an array of `targets` entries: at an entry, or
/// up to `ahead` behind it. For each place they come in the order of the chunks pointed into.
pub(crate) fn meeting(chunk: usize, lists: &[&[u32]], ahead: u32, targets: usize) -> Vec<Tile> {
    let n = lists.first().map_or(0, |list| list.len());
    if n == 0 {
        return Vec::new();
    }
    let chunks = targets.div_ceil(chunk);
    if chunks == 1 && n <= chunk {
        return vec![Tile { here: 0, there: 0, start: 0, count: n }];
    }
    let last = (targets - 1) as u32;
    let mut tiles: Vec<Tile> = Vec::new();
    // By chunk pointed into: whether the block does, and the newest tile.
    let mut marks = vec![false; chunks];
    let mut newest: Vec<Option<usize>> = vec![None; chunks];
    let block = chunk / BLOCKS;
    for first in (0..n).step_by(block) {
        let (here, count) = (first / chunk, block.min(n - first));
        for &place in lists.iter().flat_map(|list| &list[first..first + count]) {
            marks[place as usize / chunk] = true;
            marks[(place + ahead).min(last) as usize / chunk] = true;
        }
        let start = first - here * chunk;
        for there in (0..chunks).filter(|&there| std::mem::take(&mut marks[there])) {
            let open = newest[there].map(|k| &mut tiles[k]);
            match open.filter(|tile| tile.here == here && tile.start + tile.count == start) {
                Some(tile) => tile.count += count,
                None => {
                    newest[there] = Some(tiles.len());
                    tiles.push(Tile { here, there, start, count });
                }
            }
        }
    }
    tiles.sort_unstable();
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(tiles: &[Tile], chunk: usize, place: usize, target: u32) -> bool {
        let (here, at) = (place / chunk, place % chunk);
        let has = |tile: &Tile| (tile.start..tile.start + tile.count).contains(&at);
        tiles.iter().any(|t| t.here == here && t.there == target as usize / chunk && has(t))
    }

    #[test]
    fn every_pointer_is_in_a_tile() {
        let (n, chunk) = (1000, 64);
        let there: Vec<u32> = (0..n as u32).map(|k| k * 37 % 2000).collect();
        let back: Vec<u32> = (0..n as u32).map(|k| 1999 - k).collect();
        let tiles = meeting(chunk, &[&there, &back], 1, 2000);
        for k in 0..n {
            for target in [there[k], back[k]] {
                assert!(covered(&tiles, chunk, k, target) && covered(&tiles, chunk, k, target + 1));
            }
        }
        assert!(tiles.is_sorted());
    }

    #[test]
    fn what_ascends_has_few_tiles() {
        let (n, chunk) = (1 << 12, 64);
        let same: Vec<u32> = (0..n as u32).collect();
        assert_eq!(meeting(chunk, &[&same], 0, n).len(), n / chunk);
        let twice: Vec<u32> = same.iter().map(|k| 2 * k).collect();
        let tiles = meeting(chunk, &[&twice], 0, 2 * n);
        assert_eq!(tiles.iter().map(|tile| tile.count).sum::<usize>(), n);
    }
}
