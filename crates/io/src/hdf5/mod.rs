//! HDF5, as much of it as tables of counts need.
//!
//! **Problem.** One-dimensional datasets of numbers or texts from a file in memory, by the names of their groups.
//! **Method.** A path is followed from the root group: its name is looked up in a B-tree of symbols (files of old
//! libraries, and of new ones by default) or among links in the group's header. A dataset's header has its length,
//! its type and where its bytes are: in the header, in one piece, or in chunks found by a B-tree, which are unpacked
//! on threads (`chunks.rs`). Texts are of fixed length, or in heaps (`texts.rs`).
//! **Cost.** Linear in the bytes that are read and unpacked; nothing else of the file is looked at. What is unpacked is
//! bounded as in other compressed files.
//! **Reference.** *HDF5 File Format Specification Version 3.0*, The HDF Group.
//! **When not to use.** Groups of thousands of members, datasets of several dimensions, chunk indexes of
//! `libver="latest"` with many chunks, and filters other than deflate and shuffle are refused by name.

mod chunks;
mod group;
mod header;
mod texts;

use crate::IoError;
use chunks::Layout;
use palmette_core::memory::check_room;
use std::borrow::Cow;

/// What files begin with.
pub(crate) const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Nothing is there.
const NOWHERE: u64 = u64::MAX;

/// A file in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hdf5<'a> {
    name: &'a str,
    data: &'a [u8],
    /// Where the header of the root group is.
    root: u64,
}

/// What the elements of a dataset are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer {
        signed: bool,
    },
    Float,
    FixedText,
    /// Texts in heaps.
    Text,
}

/// A dataset of one dimension.
#[derive(Debug)]
pub(crate) struct Dataset<'a> {
    file: Hdf5<'a>,
    path: String,
    /// How many elements it has.
    len: usize,
    kind: Kind,
    /// The bytes of an element.
    size: usize,
    big_endian: bool,
    layout: Layout,
}

impl<'a> Hdf5<'a> {
    /// Looks at the first bytes of a file.
    pub(crate) fn open(name: &'a str, data: &'a [u8]) -> Result<Hdf5<'a>, IoError> {
        let mut file = Hdf5 { name, data, root: 0 };
        let version = file.number(8, 1)?;
        // Sizes of addresses and lengths, the address all others count from, and that of the root's header.
        let (sizes, base, root) = match version {
            0 => (13, 24, 64),
            1 => (13, 28, 68),
            2 | 3 => (9, 12, 36),
            _ => return Err(file.wrong(8, "a superblock of version 0 to 3", version)),
        };
        if file.bytes(sizes, 2)? != [8, 8] {
            return Err(file.wrong(sizes, "addresses of 8 bytes", "others"));
        }
        if file.number(base, 8)? != 0 {
            return Err(file.wrong(base, "nothing before the superblock", "a user block"));
        }
        file.root = file.number(root, 8)?;
        Ok(file)
    }

    /// The dataset at a path, such as `sample/ids`.
    pub(crate) fn dataset(&self, path: &str) -> Result<Dataset<'a>, IoError> {
        let mut at = self.root;
        for name in path.split('/') {
            at = self.member(at, name)?.ok_or_else(|| {
                self.other(format!("the dataset {path} of BIOM 2.1 (HDF5)"), format!("no {name}"))
            })?;
        }
        let messages = self.messages(at)?;
        let found = |kind: u16| {
            let message = messages.iter().find(|message| message.kind == kind);
            let message = message.ok_or_else(|| self.wrong(at, "a dataset", "another object"))?;
            if message.shared {
                return Err(self.wrong(message.at, "a type in the dataset", "a shared one"));
            }
            Ok(message.at)
        };
        let len = self.length(found(header::DATASPACE)?)?;
        let (kind, size, big_endian) = self.element(found(header::DATATYPE)?)?;
        let filters = messages.iter().find(|message| message.kind == header::FILTERS);
        let filters = filters.map_or(Ok(Vec::new()), |message| self.filters(message.at))?;
        let layout = self.layout(found(header::LAYOUT)?, filters)?;
        let (file, path) = (*self, path.to_string());
        let bytes = (len as u64).saturating_mul(size as u64);
        self.check_size(bytes, &path)?;
        check_room(bytes).map_err(|source| IoError::NoRoom {
            file: self.name.to_string(),
            what: format!("the dataset {path}"),
            source,
        })?;
        Ok(Dataset { file, path, len, kind, size, big_endian, layout })
    }

    /// The length that a message has, of one dimension.
    fn length(&self, at: u64) -> Result<usize, IoError> {
        let dimensions = match self.number(at, 1)? {
            1 => at + 8,
            2 => at + 4,
            version => return Err(self.wrong(at, "a dataspace of version 1 or 2", version)),
        };
        match self.number(at + 1, 1)? {
            1 => self.place(dimensions, 8),
            rank => Err(self.wrong(at + 1, "one dimension", rank)),
        }
    }

    /// What the elements are, how many bytes they have, and whether the first is the highest.
    fn element(&self, at: u64) -> Result<(Kind, usize, bool), IoError> {
        let bits = self.number(at + 1, 1)?;
        let size = self.place(at + 4, 4)?;
        let kind = match (self.number(at, 1)? & 15, size) {
            (0, 1 | 2 | 4 | 8) => Kind::Integer { signed: bits & 8 != 0 },
            (1, 4 | 8) if bits & 64 == 0 => Kind::Float,
            (3, 1..) => Kind::FixedText,
            (9, 16) if bits & 15 == 1 => Kind::Text,
            (class, _) => {
                let found = format!("class {class} of {size} bytes");
                return Err(self.wrong(at, "integers, floats or texts", found));
            }
        };
        let is_number = matches!(kind, Kind::Integer { .. } | Kind::Float);
        Ok((kind, size, is_number && bits & 1 != 0))
    }

    /// Whether so many bytes may be unpacked.
    fn check_size(&self, bytes: u64, path: &str) -> Result<(), IoError> {
        let limit = crate::limit::InputLimit::default().of_unpacked(self.data.len() as u64);
        match bytes > limit {
            true => Err(self.other(format!("at most {limit} bytes in {path}"), bytes)),
            false => Ok(()),
        }
    }

    /// Bytes of the file.
    fn bytes(&self, at: u64, len: usize) -> Result<&'a [u8], IoError> {
        let start = usize::try_from(at).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(len)?));
        range.and_then(|range| self.data.get(range)).ok_or_else(|| {
            self.wrong(at, format!("{len} bytes"), format!("a file of {}", self.data.len()))
        })
    }

    /// A number of up to 8 bytes, the lowest first.
    fn number(&self, at: u64, len: usize) -> Result<u64, IoError> {
        let bytes = self.bytes(at, len)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// The same as a place in memory.
    fn place(&self, at: u64, len: usize) -> Result<usize, IoError> {
        let number = self.number(at, len)?;
        usize::try_from(number).map_err(|_| self.wrong(at, "a size", number))
    }

    fn expect(&self, at: u64, signature: &[u8]) -> Result<(), IoError> {
        if self.bytes(at, signature.len())? == signature {
            return Ok(());
        }
        let expected = format!("`{}`", String::from_utf8_lossy(signature));
        Err(self.wrong(at, expected, "something else"))
    }

    fn wrong(&self, at: u64, expected: impl Into<String>, found: impl ToString) -> IoError {
        let expected = format!("{}, in HDF5", expected.into());
        IoError::at_byte(self.name, at, expected, found.to_string())
    }

    fn other(&self, expected: impl Into<String>, found: impl ToString) -> IoError {
        let (file, expected, found) = (self.name.to_string(), expected.into(), found.to_string());
        IoError::Table { file, expected, found }
    }
}

impl<'a> Dataset<'a> {
    /// How many elements it has.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Its elements as floats.
    pub(crate) fn floats(&self) -> Result<Vec<f64>, IoError> {
        let bytes = self.raw()?;
        Ok(match (self.kind, self.size) {
            (Kind::Float, 8) => self.each(&bytes, f64::from_le_bytes),
            (Kind::Float, _) => self.each(&bytes, |b| f64::from(f32::from_le_bytes(b))),
            (Kind::Integer { signed: true }, _) => self.widened(&bytes, |x| x as i64 as f64),
            (Kind::Integer { .. }, _) => self.widened(&bytes, |x| x as f64),
            _ => return Err(self.unexpected("numbers", "texts")),
        })
    }

    /// Its elements, which must be whole numbers up to `most`.
    pub(crate) fn places(&self, most: u64) -> Result<Vec<u64>, IoError> {
        if !matches!(self.kind, Kind::Integer { .. }) {
            return Err(self.unexpected("whole numbers", "others"));
        }
        let found = self.widened(&self.raw()?, |x| x);
        // Those below 0 are large.
        match found.iter().find(|&&x| x > most) {
            Some(&x) => {
                Err(self
                    .unexpected(&format!("whole numbers up to {most}"), &(x as i64).to_string()))
            }
            None => Ok(found),
        }
    }

    /// Its bytes, chunks unpacked.
    fn raw(&self) -> Result<Cow<'a, [u8]>, IoError> {
        self.file.unpacked(&self.layout, self.len * self.size, self.size, &self.path)
    }

    fn each<const N: usize, T>(&self, bytes: &[u8], of: impl Fn([u8; N]) -> T) -> Vec<T> {
        let elements = bytes.as_chunks::<N>().0.iter();
        match self.big_endian {
            false => elements.map(|&element| of(element)).collect(),
            true => {
                let turned = elements.map(|&element| {
                    let mut element = element;
                    element.reverse();
                    of(element)
                });
                turned.collect()
            }
        }
    }

    /// Integers as 64 bits, the sign kept.
    fn widened<T>(&self, bytes: &[u8], of: impl Fn(u64) -> T) -> Vec<T> {
        let signed = self.kind == Kind::Integer { signed: true };
        let wide = |low: u64, sign: i64| of(if signed { sign as u64 } else { low });
        match self.size {
            1 => self.each(bytes, |[b]| wide(b.into(), i64::from(b as i8))),
            2 => self
                .each(bytes, |b| wide(u16::from_le_bytes(b).into(), i16::from_le_bytes(b).into())),
            4 => self
                .each(bytes, |b| wide(u32::from_le_bytes(b).into(), i32::from_le_bytes(b).into())),
            _ => self.each(bytes, |b| wide(u64::from_le_bytes(b), i64::from_le_bytes(b))),
        }
    }

    fn unexpected(&self, expected: &str, found: &str) -> IoError {
        self.file.other(format!("{expected} in the dataset {}", self.path), found)
    }
}
