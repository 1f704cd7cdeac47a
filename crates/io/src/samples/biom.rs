//! Counts in BIOM 1.0: one JSON object.
//!
//! **Method.** The object is read as it comes, without a tree of values (`json.rs`): ids of rows and columns, and
//! entries. Writers say `matrix_type` before `data`; where one does not, numbers are kept until it
//! is known.
//!
//! **Reference.** biom-format.org, version 1.0.

use super::Entries;
use super::json::Json;
use crate::IoError;
use crate::labels::Labels;
use crate::quote::shown;
use crate::source::Source;
use crate::texts::{Excerpts, Texts};

const LIST: [u8; 2] = [b'[', b']'];
const OBJECT: [u8; 2] = [b'{', b'}'];

pub(super) fn read(source: &Source<'_>) -> Result<Entries, IoError> {
    let mut json = Json::new(source);
    let mut table = Table::default();
    json.items(OBJECT, "an object", |json| {
        let key = json.key()?;
        match key.as_ref() {
            "rows" => table.rows = Some(ids(json)?),
            "columns" => table.columns = Some(ids(json)?),
            "shape" => {
                let mut shape = Vec::new();
                json.items(LIST, "a list of two numbers", |json| {
                    shape.push(json.number()?);
                    Ok(())
                })?;
                table.shape = Some(shape);
            }
            "matrix_type" => {
                table.sparse = Some(match json.string("`sparse` or `dense`")?.as_ref() {
                    "sparse" => true,
                    "dense" => false,
                    other => {
                        let found = format!("matrix_type {}", shown(other));
                        return Err(super::table_error(source.name, "sparse or dense", found));
                    }
                });
            }
            "data" => {
                table.has_data = true;
                table.data(json, source.name)?;
            }
            _ => json.skip()?,
        }
        Ok(())
    })?;
    json.end()?;
    table.entries(source.name)
}

/// The ids of the objects in a list.
fn ids(json: &mut Json<'_>) -> Result<Texts, IoError> {
    let mut texts = Excerpts::default();
    json.items(LIST, "a list of objects with an `id`", |json| {
        if let Some(id) = json.usual_id() {
            texts.push(id);
            return Ok(());
        }
        let mut found = false;
        json.items(OBJECT, "an object with an `id`", |json| {
            match json.key()?.as_ref() == "id" && !found {
                true => {
                    texts.push(&json.string("an `id` in quotes")?);
                    found = true;
                }
                false => json.skip()?,
            }
            Ok(())
        })?;
        if found { Ok(()) } else { Err(json.wrong("an `id` in the object before this")) }
    })?;
    Ok(texts.texts())
}

#[derive(Default)]
struct Table {
    rows: Option<Texts>,
    columns: Option<Texts>,
    sparse: Option<bool>,
    shape: Option<Vec<f64>>,
    has_data: bool,
    /// Numbers of `data` and where each of its lists ends, of a table not known to be sparse or dense.
    numbers: Vec<f64>,
    ends: Vec<usize>,
    /// Entries of one that is.
    entries: Vec<(u32, u32, f64)>,
}

/// The entry of three numbers of a list; nothing where two of them are no places.
#[inline(always)]
fn entry([row, column, count]: [f64; 3]) -> Option<(u32, u32, f64)> {
    let place = |x: f64| (x as u32, f64::from(x as u32) == x);
    let ((row, is_row), (column, is_column)) = (place(row), place(column));
    (is_row && is_column).then_some((row, column, count))
}

impl Table {
    /// Reads lists of numbers.
    fn data(&mut self, json: &mut Json<'_>, name: &str) -> Result<(), IoError> {
        let mut list = 0u32;
        let sparse = self.sparse;
        json.items(LIST, "lists of numbers", |json| {
            match sparse {
                Some(true) => {
                    if let Some([row, column, count]) = json.three()
                        && let (Ok(row), Ok(column)) = (row.try_into(), column.try_into())
                    {
                        self.entries.push((row, column, count as f64));
                        list += 1;
                        return Ok(());
                    }
                    let (mut numbers, mut count) = ([0.0; 3], 0);
                    json.items(LIST, "a list of numbers", |json| {
                        let number = json.number()?;
                        numbers.iter_mut().skip(count).take(1).for_each(|to| *to = number);
                        count += 1;
                        Ok(())
                    })?;
                    if count != numbers.len() {
                        return Err(wrong_list(name, list, count));
                    }
                    let found = entry(numbers).ok_or_else(|| no_place(name, list, numbers))?;
                    self.entries.push(found);
                }
                Some(false) => {
                    let mut column = 0;
                    json.items(LIST, "a list of numbers", |json| {
                        let count = json.number()?;
                        if count != 0.0 {
                            self.entries.push((list, column, count));
                        }
                        column += 1;
                        Ok(())
                    })?;
                }
                None => {
                    json.items(LIST, "a list of numbers", |json| {
                        self.numbers.push(json.number()?);
                        Ok(())
                    })?;
                    self.ends.push(self.numbers.len());
                }
            }
            list += 1;
            Ok(())
        })
    }

    fn entries(mut self, name: &str) -> Result<Entries, IoError> {
        let wrong = |expected: &str, found: String| super::table_error(name, expected, found);
        let missing = |key: &str| wrong(&format!("the key `{key}` of BIOM 1.0"), "none".into());
        if !self.has_data {
            return Err(missing("data"));
        }
        let rows = Labels::from_texts(self.rows.take().ok_or_else(|| missing("rows"))?);
        let columns = Labels::from_texts(self.columns.take().ok_or_else(|| missing("columns"))?);
        let sparse = self.sparse.ok_or_else(|| missing("matrix_type"))?;
        if let Some(shape) = self.shape.take()
            && shape != [rows.len() as f64, columns.len() as f64]
        {
            let expected =
                format!("the shape [{}, {}] of rows and columns", rows.len(), columns.len());
            let shape: Vec<String> = shape.iter().map(f64::to_string).collect();
            return Err(wrong(&expected, format!("[{}]", shape.join(", "))));
        }
        self.take_numbers(name, sparse)?;
        let (row_count, column_count) = (rows.len() as u32, columns.len() as u32);
        let proper = |&(row, column, count): &(u32, u32, f64)| {
            row < row_count && column < column_count && count.is_finite() && count >= 0.0
        };
        if let Some(&(row, column, count)) = self.entries.iter().find(|entry| !proper(entry)) {
            let at = |expected: String, found: String| {
                Err(IoError::Row { file: name.to_string(), row: row.into(), expected, found })
            };
            if row >= row_count || column >= column_count {
                let size = format!("{row_count} rows and {column_count} columns");
                return at(format!("an entry within {size}"), format!("column {column}"));
            }
            let (row_name, column_name) = (shown(&rows.label(row)), shown(&columns.label(column)));
            let of = format!("of {row_name} in column {column} ({column_name})");
            return at(format!("a count of 0 or more {of}"), count.to_string());
        }
        if self.entries.iter().any(|entry| entry.2 == 0.0) {
            self.entries.retain(|entry| entry.2 != 0.0);
        }
        let entries = self.entries;
        Ok(Entries { rows, columns, entries, left_out: None, rows_are_tips: true })
    }

    /// Numbers that were kept until it was known what they are.
    fn take_numbers(&mut self, name: &str, sparse: bool) -> Result<(), IoError> {
        let mut start = 0;
        for (list, &end) in (0..).zip(&self.ends) {
            let numbers = &self.numbers[start..end];
            start = end;
            match (sparse, numbers) {
                (true, &[row, column, count]) => {
                    let numbers = [row, column, count];
                    let found = entry(numbers).ok_or_else(|| no_place(name, list, numbers))?;
                    self.entries.push(found);
                }
                (true, other) => return Err(wrong_list(name, list, other.len())),
                (false, numbers) => {
                    let counts = (0..).zip(numbers).filter(|(_, count)| **count != 0.0);
                    self.entries.extend(counts.map(|(column, &count)| (list, column, count)));
                }
            }
        }
        Ok(())
    }
}

/// The error about a list of a sparse table that has not three numbers.
fn wrong_list(name: &str, list: u32, count: usize) -> IoError {
    let (file, row) = (name.to_string(), list.into());
    let expected = "[row, column, count] in `data`".to_string();
    IoError::Row { file, row, expected, found: format!("{count} numbers") }
}

/// The error about a list whose row or column is no whole number.
fn no_place(name: &str, list: u32, [row, column, _]: [f64; 3]) -> IoError {
    let file = name.to_string();
    let expected = "whole numbers as row and column in `data`".to_string();
    IoError::Row { file, row: list.into(), expected, found: format!("[{row}, {column}, …]") }
}
