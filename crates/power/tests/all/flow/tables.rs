//! Reads the folders of reference feeders, without the readers that users have.

use palmette_core::Texts;
use palmette_core::feeder::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The folder of a reference feeder; nothing, and a word about it, where the data are not there.
pub(crate) fn folder(case: &str) -> Option<PathBuf> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/feeders").join(case);
    if !path.is_dir() {
        eprintln!("{} is missing; nothing was tested", path.display());
        return None;
    }
    Some(path)
}

/// Rows of a table as maps from column to text; none if there is no such file.
pub(crate) fn rows(path: &Path) -> Vec<HashMap<String, String>> {
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        header.iter().zip(line.split(',')).map(|(a, b)| (a.to_string(), b.to_string())).collect()
    };
    lines.map(row).collect()
}

pub(crate) fn number(row: &HashMap<String, String>, column: &str) -> f64 {
    match row.get(column).map(String::as_str) {
        None | Some("") => 0.0,
        Some(text) => text.parse().unwrap_or_else(|_| panic!("{column}: {text}")),
    }
}

fn texts(rows: &[HashMap<String, String>], column: &str) -> Texts {
    let mut texts = Texts::default();
    rows.iter().for_each(|row| texts.push(&row[column]));
    texts
}

pub(crate) fn numbers(buses: &Texts) -> HashMap<String, u32> {
    (0..buses.len()).map(|k| (buses.get(k).to_string(), k as u32)).collect()
}

/// A balanced feeder.
pub(crate) fn balanced(folder: &Path) -> Balanced {
    let read = |name: &str| rows(&folder.join(name));
    let mut feeder = Balanced::new(1.0);
    let buses = read("bus.csv");
    feeder.buses.names = texts(&buses, "bus");
    feeder.buses.vn_kv = buses.iter().map(|row| number(row, "vn_kv")).collect();
    let at = numbers(&feeder.buses.names);
    for row in read("source.csv") {
        feeder.sources.bus.push(at[&row["bus"]]);
        let angle = number(&row, "va_deg").to_radians();
        feeder.sources.v.push(Complex::from_polar(number(&row, "vm_pu"), angle));
    }
    let rated: HashMap<String, f64> =
        read("line.csv").iter().map(|row| (row["id"].clone(), number(row, "max_i_a"))).collect();
    let branches = read("branch_pu.csv");
    feeder.branches.names = texts(&branches, "id");
    for row in &branches {
        let out = &mut feeder.branches;
        out.kind.push(if row["kind"] == "line" {
            BranchKind::Line
        } else {
            BranchKind::Transformer
        });
        out.from.push(at[&row["from"]]);
        out.to.push(at[&row["to"]]);
        out.z.push(Complex::new(number(row, "r_pu"), number(row, "x_pu")));
        out.y.push(Complex::new(number(row, "g_pu"), number(row, "b_pu")));
        let shift = number(row, "shift_deg").to_radians();
        out.ratio.push(Complex::from_polar(number(row, "ratio"), shift));
        out.ends.push(Ends::CLOSED);
        out.length_km.push(0.0);
        let rating = rated.get(&row["id"]).copied().filter(|&a| a > 0.0).unwrap_or(f64::INFINITY);
        out.rated_a.push([rating; 2]);
    }
    let loads = read("load.csv");
    feeder.loads.names = texts(&loads, "id");
    for row in &loads {
        feeder.loads.bus.push(at[&row["bus"]]);
        feeder.loads.s_mva.push(Complex::new(number(row, "p_mw"), number(row, "q_mvar")));
        feeder.loads.zip.push(Zip {
            current_p: number(row, "i_p_percent") / 100.0,
            impedance_p: number(row, "z_p_percent") / 100.0,
            current_q: number(row, "i_q_percent") / 100.0,
            impedance_q: number(row, "z_q_percent") / 100.0,
        });
    }
    let held = read("gen.csv");
    feeder.generators.names = texts(&held, "id");
    for row in &held {
        feeder.generators.bus.push(at[&row["bus"]]);
        feeder.generators.p_mw.push(number(row, "p_mw"));
        feeder.generators.v_set.push(number(row, "vm_pu"));
        feeder.generators.q_mvar.push([f64::NEG_INFINITY, f64::INFINITY]);
    }
    feeder
}

/// A three-phase feeder; `base` has the tables that the folder itself lacks.
pub(crate) fn three_phase(folder: &Path, base: &Path) -> ThreePhase {
    let read = |name: &str| match folder.join(name).exists() {
        true => rows(&folder.join(name)),
        false => rows(&base.join(name)),
    };
    let mut feeder = ThreePhase::default();
    let buses = read("bus.csv");
    feeder.buses.names = texts(&buses, "bus");
    feeder.buses.phases = buses.iter().map(|row| row["phases"].parse().unwrap()).collect();
    feeder.buses.v_base = buses.iter().map(|row| number(row, "vbase_ln_v")).collect();
    let at = numbers(&feeder.buses.names);
    for row in read("source.csv") {
        let bus = at[&row["bus"]];
        if !feeder.sources.bus.contains(&bus) {
            feeder.sources.bus.push(bus);
            feeder.sources.v.push([Complex::default(); 3]);
        }
        let place = feeder.sources.bus.iter().position(|&one| one == bus).unwrap();
        let phase = "abc".find(&row["phase"]).unwrap();
        feeder.sources.v[place][phase] = Complex::new(number(&row, "v_re"), number(&row, "v_im"));
    }
    let lines = read("line.csv");
    feeder.lines.names = texts(&lines, "id");
    for row in &lines {
        let out = &mut feeder.lines;
        out.from.push(at[&row["from"]]);
        out.to.push(at[&row["to"]]);
        out.phases.push(row["phases"].parse().unwrap());
        let entry = |what: &str, k: usize| number(row, &format!("{what}_{}", ENTRIES[k]));
        out.z.push(std::array::from_fn(|k| Complex::new(entry("r", k), entry("x", k))));
        out.b.push(std::array::from_fn(|k| entry("b", k)));
        out.ends.push(Ends::CLOSED);
        out.length.push(0.0);
        out.rated_a.push(f64::INFINITY);
    }
    let transformers = read("trafo.csv");
    feeder.transformers.names = texts(&transformers, "id");
    for row in &transformers {
        let out = &mut feeder.transformers;
        out.from.push(at[&row["from"]]);
        out.to.push(at[&row["to"]]);
        out.phases.push(row["phases"].parse().unwrap());
        out.group.push(row["conn"].parse().unwrap());
        out.rated_kva.push(number(row, "kva_3ph"));
        out.kv.push([number(row, "kv1_ll"), number(row, "kv2_ll")]);
        out.z_part.push(Complex::new(number(row, "r_percent"), number(row, "x_percent")) / 100.0);
        let tap = |c: &str| if row[c].is_empty() { 1.0 } else { number(row, c) };
        out.tap.push([tap("tap_a"), tap("tap_b"), tap("tap_c")]);
        out.y.push(Complex::default());
        out.closed.push(true);
    }
    let loads = read("load.csv");
    feeder.loads.names = texts(&loads, "id");
    for row in &loads {
        let out = &mut feeder.loads;
        out.bus.push(at[&row["bus"]]);
        out.connection.push(row["conn"].parse().unwrap());
        out.phases.push(row["phases"].parse().unwrap());
        out.s_va.push(Complex::new(number(row, "kw"), number(row, "kvar")) * 1e3);
        out.zip.push(match row["model"].as_str() {
            "P" => Zip::POWER,
            "I" => Zip::CURRENT,
            "Z" => Zip::IMPEDANCE,
            other => panic!("model {other}"),
        });
        out.v_nom.push(number(row, "v_nom"));
    }
    feeder
}

const ENTRIES: [&str; 6] = ["aa", "ab", "bb", "ac", "bc", "cc"];
