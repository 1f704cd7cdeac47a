//! The branches of a tree with the samples below them, one after the other.
//!
//! **Problem.** For every branch that some sample reaches: its length, the samples with tips below
//! it, and their shares of counts there.
//!
//! **Method.** Positions are visited backwards, children before parents. The rows of vertices whose
//! parent is still to come lie on a stack, as sums of counts. A vertex takes those of its children
//! from the top: one of them goes on as it is, with the branch joined to its own, so that the tree
//! is sheared to what samples have and loses vertices with one child; several are handed on and
//! added up. Rows become shares when they are handed on: counts of integers are added exactly.
//!
//! **Cost.** A step per vertex and per sample of a row. Rows on the stack take 12 bytes per sample: at most those of
//! the children of the vertices of one path. A block takes 20 bytes per entry.
//!
//! **Determinism.** Sequential.

use super::samples::Leaves;
use super::{DiversityError, DiversityParams, Samples, lengths_by_position};
use palmette_core::Tree;

/// Entries of a block: with what engines keep per entry, about the size of a second-level cache.
const ENTRIES: usize = 1 << 16;

/// Some branches, with the samples below each in order and their shares.
#[derive(Default)]
pub(super) struct Block {
    /// Where the samples of a branch begin; one more than there are branches.
    pub(super) starts: Vec<usize>,
    pub(super) samples: Vec<u32>,
    pub(super) shares: Vec<f64>,
    pub(super) lengths: Vec<f64>,
}

impl Block {
    /// The number of branches.
    pub(super) fn len(&self) -> usize {
        self.lengths.len()
    }

    fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.samples.clear();
        self.shares.clear();
        self.lengths.clear();
    }

    /// By sample, where it stands: its entry, and the end of the branch's entries.
    pub(super) fn by_sample(&self, samples: usize) -> BySample {
        let mut starts = vec![0u32; samples + 1];
        for &sample in &self.samples {
            starts[sample as usize + 1] += 1;
        }
        for i in 0..samples {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut places = vec![Place::default(); self.samples.len()];
        for (branch, ends) in self.starts.windows(2).enumerate() {
            for entry in ends[0]..ends[1] {
                let slot = &mut next[self.samples[entry] as usize];
                let (entry, end, branch) = (entry as u32, ends[1] as u32, branch as u32);
                places[*slot as usize] = Place { entry, end, branch };
                *slot += 1;
            }
        }
        BySample { starts, places }
    }
}

/// A sample in a block.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) entry: u32,
    pub(super) end: u32,
    pub(super) branch: u32,
}

/// The branches of each sample.
pub(super) struct BySample {
    starts: Vec<u32>,
    places: Vec<Place>,
}

impl BySample {
    pub(super) fn of(&self, sample: usize) -> &[Place] {
        &self.places[self.starts[sample] as usize..self.starts[sample + 1] as usize]
    }
}

/// All branches; see the module.
pub(super) struct Branches<'a> {
    tree: &'a Tree,
    lengths: Vec<f64>,
    /// By position of tips, where the samples that have it begin.
    starts: Vec<usize>,
    samples: Vec<u32>,
    counts: Vec<f64>,
    totals: Vec<f64>,
}

/// A row on the stack.
struct Row {
    parent: u32,
    length: f64,
    start: usize,
}

impl<'a> Branches<'a> {
    pub(super) fn new(
        tree: &'a Tree,
        lengths: &[f64],
        samples: &Samples,
        params: DiversityParams,
    ) -> Result<Branches<'a>, DiversityError> {
        let lengths = lengths_by_position(tree, lengths, params)?;
        let leaves = Leaves::of(tree);
        let mut starts = vec![0usize; tree.len() + 1];
        for sample in 0..samples.len() {
            for found in samples.present(&leaves, sample) {
                starts[found?.0 as usize + 1] += 1;
            }
        }
        for i in 0..tree.len() {
            starts[i + 1] += starts[i];
        }
        let count = starts[tree.len()];
        let (mut of_tip, mut counts) = (vec![0u32; count], vec![0.0; count]);
        let mut next = starts.clone();
        for sample in 0..samples.len() {
            for found in samples.present(&leaves, sample) {
                let (tip, number) = found?;
                let slot = &mut next[tip as usize];
                (of_tip[*slot], counts[*slot]) = (sample as u32, number);
                *slot += 1;
            }
        }
        let totals = (0..samples.len()).map(|i| samples.total(i)).collect();
        Ok(Branches { tree, lengths, starts, samples: of_tip, counts, totals })
    }

    /// The number of samples.
    pub(super) fn samples(&self) -> usize {
        self.totals.len()
    }

    /// Shows all branches of a length above 0, in blocks.
    pub(super) fn each_block(&self, mut show: impl FnMut(&Block)) {
        let mut block = Block::default();
        block.clear();
        let mut rows: Vec<Row> = Vec::new();
        let (mut samples, mut counts) = (Vec::<u32>::new(), Vec::<f64>::new());
        let mut sum = RowSum::new(self.samples());
        let parents = self.tree.parents();
        for position in (0..self.tree.len()).rev() {
            let (parent, length) = (parents[position], self.lengths[position]);
            let range = self.starts[position]..self.starts[position + 1];
            if !range.is_empty() {
                let start = samples.len();
                samples.extend_from_slice(&self.samples[range.clone()]);
                counts.extend_from_slice(&self.counts[range]);
                join_equal(&mut samples, &mut counts, start);
                rows.push(Row { parent, length, start });
                continue;
            }
            let below = rows.iter().rev().take_while(|row| row.parent == position as u32).count();
            let first = rows.len() - below;
            match below {
                0 => {}
                1 => {
                    rows[first].parent = parent;
                    rows[first].length += length;
                }
                _ => {
                    for k in first..rows.len() {
                        let end = rows.get(k + 1).map_or(samples.len(), |row| row.start);
                        let of = rows[k].start..end;
                        self.put(&mut block, rows[k].length, &samples[of.clone()], &counts[of]);
                        if block.samples.len() >= ENTRIES {
                            show(&block);
                            block.clear();
                        }
                    }
                    let start = rows[first].start;
                    sum.add_up(&mut samples, &mut counts, start);
                    rows.truncate(first);
                    rows.push(Row { parent, length, start });
                }
            }
        }
        // What is left are roots.
        for k in 0..rows.len() {
            let end = rows.get(k + 1).map_or(samples.len(), |row| row.start);
            let of = rows[k].start..end;
            self.put(&mut block, rows[k].length, &samples[of.clone()], &counts[of]);
        }
        if block.len() > 0 {
            show(&block);
        }
    }

    fn put(&self, block: &mut Block, length: f64, samples: &[u32], counts: &[f64]) {
        if length == 0.0 {
            return;
        }
        block.samples.extend_from_slice(samples);
        let shares = samples.iter().zip(counts).map(|(&i, &x)| x / self.totals[i as usize]);
        block.shares.extend(shares);
        block.starts.push(block.samples.len());
        block.lengths.push(length);
    }
}

/// Joins neighbours that are the same sample: one that names a tip twice.
fn join_equal(samples: &mut Vec<u32>, counts: &mut Vec<f64>, start: usize) {
    let mut kept = start;
    for k in start + 1..samples.len() {
        if samples[k] == samples[kept] {
            counts[kept] += counts[k];
        } else {
            kept += 1;
            (samples[kept], counts[kept]) = (samples[k], counts[k]);
        }
    }
    samples.truncate(kept + 1);
    counts.truncate(kept + 1);
}

/// Adds rows by sample, in the order of the stack.
struct RowSum {
    sums: Vec<f64>,
    present: Vec<u64>,
    /// For few entries among many samples.
    sorted: Vec<(u32, f64)>,
}

impl RowSum {
    fn new(samples: usize) -> RowSum {
        let present = vec![0; samples.div_ceil(64)];
        RowSum { sums: vec![0.0; samples], present, sorted: Vec::new() }
    }

    /// Replaces the entries from `start` on by one row, in order of the samples.
    fn add_up(&mut self, samples: &mut Vec<u32>, counts: &mut Vec<f64>, start: usize) {
        if samples.len() - start < self.present.len() {
            return self.add_few(samples, counts, start);
        }
        for (&sample, &count) in samples[start..].iter().zip(&counts[start..]) {
            self.sums[sample as usize] += count;
            self.present[sample as usize / 64] |= 1 << (sample % 64);
        }
        samples.truncate(start);
        counts.truncate(start);
        for (k, word) in self.present.iter_mut().enumerate() {
            while *word != 0 {
                let sample = 64 * k + word.trailing_zeros() as usize;
                *word &= *word - 1;
                samples.push(sample as u32);
                counts.push(std::mem::take(&mut self.sums[sample]));
            }
        }
    }

    fn add_few(&mut self, samples: &mut Vec<u32>, counts: &mut Vec<f64>, start: usize) {
        self.sorted.clear();
        let entries = samples[start..].iter().copied().zip(counts[start..].iter().copied());
        self.sorted.extend(entries);
        self.sorted.sort_by_key(|&(sample, _)| sample);
        samples.truncate(start);
        counts.truncate(start);
        for &(sample, count) in &self.sorted {
            match samples[start..].last() == Some(&sample) {
                true => *counts.last_mut().unwrap_or(&mut 0.0) += count,
                false => {
                    samples.push(sample);
                    counts.push(count);
                }
            }
        }
    }
}
