//! Reads slices of `.npy` arrays, so that each rank reads only its rows.

use super::SliceFile;
use crate::npy::{Header, Npy};
use crate::{IoError, Number, Values};
use std::ops::Range;
use std::path::Path;

/// An array of one dimension, read in slices of its rows.
pub struct ArraySlices {
    file: SliceFile,
    header: Header,
}

impl ArraySlices {
    /// Opens an array of values.
    ///
    /// # Errors
    /// When it is no npy file, has more dimensions than one, or is cut off.
    pub fn open(path: &Path) -> Result<ArraySlices, IoError> {
        let file = SliceFile::open(path)?;
        let head = file.head()?;
        ArraySlices::new(file, &head)
    }

    pub(super) fn new(file: SliceFile, head: &[u8]) -> Result<ArraySlices, IoError> {
        let header = Header::read(&file.name, head, file.bytes)?;
        let array = ArraySlices { file, header };
        if array.header.shape.len() != 1 {
            return Err(array.shape("an array with one dimension"));
        }
        Ok(array)
    }

    fn shape(&self, expected: &str) -> IoError {
        self.file.wrong(expected, &format!("shape {:?}", self.header.shape))
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.header.shape[0] as u64
    }

    /// Runs `work` on the rows of a slice as an array of their own.
    fn slice<T>(
        &self,
        rows: Range<u64>,
        work: impl FnOnce(&Npy<'_>) -> Result<T, IoError>,
    ) -> Result<T, IoError> {
        let width: usize = self.header.shape[1..].iter().product::<usize>() * self.header.width;
        let place = |row: u64| self.header.end as u64 + row * width as u64;
        let bytes = self.file.read(place(rows.start)..place(rows.end))?;
        work(&self.header.part(&self.file.name, &bytes, place(rows.start), rows.end - rows.start))
    }

    /// The parents of vertices; none for roots.
    ///
    /// # Errors
    /// When one is no vertex.
    pub fn parents(
        &self,
        vertices: Range<u64>,
        self_root: bool,
    ) -> Result<Vec<Option<u64>>, IoError> {
        let (first, all) = (vertices.start, self.rows());
        self.slice(vertices, |npy| {
            let parent = |k: usize| npy.parent(k, first + k as u64, all, self_root);
            (0..npy.len()).map(parent).collect()
        })
    }

    /// The values of vertices.
    ///
    /// # Errors
    /// When one is not of that type.
    pub fn values(&self, vertices: Range<u64>, kind: impl Into<Number>) -> Result<Values, IoError> {
        let number = kind.into();
        self.slice(vertices, |npy| npy.values(number))
    }

    /// An array whose rows are pairs.
    pub(super) fn of_pairs(file: SliceFile, head: &[u8]) -> Result<ArraySlices, IoError> {
        let header = Header::read(&file.name, head, file.bytes)?;
        let array = ArraySlices { file, header };
        match array.header.shape[..] {
            [_, 2] if !array.header.fortran => Ok(array),
            [_, 2] => Err(array.file.wrong("pairs row by row", "column by column (fortran)")),
            _ => Err(array.shape("pairs as an array of shape (m, 2)")),
        }
    }

    /// The pairs in some rows.
    pub(super) fn pairs(&self, rows: Range<u64>) -> Result<Vec<(i64, i64)>, IoError> {
        self.slice(rows, |npy| {
            let number = |k: usize| {
                let element = npy.get(k);
                let wrong = || npy.error(k, "the number of a vertex", element.to_string());
                element.as_i64().ok_or_else(wrong)
            };
            (0..npy.len() / 2).map(|k| Ok((number(2 * k)?, number(2 * k + 1)?))).collect()
        })
    }
}
