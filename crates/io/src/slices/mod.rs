//! Files that many processes read and write, each its own slice.
//!
//! **Problem.** Parents, values or pairs from an `.npy` array, a table of plain integers or a
//! Parquet file, or METIS graphs and meshes with their points, a slice per process; and answers
//! back into one file.
//! **Method.** An array is cut by rows. A table is cut by bytes: a row belongs to the slice in
//! which it begins; who reads it needs no other slice but for the numbers of lines. A Parquet file is
//! cut by its groups of rows. No text is decompressed, and no field is quoted: such a file has no
//! slices.
//! **Cost.** Each process reads its slice, the head of the file, and the rest of its last line.

mod arrays;
mod columns;
mod graphs;
mod newick;
mod newick_state;
mod output;
mod pairs;
mod slice;
mod tables;

pub use arrays::ArraySlices;
pub use columns::{ColumnSlices, GroupSlice};
pub use graphs::{ElementRows, ElementSlices, GraphRows, GraphSlices, PointSlices};
pub use newick::{NewickBytes, NewickSlice, NewickSlices};
pub use newick_state::NewickState;
pub use output::{SlicedOutput, npy_bytes, npy_head, table_head, table_rows};
pub use pairs::{PairRows, PairSlices, PairTable, open_pair_slices};
pub use slice::TableSlice;
pub use tables::{RowSlice, TableSlices};

use slice::RowNumbers;

use crate::source::name_of;
use crate::{Format, IoError, ReadParams, SupportLabels};
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Which part of a file is whose: a process has `own` of `total` shares, after those of others
/// before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    before: u64,
    own: u64,
    total: u64,
}

impl Share {
    /// An even share for each of so many ranks.
    ///
    /// # Panics
    /// When there is no such rank.
    pub fn even(rank: usize, ranks: usize) -> Share {
        assert!(rank < ranks, "one of the ranks");
        Share { before: rank as u64, own: 1, total: ranks as u64 }
    }

    /// Shares in the ratio of weights; none when they are all zero.
    ///
    /// # Panics
    /// When there is no such rank.
    pub fn weighted(rank: usize, weights: &[u32]) -> Option<Share> {
        let sum = |weights: &[u32]| weights.iter().map(|&w| u64::from(w)).sum();
        let share =
            Share { before: sum(&weights[..rank]), own: weights[rank].into(), total: sum(weights) };
        (share.total > 0).then_some(share)
    }

    /// The share of so many things.
    pub fn of(&self, things: u64) -> Range<u64> {
        let place =
            |shares: u64| (u128::from(things) * u128::from(shares) / u128::from(self.total)) as u64;
        place(self.before)..place(self.before + self.own)
    }
}

/// A tree's file that can be read in slices.
pub enum TreeSlices {
    /// An array of parents.
    Array(ArraySlices),
    /// A parent table with integers for ids.
    Table(TableSlices),
    /// Such a table in a Parquet file.
    Columns(ColumnSlices),
}

/// Opens a tree's file for reading in slices.
///
/// # Errors
/// When it cannot be read, or has no slices: other formats and compressed files.
pub fn open_tree_slices(path: &Path, params: &ReadParams) -> Result<TreeSlices, IoError> {
    // Slices have numbers only.
    let params = ReadParams { support: SupportLabels::No, annotations: false, ..params.clone() };
    let params = &params;
    let file = SliceFile::open(path)?;
    let head = file.head()?;
    match Format::of(params.format, &file.name, &head)? {
        Format::Npy => Ok(TreeSlices::Array(ArraySlices::new(file, &head)?)),
        Format::Csv | Format::Tsv => Ok(TreeSlices::Table(TableSlices::new(file, &head, params)?)),
        Format::Parquet => Ok(TreeSlices::Columns(ColumnSlices::new(file, params)?)),
        Format::Newick | Format::Nexus | Format::PhyloXml | Format::Edges | Format::Arrow => {
            Err(file.wrong(
                "a parent table, a Parquet file or an npy array, which slices can be read from",
                "another format (`palmette tree convert` can convert it)",
            ))
        }
    }
}

/// Opens a Newick tree for reading in slices; nothing if the file is something else.
///
/// # Errors
/// When it cannot be read, or is compressed.
pub fn open_newick_slices(path: &Path) -> Result<Option<NewickSlices>, IoError> {
    let file = SliceFile::open(path)?;
    let format = Format::of(None, &file.name, &file.head()?)?;
    Ok((format == Format::Newick).then(|| NewickSlices::new(file)))
}

/// A file that is read at many places.
pub(crate) struct SliceFile {
    pub(crate) name: String,
    file: File,
    pub(crate) bytes: u64,
}

/// What is read to find out what a file is.
const HEAD: u64 = 1 << 20;

impl SliceFile {
    pub(crate) fn open(path: &Path) -> Result<SliceFile, IoError> {
        let name = name_of(path);
        let failed = |source| IoError::Read { file: name.clone(), source };
        let file = File::open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        let opened = SliceFile { bytes: about.len(), file, name };
        if !about.is_file() {
            return Err(opened.wrong("a plain file", "a pipe or device"));
        }
        let magic = opened.read(0..opened.bytes.min(4))?;
        if crate::source::plain(&opened.name, &magic).is_err() {
            return Err(opened.wrong("a file that is not compressed", "gzip or zstd"));
        }
        Ok(opened)
    }

    pub(crate) fn read(&self, range: Range<u64>) -> Result<Vec<u8>, IoError> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        self.read_into(range.start, &mut bytes)?;
        Ok(bytes)
    }

    fn read_into(&self, at: u64, bytes: &mut [u8]) -> Result<(), IoError> {
        let failed = |source| IoError::Read { file: self.name.clone(), source };
        self.file.read_exact_at(bytes, at).map_err(failed)
    }

    /// The first bytes, of whole lines if there is one.
    pub(crate) fn head(&self) -> Result<Vec<u8>, IoError> {
        let mut head = self.read(0..self.bytes.min(HEAD))?;
        if self.bytes > HEAD
            && let Some(last) = memchr::memrchr(b'\n', &head)
        {
            head.truncate(last + 1);
        }
        Ok(head)
    }

    pub(crate) fn wrong(&self, expected: &str, found: &str) -> IoError {
        IoError::at_byte(&self.name, 0, expected, found)
    }
}

#[cfg(test)]
mod tests;
