//! Operators as values.
//!
//! An operator is a value, not a type alone, because one element type has many
//! operators and some take parameters at run time (a modulus). Each engine asks
//! for no more than it needs: a [`Monoid`] nearly everywhere, a [`Group`] for the
//! scan over the Euler tour, [`Commutative`] only where order is really lost.

/// An associative operator with an identity.
///
/// Laws, for all `a b c`: `combine(a, combine(b, c)) = combine(combine(a, b), c)`
/// and `combine(identity, a) = a = combine(a, identity)`. Floating-point sums
/// obey the first only up to rounding.
///
/// ```
/// use palmette_core::Monoid;
/// struct Longest;
/// impl Monoid for Longest {
///     type Elem = u32;
///     fn identity(&self) -> u32 { 0 }
///     fn combine(&self, left: u32, right: u32) -> u32 { left.max(right) }
/// }
/// assert_eq!(Longest.combine(Longest.identity(), 7), 7);
/// ```
pub trait Monoid: Sync {
    /// What the operator combines.
    type Elem: Copy + Send + Sync;
    /// The element that changes nothing.
    fn identity(&self) -> Self::Elem;
    /// `left ⊕ right`.
    fn combine(&self, left: Self::Elem, right: Self::Elem) -> Self::Elem;
}

/// A monoid whose elements can be undone: `combine(x, inverse(x)) = identity`.
pub trait Group: Monoid {
    /// The element that undoes `x`.
    fn inverse(&self, x: Self::Elem) -> Self::Elem;
}

/// A promise that `combine(a, b) = combine(b, a)`.
pub trait Commutative: Monoid {}

impl<M: Monoid> Monoid for &M {
    type Elem = M::Elem;
    #[inline]
    fn identity(&self) -> Self::Elem {
        (**self).identity()
    }
    #[inline]
    fn combine(&self, left: Self::Elem, right: Self::Elem) -> Self::Elem {
        (**self).combine(left, right)
    }
}

impl<M: Group> Group for &M {
    #[inline]
    fn inverse(&self, x: Self::Elem) -> Self::Elem {
        (**self).inverse(x)
    }
}

impl<M: Commutative> Commutative for &M {}
