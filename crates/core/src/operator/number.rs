//! The number types that operators work on.

/// A number that values can be.
pub trait Number: Copy + PartialOrd + Send + Sync + std::fmt::Debug + 'static {
    /// Whether the type holds whole numbers.
    const WHOLE: bool;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The identity of the maximum.
    const LOWEST: Self;
    /// The identity of the minimum.
    const HIGHEST: Self;
    /// The sum; of integers modulo the type's range.
    fn add(self, other: Self) -> Self;
    /// Bits of which every magnitude has some, or one more than that; 0 for floats. Vectors find
    /// them.
    fn magnitudes(numbers: &[Self]) -> u64;
    /// Whether so many numbers with these [magnitudes](Number::magnitudes) may add up to more than
    /// the type holds (never for floats).
    fn may_exceed(magnitudes: u64, count: usize) -> bool;
    /// Whether the magnitudes of these numbers add up to more than the type holds
    /// (never for floats).
    fn exceed(numbers: &[Self]) -> bool;
    /// The negative, modulo the type's range.
    fn negate(self) -> Self;
    /// The number as a float, for pictures and messages.
    fn as_f64(self) -> f64;
    /// The exact value of an integer; none for floats.
    fn exact(self) -> Option<i128>;
}

/// A number with bits.
pub trait Integer: Number + Eq {
    /// All bits set.
    const ALL: Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
}

macro_rules! integer {
    ($($t:ty)*) => {$(
        impl Number for $t {
            const WHOLE: bool = true;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LOWEST: Self = <$t>::MIN;
            const HIGHEST: Self = <$t>::MAX;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn magnitudes(numbers: &[Self]) -> u64 {
                numbers.iter().fold(0, |bits, &x| bits | (x ^ (x >> (<$t>::BITS - 1)))) as u64
            }
            fn may_exceed(magnitudes: u64, count: usize) -> bool {
                (u128::from(magnitudes) + 1) * count as u128 > <$t>::MAX as u128
            }
            fn exceed(numbers: &[Self]) -> bool {
                if !Self::may_exceed(Self::magnitudes(numbers), numbers.len()) {
                    return false;
                }
                // At most 2^32 numbers: a hundred and twenty-eight bits are enough.
                let magnitudes = numbers.iter().map(|&x| i128::from(x).unsigned_abs());
                magnitudes.sum::<u128>() > <$t>::MAX as u128
            }
            #[inline(always)]
            fn negate(self) -> Self {
                self.wrapping_neg()
            }
            fn as_f64(self) -> f64 {
                self as f64
            }
            fn exact(self) -> Option<i128> {
                Some(i128::from(self))
            }
        }
        impl Integer for $t {
            const ALL: Self = !0;
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
        }
    )*};
}

macro_rules! float {
    ($($t:ty)*) => {$(
        impl Number for $t {
            const WHOLE: bool = false;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const LOWEST: Self = <$t>::NEG_INFINITY;
            const HIGHEST: Self = <$t>::INFINITY;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            fn magnitudes(_numbers: &[Self]) -> u64 {
                0
            }
            fn may_exceed(_magnitudes: u64, _count: usize) -> bool {
                false
            }
            fn exceed(_numbers: &[Self]) -> bool {
                false
            }
            #[inline(always)]
            fn negate(self) -> Self {
                -self
            }
            fn as_f64(self) -> f64 {
                f64::from(self)
            }
            fn exact(self) -> Option<i128> {
                None
            }
        }
    )*};
}

integer!(i32 u32 i64 u64);
float!(f32 f64);
