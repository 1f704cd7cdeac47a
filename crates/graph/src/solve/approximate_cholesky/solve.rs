//! One product with the approximate inverse.

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
    Some(Vec<u32>, Vec<f64>),
}

impl Balance {
    pub(super) fn new(laplacian: &Laplacian<'_>) -> Self {
        let floating = laplacian.floating();
        if !floating.contains(&true) {
            return Balance::Nothing;
        }
        let components = laplacian.components();
        if components.count() == 1 {
            return Balance::Whole;
        }
        let inverse = |(&size, &floats): (&u32, &bool)| {
            if floats { 1.0 / f64::from(size) } else { 0.0 }
        };
        let inverses = components.sizes.iter().zip(floating).map(inverse).collect();
        Balance::Some(components.of.clone(), inverses)
    }

    /// By component, the mean of a vector that is given by vertex.
    fn means(&self, vector: &[f64]) -> Vec<f64> {
        match self {
            Balance::Nothing => vec![0.0],
            Balance::Whole => {
                let sums: Vec<f64> =
                    vector.par_chunks(BLOCK).map(|block| block.iter().sum()).collect();
                vec![sums.iter().sum::<f64>() / vector.len() as f64]
            }
            Balance::Some(of, inverses) => {
                let mut sums = vec![0.0; inverses.len()];
                for (&c, &x) in of.iter().zip(vector) {
                    sums[c as usize] += x;
                }
                sums.iter().zip(inverses).map(|(sum, inverse)| sum * inverse).collect()
            }
        }
    }

    #[inline]
    fn component(&self, v: usize) -> usize {
        match self {
            Balance::Some(of, _) => of[v] as usize,
            _ => 0,
        }
    }
}

impl LinOp for ApproximateCholesky {
    fn size(&self) -> usize {
        self.places.len()
    }

    fn apply(&self, r: &[f64], z: &mut [f64]) {
        let Some((last, parts)) = self.parts.split_last() else { return };
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        let mut work = spare.unwrap_or_else(|| {
            vec![0.0; self.parts.iter().map(|p| p.vertices.len() + p.border.len()).sum()]
        });
        let means = self.balance.means(r);
        let fill = |part: &Part, y: &mut [f64]| {
            let (own, border) = y.split_at_mut(part.vertices.len());
            for (y, &v) in own.iter_mut().zip(&part.vertices) {
                *y = r[v as usize] - means[self.balance.component(v as usize)];
            }
            border.fill(0.0);
        };
        let mut pieces = Vec::with_capacity(parts.len());
        let mut rest = &mut work[..];
        for part in parts {
            let (piece, after) = rest.split_at_mut(part.vertices.len() + part.border.len());
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
            for (&b, y) in part.border.iter().zip(&mut y[part.vertices.len()..]) {
                *y = rest[b as usize];
            }
            part.columns.backward(y);
        });
        z.par_chunks_mut(BLOCK).zip(self.places.par_chunks(BLOCK)).for_each(|(z, places)| {
            for (z, &place) in z.iter_mut().zip(places) {
                *z = work[place as usize];
            }
        });
        let means = self.balance.means(z);
        if !matches!(self.balance, Balance::Nothing) {
            z.par_chunks_mut(BLOCK).enumerate().for_each(|(block, z)| {
                for (v, z) in (block * BLOCK..).zip(z) {
                    *z -= means[self.balance.component(v)];
                }
            });
        }
        if let Ok(mut spare) = self.spare.lock() {
            spare.push(work);
        }
    }
}
