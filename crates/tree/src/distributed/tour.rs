//! The Euler tour on one rank: stretches that stay there.
//!
//! Element `2v` enters vertex `v`, element `2v + 1` leaves it. A stretch begins where the
//! element before is on another rank, and at some elements chosen by a hash, so that long
//! stretches can be walked side by side.

use super::NO_VERTEX;
use super::children::Links;
use palmette_core::memory::prefetch;
use palmette_core::random::mixed;
use std::ops::Range;

/// One stretch begins in about so many elements, wherever the tour comes from.
const SAMPLE: u64 = 256;

/// Stretches that are walked side by side, so that memory latency overlaps.
const CURSORS: usize = 16;

/// The successor of the last element.
pub(super) const END: u64 = u64::MAX;

/// The elements of a slice.
pub(super) struct Tour<'a> {
    pub(super) own: Range<u64>,
    pub(super) parents: &'a [u64],
    pub(super) links: &'a Links,
}

/// Where stretches begin, by element of the slice.
pub(super) struct Heads {
    bits: Vec<u64>,
    /// The heads before each word of bits.
    before: Vec<u32>,
    pub(super) elements: Vec<u32>,
}

/// What is known of a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    /// The vertices that it enters.
    pub(super) enters: u64,
    /// The element after it.
    pub(super) next: u64,
}

impl Tour<'_> {
    /// The element after one of the slice, which is given by its place there.
    #[inline]
    fn next(&self, element: u32) -> u64 {
        let v = (element / 2) as usize;
        if element.is_multiple_of(2) {
            match self.links.first_child[v] {
                NO_VERTEX => 2 * (self.own.start + v as u64) + 1,
                child => 2 * child,
            }
        } else {
            match (self.links.next_sibling[v], self.parents[v]) {
                (NO_VERTEX, NO_VERTEX) => END,
                (NO_VERTEX, parent) => 2 * parent + 1,
                (sibling, _) => 2 * sibling,
            }
        }
    }

    /// The place of an element in the slice.
    #[inline]
    pub(super) fn place(&self, element: u64) -> Option<u32> {
        self.own.contains(&(element / 2)).then(|| (element - 2 * self.own.start) as u32)
    }

    fn expect(&self, element: u32) {
        let v = (element / 2) as usize;
        if element.is_multiple_of(2) {
            prefetch(&self.links.first_child, v);
        } else {
            prefetch(&self.links.next_sibling, v);
            prefetch(self.parents, v);
        }
    }

    pub(super) fn heads(&self) -> Heads {
        let elements = 2 * self.parents.len();
        let mut bits = vec![!0u64; elements.div_ceil(64)];
        for element in 0..elements as u32 {
            if let Some(next) = self.place(self.next(element))
                && !mixed(2 * self.own.start + u64::from(next)).is_multiple_of(SAMPLE)
            {
                bits[next as usize / 64] &= !(1 << (next % 64));
            }
        }
        if let (rest @ 1.., Some(last)) = (elements % 64, bits.last_mut()) {
            *last &= (1 << rest) - 1;
        }
        let mut before = Vec::with_capacity(bits.len());
        let mut heads = Vec::new();
        for (k, &word) in bits.iter().enumerate() {
            before.push(heads.len() as u32);
            let mut rest = word;
            while rest != 0 {
                heads.push(64 * k as u32 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        Heads { bits, before, elements: heads }
    }

    /// Walks all stretches, and tells every element: its stretch, its place in the slice, and
    /// how many vertices the stretch has entered before it.
    pub(super) fn walk(
        &self,
        heads: &Heads,
        mut tell: impl FnMut(usize, u32, u64),
    ) -> Vec<Stretch> {
        let mut stretches = vec![Stretch { enters: 0, next: END }; heads.elements.len()];
        let mut waiting = heads.elements.iter().copied().enumerate();
        let mut cursors: Vec<(usize, u32, u64)> =
            waiting.by_ref().take(CURSORS).map(|(k, head)| (k, head, 0)).collect();
        let mut k = 0;
        while !cursors.is_empty() {
            k = if k + 1 < cursors.len() { k + 1 } else { 0 };
            let (stretch, element, enters) = cursors[k];
            tell(stretch, element, enters);
            let enters = enters + u64::from(element.is_multiple_of(2));
            let next = self.next(element);
            if let Some(place) = self.place(next).filter(|&place| !heads.has(place)) {
                self.expect(place);
                cursors[k] = (stretch, place, enters);
                continue;
            }
            stretches[stretch] = Stretch { enters, next };
            match waiting.next() {
                Some((stretch, head)) => {
                    self.expect(head);
                    cursors[k] = (stretch, head, 0);
                }
                None => {
                    cursors.swap_remove(k);
                }
            }
        }
        stretches
    }
}

impl Heads {
    #[inline]
    fn has(&self, element: u32) -> bool {
        self.bits[element as usize / 64] >> (element % 64) & 1 == 1
    }

    /// The number of the stretch that begins at an element.
    pub(super) fn number(&self, element: u32) -> usize {
        let (word, bit) = (element as usize / 64, element % 64);
        let below = self.bits[word] & ((1 << bit) - 1);
        (self.before[word] + below.count_ones()) as usize
    }
}
