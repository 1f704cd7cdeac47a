//! What the user calls the vertices.
//!
//! **Problem.** A label for every vertex, a name for every vertex that no other has, and the
//! vertex of a name.
//! **Method.** Three representations, the first that fits is taken: consecutive
//! integers in order (nothing stored), integers (8 bytes per vertex), text (its
//! bytes and 4 more per vertex, from Newick 8; 4 more when the text exceeds 4 GiB). Labels are
//! compared as text; only canonical decimals (`7`, not `07`) count as integers.
//! **Names.** A vertex is called by its label if it has one that no other vertex has, and
//! otherwise by `#` and its number, from 0 in the order of the file. Where some vertices are
//! called by numbers, a label that looks like such a name is none. A table may have both: ids,
//! which are the names, and labels.
//! **Cost.** A lookup builds an index once: for integers 4 bytes for each
//! number between the least and the greatest when they are dense, else 6 to 12 bytes per vertex
//! (for text 12, in parallel). So does the first name among labels of which some are shared
//! or nobody has said that none are.

mod chosen;
mod edited;
#[cfg(test)]
mod tests;

use crate::bits::Bits;
use crate::index::{Index, Lookup};
use crate::number::canonical;
use crate::texts::Texts;
use palmette_core::NONE;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The labels of the vertices `0..len`. See the module for the memory they take.
#[derive(Debug, Clone)]
pub struct Labels {
    /// The labels; or ids, where `captions` are the labels.
    pub(crate) kind: Kind,
    /// The labels where `kind` has ids: an empty one means unlabelled.
    captions: Option<Box<Captions>>,
    index: OnceLock<Arc<Index>>,
    /// Outlives the index, which is what it takes to find out.
    unique: OnceLock<bool>,
    /// Which vertices are called by their numbers; nothing when none are.
    numbered: OnceLock<Option<Bits>>,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Range { start: i64, len: usize },
    Integers(Vec<i64>),
    Text(Texts),
}

#[derive(Debug, Clone)]
struct Captions {
    texts: Texts,
    index: OnceLock<Arc<Index>>,
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
        Labels {
            kind,
            captions: None,
            index: OnceLock::new(),
            unique: OnceLock::new(),
            numbered: OnceLock::new(),
        }
    }

    /// The same as ids, beside which vertices have labels: an empty one means unlabelled. No
    /// two ids may be the same.
    pub(crate) fn with_captions(mut self, texts: Texts) -> Labels {
        self.captions = Some(Box::new(Captions { texts, index: OnceLock::new() }));
        self.numbered = OnceLock::new();
        self
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

    /// The name of a vertex, which no other has: its label, or `#v` when it has none or shares
    /// it; its id where there are ids.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn get(&self, vertex: u32) -> Cow<'_, str> {
        if self.is_numbered(vertex) {
            return Cow::Owned(format!("#{vertex}"));
        }
        match &self.kind {
            Kind::Text(texts) => Cow::Borrowed(texts.get(vertex as usize)),
            _ => Cow::Owned(self.integer(vertex as usize).to_string()),
        }
    }

    /// The same where no other name is asked for: all labels are looked through once, without an index.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn get_alone(&self, vertex: u32) -> Cow<'_, str> {
        let (Kind::Text(texts), None) = (&self.kind, &self.captions) else {
            return self.get(vertex);
        };
        let text = texts.get(vertex as usize);
        let same = |v: &usize| texts.bytes_of(*v) == text.as_bytes();
        if self.numbered.get().is_some() || number_in(text).is_some() {
            return self.get(vertex);
        }
        match text.is_empty() || (0..texts.len()).filter(same).nth(1).is_some() {
            true => Cow::Owned(format!("#{vertex}")),
            false => Cow::Borrowed(text),
        }
    }

    /// The label of a vertex as the file has it: perhaps that of others too, or empty.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn label(&self, vertex: u32) -> Cow<'_, str> {
        match self.label_text(vertex) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.integer(vertex as usize).to_string()),
        }
    }

    /// The label of a vertex where it is a text.
    pub(crate) fn label_text(&self, vertex: u32) -> Option<&str> {
        match &self.captions {
            Some(captions) => Some(captions.texts.get(vertex as usize)),
            None => self.text(vertex),
        }
    }

    /// The bytes of [`Labels::label_text`].
    #[inline]
    pub(crate) fn label_bytes(&self, vertex: u32) -> Option<&[u8]> {
        match (&self.captions, &self.kind) {
            (Some(captions), _) => Some(captions.texts.bytes_of(vertex as usize)),
            (None, Kind::Text(texts)) => Some(texts.bytes_of(vertex as usize)),
            _ => None,
        }
    }

    /// The label or id of a vertex where it is a text, whether or not that is its name.
    pub(crate) fn text(&self, vertex: u32) -> Option<&str> {
        match &self.kind {
            Kind::Text(texts) => Some(texts.get(vertex as usize)),
            _ => None,
        }
    }

    /// The label of a vertex where all are integers; 0 otherwise.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn integer(&self, vertex: usize) -> i64 {
        match &self.kind {
            Kind::Range { start, .. } => start + vertex as i64,
            Kind::Integers(ids) => ids[vertex],
            Kind::Text(_) => 0,
        }
    }

    /// Whether the vertex has a label of its own.
    pub fn is_labelled(&self, vertex: u32) -> bool {
        self.label_text(vertex) != Some("")
    }

    /// Whether every vertex is called by its label.
    pub fn are_names(&self) -> bool {
        match &self.captions {
            Some(_) => (0..self.len() as u32).all(|v| self.get(v) == self.label(v)),
            None => self.numbered().is_none(),
        }
    }

    /// Whether every vertex is called by an integer.
    pub fn names_are_integers(&self) -> bool {
        self.are_integers() && self.numbered().is_none()
    }

    /// Whether some vertices have ids that are neither their labels nor made of their numbers.
    pub fn have_ids(&self) -> bool {
        let own = |v: u32| self.get(v) != self.label(v) && number_in(&self.get(v)).is_none();
        self.captions.is_some() && (0..self.len() as u32).any(own)
    }

    /// Whether a vertex is called by its number.
    #[inline]
    pub(crate) fn is_numbered(&self, vertex: u32) -> bool {
        match &self.kind {
            Kind::Range { .. } => false,
            _ => self.numbered().is_some_and(|bits| bits.has(vertex)),
        }
    }

    fn numbered(&self) -> Option<&Bits> {
        self.numbered.get_or_init(|| self.find_numbered()).as_ref()
    }

    fn find_numbered(&self) -> Option<Bits> {
        if self.captions.is_some() {
            return None;
        }
        let n = self.len();
        match &self.kind {
            Kind::Range { .. } => None,
            Kind::Integers(_) if self.are_unique() => None,
            Kind::Integers(ids) => {
                let shared = |id| matches!(self.find_integer(id), Lookup::Ambiguous(..));
                Some(Bits::of(n, |v| shared(ids[v as usize])))
            }
            Kind::Text(texts) => {
                let all = (0..n).all(|v| !texts.get(v).is_empty());
                if all && self.are_unique() {
                    return None;
                }
                let unfit = |text: &str| {
                    let shared =
                        || matches!(self.index().find_text(texts, text), Lookup::Ambiguous(..));
                    text.is_empty() || number_in(text).is_some() || (!self.are_unique() && shared())
                };
                Some(Bits::of(n, |v| unfit(texts.get(v as usize))))
            }
        }
    }

    /// Whether no two vertices share a label, or an id where there are ids.
    pub fn are_unique(&self) -> bool {
        *self.unique.get_or_init(|| {
            matches!(self.kind, Kind::Range { .. }) || self.index().ambiguous.is_empty()
        })
    }

    /// The vertex that a name or a label names. The first lookup builds the index.
    pub fn find(&self, name: &str) -> Lookup {
        if let Some(vertex) = number_in(name).filter(|&v| self.is_numbered(v)) {
            return Lookup::Vertex(vertex);
        }
        let found = match &self.kind {
            Kind::Text(texts) => self.index().find_text(texts, name),
            _ => canonical(name.as_bytes()).map_or(Lookup::Unknown, |id| self.find_integer(id)),
        };
        match &self.captions {
            Some(captions) if found == Lookup::Unknown => {
                let index = captions.index.get_or_init(|| Index::of_texts(&captions.texts).into());
                index.find_text(&captions.texts, name)
            }
            _ => found,
        }
    }

    /// What [`Labels::find`] finds for as many names as `found` has places: [`NONE`] where that is
    /// not one vertex. All labels are names.
    pub(crate) fn find_each<'a>(&self, name: impl Fn(usize) -> Cow<'a, [u8]>, found: &mut [u32]) {
        match &self.kind {
            Kind::Text(texts) => self.index().find_texts(texts, name, found),
            _ => {
                for (i, found) in found.iter_mut().enumerate() {
                    let number = canonical(&name(i)).map(|id| self.find_integer(id));
                    *found = number.and_then(Lookup::vertex).unwrap_or(NONE);
                }
            }
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

    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            Arc::new(match &self.kind {
                Kind::Text(texts) => Index::of_texts(texts),
                Kind::Integers(ids) => Index::of_integers(ids),
                Kind::Range { .. } => Index::of_integers(&[]),
            })
        })
    }

    /// Frees the index; the next lookup builds it again.
    pub fn forget_index(&mut self) {
        self.index = OnceLock::new();
    }
}

/// The number in a name `#17`.
fn number_in(name: &str) -> Option<u32> {
    let number = name.strip_prefix('#').and_then(|digits| canonical(digits.as_bytes()));
    number.and_then(|v| u32::try_from(v).ok())
}

impl PartialEq for Labels {
    /// The same names, and the same labels.
    fn eq(&self, other: &Labels) -> bool {
        let same = |v: u32| self.get(v) == other.get(v) && self.label(v) == other.label(v);
        self.len() == other.len() && (0..self.len() as u32).all(same)
    }
}
