//! **Problem.** For every sum, a number that its error does not exceed, known before any sum
//! is computed: from the tree, the engine and the magnitudes of the values.
//!
//! **Method.** The engine runs once more, on bounds instead of numbers, so every addition
//! of the sums has its bound, whatever the engine's brackets are. An element has
//!
//! - the sum A of magnitudes,
//! - a bound E on the error of the plain sum, so that what is computed is at most A + E,
//! - a bound F on the error of the second number of a pair, which stands for a sum of losses
//!   of at most E.
//!
//! Adding two elements, with u the unit of the arithmetic and M = A₁ + E₁ + A₂ + E₂:
//!
//! ```text
//! A = A₁ + A₂        E = E₁ + E₂ + u M
//! W = E₁ + F₁ + E₂ + F₂        F = F₁ + F₂ + u W + u (W (1 + u) + u M)
//! ```
//!
//! Zeros are added without error. Every step is enlarged by more than its own rounding. Where
//! A + E reaches what the type holds, overflow cannot be excluded and E is infinite.
//!
//! **Cost.** A second pass, on three floats per vertex.
//!
//! **Reference.** The first-order form is E ≤ u Σ h |x|, with h the additions that a value
//! passes through: Higham, *Accuracy and Stability of Numerical Algorithms*, section 4.2. What
//! h is for each engine: docs/accuracy.md.

use super::Float;
use super::blocks::Carrier;
use palmette_core::operator::Operator;
use palmette_core::{Group, Monoid};
use rayon::prelude::*;
use std::marker::PhantomData;

/// More than the roundings of one step.
const UP: f64 = 1.0 + 16.0 * f64::EPSILON;

/// Bounds on sums of values of type `T`.
#[derive(Clone, Copy)]
pub(super) struct ErrorBound<T> {
    arithmetic: Arithmetic,
    of: PhantomData<T>,
}

/// What carries the sums.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic {
    unit: f64,
    /// The largest number that it holds.
    largest: f64,
}

impl<T: Float> ErrorBound<T> {
    /// For sums in the type itself.
    pub(super) fn plain() -> Self {
        let arithmetic = Arithmetic { unit: T::UNIT, largest: T::LARGEST };
        ErrorBound { arithmetic, of: PhantomData }
    }

    /// For sums in [`Float::Wide`].
    pub(super) fn wide() -> Self {
        let arithmetic = Arithmetic { unit: T::WIDE_UNIT, largest: f64::MAX };
        ErrorBound { arithmetic, of: PhantomData }
    }
}

impl Monoid for Arithmetic {
    /// A, E and F.
    type Elem = [f64; 3];
    #[inline(always)]
    fn identity(&self) -> [f64; 3] {
        [0.0; 3]
    }
    #[inline(always)]
    fn combine(&self, left: [f64; 3], right: [f64; 3]) -> [f64; 3] {
        if left[0] == 0.0 {
            return right;
        }
        if right[0] == 0.0 {
            return left;
        }
        let unit = self.unit;
        let magnitude = (left[0] + right[0]) * UP;
        let before = left[1] + right[1];
        let most = magnitude + before;
        let error = (before + unit * most) * UP;
        let error = if magnitude + error < self.largest { error } else { f64::INFINITY };
        let lost = left[2] + right[2];
        let losses = before + lost;
        let rounded = unit * losses + unit * (losses * (1.0 + unit) + unit * most);
        [magnitude, error, (lost + rounded) * UP]
    }
}

impl Group for Arithmetic {
    /// A negative has the same bounds.
    #[inline(always)]
    fn inverse(&self, x: [f64; 3]) -> [f64; 3] {
        x
    }
}

impl Operator for Arithmetic {
    fn undo(&self, x: [f64; 3]) -> Option<[f64; 3]> {
        Some(x)
    }
}

impl<T: Float> Carrier for ErrorBound<T> {
    type Elem = [f64; 3];
    type Value = T;
    /// E and F.
    type Answer = [f64; 2];
    type Engine = Arithmetic;
    #[inline(always)]
    fn engine(&self) -> Arithmetic {
        self.arithmetic
    }
    #[inline(always)]
    fn add(&self, sum: &mut [f64; 3], value: T) {
        let size = value.as_f64().abs();
        let bound = if size.is_finite() { [size, 0.0, 0.0] } else { [f64::INFINITY; 3] };
        *sum = self.combine(*sum, bound);
    }
    #[inline(always)]
    fn answer(&self, [_, error, lost]: [f64; 3]) -> [f64; 2] {
        [error, lost]
    }
}

/// The bound on a sum that was rounded once more, from its wide form.
pub(super) fn rounded<T: Float>(sum: T, [error, lost]: [f64; 2]) -> f64 {
    let wide = if T::PAIRS { lost } else { error };
    match error {
        // Nothing was added, or only zeros.
        0.0 => 0.0,
        f64::INFINITY => f64::INFINITY,
        _ => (sum.half_gap() + wide) * UP,
    }
}

/// The bounds on sums that are the nearest floats.
pub(super) fn of_exact<T: Float>(sums: &[T]) -> Vec<f64> {
    let half_gap = |sum: &T| if *sum == T::ZERO { 0.0 } else { sum.half_gap() };
    sums.par_iter().map(half_gap).collect()
}
