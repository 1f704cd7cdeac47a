//! NumPy arrays (`.npy`), versions 1 to 3.
//!
//! **Problem.** An array of integers or floats of any width and byte order, with
//! one or two dimensions, and back.
//! **Method.** The header is a Python dictionary; its three keys are searched for.
//! The data must have exactly the length that shape and type demand.

mod write;

pub(crate) use write::{descr, head, put, set_words, write};
pub use write::{write_npy_parents, write_npy_values};

use crate::IoError;
use crate::labels::Labels;
use crate::tree_file::{ReadParams, TreeFile};
use crate::values::{Number, ValueType, Values};
use palmette_core::{MAX_VERTICES, NONE};
use rayon::prelude::*;
use std::fmt;
use std::io::Read;

const MAGIC: &[u8] = b"\x93NUMPY";

/// An array in its file.
pub(crate) struct Npy<'a> {
    name: &'a str,
    header: Header,
    data: &'a [u8],
    start: usize,
}

/// A number of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Element {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Signed(v) => v.fmt(f),
            Element::Unsigned(v) => v.fmt(f),
            Element::Float(v) => v.fmt(f),
        }
    }
}

/// What the head of a file says of its array.
#[derive(Clone)]
pub(crate) struct Header {
    /// `i`, `u` or `f`.
    kind: u8,
    pub(crate) width: usize,
    big_endian: bool,
    pub(crate) fortran: bool,
    pub(crate) shape: Vec<usize>,
    /// Where data begin.
    pub(crate) end: usize,
}

impl Header {
    /// Reads the head of a file that has so many bytes in all.
    pub(crate) fn read(name: &str, bytes: &[u8], length: u64) -> Result<Header, IoError> {
        let fail = |offset: usize, expected: &str, found: String| {
            IoError::at_byte(name, offset as u64, expected, found)
        };
        if !Npy::is_npy(bytes) {
            return Err(fail(0, "an npy file (0x93 NUMPY)", "other bytes".to_string()));
        }
        let (start, size) = match bytes.get(6) {
            Some(1) => {
                (10, bytes.get(8..10).map(|b| usize::from(u16::from_le_bytes([b[0], b[1]]))))
            }
            Some(2 | 3) => (
                12,
                bytes.get(8..12).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize),
            ),
            other => {
                let found = other.map_or("the end of the file".to_string(), u8::to_string);
                return Err(fail(6, "npy version 1, 2 or 3", found));
            }
        };
        let end = size.map_or(usize::MAX, |size| start + size);
        let Some(header) = bytes.get(start..end) else {
            let found = "the end of the file (truncated)".to_string();
            return Err(fail(bytes.len(), "the whole npy header", found));
        };
        let header = String::from_utf8_lossy(header);
        let bad = |key: &str| {
            fail(start, &format!("an npy header with {key}"), crate::error::shown(&header))
        };
        let descr = entry(&header, "descr").ok_or_else(|| bad("a key `descr`"))?;
        let (big_endian, kind, width) = dtype(descr)
            .ok_or_else(|| bad("a `descr` of integers (i1 to i8, u1 to u8) or floats (f4, f8)"))?;
        let fortran =
            entry(&header, "fortran_order").ok_or_else(|| bad("a key `fortran_order`"))?;
        let shape = entry(&header, "shape").and_then(shape).ok_or_else(|| bad("a key `shape`"))?;
        let data = length - end as u64;
        let size = shape.iter().try_fold(width, |size, &dimension| size.checked_mul(dimension));
        if size.map(|size| size as u64) != Some(data) {
            let expected = format!(
                "{} bytes of data for shape {shape:?}",
                size.map_or("fewer".into(), |s| s.to_string())
            );
            let cut = if size.is_none_or(|s| s as u64 > data) { " (truncated)" } else { "" };
            return Err(fail(end, &expected, format!("{data}{cut}")));
        }
        let fortran = fortran.starts_with("True") && shape.len() > 1;
        Ok(Header { kind, width, big_endian, fortran, shape, end })
    }

    fn error(&self, name: &str, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        IoError::at_byte(name, self.end as u64, expected, found)
    }

    fn one_dimension(&self, name: &str, what: &str) -> Result<(), IoError> {
        if self.shape.len() == 1 {
            return Ok(());
        }
        let expected = format!("an array of {what} with one dimension");
        Err(self.error(name, expected, format!("shape {:?}", self.shape)))
    }

    /// How many parents there are, where they are a tree's.
    fn parents(&self, name: &str, params: &ReadParams) -> Result<usize, IoError> {
        self.one_dimension(name, "parents")?;
        match self.shape[0] {
            0 => Err(self.error(name, format!("1 to {MAX_VERTICES} parents"), "0")),
            n if n > MAX_VERTICES => {
                Err(IoError::ManyVertices { file: name.to_string(), vertices: n as u64 })
            }
            _ if !params.columns.is_empty() => {
                Err(self.error(name, "a table, to take columns from", "an array of parents"))
            }
            n => Ok(n),
        }
    }

    /// Some rows as an array of their own; `start` is where their bytes are in the file.
    pub(crate) fn part<'a>(&self, name: &'a str, data: &'a [u8], start: u64, rows: u64) -> Npy<'a> {
        let mut header = self.clone();
        header.shape[0] = rows as usize;
        Npy { name, header, data, start: start as usize }
    }
}

impl<'a> Npy<'a> {
    pub(crate) fn is_npy(data: &[u8]) -> bool {
        data.starts_with(MAGIC)
    }

    pub(crate) fn new(name: &'a str, bytes: &'a [u8]) -> Result<Npy<'a>, IoError> {
        let header = Header::read(name, bytes, bytes.len() as u64)?;
        let start = header.end;
        Ok(Npy { name, header, data: &bytes[start..], start })
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.header.shape
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len() / self.header.width
    }

    /// The element at an index in storage order.
    pub(crate) fn get(&self, i: usize) -> Element {
        let raw = &self.data[i * self.header.width..(i + 1) * self.header.width];
        let mut bytes = [0u8; 8];
        bytes[..self.header.width].copy_from_slice(raw);
        if self.header.big_endian {
            bytes[..self.header.width].reverse();
        }
        let word = u64::from_le_bytes(bytes);
        let unused = 64 - 8 * self.header.width as u32;
        match (self.header.kind, self.header.width) {
            (b'i', _) => Element::Signed((word << unused) as i64 >> unused),
            (b'u', _) => Element::Unsigned(word),
            (_, 4) => Element::Float(f64::from(f32::from_bits(word as u32))),
            _ => Element::Float(f64::from_bits(word)),
        }
    }

    /// The element in a row and a column of a two-dimensional array.
    pub(crate) fn at(&self, row: usize, column: usize) -> (usize, Element) {
        let (rows, columns) = (self.header.shape[0], self.header.shape[1]);
        let i = if self.header.fortran { column * rows + row } else { row * columns + column };
        (i, self.get(i))
    }

    /// The byte where an element begins.
    fn offset(&self, i: usize) -> u64 {
        (self.start + i * self.header.width) as u64
    }

    pub(crate) fn error(
        &self,
        i: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        IoError::at_byte(self.name, self.offset(i), expected, found)
    }

    /// Whether an unsigned element is the greatest of its type, or of `u32`: -1.
    fn is_minus_one(&self, value: u64) -> bool {
        self.header.width >= 4
            && (value == u64::MAX >> (64 - 8 * self.header.width as u32)
                || value == u64::from(u32::MAX))
    }

    /// The parent of vertex `v` of `n`, which is element `i`; none for a root.
    pub(crate) fn parent(
        &self,
        i: usize,
        v: u64,
        n: u64,
        self_root: bool,
    ) -> Result<Option<u64>, IoError> {
        let element = self.get(i);
        let parent = match element {
            Element::Signed(-1) => return Ok(None),
            Element::Unsigned(p) if self.is_minus_one(p) => return Ok(None),
            Element::Signed(p) => u64::try_from(p).ok(),
            Element::Unsigned(p) => Some(p),
            Element::Float(_) => {
                return Err(self.error(i, "an array of integers", "one of floats"));
            }
        };
        match parent.filter(|&p| p < n) {
            Some(p) if p == v && self_root => Ok(None),
            Some(p) if p == v => Err(IoError::OwnParent {
                file: self.name.to_string(),
                line: None,
                offset: Some(self.offset(i)),
                vertex: format!("vertex {v}"),
            }),
            Some(p) => Ok(Some(p)),
            None => {
                let found = format!("{element} for vertex {v}");
                Err(self.error(i, format!("a parent below {n}, or -1 for a root"), found))
            }
        }
    }

    /// All parents, of the vertices from `first` on, in parallel.
    fn parents(
        &self,
        first: u64,
        n: u64,
        self_root: bool,
        parents: &mut [u32],
    ) -> Result<(), IoError> {
        const STRETCH: usize = 1 << 16;
        let Header { kind, width, big_endian, .. } = self.header;
        let width = if kind == b'f' || big_endian { 0 } else { width };
        let wrong = |(k, part): (usize, &mut [u32])| {
            for (i, parent) in (k * STRETCH..).zip(part) {
                let v = first + i as u64;
                let bytes = &self.data[i * width..];
                let word = match width {
                    4 => bytes.first_chunk().map_or(n, |&word| u32::from_le_bytes(word).into()),
                    8 => bytes.first_chunk().map_or(n, |&word| u64::from_le_bytes(word)),
                    _ => n,
                };
                if word < n && word != v {
                    *parent = word as u32;
                } else {
                    // A root, a type that is not so common, or an error.
                    match self.parent(i, v, n, self_root) {
                        Ok(found) => *parent = found.map_or(NONE, |p| p as u32),
                        Err(_) => return Some(i),
                    }
                }
            }
            None
        };
        let stretches = parents.par_chunks_mut(STRETCH).enumerate();
        let bad: Vec<Option<usize>> = stretches.map(wrong).collect();
        match bad.into_iter().flatten().next() {
            Some(i) => self.parent(i, first + i as u64, n, self_root).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The values as numbers of a type.
    pub(crate) fn values(&self, number: Number) -> Result<Values, IoError> {
        self.header.one_dimension(self.name, "values")?;
        let kind = number.kind;
        let bits = (0..self.len()).map(|i| {
            let element = self.get(i);
            let bits = match (kind, element) {
                (ValueType::I64, Element::Signed(v)) => Some(v as u64),
                (ValueType::I64, Element::Unsigned(v)) => i64::try_from(v).ok().map(|v| v as u64),
                (ValueType::U64, Element::Signed(v)) => u64::try_from(v).ok(),
                (ValueType::U64, Element::Unsigned(v)) => Some(v),
                (ValueType::I64 | ValueType::U64, Element::Float(_)) => None,
                (_, Element::Float(v)) if number.whole || !number.takes(v) => None,
                (ValueType::F64, element) => Some(element.as_f64().to_bits()),
                (ValueType::F32, element) => {
                    let (x, single) = (element.as_f64(), element.as_f64() as f32);
                    let fits = !x.is_finite() || single.is_finite();
                    fits.then(|| u64::from(single.to_bits()))
                }
            };
            bits.ok_or_else(|| self.error(i, number.expected(), element.to_string()))
        });
        Ok(Values::from_bits(kind, bits.collect::<Result<Vec<u64>, _>>()?))
    }
}

impl Element {
    /// The integer that it is.
    pub(crate) fn as_i64(self) -> Option<i64> {
        match self {
            Element::Signed(v) => Some(v),
            Element::Unsigned(v) => i64::try_from(v).ok(),
            Element::Float(_) => None,
        }
    }

    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Element::Signed(v) => v as f64,
            Element::Unsigned(v) => v as f64,
            Element::Float(v) => v,
        }
    }
}

/// Bytes of an array that are read at a time; whole elements of any width.
const PIECE: usize = 1 << 22;

/// Reads an array of parents: -1 (for unsigned types the greatest value) is a root.
pub(crate) fn read(name: &str, bytes: &[u8], params: &ReadParams) -> Result<TreeFile, IoError> {
    let npy = Npy::new(name, bytes)?;
    let n = npy.header.parents(name, params)?;
    let mut parents = vec![NONE; n];
    npy.parents(0, n as u64, params.self_root, &mut parents)?;
    Ok(TreeFile::new(name, parents, Labels::numbers(n)))
}

/// As [`read`] of a file after its header, which is never in memory as a whole.
pub(crate) fn read_from(
    name: &str,
    header: &Header,
    from: &mut impl Read,
    params: &ReadParams,
) -> Result<TreeFile, IoError> {
    let n = header.parents(name, params)?;
    let mut parents = vec![NONE; n];
    let mut bytes = vec![0; PIECE.min(n * header.width)];
    for (k, part) in parents.chunks_mut(PIECE / header.width).enumerate() {
        let (first, bytes) = (k * PIECE, &mut bytes[..part.len() * header.width]);
        let failed = |source| IoError::Read { file: name.to_string(), source };
        from.read_exact(bytes).map_err(failed)?;
        let piece = header.part(name, bytes, (header.end + first) as u64, part.len() as u64);
        piece.parents((first / header.width) as u64, n as u64, params.self_root, part)?;
    }
    Ok(TreeFile::new(name, parents, Labels::numbers(n)))
}

/// The text after a key of the header's dictionary.
fn entry<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let rest =
        quoted.iter().find_map(|q| header.find(q.as_str()).map(|at| &header[at + q.len()..]))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

/// Byte order, kind and width of a type like `'<i4'`.
fn dtype(text: &str) -> Option<(bool, u8, usize)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let name = &text[1..1 + text[1..].find(quote)?];
    let (order, kind) = match name.strip_prefix(['<', '>', '|', '=']) {
        Some(kind) => (name.as_bytes()[0], kind),
        None => (b'=', name),
    };
    match kind {
        "i1" | "i2" | "i4" | "i8" | "u1" | "u2" | "u4" | "u8" | "f4" | "f8" => {
            let bytes = kind.as_bytes();
            Some((order == b'>', bytes[0], usize::from(bytes[1] - b'0')))
        }
        _ => None,
    }
}

/// A tuple of dimensions.
fn shape(text: &str) -> Option<Vec<usize>> {
    let inner = text.strip_prefix('(')?;
    let inner = &inner[..inner.find(')')?];
    inner
        .split(',')
        .map(str::trim)
        .filter(|d| !d.is_empty())
        .map(|d| d.trim_end_matches('L').parse().ok())
        .collect()
}
