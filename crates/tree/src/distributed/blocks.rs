//! Moves a distributed tree into even blocks of its preorder.
//!
//! **Problem.** Every rank knows the positions and subtree sizes of its slice; find depths, and a
//! way for values between vertices and positions. **Method.** Send each vertex to the rank of its
//! position. Depths are a prefix sum over the beginnings and ends of subtrees. **Cost.** One
//! exchange to build; one for values and one for answers per computation.

use super::DistributedError;
use super::ranking::Places;
use super::ranks::{Metered, Ranks, RanksError};
use super::ranks::{Slices, send};
use palmette_core::Lists;

/// A tree in blocks of its preorder, a block per rank.
pub(super) struct Blocks {
    /// Which rank has which vertices.
    pub(super) slices: Slices,
    /// Which rank has which positions of the preorder.
    pub(super) blocks: Slices,
    pub(super) rank: usize,
    pub(super) moves: Moves,
    /// By position of the own block, the vertices of the subtree.
    pub(super) sizes: Vec<u64>,
    /// By position of the own block, the edges to the root.
    pub(super) depths: Vec<u64>,
    /// By vertex of the own slice, its position.
    pub(super) positions: Vec<u64>,
}

/// How elements go from vertices to positions, and back.
pub(super) struct Moves {
    /// The vertices of the slice in the order in which they are sent.
    order: Vec<u32>,
    sends: Vec<usize>,
    /// By arrival, the place in the block.
    places: Vec<u32>,
    receives: Vec<usize>,
}

/// Sends each vertex with its subtree's size to the rank of its position, and finds depths.
pub(super) fn settle<R: Ranks>(
    ranks: &mut Metered<R>,
    slices: Slices,
    Places { positions, sizes }: Places,
) -> Result<Blocks, DistributedError> {
    let (rank, count) = (ranks.rank(), ranks.ranks());
    let blocks = Slices::even(slices.total(), count);
    let own = blocks.of(rank);
    let owners = positions.iter().map(|&position| blocks.owner(position) as u32);
    let order = Lists::by_key(count, owners.zip(0u32..));
    let sends: Vec<usize> = (0..count as u32).map(|rank| order.of(rank).len()).collect();
    let order = order.into_items();
    let words: Vec<u64> =
        order.iter().flat_map(|&v| [positions[v as usize], sizes[v as usize]]).collect();
    drop(sizes);
    let counts: Vec<usize> = sends.iter().map(|count| 2 * count).collect();
    let mail = ranks.exchange(&words, &counts)?;
    drop(words);
    let mut sizes = vec![0; (own.end - own.start) as usize];
    let mut places = Vec::with_capacity(sizes.len());
    for &[position, size] in mail.records() {
        let place = (position - own.start) as u32;
        sizes[place as usize] = size;
        places.push(place);
    }
    let receives = mail.counts.iter().map(|words| words / 2).collect();
    let moves = Moves { order, sends, places, receives };
    let depths = depths(ranks, &blocks, &sizes)?;
    Ok(Blocks { slices, blocks, rank, moves, sizes, depths, positions })
}

/// The edges to the root: a prefix sum of subtrees that begin and end.
fn depths<R: Ranks>(
    ranks: &mut Metered<R>,
    blocks: &Slices,
    sizes: &[u64],
) -> Result<Vec<u64>, RanksError> {
    let own = blocks.of(ranks.rank());
    // Ends beyond the block, by place; those of a chain are together, and the innermost first
    // from the back.
    let mut ends = vec![0u64; sizes.len()];
    let mut beyond: Vec<(u64, u64)> = Vec::new();
    for (position, size) in (own.start..).zip(sizes) {
        let end = position + size;
        if end < own.end {
            ends[(end - own.start) as usize] += 1;
        } else if end < blocks.total() {
            match beyond.last_mut() {
                Some((last, count)) if *last == end => *count += 1,
                _ => beyond.push((end, 1)),
            }
        }
    }
    let mail = send(ranks, |post| {
        for &(end, count) in &beyond {
            post(blocks.owner(end), &[end, count]);
        }
    })?;
    for &[end, count] in mail.records() {
        ends[(end - own.start) as usize] += count;
    }
    let total = sizes.len() as u64;
    let ended = ends.iter().sum::<u64>();
    let mut open = ranks.sum_before(total.wrapping_sub(ended))?;
    let depth = |&ended: &u64| {
        open = open.wrapping_sub(ended);
        let depth = open;
        open = open.wrapping_add(1);
        depth
    };
    Ok(ends.iter().map(depth).collect())
}

impl Moves {
    /// Elements by vertex of the slice to the positions of the block.
    pub(super) fn to_positions<R: Ranks, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        by_vertex: &[[u64; N]],
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        let (expected, actual) = (self.order.len(), by_vertex.len());
        let fits = expected == actual;
        ranks.agree(fits.then_some(()).ok_or(DistributedError::Length { expected, actual }))?;
        Ok(swap(ranks, by_vertex, (&self.order, &self.sends), &self.places)?)
    }

    /// Elements by position of the block to the vertices of the slice.
    pub(super) fn to_vertices<R: Ranks, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        by_position: &[[u64; N]],
    ) -> Result<Vec<[u64; N]>, RanksError> {
        swap(ranks, by_position, (&self.places, &self.receives), &self.order)
    }
}

/// Sends elements in this order, so many to each rank, and puts what arrives into these places.
fn swap<R: Ranks, const N: usize>(
    ranks: &mut Metered<R>,
    elements: &[[u64; N]],
    (order, sends): (&[u32], &[usize]),
    places: &[u32],
) -> Result<Vec<[u64; N]>, RanksError> {
    let words: Vec<u64> = order.iter().flat_map(|&k| elements[k as usize]).collect();
    let counts: Vec<usize> = sends.iter().map(|count| N * count).collect();
    let mail = ranks.exchange(&words, &counts)?;
    let mut arrived = vec![[0; N]; places.len()];
    for (&place, &element) in places.iter().zip(mail.records()) {
        arrived[place as usize] = element;
    }
    Ok(arrived)
}

impl Blocks {
    /// Moves values to positions, works on them there, and moves the answers back.
    pub(super) fn in_order<R: Ranks, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        values: &[[u64; N]],
        work: impl FnOnce(&mut Metered<R>, &[[u64; N]]) -> Result<Vec<[u64; N]>, DistributedError>,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        ranks.phase("values");
        let values = self.moves.to_positions(ranks, values)?;
        ranks.phase("treefix");
        let answers = work(ranks, &values)?;
        ranks.phase("values");
        Ok(self.moves.to_vertices(ranks, &answers)?)
    }

    /// Numbers by position, by vertex.
    pub(super) fn column<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        by_position: &[u64],
    ) -> Result<Vec<u64>, DistributedError> {
        let by_vertex = self.moves.to_vertices::<_, 1>(ranks, by_position.as_chunks().0)?;
        Ok(by_vertex.into_flattened())
    }

    /// The first position of the own block.
    pub(super) fn start(&self) -> u64 {
        self.blocks.of(self.rank).start
    }
}
