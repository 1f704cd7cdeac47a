//! The messages of an object: what a group or a dataset says of itself.

use super::Hdf5;
use crate::IoError;

pub(super) const DATASPACE: u16 = 1;
pub(super) const LINKS: u16 = 2;
pub(super) const DATATYPE: u16 = 3;
pub(super) const LINK: u16 = 6;
pub(super) const LAYOUT: u16 = 8;
pub(super) const FILTERS: u16 = 11;
const CONTINUED: u16 = 16;
pub(super) const SYMBOLS: u16 = 17;

/// More blocks than this are no header.
const MOST_BLOCKS: usize = 1000;

/// A message, and where it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Message {
    pub(super) kind: u16,
    pub(super) at: u64,
    /// It is kept elsewhere.
    pub(super) shared: bool,
}

impl Hdf5<'_> {
    /// The messages of the header at an address.
    pub(super) fn messages(&self, address: u64) -> Result<Vec<Message>, IoError> {
        let new = self.bytes(address, 4)? == b"OHDR";
        // Blocks of messages: where they begin and end.
        let mut blocks = Vec::new();
        let mut head = 8;
        let version = self.number(address + if new { 4 } else { 0 }, 1)?;
        match (new, version) {
            (false, 1) => {
                let start = address + 16;
                blocks.push((start, start + self.number(address + 8, 4)?));
            }
            (true, 2) => {
                let flags = self.number(address + 5, 1)?;
                let times = if flags & 32 != 0 { 16 } else { 0 };
                let limits = if flags & 16 != 0 { 4 } else { 0 };
                let at = address + 6 + times + limits;
                let bytes = 1 << (flags & 3);
                let start = at + bytes as u64;
                blocks.push((start, start.saturating_add(self.number(at, bytes)?)));
                head = if flags & 4 != 0 { 6 } else { 4 };
            }
            _ => return Err(self.wrong(address, "the header of an object", version)),
        }
        let mut found = Vec::new();
        let mut next = 0;
        while let Some(&(mut at, end)) = blocks.get(next) {
            next += 1;
            while at.saturating_add(head) <= end {
                let (kind, size, flags) = match new {
                    true => (self.number(at, 1)?, self.number(at + 1, 2)?, self.number(at + 3, 1)?),
                    false => {
                        (self.number(at, 2)?, self.number(at + 2, 2)?, self.number(at + 4, 1)?)
                    }
                };
                let message = Message { kind: kind as u16, at: at + head, shared: flags & 2 != 0 };
                at = message.at + size;
                if message.kind != CONTINUED {
                    found.push(message);
                    continue;
                }
                let (start, size) = (self.number(message.at, 8)?, self.number(message.at + 8, 8)?);
                let end = start.saturating_add(size);
                if blocks.len() == MOST_BLOCKS || end > self.data.len() as u64 {
                    return Err(self.wrong(message.at, "the rest of a header", "none"));
                }
                if new {
                    self.expect(start, b"OCHK")?;
                    blocks.push((start + 4, end.saturating_sub(4)));
                } else {
                    blocks.push((start, end));
                }
            }
        }
        Ok(found)
    }
}
