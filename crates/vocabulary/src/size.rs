//! Numbers of bytes as people write them.

/// A number of bytes, such as 500M or 8G; units are powers of 1024.
///
/// # Errors
/// Text that is none, and numbers that memory cannot have.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a number of bytes such as 500M or 8G, found `{text}`");
    let upper = text.to_uppercase();
    let digits = upper.trim_end_matches("IB").trim_end_matches('B');
    let (digits, shift) = match digits.bytes().last() {
        Some(b'K') => (&digits[..digits.len() - 1], 10),
        Some(b'M') => (&digits[..digits.len() - 1], 20),
        Some(b'G') => (&digits[..digits.len() - 1], 30),
        Some(b'T') => (&digits[..digits.len() - 1], 40),
        _ => (digits, 0),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let bytes = number * (1u64 << shift) as f64;
    if bytes >= 1.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(wrong()) }
}

/// A number of bytes in the largest unit that it fills, as [`bytes`] reads it.
pub fn shown_bytes(bytes: u64) -> String {
    let unit = [(40, 'T'), (30, 'G'), (20, 'M')].into_iter().find(|unit| bytes >> unit.0 > 0);
    match unit {
        Some((shift, letter)) => format!("{:.1}{letter}", bytes as f64 / (1u64 << shift) as f64),
        None => bytes.to_string(),
    }
}
