//! Reads slices of a Newick tree, so that no process has the whole of it.
//!
//! **Problem.** A range of bytes of one tree to vertices with their parents, as far as they are in the range,
//! and the names of its tips.
//! **Method.** Parentheses, commas and the semicolon outside of quotes and comments are marks. A slice has the marks
//! of its range, and what follows each up to the next, wherever that is. An opening parenthesis or a tip is a vertex,
//! so that vertices are numbered as by the reader of whole files. Whether a range begins inside a quote or comment
//! depends on those before: each process scans on the assumption that it does not, and again when it is told better.
//! **Cost.** Two passes over the range, a third where the assumption was wrong. 4 bytes per vertex, 4 and its letters per tip.

use super::newick_state::NewickState;
use super::{Share, SliceFile};
use crate::IoError;
use crate::newick::unquoted;
use crate::number::float_prefix;
use crate::quote::shown;
use memchr::memchr_iter;
use palmette_core::NONE;

/// A Newick tree, read in slices of its bytes.
pub struct NewickSlices {
    file: SliceFile,
}

/// The bytes of a slice.
pub struct NewickBytes {
    bytes: Vec<u8>,
    /// Where the range begins in the file.
    start: u64,
    /// Bytes of the range; others are read for what follows its last mark.
    own: usize,
}

impl NewickBytes {
    /// How many lines it has.
    pub fn lines(&self) -> u64 {
        memchr_iter(b'\n', &self.bytes[..self.own]).count() as u64
    }

    /// The state after the range, from that before it.
    pub fn after(&self, mut state: NewickState) -> NewickState {
        for &byte in &self.bytes[..self.own] {
            state.next(byte);
        }
        state
    }
}

/// The vertices of a slice, in the preorder of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewickSlice {
    /// The parent of each among those of the slice; [`NONE`] where it is not one of them.
    pub parents: Vec<u32>,
    /// Of these, the vertex, how many parentheses that earlier slices opened were closed before it, and
    /// its byte in the slice.
    pub outside: Vec<(u32, u64, u32)>,
    /// Parentheses that earlier slices opened and this one closes, with their bytes in the slice.
    pub closed: Vec<u32>,
    /// Vertices that are open at the end.
    pub open: Vec<u32>,
    /// The tips.
    pub tips: Vec<u32>,
    /// Their names, one after another.
    pub names: String,
    /// Where each name ends.
    pub name_ends: Vec<usize>,
    /// Parentheses of the slice and of earlier ones that are open at the semicolon, and its byte.
    pub end: Option<(u64, u64, u32)>,
}

impl NewickSlice {
    /// The names of the tips, in their order.
    pub fn tip_names(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.name_ends.iter().copied());
        starts.zip(&self.name_ends).map(|(start, &end)| &self.names[start..end])
    }
}

impl NewickSlices {
    pub(super) fn new(file: SliceFile) -> NewickSlices {
        NewickSlices { file }
    }

    /// The file's name, for messages.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.file.bytes
    }

    /// Reads the bytes of a share.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, share: Share) -> Result<NewickBytes, IoError> {
        let range = share.of(self.file.bytes);
        let bytes = self.file.read(range.clone())?;
        Ok(NewickBytes { own: bytes.len(), start: range.start, bytes })
    }

    /// Understands a slice that begins in a state, after so many lines of others.
    ///
    /// # Errors
    /// What is no part of a tree, with its line.
    pub fn parse(
        &self,
        slice: &mut NewickBytes,
        mut state: NewickState,
        lines: u64,
    ) -> Result<NewickSlice, IoError> {
        if u32::try_from(slice.own).is_err() {
            let found = format!("{} bytes in one", slice.own);
            let expected = "slices of less than 4 GiB (take more ranks)";
            return Err(self.wrong(&[], 0, lines, expected, found));
        }
        if slice.own == 0 {
            return Ok(NewickSlice::default());
        }
        let after = slice.after(state);
        self.complete(slice, after)?;
        let mut reader = Reader {
            slices: self,
            bytes: &slice.bytes,
            lines,
            found: NewickSlice::default(),
            open: NONE,
        };
        let mut mark: Option<(u8, usize)> = (slice.start == 0 && slice.own > 0).then_some((0, 0));
        for (at, &byte) in slice.bytes.iter().enumerate() {
            let inside = at < slice.own;
            if !state.next(byte) {
                continue;
            }
            if let Some((before, from)) = mark {
                reader.piece(before, from, at, byte)?;
            }
            if !inside {
                return Ok(reader.finished());
            }
            mark = Some((byte, at + 1));
        }
        if let Some((before, from)) = mark {
            reader.last(before, from, state)?;
        }
        Ok(reader.finished())
    }

    /// Reads on to the next mark behind the range.
    fn complete(&self, slice: &mut NewickBytes, mut state: NewickState) -> Result<(), IoError> {
        const MORE: u64 = 1 << 12;
        let mut at = slice.start + slice.own as u64;
        while at < self.file.bytes {
            let more = self.file.read(at..(at + MORE).min(self.file.bytes))?;
            at += more.len() as u64;
            let mark = more.iter().position(|&byte| state.next(byte));
            slice.bytes.extend_from_slice(&more[..mark.map_or(more.len(), |mark| mark + 1)]);
            if mark.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// An error at a byte of a slice that has so many lines before it.
    fn wrong(
        &self,
        bytes: &[u8],
        at: usize,
        lines: u64,
        expected: &str,
        found: impl Into<String>,
    ) -> IoError {
        let line = lines + memchr_iter(b'\n', &bytes[..at]).count() as u64 + 1;
        IoError::on_line(&self.file.name, line, expected, found)
    }

    /// An error at a byte of a slice.
    pub fn error(
        &self,
        slice: &NewickBytes,
        at: u32,
        lines: u64,
        expected: &str,
        found: &str,
    ) -> IoError {
        self.wrong(&slice.bytes, at as usize, lines, expected, found)
    }
}

struct Reader<'a> {
    slices: &'a NewickSlices,
    bytes: &'a [u8],
    lines: u64,
    found: NewickSlice,
    /// The innermost open vertex of the slice.
    open: u32,
}

impl Reader<'_> {
    /// A mark (0 at the beginning of the text), what follows it up to another one, and that one.
    fn piece(&mut self, mark: u8, from: usize, to: usize, next: u8) -> Result<(), IoError> {
        match mark {
            b')' => {
                match self.open {
                    NONE => self.found.closed.push(from as u32 - 1),
                    open => self.open = self.found.parents[open as usize],
                }
                self.label(from, to)?;
                if next == b'(' {
                    return Err(self.wrong(to, "`,`, `)` or `;`", "`(`"));
                }
            }
            b';' => return Err(self.wrong(to, "one tree", "another one")),
            _ => {
                if mark == b'(' {
                    self.vertex(from - 1);
                    self.open = self.found.parents.len() as u32 - 1;
                }
                let mark_of_order = mark == 0 && self.bytes.starts_with(b"\xEF\xBB\xBF");
                let name = self.label(from + if mark_of_order { 3 } else { 0 }, to)?;
                match (next, name) {
                    (b'(', None) => {}
                    (b'(', Some(_)) => {
                        return Err(self.wrong(to, "`,` or `)` after a tip", "`(`"));
                    }
                    (b';', None) if mark == 0 => {
                        return Err(self.wrong(to, "a tree", "`;`"));
                    }
                    (_, name) => {
                        self.found.tips.push(self.found.parents.len() as u32);
                        self.vertex(from);
                        self.found.names.push_str(&name.unwrap_or_default());
                        self.found.name_ends.push(self.found.names.len());
                    }
                }
            }
        }
        if next == b';' {
            let mut open = 0;
            let mut vertex = self.open;
            while vertex != NONE {
                open += 1;
                vertex = self.found.parents[vertex as usize];
            }
            self.found.end = Some((open, self.found.closed.len() as u64, to as u32));
        }
        Ok(())
    }

    /// What follows the last mark of the file.
    fn last(&mut self, mark: u8, from: usize, state: NewickState) -> Result<(), IoError> {
        let end = self.bytes.len();
        let first = self.skip(from, end);
        let blank = first == end;
        match mark {
            b';' if blank => Ok(()),
            b';' => Err(self.wrong(first, "one tree", "another one")),
            0 if blank => Err(self.wrong(end, "a tree", "an empty file")),
            _ if state.in_quotes() => {
                Err(self.wrong(first, "a closing quote `'` for this label", "the end of the file"))
            }
            _ if state.in_comment() => {
                let open = self.blanks(from, end);
                Err(self.wrong(open, "a closing `]` for this comment", "the end of the file"))
            }
            _ => Err(self.wrong(end, "`;` at the end of the tree", "the end of the file")),
        }
    }

    fn vertex(&mut self, at: usize) {
        let vertex = self.found.parents.len() as u32;
        self.found.parents.push(self.open);
        if self.open == NONE {
            let closed = self.found.closed.len() as u64;
            self.found.outside.push((vertex, closed, at as u32));
        }
    }

    /// The label in a piece; checks that only a length follows it.
    fn label(&self, from: usize, to: usize) -> Result<Option<String>, IoError> {
        let start = self.skip(from, to);
        let mut at = start;
        if self.bytes.get(at) == Some(&b'\'') && at < to {
            at += 1;
            while at < to && (self.bytes[at] != b'\'' || self.bytes.get(at + 1) == Some(&b'\'')) {
                at += 1 + usize::from(self.bytes[at] == b'\'');
            }
            at += 1;
        } else {
            let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'[' | b':');
            at = self.bytes[start..to].iter().position(ends).map_or(to, |length| start + length);
        }
        let label = match start == at {
            true => None,
            false => {
                let raw = std::str::from_utf8(&self.bytes[start..at]);
                let raw = raw.map_err(|_| self.wrong(start, "UTF-8 text", "other bytes"))?;
                Some(unquoted(raw).into_owned())
            }
        };
        at = self.skip(at, to);
        if at < to && self.bytes[at] == b':' {
            let number = self.skip(at + 1, to);
            match float_prefix(&self.bytes[number..to]) {
                Some((length, used)) if length.is_finite() => at = self.skip(number + used, to),
                _ => {
                    let expected = "a finite number as the branch length after `:`";
                    return Err(self.wrong(number, expected, self.shown(number, to)));
                }
            }
        }
        match at == to {
            true => Ok(label),
            false => Err(self.wrong(at, "`,`, `)` or `;`", self.shown(at, to))),
        }
    }

    /// Past white space, up to a comment.
    fn blanks(&self, at: usize, to: usize) -> usize {
        at + self.bytes[at..to].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// Past white space and comments.
    fn skip(&self, mut at: usize, to: usize) -> usize {
        let mut depth = 0;
        while at < to {
            match self.bytes[at] {
                b'[' => depth += 1,
                b']' if depth > 0 => depth -= 1,
                b' ' | b'\t' | b'\n' | b'\r' => {}
                _ if depth > 0 => {}
                _ => break,
            }
            at += 1;
        }
        at
    }

    fn shown(&self, from: usize, to: usize) -> String {
        shown(&String::from_utf8_lossy(&self.bytes[from..to]))
    }

    fn wrong(&self, at: usize, expected: &str, found: impl Into<String>) -> IoError {
        self.slices.wrong(self.bytes, at, self.lines, expected, found)
    }

    fn finished(mut self) -> NewickSlice {
        let mut vertex = self.open;
        while vertex != NONE {
            self.found.open.push(vertex);
            vertex = self.found.parents[vertex as usize];
        }
        self.found.open.reverse();
        self.found
    }
}
