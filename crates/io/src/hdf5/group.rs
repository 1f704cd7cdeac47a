//! The members of a group, by name.

use super::header::{LINK, LINKS, SYMBOLS};
use super::{Hdf5, NOWHERE};
use crate::IoError;

impl Hdf5<'_> {
    /// The header of a member of the group whose header is at an address, if there is one of this name.
    pub(super) fn member(&self, group: u64, name: &str) -> Result<Option<u64>, IoError> {
        for message in self.messages(group)? {
            let found = match message.kind {
                SYMBOLS => self.symbol(message.at, name)?,
                LINK => self.link(message.at, name)?,
                LINKS => {
                    let order = if self.number(message.at + 1, 1)? & 1 != 0 { 8 } else { 0 };
                    if self.number(message.at + 2 + order, 8)? != NOWHERE {
                        let expected = "a group with few members, or of an older form";
                        return Err(self.wrong(message.at, expected, "a heap of links"));
                    }
                    None
                }
                _ => None,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// A link in the header: its address if it has this name.
    fn link(&self, at: u64, name: &str) -> Result<Option<u64>, IoError> {
        let flags = self.number(at + 1, 1)?;
        let mut at = at + 2;
        let soft = flags & 8 != 0 && self.number(at, 1)? != 0;
        // The type, the order of creation, the alphabet.
        for (bit, bytes) in [(8, 1), (4, 8), (16, 1)] {
            at += if flags & bit != 0 { bytes } else { 0 };
        }
        let bytes = 1 << (flags & 3);
        let length = self.place(at, bytes)?;
        at += bytes as u64;
        if self.bytes(at, length)? != name.as_bytes() {
            return Ok(None);
        }
        if soft {
            return Err(self.wrong(at, format!("{name} in this file"), "a link to elsewhere"));
        }
        self.number(at + length as u64, 8).map(Some)
    }

    /// Looks a name up in a B-tree of symbols, whose names are in a heap.
    fn symbol(&self, at: u64, name: &str) -> Result<Option<u64>, IoError> {
        let (tree, heap) = (self.number(at, 8)?, self.number(at + 8, 8)?);
        self.expect(heap, b"HEAP")?;
        let names = self.number(heap + 24, 8)?;
        for leaf in self.leaves(tree, 0, 8)? {
            self.expect(leaf.child, b"SNOD")?;
            for k in 0..self.number(leaf.child + 6, 2)? {
                let entry = leaf.child + 8 + 40 * k;
                let text = names.saturating_add(self.number(entry, 8)?);
                let text = self.bytes(text, name.len() + 1).ok();
                if text.and_then(|text| text.strip_suffix(b"\0")) == Some(name.as_bytes()) {
                    return self.number(entry + 8, 8).map(Some);
                }
            }
        }
        Ok(None)
    }
}
