//! Real graphs: the contest's case and a power grid with its solution. They lie beside the
//! project; where they are missing the tests say so.

use crate::Place;
use std::collections::HashMap;
use std::path::PathBuf;

/// A file of the shared data, if it is there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    if path.exists() {
        return Some(path.canonicalize().unwrap());
    }
    eprintln!("skipped: {} is missing", path.display());
    None
}

#[test]
fn the_contests_case_line_for_line() {
    let Some(graph) = shared("graphs/g-3989-158400.mtx") else { return };
    let Some(reference) = shared("graphs/g-3989-158400.reference.txt") else { return };
    let expected = std::fs::read_to_string(reference).unwrap();
    let place = Place::new(&[]);
    for engine in ["parallel", "linear", "reference"] {
        let line = format!("graph sparsify {} --engine {engine}", graph.display());
        assert!(place.stdout(&line) == expected, "{engine} to stdout");
        place.stdout(&format!("{line} -o edges.txt"));
        assert!(place.read("edges.txt") == expected, "{engine} to a file");
    }
}

#[test]
fn the_voltages_of_ibmpg1() {
    let Some(grid) = shared("powergrid/ibmpg1.spice") else { return };
    let Some(solution) = shared("powergrid/ibmpg1.solution") else { return };
    let place = Place::new(&[]);
    let record = place.stdout(&format!("graph solve {} -o voltages.csv --json", grid.display()));
    // Wires with gaps hardly fill in.
    assert!(record.contains(r#""preconditioner":"direct","factor_entries""#), "{record}");
    let table = place.read("voltages.csv");
    let rows = table.lines().skip(1).map(|line| line.split_once(',').unwrap());
    let found: HashMap<&str, f64> = rows.map(|(n, v)| (n, v.parse().unwrap())).collect();
    let mut compared = 0;
    for line in std::fs::read_to_string(solution).unwrap().lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(value)) = (words.next(), words.next()) else { continue };
        // The solution calls ground `G`.
        let name = if name == "G" { "0" } else { name };
        let (expected, found) = (value.parse::<f64>().unwrap(), found[name]);
        assert!((expected - found).abs() <= 1e-5, "{name}: {expected} but {found}");
        compared += 1;
    }
    assert!(compared > 30_000, "{compared}");
}
