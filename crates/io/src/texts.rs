//! Many texts in one buffer, found by number: no allocation per text.

use palmette_core::NONE;

/// Many texts in one buffer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    bytes: String,
    ends: Vec<u32>,
    /// Replaces `ends` once the buffer outgrows `u32`.
    long_ends: Vec<u64>,
    /// Which text is whose, where that is not the order of the texts; `NONE` has
    /// an empty one.
    order: Option<Vec<u32>>,
}

impl Texts {
    /// These texts, with text `order[i]` at `i`.
    pub(crate) fn in_order(self, order: Vec<u32>) -> Texts {
        Texts { order: Some(order), ..self }
    }

    #[inline]
    pub(crate) fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        let end = self.bytes.len() as u64;
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

    pub(crate) fn len(&self) -> usize {
        self.order.as_ref().map_or(self.pushed(), Vec::len)
    }

    /// The number of texts in the buffer.
    pub(crate) fn pushed(&self) -> usize {
        self.ends.len().max(self.long_ends.len())
    }

    pub(crate) fn get(&self, i: usize) -> &str {
        let i = match &self.order {
            Some(order) if order[i] == NONE => return "",
            Some(order) => order[i] as usize,
            None => i,
        };
        &self.bytes[self.end(i.wrapping_sub(1))..self.end(i)]
    }

    fn end(&self, i: usize) -> usize {
        if i == usize::MAX {
            0
        } else if self.long_ends.is_empty() {
            self.ends[i] as usize
        } else {
            self.long_ends[i] as usize
        }
    }
}
