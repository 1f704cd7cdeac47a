//! Sparse square matrices in compressed rows, and their product with a vector.
//!
//! **Cost.** 12 bytes per entry and 4 per row; a product reads all of it once, and is as fast as
//! memory.

use palmette_core::memory::huge_copy;
use std::ops::Range;

/// The most entries of a matrix.
pub const MOST_ENTRIES: usize = u32::MAX as usize;

/// A square matrix in compressed rows; columns ascend within a row.
///
/// Unknowns are numbered node by node: component `c` of `d` of node `v` is `v · d + c`.
#[derive(Debug, Clone, PartialEq)]
pub struct Csr {
    /// Four bytes per row: products are as fast as memory, and every byte of it counts.
    offsets: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Csr {
    /// From its arrays.
    ///
    /// # Panics
    /// When they do not fit together, or have 2^32 entries or more ([`MOST_ENTRIES`]): that is a
    /// bug in the calling program, not bad input.
    pub fn new(offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64>) -> Csr {
        let rows = offsets.len().checked_sub(1).expect("one more offset than rows");
        assert_eq!(offsets.last(), Some(&columns.len()), "offsets end with the columns");
        assert_eq!(columns.len(), values.len(), "a value per column");
        assert!(offsets.is_sorted(), "offsets ascend");
        assert!(columns.iter().all(|&c| (c as usize) < rows), "columns are those of a square");
        assert!(columns.len() <= MOST_ENTRIES, "entries are counted in 32 bits");
        let offsets = offsets.into_iter().map(|offset| offset as u32).collect();
        Csr { offsets, columns, values }
    }

    /// The same matrix with large arrays on huge pages, so that products of matrices beyond the
    /// cache look up fewer addresses; takes a copy.
    pub(super) fn on_huge_pages(self) -> Csr {
        Csr {
            offsets: on_huge_pages(self.offsets),
            columns: on_huge_pages(self.columns),
            values: on_huge_pages(self.values),
        }
    }

    /// The number of rows, which is that of columns.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Where rows begin and end.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The columns of all rows.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The values of all rows.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values of all rows, to change.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The columns and values of a row.
    pub fn row(&self, row: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[row] as usize..self.offsets[row + 1] as usize;
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The diagonal; 0 where there is no entry.
    pub fn diagonal(&self) -> Vec<f64> {
        let entry = |row: usize| {
            let (columns, values) = self.row(row);
            columns.binary_search(&(row as u32)).map_or(0.0, |k| values[k])
        };
        (0..self.rows()).map(entry).collect()
    }

    /// `y[i] = scale · (A x)[i]` for some rows `i`, or that added to `y[i]`; `y` holds just
    /// those rows. A row is added up from left to right.
    ///
    /// # Panics
    /// When the vectors have other lengths.
    pub fn multiply(&self, rows: Range<usize>, scale: f64, x: &[f64], add: bool, y: &mut [f64]) {
        assert_eq!(x.len(), self.rows(), "a value per column");
        assert_eq!(y.len(), rows.len(), "a value per row");
        match add {
            true => self.each_row(rows, x, y, |y, sum| *y += scale * sum),
            false => self.each_row(rows, x, y, |y, sum| *y = scale * sum),
        }
    }

    #[inline(always)]
    fn each_row(&self, rows: Range<usize>, x: &[f64], y: &mut [f64], put: impl Fn(&mut f64, f64)) {
        let mut begin = self.offsets[rows.start];
        for (y, &end) in y.iter_mut().zip(&self.offsets[rows.start + 1..=rows.end]) {
            let mut sum = 0.0;
            for k in begin as usize..end as usize {
                // SAFETY: `new` has checked that offsets ascend and end with the entries, so
                // `k` is one of them, and that columns are below the number of rows, which is
                // that of `x`; nothing changes them afterwards.
                unsafe {
                    let column = *self.columns.get_unchecked(k) as usize;
                    sum += self.values.get_unchecked(k) * x.get_unchecked(column);
                }
            }
            put(y, sum);
            begin = end;
        }
    }
}

/// Copies a large array to huge pages; a small one stays where it is.
pub(super) fn on_huge_pages<T: Copy + Send + Sync>(array: Vec<T>) -> Vec<T> {
    if size_of_val(&*array) < 1 << 22 { array } else { huge_copy(&array) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_agree_with_their_safe_twin() {
        // Rows of 0 to 6 entries, some of them far from the diagonal.
        let n = 1_000_000usize;
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for row in 0..n {
            let mut of: Vec<u32> = (0..row % 7).map(|k| ((row + k * k * 131) % n) as u32).collect();
            of.sort_unstable();
            columns.extend(of);
            offsets.push(columns.len());
        }
        let values: Vec<f64> = (0..columns.len()).map(|k| (k % 13) as f64 / 3.0 - 2.0).collect();
        let matrix = Csr::new(offsets, columns, values).on_huge_pages();
        let x: Vec<f64> = (0..n).map(|i| (i % 1009) as f64 / 7.0).collect();
        let twin = |row: usize| {
            let (columns, values) = matrix.row(row);
            columns.iter().zip(values).fold(0.0, |sum, (&c, v)| sum + v * x[c as usize])
        };
        let rows = 11..n - 5;
        let mut y = vec![1.5; rows.len()];
        matrix.multiply(rows.clone(), 3.0, &x, true, &mut y);
        assert!(rows.clone().zip(&y).all(|(row, &y)| y == 1.5 + 3.0 * twin(row)));
        matrix.multiply(rows.clone(), -0.5, &x, false, &mut y);
        assert!(rows.clone().zip(&y).all(|(row, &y)| y == -0.5 * twin(row)));
        matrix.multiply(n..n, 1.0, &x, false, &mut []);
    }
}
