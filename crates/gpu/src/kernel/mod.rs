//! Operators that devices run.
//!
//! | operator | elements |
//! |---|---|
//! | [`Sum`] | `i32`, `u32`, `f32`; `i64` and `u64` by pairs of words |
//! | [`Min`](palmette_core::operator::Min), [`Max`](palmette_core::operator::Max) | the same and `f64`; floats are compared as integers, so that infinities are safe |
//! | [`Xor`], [`And`], [`Or`] | `i32`, `u32`, `i64`, `u64` |
//! | [`ProductModulo`](palmette_core::operator::ProductModulo), [`AffineModulo`](palmette_core::operator::AffineModulo) | residues, by pairs of words |
//! | [`Packed`]`<ArgMin<_>>`, `<ArgMax<_>>` | the numbers of `Min`, with a vertex |
//! | [`Packed`]`<RollingHash>` | hash and power |
//!
//! One's own operator is a [`Monoid`] whose `combine` is also written in WGSL:
//!
//! ```
//! use palmette_core::Monoid;
//! use palmette_gpu::Kernel;
//! /// Maps x ↦ a x + b modulo 2^32.
//! struct Affine;
//! impl Monoid for Affine {
//!     type Elem = [u32; 2];
//!     fn identity(&self) -> [u32; 2] {
//!         [1, 0]
//!     }
//!     fn combine(&self, [a, b]: [u32; 2], [c, d]: [u32; 2]) -> [u32; 2] {
//!         [a.wrapping_mul(c), a.wrapping_mul(d).wrapping_add(b)]
//!     }
//! }
//! impl Kernel for Affine {
//!     fn combine_wgsl(&self) -> String {
//!         "return vec2<u32>(left.x * right.x, left.x * right.y + left.y);".to_string()
//!     }
//! }
//! ```

mod extreme;
mod flip;
mod law;
mod modular;
mod packed;

pub(crate) use flip::Flip;
pub(crate) use law::{Law, MOST_WORDS};
pub use packed::{Pack, Packed};

use crate::Element;
use palmette_core::operator::{And, Or, Sum, Xor};
use palmette_core::{Group, Monoid};

/// An operator with a kernel.
pub trait Kernel: Monoid<Elem: Element> {
    /// The body of `fn combine(left: Elem, right: Elem) -> Elem` in WGSL. It must compute what
    /// [`Monoid::combine`] does; tests compare the two.
    fn combine_wgsl(&self) -> String;

    /// The type `Elem` in WGSL, of as many words as the element has.
    fn type_wgsl(&self) -> &'static str {
        <Self::Elem as Element>::WGSL
    }

    /// Functions and constants that [`Kernel::combine_wgsl`] uses; `Elem` and `combine` are known.
    fn helpers_wgsl(&self) -> String {
        String::new()
    }

    /// Rounds of loops in one combination at most. Drivers end kernels that loop for long.
    fn loop_rounds(&self) -> usize {
        0
    }

    /// Whether infinities are safe: kernels without float arithmetic treat them as bits.
    fn takes_infinity(&self) -> bool {
        !self.type_wgsl().contains("f32")
    }
}

/// An operator with a kernel and inverses.
pub trait GroupKernel: Kernel + Group {
    /// The body of `fn inverse(x: Elem) -> Elem` in WGSL.
    fn inverse_wgsl(&self) -> String;
}

const ADD_PAIRS: &str = "let low = left.x + right.x; \
     return vec2<u32>(low, left.y + right.y + select(0u, 1u, low < left.x));";
const NEGATE_PAIR: &str =
    "let low = ~x.x + 1u; return vec2<u32>(low, ~x.y + select(0u, 1u, low == 0u));";

macro_rules! kernels {
    ($($op:ty, $combine:expr;)*) => {$(
        impl Kernel for $op {
            fn combine_wgsl(&self) -> String {
                $combine.to_string()
            }
        }
    )*};
}

macro_rules! groups {
    ($($op:ty, $combine:expr, $inverse:expr;)*) => {$(
        kernels! { $op, $combine; }
        impl GroupKernel for $op {
            fn inverse_wgsl(&self) -> String {
                $inverse.to_string()
            }
        }
    )*};
}

groups! {
    Sum<i32>, "return left + right;", "return -x;";
    Sum<u32>, "return left + right;", "return 0u - x;";
    Sum<f32>, "return left + right;", "return -x;";
    Sum<i64>, ADD_PAIRS, NEGATE_PAIR;
    Sum<u64>, ADD_PAIRS, NEGATE_PAIR;
    Xor<i32>, "return left ^ right;", "return x;";
    Xor<u32>, "return left ^ right;", "return x;";
    Xor<i64>, "return left ^ right;", "return x;";
    Xor<u64>, "return left ^ right;", "return x;";
}

kernels! {
    And<i32>, "return left & right;";
    And<u32>, "return left & right;";
    And<i64>, "return left & right;";
    And<u64>, "return left & right;";
    Or<i32>, "return left | right;";
    Or<u32>, "return left | right;";
    Or<i64>, "return left | right;";
    Or<u64>, "return left | right;";
}
