//! What sums need to know of f32 and f64: their rounding, and the wider number that carries a
//! compensated sum.

use palmette_core::memory::kept::Kept;
use palmette_core::operator::Number;

/// A float type.
///
/// # The wider number
/// Sums of f32 are carried in f64. Sums of f64 are carried as a pair: the sum as it is
/// rounded, and the sum of what its roundings lost. What an addition of floats loses is a
/// float, too, and six operations find it (Knuth's TwoSum), so pairs lose only what the
/// additions of losses lose.
pub trait Float: Number + Kept {
    /// Half the distance from 1 to the next number: an addition that does not overflow has
    /// at most this relative error.
    const UNIT: f64;
    /// Binary digits.
    const DIGITS: u32;
    /// The exponent of the smallest positive number, of which all others are multiples.
    const LOWEST_BIT: i32;
    /// The largest finite number.
    const LARGEST: f64;
    /// What carries a compensated sum.
    type Wide: Copy + Send + Sync + 'static;
    /// The rounding of [`Float::Wide`]: that of its own additions, or of the first of a pair.
    const WIDE_UNIT: f64;
    /// Whether the wide number is a pair.
    const PAIRS: bool;
    /// The number itself.
    fn widen(self) -> Self::Wide;
    /// The sum of two wide numbers.
    fn join(left: Self::Wide, right: Self::Wide) -> Self::Wide;
    /// The negative.
    fn opposite(wide: Self::Wide) -> Self::Wide;
    /// The nearest float; infinity or NaN where the sum became that.
    fn narrow(wide: Self::Wide) -> Self;
    /// The nearest float to a number; exact where that is a float of this type.
    fn nearest(x: f64) -> Self;

    /// A finite number as `whole` · 2^`exponent`, which is its last place.
    fn parts(self) -> (i64, i32);

    /// Half the distance to the neighbours of this number that are further from 0: what
    /// rounding to it may have lost. Infinite when it is not finite.
    fn half_gap(self) -> f64 {
        let x = self.as_f64().abs();
        if !x.is_finite() {
            return f64::INFINITY;
        }
        let exponent = (x.to_bits() >> 52) as i32 - 1023;
        power_of_two((exponent - Self::DIGITS as i32).max(Self::LOWEST_BIT - 1))
    }
}

/// 2^`exponent`; 0 or infinity beyond what f64 has.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        -1022..1024 => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

/// [`Float::parts`] from the fields of a number.
#[inline(always)]
fn parts<T: Float>(fraction: i64, field: u32, negative: bool) -> (i64, i32) {
    // Numbers without a leading one have the exponent of the next larger ones.
    let whole = if field == 0 { fraction } else { fraction | 1 << (T::DIGITS - 1) };
    let exponent = T::LOWEST_BIT + field.max(1) as i32 - 1;
    (if negative { -whole } else { whole }, exponent)
}

impl Float for f32 {
    const UNIT: f64 = f32::EPSILON as f64 / 2.0;
    const DIGITS: u32 = f32::MANTISSA_DIGITS;
    const LOWEST_BIT: i32 = -149;
    const LARGEST: f64 = f32::MAX as f64;
    type Wide = f64;
    const WIDE_UNIT: f64 = f64::EPSILON / 2.0;
    const PAIRS: bool = false;
    #[inline(always)]
    fn widen(self) -> f64 {
        self.into()
    }
    #[inline(always)]
    fn join(left: f64, right: f64) -> f64 {
        left + right
    }
    #[inline(always)]
    fn opposite(wide: f64) -> f64 {
        -wide
    }
    #[inline(always)]
    fn narrow(wide: f64) -> f32 {
        wide as f32
    }
    #[inline(always)]
    fn nearest(x: f64) -> f32 {
        x as f32
    }
    #[inline(always)]
    fn parts(self) -> (i64, i32) {
        let bits = self.to_bits();
        parts::<f32>((bits & ((1 << 23) - 1)).into(), bits >> 23 & 0xff, self.is_sign_negative())
    }
}

impl Float for f64 {
    const UNIT: f64 = f64::EPSILON / 2.0;
    const DIGITS: u32 = f64::MANTISSA_DIGITS;
    const LOWEST_BIT: i32 = -1074;
    const LARGEST: f64 = f64::MAX;
    /// The rounded sum, and what it lost. No array: that is loaded whole right after it was
    /// stored in halves, for which processors wait.
    type Wide = (f64, f64);
    const WIDE_UNIT: f64 = f64::EPSILON / 2.0;
    const PAIRS: bool = true;
    #[inline(always)]
    fn widen(self) -> (f64, f64) {
        (self, 0.0)
    }
    #[inline(always)]
    fn join((a, lost_a): (f64, f64), (b, lost_b): (f64, f64)) -> (f64, f64) {
        let sum = a + b;
        // What of `b` arrived in the sum, and what of either did not.
        let arrived = sum - a;
        let lost = (a - (sum - arrived)) + (b - arrived);
        (sum, (lost_a + lost_b) + lost)
    }
    #[inline(always)]
    fn opposite((sum, lost): (f64, f64)) -> (f64, f64) {
        (-sum, -lost)
    }
    #[inline(always)]
    fn narrow((sum, lost): (f64, f64)) -> f64 {
        // Infinities leave NaN among the losses.
        let corrected = sum + lost;
        if corrected.is_nan() { sum } else { corrected }
    }
    #[inline(always)]
    fn nearest(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn parts(self) -> (i64, i32) {
        let (bits, negative) = (self.to_bits(), self.is_sign_negative());
        parts::<f64>((bits & ((1 << 52) - 1)) as i64, (bits >> 52 & 0x7ff) as u32, negative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_gaps_are_half_of_what_is_next() {
        for x in [1.0f64, 1.5, -2.0, 1e300, 1e-300, f64::MAX / 4.0] {
            let next = f64::from_bits(x.abs().to_bits() + 1);
            assert_eq!(x.half_gap() * 2.0, next - x.abs(), "{x}");
        }
        for x in [1.0f32, -3.25, 1e-38, 1e-45, 1e30] {
            let next = f32::from_bits(x.abs().to_bits() + 1);
            assert_eq!(x.half_gap() * 2.0, f64::from(next) - f64::from(x.abs()), "{x}");
        }
        assert_eq!([1e-320f64.half_gap(), 0f64.half_gap()], [0.0, 0.0], "such sums are exact");
        assert_eq!(f32::INFINITY.half_gap(), f64::INFINITY);
        let powers = [-1075, -1074, -1023, -1022, 0, 1023, 1024].map(power_of_two);
        let two = |e: i32| 2f64.powi(e);
        assert_eq!(powers[2..6], [two(-1022) / 2.0, two(-1022), 1.0, two(1023)]);
        assert_eq!([powers[0], powers[1], powers[6]], [0.0, f64::from_bits(1), f64::INFINITY]);
    }

    #[test]
    fn parts_make_the_number() {
        for x in [1.0f64, -0.1, 1e-320, f64::MAX, -f64::MIN_POSITIVE] {
            let (whole, exponent) = x.parts();
            assert_eq!(whole as f64 * power_of_two(exponent), x);
        }
        for x in [1.0f32, -0.1, 1e-45, f32::MAX, -f32::MIN_POSITIVE] {
            let (whole, exponent) = x.parts();
            assert_eq!(whole as f64 * power_of_two(exponent), f64::from(x));
        }
    }

    #[test]
    fn pairs_keep_what_a_sum_loses() {
        let values = [1e16, 1.0, -1e16, 1e-3, 3e7, -3e7];
        let sum = values.map(Float::widen).into_iter().reduce(f64::join).map(f64::narrow);
        assert_eq!(sum, Some(1.001));
        let far = [f64::INFINITY, 1.0].map(Float::widen).into_iter().reduce(f64::join);
        assert_eq!(far.map(f64::narrow), Some(f64::INFINITY));
        let none = [f64::INFINITY, f64::NEG_INFINITY].map(Float::widen);
        assert!(f64::narrow(f64::join(none[0], none[1])).is_nan());
    }
}
