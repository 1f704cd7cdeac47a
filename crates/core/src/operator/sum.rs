//! Addition.

use super::{Number, Operator};
use crate::{Commutative, Group, Monoid};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The sum of numbers. Integers are added modulo their range, and the operator
/// remembers that some addition did not fit ([`Operator::overflowed`]).
///
/// Because addition modulo 2^64 is still a group, a result whose true value fits
/// is right even if a partial sum did not: whether that is so does not depend on
/// the engine, and is decided from the flag by an exact recount.
#[derive(Debug)]
pub struct Sum<T> {
    overflowed: AtomicBool,
    number: PhantomData<T>,
}

impl<T> Sum<T> {
    /// A sum that has not overflowed.
    pub const fn new() -> Self {
        Sum { overflowed: AtomicBool::new(false), number: PhantomData }
    }
}

impl<T> Default for Sum<T> {
    fn default() -> Self {
        Sum::new()
    }
}

impl<T: Number> Monoid for Sum<T> {
    type Elem = T;
    #[inline(always)]
    fn identity(&self) -> T {
        T::ZERO
    }
    #[inline(always)]
    fn combine(&self, left: T, right: T) -> T {
        let (sum, overflow) = left.add(right);
        if overflow {
            self.overflowed.store(true, Relaxed);
        }
        sum
    }
}

impl<T: Number> Group for Sum<T> {
    #[inline(always)]
    fn inverse(&self, x: T) -> T {
        // What has no negative of its own type, such as the smallest integer, is its
        // own inverse modulo the range.
        let negative = x.negate();
        self.combine(x, negative);
        negative
    }
}

impl<T: Number> Commutative for Sum<T> {}

impl<T: Number> Operator for Sum<T> {
    const COMMUTATIVE: bool = true;
    const QUICK: bool = T::WHOLE;
    fn undo(&self, x: T) -> Option<T> {
        Some(self.inverse(x))
    }
    fn overflowed(&self) -> bool {
        self.overflowed.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_remembered() {
        let sum = Sum::<i64>::new();
        assert_eq!(sum.combine(i64::MAX - 1, 1), i64::MAX);
        assert!(!sum.overflowed());
        assert_eq!(sum.combine(i64::MAX, 1), i64::MIN);
        assert!(sum.overflowed());
        let float = Sum::<f64>::new();
        assert_eq!(float.combine(f64::MAX, f64::MAX), f64::INFINITY);
        assert!(!float.overflowed());
    }
}
