//! Results of power flows as tables: columns of names and numbers, as files and Python show them.

use crate::power::feeder::{CaseFlow, FeederSolution};
use palmette_core::feeder::{Complex, Feeder, Phases};
use palmette_io::{Cells, Labels, ValueSlice, write_table};
use std::io::{self, Write};

/// A table: names first, then numbers. NaN is an empty cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FlowTable {
    /// Columns of texts; the first names the rows.
    pub texts: Vec<(&'static str, Vec<String>)>,
    /// Columns of numbers.
    pub numbers: Vec<(&'static str, Vec<f64>)>,
}

impl FlowTable {
    fn new(texts: &[&'static str], numbers: &[&'static str]) -> FlowTable {
        FlowTable {
            texts: texts.iter().map(|&name| (name, Vec::new())).collect(),
            numbers: numbers.iter().map(|&name| (name, Vec::new())).collect(),
        }
    }

    fn row(&mut self, texts: &[&str], numbers: &[f64]) {
        for ((_, column), text) in self.texts.iter_mut().zip(texts) {
            column.push(text.to_string());
        }
        for ((_, column), number) in self.numbers.iter_mut().zip(numbers) {
            column.push(*number);
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.texts.first().map_or(0, |(_, column)| column.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes it as text.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, out: &mut impl Write, separator: u8) -> io::Result<()> {
        let labels: Vec<Labels> = self.texts.iter().map(|(_, all)| Labels::texts(all)).collect();
        let mut cells: Vec<(&str, Cells<'_>)> = Vec::new();
        for ((name, _), labels) in self.texts.iter().zip(&labels) {
            cells.push((name, Cells::LabelsOf(labels)));
        }
        for (name, column) in &self.numbers {
            cells.push((name, Cells::Known(column)));
        }
        write_table(out, separator, &Labels::numbers(self.len()), &cells)
    }
}

const FLOWS: [&str; 8] = [
    "p_from_mw",
    "q_from_mvar",
    "i_from_a",
    "p_to_mw",
    "q_to_mvar",
    "i_to_a",
    "loss_mw",
    "loading_percent",
];

fn flow(from: Complex, to: Complex, amperes: [f64; 2], loading: f64) -> [f64; 8] {
    let loss = (from + to).re;
    let loading = if loading > 0.0 { loading * 100.0 } else { f64::NAN };
    [from.re, from.im, amperes[0], to.re, to.im, amperes[1], loss, loading]
}

impl FeederSolution<'_> {
    /// Voltages by bus, of three phases by bus and phase: per unit, degrees and kV (line to line, of
    /// three phases to ground). A bus without supply has 0.
    pub fn voltage_table(&self) -> FlowTable {
        let numbers = ["vm_pu", "va_deg", "v_kv"];
        match self {
            FeederSolution::Balanced(feeder, solution) => {
                let mut table = FlowTable::new(&["bus"], &numbers);
                for bus in 0..feeder.buses.names.len() {
                    let v = solution.voltage(bus as u32);
                    let kv = v.norm() * feeder.buses.vn_kv.get(bus);
                    let row = [v.norm(), v.arg().to_degrees(), kv];
                    table.row(&[feeder.buses.names.get(bus)], &row);
                }
                table
            }
            FeederSolution::ThreePhase(feeder, solution) => {
                let mut table = FlowTable::new(&["bus", "phase"], &numbers);
                for bus in 0..feeder.buses.names.len() {
                    let v = solution.voltage_pu(bus as u32);
                    for phase in feeder.buses.phases.get(bus).iter() {
                        let letter = Phases::LETTERS[phase].to_string();
                        let kv = v[phase].norm() * feeder.buses.v_base.get(bus) * 1e-3;
                        let row = [v[phase].norm(), v[phase].arg().to_degrees(), kv];
                        table.row(&[feeder.buses.names.get(bus), &letter], &row);
                    }
                }
                table
            }
        }
    }

    /// Flows by branch, of three phases by branch and phase: power into the branch at either end,
    /// currents, losses and loading.
    pub fn branch_table(&self) -> FlowTable {
        match self {
            FeederSolution::Balanced(feeder, solution) => {
                let mut table = FlowTable::new(&["branch", "kind", "from", "to"], &FLOWS);
                let all = &feeder.branches;
                let bus = |bus: u32| feeder.buses.names.get(bus as usize);
                for (k, one) in solution.branches().enumerate() {
                    let names = [
                        all.names.get(k),
                        all.kind.get(k).name(),
                        bus(all.from[k]),
                        bus(all.to[k]),
                    ];
                    let row = flow(one.from_mva, one.to_mva, [one.from_a, one.to_a], one.loading);
                    table.row(&names, &row);
                }
                table
            }
            FeederSolution::ThreePhase(feeder, solution) => {
                let columns = ["branch", "phase", "kind", "from", "to"];
                let mut table = FlowTable::new(&columns, &FLOWS);
                let bus = |bus: u32| feeder.buses.names.get(bus as usize);
                let (lines, others, switches) =
                    (&feeder.lines, &feeder.transformers, &feeder.switches);
                let kinds = [
                    ("line", &lines.names, &lines.from, &lines.to, &lines.phases),
                    ("transformer", &others.names, &others.from, &others.to, &others.phases),
                    ("switch", &switches.names, &switches.from, &switches.to, &switches.phases),
                ];
                for (kind, names, from, to, phases) in kinds {
                    for k in 0..from.len() {
                        let one = match kind {
                            "line" => solution.line(k as u32),
                            "transformer" => solution.transformer(k as u32),
                            _ => solution.switch(k as u32),
                        };
                        for phase in phases.get(k).iter() {
                            let letter = Phases::LETTERS[phase].to_string();
                            let names = [names.get(k), &letter, kind, bus(from[k]), bus(to[k])];
                            let mva = [one.from_va[phase] * 1e-6, one.to_va[phase] * 1e-6];
                            let amperes = [one.from_a[phase], one.to_a[phase]];
                            table.row(&names, &flow(mva[0], mva[1], amperes, one.loading));
                        }
                    }
                }
                table
            }
        }
    }

    /// What each source gives.
    pub fn source_table(&self) -> FlowTable {
        let mut table;
        match self {
            FeederSolution::Balanced(feeder, solution) => {
                table = FlowTable::new(&["bus", "kind"], &["p_mw", "q_mvar"]);
                let bus = |bus: u32| feeder.buses.names.get(bus as usize);
                for (&at, s) in feeder.sources.bus.iter().zip(solution.sources_mva()) {
                    table.row(&[bus(at), "source"], &[s.re, s.im]);
                }
                for one in solution.generators() {
                    let at = feeder.generators.bus[one.number as usize];
                    let kind = if one.limited { "generator at its limit" } else { "generator" };
                    table.row(&[bus(at), kind], &[one.mva.re, one.mva.im]);
                }
            }
            FeederSolution::ThreePhase(feeder, solution) => {
                table = FlowTable::new(&["bus", "phase"], &["p_mw", "q_mvar"]);
                for (&at, s) in feeder.sources.bus.iter().zip(solution.sources_va()) {
                    for phase in feeder.buses.phases.get(at as usize).iter() {
                        let letter = Phases::LETTERS[phase].to_string();
                        let names = [feeder.buses.names.get(at as usize), &letter];
                        table.row(&names, &[s[phase].re * 1e-6, s[phase].im * 1e-6]);
                    }
                }
            }
        }
        table
    }
}

/// The first names of a list.
fn listed(names: &[String], count: usize) -> String {
    const MOST: usize = 20;
    let mut text = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(" ");
    if count > MOST {
        text += &format!(" and {} more", count - MOST);
    }
    text
}

/// Many power flows, a row each; `key` says what rows are.
pub fn case_table(key: &'static str, cases: &[CaseFlow]) -> FlowTable {
    let texts = [key, "converged", "min_voltage_bus", "max_loading_branch", "unsupplied"];
    let numbers = [
        "min_voltage",
        "max_voltage",
        "losses_mw",
        "source_mw",
        "source_mvar",
        "max_loading_percent",
        "unsupplied_buses",
        "lost_mw",
        "iterations",
    ];
    let mut table = FlowTable::new(&texts, &numbers);
    for case in cases {
        match &case.found {
            Some(one) => {
                let bus = match one.lowest.phase {
                    Some(phase) => format!("{}.{phase}", one.lowest.bus),
                    None => one.lowest.bus.clone(),
                };
                let (branch, part) = match &one.most_loaded {
                    Some((branch, part)) => (branch.as_str(), part * 100.0),
                    None => ("", f64::NAN),
                };
                table.row(
                    &[
                        &case.name,
                        "yes",
                        &bus,
                        branch,
                        &listed(&one.unsupplied, one.unsupplied_count),
                    ],
                    &[
                        one.lowest.voltage,
                        one.highest.voltage,
                        one.losses_mva.re,
                        one.sources_mva.re,
                        one.sources_mva.im,
                        part,
                        one.unsupplied_count as f64,
                        one.lost_mw,
                        one.iterations as f64,
                    ],
                );
            }
            None => table.row(&[&case.name, "no", "", "", ""], &[f64::NAN; 9]),
        }
    }
    table
}

/// What columns of voltages are called: buses, of three phases with the phase (`671.a`).
pub fn voltage_columns(feeder: &Feeder) -> Vec<String> {
    let names = feeder.bus_names();
    let all = (0..names.len()).map(|bus| names.get(bus));
    match feeder {
        Feeder::Balanced(_) => all.map(str::to_string).collect(),
        Feeder::ThreePhase(_) => {
            all.flat_map(|bus| Phases::LETTERS.map(|phase| format!("{bus}.{phase}"))).collect()
        }
    }
}

/// Magnitudes of voltages, a row per case and a column per bus (and phase), after a header if these
/// are the `first` cases.
///
/// # Errors
/// When writing fails.
pub fn write_case_voltages(
    out: &mut dyn Write,
    separator: u8,
    columns: &[String],
    cases: &[CaseFlow],
    first: bool,
) -> io::Result<()> {
    let labels = Labels::texts(cases.iter().map(|case| case.name.as_str()));
    let column = |k: usize| -> Vec<f64> {
        let of = |case: &CaseFlow| case.found.as_ref().map_or(f64::NAN, |one| one.voltages[k]);
        cases.iter().map(of).collect()
    };
    let values: Vec<Vec<f64>> = (0..columns.len()).map(column).collect();
    let mut cells: Vec<(&str, Cells<'_>)> = vec![("case", Cells::EachVertex)];
    for (name, column) in columns.iter().zip(&values) {
        // Every value is a number, or none is: cases that diverged.
        match column.iter().any(|value| value.is_nan()) {
            true => cells.push((name, Cells::Known(column))),
            false => cells.push((name, Cells::Numbers(ValueSlice::F64(column)))),
        }
    }
    if first {
        return write_table(out, separator, &labels, &cells);
    }
    let mut rows = Vec::new();
    write_table(&mut rows, separator, &labels, &cells)?;
    // No name of a bus has a line's end in it, or it is in quotes.
    let mut quoted = false;
    let end = rows.iter().position(|&byte| {
        quoted ^= byte == b'"';
        byte == b'\n' && !quoted
    });
    out.write_all(&rows[end.map_or(0, |end| end + 1)..])
}
