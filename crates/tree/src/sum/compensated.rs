//! **Problem.** Sums that are nearly as good as if computed in twice the precision, with an
//! operator that any engine can take.
//!
//! **Method.** f32 is carried in f64; f64 in pairs of the rounded sum and the sum of losses
//! ([`Float::join`]); one rounding at the end. A pair is not normalised: its first number is
//! the plain sum in the same brackets, so that a chain of additions waits no longer than plain
//! ones do.
//!
//! **Guarantee.** The operator is not associative; the brackets show, but no further than
//! this. Let every term pass through at most h additions, A be the sum of magnitudes, s the
//! exact sum, U the unit of the type, u = 2^-53, and h u ≤ 1/8. Then the answer differs from
//! s by at most
//!
//! | values | bound |
//! |---|---|
//! | f32 | U \|s\| + 2 h u A |
//! | f64 | U \|s\| + 4 (h u)² A |
//!
//! as long as A does not overflow. So condition numbers A/|s| up to about 2^29 / h for f32
//! and 2^53 / h² for f64 do no harm. docs/accuracy.md derives it; the sharper bound that
//! goes with each answer is in `bound.rs`.
//!
//! **Reference.** Ogita, Rump and Oishi, *Accurate sum and dot product*, 2005 (Sum2, here in
//! any brackets); Neumaier, 1974; Knuth, *TAOCP* 2, 4.2.2 (TwoSum).

use super::Float;
use super::blocks::Carrier;
use palmette_core::operator::{Operator, Sum};
use palmette_core::{Group, Monoid};
use std::marker::PhantomData;

/// The sum of wide numbers.
#[derive(Debug, Clone, Copy)]
pub struct Compensated<T>(PhantomData<T>);

impl<T> Compensated<T> {
    /// The operator.
    pub const fn new() -> Self {
        Compensated(PhantomData)
    }
}

impl<T> Default for Compensated<T> {
    fn default() -> Self {
        Compensated::new()
    }
}

impl<T: Float> Monoid for Compensated<T> {
    type Elem = T::Wide;
    #[inline(always)]
    fn identity(&self) -> T::Wide {
        T::ZERO.widen()
    }
    #[inline(always)]
    fn combine(&self, left: T::Wide, right: T::Wide) -> T::Wide {
        T::join(left, right)
    }
}

impl<T: Float> Group for Compensated<T> {
    #[inline(always)]
    fn inverse(&self, x: T::Wide) -> T::Wide {
        T::opposite(x)
    }
}

impl<T: Float> Operator for Compensated<T> {
    fn undo(&self, x: T::Wide) -> Option<T::Wide> {
        Some(T::opposite(x))
    }
}

impl<T: Float> Carrier for Compensated<T> {
    type Elem = T::Wide;
    type Value = T;
    type Answer = T;
    type Engine = Self;
    #[inline(always)]
    fn engine(&self) -> Self {
        *self
    }
    /// Zeros are positive.
    #[inline(always)]
    fn lift(&self, value: T) -> T::Wide {
        Sum::new().combine(T::ZERO, value).widen()
    }
    #[inline(always)]
    fn add(&self, sum: &mut T::Wide, value: T) {
        *sum = T::join(*sum, value.widen());
    }
    #[inline(always)]
    fn answer(&self, sum: T::Wide) -> T {
        T::narrow(sum)
    }
}
