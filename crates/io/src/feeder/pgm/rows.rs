//! Rows of a component: objects, or lists whose attributes stand at the top of the file.

use super::super::json::{Json, Value};
use crate::IoError;
use crate::quote::shown;

/// The rows of one component.
pub(crate) struct Component<'j, 'a> {
    pub(crate) file: &'j str,
    pub(crate) name: &'j str,
    pub(crate) line: u64,
    pub(crate) rows: &'j [Json<'a>],
    pub(crate) columns: Option<Vec<&'j str>>,
}

/// One row.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'c, 'j, 'a> {
    component: &'c Component<'j, 'a>,
    json: &'j Json<'a>,
}

impl<'j, 'a> Component<'j, 'a> {
    pub(crate) fn rows(&self) -> impl Iterator<Item = Rows<'_, 'j, 'a>> {
        self.rows.iter().map(move |json| Rows { component: self, json })
    }

    /// Checks that rows have no other attributes; `extra`, which converters add, says nothing.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), IoError> {
        let wrong = |line: u64, name: &str| {
            let expected = format!("an attribute of {}: {}", self.name, known.join(", "));
            IoError::on_line(self.file, line, expected, shown(name))
        };
        let is_known = |name: &str| known.contains(&name) || name == "extra";
        if let Some(columns) = &self.columns
            && let Some(name) = columns.iter().find(|name| !is_known(name))
        {
            return Err(wrong(self.line, name));
        }
        for row in self.rows {
            match &row.value {
                Value::Object(members) => {
                    if let Some((name, value)) = members.iter().find(|(name, _)| !is_known(name)) {
                        return Err(wrong(value.line, name));
                    }
                }
                Value::List(values) => {
                    let width = self.columns.as_ref().map_or(0, Vec::len);
                    if values.len() != width {
                        let expected = format!("{width} values, as `attributes` has names");
                        let found = values.len().to_string();
                        return Err(IoError::on_line(self.file, row.line, expected, found));
                    }
                }
                _ => return Err(row.wrong(self.file, format!("a row of {}", self.name))),
            }
        }
        Ok(())
    }
}

impl<'j, 'a> Rows<'_, 'j, 'a> {
    pub(crate) fn line(&self) -> u64 {
        self.json.line
    }

    /// An attribute; `null` is none.
    pub(crate) fn get(&self, name: &str) -> Option<&'j Json<'a>> {
        let found = match &self.json.value {
            Value::List(values) => {
                let columns = self.component.columns.as_ref()?;
                values.get(columns.iter().position(|column| *column == name)?)
            }
            _ => self.json.get(name),
        };
        found.filter(|json| json.value != Value::Null)
    }

    /// A text in its `extra`.
    pub(crate) fn extra(&self, name: &str) -> Result<Option<&'j str>, IoError> {
        let found = self.get("extra").and_then(|extra| extra.get(name));
        found.map(|json| json.text(self.component.file, name)).transpose()
    }

    /// The error about this row.
    pub(crate) fn wrong(&self, expected: impl Into<String>, found: impl Into<String>) -> IoError {
        IoError::on_line(self.component.file, self.line(), expected, found)
    }

    fn missing(&self, name: &str) -> IoError {
        self.wrong(format!("`{name}` of a {}", self.component.name), "none")
    }

    pub(crate) fn number(&self, name: &str) -> Result<f64, IoError> {
        let json = self.get(name).ok_or_else(|| self.missing(name))?;
        match json.value {
            Value::Number(value) if value.is_finite() => Ok(value),
            _ => Err(json.wrong(self.component.file, format!("a number: `{name}`"))),
        }
    }

    pub(crate) fn number_or(&self, name: &str, otherwise: f64) -> Result<f64, IoError> {
        self.get(name).map_or(Ok(otherwise), |_| self.number(name))
    }

    /// A number above 0; where it is not said, `otherwise`, if there is one.
    pub(crate) fn positive(&self, name: &str, otherwise: Option<f64>) -> Result<f64, IoError> {
        let value = match otherwise {
            Some(otherwise) => self.number_or(name, otherwise)?,
            None => self.number(name)?,
        };
        match value > 0.0 {
            true => Ok(value),
            false => Err(self.wrong(format!("a positive number: `{name}`"), value.to_string())),
        }
    }

    /// A whole number, such as that of a node.
    pub(crate) fn whole(&self, name: &str) -> Result<i64, IoError> {
        let value = self.number(name)?;
        match value.fract() == 0.0 {
            true => Ok(value as i64),
            false => Err(self.wrong(format!("a whole number: `{name}`"), value.to_string())),
        }
    }

    /// 0 or 1; 1 where it is not said.
    pub(crate) fn status(&self, name: &str) -> Result<bool, IoError> {
        let Some(json) = self.get(name) else { return Ok(true) };
        match json.value {
            Value::Number(0.0) | Value::Bool(false) => Ok(false),
            Value::Number(1.0) | Value::Bool(true) => Ok(true),
            _ => Err(json.wrong(self.component.file, format!("0 or 1: `{name}`"))),
        }
    }

    /// Three numbers, one per phase.
    pub(crate) fn phases(&self, name: &str) -> Result<[f64; 3], IoError> {
        let json = self.get(name).ok_or_else(|| self.missing(name))?;
        let wrong = || json.wrong(self.component.file, format!("three numbers: `{name}`"));
        let list = json.list(self.component.file, "a number per phase")?;
        let number = |one: &Json<'_>| match one.value {
            Value::Number(value) if value.is_finite() => Some(value),
            _ => None,
        };
        let numbers: Option<Vec<f64>> = list.iter().map(number).collect();
        numbers.and_then(|all| <[f64; 3]>::try_from(all).ok()).ok_or_else(wrong)
    }
}
