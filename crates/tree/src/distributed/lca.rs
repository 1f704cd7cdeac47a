//! Lowest common ancestors on a distributed tree, in batches.
//!
//! **Method.** The answer for two positions is the parent of the shallowest position between them.
//! A rank finds it inside its block with a table of minima; whole blocks in between are known to
//! all ranks.

use super::blocks::Blocks;
use super::ranks::ask;
use super::ranks::{Metered, Ranks};
use super::{DistributedError, NO_VERTEX};

/// A tree that is ready for pairs of vertices.
pub struct DistributedLca<'a> {
    tree: &'a Blocks,
    /// By position of the block, the vertex and its parent.
    names: Vec<[u64; 2]>,
    own: Minima,
    /// The shallowest of every block: its depth and its parent.
    blocks: Vec<(u64, u64)>,
    between: Minima,
}

/// The answer for a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The lowest common ancestor; [`NO_VERTEX`] in different trees.
    pub ancestor: u64,
    /// The edges between the two; [`NO_VERTEX`] in different trees.
    pub distance: u64,
}

/// Where there is nothing.
const NOTHING: (u64, u64) = (u64::MAX, NO_VERTEX);

impl Blocks {
    /// Prepares for pairs; `parents` are those that the tree was built from.
    pub(super) fn lca<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        parents: &[u64],
    ) -> Result<DistributedLca<'_>, DistributedError> {
        ranks.phase("prepare");
        let first = self.slices.of(self.rank).start;
        let names: Vec<[u64; 2]> = (first..).zip(parents).map(|(v, &p)| [v, p]).collect();
        let names = self.moves.to_positions(ranks, &names)?;
        let own = Minima::new(&self.depths);
        let least = match own.range(&self.depths, 0, self.depths.len()) {
            Some(k) => [self.depths[k], names[k][1]],
            None => NOTHING.into(),
        };
        let blocks: Vec<(u64, u64)> = ranks
            .gather(&least)?
            .records()
            .iter()
            .map(|&[depth, parent]| (depth, parent))
            .collect();
        let depths: Vec<u64> = blocks.iter().map(|&(depth, _)| depth).collect();
        let between = Minima::new(&depths);
        Ok(DistributedLca { tree: self, names, own, blocks, between })
    }
}

impl DistributedLca<'_> {
    /// The distance by length between each of this rank's pairs, from what [`batch`](Self::batch)
    /// found for them and the depths by length of this rank's slice; NaN in different trees.
    ///
    /// **Cost.** 2 words for each vertex of a pair and for its ancestor.
    ///
    /// # Errors
    /// When there is not a depth per vertex, or communication between ranks fails.
    ///
    /// # Panics
    /// When a pair names a vertex that does not exist, or pairs and meetings differ in number.
    pub fn distances<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        depths: &[f64],
        pairs: &[(u64, u64)],
        meetings: &[Meeting],
    ) -> Result<Vec<f64>, DistributedError> {
        assert_eq!(pairs.len(), meetings.len(), "a meeting per pair");
        ranks.phase("queries");
        let slices = &self.tree.slices;
        let own = slices.of(self.tree.rank);
        let (expected, actual) = ((own.end - own.start) as usize, depths.len());
        let fits = expected == actual;
        ranks.agree(fits.then_some(()).ok_or(DistributedError::Length { expected, actual }))?;
        let meet = || pairs.iter().zip(meetings).filter(|(_, m)| m.ancestor != NO_VERTEX);
        let questions: Vec<_> = meet()
            .flat_map(|(&(u, v), meeting)| [u, v, meeting.ancestor])
            .map(|v| (slices.owner(v), [v]))
            .collect();
        let answers = ask(ranks, &questions, |[v]| [depths[(v - own.start) as usize].to_bits()])?;
        let mut answers = answers.as_chunks::<3>().0.iter();
        let distance = |meeting: &Meeting| {
            let known = (meeting.ancestor != NO_VERTEX).then(|| answers.next()).flatten();
            known.map_or(f64::NAN, |depths| {
                let [u, v, ancestor] = depths.map(|[bits]| f64::from_bits(bits));
                (u - ancestor) + (v - ancestor)
            })
        };
        Ok(meetings.iter().map(distance).collect())
    }

    /// The lowest common ancestor and the distance for each of this rank's pairs.
    ///
    /// **Cost.** 4 words per pair to find the positions, and 10 to find the ancestor. The rank
    /// of a vertex answers for it: pairs that crowd on one slice crowd on its rank.
    ///
    /// # Errors
    /// When a vertex does not exist, or communication between ranks fails.
    pub fn batch<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        pairs: &[(u64, u64)],
    ) -> Result<Vec<Meeting>, DistributedError> {
        ranks.phase("queries");
        let tree = self.tree;
        let vertices = tree.slices.total();
        let wrong = pairs.iter().flat_map(|&(u, v)| [u, v]).find(|&v| v >= vertices);
        ranks.agree(match wrong {
            Some(vertex) => Err(DistributedError::NoSuchVertex { vertex, vertices }),
            None => Ok(()),
        })?;
        let questions: Vec<_> =
            pairs.iter().flat_map(|&(u, v)| [u, v]).map(|v| (tree.slices.owner(v), [v])).collect();
        let first = tree.slices.of(tree.rank).start;
        let places =
            ask(ranks, &questions, |[v]| [tree.positions[(v - first) as usize]])?.into_flattened();
        let ends = |pair: &[u64]| (pair[0].min(pair[1]), pair[0].max(pair[1]));
        let questions: Vec<_> = places
            .chunks_exact(2)
            .flat_map(|pair| {
                let (i, j) = ends(pair);
                [i, j].map(|at| (tree.blocks.owner(at), [i, j, at]))
            })
            .collect();
        let answers = ask(ranks, &questions, |[i, j, at]| self.part(i, j, at))?;
        let meetings = places.chunks_exact(2).zip(answers.as_chunks::<2>().0);
        Ok(meetings.map(|(pair, &answers)| self.meet(ends(pair), answers)).collect())
    }

    /// The depth of a position, and the shallowest of those after `i` up to `j` in the block.
    fn part(&self, i: u64, j: u64, at: u64) -> [u64; 3] {
        let (tree, own) = (self.tree, self.tree.blocks.of(self.tree.rank));
        let k = (at - own.start) as usize;
        let depth = tree.depths[k];
        if at == i && j < i + tree.sizes[k] {
            // An ancestor: none of those is shallower than its children.
            return [depth, depth + 1, self.names[k][0]];
        }
        let from = (i + 1).max(own.start) - own.start;
        let to = (j + 1).min(own.end) - own.start;
        match self.own.range(&tree.depths, from as usize, to as usize) {
            Some(k) => [depth, tree.depths[k], self.names[k][1]],
            None => [depth, NOTHING.0, NOTHING.1],
        }
    }

    fn meet(&self, (i, j): (u64, u64), [[from, a, p], [to, b, q]]: [[u64; 3]; 2]) -> Meeting {
        let (left, right) = (self.tree.blocks.owner(i), self.tree.blocks.owner(j));
        let middle = self.between.by(left + 1, right, |k| self.blocks[k].0);
        let middle = middle.map_or(NOTHING, |k| self.blocks[k]);
        let (depth, ancestor) =
            [(a, p), middle, (b, q)].into_iter().min_by_key(|m| m.0).unwrap_or(NOTHING);
        if ancestor == NO_VERTEX {
            return Meeting { ancestor, distance: NO_VERTEX };
        }
        Meeting { ancestor, distance: from + to - 2 * (depth - 1) }
    }
}

/// Where the least number of any interval is, the first of equals: a table over buckets of
/// 32 numbers, which are searched.
struct Minima {
    /// By level, the place of the least number of `2^level` buckets.
    levels: Vec<Vec<u32>>,
}

const BUCKET: usize = 32;

impl Minima {
    fn new(numbers: &[u64]) -> Minima {
        let least = |(k, bucket): (usize, &[u64])| {
            let (place, _) = bucket.iter().enumerate().min_by_key(|&(_, x)| x).unwrap_or((0, &0));
            (k * BUCKET + place) as u32
        };
        let mut levels: Vec<Vec<u32>> =
            vec![numbers.chunks(BUCKET).enumerate().map(least).collect()];
        let mut width = 1;
        while 2 * width <= levels[0].len() {
            let last = &levels[levels.len() - 1];
            let better = |(&a, &b): (&u32, &u32)| {
                if numbers[b as usize] < numbers[a as usize] { b } else { a }
            };
            let next = last.iter().zip(&last[width..]).map(better).collect();
            levels.push(next);
            width *= 2;
        }
        Minima { levels }
    }

    fn range(&self, numbers: &[u64], from: usize, to: usize) -> Option<usize> {
        self.by(from, to, |k| numbers[k])
    }

    fn by(&self, from: usize, to: usize, number: impl Fn(usize) -> u64) -> Option<usize> {
        let (first, last) = (from.div_ceil(BUCKET), to / BUCKET);
        let least = |a: Option<usize>, b: usize| match a {
            Some(a) if number(a) <= number(b) => Some(a),
            _ => Some(b),
        };
        if first >= last {
            return (from..to).fold(None, least);
        }
        let level = (last - first).ilog2() as usize;
        let table = &self.levels[level];
        let two = [table[first], table[last - (1 << level)]].map(|k| k as usize);
        let before = from..first * BUCKET;
        before.chain(two).chain(last * BUCKET..to).fold(None, least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minima_of_all_intervals() {
        let numbers: Vec<u64> = (0..150).map(|k| k * 7919 % 101).collect();
        let minima = Minima::new(&numbers);
        for from in 0..numbers.len() {
            for to in from..=numbers.len() {
                let expected = (from..to).min_by_key(|&k| numbers[k]);
                assert_eq!(minima.range(&numbers, from, to), expected, "{from}..{to}");
            }
        }
    }
}
