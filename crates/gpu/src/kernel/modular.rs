//! Residues of up to 64 bits, by pairs of words.
//!
//! WGSL multiplies 32 bits: a product of residues is made of doublings and additions, as many as
//! the right factor has bits.

use super::{Kernel, Packed};
use palmette_core::operator::{AffineModulo, ProductModulo, RollingHash};

/// The prime that [`RollingHash`] takes residues of.
const HASH_MODULUS: u64 = (1 << 61) - 1;

/// Rounds of a product.
const BITS: usize = 64;

/// Sums and products of residues below a modulus.
fn residues(modulus: u64) -> String {
    format!(
        "const MODULUS = vec2<u32>({}u, {}u);\n{}",
        modulus as u32,
        modulus >> 32,
        include_str!("../wgsl/residues.wgsl")
    )
}

macro_rules! residual {
    ($($op:ty, |$own:ident| $modulus:expr, $rounds:expr, $combine:expr;)*) => {$(
        impl Kernel for $op {
            fn combine_wgsl(&self) -> String {
                $combine.to_string()
            }

            fn helpers_wgsl(&self) -> String {
                let $own = self;
                residues($modulus)
            }

            fn loop_rounds(&self) -> usize {
                $rounds
            }
        }
    )*};
}

residual! {
    ProductModulo, |op| op.modulus(), BITS, "return multiply_residues(left, right);";
    AffineModulo, |op| op.modulus(), 2 * BITS,
        "let shift = add_residues(multiply_residues(left.xy, right.zw), left.zw); \
         return vec4<u32>(multiply_residues(left.xy, right.xy), shift);";
    Packed<RollingHash>, |_op| HASH_MODULUS, 2 * BITS,
        "let hash = add_residues(multiply_residues(left.xy, right.zw), right.xy); \
         return vec4<u32>(hash, multiply_residues(left.zw, right.zw));";
}
