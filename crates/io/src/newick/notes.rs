//! Comments: which are annotations, and of what.
//!
//! **Method.** A comment that begins with `&` is about its owner: the vertex that is read, or the
//! tree that follows. Of a vertex its place is kept, and looked into when all is read.
//! **Cost.** 24 bytes per annotation; other comments are counted.

use super::Parser;
use crate::IoError;
use crate::annotation::entries;
use crate::tree_file::Rooting;
use memchr::memchr3;
use palmette_core::NONE;
use std::ops::Range;

/// A vertex and the place of a comment about it, without its brackets.
pub(super) struct Note {
    pub(super) vertex: u32,
    pub(super) range: Range<usize>,
}

/// The owner of comments that are about nothing.
pub(super) const NOBODY: u32 = NONE - 1;

impl Parser<'_> {
    pub(super) fn skip_comment(&mut self, start: usize) -> Result<usize, IoError> {
        let (mut depth, mut at) = (1usize, start + 1);
        while depth > 0 {
            let Some(next) = memchr3(b'[', b']', b'\n', &self.data[at..]) else {
                let found = "the end of the file";
                return Err(self.source.at(start, "a closing `]` for this comment", found));
            };
            match self.data[at + next] {
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => self.line += 1,
            }
            at += next + 1;
        }
        match self.data[start + 1] {
            b'&' => self.note(start + 1..at - 1),
            _ => self.comments += 1,
        }
        Ok(at)
    }

    /// Keeps an annotation of the owner.
    fn note(&mut self, range: Range<usize>) {
        match self.owner {
            NOBODY => self.comments += 1,
            NONE => {
                let text = &self.source.text[range];
                match &text[1..] {
                    "R" | "r" => self.head.rooting = Rooting::Rooted,
                    "U" | "u" => self.head.rooting = Rooting::Unrooted,
                    _ => {
                        let facts = &mut self.head.annotations;
                        entries(text, |key, value| facts.push((key.into(), value.into_owned())));
                    }
                }
            }
            vertex if self.keep_notes => self.notes.push(Note { vertex, range }),
            _ => self.comments += 1,
        }
    }
}
