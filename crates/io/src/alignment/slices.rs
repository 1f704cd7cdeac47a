//! Reads slices of FASTA files, so that no process has the whole alignment.
//!
//! **Method.** A sequence belongs to the share of the bytes in which its `>` is. What the symbols are is
//! found from the head of the file, as by the reader of whole files; line numbers are known once the processes before have counted
//! theirs.

use super::{Alignment, AlignmentParams, Raw, SequenceType, fasta, packed};
use crate::IoError;
use crate::slices::{Share, SliceFile};
use crate::source::Source;
use memchr::memchr_iter;
use memchr::memmem::{Finder, find};
use std::path::Path;

/// A FASTA file, read in slices of its bytes.
pub struct FastaSlices {
    file: SliceFile,
    params: AlignmentParams,
    /// The largest digit is to be found, as the last of the states.
    digits: bool,
}

/// The bytes of a slice: whole sequences.
pub struct FastaBytes {
    bytes: Vec<u8>,
}

impl FastaBytes {
    /// How many lines it has.
    pub fn lines(&self) -> u64 {
        memchr_iter(b'\n', &self.bytes).count() as u64
    }
}

impl FastaSlices {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read, is compressed, or has another format.
    pub fn open(path: &Path, params: &AlignmentParams) -> Result<FastaSlices, IoError> {
        let file = SliceFile::open(path)?;
        let head = file.head()?;
        let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
        if !matches!(first, Some(b'>' | b';')) {
            let found = if first.is_some() { "something else" } else { "an empty file" };
            return Err(IoError::on_line(
                &file.name,
                1,
                "a FASTA file, which slices can be read from",
                found,
            ));
        }
        let mut params = params.clone();
        if params.kind.is_none() && params.alphabet.is_none() {
            let text = match std::str::from_utf8(&head) {
                Ok(text) => text,
                // The rest is checked by those who read it.
                Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or(""),
            };
            let source = Source::part(&file.name, text);
            params.kind = Some(packed::kind_of(&source, &fasta::read(&source)?));
        }
        let digits = params.kind == Some(SequenceType::Standard) && params.alphabet.is_none();
        Ok(FastaSlices { file, params, digits })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.file.bytes
    }

    /// Reads the sequences that begin in a share.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self, share: Share) -> Result<FastaBytes, IoError> {
        const MORE: u64 = 1 << 20;
        let range = share.of(self.file.bytes);
        let none = FastaBytes { bytes: Vec::new() };
        if range.is_empty() {
            return Ok(none);
        }
        // A sequence begins behind the end of a line: one byte earlier.
        let from = range.start.saturating_sub(1);
        let mut bytes = self.file.read(from..range.end)?;
        let first = match range.start {
            0 => 0,
            _ => match find(&bytes, b"\n>") {
                Some(at) => at + 1,
                None => return Ok(none),
            },
        };
        bytes.drain(..first);
        // The end of the last sequence.
        let finder = Finder::new(b"\n>");
        let mut at = range.end;
        let mut seen = bytes.len().saturating_sub(1);
        while at < self.file.bytes {
            let more = self.file.read(at..(at + MORE).min(self.file.bytes))?;
            at += more.len() as u64;
            bytes.extend_from_slice(&more);
            if let Some(end) = finder.find(&bytes[seen..]) {
                bytes.truncate(seen + end + 1);
                break;
            }
            seen = bytes.len() - 1;
        }
        Ok(FastaBytes { bytes })
    }

    /// The largest digit of a slice, where that decides what states there are; otherwise 0.
    pub fn largest_digit(&self, slice: &FastaBytes) -> u8 {
        let own = || {
            let lines = slice.bytes.split(|&byte| byte == b'\n');
            let symbols = lines.filter(|line| !matches!(line.first(), Some(b'>' | b';'))).flatten();
            let digits = symbols.filter(|byte| byte.is_ascii_digit());
            digits.fold(0, |most, &digit| most.max(digit - b'0'))
        };
        if self.digits { own() } else { 0 }
    }

    /// The largest digit of all slices.
    pub fn set_largest_digit(&mut self, largest: u8) {
        if self.digits {
            let last = char::from(b'0' + largest.max(1));
            self.params.alphabet = Some(('0'..=last).collect());
        }
    }

    /// Understands a slice, after so many lines of others. There may be no sequences in it.
    ///
    /// # Errors
    /// As [`read_alignment`](super::read_alignment).
    pub fn parse(&self, slice: &FastaBytes, lines: u64) -> Result<Alignment, IoError> {
        let understood = || {
            let source = Source::new(&self.file.name, &slice.bytes)?;
            // A share may have what is before the first sequence only.
            let nothing = |line: &[u8]| line.starts_with(b";") || line.trim_ascii().is_empty();
            let raw = match slice.bytes.split(|&byte| byte == b'\n').all(nothing) {
                true => Raw::default(),
                false => fasta::read(&source)?,
            };
            packed::read(&source, raw, &self.params)
        };
        understood().map_err(|error| match error {
            IoError::Line { file, line, expected, found } => {
                IoError::Line { file, line: line + lines, expected, found }
            }
            IoError::Symbol { file, line, column, symbol, expected } => {
                IoError::Symbol { file, line: line + lines, column, symbol, expected }
            }
            other => other,
        })
    }

    /// The error about sequences of one slice that have another length than those of another.
    pub fn unequal(&self, expected: u64, found: u64, name: &str, line: u64) -> IoError {
        IoError::on_line(
            &self.file.name,
            line,
            format!("{expected} symbols, as in the sequences before"),
            format!("{found} in `{}`", crate::quote::short(name)),
        )
    }
}
