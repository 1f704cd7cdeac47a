//! **Problem.** Sums that are the exact ones, rounded once: the nearest float, ties to even.
//!
//! **Method.** All values are whole multiples of the last place of the smallest, so their
//! sums are whole numbers of a few words: two for doubles within a factor of 2^40, five for
//! 2^230 and for any f32, 34 for any double. Their window is found by a look at all values; adding whole numbers is
//! exact, associative and commutative, a group, and every engine takes it.
//!
//! **Cost.** Linear, with a factor for the number of words. The engines `sequential` and
//! `threads` carry sums in the cache (`blocks/`); the others hold up to three elements per vertex.
//!
//! **Determinism.** The answer is a function of the values that are summed: no engine, order or
//! number of threads shows in any bit.
//!
//! **Reference.** Kulisch's long accumulator, here as wide as the data need.

use super::blocks::Carrier;
use super::fixed::Fixed;
use super::{Float, SumParams, wide};
use crate::{Direction, TreefixError};
use palmette_core::{Group, Monoid, Tree};
use rayon::prelude::*;
use std::marker::PhantomData;

/// Sums of multiples of 2^`low` in K words.
#[derive(Clone, Copy)]
pub(super) struct Exact<T, const K: usize> {
    low: i32,
    of: PhantomData<T>,
}

impl<T, const K: usize> Exact<T, K> {
    pub(super) fn new(low: i32) -> Self {
        Exact { low, of: PhantomData }
    }
}

/// Addition of whole numbers.
#[derive(Clone, Copy)]
pub(super) struct Whole<const K: usize>;

impl<const K: usize> Monoid for Whole<K> {
    type Elem = Fixed<K>;
    #[inline(always)]
    fn identity(&self) -> Fixed<K> {
        Fixed::ZERO
    }
    #[inline(always)]
    fn combine(&self, left: Fixed<K>, right: Fixed<K>) -> Fixed<K> {
        left.plus(right)
    }
}

impl<const K: usize> Group for Whole<K> {
    #[inline(always)]
    fn inverse(&self, x: Fixed<K>) -> Fixed<K> {
        x.negative()
    }
}

impl<T: Float, const K: usize> Carrier for Exact<T, K> {
    type Elem = Fixed<K>;
    type Value = T;
    type Answer = T;
    type Engine = Whole<K>;
    #[inline(always)]
    fn engine(&self) -> Whole<K> {
        Whole
    }
    /// NaN and infinities are left to `special.rs`.
    #[inline(always)]
    fn add(&self, sum: &mut Fixed<K>, value: T) {
        if is_counted(value) {
            let (whole, exponent) = value.parts();
            sum.add_shifted(whole, (exponent - self.low) as u32);
        }
    }
    #[inline(always)]
    fn answer(&self, sum: Fixed<K>) -> T {
        T::nearest(sum.nearest(self.low, T::DIGITS, T::LOWEST_BIT))
    }
    /// One sum: additions touch two words, and nothing waits long.
    fn total(&self, values: &[T]) -> Fixed<K> {
        let mut sum = Fixed::ZERO;
        values.iter().for_each(|&value| self.add(&mut sum, value));
        sum
    }
}

/// Whether a value has digits.
#[inline(always)]
fn is_counted<T: Float>(value: T) -> bool {
    let value = value.as_f64();
    value != 0.0 && value.is_finite()
}

/// The exponents between which all digits of some values lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) low: i32,
    /// The first that is above all.
    pub(super) high: i32,
}

impl Window {
    /// That of no digits.
    pub(super) const NONE: Window = Window { low: i32::MAX, high: i32::MIN };

    pub(super) fn join(self, other: Window) -> Window {
        Window { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn of<T: Float>(values: &[T]) -> Window {
        let one = |&value: &T| {
            let (whole, low) = value.parts();
            let high = low + 64 - whole.unsigned_abs().leading_zeros() as i32;
            if is_counted(value) { Window { low, high } } else { Window::NONE }
        };
        values.par_iter().with_min_len(1 << 12).map(one).reduce(|| Window::NONE, Window::join)
    }

    /// The words that hold any sum in which each of n values is added and taken away.
    pub(super) fn words(self, n: usize) -> usize {
        if self == Window::NONE {
            return 0;
        }
        let terms = usize::BITS - (2 * n).leading_zeros();
        ((self.high - self.low) as usize + terms as usize + 1).div_ceil(64)
    }
}

/// Fills `out` with exact sums of the finite values, rounded.
pub(super) fn exact<T: Float>(
    tree: &Tree,
    direction: Direction,
    values: &[T],
    params: SumParams,
    out: &mut [T],
) -> Result<(), TreefixError> {
    let window = Window::of(values);
    let low = window.low;
    match window.words(values.len()) {
        0..=2 => wide(tree, direction, values, &Exact::<T, 2>::new(low), params, out),
        3..=5 => wide(tree, direction, values, &Exact::<T, 5>::new(low), params, out),
        _ => wide(tree, direction, values, &Exact::<T, 34>::new(low), params, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_as_wide_as_the_data() {
        assert_eq!(Window::of(&[1.0, 0.0, f64::NAN]), Window { low: -52, high: 1 });
        assert_eq!(Window::of(&[1e-320, 1.5]), Window { low: -1074, high: 1 });
        assert_eq!(Window::of(&[0.0f32]), Window::NONE);
        assert_eq!(Window::NONE.words(10), 0);
        let all = Window::of(&[f64::MAX, -f64::from_bits(1)]);
        assert_eq!((all, all.words(u32::MAX as usize)), (Window { low: -1074, high: 1024 }, 34));
        let single = Window::of(&[f32::MAX, f32::from_bits(1)]);
        assert_eq!(single.words(u32::MAX as usize), 5);
        assert_eq!(Window::of(&[1.0f32, 1e9]).words(10_000_000), 2);
    }
}
