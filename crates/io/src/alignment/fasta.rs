//! FASTA: `>name description`, then a sequence over any number of lines.

use super::Raw;
use crate::IoError;
use crate::source::Source;
use memchr::memchr;

/// Lines that begin with `;` are comments, as of old.
pub(super) fn read(source: &Source<'_>) -> Result<Raw, IoError> {
    let data = source.bytes();
    let mut raw = Raw::default();
    let mut at = 0;
    while at < data.len() {
        let end = memchr(b'\n', &data[at..]).map_or(data.len(), |length| at + length);
        let line = source.text[at..end].trim_end();
        match line.as_bytes().first() {
            Some(b'>') => raw.push(line[1..].trim().to_string(), at, Vec::new()),
            None | Some(b';') => {}
            Some(_) => match raw.pieces.last_mut() {
                Some(pieces) => pieces.push(at..at + line.len()),
                None if line.trim().is_empty() => {}
                None => {
                    let line = source.line(at);
                    return Err(source.on_line(line, "`>` and a name first", "a sequence"));
                }
            },
        }
        at = end + 1;
    }
    match raw.headers.is_empty() {
        true => Err(source.on_line(1, "`>` and a name", "none in the file")),
        false => Ok(raw),
    }
}
