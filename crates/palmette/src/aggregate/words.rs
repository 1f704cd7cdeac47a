//! Operators behind a pointer, on elements of one, two or four words.
//!
//! There are some thirty pairs of an operator and a type, and ten engines for each.
//! Compiled one by one they cost minutes; as words they are three element types. A
//! combination then is a call through a pointer, about a nanosecond, which beside
//! reading and writing files is nothing; the sums, which are used most, do without
//! it (see `problem.rs`).

use palmette_core::Monoid;
use palmette_core::operator::Operator;
pub(super) use palmette_core::operator::Words;

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
