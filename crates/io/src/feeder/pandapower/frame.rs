//! Tables of a pandapower network: JSON within JSON strings.

use super::super::json::{Json, Value, parse};
use crate::IoError;
use crate::quote::shown;

/// A table: its columns, and the index and the values of its rows.
pub(crate) struct Frame<'a> {
    file: &'a str,
    name: &'a str,
    pub(crate) line: u64,
    columns: Vec<String>,
    index: Vec<i64>,
    rows: Vec<Vec<Json<'a>>>,
}

/// One row.
#[derive(Clone, Copy)]
pub(crate) struct Row<'f, 'a> {
    frame: &'f Frame<'a>,
    at: usize,
}

impl<'a> Frame<'a> {
    /// The table of a member of the network; nothing where it is no table.
    pub(crate) fn open(
        file: &'a str,
        name: &'a str,
        member: &'a Json<'a>,
    ) -> Result<Option<Frame<'a>>, IoError> {
        let is_frame = member
            .get("_class")
            .is_some_and(|class| matches!(&class.value, Value::Text(text) if text == "DataFrame"));
        let Some(object) = member.get("_object").filter(|_| is_frame) else { return Ok(None) };
        let line = object.line;
        let inner = match &object.value {
            Value::Text(text) => parse(file, text, line, true)?,
            _ => object.clone(),
        };
        let wrong = |what: &str| {
            let found = format!("another form of {}", shown(name));
            IoError::on_line(file, line, format!("a table with `{what}`"), found)
        };
        let Value::Object(members) = inner.value else { return Err(wrong("columns")) };
        let (mut columns, mut index, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for (key, value) in members {
            match (key.as_ref(), value.value) {
                ("columns", Value::List(all)) => {
                    for one in all {
                        columns.push(one.text(file, "the name of a column")?.to_string());
                    }
                }
                ("index", Value::List(all)) => {
                    for one in all {
                        match one.value {
                            Value::Number(x) if x.fract() == 0.0 => index.push(x as i64),
                            _ => return Err(one.wrong(file, "an index that is a whole number")),
                        }
                    }
                }
                ("data", Value::List(all)) => {
                    for one in all {
                        match one.value {
                            Value::List(values) => rows.push(values),
                            _ => return Err(wrong("data")),
                        }
                    }
                }
                _ => {}
            }
        }
        if index.len() != rows.len() || rows.iter().any(|row| row.len() != columns.len()) {
            return Err(wrong("an index and rows of equal sizes"));
        }
        Ok(Some(Frame { file, name, line, columns, index, rows }))
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|one| one == column)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_, 'a>> {
        (0..self.rows.len()).map(move |at| Row { frame: self, at })
    }
}

impl<'a> Row<'_, 'a> {
    pub(crate) fn index(&self) -> i64 {
        self.frame.index[self.at]
    }

    pub(crate) fn line(&self) -> u64 {
        self.frame.line
    }

    /// A value; `null` and NaN are none.
    pub(crate) fn get(&self, column: &str) -> Option<&Json<'a>> {
        let at = self.frame.columns.iter().position(|one| one == column)?;
        let value = &self.frame.rows[self.at][at];
        match value.value {
            Value::Null => None,
            Value::Number(x) if x.is_nan() => None,
            _ => Some(value),
        }
    }

    /// The error about this row.
    pub(crate) fn wrong(&self, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        let place = format!("{} (row {} of `{}`)", found.into(), self.index(), self.frame.name);
        IoError::on_line(self.frame.file, self.frame.line, expected, place)
    }

    pub(crate) fn number(&self, column: &str) -> Result<f64, IoError> {
        match self.get(column).map(|json| &json.value) {
            Some(Value::Number(x)) => Ok(*x),
            Some(Value::Bool(b)) => Ok(f64::from(u8::from(*b))),
            _ => {
                let found = self.get(column).map_or("none".to_string(), Json::found);
                Err(self.wrong(format!("a number: `{column}`"), found))
            }
        }
    }

    /// A number above 0.
    pub(crate) fn positive(&self, column: &str) -> Result<f64, IoError> {
        let value = self.number(column)?;
        match value > 0.0 {
            true => Ok(value),
            false => Err(self.wrong(format!("a positive number: `{column}`"), value.to_string())),
        }
    }

    pub(crate) fn number_or(&self, column: &str, otherwise: f64) -> Result<f64, IoError> {
        self.get(column).map_or(Ok(otherwise), |_| self.number(column))
    }

    pub(crate) fn flag(&self, column: &str, otherwise: bool) -> Result<bool, IoError> {
        self.number_or(column, f64::from(u8::from(otherwise))).map(|x| x != 0.0)
    }

    pub(crate) fn text(&self, column: &str) -> &str {
        match self.get(column).map(|json| &json.value) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }
}
