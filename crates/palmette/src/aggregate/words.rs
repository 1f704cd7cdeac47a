//! Operators behind a pointer, on elements of one, two or four words.
//!
//! There are some thirty pairs of an operator and a type, and ten engines for each.
//! Compiled one by one they cost minutes; as words they are three element types. A
//! combination then is a call through a pointer, about a nanosecond, which beside
//! reading and writing files is nothing; the sums, which are used most, do without
//! it (see `problem.rs`).

use palmette_core::Monoid;
use palmette_core::operator::Operator;

/// An element as words, and back.
pub(super) trait Words<const N: usize>: Copy + Send + Sync {
    fn to_words(self) -> [u64; N];
    fn from_words(words: [u64; N]) -> Self;
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
        }
    )*};
}
one_word! {
    i64: |x| x as u64, |w| w as i64;
    u64: |x| x, |w| w;
    f64: f64::to_bits, f64::from_bits;
    f32: |x| x.to_bits().into(), |w| f32::from_bits(w as u32);
}

impl<T: Words<1>> Words<2> for (T, u32) {
    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        [self.0.to_words()[0], self.1.into()]
    }
    #[inline(always)]
    fn from_words([value, vertex]: [u64; 2]) -> Self {
        (T::from_words([value]), vertex as u32)
    }
}

impl Words<2> for (u64, u64) {
    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        self.into()
    }
    #[inline(always)]
    fn from_words(words: [u64; 2]) -> Self {
        words.into()
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

/// What engines ask of an operator, on words.
pub(super) trait WordOperator<const N: usize>: Sync {
    fn identity(&self) -> [u64; N];
    fn combine(&self, left: [u64; N], right: [u64; N]) -> [u64; N];
    fn undo(&self, x: [u64; N]) -> Option<[u64; N]>;
    /// The same operator for as long as the program runs: simulated processors know
    /// it, and they borrow nothing. Operators without parameters take no memory, the
    /// others a few words that are never freed.
    fn forever(&self) -> &'static dyn WordOperator<N>;
}

impl<const N: usize, M: Operator<Elem: Words<N>> + Copy + 'static> WordOperator<N> for M {
    fn identity(&self) -> [u64; N] {
        Monoid::identity(self).to_words()
    }
    fn combine(&self, left: [u64; N], right: [u64; N]) -> [u64; N] {
        Monoid::combine(self, Words::from_words(left), Words::from_words(right)).to_words()
    }
    fn undo(&self, x: [u64; N]) -> Option<[u64; N]> {
        Operator::undo(self, Words::from_words(x)).map(Words::to_words)
    }
    fn forever(&self) -> &'static dyn WordOperator<N> {
        Box::leak(Box::new(*self))
    }
}

/// A word operator as an operator again.
#[derive(Clone, Copy)]
pub(super) struct Erased<'a, const N: usize>(pub(super) &'a dyn WordOperator<N>);

impl<const N: usize> Monoid for Erased<'_, N> {
    type Elem = [u64; N];
    #[inline]
    fn identity(&self) -> [u64; N] {
        self.0.identity()
    }
    #[inline]
    fn combine(&self, left: [u64; N], right: [u64; N]) -> [u64; N] {
        self.0.combine(left, right)
    }
}

impl<const N: usize> Operator for Erased<'_, N> {
    fn undo(&self, x: [u64; N]) -> Option<[u64; N]> {
        self.0.undo(x)
    }
}
