//! The bytes of an input and their name: files, stdin, gzip, zstd.
//!
//! Compression is recognised by its magic bytes, whatever the file is called, and
//! undone in memory, up to the limit of [`InputLimit`]; gzip may have several members.

use crate::IoError;
use crate::limit::InputLimit;
use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;

/// The whole of an input, decompressed, up to the default limit. `-` is stdin.
///
/// # Errors
/// When the file cannot be read, is too large, or its compression is cut off or damaged.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, IoError> {
    read_bytes_within(path, InputLimit::default())
}

/// As [`read_bytes`], up to another limit.
///
/// # Errors
/// As [`read_bytes`].
pub fn read_bytes_within(path: &Path, limit: InputLimit) -> Result<Vec<u8>, IoError> {
    let name = name_of(path);
    let failed = |source| IoError::Read { file: name.clone(), source };
    let (data, most) = if path.as_os_str() == "-" {
        let most = limit.of_stream();
        (up_to(io::stdin().lock(), 0, most), most)
    } else {
        let file = std::fs::File::open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        let most = if about.is_file() { limit.of_file() } else { limit.of_stream() };
        (up_to(file, about.len(), most), most)
    };
    let data = data.map_err(failed)?;
    if data.len() as u64 > most {
        return Err(IoError::TooLarge { file: name, limit: most, packed: None });
    }
    match compression(&data) {
        None => Ok(data),
        Some(_) => decompress(&name, &data, limit),
    }
}

/// What a reader gives, but only one byte more than `most`; `about` as much is expected.
fn up_to(reader: impl Read, about: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    let room = usize::try_from(about.min(most)).unwrap_or(usize::MAX);
    data.try_reserve_exact(room).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    reader.take(most.saturating_add(1)).read_to_end(&mut data)?;
    Ok(data)
}

/// How messages call a path: `-` is `stdin`.
pub fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "stdin".to_string() } else { path.display().to_string() }
}

pub(crate) fn is_compressed(data: &[u8]) -> bool {
    compression(data).is_some()
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

/// Undoes gzip or zstd, up to the default limit; other data stay where they are.
pub(crate) fn plain<'a>(name: &str, data: &'a [u8]) -> Result<Cow<'a, [u8]>, IoError> {
    match compression(data) {
        Some(_) => Ok(Cow::Owned(decompress(name, data, InputLimit::default())?)),
        None => Ok(Cow::Borrowed(data)),
    }
}

fn decompress(name: &str, data: &[u8], limit: InputLimit) -> Result<Vec<u8>, IoError> {
    let Some(kind) = compression(data) else { return Ok(data.to_vec()) };
    let packed = data.len() as u64;
    let limit = limit.of_unpacked(packed);
    // One byte more tells what is too large.
    let most = limit.saturating_add(1);
    let mut plain = Vec::new();
    let result = match kind {
        "gzip" => flate2::read::MultiGzDecoder::new(data).take(most).read_to_end(&mut plain),
        _ => zstd::stream::read::Decoder::with_buffer(data)
            .and_then(|d| d.take(most).read_to_end(&mut plain)),
    };
    match result {
        Ok(length) if length as u64 > limit => {
            Err(IoError::TooLarge { file: name.to_string(), limit, packed: Some(packed) })
        }
        Ok(_) => Ok(plain),
        Err(error) => {
            let truncated = error.kind() == io::ErrorKind::UnexpectedEof;
            let what = match error.kind() {
                _ if truncated => "truncated".to_string(),
                io::ErrorKind::OutOfMemory => "does not fit in memory".to_string(),
                _ => format!("corrupt ({error})"),
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
            let found = format!("byte 0x{:02x} at offset {at}", data[at]);
            IoError::on_line(name, line_at(data, at), "UTF-8 text", found)
        })?;
        let stripped = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Source { name, text: stripped, before: text.len() - stripped.len() })
    }

    /// A part of a text that was checked before; its reader knows the lines before it.
    pub(crate) fn part(name: &'a str, text: &'a str) -> Source<'a> {
        Source { name, text, before: 0 }
    }

    /// The same up to a byte of the text.
    pub(crate) fn until(&self, end: usize) -> Source<'a> {
        Source { text: &self.text[..end], ..*self }
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
        IoError::on_line(self.name, line, expected, found)
    }

    /// The error about a vertex that is its own parent.
    pub(crate) fn own_parent(&self, line: u64, vertex: impl Into<String>) -> IoError {
        let (file, vertex) = (self.name.to_string(), vertex.into());
        IoError::OwnParent { file, line: Some(line), offset: None, vertex }
    }

    /// The line of a byte of the text, from 1.
    pub(crate) fn line(&self, at: usize) -> u64 {
        line_at(self.bytes(), at)
    }

    /// The file, and the line and the offset of a byte of the text.
    fn place(&self, at: usize) -> (String, u64, u64) {
        (self.name.to_string(), line_at(self.bytes(), at), (at + self.before) as u64)
    }

    /// The error about a tree after the only one, which begins at a byte of the text.
    pub(crate) fn another_tree(&self, at: usize) -> IoError {
        let (file, line, offset) = self.place(at);
        IoError::ManyTrees { file, line, offset }
    }

    /// The error about a vertex without a branch length, which ends at a byte of the text.
    pub(crate) fn without_length(&self, at: usize) -> IoError {
        let (file, line, offset) = self.place(at);
        IoError::MissingLength { file, line, offset }
    }

    /// An error at a byte of the text, with its line and offset.
    pub(crate) fn at(
        &self,
        at: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        let (file, line, offset) = self.place(at);
        let (expected, found) = (expected.into(), found.into());
        IoError::Place { file, line: Some(line), offset, expected, found }
    }
}

/// The line of a byte, from 1.
pub(crate) fn line_at(data: &[u8], at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &data[..at.min(data.len())]).count() as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(plain).expect("memory takes all");
        out.finish().expect("memory takes all")
    }

    #[test]
    fn nothing_is_unpacked_beyond_the_limit() {
        let plain = vec![b'x'; 1 << 20];
        let zstd = zstd::encode_all(&plain[..], 1).expect("memory takes all");
        for packed in [gzip(&plain), zstd] {
            for (most, fits) in [(1 << 20, true), ((1 << 20) - 1, false), (0, false)] {
                match decompress("a", &packed, InputLimit::of(most)) {
                    Ok(found) => assert!(fits && found == plain),
                    Err(IoError::TooLarge { limit, packed: Some(from), .. }) => {
                        assert!(!fits && limit == most && from == packed.len() as u64);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    #[test]
    fn files_are_read_up_to_the_limit() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("a.txt");
        std::fs::write(&path, b"0123456789").expect("a file");
        assert_eq!(read_bytes_within(&path, InputLimit::of(10)).expect("it fits"), b"0123456789");
        let error = read_bytes_within(&path, InputLimit::of(9)).expect_err("too large");
        assert!(error.to_string().ends_with("a.txt: input larger than 9 bytes"));
        // A stream that may never end has its own limit.
        #[cfg(unix)]
        assert!(matches!(
            read_bytes_within(Path::new("/dev/zero"), InputLimit::of(1 << 20)),
            Err(IoError::TooLarge { limit: 1_048_576, packed: None, .. })
        ));
    }

    /// A bomb in a bomb is none of them twice: readers of bytes have the limit, too.
    #[test]
    fn bytes_in_memory_have_the_default_limit() {
        let packed = zstd::encode_all(io::repeat(b'(').take(300 << 20), 1).expect("zstd");
        assert!(packed.len() < 100_000);
        let error = crate::read_tree_bytes("a.nwk", &packed, &crate::ReadParams::default());
        let text = error.expect_err("too large").to_string();
        assert!(text.starts_with("a.nwk: input larger than 256 MB"), "{text}");
    }
}
