//! Writes the tables of a folder; what is written reads back as the same feeder.

use super::{balanced, three_phase};
use crate::rows::write_field;
use crate::write::{put_float, put_number};
use palmette_core::Texts;
use palmette_core::feeder::{
    Balanced, BranchKind, Column, Complex, Ends, Feeder, Phases, ThreePhase, Zip,
};

/// One table under way.
struct Rows {
    out: Vec<u8>,
    first: bool,
}

impl Rows {
    fn new(columns: &[&str]) -> Rows {
        Rows { out: (columns.join(",") + "\n").into_bytes(), first: true }
    }

    fn gap(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
    }

    fn text(&mut self, text: &str) -> &mut Rows {
        self.gap();
        write_field(&mut self.out, text, b',');
        self
    }

    /// A number; nothing where it is infinite.
    fn number(&mut self, value: f64) -> &mut Rows {
        self.gap();
        if value.is_finite() {
            put_float(&mut self.out, value);
        }
        self
    }

    fn end(&mut self) {
        self.out.push(b'\n');
        self.first = true;
    }
}

type Files = Vec<(&'static str, Vec<u8>)>;

/// The tables of a feeder: names of files and their bytes, for a folder.
pub fn write_tables(feeder: &Feeder) -> Vec<(&'static str, Vec<u8>)> {
    match feeder {
        Feeder::Balanced(feeder) => balanced_tables(feeder),
        Feeder::ThreePhase(feeder) => three_phase_tables(feeder),
    }
}

/// Which ends are closed, in a word.
fn ends(ends: Ends) -> &'static str {
    match (ends.from, ends.to) {
        (true, true) => "both",
        (true, false) => "from",
        (false, true) => "to",
        (false, false) => "none",
    }
}

/// Whether all rows of a column have a value.
fn all<T: Copy + PartialEq>(column: &Column<T>, value: T) -> bool {
    column.iter().all(|one| one == value)
}

fn balanced_tables(feeder: &Balanced) -> Files {
    let names = &feeder.buses.names;
    let name = |bus: u32| names.get(bus as usize);
    let mut files: Files = Vec::new();
    let mut meta = b"{\n \"s_base_mva\": ".to_vec();
    put_float(&mut meta, feeder.base_mva);
    meta.extend_from_slice(b",\n \"buses\": ");
    put_number(&mut meta, names.len());
    meta.extend_from_slice(b"\n}\n");
    files.push(("meta.json", meta));
    let mut rows = Rows::new(balanced::BUS);
    for bus in 0..names.len() {
        rows.text(names.get(bus)).number(feeder.buses.vn_kv.get(bus)).end();
    }
    files.push(("bus.csv", rows.out));
    let mut rows = Rows::new(balanced::SOURCE);
    for (&bus, v) in feeder.sources.bus.iter().zip(&feeder.sources.v) {
        rows.text(name(bus)).number(v.norm()).number(v.arg().to_degrees()).end();
    }
    files.push(("source.csv", rows.out));
    let branches = &feeder.branches;
    // Columns that say nothing are left out.
    let width = if all(&branches.ends, Ends::CLOSED) { 13 } else { 14 };
    let mut rows = Rows::new(&balanced::BRANCH[..width]);
    for k in 0..branches.len() {
        let kind = match branches.kind.get(k) {
            BranchKind::Line => "line",
            BranchKind::Transformer => "trafo",
            BranchKind::Switch => "switch",
        };
        let (z, y, ratio) = (branches.z[k], branches.y.get(k), branches.ratio.get(k));
        let [from, to] = branches.rated_a.get(k);
        rows.text(branches.names.get(k)).text(name(branches.from[k])).text(name(branches.to[k]));
        rows.text(kind).number(z.re).number(z.im).number(y.re).number(y.im);
        rows.number(ratio.norm()).number(ratio.arg().to_degrees());
        rows.number(branches.length_km.get(k)).number(from);
        rows.number(if to == from { f64::INFINITY } else { to });
        if width == 14 {
            rows.text(ends(branches.ends.get(k)));
        }
        rows.end();
    }
    files.push(("branch_pu.csv", rows.out));
    let loads = &feeder.loads;
    let mut rows = Rows::new(balanced::LOAD);
    for (k, s) in loads.s_mva.iter().enumerate() {
        rows.text(loads.names.get(k)).text(name(loads.bus[k])).number(s.re).number(s.im);
        parts(&mut rows, loads.zip.get(k));
        rows.end();
    }
    files.push(("load.csv", rows.out));
    let held = &feeder.generators;
    if !held.bus.is_empty() {
        let mut rows = Rows::new(balanced::GEN);
        for (k, &bus) in held.bus.iter().enumerate() {
            rows.text(held.names.get(k)).text(name(bus)).number(held.p_mw[k]);
            let [low, high] = held.q_mvar.get(k);
            rows.number(held.v_set[k]).number(low).number(high).end();
        }
        files.push(("gen.csv", rows.out));
    }
    let shunts = &feeder.shunts;
    if !shunts.bus.is_empty() {
        let mut rows = Rows::new(balanced::SHUNT);
        for (k, &bus) in shunts.bus.iter().enumerate() {
            let y = shunts.y[k];
            rows.text(shunts.names.get(k)).text(name(bus)).number(y.re).number(y.im).end();
        }
        files.push(("shunt.csv", rows.out));
    }
    files
}

fn parts(rows: &mut Rows, zip: Zip) {
    rows.number(zip.impedance_p * 100.0).number(zip.current_p * 100.0);
    rows.number(zip.impedance_q * 100.0).number(zip.current_q * 100.0);
}

/// The name and the phases of an element with two ends.
fn branch_head(rows: &mut Rows, id: &str, ends: [&str; 2], phases: Phases) {
    rows.text(id).text(ends[0]).text(ends[1]).text(&phases.to_string());
}

fn yes(rows: &mut Rows, closed: bool) {
    rows.text(if closed { "yes" } else { "no" });
}

fn three_phase_tables(feeder: &ThreePhase) -> Files {
    let names = &feeder.buses.names;
    let name = |bus: u32| names.get(bus as usize);
    let mut files: Files = Vec::new();
    let mut rows = Rows::new(three_phase::BUS);
    for bus in 0..names.len() {
        rows.text(names.get(bus)).number(feeder.buses.v_base.get(bus));
        rows.text(&feeder.buses.phases.get(bus).to_string()).end();
    }
    files.push(("bus.csv", rows.out));
    let mut rows = Rows::new(three_phase::SOURCE);
    for (&bus, v) in feeder.sources.bus.iter().zip(&feeder.sources.v) {
        for phase in feeder.buses.phases.get(bus as usize).iter() {
            let letter = Phases::LETTERS[phase].to_string();
            rows.text(name(bus)).text(&letter).number(v[phase].re).number(v[phase].im).end();
        }
    }
    files.push(("source.csv", rows.out));
    let lines = &feeder.lines;
    if !lines.from.is_empty() {
        let columns: Vec<&str> =
            three_phase::LINE.iter().copied().filter(|&one| one != "length_km").collect();
        let mut rows = Rows::new(&columns);
        for (k, z) in lines.z.iter().enumerate() {
            let ends_of = [name(lines.from[k]), name(lines.to[k])];
            branch_head(&mut rows, lines.names.get(k), ends_of, lines.phases.get(k));
            z.iter().for_each(|z: &Complex| {
                rows.number(z.re);
            });
            z.iter().for_each(|z| {
                rows.number(z.im);
            });
            lines.b.get(k).iter().for_each(|&b| {
                rows.number(b);
            });
            rows.number(lines.length.get(k)).number(lines.rated_a.get(k));
            rows.text(ends(lines.ends.get(k))).end();
        }
        files.push(("line.csv", rows.out));
    }
    let all = &feeder.transformers;
    if !all.from.is_empty() {
        let mut rows = Rows::new(three_phase::TRAFO);
        for (k, (&from, &to)) in all.from.iter().zip(&all.to).enumerate() {
            branch_head(&mut rows, all.names.get(k), [name(from), name(to)], all.phases.get(k));
            let (kv, z, y) = (all.kv.get(k), all.z_part.get(k), all.y.get(k));
            rows.text(&all.group.get(k).to_string()).number(all.rated_kva.get(k));
            rows.number(kv[0]).number(kv[1]).number(z.re * 100.0).number(z.im * 100.0);
            all.tap.get(k).iter().for_each(|&tap| {
                rows.number(tap);
            });
            rows.number(y.re).number(y.im);
            yes(&mut rows, all.closed.get(k));
            rows.end();
        }
        files.push(("trafo.csv", rows.out));
    }
    let switches = &feeder.switches;
    if !switches.from.is_empty() {
        let mut rows = Rows::new(three_phase::SWITCH);
        for (k, (&from, &to)) in switches.from.iter().zip(&switches.to).enumerate() {
            let phases = switches.phases.get(k);
            branch_head(&mut rows, switches.names.get(k), [name(from), name(to)], phases);
            yes(&mut rows, switches.closed.get(k));
            rows.end();
        }
        files.push(("switch.csv", rows.out));
    }
    files.extend(loads_and_capacitors(feeder, names));
    files
}

fn loads_and_capacitors(feeder: &ThreePhase, names: &Texts) -> Files {
    let name = |bus: u32| names.get(bus as usize);
    let mut files: Files = Vec::new();
    let loads = &feeder.loads;
    let mut rows = Rows::new(three_phase::LOAD);
    for (k, s) in loads.s_va.iter().enumerate() {
        rows.text(loads.names.get(k)).text(name(loads.bus[k]));
        rows.text(loads.connection.get(k).name()).text(&loads.phases.get(k).to_string());
        rows.number(s.re / 1e3).number(s.im / 1e3).number(loads.v_nom.get(k));
        rows.text("");
        parts(&mut rows, loads.zip.get(k));
        rows.end();
    }
    files.push(("load.csv", rows.out));
    let banks = &feeder.capacitors;
    if !banks.bus.is_empty() {
        let mut rows = Rows::new(three_phase::CAPACITOR);
        for (k, &bus) in banks.bus.iter().enumerate() {
            rows.text(banks.names.get(k)).text(name(bus));
            rows.text(banks.connection.get(k).name()).text(&banks.phases.get(k).to_string());
            rows.number(banks.var[k] / 1e3).number(banks.v_nom.get(k)).end();
        }
        files.push(("capacitor.csv", rows.out));
    }
    files
}
