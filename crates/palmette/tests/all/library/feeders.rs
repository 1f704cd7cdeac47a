//! Feeders from files of other tools, solved: voltages are those of the tools.

use palmette::core::feeder::Feeder;
use palmette::io::{FeederParams, read_cases, read_feeder, read_feeder_bytes, write_pgm};
use palmette::power::feeder::{
    FeederSolution, max_feeder_loading, solve_cases, solve_feeder, solve_outages,
};
use palmette::power::flow::{FlowError, FlowParams};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Tight, so that what is left is the files' digits.
fn params() -> FlowParams {
    FlowParams { tolerance: 1e-12, ..FlowParams::default() }
}

/// By bus, and phase where there are three: real and imaginary part, per unit.
type Voltages = HashMap<String, (f64, f64)>;

fn polar(vm: f64, va: f64) -> (f64, f64) {
    let (sin, cos) = va.to_radians().sin_cos();
    (vm * cos, vm * sin)
}

/// A table `bus[,phase],vm_pu,va_deg,…`.
fn references(path: &Path) -> Voltages {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|one| *one == name);
    let (vm, va) = (column("vm_pu").unwrap(), column("va_deg").unwrap());
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let key = match column("phase") {
            Some(phase) => format!("{}.{}", cells[0], cells[phase]),
            None => cells[0].to_string(),
        };
        (key, polar(cells[vm].parse().unwrap(), cells[va].parse().unwrap()))
    };
    lines.map(row).collect()
}

fn found(solution: &FeederSolution<'_>) -> Voltages {
    let table = solution.voltage_table();
    let texts: Vec<&Vec<String>> = table.texts.iter().map(|(_, column)| column).collect();
    let row = |k: usize| {
        let key = texts.iter().map(|column| column[k].as_str()).collect::<Vec<_>>().join(".");
        (key, polar(table.numbers[0].1[k], table.numbers[1].1[k]))
    };
    (0..table.len()).map(row).collect()
}

/// The largest difference, over all buses of the reference.
fn difference(solution: &FeederSolution<'_>, reference: &Voltages) -> f64 {
    let found = found(solution);
    let apart = |(key, v): (&String, &(f64, f64))| {
        let one = found.get(key).unwrap_or_else(|| panic!("no {key}"));
        (one.0 - v.0).hypot(one.1 - v.1)
    };
    reference.iter().map(apart).fold(0.0, f64::max)
}

fn shared(name: &str) -> Option<PathBuf> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/feeders").join(name);
    if !path.exists() {
        eprintln!("no {}: not tested", path.display());
    }
    path.exists().then_some(path)
}

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/feeders").join(name)
}

fn difference_of(file: &Path, reference: &Path) -> f64 {
    let file =
        read_feeder(file, &FeederParams::default()).unwrap_or_else(|error| panic!("{error}"));
    let solution = solve_feeder(&file.feeder, &params()).unwrap();
    assert!(solution.balance() < 1e-9);
    difference(&solution, &references(reference))
}

#[test]
fn tables_have_their_references() {
    let Some(root) = shared("") else { return };
    let mut seen = 0;
    for folder in std::fs::read_dir(root).unwrap() {
        let folder = folder.unwrap().path();
        if folder.join("bus.csv").exists() {
            seen += 1;
            let far = difference_of(&folder, &folder.join("ref.csv"));
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let most = if name.starts_with("ieee") { 1e-6 } else { 1e-8 };
            assert!(far < most, "{name}: {far:.1e}");
        }
    }
    assert!(seen >= 17, "{seen}");
}

/// Networks that pandapower, power-grid-model and OpenDSS solved, with elements of all kinds.
#[test]
fn tools_agree() {
    for (file, reference, most) in [
        ("pandapower.json", "pandapower.csv", 1e-9),
        ("asym.json", "asym.csv", 1e-10),
        // OpenDSS joins windings to ground by a millionth of their rating.
        ("mixed.dss", "mixed.csv", 5e-7),
    ] {
        let far = difference_of(&own(file), &own(reference));
        assert!(far < most, "{file}: {far:.1e}");
    }
    for case in ["case33bw", "case33bw_zip", "cigre_mv"] {
        let Some(folder) = shared(case) else { return };
        let file = read_feeder(folder.join("pgm_input.json"), &FeederParams::default()).unwrap();
        let solution = solve_feeder(&file.feeder, &params()).unwrap();
        let mut reference = references(&folder.join("ref.csv"));
        reference.retain(|bus, _| !bus.starts_with("aux"));
        let far = difference(&solution, &reference);
        assert!(far < 1e-8, "{case}: {far:.1e}");
    }
}

/// The scripts of the IEEE feeders, with the taps at which OpenDSS's regulators came to rest.
#[test]
fn scripts_of_ieee_feeders() {
    let Some(root) = shared("dss_scripts") else { return };
    type Taps = &'static [(&'static str, f64)];
    let taps: [(&str, &str, Taps); 3] = [
        (
            "13Bus/IEEE13Nodeckt.dss",
            "ieee13",
            &[("reg1", 1.05625), ("reg2", 1.0375), ("reg3", 1.05625)],
        ),
        (
            "13Bus/IEEE13Nodeckt.dss",
            "ieee13_published_taps",
            &[("reg1", 1.0625), ("reg2", 1.05), ("reg3", 1.06875)],
        ),
        (
            "123Bus/IEEE123Master.dss",
            "ieee123",
            &[
                ("reg1a", 1.0375),
                ("reg3a", 1.0125),
                ("reg4a", 1.05),
                ("reg4b", 1.0125),
                ("reg4c", 1.03125),
            ],
        ),
    ];
    for (script, case, taps) in taps {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("fixed.dss");
        let root = root.canonicalize().unwrap();
        let mut text = format!("Redirect {}/{script}\n", root.display());
        for (name, tap) in taps {
            text += &format!("Transformer.{name}.Taps=[1 {tap}]\n");
        }
        text += "Solve\n";
        std::fs::write(&path, text).unwrap();
        let far = difference_of(&path, &shared(&format!("{case}/ref.csv")).unwrap());
        assert!(far < 1e-6, "{case}: {far:.1e}");
    }
}

/// What is written for power-grid-model reads back as the same network.
#[test]
fn written_data_of_power_grid_model() {
    for case in ["case33bw_zip", "cigre_mv", "oberrhein"] {
        let Some(folder) = shared(case) else { return };
        let file = read_feeder(&folder, &FeederParams::default()).unwrap();
        let mut bytes = Vec::new();
        write_pgm(&file.feeder, &mut bytes).unwrap();
        let again = read_feeder_bytes("a.json", &bytes, &FeederParams::default()).unwrap();
        let solve = |feeder| found(&solve_feeder(feeder, &params()).unwrap());
        let (one, two) = (solve(&file.feeder), solve(&again.feeder));
        let names = file.feeder.bus_names();
        for bus in 0..names.len() {
            let (a, b) = (one[names.get(bus)], two[names.get(bus)]);
            assert!((a.0 - b.0).hypot(a.1 - b.1) < 1e-9, "{case} {}", names.get(bus));
        }
    }
}

#[test]
fn cases_and_outages_have_their_references() {
    let Some(folder) = shared("case33bw") else { return };
    let file = read_feeder(&folder, &FeederParams::default()).unwrap();
    let cases = read_cases(folder.join("scenarios_mult.csv"), &file.feeder).unwrap();
    let all = solve_cases(&file.feeder, &cases, &params(), true).unwrap();
    let text = std::fs::read_to_string(folder.join("scenarios_ref.csv")).unwrap();
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let first = header.iter().position(|name| *name == "0_re").unwrap();
    assert_eq!(all.len(), 96);
    for (case, line) in all.iter().zip(text.lines().skip(1)) {
        let cells: Vec<f64> = line.split(',').skip(first).map(|x| x.parse().unwrap()).collect();
        let voltages = &case.found.as_ref().unwrap().voltages;
        for (v, parts) in voltages.iter().zip(cells.chunks(2)) {
            assert!((v - parts[0].hypot(parts[1])).abs() < 1e-9, "case {}", case.name);
        }
    }
    let folder = shared("case33bw_mesh").unwrap();
    let file = read_feeder(&folder, &FeederParams::default()).unwrap();
    let all = solve_outages(&file.feeder, &params()).unwrap();
    let text = std::fs::read_to_string(folder.join("n1_ref.csv")).unwrap();
    assert_eq!(all.len(), 37);
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let outage = all.iter().find(|one| one.name == cells[0]).unwrap();
        let parts: Vec<f64> = cells[1..].iter().map(|x| x.parse().unwrap()).collect();
        let sizes: Vec<f64> = parts.chunks(2).map(|v| v[0].hypot(v[1])).collect();
        let one = outage.found.as_ref().unwrap();
        let dark = sizes.iter().filter(|v| **v == 0.0).count();
        let least = sizes.iter().copied().filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        assert_eq!(one.unsupplied_count, dark, "{}", outage.name);
        assert!((one.lowest.voltage - least).abs() < 1e-9, "{}", outage.name);
    }
}

/// The limit that Newton's method reaches on the 33-bus feeder.
#[test]
fn loads_grow_to_the_limit() {
    let Some(folder) = shared("case33bw") else { return };
    let file = read_feeder(&folder, &FeederParams::default()).unwrap();
    let most = max_feeder_loading(&file.feeder, &FlowParams::default()).unwrap();
    assert!((most.factor - 3.622).abs() < 2e-3, "{}", most.factor);
    let beyond = FlowParams { load_factor: 4.0, ..FlowParams::default() };
    match solve_feeder(&file.feeder, &beyond) {
        Err(FlowError::Diverged { bus, loadability: Some(reach), .. }) => {
            assert!(!bus.is_empty() && (reach - 3.622).abs() < 0.01, "{reach}");
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("no limit"),
    }
    assert!(matches!(file.feeder, Feeder::Balanced(_)));
}
