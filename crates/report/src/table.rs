//! Aligned text tables for terminals.

use std::fmt;

use palmette_core::Record;
use serde_json::Value;

use crate::number::thousands;
use crate::text::columns;

/// One entry: numbers go to the right of their column, text to the left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub(crate) text: String,
    pub(crate) number: bool,
    /// All of what the text is short for; empty where it is not. Only pages show it.
    pub(crate) hint: String,
}

impl Cell {
    /// No number: a dash where numbers stand.
    pub fn missing() -> Self {
        Cell::number("–".to_string())
    }

    /// A value of JSON.
    pub(crate) fn of(value: &Value) -> Self {
        match (value.as_u64(), value.as_f64(), value.as_str()) {
            (Some(count), ..) => Cell::from(count),
            (_, Some(number), _) => Cell::from(number),
            (.., Some(text)) => Cell::from(text),
            _ => match value.as_array() {
                Some(numbers) if numbers.iter().all(Value::is_number) && !numbers.is_empty() => {
                    Cell::from(listed(numbers))
                }
                _ => Cell::from(value.to_string()),
            },
        }
    }

    /// A number that is written already.
    pub(crate) fn number(text: String) -> Self {
        Cell { text, number: true, hint: String::new() }
    }

    /// With a hint, unless it says what the text does.
    pub(crate) fn hinted(self, hint: String) -> Self {
        let hint = if hint == self.text { String::new() } else { hint };
        Cell { hint, ..self }
    }
}

/// Numbers beside each other, the first of them where there are many.
fn listed(numbers: &[Value]) -> String {
    const MOST: usize = 6;
    let some: Vec<String> = numbers.iter().take(MOST).map(|x| Cell::of(x).text).collect();
    let more = if numbers.len() > MOST { "  …" } else { "" };
    some.join("  ") + more
}

impl From<u64> for Cell {
    fn from(value: u64) -> Self {
        Cell::number(thousands(value))
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Self {
        Cell::from(value as u64)
    }
}

impl From<f64> for Cell {
    /// Four significant digits or all digits before the point; thousands are separated.
    fn from(value: f64) -> Self {
        let size = value.abs();
        let text = if value == 0.0 {
            "0".to_string()
        } else if !value.is_finite() || !(1e-4..1e15).contains(&size) {
            format!("{value:.3e}")
        } else if size >= 1000.0 {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}{}", thousands(size.round() as u64))
        } else {
            let digits = size.max(1e-4).log10().floor() as i32;
            format!("{value:.*}", (3 - digits).clamp(0, 7) as usize)
        };
        Cell::number(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::from(text.to_string())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell { text, number: false, hint: String::new() }
    }
}

/// Rows under a header, printed with [`fmt::Display`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with these columns; without any it has no header line.
    pub fn new(header: &[&str]) -> Self {
        Table { header: header.iter().map(|h| h.to_string()).collect(), rows: Vec::new() }
    }

    /// Adds a row; it may be shorter or longer than the header.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> &mut Self {
        self.rows.push(cells.into_iter().collect());
        self
    }

    /// The columns of the longest row or the header, and by column whether it has numbers: its
    /// header stands where they stand. One pass over all cells.
    pub(crate) fn numeric_columns(&self) -> Vec<bool> {
        let count = self.rows.iter().map(Vec::len).chain([self.header.len()]).max().unwrap_or(0);
        let mut numeric = vec![false; count];
        for row in &self.rows {
            for (numeric, cell) in numeric.iter_mut().zip(row) {
                *numeric |= cell.number;
            }
        }
        numeric
    }

    /// The figures of a run, then its seconds by phase: one name and number per row.
    pub fn of_record(record: &Record) -> Self {
        let mut table = Table::default();
        for (key, value) in &record.result {
            // Texts stand where numbers stand.
            table.row([Cell::from(key.as_str()), Cell { number: true, ..Cell::of(value) }]);
        }
        for (phase, value) in &record.seconds {
            let cell = value.as_f64().map_or(Cell::from(value.to_string()), Cell::from);
            table.row([Cell::from(format!("{phase} (s)")), cell]);
        }
        table
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let right = self.numeric_columns();
        let mut widths = vec![0; right.len()];
        for (width, name) in widths.iter_mut().zip(&self.header) {
            *width = columns(name);
        }
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = columns(&cell.text).max(*width);
            }
        }
        let line = |f: &mut fmt::Formatter<'_>, texts: &[(&str, bool)]| {
            let mut out = String::new();
            for (c, &(text, to_right)) in texts.iter().enumerate() {
                let gap = " ".repeat(widths[c] - columns(text));
                let before = if c == 0 { "" } else { "  " };
                out.push_str(before);
                out.push_str(&if to_right { gap + text } else { text.to_string() + &gap });
            }
            writeln!(f, "{}", out.trim_end())
        };
        if !self.header.is_empty() {
            let header: Vec<_> =
                self.header.iter().enumerate().map(|(c, h)| (h.as_str(), right[c])).collect();
            line(f, &header)?;
        }
        for row in &self.rows {
            let texts: Vec<_> = row.iter().map(|cell| (cell.text.as_str(), cell.number)).collect();
            line(f, &texts)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_right_and_text_left() {
        let mut table = Table::new(&["engine", "vertices", "seconds"]);
        table.row(["sequential".into(), 10_000_000u64.into(), 0.0123.into()]);
        table.row(["threads".into(), 5usize.into(), 12_345.6.into()]);
        assert_eq!(
            table.to_string(),
            "engine        vertices  seconds\n\
             sequential  10,000,000  0.01230\n\
             threads              5   12,346\n"
        );
        assert_eq!(Table::default().to_string(), "");
    }

    #[test]
    fn columns_are_numeric_where_one_cell_is() {
        let mut table = Table::new(&["a", "b"]);
        table.row(["x".into(), "y".into()]).row(["x".into(), 1usize.into(), 2usize.into()]);
        assert_eq!(table.numeric_columns(), [false, true, true]);
        assert_eq!(Table::new(&["a"]).numeric_columns(), [false]);
    }

    #[test]
    fn a_record_is_a_table() {
        let mut record = Record::new("tree info", "a.nwk");
        record.figure("vertices", 1234).figure("root", "r");
        record.time("read", || ());
        let text = Table::of_record(&record).to_string();
        assert!(
            text.starts_with("vertices  ") && text.contains("1,234\nroot             r"),
            "{text}"
        );
        assert!(text.contains("read (s)"));
    }
}
