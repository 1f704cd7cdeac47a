//! Smallest and largest, with or without the vertex: numbers are compared as unsigned words.

use super::{Kernel, Packed};
use crate::Element;
use palmette_core::operator::{ArgMax, ArgMin, Max, Min};

/// Unsigned words in the order of the numbers, from the words of an element; the last is the
/// most significant. Zeros of either sign are equal, as they are on the host.
trait Keyed: Element {
    /// The type of the words and of the key.
    const KEY_TYPE: &'static str;
    /// A WGSL expression of the word(s) `NAME`.
    const KEY: &'static str;
}

const SIGNED: &str = "(NAME ^ 0x80000000u)";
const SIGNED_PAIR: &str = "(NAME ^ vec2<u32>(0u, 0x80000000u))";
/// A negative float has all bits turned, the others the sign.
const FLOAT: &str = "select(select(NAME ^ 0x80000000u, ~NAME, NAME > 0x80000000u), \
     0x80000000u, (NAME << 1u) == 0u)";
const FLOAT_PAIR: &str = "select(select(NAME ^ vec2<u32>(0u, 0x80000000u), ~NAME, \
     vec2<bool>((NAME.y >> 31u) == 1u)), vec2<u32>(0u, 0x80000000u), \
     vec2<bool>((NAME.y << 1u) == 0u && NAME.x == 0u))";

macro_rules! keyed {
    ($($t:ty, $type:literal, $key:expr;)*) => {$(
        impl Keyed for $t {
            const KEY_TYPE: &'static str = $type;
            const KEY: &'static str = $key;
        }
    )*};
}

keyed! {
    i32, "u32", SIGNED;
    u32, "u32", "NAME";
    f32, "u32", FLOAT;
    i64, "vec2<u32>", SIGNED_PAIR;
    u64, "vec2<u32>", "NAME";
    f64, "vec2<u32>", FLOAT_PAIR;
}

/// Lets for the keys of both operands, and whether the right one's is `sign` the left one's.
fn compare<T: Keyed>([left, right]: [&str; 2], sign: char) -> (String, String) {
    let key = |name: &str| T::KEY.replace("NAME", name);
    let better = match T::KEY_TYPE {
        "u32" => format!("b {sign} a"),
        _ => format!("(b.y {sign} a.y || (b.y == a.y && b.x {sign} a.x))"),
    };
    (format!("let a = {}; let b = {};", key(left), key(right)), better)
}

/// Takes the right operand when it is better.
fn extreme<T: Keyed>(sign: char) -> String {
    let (keys, better) = compare::<T>(["left", "right"], sign);
    format!("{keys} if {better} {{ return right; }} return left;")
}

/// The same for a number with its vertex; among equals the smaller vertex.
fn placed<T: Keyed>(sign: char) -> String {
    let (words, equal) = match T::KEY_TYPE {
        "u32" => ("x", "a == b"),
        _ => ("xy", "all(a == b)"),
    };
    let (keys, better) = compare::<T>(["one", "other"], sign);
    format!(
        "let one = left.{words}; let other = right.{words}; {keys} \
         if {better} || ({equal} && right.z < left.z) {{ return right; }} return left;"
    )
}

macro_rules! extremes {
    ($($t:ty)*) => {$(
        extremes!($t, Min, ArgMin, '<');
        extremes!($t, Max, ArgMax, '>');
    )*};
    ($t:ty, $op:ident, $placed:ident, $sign:literal) => {
        impl Kernel for $op<$t> {
            fn combine_wgsl(&self) -> String {
                extreme::<$t>($sign)
            }
            fn type_wgsl(&self) -> &'static str {
                <$t>::KEY_TYPE
            }
        }
        impl Kernel for Packed<$placed<$t>> {
            fn combine_wgsl(&self) -> String {
                placed::<$t>($sign)
            }
        }
    };
}

extremes!(i32 u32 f32 i64 u64 f64);
