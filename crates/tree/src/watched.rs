//! Operators that note, while a pass runs, what asks for another look at its answers.
//!
//! Sums of integers may wrap, and sums of floats may not be finite. A second sweep that looks for
//! either costs as much as half the pass; here the additions tell, which on one thread costs nothing
//! that can be measured.

use palmette_core::Monoid;
use palmette_core::operator::{Number, Sum};

/// An operator whose combinations are watched.
pub(crate) trait Watched: Monoid {
    /// What was noted.
    type Note: Copy + Default;
    /// Whether what is noted of an element shows in all that it is combined into.
    const LASTS: bool;
    /// The product; notes what is wrong with it.
    fn noting(&self, left: Self::Elem, right: Self::Elem, note: &mut Self::Note) -> Self::Elem;
    /// Notes what is wrong with an element that was not made here.
    fn note(&self, x: Self::Elem, note: &mut Self::Note);
    /// Whether anything was noted.
    fn noted(notes: &[Self::Note]) -> bool;
}

/// Sums, watched.
impl<T: Number> Watched for Sum<T> {
    type Note = T::Trouble;
    const LASTS: bool = T::LASTS;
    #[inline(always)]
    fn noting(&self, left: T, right: T, note: &mut T::Trouble) -> T {
        left.add_noting(right, note)
    }
    #[inline(always)]
    fn note(&self, x: T, note: &mut T::Trouble) {
        x.note(note);
    }
    fn noted(notes: &[T::Trouble]) -> bool {
        notes.iter().any(|&note| T::is_trouble(note))
    }
}

/// Any operator, with nothing to note.
pub(crate) struct Unwatched<'a, M>(pub(crate) &'a M);

impl<M: Monoid> Monoid for Unwatched<'_, M> {
    type Elem = M::Elem;
    #[inline(always)]
    fn identity(&self) -> M::Elem {
        self.0.identity()
    }
    #[inline(always)]
    fn combine(&self, left: M::Elem, right: M::Elem) -> M::Elem {
        self.0.combine(left, right)
    }
}

impl<M: Monoid> Watched for Unwatched<'_, M> {
    type Note = ();
    const LASTS: bool = false;
    #[inline(always)]
    fn noting(&self, left: M::Elem, right: M::Elem, _note: &mut ()) -> M::Elem {
        self.0.combine(left, right)
    }
    #[inline(always)]
    fn note(&self, _x: M::Elem, _note: &mut ()) {}
    fn noted(_notes: &[()]) -> bool {
        false
    }
}
