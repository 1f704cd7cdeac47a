//! JSON, value after value, without a tree of values.
//!
//! **Method.** What tables are made of (keys, short strings, small numbers) is read byte by byte where it
//! stands; all else, such as metadata that are not needed and strings with escapes, by `serde_json`.
//!
//! **Cost.** About a nanosecond per byte.

use crate::IoError;
use crate::number::{float_prefix, unsigned_prefix};
use crate::quote::shown;
use crate::source::Source;
use serde::de::IgnoredAny;
use std::borrow::Cow;

/// A place in a text.
pub(super) struct Json<'a> {
    source: &'a Source<'a>,
    data: &'a [u8],
    at: usize,
}

/// Where a string ends that has no escapes, or what is no such string begins.
#[inline(always)]
fn plain_end(data: &[u8], start: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut at = start;
    while let Some(&bytes) = data.get(at..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(bytes);
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let escapes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * u64::from(b' ')) & !word;
        // Above the first byte that is one, bits may be wrong.
        let found = (quotes | escapes | controls) & HIGH;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += bytes.len();
    }
    let ends = |byte: &u8| matches!(byte, b'"' | b'\\' | ..b' ');
    data[at..].iter().position(ends).map_or(data.len(), |length| at + length)
}

/// Digits that a double holds, whatever they are.
const EXACT_DIGITS: usize = 15;

impl<'a> Json<'a> {
    pub(super) fn new(source: &'a Source<'a>) -> Json<'a> {
        Json { source, data: source.bytes(), at: 0 }
    }

    /// The next byte that is no white space; 0 at the end.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> u8 {
        loop {
            match self.data.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(&byte) => return byte,
                None => return 0,
            }
        }
    }

    /// Whether this byte comes next; then it is passed.
    #[inline(always)]
    pub(super) fn has(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    #[inline(always)]
    pub(super) fn expect(&mut self, byte: u8, expected: &str) -> Result<(), IoError> {
        if self.has(byte) { Ok(()) } else { Err(self.wrong(expected)) }
    }

    /// Passes a comma, after which another item comes; or the end of a list or an object, after which none does.
    #[inline(always)]
    pub(super) fn more(&mut self, end: u8, expected: &str) -> Result<bool, IoError> {
        if self.has(b',') {
            return Ok(true);
        }
        self.expect(end, expected).map(|()| false)
    }

    /// The items of a list or an object, which begins and ends with these bytes.
    #[inline(always)]
    pub(super) fn items(
        &mut self,
        [begin, end]: [u8; 2],
        expected: &str,
        mut item: impl FnMut(&mut Json<'a>) -> Result<(), IoError>,
    ) -> Result<(), IoError> {
        self.expect(begin, expected)?;
        if self.has(end) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.more(end, "`,` or the end of it")? {
                return Ok(());
            }
        }
    }

    /// The key of an object, and its colon.
    #[inline(always)]
    pub(super) fn key(&mut self) -> Result<Cow<'a, str>, IoError> {
        let key = self.string("a key in quotes")?;
        self.expect(b':', "`:` after a key")?;
        Ok(key)
    }

    #[inline(always)]
    pub(super) fn string(&mut self, expected: &str) -> Result<Cow<'a, str>, IoError> {
        if self.peek() != b'"' {
            return Err(self.wrong(expected));
        }
        let start = self.at + 1;
        let end = plain_end(self.data, start);
        if self.data.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(&self.source.text[start..end]));
        }
        self.by_serde::<String>().map(Cow::Owned)
    }

    /// The id of an object `{"id": "a", "metadata": null}`, as most writers have it. Nothing, and nothing passed,
    /// where it is anything else.
    #[inline(always)]
    pub(super) fn usual_id(&mut self) -> Option<&'a str> {
        const BEFORE: &[u8; 8] = b"{\"id\": \"";
        const AFTER: &[u8; 20] = b"\", \"metadata\": null}";
        self.peek();
        let start = self.at + BEFORE.len();
        if self.data.get(self.at..start) != Some(BEFORE) {
            return None;
        }
        let end = plain_end(self.data, start);
        if self.data.get(end..end + AFTER.len()) != Some(AFTER) {
            return None;
        }
        self.at = end + AFTER.len();
        Some(&self.source.text[start..end])
    }

    /// A list of three whole numbers, as most writers have it: `[1, 2, 3]` or `[1,2,3]`. Nothing, and nothing
    /// passed, where it is anything else.
    #[inline(always)]
    pub(super) fn three(&mut self) -> Option<[u64; 3]> {
        let data = self.data;
        let mut at = self.at + usize::from(data.get(self.at) == Some(&b' '));
        let mut numbers = [0; 3];
        for (number, before) in numbers.iter_mut().zip(*b"[,,") {
            if data.get(at) != Some(&before) {
                return None;
            }
            at += 1 + usize::from(data.get(at + 1) == Some(&b' '));
            let (value, used) = unsigned_prefix(&data[at..])?;
            let zeros = data[at] == b'0' && used > 1;
            if used > EXACT_DIGITS || zeros {
                return None;
            }
            *number = value;
            at += used;
        }
        if data.get(at) != Some(&b']') {
            return None;
        }
        self.at = at + 1;
        Some(numbers)
    }

    #[inline(always)]
    pub(super) fn number(&mut self) -> Result<f64, IoError> {
        let first = self.peek();
        let text = &self.data[self.at..];
        let ends = |used: usize| !matches!(text.get(used), Some(b'.' | b'e' | b'E' | b'0'..=b'9'));
        if let Some((value, used)) = unsigned_prefix(text)
            && used <= EXACT_DIGITS
            && (first != b'0' || used == 1)
            && ends(used)
        {
            self.at += used;
            return Ok(value as f64);
        }
        self.any_number()
    }

    #[inline(never)]
    fn any_number(&mut self) -> Result<f64, IoError> {
        let text = &self.data[self.at..];
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let second = digits.get(1).copied().unwrap_or(0);
        match digits.first() {
            Some(b'0') if second.is_ascii_digit() => Err(self.wrong("a number")),
            Some(b'0'..=b'9') => match float_prefix(text) {
                Some((value, used)) => {
                    self.at += used;
                    Ok(value)
                }
                None => Err(self.wrong("a number")),
            },
            _ => Err(self.wrong("a number")),
        }
    }

    /// Passes any value.
    #[inline(always)]
    pub(super) fn skip(&mut self) -> Result<(), IoError> {
        self.peek();
        if self.data[self.at..].starts_with(b"null") {
            self.at += 4;
            return Ok(());
        }
        self.by_serde::<IgnoredAny>().map(drop)
    }

    #[inline(never)]
    fn by_serde<T: serde::de::DeserializeOwned>(&mut self) -> Result<T, IoError> {
        let rest = &self.source.text[self.at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<T>();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok(value)
            }
            Some(Err(error)) => {
                let line = self.source.line(self.at) + error.line().max(1) as u64 - 1;
                Err(self.source.on_line(line, "a table in BIOM 1.0 (JSON)", error.to_string()))
            }
            None => Err(self.wrong("a value")),
        }
    }

    /// Nothing may come after the table.
    pub(super) fn end(&mut self) -> Result<(), IoError> {
        self.peek();
        if self.at < self.data.len() { Err(self.wrong("nothing after the table")) } else { Ok(()) }
    }

    /// Something else is expected here.
    pub(super) fn wrong(&self, expected: &str) -> IoError {
        let rest = &self.source.text[self.at..];
        let word = rest.split([',', ']', '}', '\n']).next().unwrap_or("");
        let found = match (rest.is_empty(), word.is_empty()) {
            (true, _) => "the end of the file".to_string(),
            (_, true) => shown(&rest[..1]),
            _ => shown(word),
        };
        self.source.at(self.at, format!("{expected}, in BIOM 1.0 (JSON)"), found)
    }
}
