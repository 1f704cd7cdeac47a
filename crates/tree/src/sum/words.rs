//! Wide sums as words, to send them between ranks.

use super::fixed::Fixed;
use palmette_core::Monoid;
use palmette_core::operator::Words;

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
