//! A sparse matrix as the host has it, before it lies on a machine.

use super::SparseError;
use palmette_core::{LinOp, MAX_VERTICES};

/// A square sparse matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMatrix {
    /// Where each row starts, and the number of entries.
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl SparseMatrix {
    /// A matrix of so many rows. Entries in the same place are added.
    ///
    /// ```
    /// use palmette_spatial::sparse::SparseMatrix;
    /// let matrix = SparseMatrix::new(2, &[(0, 1, 2.0), (1, 1, 3.0), (0, 1, 1.0)])?;
    /// assert_eq!(matrix.product(&[10.0, 1.0])?, [3.0, 3.0]);
    /// # Ok::<(), palmette_spatial::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// Entries outside or not finite; more rows and entries than processors can be.
    pub fn new(rows: usize, entries: &[(u32, u32, f64)]) -> Result<SparseMatrix, SparseError> {
        // In the machine's blocks, an entry takes up to two processors.
        if rows.saturating_add(entries.len().saturating_mul(2)) > MAX_VERTICES {
            return Err(SparseError::TooLarge { rows, entries: entries.len() });
        }
        let mut starts = vec![0u32; rows + 1];
        for &(row, column, value) in entries {
            if row as usize >= rows || column as usize >= rows {
                return Err(SparseError::Outside { row, column, rows });
            }
            if !value.is_finite() {
                return Err(SparseError::NotFinite { row, column, value });
            }
            starts[row as usize + 1] += 1;
        }
        (0..rows).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = starts.clone();
        let mut placed = vec![(0u32, 0.0f64); entries.len()];
        for &(row, column, value) in entries {
            let at = &mut next[row as usize];
            placed[*at as usize] = (column, value);
            *at += 1;
        }
        let mut matrix = SparseMatrix {
            starts: vec![0; rows + 1],
            columns: Vec::with_capacity(entries.len()),
            values: Vec::with_capacity(entries.len()),
        };
        for row in 0..rows {
            let own = &mut placed[starts[row] as usize..starts[row + 1] as usize];
            // A stable order: sums of duplicates have the order of the input.
            own.sort_by_key(|&(column, _)| column);
            matrix.append(row as u32, own)?;
        }
        Ok(matrix)
    }

    fn append(&mut self, row: u32, entries: &[(u32, f64)]) -> Result<(), SparseError> {
        for same in entries.chunk_by(|a, b| a.0 == b.0) {
            let (column, value) = (same[0].0, same.iter().map(|entry| entry.1).sum::<f64>());
            if !value.is_finite() {
                return Err(SparseError::NotFinite { row, column, value });
            }
            self.columns.push(column);
            self.values.push(value);
        }
        self.starts[row as usize + 1] = self.columns.len() as u32;
        Ok(())
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// The entries of a row, by column.
    pub fn row(&self, row: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let own = self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize;
        self.columns[own.clone()].iter().copied().zip(self.values[own].iter().copied())
    }

    /// All entries: row, column, value.
    pub fn all(&self) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
        (0..self.rows() as u32).flat_map(|i| self.row(i).map(move |(j, value)| (i, j, value)))
    }

    /// The entry in a place; nothing where the matrix has none.
    pub fn entry(&self, row: u32, column: u32) -> Option<f64> {
        let own = self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize;
        let at = self.columns[own.clone()].binary_search(&column).ok()?;
        Some(self.values[own.start + at])
    }

    /// Whether each entry is the same as its mirror image.
    ///
    /// # Errors
    /// [`SparseError::NotSymmetric`], with the first that is not.
    pub fn check_symmetric(&self) -> Result<(), SparseError> {
        for (row, column, value) in self.all() {
            let other = self.entry(column, row);
            if other != Some(value) {
                let value = Some(value);
                return Err(SparseError::NotSymmetric { row, column, value, other });
            }
        }
        Ok(())
    }

    /// The product on the host.
    ///
    /// # Errors
    /// A vector of another length.
    pub fn product(&self, x: &[f64]) -> Result<Vec<f64>, SparseError> {
        self.check(x)?;
        let mut y = vec![0.0; self.rows()];
        self.apply(x, &mut y);
        Ok(y)
    }

    /// By how much two products with `x` may differ in each row, however their sums are bracketed:
    /// each is off by at most `k ε Σ |a x|` for `k` terms, with `ε` = 2^-53, and one of them has
    /// two terms more (the zeros that sums start from).
    pub fn rounding(&self, x: &[f64]) -> Vec<f64> {
        let bound = |row: u32| {
            let size: f64 = self.row(row).map(|(j, a)| (a * x[j as usize]).abs()).sum();
            let terms = self.row(row).count() + 2;
            // Twice f64::EPSILON / 2, and a product so small that it is rounded to a multiple of 2^-1074.
            terms as f64 * (f64::EPSILON * size + f64::MIN_POSITIVE * f64::EPSILON)
        };
        (0..self.rows() as u32).map(bound).collect()
    }

    pub(super) fn check(&self, x: &[f64]) -> Result<(), SparseError> {
        match x.len() == self.rows() {
            true => Ok(()),
            false => Err(SparseError::Vector { found: x.len(), rows: self.rows() }),
        }
    }
}

impl LinOp for SparseMatrix {
    fn size(&self) -> usize {
        self.rows()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        for (row, y) in (0..).zip(y) {
            *y = self.row(row).map(|(j, a)| a * x[j as usize]).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_added() {
        let entries = [(2, 0, 1.0), (0, 2, 4.0), (2, 0, 2.0), (2, 2, -1.0), (0, 0, 5.0)];
        let matrix = SparseMatrix::new(3, &entries).unwrap();
        let all: Vec<_> = matrix.all().collect();
        assert_eq!(all, [(0, 0, 5.0), (0, 2, 4.0), (2, 0, 3.0), (2, 2, -1.0)]);
        assert_eq!((matrix.entry(2, 0), matrix.entry(1, 1)), (Some(3.0), None));
        assert_eq!(matrix.product(&[1.0, 1.0, 10.0]).unwrap(), [45.0, 0.0, -7.0]);
    }

    #[test]
    fn what_is_no_matrix() {
        let of = |entries: &[(u32, u32, f64)]| SparseMatrix::new(2, entries).unwrap_err();
        assert_eq!(of(&[(0, 2, 1.0)]), SparseError::Outside { row: 0, column: 2, rows: 2 });
        let text = of(&[(1, 0, f64::NAN)]).to_string();
        assert_eq!(text, "the entry NaN at (1, 0) is not finite");
        let error = of(&[(1, 0, f64::MAX), (1, 0, f64::MAX)]);
        assert!(matches!(error, SparseError::NotFinite { row: 1, column: 0, .. }));
        let matrix = SparseMatrix::new(2, &[(0, 1, 2.0)]).unwrap();
        let text = matrix.check_symmetric().unwrap_err().to_string();
        assert_eq!(text, "the matrix is not symmetric: 2 at (0, 1), nothing at (1, 0)");
        let expected = SparseError::Vector { found: 3, rows: 2 };
        assert_eq!(matrix.product(&[0.0; 3]), Err(expected));
    }
}
