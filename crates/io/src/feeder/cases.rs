//! Load cases: what loads draw in each of many runs.
//!
//! **CSV.** A row per case. A column named after a load has factors of its power; `all` has factors of
//! all loads that no other column names; `NAME.p_mw` and `NAME.q_mvar` have powers. A column `case`
//! names cases, which otherwise are numbered from 0.
//! **power-grid-model.** A batch of `update` data: `p_specified`, `q_specified` and `status` of loads
//! and generators.

use super::json::{self, Value};
use super::pgm::Document;
use crate::IoError;
use crate::number;
use crate::quote::shown;
use crate::rows::Rows as TextRows;
use crate::source::{Source, name_of, plain, read_bytes};
use palmette_core::feeder::{Complex, Feeder};
use std::collections::HashMap;
use std::path::Path;

/// Many cases of the loads of one feeder.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadCases {
    /// The file's name, for messages.
    pub name: String,
    /// What cases are called.
    pub names: Vec<String>,
    /// The loads that differ, by number.
    pub loads: Vec<u32>,
    /// By case, then by load of `loads`: power in the feeder's unit (MVA balanced, VA three-phase).
    pub powers: Vec<Complex>,
}

impl LoadCases {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Writes the powers of all loads in a case over those of the feeder, which `into` has.
    pub fn apply(&self, case: usize, into: &mut [Complex]) {
        let row = &self.powers[case * self.loads.len()..][..self.loads.len()];
        for (&load, &power) in self.loads.iter().zip(row) {
            into[load as usize] = power;
        }
    }
}

/// The names of loads, their powers, and what 1 MW is.
fn loads_of(feeder: &Feeder) -> (&palmette_core::Texts, &[Complex], f64) {
    match feeder {
        Feeder::Balanced(feeder) => (&feeder.loads.names, &feeder.loads.s_mva, 1.0),
        Feeder::ThreePhase(feeder) => (&feeder.loads.names, &feeder.loads.s_va, 1e6),
    }
}

/// Reads load cases for a feeder. `-` is stdin; gzip and zstd are decompressed.
///
/// # Errors
/// When the file cannot be read, or names what the feeder does not have; with the line.
pub fn read_cases(path: impl AsRef<Path>, feeder: &Feeder) -> Result<LoadCases, IoError> {
    let path = path.as_ref();
    read_cases_bytes(&name_of(path), &read_bytes(path)?, feeder)
}

/// As [`read_cases`], from bytes that are already here.
///
/// # Errors
/// As [`read_cases`].
pub fn read_cases_bytes(name: &str, bytes: &[u8], feeder: &Feeder) -> Result<LoadCases, IoError> {
    let data = plain(name, bytes)?;
    let source = Source::new(name, &data)?;
    match source.text.trim_start().starts_with('{') {
        true => read_update(&source, feeder),
        false => read_table(&source, feeder),
    }
}

/// What a column of the table sets.
enum Column {
    Name,
    All,
    Factor(usize),
    Active(usize),
    Reactive(usize),
}

fn read_table(source: &Source<'_>, feeder: &Feeder) -> Result<LoadCases, IoError> {
    let (names, powers, unit) = loads_of(feeder);
    let index: HashMap<&str, u32> = (0..names.len()).map(|k| (names.get(k), k as u32)).collect();
    let mut rows = TextRows::of(*source);
    let mut fields = Vec::new();
    let Some(line) = rows.next(&mut fields)? else {
        return Err(source.on_line(1, "a header with names of loads", "an empty file"));
    };
    let (mut columns, mut loads): (Vec<Column>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut seen: HashMap<String, ()> = HashMap::new();
    for field in &fields {
        let name = field.text(source);
        if seen.insert(name.to_string(), ()).is_some() {
            let found = format!("{} again", shown(&name));
            return Err(source.on_line(line, "each column once", found));
        }
        let parts = [(".p_mw", 1), (".q_mvar", 2)];
        let split = parts.iter().find_map(|(end, kind)| Some((name.strip_suffix(end)?, *kind)));
        let (load, kind) = match (index.get(&*name), split, &*name) {
            (Some(&load), _, _) => (load, 0),
            (None, Some((load, kind)), _) if index.contains_key(load) => (index[load], kind),
            (None, _, "case") => {
                columns.push(Column::Name);
                continue;
            }
            (None, _, "all") => {
                columns.push(Column::All);
                continue;
            }
            _ => {
                let expected =
                    "the name of a load, with .p_mw or .q_mvar for powers, `all` or `case`";
                return Err(source.on_line(line, expected, shown(&name)));
            }
        };
        let at = loads.iter().position(|&known| known == load).unwrap_or_else(|| {
            loads.push(load);
            loads.len() - 1
        });
        columns.push(match kind {
            0 => Column::Factor(at),
            1 => Column::Active(at),
            _ => Column::Reactive(at),
        });
    }
    // A factor of all loads makes all of them differ.
    let named = loads.len();
    if columns.iter().any(|column| matches!(column, Column::All)) {
        let known: std::collections::HashSet<u32> = loads.iter().copied().collect();
        loads.extend((0..names.len() as u32).filter(|load| !known.contains(load)));
    }
    let width = fields.len();
    let nominal: Vec<Complex> = loads.iter().map(|&load| powers[load as usize]).collect();
    let mut cases = LoadCases { name: source.name.into(), names: vec![], loads, powers: vec![] };
    let mut seen: HashMap<String, u64> = HashMap::new();
    while let Some(line) = rows.next(&mut fields)? {
        if fields.len() != width {
            let expected = format!("{width} fields as in the header");
            return Err(source.on_line(line, expected, fields.len().to_string()));
        }
        let mut row = nominal.clone();
        let mut label = None;
        for (column, field) in columns.iter().zip(&fields) {
            let text = field.text(source);
            if let Column::Name = column {
                if let Some(first) = seen.insert(text.to_string(), line) {
                    let found = format!("{} again, already on line {first}", shown(&text));
                    return Err(source.on_line(line, "a new name for each case", found));
                }
                label = Some(text.to_string());
                continue;
            }
            let value = number::float(text.as_bytes()).filter(|value| value.is_finite());
            let value = value.ok_or_else(|| source.on_line(line, "a number", shown(&text)))?;
            match *column {
                Column::Name => {}
                Column::All => row[named..].iter_mut().for_each(|s| *s *= value),
                Column::Factor(at) => row[at] = nominal[at] * value,
                Column::Active(at) => row[at].re = value * unit,
                Column::Reactive(at) => row[at].im = value * unit,
            }
        }
        cases.powers.append(&mut row);
        cases.names.push(label.unwrap_or_else(|| cases.names.len().to_string()));
    }
    match cases.is_empty() {
        true => Err(source.on_line(line, "a row per case after the header", "none")),
        false => Ok(cases),
    }
}

/// A batch of power-grid-model, whose ids are the names of loads.
fn read_update(source: &Source<'_>, feeder: &Feeder) -> Result<LoadCases, IoError> {
    let (names, powers, unit) = loads_of(feeder);
    let index: HashMap<&str, u32> = (0..names.len()).map(|k| (names.get(k), k as u32)).collect();
    let file = source.name;
    let root = json::parse(file, source.text, 1, false)?;
    let document = Document::open(file, &root, "update")?;
    let single = [document.data.clone()];
    let sets = match document.batch {
        true => document.data.list(file, "a set of data per case")?,
        false => &single[..],
    };
    // What each case changes: load, and its power.
    let mut changes: Vec<Vec<(u32, Complex)>> = Vec::new();
    for set in sets {
        let mut of_case: HashMap<u32, Complex> = HashMap::new();
        for component in document.components(file, set)? {
            let sign = match component.name {
                "sym_load" => 1.0,
                "sym_gen" => -1.0,
                _ if component.rows.is_empty() => continue,
                other => {
                    let expected = "updates of sym_load and sym_gen";
                    return Err(IoError::on_line(file, component.line, expected, shown(other)));
                }
            };
            component.only(&["id", "status", "p_specified", "q_specified"])?;
            for row in component.rows() {
                let id = row.whole("id")?.to_string();
                let Some(&load) = index.get(id.as_str()) else {
                    return Err(row.wrong("the id of a load or generator", id));
                };
                let scale = sign * 1e-6 * unit;
                let old = powers[load as usize] / scale;
                let s = Complex::new(
                    row.number_or("p_specified", old.re)?,
                    row.number_or("q_specified", old.im)?,
                );
                let on = if row.status("status")? { scale } else { 0.0 };
                of_case.insert(load, s * on);
            }
        }
        changes.push(of_case.into_iter().collect());
    }
    let mut loads: Vec<u32> = changes.iter().flatten().map(|&(load, _)| load).collect();
    loads.sort_unstable();
    loads.dedup();
    let at: HashMap<u32, usize> = loads.iter().enumerate().map(|(k, &load)| (load, k)).collect();
    let nominal: Vec<Complex> = loads.iter().map(|&load| powers[load as usize]).collect();
    let mut all = Vec::with_capacity(changes.len() * loads.len());
    for case in &changes {
        let mut row = nominal.clone();
        case.iter().for_each(|(load, s)| row[at[load]] = *s);
        all.extend(row);
    }
    let names = (0..changes.len()).map(|case| case.to_string()).collect();
    if changes.is_empty() {
        let found = root.get("data").map_or("none".to_string(), |data| match data.value {
            Value::List(_) => "an empty list".to_string(),
            _ => data.found(),
        });
        return Err(IoError::on_line(file, root.line, "at least one case", found));
    }
    Ok(LoadCases { name: file.to_string(), names, loads, powers: all })
}
