//! Counts in BIOM 1.0: one JSON object.
//!
//! **Method.** The object is read as it comes, without a tree of values: ids of rows and columns, and
//! entries. Writers say `matrix_type` before `data`; where one does not, numbers are kept until it
//! is known.
//!
//! **Reference.** biom-format.org, version 1.0.

use super::Entries;
use crate::IoError;
use crate::labels::Labels;
use crate::quote::shown;
use crate::source::Source;
use crate::texts::Texts;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

pub(super) fn read(source: &Source<'_>) -> Result<Entries, IoError> {
    let mut reader = serde_json::Deserializer::from_str(source.text);
    let mut table = Table::default();
    let wrong = |error: serde_json::Error| {
        let line = error.line().max(1) as u64;
        source.on_line(line, "a table in BIOM 1.0 (JSON)", error.to_string())
    };
    TableSeed(&mut table).deserialize(&mut reader).map_err(wrong)?;
    reader.end().map_err(wrong)?;
    table.entries(source.name)
}

#[derive(Default)]
struct Table {
    rows: Option<Texts>,
    columns: Option<Texts>,
    sparse: Option<bool>,
    shape: Option<Vec<u64>>,
    has_data: bool,
    /// Numbers of `data` and where each of its lists ends.
    numbers: Vec<f64>,
    ends: Vec<usize>,
    /// Entries of a dense table that is known to be one.
    entries: Vec<(u32, u32, f64)>,
}

impl Table {
    fn entries(self, name: &str) -> Result<Entries, IoError> {
        let wrong = |expected: &str, found: String| super::table_error(name, expected, found);
        let missing = |key: &str| wrong(&format!("the key `{key}` of BIOM 1.0"), "none".into());
        if !self.has_data {
            return Err(missing("data"));
        }
        let rows = Labels::from_texts(self.rows.ok_or_else(|| missing("rows"))?);
        let columns = Labels::from_texts(self.columns.ok_or_else(|| missing("columns"))?);
        let sparse = self.sparse.ok_or_else(|| missing("matrix_type"))?;
        if let Some(shape) = self.shape
            && shape != [rows.len() as u64, columns.len() as u64]
        {
            let expected =
                format!("the shape [{}, {}] of rows and columns", rows.len(), columns.len());
            return Err(wrong(&expected, format!("{shape:?}")));
        }
        let check = |row: usize, column: usize, count: f64| {
            let inside = row < rows.len() && column < columns.len();
            let column_name = || shown(&columns.label(column as u32));
            let at = |expected: String, found: String| {
                Err(IoError::Row { file: name.to_string(), row: row as u64, expected, found })
            };
            match inside {
                false => {
                    let size = format!("{} rows and {} columns", rows.len(), columns.len());
                    at(format!("an entry within {size}"), format!("column {column}"))
                }
                true if count.is_finite() && count >= 0.0 => Ok(()),
                true => {
                    let name = shown(&rows.label(row as u32));
                    let of = format!("of {name} in column {column} ({})", column_name());
                    at(format!("a count of 0 or more {of}"), count.to_string())
                }
            }
        };
        let mut entries = self.entries;
        entries
            .iter()
            .try_for_each(|&(row, column, count)| check(row as usize, column as usize, count))?;
        let mut start = 0;
        for (list, &end) in self.ends.iter().enumerate() {
            let numbers = &self.numbers[start..end];
            start = end;
            match (sparse, numbers) {
                (true, &[row, column, count]) => {
                    let whole =
                        |x: f64| if x.fract() == 0.0 && x >= 0.0 { x as usize } else { usize::MAX };
                    let (row, column) = (whole(row), whole(column));
                    check(row, column, count)?;
                    entries.push((row as u32, column as u32, count));
                }
                (true, other) => {
                    let file = name.to_string();
                    let expected = "[row, column, count] in `data`".to_string();
                    let found = format!("{} numbers", other.len());
                    return Err(IoError::Row { file, row: list as u64, expected, found });
                }
                (false, numbers) => {
                    for (column, &count) in numbers.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                        check(list, column, count)?;
                        entries.push((list as u32, column as u32, count));
                    }
                }
            }
        }
        entries.retain(|entry| entry.2 != 0.0);
        Ok(Entries { rows, columns, entries, left_out: None, rows_are_tips: true })
    }
}

struct TableSeed<'t>(&'t mut Table);

impl<'de> DeserializeSeed<'de> for TableSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TableSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let table = self.0;
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            match key.as_ref() {
                "rows" => table.rows = Some(map.next_value_seed(Ids)?),
                "columns" => table.columns = Some(map.next_value_seed(Ids)?),
                "shape" => table.shape = Some(map.next_value()?),
                "matrix_type" => {
                    let word: String = map.next_value()?;
                    table.sparse = Some(match word.as_str() {
                        "sparse" => true,
                        "dense" => false,
                        other => {
                            let text = format!("matrix_type {}", shown(other));
                            return Err(A::Error::custom(text));
                        }
                    });
                }
                "data" => {
                    table.has_data = true;
                    map.next_value_seed(Data(table))?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Lists of numbers.
struct Data<'t>(&'t mut Table);

impl<'de> DeserializeSeed<'de> for Data<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Data<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("lists of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lists: A) -> Result<(), A::Error> {
        let table = self.0;
        let mut row = 0;
        while lists.next_element_seed(List { table, row })?.is_some() {
            row += 1;
        }
        Ok(())
    }
}

/// One list of them.
struct List<'t> {
    table: &'t mut Table,
    row: u32,
}

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<(), A::Error> {
        let table = self.table;
        if table.sparse == Some(false) {
            let mut column = 0;
            while let Some(count) = numbers.next_element::<f64>()? {
                if count != 0.0 {
                    table.entries.push((self.row, column, count));
                }
                column += 1;
            }
            return Ok(());
        }
        while let Some(number) = numbers.next_element::<f64>()? {
            table.numbers.push(number);
        }
        table.ends.push(table.numbers.len());
        Ok(())
    }
}

/// The ids of objects in a list.
struct Ids;

impl<'de> DeserializeSeed<'de> for Ids {
    type Value = Texts;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Texts, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Ids {
    type Value = Texts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects with an `id`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut objects: A) -> Result<Texts, A::Error> {
        let mut texts = Texts::default();
        while objects.next_element_seed(Id(&mut texts))?.is_some() {}
        Ok(texts)
    }
}

struct Id<'t>(&'t mut Texts);

impl<'de> DeserializeSeed<'de> for Id<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Id<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with an `id`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut found = false;
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            match key.as_ref() == "id" && !found {
                true => {
                    let id: std::borrow::Cow<'de, str> = map.next_value()?;
                    self.0.push(&id);
                    found = true;
                }
                false => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if found { Ok(()) } else { Err(A::Error::missing_field("id")) }
    }
}
