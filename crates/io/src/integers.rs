//! Whole numbers, one per line: the parts of vertices as METIS writes them, or their weights.
//!
//! Lines that start with `#` or `%` are comments; empty lines are skipped.

use crate::IoError;
use crate::error::shown;
use crate::number::unsigned;
use crate::source::{Source, plain};
use crate::write::{blocks, put_number};
use std::io::{self, Write};

/// Reads `n` whole numbers below 2^32, one per line; gzip and zstd are decompressed.
///
/// # Errors
/// Another count of numbers, or a line that is none; with the line.
pub fn read_integers_bytes(name: &str, bytes: &[u8], n: usize) -> Result<Vec<u32>, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let mut numbers = Vec::with_capacity(n);
    let mut last = 1;
    for (before, line) in source.text.lines().enumerate() {
        let text = line.trim();
        if text.is_empty() || text.starts_with(['#', '%']) {
            continue;
        }
        last = before as u64 + 1;
        if numbers.len() == n {
            return Err(source.on_line(last, format!("{n} numbers, one per line"), "more"));
        }
        let number = unsigned(text).and_then(|number| u32::try_from(number).ok());
        let wrong = || source.on_line(last, "a whole number below 2^32", shown(text));
        numbers.push(number.ok_or_else(wrong)?);
    }
    if numbers.len() < n {
        let found = format!("the end after {}", numbers.len());
        return Err(source.on_line(last, format!("{n} numbers, one per line"), found));
    }
    Ok(numbers)
}

/// Writes numbers, one per line.
///
/// # Errors
/// When writing fails.
pub fn write_integers(out: &mut dyn Write, numbers: &[u32]) -> io::Result<()> {
    blocks(out, numbers.len(), |i, bytes| {
        put_number(bytes, numbers[i]);
        bytes.push(b'\n');
    })
}

#[cfg(test)]
mod tests {
    use super::{read_integers_bytes, write_integers};

    #[test]
    fn what_is_written_reads_back() {
        let numbers = [0, 7, u32::MAX];
        let mut text = Vec::new();
        write_integers(&mut text, &numbers).expect("a vector takes everything");
        assert_eq!(text, b"0\n7\n4294967295\n");
        assert_eq!(read_integers_bytes("p", &text, 3).expect("three numbers"), numbers);
        let commented = b"% parts\n1\r\n\n 2 \n";
        assert_eq!(read_integers_bytes("p", commented, 2).expect("two numbers"), [1, 2]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("1\n", "p, line 1: expected 2 numbers, one per line, found the end after 1"),
            ("", "p, line 1: expected 2 numbers, one per line, found the end after 0"),
            ("1\n2\n\n3\n", "p, line 4: expected 2 numbers, one per line, found more"),
            ("1\n-2\n", "p, line 2: expected a whole number below 2^32, found `-2`"),
            ("1 2\n", "p, line 1: expected a whole number below 2^32, found `1 2`"),
            (
                "1\n4294967296\n",
                "p, line 2: expected a whole number below 2^32, found `4294967296`",
            ),
        ] {
            let error = read_integers_bytes("p", text.as_bytes(), 2).expect_err(text);
            assert_eq!(error.to_string(), message);
        }
    }
}
