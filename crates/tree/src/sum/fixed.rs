//! Integers of K words in two's complement, which carry exact sums.
//!
//! **Method.** Additions are exact; the only rounding is the conversion to the nearest float at the
//! end, ties to even. The caller chooses K so large that nothing overflows (`exact.rs`).

use super::float::power_of_two;

/// A whole number, the least significant word first. Nothing here overflows as long as the
/// window is chosen wide enough (`exact.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fixed<const K: usize>(pub(super) [u64; K]);

/// A sum of two words with a carry in, and its carry out.
#[inline(always)]
fn add(word: u64, term: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = word.overflowing_add(term);
    let (sum, second) = sum.overflowing_add(carry.into());
    (sum, first | second)
}

impl<const K: usize> Fixed<K> {
    pub(super) const ZERO: Self = Fixed([0; K]);

    /// Two words as one number: most sums have no more, and processors know such numbers.
    #[inline(always)]
    fn double_word(self) -> i128 {
        (u128::from(self.0[1]) << 64 | u128::from(self.0[0])) as i128
    }

    #[inline(always)]
    pub(super) fn plus(mut self, other: Self) -> Self {
        let mut carry = false;
        for (word, term) in self.0.iter_mut().zip(other.0) {
            (*word, carry) = add(*word, term, carry);
        }
        self
    }

    #[inline(always)]
    pub(super) fn negative(mut self) -> Self {
        let mut carry = true;
        for word in &mut self.0 {
            (*word, carry) = add(!*word, 0, carry);
        }
        self
    }

    /// Adds `whole` · 2^`shift`; the magnitude of `whole` is below 2^53.
    #[inline(always)]
    pub(super) fn add_shifted(&mut self, whole: i64, shift: u32) {
        if K == 2 {
            let sum = self.double_word().wrapping_add(i128::from(whole) << shift);
            (self.0[0], self.0[1]) = (sum as u64, (sum >> 64) as u64);
            return;
        }
        let wide = i128::from(whole) << (shift % 64);
        let sign = (wide >> 127) as u64;
        let first = shift as usize / 64;
        let mut carry = false;
        for k in first..K {
            let term = match k - first {
                0 => wide as u64,
                1 => (wide >> 64) as u64,
                _ => sign,
            };
            (self.0[k], carry) = add(self.0[k], term, carry);
            // All words above would stay as they are.
            if K > 3 && k > first && sign == 0u64.wrapping_sub(carry.into()) {
                break;
            }
        }
    }

    /// The nearest float with so many digits to this number times 2^`low`, ties to even; it
    /// has no bits below 2^`lowest`.
    #[inline(always)]
    pub(super) fn nearest(self, low: i32, digits: u32, lowest: i32) -> f64 {
        if K == 2 && low >= lowest {
            // Conversions round to the nearest, ties to even; a multiple of 2^`low` with so
            // many digits is a float, unless it is too large.
            let rounded = match digits {
                f32::MANTISSA_DIGITS => f64::from(self.double_word() as f32),
                _ => self.double_word() as f64,
            };
            return scaled(rounded, low);
        }
        self.nearest_of_words(low, digits, lowest)
    }

    fn nearest_of_words(self, low: i32, digits: u32, lowest: i32) -> f64 {
        let is_negative = self.0[K - 1] >> 63 == 1;
        let size = if is_negative { self.negative() } else { self };
        let Some(top) = size.0.iter().rposition(|&word| word != 0) else { return 0.0 };
        let highest = 64 * top as i32 + 63 - size.0[top].leading_zeros() as i32;
        // The place of the last digit that stays.
        let last = (highest + 1 - digits as i32).max(lowest - low).max(0);
        let (word, bit) = (last as usize / 64, last as u32 % 64);
        let next = size.0.get(word + 1).copied().unwrap_or(0);
        let mut kept = ((u128::from(next) << 64 | u128::from(size.0[word])) >> bit) as u64;
        if last > 0 {
            let (word, bit) = ((last as usize - 1) / 64, (last as u32 - 1) % 64);
            let half = size.0[word] >> bit & 1 == 1;
            let below =
                size.0[word] & ((1 << bit) - 1) != 0 || size.0[..word].iter().any(|&w| w != 0);
            kept += u64::from(half && (below || kept & 1 == 1));
        }
        let value = scaled(kept as f64, low + last);
        if is_negative { -value } else { value }
    }
}

/// `x` · 2^`exponent`, in two steps where the power alone would be infinite.
#[inline(always)]
fn scaled(x: f64, exponent: i32) -> f64 {
    match exponent {
        ..=970 => x * power_of_two(exponent),
        _ => x * power_of_two(970) * power_of_two((exponent - 970).min(1023)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sum::Float;

    fn exact<const K: usize>(values: &[f64], low: i32) -> Fixed<K> {
        let mut sum = Fixed::ZERO;
        for &x in values.iter().filter(|&&x| x != 0.0) {
            let (whole, exponent) = x.parts();
            sum.add_shifted(whole, (exponent - low) as u32);
        }
        sum
    }

    #[test]
    fn one_number_comes_back() {
        let odd = [1.0, -1.5, 0.1, -1e-310, f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.0, 123456.789];
        for x in odd {
            assert_eq!(exact::<34>(&[x], -1074).nearest(-1074, 53, -1074), x);
            let single = f64::from(x.clamp(-1e38, 1e38) as f32);
            assert_eq!(exact::<34>(&[single], -1074).nearest(-1074, 24, -149), single);
        }
    }

    #[test]
    fn ties_go_to_even_and_sticky_digits_decide() {
        let half = 2f64.powi(-53);
        let sum = |values: &[f64]| exact::<34>(values, -1074).nearest(-1074, 53, -1074);
        assert_eq!(sum(&[1.0, half]), 1.0);
        assert_eq!(sum(&[1.0, half, 5e-324]), 1.0 + 2.0 * half);
        assert_eq!(sum(&[-1.0, -half, -5e-324]), -1.0 - 2.0 * half);
        assert_eq!(sum(&[1.0 + 2.0 * half, half]), 1.0 + 4.0 * half);
        assert_eq!(sum(&[1e308, 1e308, -1e308]), 1e308);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        // Half of the last place above the largest number goes up.
        assert_eq!(sum(&[f64::MAX, 2f64.powi(969)]), f64::MAX);
        assert_eq!(sum(&[f64::MAX, 2f64.powi(970)]), f64::INFINITY);
        let single = |values: &[f64]| exact::<34>(values, -1074).nearest(-1074, 24, -149) as f32;
        assert_eq!(single(&[1.0, 2f64.powi(-24)]), 1.0);
        assert_eq!(single(&[1.0, 2f64.powi(-24), 1e-30]), 1.0 + f32::EPSILON);
        assert_eq!(single(&[f64::from(f32::MAX), f64::from(f32::MAX)]), f32::INFINITY);
    }

    #[test]
    fn a_narrow_window_gives_the_same() {
        let values = [3.0, -0.625, 1024.0, -1024.0, 0.0, 1e6];
        let expected = 3.0 - 0.625 + 1e6;
        // The last place of 0.625 is 2^-53.
        assert_eq!(exact::<2>(&values, -53).nearest(-53, 53, -1074), expected);
        assert_eq!(exact::<2>(&values, -53).nearest_of_words(-53, 53, -1074), expected);
        assert_eq!(exact::<3>(&values, -100).negative().nearest(-100, 53, -1074), -expected);
        let (a, b) = (exact::<5>(&values, -100), exact::<5>(&values[..3], -100));
        assert_eq!(a.plus(b.negative()), exact::<5>(&values[3..], -100));
    }
}
