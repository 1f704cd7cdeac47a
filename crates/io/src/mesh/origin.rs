//! The origin of data, for error messages: turns a place into a line of text or a byte.

use crate::IoError;
use crate::error::shown;
use crate::source::line_at;

/// A file's name and content.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) name: &'a str,
    pub(super) data: &'a [u8],
    /// Whether places are told as bytes.
    pub(super) binary: bool,
}

impl<'a> Origin<'a> {
    /// What is wrong at a byte.
    #[cold]
    pub(super) fn wrong(
        &self,
        at: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        if self.binary {
            return IoError::at_byte(self.name, at as u64, expected, found);
        }
        IoError::on_line(self.name, line_at(self.data, at), expected, found)
    }

    /// The same about the word that stands there.
    #[cold]
    pub(super) fn wrong_word(&self, at: usize, expected: impl Into<String>) -> IoError {
        let found = self.word(at);
        self.wrong(at, expected, found)
    }

    /// The word at a byte, for messages.
    pub(super) fn word(&self, at: usize) -> String {
        let rest = self.data.get(at..).unwrap_or_default();
        let length = rest.iter().take(80).position(u8::is_ascii_whitespace);
        let word = &rest[..length.unwrap_or(rest.len().min(80))];
        if word.is_empty() {
            return "nothing more".to_string();
        }
        shown(&String::from_utf8_lossy(word))
    }

    /// How messages call a place that is not that of the error.
    pub(super) fn place(&self, at: usize) -> String {
        match self.binary {
            true => format!("byte {at}"),
            false => format!("line {}", line_at(self.data, at)),
        }
    }

    /// The place of the last text, for what is missing at the end.
    pub(super) fn end(&self) -> usize {
        if self.binary { self.data.len() } else { self.data.trim_ascii_end().len() }
    }
}
