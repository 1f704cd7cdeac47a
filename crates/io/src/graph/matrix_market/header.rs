//! Parses the header and the sizes of a Matrix Market file.

use crate::IoError;
use crate::error::shown;
use crate::graph::is_banner;
use crate::number::unsigned;
use crate::source::Source;
use palmette_core::MAX_VERTICES;

/// What the entries hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Real,
    Integer,
    Pattern,
}

impl Field {
    /// Whether a number can be a value: zero, or normal (then its reciprocal is
    /// finite).
    #[inline]
    pub(crate) fn holds(self, value: f64) -> bool {
        (value.is_normal() || value == 0.0) && (self != Field::Integer || value.fract() == 0.0)
    }

    pub(crate) fn expected(self) -> &'static str {
        match self {
            Field::Integer => "an integer",
            _ => "a number, finite and not subnormal",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Header {
    /// The number of rows and columns.
    pub(crate) size: usize,
    pub(crate) entries: u64,
    pub(crate) field: Field,
    pub(crate) symmetric: bool,
    /// The line of the sizes, and where the next one starts.
    pub(crate) line: u64,
    pub(crate) body: usize,
}

/// Rows that a file may have whatever its length, and more for each of its bytes: what
/// a header claims is paid for in memory, even if no entry follows.
const ROWS: u64 = 1 << 24;
const ROWS_A_BYTE: u64 = 64;

impl Header {
    pub(crate) fn read(source: &Source<'_>) -> Result<Header, IoError> {
        let (mut kind, mut at, mut number) = (None, 0, 0);
        for whole in source.text.split_inclusive('\n') {
            number += 1;
            at += whole.len();
            let text = whole.trim();
            if is_banner(text) && kind.is_none() {
                kind = Some(banner(source, number, text)?);
            } else if !text.is_empty() && !text.starts_with('%') {
                return sizes(source, number, text, kind, at);
            }
        }
        let found = if number == 0 { "an empty file" } else { "the end of the file" };
        Err(source.on_line(number.max(1), "the sizes `rows columns entries`", found))
    }
}

fn banner(source: &Source<'_>, line: u64, text: &str) -> Result<(Field, bool), IoError> {
    let words: Vec<String> = text.split_ascii_whitespace().map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let known = [
        (1, "the object `matrix`", &["matrix"][..]),
        (2, "the format `coordinate`", &["coordinate"]),
        (3, "the field `real`, `integer` or `pattern`", &["real", "integer", "pattern"]),
        (4, "the symmetry `general` or `symmetric`", &["general", "symmetric"]),
    ];
    for (place, expected, choices) in known {
        let word = words.get(place).copied();
        if word.is_none_or(|word| !choices.contains(&word)) {
            let found = word.map_or("the end of the line".to_string(), shown);
            return Err(source.on_line(line, expected, found));
        }
    }
    if let Some(word) = words.get(5) {
        return Err(source.on_line(line, "the end of the line", shown(word)));
    }
    let field = match words[3] {
        "real" => Field::Real,
        "integer" => Field::Integer,
        _ => Field::Pattern,
    };
    Ok((field, words[4] == "symmetric"))
}

fn sizes(
    source: &Source<'_>,
    line: u64,
    text: &str,
    kind: Option<(Field, bool)>,
    body: usize,
) -> Result<Header, IoError> {
    let numbers: Option<Vec<u64>> = text.split_ascii_whitespace().map(unsigned).collect();
    let Some(&[rows, columns, entries]) = numbers.as_deref() else {
        return Err(source.on_line(line, "the sizes `rows columns entries`", shown(text)));
    };
    if rows != columns {
        return Err(source.on_line(line, "a square matrix", format!("{rows} × {columns}")));
    }
    let most = MAX_VERTICES as u64;
    if rows > most {
        return Err(source.on_line(line, format!("at most {most} rows"), rows.to_string()));
    }
    let length = source.text.len() as u64;
    let likely = length.saturating_mul(ROWS_A_BYTE).saturating_add(ROWS);
    if rows > likely {
        let expected = format!("at most {likely} rows in a file of {length} bytes");
        return Err(source.on_line(line, expected, rows.to_string()));
    }
    let (field, symmetric) = kind.unwrap_or_else(|| (without_banner(source, body), false));
    Ok(Header { size: rows as usize, entries, field, symmetric, line, body })
}

/// A file without the first line has values if its first entry has one.
fn without_banner(source: &Source<'_>, body: usize) -> Field {
    let mut lines = source.text[body..].lines().map(str::trim);
    let first = lines.find(|text| !text.is_empty() && !text.starts_with('%'));
    match first.map(|text| text.split_ascii_whitespace().count()) {
        Some(2) => Field::Pattern,
        _ => Field::Real,
    }
}
