//! One table of a feeder: a header whose columns are all known, and rows of texts and numbers.

use crate::IoError;
use crate::number;
use crate::quote::shown;
use crate::rows::{Field, Rows, Separator};
use crate::source::Source;
use std::borrow::Cow;

/// A table under way.
pub(crate) struct Table<'a> {
    pub(crate) source: Source<'a>,
    rows: Rows<'a>,
    known: &'static [&'static str],
    /// By known column, its field.
    at: Vec<Option<usize>>,
    fields: Vec<Field>,
    width: usize,
    pub(crate) line: u64,
}

impl<'a> Table<'a> {
    /// Reads the header. `known` are all columns; the first `needed` of them must be there.
    pub(crate) fn open(
        source: Source<'a>,
        known: &'static [&'static str],
        needed: usize,
    ) -> Result<Table<'a>, IoError> {
        let mut rows = Rows::new(source, Separator::Byte(b','));
        let mut fields = Vec::new();
        let Some(line) = rows.next(&mut fields)? else {
            let expected = format!("a header: {}", known[..needed].join(","));
            return Err(source.on_line(1, expected, "an empty file"));
        };
        let mut at = vec![None; known.len()];
        for (k, field) in fields.iter().enumerate() {
            let name = field.text(&source);
            let Some(column) = known.iter().position(|one| *one == name) else {
                let expected = format!("a column of {}", known.join(", "));
                return Err(source.on_line(line, expected, shown(&name)));
            };
            if at[column].replace(k).is_some() {
                let found = format!("{} again", shown(&name));
                return Err(source.on_line(line, "each column once", found));
            }
        }
        if let Some(missing) = (0..needed).find(|&column| at[column].is_none()) {
            let found = "a header without it";
            return Err(source.on_line(line, format!("column `{}`", known[missing]), found));
        }
        let width = fields.len();
        Ok(Table { source, rows, known, at, fields, width, line })
    }

    /// Goes to the next row, if there is one.
    pub(crate) fn next(&mut self) -> Result<bool, IoError> {
        let Some(line) = self.rows.next(&mut self.fields)? else { return Ok(false) };
        self.line = line;
        match self.fields.len() == self.width {
            true => Ok(true),
            false => {
                let expected = format!("{} fields as in the header", self.width);
                Err(self.wrong(expected, self.fields.len().to_string()))
            }
        }
    }

    /// The error about this row.
    pub(crate) fn wrong(&self, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        self.source.on_line(self.line, expected, found)
    }

    pub(crate) fn has(&self, column: usize) -> bool {
        self.at[column].is_some()
    }

    /// The text of a column; empty where the table does not have it.
    pub(crate) fn text(&self, column: usize) -> Cow<'a, str> {
        match self.at[column] {
            Some(field) => self.fields[field].text(&self.source),
            None => Cow::Borrowed(""),
        }
    }

    /// A name, which must not be empty.
    pub(crate) fn name(&self, column: usize) -> Result<Cow<'a, str>, IoError> {
        let text = self.text(column);
        match text.is_empty() {
            true => {
                Err(self.wrong(format!("a name in column `{}`", self.known[column]), "nothing"))
            }
            false => Ok(text),
        }
    }

    /// A finite number.
    pub(crate) fn number(&self, column: usize) -> Result<f64, IoError> {
        let text = self.text(column);
        number::kept(text.as_bytes()).ok_or_else(|| {
            let found =
                if text.is_empty() { "nothing".to_string() } else { number::refused(&text) };
            self.wrong(format!("a number in column `{}`", self.known[column]), found)
        })
    }

    /// As [`Table::number`]; an empty cell or no column stands for `otherwise`.
    pub(crate) fn number_or(&self, column: usize, otherwise: f64) -> Result<f64, IoError> {
        match self.text(column).is_empty() {
            true => Ok(otherwise),
            false => self.number(column),
        }
    }

    /// A number above 0; an empty cell or no column stands for `otherwise`, if there is one.
    pub(crate) fn positive(&self, column: usize, otherwise: Option<f64>) -> Result<f64, IoError> {
        let value = match otherwise {
            Some(otherwise) => self.number_or(column, otherwise)?,
            None => self.number(column)?,
        };
        match value > 0.0 {
            true => Ok(value),
            false => {
                let expected = format!("a positive number in column `{}`", self.known[column]);
                Err(self.wrong(expected, shown(&self.text(column))))
            }
        }
    }

    /// A positive number, infinite where a cell is empty.
    pub(crate) fn limit(&self, column: usize) -> Result<f64, IoError> {
        self.number_or(column, f64::INFINITY)
    }

    /// One of some words.
    pub(crate) fn word<T: Copy>(&self, column: usize, words: &[(&str, T)]) -> Result<T, IoError> {
        let text = self.text(column);
        let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(&text));
        found.map(|&(_, value)| value).ok_or_else(|| {
            let names = words.iter().map(|&(word, _)| word).filter(|word| !word.is_empty());
            let names: Vec<&str> = names.collect();
            let or_none = if names.len() < words.len() { " (or nothing)" } else { "" };
            let words = format!("{}{or_none}", names.join(", "));
            let found = if text.is_empty() { "nothing".to_string() } else { shown(&text) };
            self.wrong(format!("{words} in column `{}`", self.known[column]), found)
        })
    }
}
