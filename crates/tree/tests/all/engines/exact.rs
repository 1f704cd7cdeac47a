//! Operators whose answers are compared exactly, each with a second implementation.

use crate::engines::erased::Packed;
use crate::engines::family::Family;
use crate::engines::random::Random;
use palmette_core::operator::{
    AffineModulo, And, ArgMax, ArgMin, MatrixModulo, Max, Min, Operator, Or, ProductModulo,
    RollingHash, Sum, Xor,
};
use palmette_core::{Monoid, NONE};
use palmette_tree::Engine;
use std::fmt::Debug;

/// An exact operator beside its second implementation.
pub(crate) struct Exact<O: Monoid> {
    name: &'static str,
    op: fn() -> O,
    value: fn(&mut Random, u32) -> O::Elem,
    empty: O::Elem,
    join: fn(O::Elem, O::Elem) -> O::Elem,
}

impl<O: Operator<Elem: Packed + Debug + PartialEq>> Family for Exact<O> {
    type Value = O::Elem;
    type Op = O;
    type Reference = O::Elem;

    fn name(&self) -> &'static str {
        self.name
    }
    fn op(&self) -> O {
        (self.op)()
    }
    fn value(&self, random: &mut Random, vertex: u32) -> O::Elem {
        (self.value)(random, vertex)
    }
    fn empty(&self) -> O::Elem {
        self.empty
    }
    fn lift(&self, value: O::Elem) -> O::Elem {
        value
    }
    fn join(&self, left: O::Elem, right: O::Elem) -> O::Elem {
        (self.join)(left, right)
    }
    fn agrees(&self, _: Engine, _: O::Elem, expected: O::Elem, actual: O::Elem) -> bool {
        expected == actual
    }
}

/// The largest prime below 2^64: products need all 128 bits.
const LARGE: u64 = u64::MAX - 58;
const SMALL: u64 = 1_000_000_007;
const MERSENNE: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64, m: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(m)) as u64
}

fn plus(a: u64, b: u64, m: u64) -> u64 {
    ((u128::from(a) + u128::from(b)) % u128::from(m)) as u64
}

/// Few different numbers, so that there are ties.
fn few(random: &mut Random) -> i64 {
    random.below(9) as i64 - 4
}

fn any_i64(random: &mut Random, _: u32) -> i64 {
    random.bits() as i64
}

fn any_u64(random: &mut Random, _: u32) -> u64 {
    random.bits()
}

fn halves(random: &mut Random, _: u32) -> f64 {
    random.signed(30) as f64 / 2.0
}

pub(crate) fn sum_i64() -> Exact<Sum<i64>> {
    let join = i64::wrapping_add;
    Exact { name: "sum i64", op: Sum::new, value: any_i64, empty: 0, join }
}

pub(crate) fn sum_u64() -> Exact<Sum<u64>> {
    let join = u64::wrapping_add;
    Exact { name: "sum u64", op: Sum::new, value: any_u64, empty: 0, join }
}

pub(crate) fn min_i64() -> Exact<Min<i64>> {
    let join = std::cmp::min;
    Exact { name: "min i64", op: Min::new, value: any_i64, empty: i64::MAX, join }
}

pub(crate) fn min_f64() -> Exact<Min<f64>> {
    let join = f64::min;
    Exact { name: "min f64", op: Min::new, value: halves, empty: f64::INFINITY, join }
}

pub(crate) fn max_u64() -> Exact<Max<u64>> {
    let join = std::cmp::max;
    Exact { name: "max u64", op: Max::new, value: any_u64, empty: 0, join }
}

pub(crate) fn max_f64() -> Exact<Max<f64>> {
    let join = f64::max;
    Exact { name: "max f64", op: Max::new, value: halves, empty: f64::NEG_INFINITY, join }
}

pub(crate) fn arg_min() -> Exact<ArgMin<i64>> {
    let value = |random: &mut Random, v| (few(random), v);
    let join = std::cmp::min;
    Exact { name: "argmin", op: ArgMin::new, value, empty: (i64::MAX, NONE), join }
}

pub(crate) fn arg_max() -> Exact<ArgMax<i64>> {
    let value = |random: &mut Random, v| (few(random), v);
    let join = |a: (i64, u32), b: (i64, u32)| {
        std::cmp::max_by_key(a, b, |&(x, v)| (x, std::cmp::Reverse(v)))
    };
    Exact { name: "argmax", op: ArgMax::new, value, empty: (i64::MIN, NONE), join }
}

pub(crate) fn xor() -> Exact<Xor<u64>> {
    Exact { name: "xor", op: Xor::new, value: any_u64, empty: 0, join: |a, b| a ^ b }
}

pub(crate) fn and() -> Exact<And<u64>> {
    // Mostly ones: an answer over many vertices should not be zero.
    let value = |random: &mut Random, _| !(1 << random.below(64));
    Exact { name: "and", op: And::new, value, empty: u64::MAX, join: |a, b| a & b }
}

pub(crate) fn or() -> Exact<Or<i64>> {
    let value = |random: &mut Random, _| 1 << random.below(64);
    Exact { name: "or", op: Or::new, value, empty: 0, join: |a, b| a | b }
}

pub(crate) fn product() -> Exact<ProductModulo> {
    let op = || ProductModulo::new(LARGE).unwrap();
    let value = |random: &mut Random, _| random.below(LARGE);
    Exact { name: "product modulo", op, value, empty: 1, join: |a, b| times(a, b, LARGE) }
}

pub(crate) fn affine() -> Exact<AffineModulo> {
    let op = || AffineModulo::new(LARGE).unwrap();
    let value = |random: &mut Random, _| [random.below(LARGE), random.below(LARGE)];
    // f(g(x)) at x = 0 and at x = 1 says what the composed map is.
    let join = |f: [u64; 2], g: [u64; 2]| {
        let at = |[a, b]: [u64; 2], x: u64| plus(times(a, x, LARGE), b, LARGE);
        let (zero, one) = (at(f, at(g, 0)), at(f, at(g, 1)));
        [plus(one, LARGE - zero, LARGE), zero]
    };
    Exact { name: "affine modulo", op, value, empty: [1, 0], join }
}

pub(crate) fn matrix() -> Exact<MatrixModulo> {
    let op = || MatrixModulo::new(SMALL).unwrap();
    let value = |random: &mut Random, _| [0; 4].map(|_| random.below(SMALL));
    let join = |a: [u64; 4], b: [u64; 4]| {
        let mut c = [0; 4];
        for (i, j, k) in (0..8).map(|t| (t / 4, t / 2 % 2, t % 2)) {
            c[2 * i + k] = (c[2 * i + k] + a[2 * i + j] * b[2 * j + k]) % SMALL;
        }
        c
    };
    Exact { name: "matrix modulo", op, value, empty: [1, 0, 0, 1], join }
}

pub(crate) fn rolling_hash() -> Exact<RollingHash> {
    let op = || RollingHash::new(5);
    let value = |random: &mut Random, _| RollingHash::new(5).letter(random.bits());
    let join = |(a, s): (u64, u64), (b, t): (u64, u64)| {
        (plus(times(a, t, MERSENNE), b, MERSENNE), times(s, t, MERSENNE))
    };
    Exact { name: "rolling hash", op, value, empty: (0, 1), join }
}
