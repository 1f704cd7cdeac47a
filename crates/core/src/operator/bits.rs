//! Bitwise operators: xor, and, or. Xor is a group, the others are monoids.

use super::{Integer, Operator};
use crate::{Commutative, Group, Monoid};
use std::marker::PhantomData;

macro_rules! bitwise {
    ($name:ident, $doc:literal, $identity:ident, $combine:ident) => {
        #[doc = concat!("Bitwise ", $doc, ".")]
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $name<T>(PhantomData<T>);

        impl<T> $name<T> {
            /// The operator.
            pub const fn new() -> Self {
                $name(PhantomData)
            }
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
    };
}

bitwise!(Xor, "exclusive or", ZERO, xor);
bitwise!(And, "and", ALL, and);
bitwise!(Or, "or", ZERO, or);

impl<T: Integer> Group for Xor<T> {
    #[inline(always)]
    fn inverse(&self, x: T) -> T {
        x
    }
}

impl<T: Integer> Operator for Xor<T> {
    const COMMUTATIVE: bool = true;
    const QUICK: bool = true;
    fn undo(&self, x: T) -> Option<T> {
        Some(x)
    }
}

impl<T: Integer> Operator for And<T> {
    const COMMUTATIVE: bool = true;
    const QUICK: bool = true;
}

impl<T: Integer> Operator for Or<T> {
    const COMMUTATIVE: bool = true;
    const QUICK: bool = true;
}
