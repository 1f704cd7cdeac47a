//! Numbers with SPICE's scale factors, such as `50m` and `1.8k`.

use crate::number::float_prefix;

/// The number that a word is: a decimal, then perhaps a scale (`f p n u m k meg g t
/// mil`, in any case), then perhaps letters of a unit, which mean nothing. As always
/// in SPICE, `1F` is a femto and `1M` a milli. Nothing for what is too large, or so small
/// that it would be 0.
#[inline]
pub fn value(word: &str) -> Option<f64> {
    let (number, is_lost) = rounded(word)?;
    (number.is_finite() && !is_lost).then_some(number)
}

/// Whether a word is a number so small that it would be 0.
pub(super) fn is_too_small(word: &str) -> bool {
    rounded(word).is_some_and(|(_, is_lost)| is_lost)
}

/// The nearest number, and whether it is 0 although the word is not.
#[inline]
fn rounded(word: &str) -> Option<(f64, bool)> {
    let bytes = word.as_bytes();
    let numeric = |b: &u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.');
    // `inf` and `nan` are not numbers here.
    if !bytes.first().is_some_and(numeric) || !bytes.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let start = usize::from(bytes[0] == b'+');
    if start == 1 && matches!(bytes[1], b'+' | b'-') {
        return None;
    }
    let (number, length) = float_prefix(&bytes[start..])?;
    let letters = &bytes[start + length..];
    if letters.is_empty() {
        return Some((number, number == 0.0 && has_digits(bytes)));
    }
    if !letters.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let starts = |scale: &str| {
        letters.get(..scale.len()).is_some_and(|l| l.eq_ignore_ascii_case(scale.as_bytes()))
    };
    // A quotient of exact numbers is rounded once: `5m` is 0.005.
    let scaled = match letters[0].to_ascii_lowercase() {
        _ if starts("meg") => number * 1e6,
        _ if starts("mil") => number * 25.4 / 1e6,
        b'f' => number / 1e15,
        b'p' => number / 1e12,
        b'n' => number / 1e9,
        b'u' => number / 1e6,
        b'm' => number / 1e3,
        b'k' => number * 1e3,
        b'g' => number * 1e9,
        b't' => number * 1e12,
        _ => number,
    };
    Some((scaled, scaled == 0.0 && has_digits(bytes)))
}

/// Whether a digit before the exponent is not 0.
#[cold]
fn has_digits(bytes: &[u8]) -> bool {
    let mantissa = bytes.iter().take_while(|b| !b.is_ascii_alphabetic());
    mantissa.into_iter().any(|b| matches!(b, b'1'..=b'9'))
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn scales_and_units() {
        for (word, number) in [
            ("1", 1.0),
            ("+2.5e-01", 0.25),
            ("-3", -3.0),
            ("5m", 0.005),
            ("5M", 0.005),
            ("5mV", 0.005),
            ("2meg", 2e6),
            ("2MEGohm", 2e6),
            ("10mil", 254e-6),
            ("1F", 1e-15),
            ("3pA", 3e-12),
            ("7n", 7e-9),
            ("7u", 7e-6),
            ("4k", 4e3),
            ("4kOhm", 4e3),
            ("1.8V", 1.8),
            ("2G", 2e9),
            ("2T", 2e12),
            (".5", 0.5),
            ("1e3k", 1e6),
            ("9Ohm", 9.0),
            ("0e-400", 0.0),
            ("-0.00k", 0.0),
            ("1e-300", 1e-300),
        ] {
            assert_eq!(value(word), Some(number), "{word}");
        }
        let bad = "k inf nan -inf -nan 1k2 1e400 1e300t 1e-400 -0.1e-400 1e-320f + - . +-1 ++1 --1 1/2 1_000";
        for word in bad.split(' ').chain([""]) {
            assert_eq!(value(word), None, "{word}");
        }
    }
}
