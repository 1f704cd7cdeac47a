//! Columns as Arrow lays them out: numbers side by side, texts by offsets, bits for what is null.
//!
//! **Problem.** One view of a column, whether a file of Arrow or Parquet has it or another library's
//! memory, and whether its bytes are lent or ours.
//! **Method.** A column is a list of chunks. Bytes are little-endian and need no alignment; offsets
//! and keys are checked when they are used, because files may be damaged.

mod kind;
#[cfg(test)]
mod tests;

pub use kind::{ColumnKind, NumberKind};

use crate::values::{Number, ValueType};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Which rows are not null: a bit for each, from bit `first` of the bytes.
#[derive(Debug, Clone)]
pub struct Validity<'a> {
    /// The lowest bit of a byte comes first.
    pub bits: Cow<'a, [u8]>,
    /// Bits before those of the first row.
    pub first: usize,
}

impl Validity<'_> {
    fn has(&self, row: usize) -> bool {
        let bit = self.first + row;
        self.bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
    }
}

/// The entries of a chunk.
#[derive(Debug, Clone)]
pub enum ChunkData<'a> {
    /// Numbers side by side.
    Numbers(NumberKind, Cow<'a, [u8]>),
    /// Texts side by side, and where each begins and the last one ends: 8 bytes each where
    /// offsets are wide, else 4.
    Texts {
        /// The offsets.
        offsets: Cow<'a, [u8]>,
        /// Whether they have 8 bytes.
        wide: bool,
        /// The texts.
        bytes: Cow<'a, [u8]>,
    },
    /// 16 bytes for each text: its length, and either the text or where it is.
    Views {
        /// Lengths and places.
        views: Cow<'a, [u8]>,
        /// Where texts of more than 12 bytes are.
        buffers: Vec<Cow<'a, [u8]>>,
    },
    /// Which of other texts each is.
    Keys(NumberKind, Cow<'a, [u8]>, Arc<ColumnChunk<'a>>),
    /// Nulls only, or what is not read.
    Nothing,
}

/// Some rows of a column.
#[derive(Debug, Clone)]
pub struct ColumnChunk<'a> {
    pub(crate) rows: usize,
    validity: Option<Validity<'a>>,
    data: ChunkData<'a>,
}

/// Bytes that are not what the layout says they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Damaged;

/// Calls a closure on each of the numbers in some bytes, as a type that holds them.
macro_rules! each_number {
    ($kind:expr, $bytes:expr, |$x:ident| $found:expr) => {
        match $kind {
            NumberKind::I8 => each_number!(@ i8, 1, $bytes, $x, $found),
            NumberKind::I16 => each_number!(@ i16, 2, $bytes, $x, $found),
            NumberKind::I32 => each_number!(@ i32, 4, $bytes, $x, $found),
            NumberKind::I64 => each_number!(@ i64, 8, $bytes, $x, $found),
            NumberKind::U8 => each_number!(@ u8, 1, $bytes, $x, $found),
            NumberKind::U16 => each_number!(@ u16, 2, $bytes, $x, $found),
            NumberKind::U32 => each_number!(@ u32, 4, $bytes, $x, $found),
            NumberKind::U64 => each_number!(@ u64, 8, $bytes, $x, $found),
            NumberKind::F32 => each_number!(@ f32, 4, $bytes, $x, $found),
            NumberKind::F64 => each_number!(@ f64, 8, $bytes, $x, $found),
        }
    };
    (@ $type:ty, $width:literal, $bytes:expr, $x:ident, $found:expr) => {
        $bytes
            .as_chunks::<$width>()
            .0
            .iter()
            .map(|&bytes| {
                let $x = <$type>::from_le_bytes(bytes);
                $found
            })
            .collect()
    };
}

impl<'a> ColumnChunk<'a> {
    /// So many rows; nothing where there is not enough for them.
    pub fn new(
        rows: usize,
        validity: Option<Validity<'a>>,
        data: ChunkData<'a>,
    ) -> Option<ColumnChunk<'a>> {
        let fits = |bytes: &[u8], width: usize| rows.checked_mul(width) == Some(bytes.len());
        let fits = match &data {
            ChunkData::Numbers(kind, bytes) => fits(bytes, kind.width()),
            ChunkData::Keys(kind, bytes, _) => kind.is_integer() && fits(bytes, kind.width()),
            ChunkData::Views { views, .. } => fits(views, 16),
            ChunkData::Texts { offsets, wide, .. } => {
                let width = if *wide { 8 } else { 4 };
                (rows + 1).checked_mul(width) == Some(offsets.len())
            }
            ChunkData::Nothing => true,
        };
        let enough = |validity: &Validity<'_>| {
            rows.checked_add(validity.first).is_some_and(|bits| bits <= 8 * validity.bits.len())
        };
        let fits = fits && validity.as_ref().is_none_or(enough);
        fits.then_some(ColumnChunk { rows, validity, data })
    }

    /// Entries that are keys into others; nothing where a key is none of them.
    pub fn of_keys(
        rows: usize,
        validity: Option<Validity<'a>>,
        kind: NumberKind,
        keys: Cow<'a, [u8]>,
        values: Arc<ColumnChunk<'a>>,
    ) -> Option<ColumnChunk<'a>> {
        let ChunkData::Numbers(of, bytes) = &values.data else {
            return ColumnChunk::new(rows, validity, ChunkData::Keys(kind, keys, values));
        };
        // Numbers are as small as their keys.
        let by_key = ColumnChunk::new(rows, validity, ChunkData::Numbers(kind, keys))?;
        let width = of.width();
        let mut numbers = Vec::with_capacity(rows * width);
        let mut bits = vec![0u8; rows.div_ceil(8)];
        let keys = by_key.integers(0..rows).ok()?;
        for (row, key) in keys.into_iter().enumerate() {
            let null = by_key.is_null(row);
            let key = if null { 0 } else { usize::try_from(key).ok()? };
            if null || values.is_null(key) {
                numbers.resize(numbers.len() + width, 0);
                continue;
            }
            bits[row / 8] |= 1 << (row % 8);
            numbers.extend_from_slice(bytes.get(key * width..(key + 1) * width)?);
        }
        let validity = Validity { bits: bits.into(), first: 0 };
        ColumnChunk::new(rows, Some(validity), ChunkData::Numbers(*of, numbers.into()))
    }

    /// Whether a row has nothing.
    pub(crate) fn is_null(&self, row: usize) -> bool {
        if self.validity.as_ref().is_some_and(|validity| !validity.has(row)) {
            return true;
        }
        match &self.data {
            ChunkData::Nothing => true,
            ChunkData::Keys(.., values) => {
                self.key(row).is_some_and(|key| key < values.rows && values.is_null(key))
            }
            _ => false,
        }
    }

    /// The first row of some that has nothing.
    pub fn first_null(&self, rows: Range<usize>) -> Option<usize> {
        let none = self.validity.is_none()
            && matches!(
                self.data,
                ChunkData::Numbers(..) | ChunkData::Texts { .. } | ChunkData::Views { .. }
            );
        if none { None } else { rows.into_iter().find(|&row| self.is_null(row)) }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The numbers of all rows, where they are numbers and lie in one piece.
    pub fn numbers(&self) -> Option<(NumberKind, &[u8])> {
        match &self.data {
            ChunkData::Numbers(kind, bytes) => Some((*kind, bytes)),
            _ => None,
        }
    }

    fn piece(&self, rows: &Range<usize>) -> Option<(NumberKind, &[u8])> {
        let (kind, bytes) = self.numbers()?;
        Some((kind, &bytes[rows.start * kind.width()..rows.end * kind.width()]))
    }

    /// Integers, any where there is nothing; or the first row with one that `i64` does not hold.
    pub(crate) fn integers(&self, rows: Range<usize>) -> Result<Vec<i64>, usize> {
        let Some((kind, bytes)) = self.piece(&rows) else {
            // Nulls only.
            return Ok(vec![0; rows.len()]);
        };
        if kind == NumberKind::U64 {
            let wide: Vec<u64> = each_number!(@ u64, 8, bytes, x, x);
            let narrow = |(k, x): (usize, u64)| match i64::try_from(x) {
                Err(_) if !self.is_null(rows.start + k) => Err(rows.start + k),
                found => Ok(found.unwrap_or(0)),
            };
            return wide.into_iter().enumerate().map(narrow).collect();
        }
        Ok(each_number!(kind, bytes, |x| x as i64))
    }

    /// Numbers of a type, as bits; those of `missing` where there is nothing. Otherwise the first
    /// row with a number that the type does not hold, or with nothing.
    pub(crate) fn values(
        &self,
        rows: Range<usize>,
        number: Number,
        missing: &dyn Fn(usize) -> Option<u64>,
    ) -> Result<Vec<u64>, usize> {
        let mut found = match self.piece(&rows) {
            None => vec![None; rows.len()],
            Some((kind, bytes)) => fitting(kind, bytes, number),
        };
        if self.first_null(rows.clone()).is_some() {
            for (row, found) in rows.clone().zip(&mut found) {
                if self.is_null(row) {
                    *found = missing(row);
                }
            }
        }
        let bits = |(k, bits): (usize, Option<u64>)| bits.ok_or(rows.start + k);
        found.into_iter().enumerate().map(bits).collect()
    }

    /// A number as people write it.
    pub(crate) fn shown(&self, row: usize) -> String {
        let texts: Vec<String> = match self.piece(&(row..row + 1)) {
            _ if self.is_null(row) => return "null".to_string(),
            Some((kind, bytes)) => each_number!(kind, bytes, |x| x.to_string()),
            None => return self.text(row).ok().flatten().unwrap_or_default().to_string(),
        };
        texts.concat()
    }

    /// The text of a row, if it has one.
    pub(crate) fn text(&self, row: usize) -> Result<Option<&str>, Damaged> {
        if self.is_null(row) {
            return Ok(None);
        }
        let bytes = match &self.data {
            ChunkData::Numbers(..) | ChunkData::Nothing => None,
            ChunkData::Keys(.., values) => {
                let key = self.key(row).filter(|&key| key < values.rows);
                return key.map_or(Err(Damaged), |key| values.text(key));
            }
            ChunkData::Texts { offsets, wide, bytes } => {
                let offset = |at: usize| match wide {
                    true => offsets.as_chunks::<8>().0.get(at).map(|&x| u64::from_le_bytes(x)),
                    false => {
                        offsets.as_chunks::<4>().0.get(at).map(|&x| u32::from_le_bytes(x).into())
                    }
                };
                offset(row).zip(offset(row + 1)).and_then(|(start, end)| {
                    bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
                })
            }
            ChunkData::Views { views, buffers } => view(&views[16 * row..16 * row + 16], buffers),
        };
        let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.map(Some).ok_or(Damaged)
    }

    fn key(&self, row: usize) -> Option<usize> {
        let ChunkData::Keys(kind, bytes, _) = &self.data else { return None };
        let width = kind.width();
        let mut word = [0u8; 8];
        word[..width].copy_from_slice(&bytes[row * width..(row + 1) * width]);
        let key = u64::from_le_bytes(word);
        let negative = key >> (8 * width - 1) == 1
            && matches!(kind, NumberKind::I8 | NumberKind::I16 | NumberKind::I32 | NumberKind::I64);
        usize::try_from(key).ok().filter(|_| !negative)
    }
}

/// The bits of numbers that a type holds.
fn fitting(kind: NumberKind, bytes: &[u8], number: Number) -> Vec<Option<u64>> {
    let floats = |x: f64| (!number.whole && number.takes(x)).then_some(x);
    let narrow = |x: f64| {
        let single = x as f32;
        (!x.is_finite() || single.is_finite()).then(|| u64::from(single.to_bits()))
    };
    match (number.kind, kind) {
        (ValueType::I64 | ValueType::U64, NumberKind::F32 | NumberKind::F64) => {
            vec![None; bytes.len() / kind.width()]
        }
        (ValueType::I64, _) => {
            each_number!(kind, bytes, |x| i64::try_from(x as i128).ok().map(|x| x as u64))
        }
        (ValueType::U64, _) => each_number!(kind, bytes, |x| u64::try_from(x as i128).ok()),
        (ValueType::F64, NumberKind::F32 | NumberKind::F64) => {
            each_number!(kind, bytes, |x| floats(x as f64).map(f64::to_bits))
        }
        (ValueType::F32, NumberKind::F32 | NumberKind::F64) => {
            each_number!(kind, bytes, |x| floats(x as f64).and_then(narrow))
        }
        (ValueType::F64, _) => each_number!(kind, bytes, |x| Some((x as f64).to_bits())),
        (ValueType::F32, _) => each_number!(kind, bytes, |x| narrow(x as f64)),
    }
}

/// The text of a view: up to 12 bytes beside their length, others in a buffer.
fn view<'b>(view: &'b [u8], buffers: &'b [Cow<'_, [u8]>]) -> Option<&'b [u8]> {
    let word = |k: usize| view.as_chunks::<4>().0[k].map(usize::from);
    let word = |k: usize| word(k).iter().rev().fold(0usize, |word, &byte| word << 8 | byte);
    let length = word(0);
    match length <= 12 {
        true => view.get(4..4 + length),
        false => buffers.get(word(2))?.get(word(3)..word(3).checked_add(length)?),
    }
}
