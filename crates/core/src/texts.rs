//! Many texts in one buffer, found by number: no allocation per text.

use crate::NONE;
use crate::memory::{huge_zeroed, prefetch};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// Many texts in one buffer.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    bytes: String,
    ends: Vec<u32>,
    /// Replaces `ends` once the buffer outgrows `u32`.
    long_ends: Vec<u64>,
    /// Which text is whose, where that is not the order of the texts; `NONE` has
    /// an empty one.
    order: Option<Vec<u32>>,
}

impl Texts {
    /// Texts in parts, put together in parallel: of each part the number of its texts and of
    /// their bytes, and text `i` of part `k`.
    ///
    /// # Panics
    /// When bytes are no text.
    pub fn joined<'a>(
        parts: &[(usize, usize)],
        text: impl Fn(usize, usize) -> Cow<'a, [u8]> + Sync,
    ) -> Texts {
        let (count, size) = parts.iter().fold((0, 0), |(n, m), part| (n + part.0, m + part.1));
        let mut bytes = huge_zeroed(size);
        let mut texts = Texts::default();
        if u32::try_from(size).is_ok() {
            texts.ends = huge_zeroed(count);
            fill(parts, &mut bytes, &mut texts.ends, |end| end as u32, text);
        } else {
            texts.long_ends = vec![0; count];
            fill(parts, &mut bytes, &mut texts.long_ends, |end| end as u64, text);
        }
        texts.bytes = String::from_utf8(bytes).expect("texts one after the other are text");
        texts
    }

    /// These texts, with text `order[i]` at `i`.
    pub fn in_order(self, order: Vec<u32>) -> Texts {
        Texts { order: Some(order), ..self }
    }

    /// These texts, with the one that is at `from[i]` now at `i`, and an empty one for `NONE`.
    pub fn gathered(self, from: &[u32]) -> Texts {
        let place = |&i: &u32| if i == NONE { NONE } else { self.place(i as usize) };
        let order = from.iter().map(place).collect();
        self.in_order(order)
    }

    /// Copies of some texts, in this order.
    ///
    /// # Panics
    /// When there is no such text.
    pub fn chosen(&self, which: &[u32]) -> Texts {
        let bytes = which.iter().map(|&i| self.bytes_of(i as usize).len()).sum();
        let mut found = Excerpts::with_capacity(which.len(), bytes);
        for &i in which {
            match self.place(i as usize) {
                NONE => found.push(""),
                i => {
                    found.take(self.bytes.as_bytes(), self.start(i as usize)..self.end(i as usize))
                }
            }
        }
        found.texts()
    }

    /// Adds a text at the end.
    #[inline]
    pub fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.push_end(self.bytes.len() as u64);
    }

    #[inline]
    fn push_end(&mut self, end: u64) {
        match u32::try_from(end) {
            Ok(end) => self.ends.push(end),
            Err(_) => {
                if self.long_ends.is_empty() {
                    self.long_ends = self.ends.drain(..).map(u64::from).collect();
                    self.ends = Vec::new();
                }
                self.long_ends.push(end);
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.as_ref().map_or(self.pushed(), Vec::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of texts in the buffer.
    pub fn pushed(&self) -> usize {
        self.ends.len().max(self.long_ends.len())
    }

    /// The text at `i`.
    ///
    /// # Panics
    /// When there are fewer.
    pub fn get(&self, i: usize) -> &str {
        match self.place(i) {
            NONE => "",
            i => &self.bytes[self.start(i as usize)..self.end(i as usize)],
        }
    }

    /// As [`Texts::get`], without a look at where characters begin.
    #[inline(always)]
    pub fn bytes_of(&self, i: usize) -> &[u8] {
        match self.place(i) {
            NONE => b"",
            i => &self.bytes.as_bytes()[self.start(i as usize)..self.end(i as usize)],
        }
    }

    /// Asks for what says where a text is.
    #[inline]
    pub fn prefetch_end(&self, i: u32) {
        match self.long_ends.is_empty() {
            true => prefetch(&self.ends, i as usize),
            false => prefetch(&self.long_ends, i as usize),
        }
    }

    /// Asks for the beginning of a text; a number that is none is ignored.
    #[inline]
    pub fn prefetch_text(&self, i: u32) {
        if (i as usize) < self.len() && self.order.is_none() {
            prefetch(self.bytes.as_bytes(), self.start(i as usize));
        }
    }

    /// Which text of the buffer is the one at `i`.
    #[inline(always)]
    fn place(&self, i: usize) -> u32 {
        self.order.as_ref().map_or(i as u32, |order| order[i])
    }

    #[inline(always)]
    fn start(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.end(i - 1) }
    }

    #[inline(always)]
    fn end(&self, i: usize) -> usize {
        if self.long_ends.is_empty() { self.ends[i] as usize } else { self.long_ends[i] as usize }
    }
}

/// Texts that are taken one after the other, most of them from a larger one.
#[derive(Debug, Default)]
pub struct Excerpts {
    bytes: Vec<u8>,
    /// Without its bytes.
    texts: Texts,
}

impl Excerpts {
    /// None yet, with room for so many, and for so many bytes.
    pub fn with_capacity(count: usize, bytes: usize) -> Excerpts {
        let texts = Texts { ends: Vec::with_capacity(count), ..Texts::default() };
        Excerpts { bytes: Vec::with_capacity(bytes), texts }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.texts.pushed()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a text.
    #[inline]
    pub fn get(&self, i: usize) -> &[u8] {
        &self.bytes[self.texts.start(i)..self.texts.end(i)]
    }

    /// The bytes of all texts.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Takes the bytes of a range, which must be a text.
    #[inline(always)]
    pub fn take(&mut self, from: &[u8], range: Range<usize>) {
        let end = self.bytes.len() + range.len();
        match from[range.start..].first_chunk::<16>() {
            // No call, and no loop: what is too much is dropped.
            Some(more) if range.len() <= more.len() => {
                self.bytes.extend_from_slice(more);
                self.bytes.truncate(end);
            }
            _ => self.bytes.extend_from_slice(&from[range]),
        }
        self.texts.push_end(end as u64);
    }

    /// Takes a text.
    pub fn push(&mut self, text: &str) {
        self.take(text.as_bytes(), 0..text.len());
    }

    /// All of them.
    ///
    /// # Panics
    /// When bytes that were taken are no text.
    pub fn texts(self) -> Texts {
        let bytes = String::from_utf8(self.bytes).expect("texts one after the other are text");
        Texts { bytes, ..self.texts }
    }
}

fn fill<'a, T: Send>(
    parts: &[(usize, usize)],
    mut bytes: &mut [u8],
    mut ends: &mut [T],
    end_of: impl Fn(usize) -> T + Sync,
    text: impl Fn(usize, usize) -> Cow<'a, [u8]> + Sync,
) {
    let mut jobs = Vec::with_capacity(parts.len());
    let mut start = 0;
    for (k, &(count, size)) in parts.iter().enumerate() {
        let (own_ends, own_bytes);
        (own_ends, ends) = ends.split_at_mut(count);
        (own_bytes, bytes) = bytes.split_at_mut(size);
        jobs.push((k, start, own_ends, own_bytes));
        start += size;
    }
    jobs.into_par_iter().for_each(|(k, start, ends, bytes)| {
        let mut at = 0;
        for (i, end) in ends.iter_mut().enumerate() {
            let text = text(k, i);
            bytes[at..at + text.len()].copy_from_slice(&text);
            at += text.len();
            *end = end_of(start + at);
        }
    });
}
