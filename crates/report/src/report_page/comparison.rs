//! Two runs side by side.

use super::figures::{cell, flat};
use super::pictures::{self, file_stems};
use super::section::{open, write_command};
use super::summary::write_contents;
use super::{Compared, Shown, seconds};
use crate::number::{constant, counted, thousands};
use crate::page::tables;
use crate::svg::escape;
use crate::table::{Cell, Table};
use palmette_core::Record;
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

/// The two sides, and links to the sections.
pub(super) fn write_summary(page: &mut String, records: &[Record], compared: &Compared<'_>) {
    let [left, right] = compared.names.map(escape);
    let pairs = counted(records.len() as u64, "pair of runs", "pairs of runs");
    let _ = writeln!(
        page,
        "<p class=\"facts\">{pairs} · <span class=\"side\">A</span> {left} · \
         <span class=\"side\">B</span> {right}</p>"
    );
    write_contents(
        page,
        records.iter().zip(compared.records).map(|(a, b)| {
            let [first, second] = [a, b].map(|run| seconds::cell(seconds::total(run)).text);
            (both(&a.command, &b.command), String::new(), format!("{first} s, {second} s"))
        }),
    );
}

/// One text where both are the same.
fn both(a: &str, b: &str) -> String {
    if a == b { a.to_string() } else { format!("{a} / {b}") }
}

pub(super) fn write(
    page: &mut String,
    number: usize,
    pair: [&Record; 2],
    shown: &[Vec<Shown<'_>>; 2],
) {
    let mut head = pair[0].clone();
    head.command = both(&pair[0].command, &pair[1].command);
    head.input = both(&pair[0].input, &pair[1].input);
    open(page, number, &head);
    write_pictures(page, number, pair, shown);
    page.push_str("<div class=\"columns\">\n<div>\n");
    tables::write(page, "Figures", &numbers(pair.map(|record| &record.result)));
    page.push_str("</div>\n<div>\n");
    tables::write(page, "Parameters", &texts(pair.map(|record| &record.parameters)));
    tables::write(page, "Seconds", &numbers(pair.map(|record| &record.seconds)));
    page.push_str("</div>\n</div>\n");
    for (record, side) in pair.iter().zip(["A", "B"]) {
        write_command(page, record, side);
    }
    page.push_str("</section>\n");
}

/// Pictures of the same name beside each other.
fn write_pictures(
    page: &mut String,
    number: usize,
    pair: [&Record; 2],
    shown: &[Vec<Shown<'_>>; 2],
) {
    let stems = [0, 1].map(|side| file_stems(number + 1, pair[side], ["a", "b"][side]));
    let mut others = Places::of(shown[1].iter().map(|other| other.picture.name.as_str()));
    let left = shown[0].iter().enumerate();
    let mut pairs: Vec<[Option<usize>; 2]> =
        left.map(|(i, left)| [Some(i), others.take(&left.picture.name)]).collect();
    let mut alone: Vec<usize> = others.0.into_values().flatten().collect();
    alone.sort_unstable();
    pairs.extend(alone.into_iter().map(|j| [None, Some(j)]));
    for pair in pairs {
        page.push_str("<div class=\"pair\">\n");
        for (side, i) in pair.into_iter().enumerate().filter_map(|(side, i)| Some((side, i?))) {
            pictures::write(page, &stems[side][i], &shown[side][i], ["A", "B"][side]);
        }
        page.push_str("</div>\n");
    }
}

/// The beginning of a row, with the values that it shows.
type Row<'a> = (Vec<Cell>, [Option<&'a Value>; 2]);

/// The names of both maps, with the values that each has.
fn joined<'a>(maps: [&'a Map<String, Value>; 2]) -> impl Iterator<Item = Row<'a>> {
    let [left, right] = maps.map(flat);
    let mut places = Places::of(left.iter().map(|(name, _)| name.as_str()));
    let mut rights = vec![None; left.len()];
    let mut only_right = Vec::new();
    for (name, value) in right {
        match places.take(&name) {
            Some(place) => rights[place] = Some(value),
            None => only_right.push((name, [None, Some(value)])),
        }
    }
    let lefts = left.into_iter().zip(rights);
    let lefts = lefts.map(|((name, value), right)| (name, [Some(value), right]));
    lefts.chain(only_right).map(|(name, values)| {
        let cells = values.map(|value| value.map_or(Cell::from(""), summarised));
        ([Cell::from(name)].into_iter().chain(cells).collect(), values)
    })
}

/// Where names stand in a list, which may have some of them several times.
struct Places<'a>(HashMap<&'a str, VecDeque<usize>>);

impl<'a> Places<'a> {
    fn of(names: impl Iterator<Item = &'a str>) -> Places<'a> {
        let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for (place, name) in names.enumerate() {
            places.entry(name).or_default().push_back(place);
        }
        Places(places)
    }

    /// The first place of a name that has not been taken yet.
    fn take(&mut self, name: &str) -> Option<usize> {
        self.0.get_mut(name)?.pop_front()
    }
}

/// Values with their difference and ratio.
fn numbers(maps: [&Map<String, Value>; 2]) -> Table {
    let mut table = Table::new(&["", "A", "B", "B − A", "B / A"]);
    for (mut row, values) in joined(maps) {
        if let [Some(a), Some(b)] = values.map(|value| value.and_then(Value::as_f64)) {
            row.push(if a == b {
                Cell::number("=".to_string())
            } else {
                difference(values, b - a)
            });
            let ratio = b / a;
            row.push(match ratio.is_finite() && a != b {
                true => Cell::number(constant(ratio)).hinted(ratio.to_string()),
                false => Cell::from(""),
            });
        } else if values[0] != values[1] {
            row.push(Cell::number("differs".to_string()));
        }
        table.row(row);
    }
    table
}

/// Values, and which differ.
fn texts(maps: [&Map<String, Value>; 2]) -> Table {
    let mut table = Table::new(&["", "A", "B", ""]);
    for (mut row, values) in joined(maps) {
        row.push(Cell::from(if values[0] == values[1] { "" } else { "differs" }));
        table.row(row);
    }
    table
}

/// A value, where long lists are only counted.
fn summarised(value: &Value) -> Cell {
    match value.as_array() {
        Some(list) if list.len() > 8 => Cell::from(format!("a list of {}", list.len())),
        _ => cell(value),
    }
}

/// B − A with its sign: exact where both are whole.
fn difference(values: [Option<&Value>; 2], about: f64) -> Cell {
    let sign = if about < 0.0 { "−" } else { "+" };
    if let [Some(a), Some(b)] = values.map(|value| value.and_then(Value::as_u64)) {
        return Cell::number(format!("{sign}{}", thousands(a.abs_diff(b))));
    }
    let Cell { text, .. } = Cell::from(about.abs());
    Cell::number(format!("{sign}{text}")).hinted(about.to_string())
}
