//! What users ask of a partition: several weights per vertex, vertices that are fixed in a part,
//! and the part that each vertex has now.
//!
//! Lines that start with `#` or `%` are comments; empty lines are skipped.

use crate::IoError;
use crate::error::shown;
use crate::number::unsigned;
use crate::source::{Source, plain};
use palmette_core::NONE;

/// Vertices that are fixed in parts, with the lines that say so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FixedFile {
    /// Vertices, from 0, and their parts.
    pub fixed: Vec<(u32, u32)>,
    /// The line of each.
    pub lines: Vec<u64>,
}

/// The lines that say something, with their numbers.
fn said<'a>(source: &'a Source<'_>) -> impl Iterator<Item = (u64, &'a str)> {
    let lines = source.text.lines().zip(1..).map(|(line, number)| (number, line.trim()));
    lines.filter(|(_, text)| !text.is_empty() && !text.starts_with(['#', '%']))
}

/// The words of a line, between commas, semicolons or blanks.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ';', ' ', '\t']).filter(|word| !word.is_empty())
}

/// Reads one or more whole numbers below 2^32 per line, for each of `n` vertices as many: all first
/// weights, all second weights, and so on.
///
/// # Errors
/// Another count of lines, or of numbers in one of them; a word that is no such number; with the
/// line.
pub fn read_weights_bytes(name: &str, bytes: &[u8], n: usize) -> Result<Vec<Vec<u32>>, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let mut columns: Vec<Vec<u32>> = Vec::new();
    let (mut count, mut last) = (0, 1);
    for (line, text) in said(&source) {
        last = line;
        if count == n {
            return Err(source.on_line(line, format!("{n} lines of weights"), "more"));
        }
        let number = |word: &str| unsigned(word).and_then(|number| u32::try_from(number).ok());
        if columns.is_empty() {
            columns = words(text).map(|_| Vec::with_capacity(n)).collect();
        }
        let mut found = 0;
        for word in words(text) {
            let Some(number) = number(word) else {
                return Err(source.on_line(line, "a weight: 0 to 2^32 - 1, whole", shown(word)));
            };
            if let Some(column) = columns.get_mut(found) {
                column.push(number);
            }
            found += 1;
        }
        if found != columns.len() {
            let expected = format!("{} weights, as on the first line", columns.len());
            return Err(source.on_line(line, expected, found.to_string()));
        }
        count += 1;
    }
    if count < n {
        let found = format!("the end after {count}");
        return Err(source.on_line(last, format!("{n} lines of weights"), found));
    }
    Ok(columns)
}

/// Reads `vertex part` lines: vertices from 1 to `n`, parts from 0 to `parts` − 1.
///
/// # Errors
/// A vertex or a part that is not there, a vertex with two different parts; with the line.
pub fn read_fixed_bytes(
    name: &str,
    bytes: &[u8],
    n: usize,
    parts: u32,
) -> Result<FixedFile, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let mut file = FixedFile::default();
    let mut known: Vec<(u32, u64)> = vec![(NONE, 0); n];
    for (line, text) in said(&source) {
        let mut numbers = words(text);
        let (Some(vertex), Some(part), None) = (numbers.next(), numbers.next(), numbers.next())
        else {
            return Err(source.on_line(line, "a vertex and its part", shown(text)));
        };
        let Some(at) = unsigned(vertex).filter(|&v| v >= 1 && v <= n as u64) else {
            return Err(source.on_line(line, format!("a vertex from 1 to {n}"), shown(vertex)));
        };
        let Some(to) = unsigned(part).filter(|&p| p < u64::from(parts)) else {
            let expected = format!("a part from 0 to {}", parts.saturating_sub(1));
            return Err(source.on_line(line, expected, shown(part)));
        };
        let (vertex, part) = (at as u32 - 1, to as u32);
        let (before, first) = known[vertex as usize];
        if before != NONE && before != part {
            let expected = format!("part {before} for vertex {at}, as on line {first}");
            return Err(source.on_line(line, expected, to.to_string()));
        }
        if before == NONE {
            known[vertex as usize] = (part, line);
            file.fixed.push((vertex, part));
            file.lines.push(line);
        }
    }
    Ok(file)
}

/// Reads the parts that `n` vertices have now: a whole number below 2^32 − 1 per line, or -1 for
/// a vertex that has none yet, which is [`NONE`].
///
/// # Errors
/// Another count of numbers, or a line that is none; with the line.
pub fn read_previous_bytes(name: &str, bytes: &[u8], n: usize) -> Result<Vec<u32>, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    let mut part = Vec::with_capacity(n);
    let mut last = 1;
    for (line, text) in said(&source) {
        last = line;
        if part.len() == n {
            return Err(source.on_line(line, format!("{n} parts, one per line"), "more"));
        }
        let number = match text {
            "-1" => Some(NONE),
            _ => unsigned(text).and_then(|p| u32::try_from(p).ok()).filter(|&p| p != NONE),
        };
        let wrong = || source.on_line(line, "a part from 0, or -1 for none", shown(text));
        part.push(number.ok_or_else(wrong)?);
    }
    if part.len() < n {
        let found = format!("the end after {}", part.len());
        return Err(source.on_line(last, format!("{n} parts, one per line"), found));
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_read() {
        let weights = read_weights_bytes("w", b"# two\n1 2\n3,4\n\n 5;6 \n", 3).unwrap();
        assert_eq!(weights, [[1, 3, 5], [2, 4, 6]]);
        assert_eq!(read_weights_bytes("w", b"7\n8\n", 2).unwrap(), [[7, 8]]);
        assert!(read_weights_bytes("w", b"", 0).unwrap().is_empty());
        let fixed = read_fixed_bytes("f", b"3 0\n% c\n1,1\n3 0\n", 3, 2).unwrap();
        assert_eq!(fixed, FixedFile { fixed: vec![(2, 0), (0, 1)], lines: vec![1, 3] });
        assert_eq!(read_previous_bytes("p", b"0\n-1\n2\n", 3).unwrap(), [0, NONE, 2]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("1 2\n3\n", "line 2: expected 2 weights, as on the first line, found 1"),
            ("1\n-3\n", "line 2: expected a weight: 0 to 2^32 - 1, whole, found `-3`"),
            ("1\n1.5\n", "line 2: expected a weight: 0 to 2^32 - 1, whole, found `1.5`"),
            (
                "1\n4294967296\n",
                "line 2: expected a weight: 0 to 2^32 - 1, whole, found `4294967296`",
            ),
            ("1\n", "line 1: expected 2 lines of weights, found the end after 1"),
            ("1\n2\n3\n", "line 3: expected 2 lines of weights, found more"),
        ] {
            let error = read_weights_bytes("w", text.as_bytes(), 2).expect_err(text);
            assert_eq!(error.to_string(), format!("w, {message}"));
        }
        for (text, message) in [
            ("0 1\n", "line 1: expected a vertex from 1 to 4, found `0`"),
            ("5 1\n", "line 1: expected a vertex from 1 to 4, found `5`"),
            ("1 2\n", "line 1: expected a part from 0 to 1, found `2`"),
            ("1 -1\n", "line 1: expected a part from 0 to 1, found `-1`"),
            ("1\n", "line 1: expected a vertex and its part, found `1`"),
            ("1 0\n2 0\n1 1\n", "line 3: expected part 0 for vertex 1, as on line 1, found 1"),
        ] {
            let error = read_fixed_bytes("f", text.as_bytes(), 4, 2).expect_err(text);
            assert_eq!(error.to_string(), format!("f, {message}"));
        }
        for (text, message) in [
            ("0\n-2\n", "line 2: expected a part from 0, or -1 for none, found `-2`"),
            (
                "0\n4294967295\n",
                "line 2: expected a part from 0, or -1 for none, found `4294967295`",
            ),
            ("0\n", "line 1: expected 2 parts, one per line, found the end after 1"),
            ("0\n1\n1\n", "line 3: expected 2 parts, one per line, found more"),
        ] {
            let error = read_previous_bytes("p", text.as_bytes(), 2).expect_err(text);
            assert_eq!(error.to_string(), format!("p, {message}"));
        }
    }
}
