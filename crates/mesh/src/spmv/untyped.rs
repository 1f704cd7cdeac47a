//! Operations on plain values, for compiled programs: a compiler has placed assemblies, and
//! states are known to it, not to types.
//!
//! **Determinism.** Terms of a sum are added in their order; reductions run over the blocks
//! and lanes of [`World::dots`](super::World::dots) and then over parts in their order. The
//! same bits on any number of threads and processes.

use super::blocks::{Block, for_each};
use super::sums::in_lanes;
use super::{Matrix, Transport, World, WorldError};
use rayon::prelude::*;

/// A term `factor · A x` or `factor · x`.
#[derive(Debug, Clone, Copy)]
pub struct SumTerm<'a> {
    /// The factor.
    pub factor: f64,
    /// The matrix, if there is one.
    pub matrix: Option<&'a Matrix>,
    /// The vector; without one, that of the result, as it was.
    pub values: Option<&'a [f64]>,
    /// Whether copies that are not owned count as zero.
    pub split: bool,
}

/// What is reduced to a number.
#[derive(Debug, Clone, Copy)]
pub enum Reducible<'a> {
    /// The product of two vectors.
    Dot(&'a [f64], &'a [f64]),
    /// The sum of the entries.
    Sum(&'a [f64]),
    /// The smallest entry.
    Smallest(&'a [f64]),
    /// The largest entry.
    Largest(&'a [f64]),
}

/// Rows whose old values fit into the fastest memory.
const ROWS: usize = 512;

impl<T: Transport> World<T> {
    /// The sum of terms, and its assembly if that is asked for. No product is with the result
    /// as it was.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When something is not of this world.
    pub fn evaluate(
        &mut self,
        terms: &[SumTerm<'_>],
        z: &mut [f64],
        assemble: bool,
    ) -> Result<(), WorldError> {
        self.check_sizes(&[z]);
        terms.iter().flat_map(|term| term.values).for_each(|values| self.check_sizes(&[values]));
        let World { pieces, components, starts, assembly, sums, transport, .. } = self;
        let aliased = terms.iter().any(|term| term.values.is_none());
        let owned = |block: &Block, row: usize| pieces[block.piece].owns(row / *components);
        let rows = |block: &Block, z: &mut [f64]| {
            let mut old = [0.0; ROWS];
            for (k, z) in z.chunks_mut(ROWS).enumerate() {
                let first = block.rows.start + k * ROWS;
                let old = &mut old[..z.len()];
                if aliased {
                    old.copy_from_slice(z);
                }
                let own = starts[block.piece]..starts[block.piece + 1];
                if terms.is_empty() {
                    z.fill(0.0);
                }
                for (number, term) in terms.iter().enumerate() {
                    let SumTerm { factor, matrix, values, split } = *term;
                    let piece = values.map(|values| &values[own.clone()]);
                    let range = first..first + z.len();
                    if let (Some(matrix), Some(x)) = (matrix, piece) {
                        let matrix = &matrix.pieces()[block.piece];
                        matrix.multiply(range, factor, x, number > 0, z);
                        continue;
                    }
                    let y = piece.map_or(&*old, |piece| &piece[range.clone()]);
                    let value = |row: usize, y: f64| match split && !owned(block, row) {
                        true => 0.0,
                        false => factor * y,
                    };
                    let entries = z.iter_mut().zip(y).zip(range);
                    match number {
                        0 => entries.for_each(|((z, y), row)| *z = value(row, *y)),
                        _ => entries.for_each(|((z, y), row)| *z += value(row, *y)),
                    }
                }
            }
        };
        match terms.iter().find_map(|term| term.matrix) {
            Some(matrix) if assemble && assembly.has_peers() => {
                for_each(&matrix.border, 0, z, &rows);
                assembly.begin(z, starts, transport)?;
                for_each(&matrix.inside, 0, z, &rows);
            }
            found => {
                let blocks = found.map_or(&sums.blocks, |matrix| &matrix.all);
                for_each(blocks, 0, z, &rows);
                if assemble {
                    assembly.begin(z, starts, transport)?;
                }
            }
        }
        if assemble {
            assembly.finish(z, transport)?;
            self.traffic.add(self.exchange);
        }
        Ok(())
    }

    /// From partial to full.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    pub fn assemble_in_place(&mut self, z: &mut [f64]) -> Result<(), WorldError> {
        self.evaluate(&[SumTerm { factor: 1.0, matrix: None, values: None, split: false }], z, true)
    }

    /// `z = f(i, z)` for every unknown `i` of this process.
    pub fn each(&self, z: &mut [f64], f: impl Fn(usize, f64) -> f64 + Sync) {
        z.par_chunks_mut(1 << 12).enumerate().for_each(|(chunk, z)| {
            (chunk << 12..).zip(z).for_each(|(i, z)| *z = f(i, *z));
        });
    }

    /// Numbers from vectors, in one reduction; with `true`, owned copies count only.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    pub fn reduce(&mut self, items: &[(Reducible<'_>, bool)]) -> Result<Vec<f64>, WorldError> {
        let World { sums, transport, .. } = self;
        let count = items.len();
        let blocks = &sums.blocks;
        let of_block = |block: &Block| -> Vec<f64> {
            let range = block.start..block.start + block.rows.len();
            let of = |&(item, owned): &(Reducible<'_>, bool)| {
                let weights = if owned { sums.weights(block) } else { &[] };
                let weight = |i: usize| weights.get(i).copied().unwrap_or(1.0);
                match item {
                    Reducible::Dot(a, b) => {
                        let (a, b) = (&a[range.clone()], &b[range.clone()]);
                        match weights.is_empty() {
                            true => in_lanes(a.len(), |i| a[i] * b[i]),
                            false => in_lanes(a.len(), |i| a[i] * b[i] * weight(i)),
                        }
                    }
                    Reducible::Sum(a) => {
                        let a = &a[range.clone()];
                        in_lanes(a.len(), |i| a[i] * weight(i))
                    }
                    Reducible::Smallest(a) => {
                        a[range.clone()].iter().copied().fold(f64::INFINITY, smaller)
                    }
                    Reducible::Largest(a) => {
                        a[range.clone()].iter().copied().fold(f64::NEG_INFINITY, larger)
                    }
                }
            };
            items.iter().map(of).collect()
        };
        let found: Vec<Vec<f64>> = blocks.par_iter().with_min_len(4).map(of_block).collect();
        let merged = |numbers: &mut dyn Iterator<Item = f64>, item: usize| match items[item].0 {
            Reducible::Smallest(_) => numbers.fold(f64::INFINITY, smaller),
            Reducible::Largest(_) => numbers.fold(f64::NEG_INFINITY, larger),
            _ => numbers.fold(0.0, |sum, number| sum + number),
        };
        let mut own = Vec::with_capacity(count * sums.pieces());
        for blocks in sums.first.windows(2) {
            let blocks = &found[blocks[0]..blocks[1]];
            own.extend((0..count).map(|k| merged(&mut blocks.iter().map(|block| block[k]), k)));
        }
        let all = sums.gathered(&own, count, transport)?;
        self.traffic.reductions += 1;
        let of_parts = |k: usize| merged(&mut all.chunks_exact(count).map(|part| part[k]), k);
        Ok((0..count).map(of_parts).collect())
    }
}

/// NaN stays NaN.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a <= b { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a >= b { a } else { b }
}
