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
    /// What additions note: that integers wrapped, that floats are not finite.
    type Trouble: Copy + Default + Send + Sync;
    /// Whether trouble shows in every sum that has a troubled one among its terms: infinity and NaN
    /// do not go away.
    const LASTS: bool;
    /// The sum, as [`Number::add`]; notes trouble.
    fn add_noting(self, other: Self, trouble: &mut Self::Trouble) -> Self;
    /// Notes trouble of a number that nothing is added to.
    fn note(self, trouble: &mut Self::Trouble);
    /// Whether there was any; yes may be a false alarm.
    fn is_trouble(trouble: Self::Trouble) -> bool;
    /// Notes trouble of a sum of two numbers so that vectors can do it: what is noted is a number.
    fn doubt(left: Self, right: Self, sum: Self, noted: &mut Self);
    /// Whether [`Number::doubt`] noted anything; yes may be a false alarm.
    fn is_doubt(noted: Self) -> bool;
    /// What no magnitude of these integers exceeds: less than twice the largest, and one. Of floats 0.
    fn bound(numbers: &[Self]) -> u64;
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

/// A jump that is never taken costs less than collecting flags.
#[cold]
#[inline(never)]
fn wrapped(trouble: &mut bool) {
    *trouble = true;
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
            type Trouble = bool;
            const LASTS: bool = false;
            #[inline(always)]
            fn add_noting(self, other: Self, trouble: &mut bool) -> Self {
                let (sum, wraps) = self.overflowing_add(other);
                if wraps {
                    wrapped(trouble);
                }
                sum
            }
            #[inline(always)]
            fn note(self, _trouble: &mut bool) {}
            #[inline(always)]
            fn is_trouble(trouble: bool) -> bool {
                trouble
            }
            #[inline(always)]
            fn doubt(left: Self, right: Self, sum: Self, noted: &mut Self) {
                // The first bit is set if the sum wrapped: a carry out, or a sign that neither has.
                *noted |= match <$t>::MIN {
                    0 => (left & right) | ((left | right) & !sum),
                    _ => (left ^ sum) & (right ^ sum),
                };
            }
            #[inline(always)]
            fn is_doubt(noted: Self) -> bool {
                noted.leading_zeros() == 0
            }
            fn bound(numbers: &[Self]) -> u64 {
                // Bits of which every magnitude has some, or one more than that: vectors find them.
                let of = |x: Self| if <$t>::MIN == 0 { x } else { x ^ (x >> (<$t>::BITS - 1)) };
                let most = numbers.iter().fold(0, |bits, &x| bits | of(x)) as u64;
                most.saturating_add(1)
            }
            fn exceed(numbers: &[Self]) -> bool {
                let most = u128::from(Self::bound(numbers));
                if most * numbers.len() as u128 <= <$t>::MAX as u128 {
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
            #[inline(always)]
            fn as_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
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
            /// The sum of all: it is finite only if each of them is. That it may overflow by itself
            /// is a false alarm, and rare.
            type Trouble = $t;
            const LASTS: bool = true;
            #[inline(always)]
            fn add_noting(self, other: Self, trouble: &mut $t) -> Self {
                let sum = self + other;
                sum.note(trouble);
                sum
            }
            #[inline(always)]
            fn note(self, trouble: &mut $t) {
                *trouble += self;
            }
            #[inline(always)]
            fn is_trouble(trouble: $t) -> bool {
                !trouble.is_finite()
            }
            #[inline(always)]
            fn doubt(_left: Self, _right: Self, sum: Self, noted: &mut Self) {
                sum.note(noted);
            }
            #[inline(always)]
            fn is_doubt(noted: Self) -> bool {
                Self::is_trouble(noted)
            }
            fn bound(_numbers: &[Self]) -> u64 {
                0
            }
            fn exceed(_numbers: &[Self]) -> bool {
                false
            }
            #[inline(always)]
            fn negate(self) -> Self {
                -self
            }
            #[inline(always)]
            fn as_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn exact(self) -> Option<i128> {
                None
            }
        }
    )*};
}

integer!(i32 u32 i64 u64);
float!(f32 f64);
