//! Parquet files.
//!
//! **Problem.** The columns of a file that are asked for, whatever wrote it.
//! **Method.** A footer (`meta.rs`, in Thrift's compact protocol) says where the columns of each
//! group of rows begin. A column is a list of pages with a header each; pages are found one after
//! another, and decoded in parallel (`decode.rs`): their compression (`unpack.rs`), which rows are null, and
//! the encoding of the values (`encoding.rs`). A page becomes a chunk of the column.
//! **What is read.** Columns at the top of the schema; pages of both versions; all encodings of
//! numbers and texts; snappy, gzip, zstd and lz4. Nested columns, encrypted ones and brotli are
//! refused where a column with them is asked for.
//! **Cost.** Linear in what is decoded, which is bounded as what is unpacked (`limit.rs`).

mod decode;
mod encoding;
mod meta;
mod store;
mod thrift;
mod write;

pub(crate) use store::ParquetStore;
pub(super) use write::ParquetWriter;

use super::column::{ChunkData, ColumnChunk, NumberKind, Validity};
use super::unpack::{Packing, unpack};
use super::{ColumnKind, TableField};
use crate::IoError;
use crate::quote::shown;
use decode::{Decoder, Wrong};
use encoding::TextBytes;
use meta::{Footer, PageHeader, ParquetColumn, Physical};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

const MAGIC: &[u8] = b"PAR1";
/// Encodings of values.
const PLAIN: i64 = 0;
const OLD_KEYS: i64 = 2;
const RUNS: i64 = 3;
const DIFFERENCES: i64 = 5;
const LENGTHS_FIRST: i64 = 6;
const SHARED_STARTS: i64 = 7;
const KEYS: i64 = 8;
const BYTES_APART: i64 = 9;

pub(super) fn is_parquet(data: &[u8]) -> bool {
    data.starts_with(MAGIC) || data.starts_with(b"PARE")
}

/// A file whose footer is read, or some groups of its rows.
pub(super) struct ParquetFile<'a> {
    name: String,
    bytes: Bytes<'a>,
    /// Bytes of the whole file.
    length: u64,
    footer: Arc<Footer>,
    groups: Range<usize>,
    rows: usize,
    /// Bytes that a column may decode to.
    limit: u64,
}

/// Where the bytes of columns are.
enum Bytes<'a> {
    /// Here; the first of them lies at this place in the file.
    Here(&'a [u8], u64),
    /// In the file, until somebody asks.
    There(&'a ParquetStore),
}

impl<'a> Bytes<'a> {
    /// The bytes of a column of a group; nothing where the file has none there.
    fn chunk(
        &self,
        group: usize,
        leaf: usize,
        range: Range<u64>,
    ) -> Result<Option<&'a [u8]>, IoError> {
        match *self {
            Bytes::Here(data, base) => {
                let place = |at: u64| usize::try_from(at.checked_sub(base)?).ok();
                let range = place(range.start).zip(place(range.end));
                Ok(range.and_then(|(start, end)| data.get(start..end)))
            }
            Bytes::There(store) => store.chunk(group, leaf, range),
        }
    }
}

/// What a footer says, for those who read a file group by group.
pub(crate) struct ParquetParts {
    name: String,
    footer: Arc<Footer>,
    /// Bytes of the file before its footer.
    bytes: u64,
    /// Bytes that a column may decode to.
    limit: u64,
}

/// A page of data, and what its keys name.
struct Page<'a> {
    at: usize,
    header: PageHeader,
    body: &'a [u8],
    packing: Packing,
    dictionary: Option<Arc<Dictionary>>,
}

/// Values that keys name.
struct Dictionary {
    /// Numbers side by side.
    numbers: Vec<u8>,
    texts: Arc<ColumnChunk<'static>>,
}

impl<'a> ParquetFile<'a> {
    pub(super) fn open(name: &str, data: &'a [u8], limit: u64) -> Result<ParquetFile<'a>, IoError> {
        let wrong = |at: usize, expected: &str, found: &str| {
            IoError::at_byte(name, at as u64, expected, found)
        };
        if data.starts_with(b"PARE") {
            return Err(wrong(0, "a Parquet file without encryption", "an encrypted one"));
        }
        if !is_parquet(data) {
            let found = if data.is_empty() { "an empty file" } else { "other bytes" };
            return Err(wrong(0, "a Parquet file (PAR1)", found));
        }
        let footer = Footer::of_file(name, data.len() as u64, |range| {
            Ok(data[range.start as usize..range.end as usize].to_vec())
        })?;
        let (groups, rows) = (0..footer.groups.len(), footer.rows as usize);
        let (name, footer) = (name.to_string(), Arc::new(footer));
        let (bytes, length) = (Bytes::Here(data, 0), data.len() as u64);
        Ok(ParquetFile { name, bytes, length, footer, groups, rows, limit })
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn fields(&self) -> Vec<TableField> {
        let field =
            |of: &ParquetColumn| TableField { name: of.name.clone(), kind: of.kind.clone() };
        self.footer.columns.iter().map(field).collect()
    }

    /// The entries of a column.
    pub(super) fn column(&self, column: usize) -> Result<Vec<ColumnChunk<'a>>, IoError> {
        let column = &self.footer.columns[column];
        if column.kind == ColumnKind::Nulls {
            return Ok(ColumnChunk::new(self.rows, None, ChunkData::Nothing).into_iter().collect());
        }
        let mut pages = Vec::new();
        let mut left = self.limit;
        for group in self.groups.clone() {
            self.find_pages(column, group, &mut left, &mut pages)?;
        }
        let decode = |page: &Page<'a>| {
            let decoder = Decoder { column, limit: self.limit };
            decoder.chunk(page).map_err(|found| self.wrong(column, page.at, found))
        };
        let chunks: Vec<Result<_, _>> = pages.par_iter().map(decode).collect();
        chunks.into_iter().collect()
    }

    fn wrong(&self, column: &ParquetColumn, at: usize, found: Wrong) -> IoError {
        let expected = format!("a page of column {}", shown(&column.name));
        let found = match found {
            Wrong::Damaged => "damaged or truncated data".to_string(),
            Wrong::Unsupported(what) => format!("{what}, which is not supported"),
        };
        IoError::at_byte(&self.name, at as u64, expected, found)
    }

    /// Finds the pages of a column in a group; `left` is what it may still decode to.
    fn find_pages(
        &self,
        column: &ParquetColumn,
        group: usize,
        left: &mut u64,
        pages: &mut Vec<Page<'a>>,
    ) -> Result<(), IoError> {
        let number = group;
        let group = &self.footer.groups[number];
        let footer = self.length as usize;
        let fail = |at: usize, wrong: Wrong| Err(self.wrong(column, at, wrong));
        let Some(stored) = group.columns.get(column.leaf) else {
            return fail(footer, Wrong::Damaged);
        };
        let unsupported = |what: &str| fail(footer, Wrong::Unsupported(what.to_string()));
        if stored.encrypted {
            return unsupported("an encrypted column");
        }
        if stored.elsewhere {
            return unsupported("a column in another file");
        }
        let packing = match meta::packing(stored.codec) {
            Ok(packing) => packing,
            Err(name) => {
                let what = format!("compression by {name} (not snappy, gzip, lz4 or zstd)");
                return unsupported(&what);
            }
        };
        let Some(range) = stored.range().filter(|range| range.end <= self.length) else {
            return fail(footer, Wrong::Damaged);
        };
        let first = range.start as usize;
        let Some(data) = self.bytes.chunk(number, column.leaf, range)? else {
            return fail(footer, Wrong::Damaged);
        };
        let mut rows = group.rows;
        let (mut at, mut dictionary) = (0, None);
        while rows > 0 {
            let Some((header, length)) = PageHeader::read(&data[at..]) else {
                return fail(first + at, Wrong::Damaged);
            };
            let body = at + length;
            let end = usize::try_from(header.packed).ok().and_then(|size| body.checked_add(size));
            let Some(end) = end.filter(|&end| end <= data.len()) else {
                return fail(first + at, Wrong::Damaged);
            };
            let place = first + at;
            let page =
                Page { at: place, header, body: &data[body..end], packing, dictionary: None };
            self.count(&page.header, column, left)?;
            match page.header.kind {
                PageHeader::DICTIONARY => {
                    let decoder = Decoder { column, limit: self.limit };
                    match decoder.dictionary(&page) {
                        Ok(found) => dictionary = Some(Arc::new(found)),
                        Err(wrong) => return fail(place, wrong),
                    }
                }
                PageHeader::DATA | PageHeader::DATA_2 => {
                    rows -= page.header.values;
                    if page.header.values <= 0 || rows < 0 {
                        return fail(place, Wrong::Damaged);
                    }
                    pages.push(Page { dictionary: dictionary.clone(), ..page });
                }
                // An index.
                _ => {}
            }
            at = end;
        }
        Ok(())
    }

    /// Counts what a page says it decodes to.
    fn count(
        &self,
        header: &PageHeader,
        column: &ParquetColumn,
        left: &mut u64,
    ) -> Result<(), IoError> {
        let values = u64::try_from(header.values).unwrap_or(0);
        let decoded = values.saturating_mul(column.physical.width().max(8) as u64);
        let bytes = decoded.saturating_add(u64::try_from(header.plain).unwrap_or(0));
        match left.checked_sub(bytes) {
            Some(rest) => *left = rest,
            None => {
                let (file, packed) = (self.name.clone(), Some(self.length));
                return Err(IoError::TooLarge { file, limit: self.limit, packed });
            }
        }
        Ok(())
    }
}

impl ParquetParts {
    /// Reads the footer of a file of so many bytes. What its columns may decode to has a limit.
    pub(crate) fn read(
        name: &str,
        bytes: u64,
        limit: u64,
        read: impl Fn(Range<u64>) -> Result<Vec<u8>, IoError>,
    ) -> Result<ParquetParts, IoError> {
        let footer = Arc::new(Footer::of_file(name, bytes, read)?);
        Ok(ParquetParts { name: name.to_string(), footer, bytes, limit })
    }

    /// The rows of each group.
    pub(crate) fn groups(&self) -> impl Iterator<Item = u64> + '_ {
        self.footer.groups.iter().map(|group| group.rows as u64)
    }

    /// Where the columns of some groups lie in the file; those that lie nowhere are left out.
    pub(crate) fn ranges(
        &self,
        groups: Range<usize>,
        columns: impl IntoIterator<Item = usize>,
    ) -> Vec<Range<u64>> {
        let ranges = self.footer.ranges(groups, columns);
        ranges.filter(|range| range.end <= self.bytes).collect()
    }

    /// Some groups as a file of their own, from bytes that lie at `base` in the whole one.
    pub(super) fn file<'a>(
        &self,
        groups: Range<usize>,
        data: &'a [u8],
        base: u64,
    ) -> ParquetFile<'a> {
        let rows = self.footer.groups[groups.clone()].iter().map(|group| group.rows as usize).sum();
        let (name, footer, limit) = (self.name.clone(), self.footer.clone(), self.limit);
        let (bytes, length) = (Bytes::Here(data, base), self.bytes);
        ParquetFile { name, bytes, length, footer, groups, rows, limit }
    }
}
