//! Batches of power-grid-model.

use super::{LoadCases, loads_of};
use crate::IoError;
use crate::feeder::json::{self, Value};
use crate::feeder::pgm::Document;
use crate::quote::shown;
use crate::source::Source;
use palmette_core::feeder::{Complex, Feeder};
use std::collections::HashMap;

/// A batch of power-grid-model, whose ids are the names of loads.
pub(super) fn read_update(source: &Source<'_>, feeder: &Feeder) -> Result<LoadCases, IoError> {
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
