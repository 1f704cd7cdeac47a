//! One product with the approximate inverse: `z = P L⁻ᵀ D⁺ L⁻¹ P r`, where `P` takes the
//! mean out of floating components.
//!
//! Parts run on their own; what they send to the separator is added up in the order of
//! parts. Sums run over blocks of fixed size.

use super::{ApproximateCholesky, Part};
use crate::Laplacian;
use palmette_core::LinOp;
use rayon::prelude::*;

/// Entries that are added up in one go, whatever the number of threads.
const BLOCK: usize = 1 << 14;

/// Takes means out of floating components.
#[derive(Debug)]
pub(super) enum Balance {
    /// Nothing floats.
    Nothing,
    /// All is one floating component.
    Whole,
    /// By vertex, its component; by component, one over its size, 0 unless it floats.
    Components(Vec<u32>, Vec<f64>),
}

impl Balance {
    pub(super) fn new(laplacian: &Laplacian<'_>) -> Self {
        let (components, floating) = (laplacian.components(), laplacian.floating());
        if !floating.contains(&true) {
            return Balance::Nothing;
        }
        if components.count() == 1 {
            return Balance::Whole;
        }
        let inverse =
            |(&size, &floats): (&u32, &bool)| if floats { 1.0 / f64::from(size) } else { 0.0 };
        let inverses = components.sizes.iter().zip(floating).map(inverse).collect();
        Balance::Components(components.of.clone(), inverses)
    }

    /// The memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Balance::Components(of, inverses) => 4 * of.len() + 8 * inverses.len(),
            _ => 0,
        }
    }

    /// By component, its mean; one number where all is one component or nothing floats.
    fn means(&self, vector: &[f64]) -> Vec<f64> {
        let blocks = vector.par_chunks(BLOCK);
        match self {
            Balance::Nothing => vec![0.0],
            Balance::Whole => {
                let sums: Vec<f64> = blocks.map(|block| block.iter().sum()).collect();
                vec![sums.iter().sum::<f64>() / vector.len() as f64]
            }
            Balance::Components(of, inverses) => {
                // Neighbouring vertices are mostly in one component: sums of runs.
                let runs: Vec<Vec<(u32, f64)>> = blocks
                    .zip(of.par_chunks(BLOCK))
                    .map(|(vector, of)| {
                        let mut runs: Vec<(u32, f64)> = Vec::new();
                        for (&x, &c) in vector.iter().zip(of) {
                            match runs.last_mut() {
                                Some((last, sum)) if *last == c => *sum += x,
                                _ => runs.push((c, x)),
                            }
                        }
                        runs
                    })
                    .collect();
                let mut means = vec![0.0; inverses.len()];
                for (c, sum) in runs.into_iter().flatten() {
                    means[c as usize] += sum;
                }
                means.iter_mut().zip(inverses).for_each(|(mean, inverse)| *mean *= inverse);
                means
            }
        }
    }

    /// Writes a vector without its means to `to`, whose entry `v` is what `entry` says
    /// before that.
    fn subtract(&self, means: &[f64], to: &mut [f64], entry: impl Fn(usize, f64) -> f64 + Sync) {
        to.par_chunks_mut(BLOCK).enumerate().for_each(|(block, to)| {
            let places = (block * BLOCK..).zip(to);
            match self {
                Balance::Components(of, _) => {
                    places.for_each(|(v, x)| *x = entry(v, *x) - means[of[v] as usize]);
                }
                _ => places.for_each(|(v, x)| *x = entry(v, *x) - means[0]),
            }
        });
    }
}

impl ApproximateCholesky {
    /// The work vector after all steps; `r` is read by vertex, less `mean`.
    fn substitute(&self, r: &[f64], mean: f64, work: &mut [f64]) {
        let Some((last, parts)) = self.parts.split_last() else { return };
        let fill = |part: &Part, y: &mut [f64]| {
            let (own, border) = y.split_at_mut(part.vertices.len());
            own.iter_mut().zip(&part.vertices).for_each(|(y, &v)| *y = r[v as usize] - mean);
            border.fill(0.0);
        };
        let mut pieces = Vec::with_capacity(parts.len());
        let mut rest = work;
        for part in parts {
            let (piece, after) = rest.split_at_mut(part.places());
            pieces.push((part, piece));
            rest = after;
        }
        pieces.par_iter_mut().with_max_len(1).for_each(|(part, y)| {
            fill(part, y);
            part.columns.forward(y);
        });
        fill(last, rest);
        for (part, y) in &pieces {
            for (&b, &flow) in part.border.iter().zip(&y[part.vertices.len()..]) {
                rest[b as usize] += flow;
            }
        }
        last.columns.forward(rest);
        last.columns.backward(rest);
        let rest = &*rest;
        pieces.par_iter_mut().with_max_len(1).for_each(|(part, y)| {
            let border = &mut y[part.vertices.len()..];
            border.iter_mut().zip(&part.border).for_each(|(y, &b)| *y = rest[b as usize]);
            part.columns.backward(y);
        });
    }
}

impl LinOp for ApproximateCholesky {
    fn size(&self) -> usize {
        self.places.len()
    }

    fn apply(&self, r: &[f64], z: &mut [f64]) {
        // A vector for each solve that is under way; most of the time there is one.
        let mut work = self.scratch.take();
        let means = self.balance.means(r);
        if let Balance::Components(..) = self.balance {
            // The answer's place holds the balanced vector for a while.
            self.balance.subtract(&means, z, |v, _| r[v]);
            self.substitute(z, 0.0, &mut work);
        } else {
            self.substitute(r, means[0], &mut work);
        }
        let places = &self.places;
        z.par_chunks_mut(BLOCK).zip(places.par_chunks(BLOCK)).for_each(|(z, places)| {
            z.iter_mut().zip(places).for_each(|(z, &place)| *z = work[place as usize]);
        });
        if !matches!(self.balance, Balance::Nothing) {
            let means = self.balance.means(z);
            self.balance.subtract(&means, z, |_, z| z);
        }
        self.scratch.give(work);
    }
}
