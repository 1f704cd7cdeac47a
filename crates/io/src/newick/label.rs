//! Labels in quotes, and those that stand for others.

use super::{Parser, support};
use memchr::memchr;
use std::borrow::Cow;
use std::ops::Range;

impl Parser<'_> {
    /// Keeps a label that may be in quotes, or stand for another one. What inner vertices have is
    /// translated only if it is no number: support, and no key.
    pub(super) fn push_label(&mut self, range: Range<usize>, vertex: u32) {
        if self.data[range.start] == b'\'' {
            let (word, bit) = (self.labels.len() / 64, self.labels.len() % 64);
            self.quoted.resize((word + 1).max(self.quoted.len()), 0);
            self.quoted[word] |= 1 << bit;
        }
        if self.translation.is_none() {
            // Most labels have no quotes within.
            let inside = range.start + 1..range.end - 1;
            if memchr(b'\'', &self.data[inside.clone()]).is_none() {
                return self.labels.take(self.data, inside);
            }
        }
        let label = unquoted(&self.source.text[range]);
        let inner = (vertex as usize) + 1 < self.parents.len();
        let number = || support::number(label.as_bytes()).is_some();
        let translation = self.translation.as_ref().filter(|_| !inner || !number());
        let other = translation.and_then(|translation| translation.get(&label));
        self.labels.push(other.unwrap_or(&label));
    }
}

/// A label without its quotes.
#[inline]
pub(crate) fn unquoted(raw: &str) -> Cow<'_, str> {
    match raw.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inner) => Cow::Owned(inner.replace("''", "'")),
        None => Cow::Borrowed(raw),
    }
}
