//! The files of a folder of tables: what may be there, for reading and for writing.

use super::super::shares::are_shares;
use super::write::write_tables;
use crate::IoError;
use crate::quote::shown;
use crate::source::name_of;
use palmette_core::feeder::Feeder;
use std::path::Path;

/// Tables of a balanced feeder.
const BALANCED: &[&str] = &["bus", "source", "branch_pu", "line", "trafo", "load", "gen", "shunt"];
/// Tables of a feeder of three phases.
const THREE_PHASE: &[&str] = &["bus", "source", "line", "trafo", "switch", "load", "capacitor"];
/// Results and cases that may lie beside the tables; they are not read.
const RESULTS: &[&str] = &["ref", "flow", "n1_ref", "scenarios_mult", "scenarios_ref"];

/// The names of a folder's CSV files, compressed ones too, sorted; hidden files aside.
fn csv_files(folder: &Path) -> Result<Vec<String>, IoError> {
    let failed = |source| IoError::Read { file: name_of(folder), source };
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && plain(&name).to_ascii_lowercase().ends_with(".csv") {
            all.push(name);
        }
    }
    all.sort();
    Ok(all)
}

/// A file's name without the ending of a compression.
fn plain(name: &str) -> &str {
    [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// The name of a table, if it is one of some.
fn is_one_of(name: &str, tables: &[&str]) -> bool {
    plain(name).strip_suffix(".csv").is_some_and(|table| tables.contains(&table))
}

/// Refuses a CSV file that is no table of a kind of feeder, and a table that is there twice.
pub(super) fn check(folder: &Path, three_phase: bool) -> Result<(), IoError> {
    let (kind, tables) = match three_phase {
        true => ("three-phase", THREE_PHASE),
        false => ("balanced", BALANCED),
    };
    let files = csv_files(folder)?;
    let wrong = |expected: String, found: String| {
        Err(IoError::Table { file: name_of(folder), expected, found })
    };
    let is_known = |name: &str| is_one_of(name, tables) || is_one_of(name, RESULTS);
    if let Some(other) = files.iter().find(|name| !is_known(name)) {
        let expected = format!(
            "tables of a {kind} feeder ({}; beside them {}), each with .csv",
            tables.join(", "),
            RESULTS.join(", ")
        );
        return wrong(expected, shown(other));
    }
    let again = files.windows(2).find(|two| plain(&two[0]) == plain(&two[1]));
    match again {
        Some(two) => wrong("each table once".to_string(), format!("{} and {}", two[0], two[1])),
        None => Ok(()),
    }
}

/// The tables of a feeder for a folder, as [`write_tables`] makes them, if what the folder then
/// holds reads back as this feeder. The folder need not be there yet.
///
/// # Errors
/// When the folder has tables that would not be written over, or loads whose parts are no shares.
pub fn tables_into(
    folder: &Path,
    feeder: &Feeder,
) -> Result<Vec<(&'static str, Vec<u8>)>, IoError> {
    let (names, zip) = match feeder {
        Feeder::Balanced(feeder) => (&feeder.loads.names, &feeder.loads.zip),
        Feeder::ThreePhase(feeder) => (&feeder.loads.names, &feeder.loads.zip),
    };
    if let Some(load) = (0..zip.len()).find(|&load| !are_shares(zip.get(load))) {
        return Err(IoError::Table {
            file: name_of(folder),
            expected: "loads whose parts of constant power, current and impedance are not negative"
                .to_string(),
            found: format!("load {}, which tables cannot hold", shown(names.get(load))),
        });
    }
    let tables = write_tables(feeder);
    if !folder.is_dir() {
        return Ok(tables);
    }
    let is_written = |name: &str| tables.iter().any(|(table, _)| *table == name);
    let files = csv_files(folder)?;
    let mut stale = files.iter().filter(|name| !is_written(name) && !is_one_of(name, RESULTS));
    let Some(first) = stale.next() else { return Ok(tables) };
    let found = stale.fold(shown(first), |all, name| format!("{all}, {}", shown(name)));
    let expected = "an empty folder, or one with no other tables than those of this feeder";
    Err(IoError::Table { file: name_of(folder), expected: expected.to_string(), found })
}
