//! The statements of a MATPOWER case.

use crate::IoError;
use crate::number::{float_prefix, is_lost};
use crate::quote::shown;
use crate::source::Source;

/// A row of a matrix.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) values: Vec<f64>,
}

impl Row {
    /// A column, from 1 as MATPOWER's manual counts.
    pub(super) fn get(
        &self,
        source: &Source<'_>,
        matrix: &str,
        column: usize,
    ) -> Result<f64, IoError> {
        self.values.get(column - 1).copied().ok_or_else(|| {
            let expected = format!("column {column} of mpc.{matrix}");
            source.on_line(self.line, expected, format!("a row of {}", self.values.len()))
        })
    }

    pub(super) fn scale(&mut self, columns: &[usize], factor: f64) {
        for &column in columns {
            if let Some(value) = self.values.get_mut(column) {
                *value *= factor;
            }
        }
    }
}

/// A statement; fields are those of the case, without `mpc.`.
#[derive(Debug, Clone)]
pub(super) enum Statement {
    Number {
        field: String,
        value: f64,
        line: u64,
    },
    Text {
        field: String,
        value: String,
        line: u64,
    },
    Matrix {
        field: String,
        rows: Vec<Row>,
        line: u64,
    },
    /// A list of texts.
    Names {},
    Other {
        text: String,
        line: u64,
    },
}

/// A line without its comment and its continuation.
fn code(line: &str) -> (&str, bool) {
    let (mut quoted, bytes) = (false, line.as_bytes());
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b'%' | b'#' if !quoted => return (line[..at].trim(), false),
            b'.' if !quoted && bytes[at..].starts_with(b"...") => return (line[..at].trim(), true),
            _ => {}
        }
    }
    (line.trim(), false)
}

/// The statements of a case, in order.
pub(super) fn statements(source: &Source<'_>) -> Result<Vec<Statement>, IoError> {
    let mut all = Vec::new();
    let mut lines = source.text.lines().enumerate();
    let mut pending = String::new();
    let mut start = 1;
    // Comments between `%{` and `%}`.
    let mut in_comment = false;
    while let Some((number, text)) = lines.next() {
        let line = number as u64 + 1;
        match text.trim() {
            "%{" => in_comment = true,
            "%}" => in_comment = false,
            _ => {}
        }
        let (part, more) = code(text);
        if in_comment || (part.is_empty() && pending.is_empty()) {
            continue;
        }
        if pending.is_empty() {
            start = line;
        }
        pending.push_str(part);
        if more {
            pending.push(' ');
            continue;
        }
        let open = pending.find(['[', '{']);
        let is_field = pending.trim_start().starts_with("mpc.");
        if let (Some(open), true) = (open, is_field)
            && pending[..open].trim_end().ends_with('=')
            && !pending[..open].contains('(')
        {
            let is_names = pending.as_bytes()[open] == b'{';
            let close = if is_names { '}' } else { ']' };
            let field = pending[4..open].trim_end().trim_end_matches('=').trim().to_string();
            let mut body = pending[open + 1..].to_string();
            let mut rows: Vec<(u64, String)> = Vec::new();
            let mut at = line;
            loop {
                if let Some(end) = body.find(close) {
                    rows.push((at, body[..end].to_string()));
                    body = body[end + 1..].trim_start_matches(';').trim().to_string();
                    break;
                }
                rows.push((at, std::mem::take(&mut body)));
                let Some((number, text)) = lines.next() else {
                    let expected = format!("`{close}` after mpc.{field}");
                    return Err(source.on_line(line, expected, "the end of the file"));
                };
                at = number as u64 + 1;
                body = code(text).0.to_string();
            }
            all.push(match is_names {
                true => Statement::Names {},
                false => Statement::Matrix { rows: matrix(source, &rows)?, field, line },
            });
            pending = body;
            start = at;
            if pending.is_empty() {
                continue;
            }
        }
        for one in std::mem::take(&mut pending).split(';') {
            let one = one.trim();
            if !one.is_empty() {
                all.extend(plain(source, one, start)?);
            }
        }
    }
    match pending.trim() {
        "" => Ok(all),
        rest => Err(source.on_line(start, "the rest of a statement", shown(rest))),
    }
}

/// A statement that is no matrix.
fn plain(source: &Source<'_>, text: &str, line: u64) -> Result<Option<Statement>, IoError> {
    if text.starts_with("function") || text == "end" || text == "return" {
        return Ok(None);
    }
    if let Some(rest) = text.strip_prefix("mpc.")
        && let Some((field, value)) = rest.split_once('=')
        && !field.contains(['(', '['])
    {
        let (field, value) = (field.trim().to_string(), value.trim());
        if value.starts_with('[') {
            // A matrix on one line with others.
            let body = value.trim_start_matches('[').trim_end_matches(']').to_string();
            let rows = matrix(source, &[(line, body)])?;
            return Ok(Some(Statement::Matrix { field, rows, line }));
        }
        if let Some(value) = value.strip_prefix('\'') {
            let value = value.trim_end_matches('\'').to_string();
            return Ok(Some(Statement::Text { field, value, line }));
        }
        if let Some(value) = expression(value) {
            return Ok(Some(Statement::Number { field, value, line }));
        }
    }
    Ok(Some(Statement::Other { text: text.to_string(), line }))
}

fn matrix(source: &Source<'_>, lines: &[(u64, String)]) -> Result<Vec<Row>, IoError> {
    let mut rows: Vec<Row> = Vec::new();
    for (line, text) in lines {
        for row in text.split(';') {
            let words = row.split([' ', '\t', ',', '\r']).filter(|word| !word.is_empty());
            let values: Result<Vec<f64>, &str> =
                words.map(|word| expression(word).ok_or(word)).collect();
            let values = values
                .map_err(|word| source.on_line(*line, "a number, or a calculation", shown(word)))?;
            if values.is_empty() {
                continue;
            }
            if let Some(first) = rows.first()
                && first.values.len() != values.len()
            {
                let expected = format!("{} columns as in the first row", first.values.len());
                return Err(source.on_line(*line, expected, values.len().to_string()));
            }
            rows.push(Row { line: *line, values });
        }
    }
    Ok(rows)
}

/// The value of an expression of numbers with `+ - * / ^`, brackets, `sqrt` and `pi`.
pub(super) fn expression(text: &str) -> Option<f64> {
    let mut reader = Expression { bytes: text.as_bytes(), at: 0, depth: 0 };
    let value = reader.sum()?;
    reader.blanks();
    (reader.at == text.len()).then_some(value)
}

struct Expression<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl Expression<'_> {
    fn blanks(&mut self) {
        while self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }

    fn sum(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > 50 {
            return None;
        }
        let mut value = self.product()?;
        loop {
            if self.take(b'+') {
                value += self.product()?;
            } else if self.take(b'-') {
                value -= self.product()?;
            } else {
                self.depth -= 1;
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.signed()?;
        loop {
            if self.take(b'*') {
                value *= self.signed()?;
            } else if self.take(b'/') {
                value /= self.signed()?;
            } else {
                return Some(value);
            }
        }
    }

    fn signed(&mut self) -> Option<f64> {
        let mut sign = 1.0;
        loop {
            if self.take(b'-') {
                sign = -sign;
            } else if !self.take(b'+') {
                break;
            }
        }
        let value = self.factor()?;
        // A power binds more than a sign.
        let value = if self.take(b'^') { value.powf(self.factor()?) } else { value };
        Some(sign * value)
    }

    fn factor(&mut self) -> Option<f64> {
        self.blanks();
        let bytes = self.bytes;
        let rest = &bytes[self.at..];
        let mut bracketed = |skip: usize| {
            self.at += skip;
            let value = if self.take(b'(') { self.sum() } else { None };
            value.filter(|_| self.take(b')'))
        };
        if rest.starts_with(b"sqrt") {
            return bracketed(4).map(f64::sqrt);
        }
        if rest.starts_with(b"(") {
            return bracketed(0);
        }
        if rest.starts_with(b"pi") {
            self.at += 2;
            return Some(std::f64::consts::PI);
        }
        let words: [(&[u8], f64); 3] =
            [(b"Inf", f64::INFINITY), (b"inf", f64::INFINITY), (b"NaN", f64::NAN)];
        if let Some((word, value)) = words.iter().find(|(word, _)| rest.starts_with(word)) {
            self.at += word.len();
            return Some(*value);
        }
        if !matches!(rest.first(), Some(b'0'..=b'9' | b'.')) {
            return None;
        }
        let (value, length) = float_prefix(rest)?;
        if is_lost(&rest[..length], value) {
            return None;
        }
        self.at += length;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_calculated() {
        for (text, value) in [
            ("135/sqrt(3)", 135.0 / 3f64.sqrt()),
            ("50/3", 50.0 / 3.0),
            ("-2^2", -4.0),
            ("2*(3 - 1) + 1e-3", 4.001),
            ("-Inf", f64::NEG_INFINITY),
        ] {
            assert_eq!(expression(text), Some(value), "{text}");
        }
        for text in ["", "a", "1 2", "sqrt 3", "(1", "1)", "2*", &"(".repeat(100_000)] {
            assert_eq!(expression(text), None);
        }
    }
}
