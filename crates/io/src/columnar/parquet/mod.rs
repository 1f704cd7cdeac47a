//! Parquet files.
//!
//! **Problem.** The columns of a file that are asked for, whatever wrote it.
//! **Method.** A footer (`meta.rs`, in Thrift's compact protocol) says where the columns of each
//! group of rows begin. A column is a list of pages with a header each; pages are found one after
//! another, and decoded in parallel: their compression (`unpack.rs`), which rows are null, and the
//! encoding of the values (`encoding.rs`). A page becomes a chunk of the column.
//! **What is read.** Columns at the top of the schema; pages of both versions; all encodings of
//! numbers and texts; snappy, gzip, zstd and lz4. Nested columns, encrypted ones and brotli are
//! refused where a column with them is asked for.
//! **Cost.** Linear in what is decoded, which is bounded as what is unpacked (`limit.rs`).

mod encoding;
mod meta;
mod thrift;
mod write;

pub(super) use write::ParquetWriter;

use super::column::{ChunkData, ColumnChunk, NumberKind, Validity};
use super::unpack::{Packing, unpack};
use super::{ColumnKind, TableField};
use crate::IoError;
use crate::quote::shown;
use encoding::TextBytes;
use meta::{Footer, PageHeader, ParquetColumn, Physical};
use rayon::prelude::*;
use std::borrow::Cow;
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

/// A file whose footer is read.
pub(super) struct ParquetFile<'a> {
    name: String,
    data: &'a [u8],
    footer: Footer,
    rows: usize,
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
            return Err(wrong(0, "a Parquet file (PAR1)", "other bytes"));
        }
        let expected = "the footer of a Parquet file (PAR1 at its end)";
        let cut = |at: usize| wrong(at, expected, "damaged or truncated data");
        let end = data.len().saturating_sub(8);
        if data.len() < 12 || !data.ends_with(MAGIC) {
            return Err(cut(data.len()));
        }
        let length = data[end..].first_chunk().map_or(0, |&word| u32::from_le_bytes(word));
        let start = end.checked_sub(length as usize).ok_or_else(|| cut(end))?;
        let footer = Footer::read(&data[start..end]).ok_or_else(|| cut(start))?;
        let stated = footer.groups.iter().try_fold(0i64, |sum, group| sum.checked_add(group.rows));
        let rows = usize::try_from(footer.rows).ok().filter(|_| stated == Some(footer.rows));
        let rows = rows.ok_or_else(|| cut(start))?;
        Ok(ParquetFile { name: name.to_string(), data, footer, rows, limit })
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
        let mut pages = Vec::new();
        let mut left = self.limit;
        for group in 0..self.footer.groups.len() {
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
        let group = &self.footer.groups[group];
        let footer = self.data.len();
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
            Err(name) => return unsupported(&format!("compression by {name}")),
        };
        let first =
            stored.dictionary.filter(|&at| at > 0).map_or(stored.data, |at| at.min(stored.data));
        let range = usize::try_from(first).ok().zip(usize::try_from(stored.length).ok());
        let range = range.and_then(|(start, length)| Some(start..start.checked_add(length)?));
        let Some(range) = range.filter(|range| range.end <= footer) else {
            return fail(footer, Wrong::Damaged);
        };
        let mut rows = group.rows;
        let (mut at, mut dictionary) = (range.start, None);
        while rows > 0 {
            let Some((header, length)) = PageHeader::read(&self.data[at..range.end]) else {
                return fail(at, Wrong::Damaged);
            };
            let body = at + length;
            let end = usize::try_from(header.packed).ok().and_then(|size| body.checked_add(size));
            let Some(end) = end.filter(|&end| end <= range.end) else {
                return fail(at, Wrong::Damaged);
            };
            let page = Page { at, header, body: &self.data[body..end], packing, dictionary: None };
            self.count(&page.header, column, left)?;
            match page.header.kind {
                PageHeader::DICTIONARY => {
                    let decoder = Decoder { column, limit: self.limit };
                    match decoder.dictionary(&page) {
                        Ok(found) => dictionary = Some(Arc::new(found)),
                        Err(wrong) => return fail(at, wrong),
                    }
                }
                PageHeader::DATA | PageHeader::DATA_2 => {
                    rows -= page.header.values;
                    if page.header.values <= 0 || rows < 0 {
                        return fail(at, Wrong::Damaged);
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
                let (file, packed) = (self.name.clone(), Some(self.data.len() as u64));
                return Err(IoError::TooLarge { file, limit: self.limit, packed });
            }
        }
        Ok(())
    }
}

/// Why a page is not read.
enum Wrong {
    Damaged,
    Unsupported(String),
}

struct Decoder<'c> {
    column: &'c ParquetColumn,
    limit: u64,
}

/// 1 for each row that is not null; nothing where none can be.
type Levels = Option<Vec<u32>>;

/// The values of a page that are not null.
enum Decoded<'a> {
    Numbers(Cow<'a, [u8]>),
    Texts(TextBytes),
    /// Keys of texts.
    Keys(Vec<u32>),
}

impl Decoder<'_> {
    fn dictionary(&self, page: &Page<'_>) -> Result<Dictionary, Wrong> {
        let header = &page.header;
        let data = plain_bytes(page.packing, page.body, header.plain).ok_or(Wrong::Damaged)?;
        let count = usize::try_from(header.values).map_err(|_| Wrong::Damaged)?;
        if !matches!(header.encoding, PLAIN | OLD_KEYS) {
            return Err(Wrong::Unsupported(format!("encoding {}", header.encoding)));
        }
        let made = self.plain_dictionary(&data, count);
        made.ok_or(Wrong::Damaged)
    }

    fn plain_dictionary(&self, data: &[u8], count: usize) -> Option<Dictionary> {
        let width = self.column.physical.width();
        if width > 0 {
            let numbers = data.get(..count.checked_mul(width)?)?.to_vec();
            let texts = Arc::new(ColumnChunk::new(0, None, ChunkData::Nothing)?);
            return Some(Dictionary { numbers, texts });
        }
        if count > data.len() / 4 {
            return None;
        }
        let texts = texts_chunk(count, None, TextBytes::plain(data, count)?)?;
        Some(Dictionary { numbers: Vec::new(), texts: Arc::new(texts) })
    }

    /// The rows of a page.
    fn chunk<'a>(&self, page: &Page<'a>) -> Result<ColumnChunk<'a>, Wrong> {
        let header = &page.header;
        let rows = usize::try_from(header.values).map_err(|_| Wrong::Damaged)?;
        if header.kind == PageHeader::DATA && self.column.optional && header.levels != RUNS {
            return Err(Wrong::Unsupported(format!("encoding {} of nulls", header.levels)));
        }
        let (present, data) = self.levels(page, rows).ok_or(Wrong::Damaged)?;
        let count = present.as_ref().map_or(rows, |p| p.iter().filter(|&&p| p == 1).count());
        let decoded = self.decode(header.encoding, data, count, page.dictionary.as_deref())?;
        let present = present.filter(|_| count < rows);
        let texts = page.dictionary.as_ref().map(|of| of.texts.clone());
        self.spread(decoded, rows, present.as_deref(), texts).ok_or(Wrong::Damaged)
    }

    /// Which rows are not null, and the bytes of the values.
    fn levels<'a>(&self, page: &Page<'a>, rows: usize) -> Option<(Levels, Cow<'a, [u8]>)> {
        let header = &page.header;
        if header.kind == PageHeader::DATA_2 {
            let levels = usize::try_from(header.level_bytes).ok()?;
            let repeats = usize::try_from(header.repeat_bytes).ok()?;
            let both = levels.checked_add(repeats)?;
            let (before, packed) = page.body.split_at_checked(both)?;
            let plain = header.plain.checked_sub(i64::try_from(both).ok()?)?;
            let packing = if header.is_packed { page.packing } else { Packing::None };
            let data = plain_bytes(packing, packed, plain)?;
            let present = match self.column.optional {
                true => Some(encoding::hybrid(&before[repeats..], 1, rows)?),
                false => None,
            };
            return Some((present, data));
        }
        let mut data = plain_bytes(page.packing, page.body, header.plain)?;
        if !self.column.optional {
            return Some((None, data));
        }
        let length = u32::from_le_bytes(*data.first_chunk()?) as usize;
        let start = length.checked_add(4)?;
        let present = encoding::hybrid(data.get(4..start)?, 1, rows)?;
        data = match data {
            Cow::Borrowed(data) => Cow::Borrowed(&data[start..]),
            Cow::Owned(mut data) => {
                data.drain(..start);
                Cow::Owned(data)
            }
        };
        Some((Some(present), data))
    }

    fn decode<'a>(
        &self,
        encoding: i64,
        data: Cow<'a, [u8]>,
        count: usize,
        dictionary: Option<&Dictionary>,
    ) -> Result<Decoded<'a>, Wrong> {
        let width = self.column.physical.width();
        let integers = matches!(self.column.physical, Physical::Int32 | Physical::Int64);
        let found = match encoding {
            // Nothing is there to decode, and perhaps no bytes either.
            _ if count == 0 && width > 0 => Some(Decoded::Numbers(Cow::Owned(Vec::new()))),
            _ if count == 0 => TextBytes::plain(&[], 0).map(Decoded::Texts),
            PLAIN if width > 0 => exactly(data, count.saturating_mul(width)).map(Decoded::Numbers),
            PLAIN => TextBytes::plain(&data, count).map(Decoded::Texts),
            OLD_KEYS | KEYS => self.keys(&data, count, dictionary),
            DIFFERENCES if integers => encoding::differences(&data, count).map(|(found, _)| {
                let bytes = found.iter().flat_map(|x| x.to_le_bytes().into_iter().take(width));
                Decoded::Numbers(Cow::Owned(bytes.collect()))
            }),
            BYTES_APART if width > 0 => {
                let bytes = encoding::bytes_apart(&data, width, count);
                bytes.map(|bytes| Decoded::Numbers(Cow::Owned(bytes)))
            }
            LENGTHS_FIRST if width == 0 => {
                TextBytes::lengths_first(&data, count).map(Decoded::Texts)
            }
            SHARED_STARTS if width == 0 => {
                TextBytes::shared_starts(&data, count, self.limit).map(Decoded::Texts)
            }
            other => return Err(Wrong::Unsupported(format!("encoding {other}"))),
        };
        let whole = |found: &Decoded<'_>| match found {
            Decoded::Numbers(bytes) => bytes.len() == count * width,
            Decoded::Texts(texts) => texts.len() == count,
            Decoded::Keys(keys) => keys.len() == count,
        };
        found.filter(whole).ok_or(Wrong::Damaged)
    }

    fn keys<'a>(
        &self,
        data: &[u8],
        count: usize,
        dictionary: Option<&Dictionary>,
    ) -> Option<Decoded<'a>> {
        let (&bits, packed) = data.split_first()?;
        let keys = encoding::hybrid(packed, bits.into(), count)?;
        let Dictionary { numbers, texts } = dictionary?;
        let width = self.column.physical.width();
        if width == 0 {
            let known = |&key: &u32| (key as usize) < texts.rows();
            return keys.iter().all(known).then_some(Decoded::Keys(keys));
        }
        let mut bytes = Vec::with_capacity(count * width);
        for key in keys {
            let at = key as usize * width;
            bytes.extend_from_slice(numbers.get(at..at + width)?);
        }
        Some(Decoded::Numbers(Cow::Owned(bytes)))
    }

    /// Puts values where rows are not null.
    fn spread<'a>(
        &self,
        decoded: Decoded<'a>,
        rows: usize,
        present: Option<&[u32]>,
        texts: Option<Arc<ColumnChunk<'static>>>,
    ) -> Option<ColumnChunk<'a>> {
        let validity = present.map(|present| {
            let mut bits = vec![0u8; rows.div_ceil(8)];
            for (row, &present) in present.iter().enumerate() {
                bits[row / 8] |= (present as u8 & 1) << (row % 8);
            }
            Validity { bits: bits.into(), first: 0 }
        });
        match decoded {
            Decoded::Numbers(bytes) => {
                let width = self.column.physical.width();
                let bytes = match present {
                    None => bytes,
                    Some(present) => Cow::Owned(spaced(&bytes, width, present)),
                };
                ColumnChunk::new(rows, validity, ChunkData::Numbers(self.number()?, bytes))
            }
            Decoded::Keys(keys) => {
                let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
                let bytes = match present {
                    None => bytes,
                    Some(present) => spaced(&bytes, 4, present),
                };
                ColumnChunk::of_keys(rows, validity, NumberKind::U32, bytes.into(), texts?)
            }
            Decoded::Texts(mut found) => {
                if let Some(present) = present {
                    found.offsets = spaced_offsets(&found.offsets, present);
                }
                texts_chunk(rows, validity, found)
            }
        }
    }

    /// The type of numbers as they are stored.
    fn number(&self) -> Option<NumberKind> {
        let signed = match self.column.kind {
            ColumnKind::Number(kind) => !matches!(
                kind,
                NumberKind::U8 | NumberKind::U16 | NumberKind::U32 | NumberKind::U64
            ),
            _ => return None,
        };
        match self.column.physical {
            Physical::Int32 => NumberKind::integer(32, signed),
            Physical::Int64 => NumberKind::integer(64, signed),
            Physical::Float => Some(NumberKind::F32),
            Physical::Double => Some(NumberKind::F64),
            Physical::Bytes | Physical::Other => None,
        }
    }
}

/// The bytes of a page before compression.
fn plain_bytes(packing: Packing, data: &[u8], length: i64) -> Option<Cow<'_, [u8]>> {
    let length = usize::try_from(length).ok()?;
    match packing {
        Packing::None => (data.len() == length).then_some(Cow::Borrowed(data)),
        // Pages without a value may have no bytes at all.
        _ if length == 0 => Some(Cow::Borrowed(&[])),
        packing => unpack(packing, data, length).map(Cow::Owned),
    }
}

/// The first bytes, if there are as many.
fn exactly(data: Cow<'_, [u8]>, length: usize) -> Option<Cow<'_, [u8]>> {
    match data {
        Cow::Borrowed(data) => data.get(..length).map(Cow::Borrowed),
        Cow::Owned(mut data) => (data.len() >= length).then(|| {
            data.truncate(length);
            Cow::Owned(data)
        }),
    }
}

/// Entries of `width` bytes where rows are present, zeros elsewhere.
fn spaced(bytes: &[u8], width: usize, present: &[u32]) -> Vec<u8> {
    let mut found = vec![0u8; width * present.len()];
    let mut entries = bytes.chunks_exact(width);
    for (to, &present) in found.chunks_exact_mut(width).zip(present) {
        if present == 1
            && let Some(entry) = entries.next()
        {
            to.copy_from_slice(entry);
        }
    }
    found
}

/// Ends of texts where rows are present; the last end again elsewhere.
fn spaced_offsets(offsets: &[u8], present: &[u32]) -> Vec<u8> {
    let mut ends = offsets.as_chunks::<8>().0.iter().copied();
    let mut end = ends.next().unwrap_or_default();
    let mut found = end.to_vec();
    for &present in present {
        if present == 1 {
            end = ends.next().unwrap_or(end);
        }
        found.extend(end);
    }
    found
}

fn texts_chunk<'a>(
    rows: usize,
    validity: Option<Validity<'a>>,
    texts: TextBytes,
) -> Option<ColumnChunk<'a>> {
    let TextBytes { offsets, bytes } = texts;
    let data = ChunkData::Texts { offsets: offsets.into(), wide: true, bytes: bytes.into() };
    ColumnChunk::new(rows, validity, data)
}
