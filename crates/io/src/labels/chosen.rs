//! Labels of some vertices, and labels of one tree looked up in those of another.

use super::{Kind, Labels};
use palmette_core::NONE;
use rayon::prelude::*;
use std::borrow::Cow;

/// Labels that a thread looks up at a time.
const STRETCH: usize = 1 << 14;

impl Labels {
    /// The labels of some vertices, in this order; names are found anew among them.
    ///
    /// ```
    /// use palmette_io::Labels;
    /// let all = Labels::texts(["ab", "a", "b", "ab"]);
    /// assert_eq!(all.chosen(&[3, 1]).get(0), "ab");
    /// ```
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn chosen(&self, vertices: &[u32]) -> Labels {
        match (&self.kind, &self.captions) {
            (Kind::Range { .. } | Kind::Integers(_), None) => {
                Labels::integers(vertices.iter().map(|&v| self.integer(v as usize)).collect())
            }
            (_, Some(captions)) => Labels::from_texts(captions.texts.chosen(vertices)),
            (Kind::Text(texts), None) => Labels::from_texts(texts.chosen(vertices)),
        }
    }

    /// For vertices of another tree, those here that have their labels; [`NONE`] where there is none. Labels here
    /// must be different from each other.
    ///
    /// # Panics
    /// When the other tree has no such vertex.
    pub fn find_labels(&self, other: &Labels, vertices: &[u32]) -> Vec<u32> {
        let mut found = vec![NONE; vertices.len()];
        let integers = self.are_integers() && other.are_integers() && other.captions.is_none();
        if !integers {
            // Made before threads ask for it.
            self.index();
        }
        let parts = found.par_chunks_mut(STRETCH).zip(vertices.par_chunks(STRETCH));
        parts.for_each(|(found, vertices)| {
            if integers {
                for (found, &v) in found.iter_mut().zip(vertices) {
                    let id = other.integer(v as usize);
                    *found = self.find_integer(id).vertex().unwrap_or(NONE);
                }
                return;
            }
            let name = |i: usize| -> Cow<'_, [u8]> {
                match other.label_bytes(vertices[i]) {
                    Some(text) => Cow::Borrowed(text),
                    None => Cow::Owned(other.label(vertices[i]).into_owned().into_bytes()),
                }
            };
            self.find_each(name, found);
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_in_those_of_another_tree() {
        let some = Labels::texts(["a", "b", "7", "c"]);
        let numbers = Labels::integers(vec![9, 7, 8]);
        assert_eq!(some.find_labels(&Labels::texts(["x", "c", "a"]), &[0, 1, 2]), [NONE, 3, 0]);
        assert_eq!(some.find_labels(&numbers, &[1, 0]), [2, NONE]);
        assert_eq!(numbers.find_labels(&some, &[2, 0]), [1, NONE]);
        assert_eq!(numbers.find_labels(&Labels::numbers(9), &[7, 3]), [1, NONE]);
        assert_eq!(numbers.chosen(&[2, 1]).integer(1), 7);
    }
}
