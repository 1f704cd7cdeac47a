//! Operators that round, with bounds on what rounding can do.
//!
//! Let u be half the distance from 1 to the next number, and γ(k) = k u / (1 − k u).
//!
//! **Sums.** In whatever order m numbers are added, the error is at most
//! γ(m − 1) Σ|x|: every number passes through at most m − 1 additions, each of which
//! multiplies by a factor within 1 ± u (Higham, *Accuracy and Stability of Numerical
//! Algorithms*, section 4.2). Adding the identity is exact. The checker adds without
//! any error, because all values are whole multiples of 2^-[`SHIFT`]; sums of such
//! numbers stay so when they are rounded, so that the error itself is exact, too.
//!
//! **Euler engine.** A rootfix is one prefix sum over at most 2n numbers with
//! Σ|·| ≤ 2S, where S is the sum of |x| over *all* vertices: error ≤ 2 γ(2n) S. A
//! leaffix is the difference of two prefix sums over n numbers, each with error
//! ≤ γ(n) S, and the subtraction adds u times at most 2 (1 + γ(n)) S: together at
//! most 2 γ(n + 1) S. Both are below 2 γ(2n + 1) S.
//!
//! **Matrices.** An entry of a product of two is a sum of two products: its error is
//! at most γ(2) times the entry of |A| |B|. By induction, whatever the association, the
//! error of a product of m is at most γ(2 (m − 1)) |A₁| … |A_m|, entry by entry. The
//! checker rounds as well, so the two may differ by twice that. An affine map is the
//! matrix with the second row 0 1. Values are between 1/4 and 1 so that products of
//! 200 neither overflow nor underflow.

use crate::engines::erased::Packed;
use crate::engines::family::Family;
use crate::engines::random::Random;
use palmette_core::operator::{Affine, Matrix, Number, Sum};
use palmette_tree::Engine;
use std::marker::PhantomData;

const SHIFT: u32 = 20;

fn gamma(k: f64, unit: f64) -> f64 {
    k * unit / (1.0 - k * unit)
}

/// For the rounding of the bounds themselves.
const SLACK: f64 = 1.0 + 1e-9;

/// A float type as sums need it.
pub(crate) trait Float: Number + Packed {
    const BITS: u64;
    const UNIT: f64;
    fn from_scaled(whole: i64) -> Self;
}

impl Float for f64 {
    const BITS: u64 = 52;
    const UNIT: f64 = f64::EPSILON / 2.0;
    fn from_scaled(whole: i64) -> f64 {
        whole as f64 / f64::from(1 << SHIFT)
    }
}

impl Float for f32 {
    const BITS: u64 = 23;
    const UNIT: f64 = f32::EPSILON as f64 / 2.0;
    fn from_scaled(whole: i64) -> f32 {
        whole as f32 / (1 << SHIFT) as f32
    }
}

/// Sums of floats.
pub(crate) struct FloatSum<T>(PhantomData<T>);

pub(crate) fn sum_f64() -> FloatSum<f64> {
    FloatSum(PhantomData)
}

pub(crate) fn sum_f32() -> FloatSum<f32> {
    FloatSum(PhantomData)
}

/// An exact sum, in multiples of 2^-[`SHIFT`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExactSum {
    sum: i128,
    absolute: i128,
    terms: u64,
}

impl<T: Float> Family for FloatSum<T> {
    type Value = T;
    type Op = Sum<T>;
    type Reference = ExactSum;

    fn name(&self) -> &'static str {
        if T::BITS == 52 { "sum f64" } else { "sum f32" }
    }
    fn op(&self) -> Sum<T> {
        Sum::new()
    }
    fn value(&self, random: &mut Random, _: u32) -> T {
        T::from_scaled(random.signed(T::BITS))
    }
    fn empty(&self) -> ExactSum {
        ExactSum { sum: 0, absolute: 0, terms: 0 }
    }
    fn lift(&self, value: T) -> ExactSum {
        let sum = (value.as_f64() * f64::from(1 << SHIFT)) as i128;
        ExactSum { sum, absolute: sum.abs(), terms: 1 }
    }
    fn join(&self, left: ExactSum, right: ExactSum) -> ExactSum {
        ExactSum {
            sum: left.sum + right.sum,
            absolute: left.absolute + right.absolute,
            terms: left.terms + right.terms,
        }
    }
    fn agrees(&self, engine: Engine, whole: ExactSum, expected: ExactSum, actual: T) -> bool {
        let error = (self.lift(actual).sum - expected.sum).abs() as f64;
        let bound = if engine == Engine::Euler {
            2.0 * gamma(2.0 * whole.terms as f64 + 1.0, T::UNIT) * whole.absolute as f64
        } else {
            gamma(expected.terms.saturating_sub(1) as f64, T::UNIT) * expected.absolute as f64
        };
        actual.as_f64().is_finite() && error <= bound * SLACK
    }
}

/// A product beside the product of the absolute values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    entries: [f64; 4],
    absolute: [f64; 4],
    factors: u32,
}

impl Product {
    fn one() -> Product {
        let entries = [1.0, 0.0, 0.0, 1.0];
        Product { entries, absolute: entries, factors: 0 }
    }

    fn factor(entries: [f64; 4]) -> Product {
        Product { entries, absolute: entries.map(f64::abs), factors: 1 }
    }

    fn times(self, other: Product) -> Product {
        let dot = |x: [f64; 4], y: [f64; 4], i: usize| {
            let (row, column) = (i / 2 * 2, i % 2);
            x[row] * y[column] + x[row + 1] * y[column + 2]
        };
        Product {
            entries: [0, 1, 2, 3].map(|i| dot(self.entries, other.entries, i)),
            absolute: [0, 1, 2, 3].map(|i| dot(self.absolute, other.absolute, i)),
            factors: self.factors + other.factors,
        }
    }

    fn agrees(self, actual: [f64; 4]) -> bool {
        let k = 2.0 * f64::from(self.factors.saturating_sub(1));
        let bound = 2.0 * gamma(k, <f64 as Float>::UNIT) * SLACK;
        (0..4).all(|i| (actual[i] - self.entries[i]).abs() <= bound * self.absolute[i])
    }
}

fn fraction(random: &mut Random) -> f64 {
    let magnitude = 0.25 + 0.75 * (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    if random.below(2) == 0 { magnitude } else { -magnitude }
}

macro_rules! rounded {
    ($family:ident, $name:literal, $op:ident, $value:ty, $draw:expr, $matrix:expr) => {
        pub(crate) struct $family;

        impl Family for $family {
            type Value = $value;
            type Op = $op;
            type Reference = Product;

            fn name(&self) -> &'static str {
                $name
            }
            fn op(&self) -> $op {
                $op
            }
            fn value(&self, random: &mut Random, _: u32) -> $value {
                $draw(random)
            }
            fn empty(&self) -> Product {
                Product::one()
            }
            fn lift(&self, value: $value) -> Product {
                Product::factor($matrix(value))
            }
            fn join(&self, left: Product, right: Product) -> Product {
                left.times(right)
            }
            fn agrees(&self, _: Engine, _: Product, expected: Product, actual: $value) -> bool {
                expected.agrees($matrix(actual))
            }
        }
    };
}

rounded!(
    AffineMaps,
    "affine f64",
    Affine,
    [f64; 2],
    |random: &mut Random| [fraction(random), fraction(random)],
    |[a, b]: [f64; 2]| [a, b, 0.0, 1.0]
);
rounded!(
    Matrices,
    "matrix f64",
    Matrix,
    [f64; 4],
    |random: &mut Random| [0; 4].map(|_| fraction(random)),
    |entries: [f64; 4]| entries
);
