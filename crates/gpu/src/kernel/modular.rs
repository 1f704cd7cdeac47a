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

impl Kernel for ProductModulo {
    fn combine_wgsl(&self) -> String {
        "return multiply_residues(left, right);".to_string()
    }

    fn helpers_wgsl(&self) -> String {
        residues(self.modulus())
    }

    fn loop_rounds(&self) -> usize {
        BITS
    }
}

impl Kernel for AffineModulo {
    fn combine_wgsl(&self) -> String {
        "let shift = add_residues(multiply_residues(left.xy, right.zw), left.zw); \
         return vec4<u32>(multiply_residues(left.xy, right.xy), shift);"
            .to_string()
    }

    fn helpers_wgsl(&self) -> String {
        residues(self.modulus())
    }

    fn loop_rounds(&self) -> usize {
        2 * BITS
    }
}

impl Kernel for Packed<RollingHash> {
    fn combine_wgsl(&self) -> String {
        "let hash = add_residues(multiply_residues(left.xy, right.zw), right.xy); \
         return vec4<u32>(hash, multiply_residues(left.zw, right.zw));"
            .to_string()
    }

    fn helpers_wgsl(&self) -> String {
        residues(HASH_MODULUS)
    }

    fn loop_rounds(&self) -> usize {
        2 * BITS
    }
}
