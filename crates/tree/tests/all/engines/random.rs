//! A small generator, so that the inputs depend on nothing else.

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// A whole number of at most this many bits, of either sign: all magnitudes occur.
    pub(crate) fn signed(&mut self, bits: u64) -> i64 {
        let magnitude = (self.bits() >> (64 - bits)) >> self.below(bits);
        if self.below(2) == 0 { magnitude as i64 } else { -(magnitude as i64) }
    }
}
