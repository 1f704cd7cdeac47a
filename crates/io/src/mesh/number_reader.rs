//! Reads numbers one after another, from text or from binary data.

use super::origin::Origin;
use crate::IoError;
use crate::number::{float_prefix, unsigned_prefix};

/// A reader of numbers. Errors say what was expected and where.
pub(super) trait NumberReader<'a> {
    /// Where the next number begins.
    fn place(&mut self) -> usize;
    /// A small integer with a sign.
    fn int(&mut self, expected: &str) -> Result<i64, IoError>;
    /// A number of things, or the number of a thing.
    fn size(&mut self, expected: &str) -> Result<u64, IoError>;
    /// A number that MSH 4.1 has as a size, and what came before in four bytes.
    fn narrow(&mut self, expected: &str) -> Result<u64, IoError>;
    /// A finite number.
    fn float(&mut self, expected: &str) -> Result<f64, IoError>;
    /// Where all comes from.
    fn origin(&self) -> Origin<'a>;
    /// The most numbers that can still follow.
    fn most_left(&self) -> usize;
}

/// Text between blanks.
pub(super) struct Text<'a> {
    pub(super) origin: Origin<'a>,
    pub(super) at: usize,
}

impl<'a> Text<'a> {
    /// The first byte from here on that is neither a blank nor the end of a line.
    #[inline]
    fn skip(&mut self) {
        while self.origin.data.get(self.at).is_some_and(|&b| b <= b' ') {
            self.at += 1;
        }
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.origin.data.get(self.at..).unwrap_or_default()
    }

    /// Steps over a number of so many bytes, if it ends there.
    #[inline]
    fn pass(&mut self, length: usize) -> Option<()> {
        let end = self.at + length;
        if self.origin.data.get(end).is_some_and(|&b| b > b' ') {
            return None;
        }
        self.at = end;
        Some(())
    }

    /// The next word, empty at the end.
    pub(super) fn word(&mut self) -> &'a [u8] {
        self.skip();
        let rest = self.rest();
        let length = rest.iter().position(|&b| b <= b' ').unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }
}

impl<'a> NumberReader<'a> for Text<'a> {
    #[inline]
    fn place(&mut self) -> usize {
        self.skip();
        self.at
    }

    #[inline]
    fn int(&mut self, expected: &str) -> Result<i64, IoError> {
        self.skip();
        let sign = self.rest().first().copied();
        let signed = usize::from(matches!(sign, Some(b'-' | b'+')));
        let number = unsigned_prefix(&self.rest()[signed..]).filter(|n| n.0 <= i64::MAX as u64);
        let read = number.and_then(|(number, length)| {
            self.pass(length + signed)?;
            Some(if sign == Some(b'-') { -(number as i64) } else { number as i64 })
        });
        read.ok_or_else(|| self.origin.wrong_word(self.at, expected))
    }

    #[inline]
    fn size(&mut self, expected: &str) -> Result<u64, IoError> {
        self.skip();
        let read = unsigned_prefix(self.rest())
            .and_then(|(number, length)| self.pass(length).map(|()| number));
        read.ok_or_else(|| self.origin.wrong_word(self.at, expected))
    }

    #[inline]
    fn narrow(&mut self, expected: &str) -> Result<u64, IoError> {
        self.size(expected)
    }

    #[inline]
    fn float(&mut self, expected: &str) -> Result<f64, IoError> {
        self.skip();
        let read = float_prefix(self.rest())
            .filter(|(number, _)| number.is_finite())
            .and_then(|(number, length)| self.pass(length).map(|()| number));
        read.ok_or_else(|| self.origin.wrong_word(self.at, expected))
    }

    fn origin(&self) -> Origin<'a> {
        self.origin
    }

    fn most_left(&self) -> usize {
        self.rest().len().div_ceil(2)
    }
}

/// Binary data.
pub(super) struct Binary<'a> {
    pub(super) origin: Origin<'a>,
    pub(super) at: usize,
    /// Whether the bytes of a number come highest first.
    pub(super) big_endian: bool,
    /// The bytes of a size: 4 or 8.
    pub(super) size_bytes: usize,
    /// The bytes of a narrow number: 4 or 8.
    pub(super) narrow_bytes: usize,
}

impl Binary<'_> {
    /// A number without a sign in so many bytes.
    #[inline]
    fn unsigned(&mut self, bytes: usize, expected: &str) -> Result<u64, IoError> {
        match bytes {
            4 => Ok(u64::from(u32::from_le_bytes(self.bytes(expected)?))),
            _ => Ok(u64::from_le_bytes(self.bytes(expected)?)),
        }
    }

    /// The next bytes, lowest first.
    #[inline]
    fn bytes<const N: usize>(&mut self, expected: &str) -> Result<[u8; N], IoError> {
        let Some(bytes) = self.origin.data.get(self.at..).and_then(|rest| rest.first_chunk::<N>())
        else {
            let missing = "the end of the file".to_string();
            return Err(self.origin.wrong(self.origin.data.len(), expected, missing));
        };
        let mut bytes = *bytes;
        self.at += N;
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }
}

impl<'a> NumberReader<'a> for Binary<'a> {
    #[inline]
    fn place(&mut self) -> usize {
        self.at
    }

    #[inline]
    fn int(&mut self, expected: &str) -> Result<i64, IoError> {
        Ok(i64::from(i32::from_le_bytes(self.bytes(expected)?)))
    }

    #[inline]
    fn size(&mut self, expected: &str) -> Result<u64, IoError> {
        self.unsigned(self.size_bytes, expected)
    }

    #[inline]
    fn narrow(&mut self, expected: &str) -> Result<u64, IoError> {
        self.unsigned(self.narrow_bytes, expected)
    }

    #[inline]
    fn float(&mut self, expected: &str) -> Result<f64, IoError> {
        let at = self.at;
        let number = f64::from_le_bytes(self.bytes(expected)?);
        if number.is_finite() {
            return Ok(number);
        }
        Err(self.origin.wrong(at, expected, number.to_string()))
    }

    fn origin(&self) -> Origin<'a> {
        self.origin
    }

    fn most_left(&self) -> usize {
        self.origin.data.len().saturating_sub(self.at) / 4
    }
}
