//! What carries sums, as the words that go between ranks.

use super::fixed::Fixed;
use palmette_core::Monoid;

/// A number as N words of 64 bits, and back.
pub trait Words<const N: usize>: Copy {
    /// Its words.
    fn to_words(self) -> [u64; N];
    /// The number of these words.
    fn from_words(words: [u64; N]) -> Self;
}

impl Words<1> for f32 {
    fn to_words(self) -> [u64; 1] {
        [self.to_bits().into()]
    }
    fn from_words([word]: [u64; 1]) -> f32 {
        f32::from_bits(word as u32)
    }
}

impl Words<1> for f64 {
    fn to_words(self) -> [u64; 1] {
        [self.to_bits()]
    }
    fn from_words([word]: [u64; 1]) -> f64 {
        f64::from_bits(word)
    }
}

impl Words<2> for (f64, f64) {
    fn to_words(self) -> [u64; 2] {
        [self.0.to_bits(), self.1.to_bits()]
    }
    fn from_words([sum, lost]: [u64; 2]) -> (f64, f64) {
        (f64::from_bits(sum), f64::from_bits(lost))
    }
}

impl Words<3> for [f64; 3] {
    fn to_words(self) -> [u64; 3] {
        self.map(f64::to_bits)
    }
    fn from_words(words: [u64; 3]) -> [f64; 3] {
        words.map(f64::from_bits)
    }
}

impl<const K: usize> Words<K> for Fixed<K> {
    fn to_words(self) -> [u64; K] {
        self.0
    }
    fn from_words(words: [u64; K]) -> Fixed<K> {
        Fixed(words)
    }
}

/// An operator on the words of its elements.
pub(super) struct InWords<'a, M, const N: usize>(pub(super) &'a M);

impl<M: Monoid<Elem: Words<N>>, const N: usize> Monoid for InWords<'_, M, N> {
    type Elem = [u64; N];
    #[inline]
    fn identity(&self) -> [u64; N] {
        self.0.identity().to_words()
    }
    #[inline]
    fn combine(&self, left: [u64; N], right: [u64; N]) -> [u64; N] {
        self.0.combine(Words::from_words(left), Words::from_words(right)).to_words()
    }
}
