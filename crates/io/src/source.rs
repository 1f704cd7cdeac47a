//! The bytes of an input and their name: files, stdin, gzip, zstd.
//!
//! Compression is recognised by its magic bytes, whatever the file is called, and
//! undone in memory; gzip may have several members.

use crate::IoError;
use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;

/// The whole of an input, decompressed. `-` is stdin.
///
/// # Errors
/// When the file cannot be read, or its compression is cut off or damaged.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, IoError> {
    read_bytes_up_to(path, u64::MAX)
}

/// As [`read_bytes`], but no more than so many bytes, decompressed or not: whoever gets `most`
/// of them may have a part of the file only.
///
/// # Errors
/// As [`read_bytes`].
pub fn read_bytes_up_to(path: &Path, most: u64) -> Result<Vec<u8>, IoError> {
    let name = name_of(path);
    let read = || -> io::Result<Vec<u8>> {
        let mut data = Vec::new();
        if path.as_os_str() == "-" {
            io::stdin().lock().take(most).read_to_end(&mut data)?;
        } else if most == u64::MAX {
            data = std::fs::read(path)?;
        } else {
            std::fs::File::open(path)?.take(most).read_to_end(&mut data)?;
        }
        Ok(data)
    };
    let data = read().map_err(|source| IoError::Read { file: name.clone(), source })?;
    match compression(&data) {
        None => Ok(data),
        Some(_) => decompress(&name, &data, most),
    }
}

/// How messages call a path: `-` is `stdin`.
pub(crate) fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "stdin".to_string() } else { path.display().to_string() }
}

fn compression(data: &[u8]) -> Option<&'static str> {
    if data.starts_with(&[0x1f, 0x8b]) {
        Some("gzip")
    } else if data.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Some("zstd")
    } else {
        None
    }
}

/// Undoes gzip or zstd; other data stay where they are.
pub(crate) fn plain<'a>(name: &str, data: &'a [u8]) -> Result<Cow<'a, [u8]>, IoError> {
    match compression(data) {
        Some(_) => Ok(Cow::Owned(decompress(name, data, u64::MAX)?)),
        None => Ok(Cow::Borrowed(data)),
    }
}

fn decompress(name: &str, data: &[u8], most: u64) -> Result<Vec<u8>, IoError> {
    let Some(kind) = compression(data) else { return Ok(data.to_vec()) };
    let mut plain = Vec::new();
    let result = match kind {
        "gzip" => flate2::read::MultiGzDecoder::new(data).take(most).read_to_end(&mut plain),
        _ => zstd::stream::read::Decoder::with_buffer(data)
            .and_then(|d| d.take(most).read_to_end(&mut plain)),
    };
    match result {
        Ok(_) => Ok(plain),
        Err(error) => {
            let truncated = error.kind() == io::ErrorKind::UnexpectedEof;
            let what = match error.kind() {
                _ if truncated => "a truncated one".to_string(),
                io::ErrorKind::OutOfMemory => "one that does not fit the memory".to_string(),
                _ => format!("a corrupt one ({error})"),
            };
            let found = format!("{what}: it stops after {} decompressed bytes", plain.len());
            Err(IoError::Compressed { file: name.to_string(), kind, found })
        }
    }
}

/// A text with its name; places in it are turned into lines when an error needs
/// one, so that readers count nothing on the way.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    /// Bytes before `text` in the file (a byte order mark).
    before: usize,
}

impl<'a> Source<'a> {
    /// Checks that the data are UTF-8 and drops a byte order mark.
    pub(crate) fn new(name: &'a str, data: &'a [u8]) -> Result<Source<'a>, IoError> {
        let text = std::str::from_utf8(data).map_err(|error| {
            let at = error.valid_up_to();
            IoError::Line {
                file: name.to_string(),
                line: line_at(data, at),
                expected: "UTF-8 text".to_string(),
                found: format!("byte 0x{:02x} at offset {at}", data[at]),
            }
        })?;
        let stripped = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Source { name, text: stripped, before: text.len() - stripped.len() })
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// An error on a known line.
    pub(crate) fn on_line(
        &self,
        line: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        IoError::Line {
            file: self.name.to_string(),
            line,
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// The error about a vertex without a branch length, which ends at a byte of the text.
    pub(crate) fn without_length(&self, at: usize) -> IoError {
        IoError::MissingLength {
            file: self.name.to_string(),
            line: line_at(self.bytes(), at),
            offset: (at + self.before) as u64,
        }
    }

    /// An error at a byte of the text, with its line and offset.
    pub(crate) fn at(
        &self,
        at: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        IoError::Place {
            file: self.name.to_string(),
            line: line_at(self.bytes(), at),
            offset: (at + self.before) as u64,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

/// The line of a byte, from 1.
pub(crate) fn line_at(data: &[u8], at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &data[..at.min(data.len())]).count() as u64 + 1
}
