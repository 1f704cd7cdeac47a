//! Products of residues, affine maps and 2×2 matrices.
//!
//! Composition reads from the left as functions are written: `combine(f, g)` is
//! `x ↦ f(g(x))`, and for matrices the product `f g`. A rootfix therefore maps
//! coordinates at a vertex to those at the root.

use super::Operator;
use crate::{Commutative, Monoid};

#[inline(always)]
fn times(a: u64, b: u64, m: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(m)) as u64
}

#[inline(always)]
fn plus(a: u64, b: u64, m: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) % u128::from(m)) as u64
}

macro_rules! modular {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug, Clone, Copy)]
        pub struct $name {
            modulus: u64,
        }

        impl $name {
            /// The operator modulo `modulus`; none when that is zero.
            pub const fn new(modulus: u64) -> Option<Self> {
                if modulus == 0 { None } else { Some($name { modulus }) }
            }

            /// The modulus.
            pub const fn modulus(&self) -> u64 {
                self.modulus
            }
        }
    };
}

modular!(ProductModulo, "The product of residues.");
modular!(AffineModulo, "Composition of affine maps `[a, b]`: `x ↦ a x + b`, modulo a number.");
modular!(MatrixModulo, "The product of 2×2 matrices `[a, b, c, d]` (rows), modulo a number.");

impl Monoid for ProductModulo {
    type Elem = u64;
    #[inline(always)]
    fn identity(&self) -> u64 {
        1 % self.modulus
    }
    #[inline(always)]
    fn combine(&self, left: u64, right: u64) -> u64 {
        times(left, right, self.modulus)
    }
}

impl Commutative for ProductModulo {}

impl Operator for ProductModulo {}

impl Monoid for AffineModulo {
    type Elem = [u64; 2];
    #[inline(always)]
    fn identity(&self) -> [u64; 2] {
        [1 % self.modulus, 0]
    }
    #[inline(always)]
    fn combine(&self, [a, b]: [u64; 2], [c, d]: [u64; 2]) -> [u64; 2] {
        let m = self.modulus;
        [times(a, c, m), plus(times(a, d, m), b, m)]
    }
}

impl Operator for AffineModulo {}

impl Monoid for MatrixModulo {
    type Elem = [u64; 4];
    #[inline(always)]
    fn identity(&self) -> [u64; 4] {
        let one = 1 % self.modulus;
        [one, 0, 0, one]
    }
    #[inline(always)]
    fn combine(&self, [a, b, c, d]: [u64; 4], [e, f, g, h]: [u64; 4]) -> [u64; 4] {
        let m = self.modulus;
        let dot = |x, y, z, w| plus(times(x, y, m), times(z, w, m), m);
        [dot(a, e, b, g), dot(a, f, b, h), dot(c, e, d, g), dot(c, f, d, h)]
    }
}

impl Operator for MatrixModulo {}

/// Composition of affine maps `[a, b]`: `x ↦ a x + b`, in floating point.
#[derive(Debug, Clone, Copy, Default)]
pub struct Affine;

impl Monoid for Affine {
    type Elem = [f64; 2];
    #[inline(always)]
    fn identity(&self) -> [f64; 2] {
        [1.0, 0.0]
    }
    #[inline(always)]
    fn combine(&self, [a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
        [a * c, a * d + b]
    }
}

impl Operator for Affine {}

/// The product of 2×2 matrices `[a, b, c, d]` (rows), in floating point.
#[derive(Debug, Clone, Copy, Default)]
pub struct Matrix;

impl Monoid for Matrix {
    type Elem = [f64; 4];
    #[inline(always)]
    fn identity(&self) -> [f64; 4] {
        [1.0, 0.0, 0.0, 1.0]
    }
    #[inline(always)]
    fn combine(&self, [a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> [f64; 4] {
        [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h]
    }
}

impl Operator for Matrix {}
