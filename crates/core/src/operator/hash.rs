//! A hash of a sequence: two subtrees with equal hashes have, almost surely, the
//! same values in the same preorder.

use super::Operator;
use crate::Monoid;
use crate::random::{SPLIT_MIX_STEP, mixed};

/// 2^61 − 1, a Mersenne prime: reduction is a shift and an addition.
const PRIME: u64 = (1 << 61) - 1;

#[inline(always)]
fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    reduce((product as u64 & PRIME) + (product >> 61) as u64)
}

#[inline(always)]
fn reduce(x: u64) -> u64 {
    if x >= PRIME { x - PRIME } else { x }
}

/// The polynomial hash modulo 2^61 − 1 of a sequence of values, as the pair of the
/// hash and the power of the base that shifts past the sequence.
#[derive(Debug, Clone, Copy)]
pub struct RollingHash {
    base: u64,
}

impl RollingHash {
    /// The hash whose base comes from a seed.
    pub const fn new(seed: u64) -> Self {
        let drawn = mixed(seed.wrapping_add(SPLIT_MIX_STEP));
        RollingHash { base: 256 + drawn % (PRIME - 257) }
    }

    /// The element for one value.
    pub fn letter(&self, value: u64) -> (u64, u64) {
        // Zero would vanish at the front of a sequence.
        (value % (PRIME - 1) + 1, self.base)
    }
}

impl Monoid for RollingHash {
    type Elem = (u64, u64);
    #[inline(always)]
    fn identity(&self) -> (u64, u64) {
        (0, 1)
    }
    #[inline(always)]
    fn combine(&self, left: (u64, u64), right: (u64, u64)) -> (u64, u64) {
        (reduce(times(left.0, right.1) + right.0), times(left.1, right.1))
    }
}

impl Operator for RollingHash {}
