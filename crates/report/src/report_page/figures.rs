//! Values of JSON as tables for people.
//!
//! Single values are rows; values within values have their path as name. Lists of numbers that
//! are short are one row, longer ones and lists of objects are tables of their own.

use super::words;
use crate::table::{Cell, Table};
use serde_json::{Map, Value};

/// Lists up to this long stay in their row.
const IN_ROW: usize = 8;
/// Tables of lists end here, and say so.
pub(super) const MOST_ROWS: usize = 200;
const MOST_COLUMNS: usize = 24;
/// Numbers up to this long are written as they are.
const SHORT: usize = 7;
/// Longer texts are cut, and whole under the pointer.
const LONGEST: usize = 80;

/// The figures of a run.
pub(super) struct Figures {
    /// A name and a value per row.
    pub(super) rows: Table,
    /// Things of one kind by their names, a row each: solvers that were compared, say.
    pub(super) tables: Vec<(String, Table)>,
    /// Lists, with their names.
    pub(super) lists: Vec<(String, Table)>,
}

impl Figures {
    pub(super) fn of(map: &Map<String, Value>) -> Figures {
        let mut figures = Figures { rows: Table::default(), tables: Vec::new(), lists: Vec::new() };
        let mut single = Map::new();
        for (key, value) in map {
            match value.as_object().and_then(named_table) {
                Some(table) => figures.tables.push((cut(words(key)).text, table)),
                None => {
                    single.insert(key.clone(), value.clone());
                }
            }
        }
        for (path, value) in flat(&single) {
            match value {
                Value::Array(list) if list.len() > IN_ROW || list.iter().any(Value::is_object) => {
                    let note = Cell::from(format!("{} below", list.len()));
                    figures.rows.row([Cell::from(path.as_str()), note]);
                    figures.lists.push((path, list_table(list)));
                }
                _ => {
                    figures.rows.row([Cell::from(path), cell(value)]);
                }
            }
        }
        figures
    }
}

/// All values of a map that hold no further names, with their paths; in order. Names stand in
/// every path below them, so long ones are cut.
pub(super) fn flat(map: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (key, value) in map {
        let name = cut(words(key)).text;
        match value {
            Value::Object(inner) if !inner.is_empty() => {
                let inside = flat(inner).into_iter();
                found.extend(inside.map(|(path, value)| (format!("{name}: {path}"), value)));
            }
            _ => found.push((name, value)),
        }
    }
    found
}

/// A value, short, with all of it as a hint.
pub(super) fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::missing(),
        Value::Bool(true) => Cell::from("yes"),
        Value::Bool(false) => Cell::from("no"),
        Value::Number(number) => {
            let exact = number.to_string();
            let short = match (number.as_u64(), number.as_f64()) {
                (Some(count), _) => return Cell::from(count),
                (None, Some(float)) if exact.len() > SHORT => Cell::from(float),
                _ => Cell::number(exact.clone()),
            };
            short.hinted(exact)
        }
        Value::String(text) => cut(text.clone()),
        Value::Array(list) if list.is_empty() => Cell::from("none"),
        Value::Array(list) if list.len() <= IN_ROW && !list.iter().any(is_nested) => {
            let parts: Vec<String> = list.iter().map(|value| cell(value).text).collect();
            let exact: Vec<String> = list.iter().map(Value::to_string).collect();
            cut(parts.join("  ")).hinted(exact.join(", "))
        }
        Value::Object(map) if map.is_empty() => Cell::from("none"),
        Value::Array(_) | Value::Object(_) => cut(value.to_string()),
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn cut(text: String) -> Cell {
    if text.chars().nth(LONGEST).is_none() {
        return Cell::from(text);
    }
    let short: String = text.chars().take(LONGEST - 1).collect();
    Cell::from(short + "…").hinted(text)
}

/// Objects by their names as a table, if there are several and all have the same keys. A column in
/// which nothing stands is left out.
fn named_table(map: &Map<String, Value>) -> Option<Table> {
    let rows: Vec<(&String, &Map<String, Value>)> =
        map.iter().map(|(name, value)| Some((name, value.as_object()?))).collect::<Option<_>>()?;
    let keys: Vec<&String> = rows.first()?.1.keys().collect();
    let alike = |row: &Map<String, Value>| row.keys().eq(keys.iter().copied());
    let is_single = |value: &Value| !is_nested(value);
    let fits = (2..=MOST_ROWS).contains(&rows.len()) && (1..=MOST_COLUMNS).contains(&keys.len());
    if !fits || !rows.iter().all(|(_, row)| alike(row) && row.values().all(is_single)) {
        return None;
    }
    let shown = |key: &&&String| rows.iter().any(|(_, row)| !row[key.as_str()].is_null());
    let keys: Vec<&&String> = keys.iter().filter(shown).collect();
    let names: Vec<String> = keys.iter().map(|key| cut(words(key)).text).collect();
    let heads: Vec<&str> = [""].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heads);
    for (name, row) in rows {
        let cells = keys.iter().map(|key| cell(&row[key.as_str()]));
        table.row([cut(name.clone())].into_iter().chain(cells));
    }
    Some(table)
}

/// A list as a table: objects by their keys, else a number and a value per row.
fn list_table(list: &[Value]) -> Table {
    let mut keys: Vec<&str> = Vec::new();
    let objects = list.iter().take(MOST_ROWS).filter_map(Value::as_object);
    for key in objects.flat_map(|object| object.keys()) {
        if keys.len() == MOST_COLUMNS {
            break;
        }
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    let names: Vec<String> = match keys.is_empty() {
        true => vec!["number".to_string(), "value".to_string()],
        false => keys.iter().map(|key| words(key)).collect(),
    };
    let mut table = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for (i, value) in list.iter().take(MOST_ROWS).enumerate() {
        match value.as_object().filter(|_| !keys.is_empty()) {
            Some(object) => {
                table.row(keys.iter().map(|key| object.get(*key).map_or(Cell::from(""), cell)));
            }
            None if keys.is_empty() => {
                table.row([Cell::from(i + 1), cell(value)]);
            }
            None => {
                table.row([cell(value)]);
            }
        }
    }
    if list.len() > MOST_ROWS {
        table.row([Cell::from(format!("and {} more", list.len() - MOST_ROWS))]);
    }
    table
}
