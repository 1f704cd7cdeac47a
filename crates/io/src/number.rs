//! Numbers from bytes.
//!
//! **Problem.** A number at the start of a byte slice, and where it ends.
//! **Method.** Integers eight digits at a time, in one word. A decimal of at most 2^53 as an integer
//! and a power of ten of at most 22 is one exact division or multiplication of
//! doubles, hence correctly rounded (Clinger's fast path); all others go to
//! `fast-float2`, which is correctly rounded always.
//! **Cost.** About one nanosecond per byte.

/// A canonical decimal at the start of `text`: no `+`, no leading zeros, no `-0`,
/// within `i64` but for its least value. Returns the number and its length.
///
/// Only canonical numbers print back to the text they came from, so only they may
/// stand for a label.
#[inline]
pub(crate) fn canonical_prefix(text: &[u8]) -> Option<(i64, usize)> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    // Nineteen digits fit in u64; a twentieth is rejected below.
    let (value, at) = digits(text, start, 0);
    let digits = at - start;
    let zero_first = text.get(start) == Some(&b'0');
    if digits == 0
        || digits > 19
        || value > i64::MAX as u64
        || (zero_first && (digits > 1 || negative))
    {
        return None;
    }
    Some((if negative { -(value as i64) } else { value as i64 }, at))
}

/// The whole of `text` as a canonical decimal.
#[inline]
pub(crate) fn canonical(text: &[u8]) -> Option<i64> {
    canonical_prefix(text).filter(|&(_, length)| length == text.len()).map(|(value, _)| value)
}

/// A number of at most 19 digits at the start of `text`, leading zeros allowed, and its
/// length.
#[inline]
pub(crate) fn unsigned_prefix(text: &[u8]) -> Option<(u64, usize)> {
    let (value, length) = digits(text, 0, 0);
    (1..=19).contains(&length).then_some((value, length))
}

/// The whole of `text` as a number of at most 19 digits.
pub(crate) fn unsigned(text: &str) -> Option<u64> {
    unsigned_prefix(text.as_bytes())
        .filter(|&(_, length)| length == text.len())
        .map(|(value, _)| value)
}

/// Powers of ten that are exact as doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A decimal at the start of `text` and its length. An overflow is no number;
/// `inf` and `nan` are, as `fast-float2` reads them.
#[inline]
pub(crate) fn float_prefix(text: &[u8]) -> Option<(f64, usize)> {
    match one_before_the_point(text) {
        Some(found) => Some(found),
        None => any_decimal(text),
    }
}

#[inline(never)]
fn any_decimal(text: &[u8]) -> Option<(f64, usize)> {
    short_decimal(text).or_else(|| long_decimal(text))
}

/// As [`short_decimal`] for one digit, a point and up to seven digits: most branch lengths.
#[inline(always)]
pub(crate) fn one_before_the_point(text: &[u8]) -> Option<(f64, usize)> {
    let [first, point, rest @ ..] = text.first_chunk::<10>()?;
    let first = first.wrapping_sub(b'0');
    let (count, number) = eight_digits(u64::from_le_bytes(*rest));
    let plain = first <= 9 && *point == b'.' && count.wrapping_sub(1) < 7;
    // An exponent changes the value.
    if !plain || rest[count & 7] | 0x20 == b'e' {
        return None;
    }
    let mantissa = u64::from(first) * TENS[count] + number;
    Some((mantissa as f64 / POWERS[count], 2 + count))
}

/// The whole of `text` as a decimal.
#[inline]
pub(crate) fn float(text: &[u8]) -> Option<f64> {
    float_prefix(text).filter(|&(_, length)| length == text.len()).map(|(value, _)| value)
}

/// The whole of `text` as a finite number that is not 0 for being too small.
#[inline]
pub(crate) fn kept(text: &[u8]) -> Option<f64> {
    float(text).filter(|&value| value.is_finite() && !is_lost(text, value))
}

/// Whether a number reads as 0 although it is none.
#[inline]
pub(crate) fn is_lost(text: &[u8], value: f64) -> bool {
    let digits = text.iter().take_while(|byte| !matches!(byte, b'e' | b'E'));
    value == 0.0 && digits.into_iter().any(|byte| (b'1'..=b'9').contains(byte))
}

/// A text that is no [kept] number, as an error shows it.
pub(crate) fn refused(text: &str) -> String {
    let small = float(text.as_bytes()).is_some_and(|value| is_lost(text.as_bytes(), value));
    let why = if small { ", which is too small" } else { "" };
    format!("{}{why}", crate::quote::shown(text))
}

#[inline]
fn short_decimal(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let (mut mantissa, mut at) = digits(text, start, 0);
    let mut count = at - start;
    let mut power = 0i32;
    if text.get(at) == Some(&b'.') {
        let point = at + 1;
        (mantissa, at) = digits(text, point, mantissa);
        count += at - point;
        power = -((at - point) as i32);
    }
    if count == 0 || count > 19 || mantissa > 1 << 53 {
        return None;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let minus = text.get(at + 1) == Some(&b'-');
        let first = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        let (exponent, end) = digits(text, first, 0);
        if end == first || end - first > 4 {
            return None;
        }
        power += if minus { -(exponent as i32) } else { exponent as i32 };
        at = end;
    }
    let scale = *POWERS.get(power.unsigned_abs() as usize)?;
    let value = mantissa as f64;
    let value = if power < 0 { value / scale } else { value * scale };
    Some((if negative { -value } else { value }, at))
}

/// The digits from `at` on, after those of `value`, modulo 2^64, and where they end.
#[inline]
fn digits(text: &[u8], mut at: usize, mut value: u64) -> (u64, usize) {
    while let Some(&bytes) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let (count, number) = eight_digits(u64::from_le_bytes(bytes));
        value = value.wrapping_mul(TENS[count]).wrapping_add(number);
        at += count;
        if count < 8 {
            return (value, at);
        }
    }
    while let Some(digit) = text.get(at).map(|b| b.wrapping_sub(b'0')) {
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (value, at)
}

const TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// How many of eight bytes are digits before the first that is none, and their number. The first
/// byte is the lowest one.
#[inline]
fn eight_digits(word: u64) -> (usize, u64) {
    const LOW: u64 = u64::from_ne_bytes([0x7f; 8]);
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let values = word ^ u64::from_ne_bytes([b'0'; 8]);
    // The highest bit of a byte above 9; no byte carries into the next one.
    let others = ((values & LOW) + u64::from_ne_bytes([0x80 - 10; 8])) | values;
    let count = ((others & !LOW).trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // Zeros come before the digits, which push out what is none.
    let digits = values << (64 - 8 * count);
    let twos = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let high = (twos & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let low = (twos >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    (count, high.wrapping_add(low) >> 32)
}

#[cold]
fn long_decimal(text: &[u8]) -> Option<(f64, usize)> {
    let (value, length) = fast_float2::parse_partial::<f64, _>(text).ok()?;
    let overflow = value.is_infinite() && text[..length].iter().any(u8::is_ascii_digit);
    (!overflow).then_some((value, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_canonical_integers_stand_for_labels() {
        for bad in [
            "",
            "-",
            "+1",
            "01",
            "-0",
            "-01",
            "9223372036854775808",
            "-9223372036854775808",
            "1.0",
            "1 ",
        ] {
            assert_eq!(canonical(bad.as_bytes()), None, "{bad}");
        }
        assert_eq!(canonical(b"9223372036854775807"), Some(i64::MAX));
        assert_eq!(canonical(b"-17"), Some(-17));
        assert_eq!(canonical(b"0"), Some(0));
    }

    #[test]
    fn floats_of_every_shape() {
        for text in [
            "0.1",
            ".5",
            "5.",
            "-2e-3",
            "1E+5",
            "123456789012345678",
            "0.49344850679999996",
            "1e-300",
            "4e22",
        ] {
            assert_eq!(float(text.as_bytes()), Some(text.parse().expect("a float")), "{text}");
        }
        for bad in ["", ".", "-", "e5", "1e", "1e999", "1.2.3", "--1"] {
            assert_eq!(float(bad.as_bytes()), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn digits_in_words_are_digits(text in "[0-9]{0,22}[-/:.e \u{e9}9]{0,9}[0-9]{0,3}", at in 0usize..4) {
            let at = at.min(text.len());
            let one_by_one = text.bytes().skip(at).take_while(u8::is_ascii_digit);
            let expected = one_by_one.clone().fold(7u64, |value, b| {
                value.wrapping_mul(10).wrapping_add(u64::from(b - b'0'))
            });
            prop_assert_eq!(digits(text.as_bytes(), at, 7), (expected, at + one_by_one.count()));
        }

        #[test]
        fn floats_agree_with_std(x in any::<f64>().prop_filter("finite", |x| x.is_finite()), m in any::<u32>(), k in 0usize..12) {
            prop_assert_eq!(float(x.to_string().as_bytes()), Some(x));
            prop_assert_eq!(float(format!("{x:e}").as_bytes()), Some(x));
            let short = format!("{}.{:0k$}e{}", m, m % 1000, k as i32 - 6);
            prop_assert_eq!(float(short.as_bytes()), short.parse().ok());
        }
    }
}
