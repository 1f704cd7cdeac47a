//! The built-in operators.
//!
//! | operator | element | laws beyond a monoid |
//! |---|---|---|
//! | [`Sum`] | a number | commutative group |
//! | [`Min`], [`Max`] | a number | commutative |
//! | [`ArgMin`], [`ArgMax`] | a number and its vertex | commutative |
//! | [`Xor`] | an integer | commutative group |
//! | [`And`], [`Or`] | an integer | commutative |
//! | [`ProductModulo`] | a residue | commutative |
//! | [`Affine`], [`AffineModulo`] | `x ↦ a x + b` | |
//! | [`Matrix`], [`MatrixModulo`] | a 2×2 matrix | |
//! | [`RollingHash`] | a hash of a sequence | |
//!
//! To write your own, implement the two functions of [`Monoid`]; [`laws`]
//! checks it on samples.

/// Declares an operator that exists for many types of elements.
macro_rules! of_elements {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<T>(std::marker::PhantomData<T>);

        impl<T> $name<T> {
            /// The operator.
            pub const fn new() -> Self {
                $name(std::marker::PhantomData)
            }
        }

        impl<T> Default for $name<T> {
            fn default() -> Self {
                $name::new()
            }
        }
    };
}

mod bits;
mod extreme;
mod hash;
pub mod laws;
mod linear;
mod number;
mod sum;
mod words;

pub use bits::{And, Or, Xor};
pub use extreme::{ArgMax, ArgMin, Max, Min};
pub use hash::RollingHash;
pub use linear::{Affine, AffineModulo, Matrix, MatrixModulo, ProductModulo};
pub use number::{Integer, Number};
pub use sum::Sum;
pub use words::Words;

use crate::Monoid;

/// What an engine that is chosen at run time needs to know of an operator.
pub trait Operator: Monoid {
    /// Whether a combination takes about one cycle, so that a chain of them does
    /// not wait.
    const QUICK: bool = false;

    /// Whether a chain of combinations is about as fast as memory, so that on a path threads gain
    /// little.
    const STREAMS: bool = Self::QUICK;

    /// Whether elements may be combined in any order, so that a pass may work in place.
    const COMMUTES: bool = false;

    /// The element that undoes `x`, for groups.
    fn undo(&self, _x: Self::Elem) -> Option<Self::Elem> {
        None
    }

    /// Whether the product of some of these values may not fit the element type.
    /// False means that it cannot; true asks for a closer look: see [`Sum`].
    fn may_overflow(&self, _values: &[Self::Elem]) -> bool {
        false
    }
}
