//! What the user calls the vertices.
//!
//! **Problem.** A label for every vertex, and the vertex of a label.
//! **Method.** Three representations, the first that fits is taken: consecutive
//! integers in order (nothing stored), integers (8 bytes a vertex), text (its
//! bytes and 4 more a vertex, from Newick 8; 4 more when the text exceeds 4 GiB). Labels are
//! compared as text; only canonical decimals (`7`, not `07`) count as integers.
//! **Cost.** A lookup by label builds an index once: for integers 4 bytes for each
//! number between the least and the greatest when they are dense, else (and for
//! text) 6 to 12 bytes a vertex.
//!
//! An unlabelled vertex (Newick has them) is shown as `#` and its number, and is
//! found by that name.

use crate::index::Index;
use crate::number::canonical;
use palmette_core::NONE;
use std::borrow::Cow;
use std::sync::OnceLock;

/// What a label names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// One vertex.
    Vertex(u32),
    /// No vertex.
    Unknown,
    /// Several vertices; the first two.
    Ambiguous(u32, u32),
}

/// The labels of the vertices `0..len`. See the module for the memory they take.
#[derive(Debug)]
pub struct Labels {
    pub(crate) kind: Kind,
    index: OnceLock<Index>,
    /// Outlives the index, which is what it takes to find out.
    unique: OnceLock<bool>,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Range { start: i64, len: usize },
    Integers(Vec<i64>),
    Text(Texts),
}

impl Labels {
    /// The labels `0, 1, …, len - 1`.
    pub fn numbers(len: usize) -> Labels {
        Labels::from_kind(Kind::Range { start: 0, len })
    }

    /// The labels `first, first + 1, …`, `len` of them.
    pub fn counted_from(first: u32, len: usize) -> Labels {
        Labels::from_kind(Kind::Range { start: first.into(), len })
    }

    /// Integer labels.
    pub fn integers(ids: Vec<i64>) -> Labels {
        let start = ids.first().copied().unwrap_or(0);
        let consecutive =
            ids.iter().enumerate().all(|(v, &id)| start.checked_add(v as i64) == Some(id));
        if consecutive {
            return Labels::from_kind(Kind::Range { start, len: ids.len() });
        }
        Labels::from_kind(Kind::Integers(ids))
    }

    /// Labels from text; an empty one means unlabelled. When all are canonical
    /// integers they are stored as such.
    pub fn texts<S: AsRef<str>>(labels: impl IntoIterator<Item = S>) -> Labels {
        let mut texts = Texts::default();
        for label in labels {
            texts.push(label.as_ref());
        }
        Labels::from_texts(texts)
    }

    pub(crate) fn from_texts(texts: Texts) -> Labels {
        let integer = |v| canonical(texts.get(v).as_bytes());
        // Most texts fail on the first label, so the try is free.
        let ids: Option<Vec<i64>> = (0..texts.len()).map(integer).collect();
        match ids {
            Some(ids) => Labels::integers(ids),
            None => Labels::from_kind(Kind::Text(texts)),
        }
    }

    fn from_kind(kind: Kind) -> Labels {
        Labels { kind, index: OnceLock::new(), unique: OnceLock::new() }
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::Range { len, .. } => *len,
            Kind::Integers(ids) => ids.len(),
            Kind::Text(texts) => texts.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all labels are integers.
    pub fn are_integers(&self) -> bool {
        !matches!(self.kind, Kind::Text(_))
    }

    /// The label of a vertex; `#v` when it has none.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn get(&self, vertex: u32) -> Cow<'_, str> {
        match self.text(vertex) {
            Some("") => Cow::Owned(format!("#{vertex}")),
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.integer(vertex as usize).to_string()),
        }
    }

    /// The label of a vertex if it is a text: empty when it has none.
    pub(crate) fn text(&self, vertex: u32) -> Option<&str> {
        match &self.kind {
            Kind::Text(texts) => Some(texts.get(vertex as usize)),
            _ => None,
        }
    }

    /// The label of a vertex where all are integers; 0 otherwise.
    pub(crate) fn integer(&self, vertex: usize) -> i64 {
        match &self.kind {
            Kind::Range { start, .. } => start + vertex as i64,
            Kind::Integers(ids) => ids[vertex],
            Kind::Text(_) => 0,
        }
    }

    /// Whether the vertex has a label of its own.
    pub fn is_labelled(&self, vertex: u32) -> bool {
        self.text(vertex) != Some("")
    }

    /// Whether no two vertices share a label.
    pub fn are_unique(&self) -> bool {
        *self.unique.get_or_init(|| {
            matches!(self.kind, Kind::Range { .. }) || self.index().ambiguous.is_empty()
        })
    }

    /// The vertex a label names. The first lookup builds the index.
    pub fn find(&self, label: &str) -> Lookup {
        match &self.kind {
            Kind::Text(texts) => match self.index().find_text(texts, label) {
                Lookup::Unknown => self.find_unlabelled(label),
                found => found,
            },
            _ => canonical(label.as_bytes()).map_or(Lookup::Unknown, |id| self.find_integer(id)),
        }
    }

    /// The vertex an integer names: among integer labels the one with this label,
    /// among text labels the one whose text is this number.
    pub fn find_integer(&self, id: i64) -> Lookup {
        match &self.kind {
            Kind::Range { start, len } => match id.checked_sub(*start) {
                Some(v) if v >= 0 && (v as u64) < *len as u64 => Lookup::Vertex(v as u32),
                _ => Lookup::Unknown,
            },
            Kind::Integers(ids) => self.index().find_integer(ids, id),
            Kind::Text(_) => self.find(itoa::Buffer::new().format(id)),
        }
    }

    fn find_unlabelled(&self, label: &str) -> Lookup {
        let number = label.strip_prefix('#').and_then(|digits| canonical(digits.as_bytes()));
        match number.and_then(|v| u32::try_from(v).ok()) {
            Some(v) if (v as usize) < self.len() && !self.is_labelled(v) => Lookup::Vertex(v),
            _ => Lookup::Unknown,
        }
    }

    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| match &self.kind {
            Kind::Text(texts) => Index::of_texts(texts),
            Kind::Integers(ids) => Index::of_integers(ids),
            Kind::Range { .. } => Index::of_integers(&[]),
        })
    }

    /// Frees the index; the next lookup builds it again.
    pub fn forget_index(&mut self) {
        self.index = OnceLock::new();
    }
}

impl Clone for Labels {
    fn clone(&self) -> Labels {
        Labels::from_kind(self.kind.clone())
    }
}

impl PartialEq for Labels {
    fn eq(&self, other: &Labels) -> bool {
        self.len() == other.len() && (0..self.len() as u32).all(|v| self.get(v) == other.get(v))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_representation_is_taken() {
        assert!(matches!(Labels::texts(["5", "6", "7"]).kind, Kind::Range { start: 5, len: 3 }));
        assert!(matches!(Labels::texts(["5", "7", "-6"]).kind, Kind::Integers(_)));
        assert!(matches!(Labels::texts(["5", "07"]).kind, Kind::Text(_)));
    }

    #[test]
    fn labels_are_found() {
        for labels in [
            Labels::texts(["5", "6", "7"]),
            Labels::texts(["5", "700000000000", "-6"]),
            Labels::texts(["5", "7", "-6"]),
            Labels::texts(["a", "7", "é", "07", "5"]),
        ] {
            for v in 0..labels.len() as u32 {
                assert_eq!(labels.find(&labels.get(v)), Lookup::Vertex(v));
            }
            assert_eq!(labels.find("nobody"), Lookup::Unknown);
            assert_eq!(labels.find("8"), Lookup::Unknown);
            assert_eq!(labels.find("#1"), Lookup::Unknown);
            assert!(labels.are_unique());
        }
    }

    #[test]
    fn shared_and_missing_labels() {
        let labels = Labels::texts(["a", "", "0.9", "0.9", ""]);
        assert_eq!(labels.find("0.9"), Lookup::Ambiguous(2, 3));
        assert_eq!(labels.get(4), "#4");
        assert_eq!(labels.find("#4"), Lookup::Vertex(4));
        assert_eq!(labels.find("#0"), Lookup::Unknown);
        assert_eq!(labels.find(""), Lookup::Unknown);
        assert!(!labels.are_unique());
        assert_eq!(Labels::integers(vec![4, 9, 4]).find("4"), Lookup::Ambiguous(0, 2));
    }
}
