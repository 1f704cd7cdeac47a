//! Texts: of fixed length, or in global heaps.

use super::{Dataset, Hdf5, Kind};
use crate::IoError;
use crate::texts::{Excerpts, Texts};
use std::collections::BTreeMap;

impl Dataset<'_> {
    /// Its elements as texts.
    pub(crate) fn texts(&self) -> Result<Texts, IoError> {
        let bytes = self.raw()?;
        let mut texts = Excerpts::with_capacity(self.len, self.len * 8);
        let text = |bytes| {
            let wrong = |_| self.unexpected("texts in UTF-8", "other bytes");
            std::str::from_utf8(bytes).map_err(wrong)
        };
        match self.kind {
            Kind::FixedText => {
                for element in bytes.chunks_exact(self.size) {
                    let end = memchr::memchr(0, element).unwrap_or(element.len());
                    texts.push(text(&element[..end])?);
                }
            }
            Kind::Text => {
                let mut heaps = Heaps { file: self.file, known: BTreeMap::new(), bytes: 0 };
                let mut last = (0, Heap::default());
                for element in bytes.as_chunks::<16>().0 {
                    let part = |at: usize, bytes: usize| {
                        let part = &element[at..at + bytes];
                        part.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
                    };
                    let (length, heap, index) = (part(0, 4) as usize, part(4, 8), part(12, 4));
                    if length == 0 {
                        texts.push("");
                        continue;
                    }
                    if last.0 != heap {
                        heaps.known.insert(last.0, std::mem::take(&mut last.1));
                        last = (heap, heaps.heap(heap)?);
                    }
                    let object = last.1.get(index as usize).copied().unwrap_or_default();
                    if length > object.1 {
                        return Err(self.unexpected("texts in heaps", "one that is nowhere"));
                    }
                    let found = self.file.bytes(object.0, length)?;
                    let end = memchr::memchr(0, found).unwrap_or(length);
                    texts.push(text(&found[..end])?);
                }
            }
            _ => return Err(self.unexpected("texts", "numbers")),
        }
        Ok(texts.texts())
    }
}

/// The objects of a heap by their number: where they are, and how long.
type Heap = Vec<(u64, usize)>;

struct Heaps<'a> {
    file: Hdf5<'a>,
    known: BTreeMap<u64, Heap>,
    /// The bytes of all of them, which are no more than the file's.
    bytes: usize,
}

impl Heaps<'_> {
    /// The heap at an address, taken out of those that are known.
    fn heap(&mut self, at: u64) -> Result<Heap, IoError> {
        if let Some(known) = self.known.remove(&at) {
            return Ok(known);
        }
        let file = &self.file;
        file.expect(at, b"GCOL")?;
        let size = file.place(at + 8, 8)?;
        self.bytes = self.bytes.saturating_add(size);
        if self.bytes > file.data.len() {
            return Err(file.wrong(at, "heaps that are in the file", "larger ones"));
        }
        let end = at + size as u64;
        let (mut next, mut found) = (at + 16, Heap::new());
        while next + 16 <= end {
            let (index, length) = (file.place(next, 2)?, file.place(next + 8, 8)?);
            if index == 0 {
                break;
            }
            if found.len() <= index {
                found.resize(index + 1, (0, 0));
            }
            found[index] = (next + 16, length);
            let step = (length as u64).checked_next_multiple_of(8).unwrap_or(end);
            next = next.saturating_add(16).saturating_add(step);
        }
        Ok(found)
    }
}
