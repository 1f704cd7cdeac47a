//! The rows of one message: buffers in its body, unpacked where they are compressed.

use super::super::column::{ChunkData, ColumnChunk, NumberKind, Validity};
use super::super::unpack::{Packing, unpack};
use super::schema::{Layout, Span};
use std::borrow::Cow;

/// Rows of all columns.
pub(super) struct Batch<'a> {
    /// Where it is in the file.
    pub(super) at: usize,
    pub(super) rows: usize,
    /// By column: rows and nulls.
    pub(super) nodes: Vec<[i64; 2]>,
    /// Where buffers are in the body, and their lengths.
    pub(super) buffers: Vec<[i64; 2]>,
    /// How many buffers each column of views has beyond the fixed ones.
    pub(super) views: Vec<[i64; 1]>,
    pub(super) packing: Option<Packing>,
    pub(super) body: &'a [u8],
    /// How many dictionaries come before it.
    pub(super) dictionaries: usize,
}

/// The first bytes of some.
fn first(bytes: Cow<'_, [u8]>, length: usize) -> Option<Cow<'_, [u8]>> {
    match bytes {
        Cow::Borrowed(bytes) => bytes.get(..length).map(Cow::Borrowed),
        Cow::Owned(mut bytes) => (bytes.len() >= length).then(|| {
            bytes.truncate(length);
            Cow::Owned(bytes)
        }),
    }
}

impl<'a> Batch<'a> {
    /// Where the buffers of a column begin.
    fn first_buffer(&self, before: Span) -> Option<usize> {
        let views = self.views.get(..before.views)?;
        let more: i64 = views.iter().try_fold(0i64, |sum, [count]| sum.checked_add(*count))?;
        before.buffers.checked_add(usize::try_from(more).ok()?)
    }

    fn buffer(&self, number: usize, limit: u64) -> Option<Cow<'a, [u8]>> {
        let [start, length] = *self.buffers.get(number)?;
        let start = usize::try_from(start).ok()?;
        let bytes = self.body.get(start..start.checked_add(usize::try_from(length).ok()?)?)?;
        let Some(packing) = self.packing.filter(|_| !bytes.is_empty()) else {
            return Some(Cow::Borrowed(bytes));
        };
        let (stated, packed) = bytes.split_first_chunk::<8>()?;
        match i64::from_le_bytes(*stated) {
            -1 => Some(Cow::Borrowed(packed)),
            stated => {
                let stated = u64::try_from(stated).ok().filter(|&stated| stated <= limit)?;
                unpack(packing, packed, stated as usize).map(Cow::Owned)
            }
        }
    }

    fn validity(&self, node: usize, buffer: usize, limit: u64) -> Option<Option<Validity<'a>>> {
        let [rows, nulls] = *self.nodes.get(node)?;
        if usize::try_from(rows).ok()? != self.rows {
            return None;
        }
        if nulls == 0 {
            return Some(None);
        }
        let bits = self.buffer(buffer, limit)?;
        Some((!bits.is_empty()).then_some(Validity { bits, first: 0 }))
    }

    pub(super) fn numbers(
        &self,
        kind: NumberKind,
        before: Span,
        limit: u64,
    ) -> Option<(Option<Validity<'a>>, Cow<'a, [u8]>)> {
        let at = self.first_buffer(before)?;
        let validity = self.validity(before.nodes, at, limit)?;
        let length = self.rows.checked_mul(kind.width())?;
        Some((validity, first(self.buffer(at + 1, limit)?, length)?))
    }

    /// The entries of the column after some others.
    pub(super) fn chunk(
        &self,
        layout: Layout,
        before: Span,
        limit: u64,
    ) -> Option<ColumnChunk<'a>> {
        if self.rows == 0 || layout == Layout::Nulls {
            return ColumnChunk::new(self.rows, None, ChunkData::Nothing);
        }
        let at = self.first_buffer(before)?;
        if let Layout::Numbers(kind) = layout {
            let (validity, bytes) = self.numbers(kind, before, limit)?;
            return ColumnChunk::new(self.rows, validity, ChunkData::Numbers(kind, bytes));
        }
        let validity = self.validity(before.nodes, at, limit)?;
        let second = self.buffer(at + 1, limit)?;
        let data = match layout {
            Layout::Texts { wide } => {
                let length = (self.rows + 1).checked_mul(if wide { 8 } else { 4 })?;
                let bytes = self.buffer(at + 2, limit)?;
                ChunkData::Texts { offsets: first(second, length)?, wide, bytes }
            }
            Layout::Views => {
                let [count] = *self.views.get(before.views)?;
                let count = usize::try_from(count).ok()?;
                let numbers = at + 2..at.checked_add(2)?.checked_add(count)?;
                let buffers = numbers.map(|k| self.buffer(k, limit)).collect::<Option<_>>()?;
                ChunkData::Views { views: first(second, self.rows.checked_mul(16)?)?, buffers }
            }
            _ => return None,
        };
        ColumnChunk::new(self.rows, validity, data)
    }
}
