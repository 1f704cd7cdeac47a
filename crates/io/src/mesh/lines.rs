//! Lines of text, one after another.

use super::origin::Origin;

/// Lines that are neither empty nor comments, without blanks around, and where they start.
pub(super) struct Lines<'a> {
    pub(super) origin: Origin<'a>,
    /// Where the next line starts.
    pub(super) at: usize,
}

impl Lines<'_> {
    /// Where the last line ends.
    pub(super) fn end(&self) -> usize {
        self.at.saturating_sub(1).min(self.origin.data.len())
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        loop {
            let rest = self.origin.data.get(self.at..).filter(|rest| !rest.is_empty())?;
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest[..length].trim_ascii_start();
            let start = self.at + length - line.len();
            self.at += length + 1;
            let line = line.trim_ascii_end();
            if !line.is_empty() && line[0] != b'%' {
                return Some((start, line));
            }
        }
    }
}
