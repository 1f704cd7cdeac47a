//! Where the bytes of a dataset are, and what was done to them.

use super::{Hdf5, NOWHERE};
use crate::IoError;
use flate2::{Decompress, FlushDecompress, Status};
use palmette_core::memory::huge_zeroed;
use rayon::prelude::*;
use std::borrow::Cow;

const DEFLATE: u16 = 1;
const SHUFFLE: u16 = 2;

/// Where bytes are.
#[derive(Debug)]
pub(super) enum Layout {
    /// In one piece, from here on; so many.
    Piece { at: u64, bytes: u64 },
    /// In chunks of so many elements, which a B-tree has.
    Chunks { tree: u64, elements: usize, filters: Vec<u16> },
    /// In one chunk of so many elements: where, how many bytes, and which filters were left out.
    Chunk { leaf: Leaf, elements: usize, filters: Vec<u16> },
}

/// A leaf of a B-tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    /// What belongs to it.
    pub(super) child: u64,
    /// Bytes of a chunk as they are stored, and the filters that were left out.
    bytes: usize,
    skipped: u32,
    /// The first element of a chunk.
    first: u64,
}

impl<'a> Hdf5<'a> {
    /// The filters of a pipeline, in the order of writing.
    pub(super) fn filters(&self, at: u64) -> Result<Vec<u16>, IoError> {
        let version = self.number(at, 1)?;
        let (mut next, mut found) = (at + if version == 1 { 8 } else { 2 }, Vec::new());
        for _ in 0..self.number(at + 1, 1)? {
            let filter = self.number(next, 2)? as u16;
            if filter != DEFLATE && filter != SHUFFLE {
                let expected = "data packed by deflate, shuffle or not at all";
                return Err(self.wrong(next, expected, format!("filter {filter}")));
            }
            found.push(filter);
            let named = version == 1;
            let name = if named { self.number(next + 2, 2)?.next_multiple_of(8) } else { 0 };
            let head = if named { 8 } else { 6 };
            let values = self.number(next + head - 2, 2)?;
            let padded = if named { values.next_multiple_of(2) } else { values };
            next += head + name + 4 * padded;
        }
        Ok(found)
    }

    /// Where the bytes of a dataset are.
    pub(super) fn layout(&self, at: u64, filters: Vec<u16>) -> Result<Layout, IoError> {
        let version = self.number(at, 1)?;
        match (version, self.number(at + 1, 1)?) {
            (3..=5, 0) => Ok(Layout::Piece { at: at + 4, bytes: self.number(at + 2, 2)? }),
            (3..=5, 1) => {
                Ok(Layout::Piece { at: self.number(at + 2, 8)?, bytes: self.number(at + 10, 8)? })
            }
            (3, 2) if self.number(at + 2, 1)? == 2 => {
                let (tree, elements) = (self.number(at + 3, 8)?, self.place(at + 11, 4)?);
                Ok(Layout::Chunks { tree, elements, filters })
            }
            // One chunk that has all; with filters, its size is said.
            (4 | 5, 2) if self.number(at + 3, 1)? == 2 => {
                let packed = self.number(at + 2, 1)? & 2 != 0;
                let width = self.place(at + 4, 1)?.min(8);
                let elements = self.place(at + 5, width)?;
                let size = self.place(at + 5 + width as u64, width)?;
                let index = at + 5 + 2 * width as u64;
                if self.number(index, 1)? != 1 {
                    let expected = "chunks found by a B-tree, or one chunk";
                    return Err(self.wrong(index, expected, "an index of `libver=\"latest\"`"));
                }
                let mut leaf = Leaf { child: 0, bytes: 0, skipped: 0, first: 0 };
                let address = match packed {
                    true => {
                        leaf.bytes = self.place(index + 1, 8)?;
                        leaf.skipped = self.number(index + 9, 4)? as u32;
                        index + 13
                    }
                    false => {
                        leaf.bytes = elements.saturating_mul(size);
                        index + 1
                    }
                };
                leaf.child = self.number(address, 8)?;
                Ok(Layout::Chunk { leaf, elements, filters })
            }
            (version, class) => {
                let found = format!("layout {class} of version {version}");
                Err(self.wrong(at, "bytes in one piece or in chunks", found))
            }
        }
    }

    /// The leaves of a B-tree of a kind (0: groups, 1: chunks of one dimension), whose keys have so many bytes.
    pub(super) fn leaves(&self, tree: u64, kind: u64, key: u64) -> Result<Vec<Leaf>, IoError> {
        let mut found = Vec::new();
        // Nodes to visit, and the level they must be at; the last comes first.
        let mut nodes = vec![(tree, None)];
        while let Some((at, expected)) = nodes.pop() {
            self.expect(at, b"TREE")?;
            let (is, level) = (self.number(at + 4, 1)?, self.number(at + 5, 1)?);
            let fits = expected.is_none_or(|expected| expected == level);
            // A tree has no more nodes than fit into the file.
            if is != kind || !fits || nodes.len() + found.len() > self.data.len() / 8 {
                return Err(self.wrong(at, "a node of this B-tree", "another"));
            }
            let below = nodes.len();
            for k in 0..self.number(at + 6, 2)? {
                let at = at + 24 + k * (key + 8);
                let child = self.number(at + key, 8)?;
                if level > 0 {
                    nodes.push((child, Some(level - 1)));
                } else if kind == 0 {
                    found.push(Leaf { child, bytes: 0, skipped: 0, first: 0 });
                } else {
                    let (bytes, skipped) = (self.place(at, 4)?, self.number(at + 4, 4)? as u32);
                    found.push(Leaf { child, bytes, skipped, first: self.number(at + 8, 8)? });
                }
            }
            nodes[below..].reverse();
        }
        Ok(found)
    }

    /// All bytes of a dataset.
    pub(super) fn unpacked(
        &self,
        layout: &Layout,
        total: usize,
        size: usize,
        path: &str,
    ) -> Result<Cow<'a, [u8]>, IoError> {
        if total == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let missing =
            || self.other(format!("all values of the dataset {path}"), "some not written");
        let (leaves, elements, filters) = match layout {
            Layout::Piece { at: NOWHERE, .. } => return Err(missing()),
            Layout::Piece { at, bytes } if *bytes >= total as u64 => {
                return self.bytes(*at, total).map(Cow::Borrowed);
            }
            Layout::Piece { .. } => return Err(missing()),
            Layout::Chunks { tree: NOWHERE, .. } => return Err(missing()),
            Layout::Chunks { tree, elements, filters } => {
                (self.leaves(*tree, 1, 24)?, *elements, filters)
            }
            Layout::Chunk { leaf, elements, filters } => (vec![*leaf], *elements, filters),
        };
        let chunk = elements.saturating_mul(size);
        self.check_size(chunk as u64, path)?;
        // By chunk, where it is.
        let mut places = vec![None; total.div_ceil(chunk.max(1))];
        for leaf in leaves {
            let place = leaf.first.checked_div(elements as u64).and_then(|k| k.try_into().ok());
            if let Some(place) = place.and_then(|k: usize| places.get_mut(k)) {
                *place = Some(leaf);
            }
        }
        let places: Option<Vec<Leaf>> = places.into_iter().collect();
        let places = places.ok_or_else(missing)?;
        let mut found: Vec<u8> = huge_zeroed(total);
        found.par_chunks_mut(chunk).zip(places).try_for_each_init(
            || Unpacker { file: *self, filters, size, chunk, stream: None },
            |unpacker, (to, leaf)| unpacker.unpack(leaf, to),
        )?;
        Ok(Cow::Owned(found))
    }
}

/// Undoes filters.
struct Unpacker<'f, 'a> {
    file: Hdf5<'a>,
    filters: &'f [u16],
    /// The bytes of an element and of a chunk.
    size: usize,
    chunk: usize,
    stream: Option<Decompress>,
}

impl Unpacker<'_, '_> {
    fn unpack(&mut self, leaf: Leaf, to: &mut [u8]) -> Result<(), IoError> {
        let stored = self.file.bytes(leaf.child, leaf.bytes)?;
        let filters = self.filters.iter().enumerate();
        let left = filters.filter(|filter| leaf.skipped >> filter.0.min(31) & 1 == 0);
        let left: Vec<u16> = left.map(|filter| *filter.1).collect();
        // A whole chunk that is only deflated goes where it belongs.
        if left == [DEFLATE] && to.len() == self.chunk {
            return self.inflate(leaf.child, stored, to);
        }
        let mut bytes = Cow::Borrowed(stored);
        for &filter in left.iter().rev() {
            let mut plain = vec![0; self.chunk];
            match filter {
                DEFLATE => self.inflate(leaf.child, &bytes, &mut plain)?,
                _ => unshuffle(&bytes, self.size, &mut plain),
            }
            bytes = Cow::Owned(plain);
        }
        let bytes = bytes.get(..to.len()).ok_or_else(|| {
            self.file.wrong(leaf.child, format!("a chunk of {} bytes", self.chunk), bytes.len())
        })?;
        to.copy_from_slice(bytes);
        Ok(())
    }

    /// Undoes deflate, which must give as many bytes as there is room.
    fn inflate(&mut self, at: u64, packed: &[u8], to: &mut [u8]) -> Result<(), IoError> {
        let stream = self.stream.get_or_insert_with(|| Decompress::new(true));
        stream.reset(true);
        let done = stream.decompress(packed, to, FlushDecompress::Finish);
        if matches!(done, Ok(Status::StreamEnd)) && stream.total_out() == to.len() as u64 {
            return Ok(());
        }
        let expected = format!("a chunk that deflate made of {} bytes", to.len());
        Err(self.file.wrong(at, expected, "damaged data"))
    }
}

/// Bytes that were sorted by their place in elements; what is too much at the end stays.
fn unshuffle(from: &[u8], size: usize, to: &mut [u8]) {
    let count = from.len() / size;
    for (k, column) in from[..count * size].chunks_exact(count.max(1)).enumerate() {
        for (&byte, element) in column.iter().zip(to.chunks_exact_mut(size)) {
            element[k] = byte;
        }
    }
    let rest = count * size..from.len().min(to.len());
    if let (Some(to), Some(from)) = (to.get_mut(rest.clone()), from.get(rest)) {
        to.copy_from_slice(from);
    }
}
