//! Numbers as people read them.

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
        return scientific(value);
    }
    let (unit, letter) = match size {
        s if s >= 1e12 => (1e12, "T"),
        s if s >= 1e9 => (1e9, "G"),
        s if s >= 1e6 => (1e6, "M"),
        s if s >= 1e3 => (1e3, "k"),
        _ => (1.0, ""),
    };
    format!("{}{letter}", significant(value / unit))
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

/// At most four significant digits, without trailing zeros.
fn significant(value: f64) -> String {
    let whole_digits = value.abs().max(1e-9).log10().floor() as i32 + 1;
    let text = format!("{value:.*}", (4 - whole_digits).clamp(0, 6) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
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
