//! Thrift's compact protocol, as far as the metadata of Parquet need it.
//!
//! A structure is a list of fields, each with a number and a type, up to a stop. Readers take the
//! fields they know and skip the others, so newer files can be read.

use crate::columnar::unpack::varint;

/// Types of fields.
pub(super) const TRUE: u8 = 1;
pub(super) const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
pub(super) const I32: u8 = 5;
pub(super) const I64: u8 = 6;
const DOUBLE: u8 = 7;
pub(super) const BINARY: u8 = 8;
pub(super) const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub(super) const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// Values within values beyond this are not believed.
const DEEPEST: u32 = 32;

/// A place in the bytes of a structure.
pub(super) struct Reader<'a> {
    data: &'a [u8],
    pub(super) at: usize,
}

/// A field: its number and type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) id: i16,
    pub(super) kind: u8,
}

impl<'a> Reader<'a> {
    pub(super) fn new(data: &'a [u8]) -> Reader<'a> {
        Reader { data, at: 0 }
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.data.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let (value, length) = varint(self.data.get(self.at..)?)?;
        self.at += length;
        Some(value)
    }

    /// A signed integer of any width.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A byte, signed.
    pub(super) fn small(&mut self) -> Option<i64> {
        self.byte().map(|byte| i64::from(byte as i8))
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        let bytes = self.data.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(bytes)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        Some(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    /// The type and number of items of a list.
    pub(super) fn list(&mut self) -> Option<(u8, usize)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            short => usize::from(short),
        };
        // Every item takes a byte, or the list is damaged.
        (count <= self.data.len() - self.at).then_some((head & 15, count))
    }

    /// Items of a list that are structures.
    pub(super) fn structures<T>(
        &mut self,
        mut read: impl FnMut(&mut Reader<'a>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let (kind, count) = self.list()?;
        if kind != STRUCT && count > 0 {
            return None;
        }
        (0..count).map(|_| read(self)).collect()
    }

    /// Calls a function for each field of a structure; it says whether it has read the value.
    pub(super) fn fields(
        &mut self,
        mut read: impl FnMut(&mut Reader<'a>, Field) -> Option<bool>,
    ) -> Option<()> {
        let mut last = 0i16;
        loop {
            let head = self.byte()?;
            let kind = head & 15;
            if kind == 0 {
                return Some(());
            }
            let id = match head >> 4 {
                0 => i16::try_from(self.integer()?).ok()?,
                delta => last.checked_add(delta.into())?,
            };
            last = id;
            if !read(self, Field { id, kind })? {
                self.skip(kind, 0)?;
            }
        }
    }

    fn skip(&mut self, kind: u8, depth: u32) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match kind {
            TRUE | FALSE => {}
            BYTE => self.at += 1,
            I16 | I32 | I64 => drop(self.varint()?),
            DOUBLE => self.at += 8,
            UUID => self.at += 16,
            BINARY => drop(self.bytes()?),
            LIST | SET => {
                let (kind, count) = self.list()?;
                (0..count).try_for_each(|_| self.skip_item(kind, depth))?;
            }
            MAP => {
                let count = self.varint()?;
                if count > 0 {
                    let kinds = self.byte()?;
                    for _ in 0..count {
                        self.skip_item(kinds >> 4, depth)?;
                        self.skip_item(kinds & 15, depth)?;
                    }
                }
            }
            STRUCT => loop {
                let head = self.byte()?;
                if head & 15 == 0 {
                    break;
                }
                if head >> 4 == 0 {
                    self.varint()?;
                }
                self.skip(head & 15, depth + 1)?;
            },
            _ => return None,
        }
        (self.at <= self.data.len()).then_some(())
    }

    /// An item of a list, where truth values take a byte.
    fn skip_item(&mut self, kind: u8, depth: u32) -> Option<()> {
        let kind = if matches!(kind, TRUE | FALSE) { BYTE } else { kind };
        self.skip(kind, depth + 1)
    }
}

/// A structure under way.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    last: Vec<i16>,
}

impl Writer {
    /// In a structure that nothing names: the outermost, or an item of a list.
    pub(super) fn begin(&mut self) {
        self.last.push(0);
    }

    pub(super) fn end(&mut self) {
        self.last.pop();
        self.bytes.push(0);
    }

    fn field(&mut self, id: i16, kind: u8) {
        let last = self.last.last_mut().map(|last| std::mem::replace(last, id)).unwrap_or(0);
        // Fields are written in order, and their numbers are small.
        self.bytes.push(((id - last) as u8) << 4 | kind);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 128 {
            self.bytes.push(value as u8 | 128);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn integer(&mut self, value: i64) {
        self.varint((value << 1 ^ value >> 63) as u64);
    }

    pub(super) fn i32(&mut self, id: i16, value: i32) {
        self.field(id, I32);
        self.integer(value.into());
    }

    pub(super) fn i64(&mut self, id: i16, value: i64) {
        self.field(id, I64);
        self.integer(value);
    }

    /// A byte.
    pub(super) fn i8(&mut self, id: i16, value: i8) {
        self.field(id, BYTE);
        self.bytes.push(value as u8);
    }

    pub(super) fn truth(&mut self, id: i16, value: bool) {
        self.field(id, if value { TRUE } else { FALSE });
    }

    pub(super) fn text(&mut self, id: i16, value: &str) {
        self.field(id, BINARY);
        self.item(value);
    }

    /// A text in a list.
    pub(super) fn item(&mut self, value: &str) {
        self.varint(value.len() as u64);
        self.bytes.extend_from_slice(value.as_bytes());
    }

    /// An integer in a list.
    pub(super) fn number(&mut self, value: i32) {
        self.integer(value.into());
    }

    pub(super) fn structure(&mut self, id: i16) {
        self.field(id, STRUCT);
        self.begin();
    }

    pub(super) fn list(&mut self, id: i16, kind: u8, count: usize) {
        self.field(id, LIST);
        match count < 15 {
            true => self.bytes.push((count as u8) << 4 | kind),
            false => {
                self.bytes.push(15 << 4 | kind);
                self.varint(count as u64);
            }
        }
    }
}
