//! A factor column by column, for matrices with little fill.
//!
//! **Problem.** A matrix with its elimination tree and the entries of each column; out come
//! the columns, and with them solutions.
//!
//! **Method.** Row by row: the columns that a row has entries in are those on the paths from its
//! entries in the matrix up to its diagonal. From the bottom up, each gives the row's next
//! entry and takes its part from those further up.
//!
//! **Cost.** The operations of the factorization, one by one.
//!
//! **Determinism.** One thread.
//!
//! **Reference.** Davis, *Direct methods for sparse linear systems*, 2006, chapter 4.

use super::Ended;
use super::matrix::Matrix;
use super::small::checked;
use crate::order::elimination::Pattern;

/// Rows between two looks at whether to stop.
const PATIENCE: usize = 1 << 12;

/// The columns of a factor.
#[derive(Debug)]
pub(super) struct Columns {
    /// By column, where its entries below the diagonal start; and their number.
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// By column, one over its diagonal.
    inverse: Vec<f64>,
}

/// Bytes for a factor with this many columns and entries, its diagonal among them.
pub(super) fn bytes(columns: usize, entries: u64) -> u64 {
    let below = entries - columns as u64;
    // Starts, inverse; and while it is made: where columns end, a row, a path, marks.
    below * 12 + columns as u64 * (12 + 20)
}

impl Columns {
    pub(super) fn new(
        matrix: &Matrix<'_>,
        parents: &[u32],
        counts: &[u32],
        stop: impl Fn() -> bool,
    ) -> Result<Self, Ended> {
        let n = matrix.size();
        let mut starts = Vec::with_capacity(n + 1);
        let mut sum = 0;
        starts.push(sum);
        starts.extend(counts.iter().map(|count| {
            sum += count - 1;
            sum
        }));
        let mut rows = vec![0u32; sum as usize];
        let mut values = vec![0f64; sum as usize];
        let mut inverse = vec![0f64; n];
        let mut ends = starts[..n].to_vec();
        let mut row = vec![0f64; n];
        // Paths are put together from the end.
        let mut path = vec![0u32; n];
        let mut marks = vec![u32::MAX; n];
        for k in 0..n {
            if k % PATIENCE == 0 && stop() {
                return Err(Ended::Stopped);
            }
            let mut top = n;
            marks[k] = k as u32;
            for (i, weight) in matrix.weighted(k as u32).filter(|&(i, _)| i < k as u32) {
                row[i as usize] = matrix.entry(weight, k as u32, i);
                let mut length = 0;
                let mut i = i as usize;
                while marks[i] != k as u32 {
                    marks[i] = k as u32;
                    path[length] = i as u32;
                    length += 1;
                    i = parents[i] as usize;
                }
                path.copy_within(..length, top - length);
                top -= length;
            }
            let mut pivot = 1.0;
            for &i in &path[top..] {
                let i = i as usize;
                let (start, end) = (starts[i] as usize, ends[i] as usize);
                let own = row[i] * inverse[i];
                row[i] = 0.0;
                for (&j, value) in rows[start..end].iter().zip(&values[start..end]) {
                    row[j as usize] -= value * own;
                }
                pivot -= own * own;
                rows[end] = k as u32;
                values[end] = own;
                ends[i] += 1;
            }
            inverse[k] = 1.0 / checked(pivot).ok_or(Ended::Pivot { place: k })?.sqrt();
        }
        Ok(Columns { starts, rows, values, inverse })
    }

    /// Entries, with the diagonal.
    pub(super) fn entries(&self) -> u64 {
        (self.values.len() + self.inverse.len()) as u64
    }

    /// Calls with the row, column and value of each entry; on the diagonal, one over it.
    #[cfg(test)]
    pub(super) fn each(&self, mut entry: impl FnMut(usize, usize, f64)) {
        for (j, &inverse) in self.inverse.iter().enumerate() {
            entry(j, j, inverse);
            for p in self.starts[j] as usize..self.starts[j + 1] as usize {
                entry(self.rows[p] as usize, j, self.values[p]);
            }
        }
    }

    /// Both triangles in place, for several right-hand sides.
    pub(super) fn solve_lanes<const L: usize>(&self, z: &mut [[f64; L]]) {
        let column = |j: usize| self.starts[j] as usize..self.starts[j + 1] as usize;
        for j in 0..z.len() {
            let below = column(j);
            let own = z[j].map(|z| z * self.inverse[j]);
            z[j] = own;
            for (&i, l) in self.rows[below.clone()].iter().zip(&self.values[below]) {
                z[i as usize].iter_mut().zip(own).for_each(|(z, own)| *z -= l * own);
            }
        }
        for j in (0..z.len()).rev() {
            let below = column(j);
            let mut sum = [0.0; L];
            for (&i, l) in self.rows[below.clone()].iter().zip(&self.values[below]) {
                sum.iter_mut().zip(z[i as usize]).for_each(|(sum, z)| *sum += l * z);
            }
            z[j].iter_mut().zip(sum).for_each(|(z, sum)| *z = (*z - sum) * self.inverse[j]);
        }
    }

    /// Both triangles in place.
    pub(super) fn solve(&self, z: &mut [f64]) {
        let column = |j: usize| self.starts[j] as usize..self.starts[j + 1] as usize;
        for j in 0..z.len() {
            let below = column(j);
            let own = z[j] * self.inverse[j];
            z[j] = own;
            for (&i, l) in self.rows[below.clone()].iter().zip(&self.values[below]) {
                z[i as usize] -= l * own;
            }
        }
        for j in (0..z.len()).rev() {
            let below = column(j);
            let entries = self.rows[below.clone()].iter().zip(&self.values[below]);
            let sum = entries.fold(0.0, |sum, (&i, l)| sum + l * z[i as usize]);
            z[j] = (z[j] - sum) * self.inverse[j];
        }
    }
}
