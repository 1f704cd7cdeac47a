//! Minimum and maximum, with or without the vertex that has it; ties go to the smallest vertex.

use super::{Number, Operator};
use crate::{Commutative, Monoid, NONE};

macro_rules! extreme {
    ($name:ident, $arg:ident, $doc:literal, $identity:ident, $better:tt) => {
        of_elements! {
            #[doc = concat!("The ", $doc, " number.")]
            $name
        }
        of_elements! {
            #[doc = concat!("The ", $doc, " number and its vertex; the smallest among equals.")]
            $arg
        }

        impl<T: Number> Monoid for $name<T> {
            type Elem = T;
            #[inline(always)]
            fn identity(&self) -> T {
                T::$identity
            }
            #[inline(always)]
            fn combine(&self, left: T, right: T) -> T {
                if right $better left { right } else { left }
            }
        }

        impl<T: Number> Monoid for $arg<T> {
            type Elem = (T, u32);
            #[inline(always)]
            fn identity(&self) -> (T, u32) {
                (T::$identity, NONE)
            }
            #[inline(always)]
            fn combine(&self, left: (T, u32), right: (T, u32)) -> (T, u32) {
                let closer = right.0 == left.0 && right.1 < left.1;
                if right.0 $better left.0 || closer { right } else { left }
            }
        }

        impl<T: Number> Commutative for $name<T> {}
        impl<T: Number> Commutative for $arg<T> {}
        impl<T: Number> Operator for $name<T> {
            // Floats have NaN and two zeros.
            const STREAMS: bool = T::WHOLE;
            const COMMUTES: bool = T::WHOLE;
        }
        impl<T: Number> Operator for $arg<T> {}
    };
}

extreme!(Min, ArgMin, "smallest", HIGHEST, <);
extreme!(Max, ArgMax, "largest", LOWEST, >);
