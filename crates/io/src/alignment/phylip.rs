//! PHYLIP: the numbers of sequences and sites, then sequences.
//!
//! **Method.** What a file is, sequential or interleaved, with names that end at a blank or in column 10,
//! stands nowhere in it. Each reading says how many symbols every sequence has; the first reading that
//! gives all of them the stated number is right. Two that differ, without a format that says which: an
//! error.

use super::{AlignmentFormat, Raw};
use crate::IoError;
use crate::number::unsigned;
use crate::quote::short;
use crate::source::Source;
use std::ops::Range;

/// Bytes of a name in a strict file.
const STRICT: usize = 10;

struct Reader<'a> {
    source: &'a Source<'a>,
    sequences: usize,
    sites: usize,
    /// The lines after the first that are not blank.
    lines: Vec<Range<usize>>,
}

pub(super) fn read(source: &Source<'_>, format: AlignmentFormat) -> Result<Raw, IoError> {
    let mut start = 0;
    let mut lines: Vec<Range<usize>> = Vec::new();
    for line in source.text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        if !line.trim().is_empty() {
            lines.push(start..end);
        }
        start += line.len();
    }
    let first = lines.first().cloned().unwrap_or(0..0);
    let mut words = source.text[first.clone()].split_whitespace();
    let counts = [words.next(), words.next()].map(|word| word.and_then(unsigned));
    let [Some(sequences), Some(sites)] = counts.map(|n| n.and_then(|n| usize::try_from(n).ok()))
    else {
        let found = format!("`{}`", short(&source.text[first]));
        return Err(source.on_line(1, "the numbers of sequences and sites", found));
    };
    lines.remove(0);
    if lines.len() < sequences {
        let found = format!("{} lines", lines.len());
        let line = source.line(source.text.trim_end().len());
        return Err(source.on_line(line, format!("{sequences} sequences"), found));
    }
    let reader = Reader { source, sequences, sites, lines };
    let mut first_error = None;
    for strict in [false, true] {
        let mut found: Vec<Raw> = Vec::new();
        for interleaved in [false, true] {
            let wanted = match format {
                AlignmentFormat::PhylipSequential => !interleaved,
                AlignmentFormat::PhylipInterleaved => interleaved,
                _ => true,
            };
            if !wanted {
                continue;
            }
            match reader.attempt(strict, interleaved) {
                Ok(raw) if found.iter().all(|other| other.pieces != raw.pieces) => found.push(raw),
                Ok(_) => {}
                Err(error) => _ = first_error.get_or_insert(error),
            }
        }
        match found.len() {
            0 => {}
            1 => return Ok(found.swap_remove(0)),
            _ => {
                let expected = "a file that is sequential or interleaved";
                return Err(source.on_line(1, expected, "one that may be either"));
            }
        }
    }
    Err(first_error.unwrap_or_else(|| source.on_line(1, "sequences", "none")))
}

impl Reader<'_> {
    /// A line with a name at its start: the name, and where the sequence begins.
    fn named(&self, line: &Range<usize>, strict: bool) -> (String, Range<usize>) {
        let text = &self.source.text[line.clone()];
        let blanks = text.len() - text.trim_start().len();
        let end = match strict {
            true => (0..=STRICT.min(text.len())).rfind(|&k| text.is_char_boundary(k)).unwrap_or(0),
            false => {
                let name = &text[blanks..];
                blanks + name.find(char::is_whitespace).unwrap_or(name.len())
            }
        };
        (text[..end].trim().to_string(), line.start + end..line.end)
    }

    fn attempt(&self, strict: bool, interleaved: bool) -> Result<Raw, IoError> {
        let mut raw = Raw::default();
        let count = |piece: &Range<usize>| symbols(&self.source.bytes()[piece.clone()]);
        let mut lines = self.lines.iter();
        if interleaved {
            if !self.lines.len().is_multiple_of(self.sequences.max(1)) {
                let last = self.lines.last().map_or(1, |line| self.source.line(line.start));
                let expected = format!("blocks of {} lines", self.sequences);
                let found = format!("{} lines of sequences", self.lines.len());
                return Err(self.source.on_line(last, expected, found));
            }
            for line in lines.by_ref().take(self.sequences) {
                let (name, piece) = self.named(line, strict);
                raw.push(name, line.start, vec![piece]);
            }
            for (k, line) in lines.enumerate() {
                raw.pieces[k % self.sequences].push(line.clone());
            }
        } else {
            for _ in 0..self.sequences {
                let Some(line) = lines.next() else { break };
                let (name, piece) = self.named(line, strict);
                let mut length = count(&piece);
                let mut pieces = vec![piece];
                // Where there is a line for each, none goes on in the next one.
                while length < self.sites
                    && self.lines.len() > self.sequences
                    && let Some(line) = lines.next()
                {
                    length += count(line);
                    pieces.push(line.clone());
                }
                raw.push(name, line.start, pieces);
            }
            if let Some(line) = lines.next() {
                let expected = format!("{} sequences of {} sites", self.sequences, self.sites);
                return Err(self.source.on_line(self.source.line(line.start), expected, "more"));
            }
        }
        if raw.headers.len() < self.sequences {
            let line = self.source.line(self.source.text.trim_end().len());
            let found = format!("{} of {} sites", raw.headers.len(), self.sites);
            return Err(self.source.on_line(line, format!("{} sequences", self.sequences), found));
        }
        for (k, pieces) in raw.pieces.iter().enumerate() {
            let found: usize = pieces.iter().map(count).sum();
            if found != self.sites {
                let line = self.source.line(raw.at[k]);
                let found = format!("{found} for `{}`", short(&raw.headers[k]));
                return Err(self.source.on_line(line, format!("{} symbols", self.sites), found));
            }
        }
        Ok(raw)
    }
}

/// How many symbols a piece has; several states in braces are one.
fn symbols(piece: &[u8]) -> usize {
    let (mut count, mut inside) = (0, false);
    for &byte in piece {
        match byte {
            b'{' | b'(' => inside = true,
            b'}' | b')' => {
                inside = false;
                count += 1;
            }
            _ if inside || byte.is_ascii_whitespace() => {}
            _ => count += 1,
        }
    }
    count
}
