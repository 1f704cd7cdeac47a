//! Addition: wrapping for integers, IEEE 754 for floats. A group.

use super::{Number, Operator};
use crate::{Commutative, Group, Monoid};

of_elements! {
    /// The sum of numbers; of integers modulo their range.
    ///
    /// Addition modulo 2^64 is still a group, so a result whose true value fits is
    /// right even if a partial sum did not: whether that is so does not depend on the
    /// engine. [`Operator::may_overflow`] tells beforehand, by the sum of all magnitudes,
    /// whether any result can fail to fit; only then is an exact recount needed. The
    /// passes themselves thus check nothing.
    Sum
}

impl<T: Number> Monoid for Sum<T> {
    type Elem = T;
    #[inline(always)]
    fn identity(&self) -> T {
        T::ZERO
    }
    #[inline(always)]
    fn combine(&self, left: T, right: T) -> T {
        left.add(right)
    }
}

impl<T: Number> Group for Sum<T> {
    #[inline(always)]
    fn inverse(&self, x: T) -> T {
        x.negate()
    }
}

impl<T: Number> Commutative for Sum<T> {}

impl<T: Number> Operator for Sum<T> {
    const QUICK: bool = T::WHOLE;
    const STREAMS: bool = true;
    const COMMUTES: bool = true;
    fn undo(&self, x: T) -> Option<T> {
        Some(self.inverse(x))
    }
    fn may_overflow(&self, values: &[T]) -> bool {
        T::exceed(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_seen_beforehand() {
        let sum = Sum::<i64>::new();
        assert!(!sum.may_overflow(&[i64::MAX - 1, -1]) && sum.may_overflow(&[i64::MAX, -1]));
        assert!(sum.may_overflow(&[i64::MIN]), "it has no negative");
        assert_eq!(sum.combine(i64::MAX, 1), i64::MIN);
        let unsigned = Sum::<u64>::new();
        assert!(!unsigned.may_overflow(&[u64::MAX]) && unsigned.may_overflow(&[u64::MAX, 1]));
        assert!(!Sum::<f64>::new().may_overflow(&[f64::MAX, f64::MAX]));
    }
}
