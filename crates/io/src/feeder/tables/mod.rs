//! Our own tables: a folder of CSV files.
//!
//! Balanced: `bus.csv` with `vn_kv`, and branches in per unit (`branch_pu.csv`), to which `line.csv`
//! and `trafo.csv` add lengths and ratings; without `branch_pu.csv` they are the branches. Three
//! phases: `bus.csv` with `vbase_ln_v` and `phases`, all else in SI units. `meta.json` may have
//! `s_base_mva` (1 without it). A column that is not known is an error, and so is a CSV file that
//! is no table of its kind of feeder. Results under known names (`folder.rs`) may lie there, unread;
//! files that are not CSV are not looked at.

mod balanced;
mod cells;
mod folder;
mod three_phase;
mod write;

pub use folder::tables_into;
pub use write::write_tables;

use super::json::{self, Value};
use super::places::Places;
use super::shares::{SHARES, are_shares};
use super::{FeederFile, FeederFormat, FeederParams};
use crate::IoError;
use crate::index::Lookup;
use crate::labels::Labels;
use crate::quote::shown;
use crate::source::{Source, name_of, read_bytes_within};
use cells::Table;
use palmette_core::Texts;
use palmette_core::feeder::{Ends, Feeder, Zip};
use std::path::Path;

/// Which ends of a branch are closed, in words; nothing means both.
const ENDS: [(&str, Ends); 5] = [
    ("both", Ends::CLOSED),
    ("", Ends::CLOSED),
    ("from", Ends { from: true, to: false }),
    ("to", Ends { from: false, to: true }),
    ("none", Ends::OPEN),
];

/// The bytes of the tables of a folder.
struct Folder<'p> {
    path: &'p Path,
    params: &'p FeederParams,
}

impl Folder<'_> {
    /// A table's name for messages and its bytes, if it is there.
    fn get(&self, file: &str) -> Result<Option<(String, Vec<u8>)>, IoError> {
        for ending in ["", ".gz", ".zst"] {
            let path = self.path.join(format!("{file}{ending}"));
            if path.is_file() {
                let bytes = read_bytes_within(&path, self.params.limit)?;
                return Ok(Some((name_of(&path), bytes)));
            }
        }
        Ok(None)
    }

    fn need(&self, file: &str) -> Result<(String, Vec<u8>), IoError> {
        self.get(file)?.ok_or_else(|| IoError::Table {
            file: name_of(self.path),
            expected: format!("a folder with {file}"),
            found: "none".to_string(),
        })
    }
}

/// Reads a folder.
pub(crate) fn read(path: &Path, params: &FeederParams) -> Result<FeederFile, IoError> {
    let folder = Folder { path, params };
    let (name, bytes) = folder.need("bus.csv")?;
    let source = Source::new(&name, &bytes)?;
    let three = source.text.lines().next().is_some_and(|header| header.contains("vbase_ln_v"));
    folder::check(path, three)?;
    let (mut places, mut notes) = (Places::default(), Vec::new());
    let feeder = match three {
        true => Feeder::ThreePhase(Box::new(three_phase::read(&folder, source, &mut places)?)),
        false => {
            Feeder::Balanced(Box::new(balanced::read(&folder, source, &mut places, &mut notes)?))
        }
    };
    FeederFile::checked(&name_of(path), FeederFormat::Tables, feeder, places, notes)
}

/// How a load depends on the voltage, from four columns of percents.
fn shares(table: &Table<'_>, first: usize) -> Result<Zip, IoError> {
    let part = |column| table.number_or(first + column, 0.0).map(|percent| percent / 100.0);
    let zip = Zip {
        impedance_p: part(0)?,
        current_p: part(1)?,
        impedance_q: part(2)?,
        current_q: part(3)?,
    };
    match are_shares(zip) {
        true => Ok(zip),
        false => {
            let found: Vec<_> = (first..first + 4).map(|column| table.text(column)).collect();
            Err(table.wrong(SHARES, found.join(", ")))
        }
    }
}

/// The base power that `meta.json` states.
fn base_mva(folder: &Folder<'_>) -> Result<f64, IoError> {
    let Some((name, bytes)) = folder.get("meta.json")? else { return Ok(1.0) };
    let source = Source::new(&name, &bytes)?;
    let meta = json::parse(&name, source.text, 1, false)?;
    match meta.get("s_base_mva") {
        None => Ok(1.0),
        Some(base) => match base.value {
            Value::Number(mva) => Ok(mva),
            _ => Err(base.wrong(&name, "a number: `s_base_mva`")),
        },
    }
}

/// The names of buses and where they are.
struct BusIndex {
    labels: Labels,
}

impl BusIndex {
    /// Buses in the order of their rows; a name that is there twice is an error.
    fn new(names: &Texts, table: &Table<'_>, lines: &[u64]) -> Result<BusIndex, IoError> {
        let labels = Labels::from_texts(names.clone());
        if !labels.are_unique()
            && let Some((&first, &second)) =
                labels.index().ambiguous.iter().min_by_key(|(_, second)| **second)
        {
            let (first, second) = (first.min(second), first.max(second));
            let expected =
                format!("a name of its own (line {} already has it)", lines[first as usize]);
            let found = format!("{} again", shown(names.get(second as usize)));
            return Err(table.source.on_line(lines[second as usize], expected, found));
        }
        Ok(BusIndex { labels })
    }

    /// The bus that a cell names.
    fn find(&self, table: &Table<'_>, column: usize) -> Result<u32, IoError> {
        let name = table.name(column)?;
        match self.labels.find(&name) {
            Lookup::Vertex(bus) => Ok(bus),
            _ => Err(table.wrong("the name of a bus in bus.csv", shown(&name))),
        }
    }
}

/// Names of elements of one table, each of them once.
#[derive(Default)]
struct Ids {
    names: Texts,
    seen: std::collections::HashMap<String, u64>,
}

impl Ids {
    fn push(&mut self, table: &Table<'_>, column: usize) -> Result<(), IoError> {
        let name = table.name(column)?;
        if let Some(line) = self.seen.insert(name.to_string(), table.line) {
            let expected = format!("a name of its own (line {line} already has it)");
            return Err(table.wrong(expected, format!("{} again", shown(&name))));
        }
        self.names.push(&name);
        Ok(())
    }
}
