//! What the footer of a Parquet file says of its columns, and a header of a page.

use super::MAGIC;
use super::thrift::{Field, I32, LIST, Reader, STRUCT, TRUE};
use crate::IoError;
use crate::columnar::column::{ColumnKind, NumberKind};
use crate::columnar::unpack::Packing;
use std::ops::Range;

/// How values are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Physical {
    Int32,
    Int64,
    Float,
    Double,
    Bytes,
    /// Not read.
    Other,
}

impl Physical {
    fn of(code: i64) -> Physical {
        match code {
            1 => Physical::Int32,
            2 => Physical::Int64,
            4 => Physical::Float,
            5 => Physical::Double,
            6 => Physical::Bytes,
            _ => Physical::Other,
        }
    }

    /// Bytes of a number; none for texts.
    pub(super) fn width(self) -> usize {
        match self {
            Physical::Int32 | Physical::Float => 4,
            Physical::Int64 | Physical::Double => 8,
            Physical::Bytes | Physical::Other => 0,
        }
    }
}

/// A column at the top of the schema.
#[derive(Debug, Clone)]
pub(super) struct ParquetColumn {
    pub(super) name: String,
    pub(super) kind: ColumnKind,
    pub(super) physical: Physical,
    /// Whether rows may be null.
    pub(super) optional: bool,
    /// Which of the chunks of a group it has.
    pub(super) leaf: usize,
}

/// A column of a group of rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Stored {
    pub(super) codec: i64,
    pub(super) values: i64,
    pub(super) length: i64,
    pub(super) data: i64,
    pub(super) dictionary: Option<i64>,
    pub(super) encrypted: bool,
    /// In another file.
    pub(super) elsewhere: bool,
}

/// A group of rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) rows: i64,
    pub(super) columns: Vec<Stored>,
}

/// The footer.
#[derive(Debug, Default)]
pub(super) struct Footer {
    pub(super) rows: i64,
    pub(super) columns: Vec<ParquetColumn>,
    pub(super) groups: Vec<Group>,
}

/// An entry of the schema.
#[derive(Debug, Default)]
struct Element {
    physical: Option<i64>,
    repetition: i64,
    name: String,
    children: i64,
    converted: Option<i64>,
    /// The number of a logical type, and the bits and sign of its integers.
    logical: Option<(i16, i64, bool)>,
}

/// The compression of a code; nothing where it is not undone.
pub(super) fn packing(codec: i64) -> Result<Packing, &'static str> {
    Ok(match codec {
        0 => Packing::None,
        1 => Packing::Snappy,
        2 => Packing::Gzip,
        6 => Packing::Zstd,
        7 => Packing::Lz4Block,
        3 => return Err("lzo"),
        4 => return Err("brotli"),
        5 => return Err("the old lz4 of Hadoop"),
        _ => return Err("an unknown compression"),
    })
}

impl Stored {
    /// The bytes that it has in the file, if that can be.
    pub(super) fn range(&self) -> Option<Range<u64>> {
        let first = self.dictionary.filter(|&at| at > 0).map_or(self.data, |at| at.min(self.data));
        let (first, length) = (u64::try_from(first).ok()?, u64::try_from(self.length).ok()?);
        Some(first..first.checked_add(length)?)
    }
}

impl Footer {
    /// The footer of a file of so many bytes.
    pub(super) fn of_file(
        name: &str,
        bytes: u64,
        read: impl Fn(Range<u64>) -> Result<Vec<u8>, IoError>,
    ) -> Result<Footer, IoError> {
        let expected = "the footer of a Parquet file (PAR1 at its end)";
        let cut = |at: u64| IoError::at_byte(name, at, expected, "damaged or truncated data");
        let end = bytes.saturating_sub(8);
        let last = read(end..bytes)?;
        if bytes < 12 || !last.ends_with(MAGIC) {
            return Err(cut(bytes));
        }
        let length = last.first_chunk().map_or(0, |&word| u32::from_le_bytes(word));
        let start = end.checked_sub(length.into()).ok_or_else(|| cut(end))?;
        let footer = Footer::read(&read(start..end)?).ok_or_else(|| cut(start))?;
        let stated = footer
            .groups
            .iter()
            .try_fold(0i64, |sum, group| sum.checked_add(group.rows).filter(|_| group.rows >= 0));
        let counted = usize::try_from(footer.rows).is_ok() && stated == Some(footer.rows);
        if counted { Ok(footer) } else { Err(cut(start)) }
    }

    /// Bytes of the smallest numbers of a column, once they are unpacked.
    pub(super) fn least_width(&self) -> u64 {
        let widths = self.columns.iter().map(|column| column.physical.width() as u64);
        widths.filter(|&width| width > 0).min().unwrap_or(8)
    }

    /// Where the columns of some groups lie in the file; those that lie nowhere are left out.
    pub(super) fn ranges(
        &self,
        groups: Range<usize>,
        columns: impl IntoIterator<Item = usize>,
    ) -> impl Iterator<Item = Range<u64>> {
        let leaves = columns.into_iter().map(|column| self.columns[column].leaf);
        leaves.flat_map(move |leaf| {
            let groups = self.groups[groups.clone()].iter();
            groups.filter_map(move |group| group.columns.get(leaf)?.range())
        })
    }

    pub(super) fn read(data: &[u8]) -> Option<Footer> {
        let mut footer = Footer::default();
        let mut schema = Vec::new();
        Reader::new(data).fields(|reader, field| {
            match (field.id, field.kind) {
                (2, LIST) => schema = reader.structures(element)?,
                (3, _) => footer.rows = reader.integer()?,
                (4, LIST) => footer.groups = reader.structures(group)?,
                _ => return Some(false),
            }
            Some(true)
        })?;
        footer.columns = columns(&schema)?;
        Some(footer)
    }
}

fn element(reader: &mut Reader<'_>) -> Option<Element> {
    let mut found = Element::default();
    reader.fields(|reader, field| {
        match (field.id, field.kind) {
            (1, I32) => found.physical = Some(reader.integer()?),
            (3, I32) => found.repetition = reader.integer()?,
            (4, _) => found.name = reader.text()?,
            (5, I32) => found.children = reader.integer()?,
            (6, I32) => found.converted = Some(reader.integer()?),
            (10, STRUCT) => found.logical = Some(logical(reader)?),
            _ => return Some(false),
        }
        Some(true)
    })?;
    Some(found)
}

/// The only field of a union says which type it is.
fn logical(reader: &mut Reader<'_>) -> Option<(i16, i64, bool)> {
    const INTEGER: i16 = 10;
    let mut found = (0, 0, true);
    reader.fields(|reader, field| {
        found.0 = field.id;
        if field.id != INTEGER || field.kind != STRUCT {
            return Some(false);
        }
        reader.fields(|reader, field| {
            match field.id {
                1 => found.1 = reader.small()?,
                2 => found.2 = field.kind == TRUE,
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some(true)
    })?;
    Some(found)
}

fn group(reader: &mut Reader<'_>) -> Option<Group> {
    let mut found = Group::default();
    reader.fields(|reader, field| {
        match (field.id, field.kind) {
            (1, LIST) => found.columns = reader.structures(stored)?,
            (3, _) => found.rows = reader.integer()?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    Some(found)
}

fn stored(reader: &mut Reader<'_>) -> Option<Stored> {
    let mut found = Stored::default();
    reader.fields(|reader, field| {
        match (field.id, field.kind) {
            (1, _) => {
                found.elsewhere = true;
                return Some(false);
            }
            (3, STRUCT) => reader.fields(|reader, field| about(reader, field, &mut found))?,
            (8 | 9, _) => {
                found.encrypted = true;
                return Some(false);
            }
            _ => return Some(false),
        }
        Some(true)
    })?;
    Some(found)
}

fn about(reader: &mut Reader<'_>, field: Field, found: &mut Stored) -> Option<bool> {
    match field.id {
        4 => found.codec = reader.integer()?,
        5 => found.values = reader.integer()?,
        7 => found.length = reader.integer()?,
        9 => found.data = reader.integer()?,
        11 => found.dictionary = Some(reader.integer()?),
        _ => return Some(false),
    }
    Some(true)
}

/// The columns at the top of a schema, which lists what is within a column after it.
fn columns(schema: &[Element]) -> Option<Vec<ParquetColumn>> {
    let (root, rest) = schema.split_first()?;
    let (mut at, mut leaf) = (0, 0);
    let mut columns = Vec::new();
    for _ in 0..usize::try_from(root.children).ok()?.min(rest.len()) {
        let top = rest.get(at)?;
        let (first, start) = (at, leaf);
        // As many entries are still to come.
        let mut open = 1i64;
        while open > 0 {
            let entry = rest.get(at)?;
            leaf += usize::from(entry.children <= 0);
            open = open.checked_add(entry.children.max(0) - 1)?;
            at += 1;
        }
        let nested = at - first > 1 || top.repetition == 2;
        let physical = Physical::of(top.physical.unwrap_or(-1));
        let kind = match nested {
            true => ColumnKind::Other("a nested type".to_string()),
            false => kind(top, physical),
        };
        let (name, optional) = (top.name.clone(), top.repetition == 1);
        columns.push(ParquetColumn { name, kind, physical, optional, leaf: start });
    }
    Some(columns)
}

/// What a column holds: newer files say so by a logical type, older ones by a converted one.
fn kind(element: &Element, physical: Physical) -> ColumnKind {
    let integer = |bits: i64, signed: bool| {
        let kind = u32::try_from(bits).ok().and_then(|bits| NumberKind::integer(bits, signed));
        kind.map_or(ColumnKind::Other("integers of another size".to_string()), ColumnKind::Number)
    };
    let name = match (element.logical, element.converted) {
        (Some((10, bits, signed)), _) => return integer(bits, signed),
        (Some((1 | 4 | 12, ..)), _) if physical == Physical::Bytes => return ColumnKind::Text,
        (Some((11, ..)), _) => return ColumnKind::Nulls,
        (Some((id, ..)), _) => match id {
            5 => "decimal",
            6 => "date",
            7 => "time",
            8 => "timestamp",
            14 => "uuid",
            15 => "float16",
            _ => "a nested type",
        },
        (None, Some(0 | 4 | 19)) if physical == Physical::Bytes => return ColumnKind::Text,
        (None, Some(code @ 11..=14)) => return integer(8 << (code - 11), false),
        (None, Some(code @ 15..=18)) => return integer(8 << (code - 15), true),
        (None, Some(5)) => "decimal",
        (None, Some(6)) => "date",
        (None, Some(7 | 8)) => "time",
        (None, Some(9 | 10)) => "timestamp",
        (None, Some(_)) => "a nested type",
        (None, None) => match physical {
            Physical::Int32 => return ColumnKind::Number(NumberKind::I32),
            Physical::Int64 => return ColumnKind::Number(NumberKind::I64),
            Physical::Float => return ColumnKind::Number(NumberKind::F32),
            Physical::Double => return ColumnKind::Number(NumberKind::F64),
            Physical::Bytes => "binary",
            Physical::Other if element.physical == Some(0) => "bool",
            Physical::Other if element.physical == Some(3) => "timestamp",
            Physical::Other => "binary",
        },
    };
    ColumnKind::Other(name.to_string())
}

/// A header before the data of a page.
#[derive(Debug, Default)]
pub(super) struct PageHeader {
    pub(super) kind: i64,
    pub(super) plain: i64,
    pub(super) packed: i64,
    pub(super) values: i64,
    pub(super) encoding: i64,
    pub(super) levels: i64,
    /// Bytes of levels before the data, in pages of version 2.
    pub(super) level_bytes: i64,
    pub(super) repeat_bytes: i64,
    pub(super) is_packed: bool,
}

impl PageHeader {
    pub(super) const DATA: i64 = 0;
    pub(super) const DICTIONARY: i64 = 2;
    pub(super) const DATA_2: i64 = 3;

    /// Reads a header, and its length.
    pub(super) fn read(data: &[u8]) -> Option<(PageHeader, usize)> {
        let mut found = PageHeader { levels: 3, is_packed: true, ..PageHeader::default() };
        let mut reader = Reader::new(data);
        reader.fields(|reader, field| {
            match (field.id, field.kind) {
                (1, I32) => found.kind = reader.integer()?,
                (2, I32) => found.plain = reader.integer()?,
                (3, I32) => found.packed = reader.integer()?,
                (5 | 7, STRUCT) => reader.fields(|reader, field| {
                    match (field.id, field.kind) {
                        (1, I32) => found.values = reader.integer()?,
                        (2, I32) => found.encoding = reader.integer()?,
                        (3, I32) => found.levels = reader.integer()?,
                        _ => return Some(false),
                    }
                    Some(true)
                })?,
                (8, STRUCT) => reader.fields(|reader, field| {
                    match (field.id, field.kind) {
                        (1, I32) => found.values = reader.integer()?,
                        (4, I32) => found.encoding = reader.integer()?,
                        (5, I32) => found.level_bytes = reader.integer()?,
                        (6, I32) => found.repeat_bytes = reader.integer()?,
                        (7, kind) => {
                            found.is_packed = kind == TRUE;
                        }
                        _ => return Some(false),
                    }
                    Some(true)
                })?,
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some((found, reader.at))
    }
}
