//! Rows of separated fields: CSV, TSV and their kin.
//!
//! **Problem.** Split a text into rows of fields: separated by a byte or by blanks,
//! in quotes where needed (`"a ""b"""`, newlines allowed inside), with LF or CRLF;
//! blank lines and comment lines (`#`, and `%` between blanks) are skipped, blanks
//! around fields dropped.
//! **Cost.** One pass, no allocation per row. `fast.rs` reads plain numbers faster;
//! this reader is the one that reports errors.

use crate::fast::{self, Cell, Numbers};
use crate::quote::shown;
use crate::source::Source;
use crate::write::{put_number, put_quoted};
use crate::{IoError, Labels};
use memchr::{memchr, memchr_iter, memchr2, memchr3};
use std::borrow::Cow;

/// What stands between two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separator {
    /// One byte: comma, semicolon, tab or bar.
    Byte(u8),
    /// One or more spaces or tabs.
    Blanks,
}

impl Separator {
    /// The separator of a text: that of its first data line. Tabs win over commas,
    /// commas over semicolons; `a | b` between tabs is a bar (taxonomy dumps).
    pub(crate) fn detect(source: &Source<'_>, comma_first: bool) -> Separator {
        let mut rows = Rows::new(*source, Separator::Blanks);
        rows.skip_empty();
        let rest = &source.bytes()[rows.at..];
        let (mut seen, mut quoted) = ([false; 3], false);
        for (i, &byte) in rest.iter().enumerate() {
            match byte {
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'\n' => break,
                b'|' if i > 0 && rest[i - 1] == b'\t' => return Separator::Byte(b'|'),
                b'\t' => seen[0] = true,
                b',' => seen[1] = true,
                b';' => seen[2] = true,
                _ => {}
            }
        }
        match seen {
            [_, true, _] if comma_first => Separator::Byte(b','),
            [true, ..] => Separator::Byte(b'\t'),
            [_, true, _] => Separator::Byte(b','),
            [_, _, true] => Separator::Byte(b';'),
            _ => Separator::Blanks,
        }
    }

    #[inline]
    pub(crate) fn is_blank(self, byte: u8) -> bool {
        byte == b' ' || (byte == b'\t' && self != Separator::Byte(b'\t'))
    }

    /// Whether a line is a comment: `#` before a blank, another `#`, `!` or nothing. Before
    /// anything else it belongs to a name, such as `#4` for a vertex without a label.
    #[inline]
    pub(crate) fn starts_comment(self, line: &[u8]) -> bool {
        match line.first() {
            Some(b'#') => {
                let next = line.get(1).copied().unwrap_or(b'\n');
                matches!(next, b' ' | b'\t' | b'\n' | b'\r' | b'#' | b'!')
            }
            Some(b'%') => self == Separator::Blanks,
            _ => false,
        }
    }
}

/// A field: where its text lies, without quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// It has quotes in it, each twice.
    pub(crate) doubled: bool,
}

impl Field {
    #[inline]
    pub(crate) fn text<'a>(&self, source: &Source<'a>) -> Cow<'a, str> {
        let raw = &source.text[self.start..self.end];
        if self.doubled { Cow::Owned(raw.replace("\"\"", "\"")) } else { Cow::Borrowed(raw) }
    }

    /// As [`Field::text`], without a look at where characters begin.
    #[inline]
    pub(crate) fn bytes<'a>(&self, source: &Source<'a>) -> Cow<'a, [u8]> {
        match self.text_if_doubled(source) {
            Some(text) => Cow::Owned(text.into_bytes()),
            None => Cow::Borrowed(&source.bytes()[self.start..self.end]),
        }
    }

    #[inline]
    fn text_if_doubled(&self, source: &Source<'_>) -> Option<String> {
        self.doubled.then(|| self.text(source).into_owned())
    }
}

#[derive(Clone)]
pub(crate) struct Rows<'a> {
    source: Source<'a>,
    pub(crate) separator: Separator,
    /// The next byte to read and its line.
    pub(crate) at: usize,
    pub(crate) line: u64,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(source: Source<'a>, separator: Separator) -> Rows<'a> {
        Rows { source, separator, at: 0, line: 1 }
    }

    /// The rows of a text, whose separator the name of the file gives where that decides.
    pub(crate) fn of(source: Source<'a>) -> Rows<'a> {
        let name = crate::format::stem(source.name);
        let separator = match name.ends_with(".tsv") || name.ends_with(".tab") {
            true => Separator::Byte(b'\t'),
            false => Separator::detect(&source, name.ends_with(".csv")),
        };
        Rows::new(source, separator)
    }

    /// Rows from another place on, of a text that may end sooner; lines are counted from 0.
    pub(crate) fn starting_at<'b>(&self, source: Source<'b>, at: usize) -> Rows<'b> {
        Rows { source, separator: self.separator, at, line: 0 }
    }

    /// The whole text.
    #[inline]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.source.bytes()
    }

    /// The columns of the rows that are left, where these are plain numbers; see `fast.rs`.
    pub(crate) fn numbers(&self, cells: &[Cell]) -> Option<Numbers> {
        fast::numbers(&self.source.bytes()[self.at..], self.line, self.separator, cells)
    }

    /// Reads the next row and returns its first line; nothing at the end.
    #[inline]
    pub(crate) fn next(&mut self, fields: &mut Vec<Field>) -> Result<Option<u64>, IoError> {
        fields.clear();
        if let Separator::Byte(separator) = self.separator
            && let Some(end) = plain_row(self.source.bytes(), self.at, separator, fields)
        {
            self.at = end;
            self.line += 1;
            return Ok(Some(self.line - 1));
        }
        fields.clear();
        self.any_row(fields)
    }

    fn any_row(&mut self, fields: &mut Vec<Field>) -> Result<Option<u64>, IoError> {
        self.skip_empty();
        let data = self.source.bytes();
        if self.at >= data.len() {
            return Ok(None);
        }
        let line = self.line;
        loop {
            self.skip_blanks();
            match data.get(self.at) {
                Some(b'"') => fields.push(self.quoted()?),
                _ => fields.push(self.plain()),
            }
            let after = self.at;
            self.skip_blanks();
            match (data.get(self.at).copied(), self.separator) {
                (None, _) => return Ok(Some(line)),
                (Some(b'\n'), _) => {
                    self.at += 1;
                    self.line += 1;
                    return Ok(Some(line));
                }
                (Some(b'\r'), _) if matches!(data.get(self.at + 1), None | Some(b'\n')) => {
                    self.at = (self.at + 2).min(data.len());
                    self.line += 1;
                    return Ok(Some(line));
                }
                (Some(byte), Separator::Byte(separator)) if byte == separator => self.at += 1,
                (_, Separator::Blanks) if self.at > after => {}
                (Some(_), _) => {
                    let rest: String = self.source.text[self.at..].chars().take(1).collect();
                    let expected = "a separator or the end of the line after a quoted field";
                    return Err(self.source.on_line(self.line, expected, shown(&rest)));
                }
            }
        }
    }

    fn skip_empty(&mut self) {
        let data = self.source.bytes();
        while self.at < data.len() {
            let start = self.at;
            self.skip_blanks();
            let rest = &data[self.at..];
            let skipped = match rest.first() {
                None => 0,
                Some(b'\n') => 1,
                Some(b'\r') if rest.get(1).is_none_or(|&b| b == b'\n') => rest.len().min(2),
                Some(_) if self.separator.starts_comment(rest) => {
                    memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)
                }
                Some(_) => {
                    self.at = start;
                    return;
                }
            };
            self.at += skipped;
            self.line += 1;
        }
    }

    fn skip_blanks(&mut self) {
        let data = self.source.bytes();
        while self.at < data.len() && self.separator.is_blank(data[self.at]) {
            self.at += 1;
        }
    }

    fn plain(&mut self) -> Field {
        let start = self.at;
        let rest = &self.source.bytes()[start..];
        let stop = match self.separator {
            Separator::Byte(separator) => first_of(separator, b'\n', rest),
            Separator::Blanks => memchr3(b' ', b'\t', b'\n', rest),
        };
        let length = stop.unwrap_or(rest.len());
        let at_line_end = rest.get(length).is_none_or(|&b| b == b'\n');
        self.at += length;
        let mut field = &rest[..length];
        if at_line_end && let Some(shorter) = field.strip_suffix(b"\r") {
            field = shorter;
            self.at -= 1;
        }
        while let Some((&last, shorter)) = field.split_last()
            && self.separator.is_blank(last)
        {
            field = shorter;
        }
        Field { start, end: start + field.len(), doubled: false }
    }

    fn quoted(&mut self) -> Result<Field, IoError> {
        let data = self.source.bytes();
        let start = self.at + 1;
        let mut doubled = false;
        let mut end = start;
        loop {
            match memchr(b'"', &data[end..]) {
                None => {
                    let found = "the end of the file";
                    return Err(self.source.on_line(self.line, "a closing quote `\"`", found));
                }
                Some(length) if data.get(end + length + 1) == Some(&b'"') => {
                    doubled = true;
                    end += length + 2;
                }
                Some(length) => {
                    end += length;
                    break;
                }
            }
        }
        self.line += memchr_iter(b'\n', &data[start..end]).count() as u64;
        self.at = end + 1;
        Ok(Field { start, end, doubled })
    }
}

/// The fields of a row without quotes, blanks or comments, and where the next row begins;
/// nothing where it may have such.
#[inline(always)]
fn plain_row(data: &[u8], mut at: usize, separator: u8, fields: &mut Vec<Field>) -> Option<usize> {
    let first = at;
    loop {
        let length = first_of(separator, b'\n', data.get(at..)?)?;
        let field = Field { start: at, end: at + length, doubled: false };
        at = field.end + 1;
        if length > 0
            && (EDGES[usize::from(data[field.start])] || EDGES[usize::from(data[field.end - 1])])
        {
            return None;
        }
        fields.push(field);
        if data[field.end] == b'\n' {
            return (at > first + 1).then_some(at);
        }
    }
}

/// Bytes at the ends of a field that may be no part of it, or of a comment.
const EDGES: [bool; 256] = {
    let mut edges = [false; 256];
    let (mut i, some) = (0, b" \t\r\"#%");
    while i < some.len() {
        edges[some[i] as usize] = true;
        i += 1;
    }
    edges
};

/// As `memchr2`, faster where one of the two bytes is near.
#[inline(always)]
fn first_of(a: u8, b: u8, text: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([128; 8]);
    /// The highest bit of the first zero byte and perhaps of later ones.
    fn zeros(word: u64) -> u64 {
        word.wrapping_sub(LOW) & !word & HIGH
    }
    let mut at = 0;
    while at < 32
        && let Some(bytes) = text[at..].first_chunk()
    {
        let word = u64::from_le_bytes(*bytes);
        let found = zeros(word ^ (LOW * u64::from(a))) | zeros(word ^ (LOW * u64::from(b)));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr2(a, b, &text[at..]).map(|length| at + length)
}

/// Bytes for which a field is put in quotes: always, where readers guess the separator, and
/// blanks, which are harmless inside.
const ALWAYS: u8 = 1;
const MISLEADING: u8 = 2;
const BLANK: u8 = 4;

const SPECIAL: [u8; 256] = {
    let mut special = [0; 256];
    let mut i = 0;
    while i < 256 {
        special[i] = match i as u8 {
            b' ' => BLANK,
            b',' | b';' => MISLEADING,
            b'"' | b'#' | b'%' | b'|' => ALWAYS,
            byte if byte.is_ascii_control() => ALWAYS,
            _ => 0,
        };
        i += 1;
    }
    special
};

/// Appends a field to a row under way, in quotes if it would not read back plain.
pub(crate) fn write_field(out: &mut Vec<u8>, text: &str, separator: u8) {
    let bytes = text.as_bytes();
    let found = bytes.iter().fold(0, |found, &b| found | SPECIAL[usize::from(b)]);
    // Of the separators only a tab wins over commas and semicolons.
    let special = if separator == b'\t' { ALWAYS } else { ALWAYS | MISLEADING };
    let blank_ends = || bytes.first() == Some(&b' ') || bytes.last() == Some(&b' ');
    let blank = found & BLANK != 0 && (separator == b' ' || blank_ends());
    // At the start of a file this would be taken for a byte order mark.
    let mark = bytes.first() == Some(&0xef) && text.starts_with('\u{feff}');
    let other = SPECIAL[usize::from(separator)] == 0 && bytes.contains(&separator);
    match found & special != 0 || blank || mark || other || bytes.is_empty() {
        true => put_quoted(out, b'"', text),
        false => out.extend_from_slice(bytes),
    }
}

/// Appends the name of a vertex as a field.
#[inline]
pub(crate) fn write_label(out: &mut Vec<u8>, labels: &Labels, vertex: u32, separator: u8) {
    match labels.text(vertex) {
        _ if labels.is_numbered(vertex) => write_field(out, &labels.get(vertex), separator),
        None => put_number(out, labels.integer(vertex as usize)),
        Some(text) => write_field(out, text, separator),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_of_two_bytes(text in prop::collection::vec(prop::sample::select(vec![
            b',', b'\n', b'-', b'+', b'\x0b', b'\t', 0xac, 0x8a, b'x', 0, 255,
        ]), 0..60), clear in 0usize..60) {
            let mut text = text;
            let clear = clear.min(text.len());
            text[..clear].iter_mut().for_each(|b| if matches!(*b, b',' | b'\n') { *b += 1 });
            prop_assert_eq!(first_of(b',', b'\n', &text), memchr2(b',', b'\n', &text));
        }
    }
}
