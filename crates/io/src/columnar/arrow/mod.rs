//! Arrow IPC: files (`.arrow`, `.feather`) and streams.
//!
//! **Problem.** The columns of a file, lent where they are not compressed.
//! **Method.** A file is a list of messages: a schema, dictionaries, batches of rows. Each has
//! metadata (`flat.rs`, `schema.rs`) and a body of buffers, which lie as `column.rs` has them. A
//! footer says where the messages of a file are; a stream has them one after another.
//! **Cost.** Opening reads metadata only.
//! **When not to use.** Feather version 1, big-endian files and dictionaries that grow are refused.

mod batch;
mod flat;
mod schema;
mod write;

pub(super) use write::ArrowWriter;

use super::column::{ChunkData, ColumnChunk};
use super::unpack::Packing;
use super::{ColumnKind, TableField};
use crate::IoError;
use crate::quote::shown;
use batch::Batch;
use flat::{FlatTable, u32_at};
use rayon::prelude::*;
use schema::{ArrowField, Layout, Span};
use std::ops::Range;
use std::sync::Arc;

const MAGIC: &[u8] = b"ARROW1";
/// Before the length of a message.
const CONTINUES: u32 = 0xffff_ffff;

/// Kinds of messages.
const SCHEMA: u8 = 1;
const DICTIONARY: u8 = 2;
const BATCH: u8 = 3;

pub(super) fn is_arrow(data: &[u8]) -> bool {
    data.starts_with(MAGIC) || data.starts_with(b"FEA1") || u32_at(data, 0) == Some(CONTINUES)
}

/// A file whose metadata are read.
pub(super) struct ArrowFile<'a> {
    name: String,
    fields: Vec<ArrowField>,
    batches: Vec<Batch<'a>>,
    /// With their numbers, in the order of the file.
    dictionaries: Vec<(i64, Batch<'a>)>,
    rows: usize,
    /// Bytes that a column may decode to.
    limit: u64,
}

/// A message and its body.
struct Message<'a> {
    at: usize,
    kind: u8,
    header: FlatTable<'a>,
    body: &'a [u8],
    /// Where the next one begins.
    end: usize,
}

/// The message at a place; nothing at the end of a stream.
fn message(data: &[u8], at: usize) -> Option<Option<Message<'_>>> {
    if at == data.len() {
        return Some(None);
    }
    let first = u32_at(data, at)?;
    // Before version 0.15 nothing came before the length.
    let (start, length) = match first == CONTINUES {
        true => (at + 8, u32_at(data, at + 4)?),
        false => (at + 4, first),
    };
    if length == 0 {
        return Some(None);
    }
    let body = start.checked_add(length as usize)?;
    let about = FlatTable::root(data.get(start..body)?)?;
    let end = body.checked_add(usize::try_from(about.i64(3)).ok()?)?;
    let (kind, header) = (about.u8(1), about.table(2)?);
    Some(Some(Message { at, kind, header, body: data.get(body..end)?, end }))
}

/// The rows of a file of so many bytes, some of which `read` gives: those of its batches, one after
/// another.
pub(super) fn rows(bytes: u64, read: impl Fn(Range<u64>) -> Option<Vec<u8>>) -> Option<u64> {
    let part = |at: u64, length: u64| {
        let end = at.checked_add(length).filter(|&end| end <= bytes)?;
        read(at..end)
    };
    // A file begins as a stream does, after its mark.
    let mut at = if part(0, 8)?.starts_with(MAGIC) { 8 } else { 0 };
    let mut rows = 0u64;
    while let Some(start) = part(at, 8) {
        let word = |place| u32_at(&start, place).map(u64::from);
        let (before, length) = match word(0)? == u64::from(CONTINUES) {
            true => (8, word(4)?),
            false => (4, word(0)?),
        };
        let Some(metadata) = (length > 0).then(|| part(at + before, length)).flatten() else {
            break;
        };
        let Some(about) = FlatTable::root(&metadata) else { break };
        let body = u64::try_from(about.i64(3)).ok()?;
        if about.u8(1) == BATCH {
            rows = rows.checked_add(u64::try_from(about.table(2)?.i64(0)).ok()?)?;
        }
        at = (at + before + length).checked_add(body).filter(|&next| next > at && next <= bytes)?;
    }
    Some(rows)
}

impl<'a> ArrowFile<'a> {
    pub(super) fn open(name: &str, data: &'a [u8], limit: u64) -> Result<ArrowFile<'a>, IoError> {
        let wrong = |at: usize, expected: &str, found: &str| {
            IoError::at_byte(name, at as u64, expected, found)
        };
        if data.starts_with(b"FEA1") {
            return Err(wrong(0, "Arrow IPC (Feather version 2)", "Feather version 1"));
        }
        if !is_arrow(data) {
            let found = if data.is_empty() { "an empty file" } else { "other bytes" };
            return Err(wrong(0, "an Arrow file (ARROW1) or stream", found));
        }
        let name = name.to_string();
        let (fields, batches, dictionaries) = (Vec::new(), Vec::new(), Vec::new());
        let mut file = ArrowFile { name, fields, batches, dictionaries, rows: 0, limit };
        match data.starts_with(MAGIC) {
            true => file.read_footer(data)?,
            false => file.read_stream(data)?,
        }
        file.rows = file.batches.iter().fold(0, |rows, batch| batch.rows.saturating_add(rows));
        Ok(file)
    }

    fn damaged(&self, at: usize, expected: &str) -> IoError {
        IoError::at_byte(&self.name, at as u64, expected, "damaged or truncated data")
    }

    fn read_footer(&mut self, data: &'a [u8]) -> Result<(), IoError> {
        let name = self.name.clone();
        let cut = |at: usize| {
            let expected = "the footer of an Arrow file (ARROW1 at its end)";
            IoError::at_byte(&name, at as u64, expected, "damaged or truncated data")
        };
        let end = data.len().saturating_sub(10);
        if data.len() < 2 * MAGIC.len() + 6 || !data.ends_with(MAGIC) {
            return Err(cut(data.len()));
        }
        let length = u32_at(data, end).unwrap_or(0) as usize;
        let start = end.checked_sub(length).ok_or_else(|| cut(end))?;
        let footer = FlatTable::root(&data[start..end]).ok_or_else(|| cut(start))?;
        let schema = footer.table(1).ok_or_else(|| cut(start))?;
        self.read_schema(schema, start)?;
        let blocks = |list: usize| match footer.list(list) {
            None => Some(Vec::new()),
            Some(list) => list.words::<3>(),
        };
        let both = [blocks(2).ok_or_else(|| cut(start))?, blocks(3).ok_or_else(|| cut(start))?];
        for block in both.into_iter().flatten() {
            let at = usize::try_from(block[0]).unwrap_or(usize::MAX);
            let found = message(data, at).flatten();
            let found = found.ok_or_else(|| self.damaged(at, "a batch of rows"))?;
            self.take(&found)?;
        }
        Ok(())
    }

    fn read_stream(&mut self, data: &'a [u8]) -> Result<(), IoError> {
        let (mut at, mut begun) = (0, false);
        loop {
            let found = message(data, at).ok_or_else(|| self.damaged(at, "a message of Arrow"))?;
            match found {
                None if begun => return Ok(()),
                Some(found) if found.kind == SCHEMA && !begun => {
                    self.read_schema(found.header, at)?;
                    begun = true;
                    at = found.end;
                }
                Some(found) if begun => {
                    self.take(&found)?;
                    at = found.end;
                }
                _ => return Err(self.damaged(at, "a schema of Arrow")),
            }
        }
    }

    fn read_schema(&mut self, schema: FlatTable<'_>, at: usize) -> Result<(), IoError> {
        if schema.i16(0) != 0 {
            let found = "big-endian ones";
            return Err(IoError::at_byte(&self.name, at as u64, "little-endian numbers", found));
        }
        self.fields =
            schema::fields(schema).ok_or_else(|| self.damaged(at, "a schema of Arrow"))?;
        Ok(())
    }

    /// Keeps a dictionary or a batch.
    fn take(&mut self, found: &Message<'a>) -> Result<(), IoError> {
        let damaged = || self.damaged(found.at, "a batch of rows");
        match found.kind {
            DICTIONARY => {
                if found.header.u8(2) != 0 {
                    let expected = "a dictionary in one piece";
                    let found_text = "a delta, which is not supported";
                    let at = found.at as u64;
                    return Err(IoError::at_byte(&self.name, at, expected, found_text));
                }
                let header = found.header.table(1).ok_or_else(damaged)?;
                let batch = self.batch(found, header).ok_or_else(damaged)?;
                self.dictionaries.push((found.header.i64(0), batch));
            }
            BATCH => {
                let batch = self.batch(found, found.header).ok_or_else(damaged)?;
                self.batches.push(batch);
            }
            _ => return Err(damaged()),
        }
        Ok(())
    }

    fn batch(&self, found: &Message<'a>, header: FlatTable<'_>) -> Option<Batch<'a>> {
        let words = |field| header.list(field).map_or(Some(Vec::new()), |list| list.words());
        let packing = match header.table(3).map(|about| about.u8(0)) {
            None => None,
            Some(0) => Some(Packing::Lz4Frame),
            Some(1) => Some(Packing::Zstd),
            Some(_) => return None,
        };
        Some(Batch {
            at: found.at,
            rows: usize::try_from(header.i64(0)).ok()?,
            nodes: words(1)?,
            buffers: words(2)?,
            views: header.list(4).map_or(Some(Vec::new()), |list| list.words())?,
            packing,
            body: found.body,
            dictionaries: self.dictionaries.len(),
        })
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn fields(&self) -> Vec<TableField> {
        let field = |of: &ArrowField| {
            let nested = of.dictionary.is_some() && of.layout == Layout::Other;
            let kind = match nested {
                true => ColumnKind::Other(format!("a dictionary of {}", of.kind.name())),
                false => of.kind.clone(),
            };
            TableField { name: of.name.clone(), kind }
        };
        self.fields.iter().map(field).collect()
    }

    /// The entries of a column.
    pub(super) fn column(&self, column: usize) -> Result<Vec<ColumnChunk<'a>>, IoError> {
        let field = &self.fields[column];
        let mut before = Span::default();
        for other in &self.fields[..column] {
            before.nodes += other.span.nodes;
            before.buffers += other.span.buffers;
            before.views += other.span.views;
        }
        let wrong = |batch: &Batch<'_>| {
            let expected = format!("entries of column {}", shown(&field.name));
            self.damaged(batch.at, &expected)
        };
        let Some((id, keys)) = field.dictionary else {
            let chunk = |batch: &Batch<'a>| {
                batch.chunk(field.layout, before, self.limit).ok_or_else(|| wrong(batch))
            };
            let chunks: Vec<_> = self.batches.par_iter().map(chunk).collect();
            return chunks.into_iter().collect();
        };
        let mut values: Vec<Option<Arc<ColumnChunk<'a>>>> = vec![None; self.dictionaries.len()];
        for (place, (number, batch)) in values.iter_mut().zip(&self.dictionaries) {
            if *number == id {
                let chunk = batch.chunk(field.layout, Span::default(), self.limit);
                *place = Some(Arc::new(chunk.ok_or_else(|| wrong(batch))?));
            }
        }
        let chunk = |batch: &Batch<'a>| {
            if batch.rows == 0 {
                return ColumnChunk::new(0, None, ChunkData::Nothing);
            }
            let values = values[..batch.dictionaries].iter().rev().flatten().next()?;
            let (validity, bytes) = batch.numbers(keys, before, self.limit)?;
            ColumnChunk::of_keys(batch.rows, validity, keys, bytes, values.clone())
        };
        let chunk = |batch| chunk(batch).ok_or_else(|| wrong(batch));
        let chunks: Vec<_> = self.batches.par_iter().map(chunk).collect();
        chunks.into_iter().collect()
    }
}
