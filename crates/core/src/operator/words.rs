//! Elements as words of 64 bits: what goes between ranks, and what engines that are compiled
//! once for many types work on.

use crate::memory::{huge_collect, words_of};
use std::borrow::Cow;

/// An element as `N` words, and back.
pub trait Words<const N: usize>: Copy + Send + Sync {
    /// Its words.
    fn to_words(self) -> [u64; N];
    /// The element with these words.
    fn from_words(words: [u64; N]) -> Self;
    /// The words of all elements, where they lie if they are words already.
    fn all_words(elements: &[Self]) -> Cow<'_, [[u64; N]]> {
        Cow::Owned(huge_collect(elements.len(), |v| elements[v].to_words()))
    }
}

macro_rules! one_word {
    ($($t:ty: $to:expr, $from:expr;)*) => {$(
        impl Words<1> for $t {
            #[inline(always)]
            fn to_words(self) -> [u64; 1] {
                let to: fn($t) -> u64 = $to;
                [to(self)]
            }
            #[inline(always)]
            fn from_words([word]: [u64; 1]) -> $t {
                let from: fn(u64) -> $t = $from;
                from(word)
            }
            fn all_words(elements: &[$t]) -> Cow<'_, [[u64; 1]]> {
                let copied = || huge_collect(elements.len(), |v| elements[v].to_words());
                words_of(elements).map_or_else(|| Cow::Owned(copied()), Cow::Borrowed)
            }
        }
    )*};
}
one_word! {
    i64: |x| x as u64, |w| w as i64;
    u64: |x| x, |w| w;
    f64: f64::to_bits, f64::from_bits;
    f32: |x| x.to_bits().into(), |w| f32::from_bits(w as u32);
    u32: |x| x.into(), |w| w as u32;
}

impl<S: Words<1>, T: Words<1>> Words<2> for (S, T) {
    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        [self.0.to_words()[0], self.1.to_words()[0]]
    }
    #[inline(always)]
    fn from_words([first, second]: [u64; 2]) -> Self {
        (S::from_words([first]), T::from_words([second]))
    }
}

impl<T: Words<1>, const N: usize> Words<N> for [T; N] {
    #[inline(always)]
    fn to_words(self) -> [u64; N] {
        self.map(|x| x.to_words()[0])
    }
    #[inline(always)]
    fn from_words(words: [u64; N]) -> Self {
        words.map(|w| T::from_words([w]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lie_where_numbers_of_64_bits_are() {
        fn same<T: Words<1> + std::fmt::Debug + PartialEq>(x: &[T], lent: bool) {
            let words = T::all_words(x);
            assert_eq!(matches!(words, Cow::Borrowed(_)), lent);
            let one_by_one: Vec<[u64; 1]> = x.iter().map(|x| x.to_words()).collect();
            assert_eq!(words[..], one_by_one);
            assert!(words.iter().zip(x).all(|(&words, x)| T::from_words(words) == *x));
        }
        same(&[i64::MIN, -1, 0, 7], true);
        same(&[u64::MAX, 0], true);
        same(&[-0.5, f64::MAX, 0.0], true);
        same(&[-0.5f32, 3.0], false);
        same(&[7u32], false);
        assert_eq!(<(i64, u32)>::all_words(&[(-1, 2)])[..], [[u64::MAX, 2]]);
    }
}
