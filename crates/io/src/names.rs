//! Texts numbered by first appearance.
//!
//! **Problem.** The number of a text among those seen so far, or the next one.
//! **Method.** Open addressing with linear probing as in `index.rs`, doubled when two
//! thirds full. A slot holds a number; beside it lie 32 bits of the hash, so that a
//! text is compared only where it is nearly certain to be the same.
//! **Cost.** Constant expected work per text and its length; 12 to 24 bytes per number,
//! the text and 4 more.
//! **Determinism.** Hashing is seedless.

use crate::index::{hash_text, probe};
use crate::texts::Texts;
use palmette_core::NONE;

pub(crate) struct Names {
    slots: Vec<u32>,
    hashes: Vec<u32>,
    texts: Texts,
}

impl Names {
    pub(crate) fn new() -> Names {
        Names { slots: vec![NONE; 16], hashes: Vec::new(), texts: Texts::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    pub(crate) fn get(&self, number: u32) -> &str {
        self.texts.get(number as usize)
    }

    /// The number of a text, and whether it is new.
    #[inline]
    pub(crate) fn number(&mut self, text: &str) -> (u32, bool) {
        let hash = hash_text(text.as_bytes());
        let high = (hash >> 32) as u32;
        let same = |v: u32| self.hashes[v as usize] == high && self.texts.get(v as usize) == text;
        // Slots come from the high half too, which is what a doubling has at hand.
        let slot = probe(&self.slots, u64::from(high), same);
        if self.slots[slot] != NONE {
            return (self.slots[slot], false);
        }
        let number = self.len() as u32;
        self.slots[slot] = number;
        self.hashes.push(high);
        self.texts.push(text);
        if 3 * self.len() > 2 * self.slots.len() {
            self.double();
        }
        (number, true)
    }

    fn double(&mut self) {
        let mut slots = vec![NONE; 2 * self.slots.len()];
        for (v, &hash) in self.hashes.iter().enumerate() {
            // All texts differ: the first empty slot is the right one.
            let slot = probe(&slots, u64::from(hash), |_| false);
            slots[slot] = v as u32;
        }
        self.slots = slots;
    }

    pub(crate) fn into_texts(self) -> Texts {
        self.texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_by_first_appearance() {
        let mut names = Names::new();
        for round in 0..2 {
            for v in 0..1000u32 {
                let new = round == 0;
                assert_eq!(names.number(&format!("n{}", v * v)), (v, new));
            }
        }
        assert_eq!((names.len(), names.get(3)), (1000, "n9"));
    }
}
