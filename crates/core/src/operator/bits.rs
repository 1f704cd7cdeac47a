//! Bitwise operators: xor, and, or. Xor is a group, the others are monoids.

use super::{Integer, Operator};
use crate::{Commutative, Group, Monoid};

macro_rules! bitwise {
    ($name:ident, $doc:literal, $identity:ident, $combine:ident, { $($undo:tt)* }) => {
        of_elements! {
            #[doc = concat!("Bitwise ", $doc, ".")]
            $name
        }

        impl<T: Integer> Monoid for $name<T> {
            type Elem = T;
            #[inline(always)]
            fn identity(&self) -> T {
                T::$identity
            }
            #[inline(always)]
            fn combine(&self, left: T, right: T) -> T {
                left.$combine(right)
            }
        }

        impl<T: Integer> Commutative for $name<T> {}

        impl<T: Integer> Operator for $name<T> {
            const QUICK: bool = true;
            const COMMUTES: bool = true;
            $($undo)*
        }
    };
}

bitwise!(Xor, "exclusive or", ZERO, xor, {
    fn undo(&self, x: T) -> Option<T> {
        Some(x)
    }
});
bitwise!(And, "and", ALL, and, {});
bitwise!(Or, "or", ZERO, or, {});

impl<T: Integer> Group for Xor<T> {
    #[inline(always)]
    fn inverse(&self, x: T) -> T {
        x
    }
}
