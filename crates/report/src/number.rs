//! Formats numbers for people.

/// `1234567` as `1,234,567`.
pub fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 leaf`, `2,000 leaves`.
pub fn counted(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(value), if value == 1 { one } else { many })
}

/// A number short enough for an axis: `0.25`, `1500` as `1.5k`, `2e6` as `2M`, and powers
/// of ten with superscripts where letters end.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_string() } else { value.to_string() };
    }
    if !(1e-3..1e15).contains(&size) {
        return scientific(value, 3);
    }
    let (unit, letter) = match size {
        s if s >= 1e12 => (1e12, "T"),
        s if s >= 1e9 => (1e9, "G"),
        s if s >= 1e6 => (1e6, "M"),
        s if s >= 1e3 => (1e3, "k"),
        _ => (1.0, ""),
    };
    format!("{}{letter}", significant(value / unit, 4))
}

/// A number in full up to 10^9, without separators: a year, or one with decimals.
pub fn full(value: f64) -> String {
    match value.abs() {
        size if (1e-3..1e9).contains(&size) => {
            significant(value, 6.max(size.log10().floor() as usize + 1))
        }
        _ => short(value),
    }
}

/// A number of an interval: [`short`], but where the numbers of the interval have their first
/// digits in common, with four digits more than those.
pub fn among(value: f64, (low, high): (f64, f64)) -> String {
    let common = (low.abs().max(high.abs()) / (high - low)).log10().floor();
    if !(1.0..=16.0).contains(&common) {
        return short(value);
    }
    let digits = (common as usize + 4).min(16);
    match value.abs() {
        size if (1e-3..1e9).contains(&size) || size == 0.0 => significant(value, digits),
        _ => scientific(value, digits),
    }
}

/// The share of a part in percent, with one decimal; a part that is neither nothing nor all
/// is not rounded to either.
pub fn percent(part: u64, whole: u64) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    match format!("{share:.1}").as_str() {
        "0.0" if part > 0 => "< 0.1".to_string(),
        "100.0" if part < whole => "> 99.9".to_string(),
        text => text.to_string(),
    }
}

/// A measured constant: three significant digits, trailing zeros among them, or all digits
/// before the point.
pub fn constant(value: f64) -> String {
    match value.abs() {
        size if (999.5..1e6).contains(&size) => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}{}", thousands(size.round() as u64))
        }
        size if (1e-3..1e3).contains(&size) => {
            // What rounds up to a power of ten has one digit less behind the point.
            let digits = (1.0005 * size).log10().floor() as i32;
            format!("{value:.*}", (2 - digits).max(0) as usize)
        }
        _ => short(value),
    }
}

/// A number of vertices: `2¹⁷` where it is such a power, `100,000` otherwise.
pub fn size(value: f64) -> String {
    let power = value.log2();
    if value >= 32.0 && power.fract() == 0.0 {
        format!("2{}", superscript(&power.to_string()))
    } else if value >= 0.0 && value.fract() == 0.0 && value < 1e15 {
        thousands(value as u64)
    } else {
        short(value)
    }
}

/// Powers as they are printed: `n^1.5` as `n¹·⁵`, `log^2 n` as `log² n`. A `^` that no number
/// follows stays.
pub fn powers(text: &str) -> String {
    let mut parts = text.split('^');
    let mut raised = parts.next().unwrap_or("").to_string();
    for part in parts {
        let digits =
            |from: usize| from + part[from..].bytes().take_while(u8::is_ascii_digit).count();
        let sign = usize::from(part.starts_with('-'));
        let whole = digits(sign);
        // A point that no digit follows is the sentence's, not the number's.
        let point = whole + usize::from(part[whole..].starts_with('.'));
        let end = if digits(point) > point { digits(point) } else { whole };
        let end = if whole > sign { end } else { 0 };
        if end == 0 {
            raised.push('^');
        }
        raised.push_str(&superscript(&part[..end]));
        raised.push_str(&part[end..]);
    }
    raised
}

/// At most so many significant digits, without trailing zeros.
fn significant(value: f64, digits: usize) -> String {
    let whole_digits = value.abs().max(1e-9).log10().floor() as i32 + 1;
    let text =
        format!("{value:.*}", (digits as i32 - whole_digits).clamp(0, digits as i32 + 2) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    let power = format!("10{}", superscript(exponent));
    match mantissa {
        "1" => power,
        "-1" => format!("−{power}"),
        _ => format!("{mantissa}·{power}"),
    }
}

pub(crate) fn superscript(digits: &str) -> String {
    let raised = |c| match c {
        '-' => '⁻',
        '.' => '·',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).unwrap_or(c),
        _ => c,
    };
    digits.chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let written = [0, 7, 999, 1000, 123_456, 16_240_000].map(thousands);
        assert_eq!(written, ["0", "7", "999", "1,000", "123,456", "16,240,000"]);
    }

    #[test]
    fn shares_are_not_rounded_to_none_or_all() {
        assert_eq!([percent(0, 7), percent(7, 7), percent(0, 0)], ["0.0", "100.0", "0.0"]);
        assert_eq!([percent(1, 8), percent(1, 9999)], ["12.5", "< 0.1"]);
        assert_eq!(percent(9998, 9999), "> 99.9");
    }

    #[test]
    fn constants_have_few_digits() {
        let values = [1.8349, 0.00432, 12.345, 999.7, 12_345.6, 2.5e-7, 0.0, 9.999, 2.0];
        let texts = ["1.83", "0.00432", "12.3", "1,000", "12,346", "2.5·10⁻⁷", "0", "10.0", "2.00"];
        assert_eq!(values.map(constant), texts);
        assert_eq!(constant(-1235.0), "-1,235");
        assert_eq!(constant(f64::NAN), "NaN");
    }

    #[test]
    fn sizes_are_powers_of_two_or_exact() {
        let values = [1.0, 16.0, 256.0, 131_072.0, 131_071.0, 2.5, 0.0];
        assert_eq!(values.map(size), ["1", "16", "2⁸", "2¹⁷", "131,071", "2.5", "0"]);
        assert_eq!([size(f64::NAN), size(f64::INFINITY)], ["NaN", "inf"]);
    }

    #[test]
    fn powers_are_raised() {
        let texts = ["O(n^1.5) and log^2 n", "2^8..2^18", "n^", "a^b", "10^-3.", "x^-.5", ""];
        let raised = ["O(n¹·⁵) and log² n", "2⁸..2¹⁸", "n^", "a^b", "10⁻³.", "x^-.5", ""];
        assert_eq!(texts.map(powers), raised);
    }

    #[test]
    fn numbers_of_an_interval_differ() {
        assert_eq!([0.0, 0.25, 3.0].map(|v| among(v, (0.0, 3.0))), ["0", "0.25", "3"]);
        let far = (5_400_100.0, 5_400_140.0);
        let texts = [5_400_100.0, 5_400_120.5].map(|v| among(v, far));
        assert_eq!(texts, ["5400100", "5400120.5"]);
        let near = (1.0, 1.0 + 1e-9);
        assert_eq!([1.0, 1.0 + 5e-10].map(|v| among(v, near)), ["1", "1.0000000005"]);
        let large = (1e20, 1.000_01e20);
        assert_eq!(among(1.000_005e20, large), "1.000005·10²⁰");
        assert_eq!([among(7.0, (7.0, 7.0)), among(-2.5, (-2.5, -2.5))], ["7", "-2.5"]);
        assert_eq!(among(0.0, (-f64::MAX, f64::MAX)), "0");
    }

    #[test]
    fn years_in_full() {
        let written = [1997.0, 1996.972367, 2020.25, 0.5, 0.0, -44.0, 123_456_789.0, 2e12];
        let expected = ["1997", "1996.97", "2020.25", "0.5", "0", "-44", "123456789", "2T"];
        assert_eq!(written.map(full), expected);
    }

    #[test]
    fn short_numbers() {
        for (value, text) in [
            (0.0, "0"),
            (0.25, "0.25"),
            (0.001, "0.001"),
            (1.0, "1"),
            (999.0, "999"),
            (1500.0, "1.5k"),
            (100_000.0, "100k"),
            (2e6, "2M"),
            (-3e9, "-3G"),
            (1e-4, "10⁻⁴"),
            (2.5e-7, "2.5·10⁻⁷"),
            (1e15, "10¹⁵"),
            (0.1 + 0.2, "0.3"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
