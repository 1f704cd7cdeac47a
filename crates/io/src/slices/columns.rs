//! Reads slices of Parquet files: groups of rows, so that each rank reads only its share.
//!
//! **Method.** A group belongs to the share in which its first row lies. Of its groups a rank reads
//! the columns that it needs, into the places that they have in the file: what lies between is never
//! touched, and takes no memory.

use super::slice::RowNumbers;
use super::{Share, SliceFile, TableSlice};
use crate::columnar::{ColumnTable, ParquetParts, TableNames, TreeColumns, integer_tree};
use crate::values::Number;
use crate::{IoError, ReadParams};
use std::ops::Range;

/// A parent table with integers for ids in a Parquet file, read in slices of its rows.
pub struct ColumnSlices {
    file: SliceFile,
    parts: ParquetParts,
    places: TreeColumns,
}

/// The bytes of some groups of rows.
pub struct GroupSlice {
    groups: Range<usize>,
    /// Where they begin in the file.
    base: u64,
    bytes: Vec<u8>,
}

impl ColumnSlices {
    pub(super) fn new(file: SliceFile, params: &ReadParams) -> Result<ColumnSlices, IoError> {
        let limit = params.limit.of_unpacked(file.bytes);
        let parts = ParquetParts::read(&file.name, file.bytes, limit, |range| file.read(range))?;
        let places = {
            let nothing = ColumnTable::of_groups(&file.name, &parts, 0..0, &[], 0);
            TreeColumns::of(&nothing, &TableNames::default(), params)?
        };
        Ok(ColumnSlices { file, parts, places })
    }

    /// The groups that begin in a share of the rows.
    fn groups(&self, share: Share) -> Range<usize> {
        let rows = share.of(self.parts.groups().sum());
        let mut first = 0;
        let mut before = [0, 0];
        for (group, count) in self.parts.groups().enumerate() {
            // Those without rows go with the one before.
            if first < rows.start {
                before[0] = group + 1;
            }
            if first < rows.end {
                before[1] = group + 1;
            }
            first += count;
        }
        before[0]..before[1].max(before[0])
    }

    /// How many rows a share has.
    pub fn rows(&self, share: Share) -> u64 {
        let groups = self.groups(share);
        self.parts.groups().skip(groups.start).take(groups.len()).sum()
    }

    /// The bytes that are read of a share.
    pub fn bytes(&self, share: Share) -> u64 {
        let ranges = self.parts.ranges(self.groups(share), self.places.needed());
        ranges.iter().map(|range| range.end - range.start).sum()
    }

    /// Reads the columns of a share that are needed.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, share: Share) -> Result<GroupSlice, IoError> {
        let groups = self.groups(share);
        let ranges = self.parts.ranges(groups.clone(), self.places.needed());
        let base = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let mut bytes = vec![0; (end - base) as usize];
        for range in ranges {
            let place = (range.start - base) as usize..(range.end - base) as usize;
            self.file.read_into(range.start, &mut bytes[place])?;
        }
        Ok(GroupSlice { groups, base, bytes })
    }

    /// Takes the columns asked for as numbers of another type from now on.
    pub fn set_type(&mut self, kind: Number) {
        self.places.set_type(kind);
    }

    /// Understands the rows of a slice.
    ///
    /// # Errors
    /// When a column is not what it should be; the first of the slice, with its row.
    pub fn parse(&self, slice: &GroupSlice) -> Result<TableSlice, IoError> {
        let GroupSlice { groups, base, bytes } = slice;
        let name = &self.file.name;
        let table = ColumnTable::of_groups(name, &self.parts, groups.clone(), bytes, *base);
        let tree = integer_tree(&table, &self.places)?;
        let first = self.parts.groups().take(groups.start).sum();
        Ok(TableSlice {
            ids: tree.ids,
            parents: tree.parents,
            columns: tree.columns,
            rows: RowNumbers::From(first),
        })
    }
}
