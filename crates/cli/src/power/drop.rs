//! `palmette power drop`.

use super::netlist::{NetlistOptions, tell_notes};
use crate::graph::options::SolverOptions;
use crate::limit::read_number_table;
use crate::output::separator_of;
use crate::prelude::*;
use palmette::ValueSlice;
use palmette::figures::{DropFigures, NetRow, ScenarioFigures, element_name, net_rows};
use palmette::io::{NumberTable, RowsAre, VectorFormat, write_table, write_vectors};
use palmette::power::drop::Scenarios;
use palmette::power::{DropParams, GridDrop, NamedChange, PowerGrid, ScenarioValues};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the drops on the plane")))]
#[command(mut_arg("tolerance", |argument| argument.default_value("1e-10")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: NetlistOptions,
    /// Output voltages: node, voltage, drop, net (and layer; with scenarios the worst drop and its
    /// scenario) as csv or tsv, or voltages alone as npy or mtx, optionally gz or zst; `-` is stdout
    /// (the default without --json).
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the current and power of every element to a table.
    #[arg(long, value_name = "FILE")]
    elements: Option<PathBuf>,
    /// Write the worst drop of every net and layer to a table.
    #[arg(long, value_name = "FILE")]
    by_net: Option<PathBuf>,
    /// Amperes that no resistor, inductor or voltage source should carry more of; counts those that
    /// do.
    #[arg(long, value_name = "A", allow_hyphen_values = true, value_parser = positive)]
    limit: Option<f64>,
    /// Table of elements with limits of their own in amperes: columns `element` and `limit`.
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    #[command(flatten)]
    changes: ChangeOptions,
    #[command(flatten)]
    scenarios: ScenarioOptions,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    solver: SolverOptions,
}

/// What if.
#[derive(Debug, Args)]
#[command(next_help_heading = "Changes")]
struct ChangeOptions {
    /// Add a resistor between two nodes (repeatable).
    #[arg(long, num_args = 3, allow_negative_numbers = true, value_names = ["NODE", "NODE", "OHMS"])]
    add: Vec<String>,
    /// Give a resistor another resistance (repeatable).
    #[arg(long, num_args = 2, allow_negative_numbers = true, value_names = ["RESISTOR", "OHMS"])]
    set: Vec<String>,
    /// Remove a voltage source that holds nodes (repeatable).
    #[arg(long, value_name = "SOURCE")]
    remove_pad: Vec<String>,
}

/// Other loads.
#[derive(Debug, Args)]
#[command(next_help_heading = "Scenarios")]
struct ScenarioOptions {
    /// Table of scenarios: a column per current source, or `*` for all others, and perhaps `case`
    /// with their names (without it they are numbered from 0).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["add", "set", "remove_pad"])]
    scenarios: Option<PathBuf>,
    /// What its numbers are: scale (of the netlist's currents) or current (in amperes).
    #[arg(long, value_name = "WHAT", default_value_t, requires = "scenarios", value_parser = named::<ScenarioValues>())]
    scenario_values: ScenarioValues,
    /// Write the worst drop and the power of every scenario to a table.
    #[arg(long, value_name = "FILE", requires = "scenarios")]
    by_scenario: Option<PathBuf>,
}

/// A number as netlists have it: `0.05`, `50m`.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match palmette::io::spice_value(text) {
        Some(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err(format!("expected a positive number such as 0.05 or 50m, found `{text}`")),
    }
}

impl ChangeOptions {
    fn list(&self) -> Result<Vec<NamedChange>> {
        let ohms = |option: &str, text: &str| {
            positive(text).map_err(|error| anyhow!("{option}: {error} for the resistance"))
        };
        let mut list = Vec::new();
        for part in self.add.chunks(3) {
            list.push(NamedChange::Add(
                [part[0].clone(), part[1].clone()],
                ohms("--add", &part[2])?,
            ));
        }
        for part in self.set.chunks(2) {
            list.push(NamedChange::Set(part[0].clone(), ohms("--set", &part[1])?));
        }
        list.extend(self.remove_pad.iter().map(|name| NamedChange::RemovePad(name.clone())));
        Ok(list)
    }
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let Arguments { input, scenarios, .. } = arguments;
    let output = arguments.output.as_deref();
    let tables = [
        ("--elements", &arguments.elements),
        ("--by-net", &arguments.by_net),
        ("--by-scenario", &scenarios.by_scenario),
    ];
    let mut files = input
        .files()
        .reads("--scenarios", scenarios.scenarios.as_deref())
        .reads("--limits", arguments.limits.as_deref());
    for (option, path) in tables {
        files = files.writes(option, path.as_deref(), Kind::COLUMNS_OF_TEXT);
    }
    let files = files.writes("-o", output, Kind::VECTORS).draws(&arguments.pictures, "drop-map");
    let mut session = Session::open("power drop", files, run)?;
    let solve = arguments.solver.params(&mut session);
    let changes = arguments.changes.list()?;
    note_parameters(&mut session, arguments);
    let grid = input.load(&mut session)?;
    let limits = arguments.limits.as_deref();
    let read = |path| session.phase("read", || read_number_table(path, RowsAre::Elements));
    let limits = limits.map(read).transpose()?;
    let params = DropParams { solve, changes, limit: arguments.limit, limits };
    let found = session.phase("solve", || grid.static_drop(&params))?;
    session.figures(&DropFigures { grid: &grid, found: &found });
    session.end_with(nets_in_words(&grid, &net_rows(&grid, &found.drop.drops)), &["by_net"]);
    let cases = match &scenarios.scenarios {
        None => None,
        Some(path) => {
            let table = session.phase("read", || read_number_table(path, RowsAre::Cases))?;
            let values = scenarios.scenario_values;
            let cases =
                session.phase("scenarios", || grid.scenarios(&table, values, &params.solve))?;
            session.figures(&ScenarioFigures { grid: &grid, table: &table, found: &cases });
            Some((table, cases))
        }
    };
    // Notes come with an answer only: an error is one line.
    tell_notes(&session, &grid.file, false);
    draw(&mut session, &grid, &found, cases.as_ref().map(|(_, cases)| cases))?;
    if let Some(path) = &arguments.elements {
        write_elements(&mut session, path, &grid, &found)?;
    }
    if let Some(path) = &arguments.by_net {
        write_nets(&mut session, path, &grid, &net_rows(&grid, &found.drop.drops))?;
    }
    if let (Some(path), Some((table, cases))) = (&scenarios.by_scenario, &cases) {
        write_cases(&mut session, path, &grid, table, cases)?;
    }
    write_voltages(&mut session, output, &grid, &found, cases.as_ref())?;
    session.finish()
}

fn note_parameters(session: &mut Session, arguments: &Arguments) {
    let Arguments { changes, scenarios, .. } = arguments;
    if let Some(limit) = arguments.limit {
        session.parameter("limit", limit);
    }
    let lists = [("add", &changes.add), ("set", &changes.set), ("remove_pad", &changes.remove_pad)];
    for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        session.parameter(key, list.clone());
    }
    if scenarios.scenarios.is_some() {
        session.file("scenarios", scenarios.scenarios.as_deref());
        session.parameter("scenario_values", scenarios.scenario_values.name());
    }
    session.file("limits", arguments.limits.as_deref());
    session.file("elements", arguments.elements.as_deref());
    session.file("by_net", arguments.by_net.as_deref());
    session.file("by_scenario", scenarios.by_scenario.as_deref());
}

/// Nets and layers as a table for people.
fn nets_in_words(grid: &PowerGrid, rows: &[NetRow]) -> String {
    const MOST: usize = 20;
    let mut table = Table::new(&["net", "layer", "nominal V", "nodes", "worst drop V", "node"]);
    for row in rows.iter().take(MOST) {
        let layer = row.layer.map_or(Cell::missing(), |layer| Cell::from(u64::from(layer)));
        let name = grid.file.nodes.get(row.node).into_owned();
        table.row([
            Cell::from(u64::from(row.net)),
            layer,
            Cell::from(row.nominal),
            Cell::from(row.nodes as u64),
            Cell::from(row.worst_drop),
            Cell::from(terminal::line(&name)),
        ]);
    }
    let more = rows.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("and {more} more\n") } else { String::new() };
    format!("{table}{rest}")
}

fn draw(
    session: &mut Session,
    grid: &PowerGrid,
    found: &GridDrop,
    cases: Option<&Scenarios>,
) -> Result<()> {
    if !session.wants("drop-map") {
        return Ok(());
    }
    let (drops, what) = match cases {
        Some(cases) => (&cases.worst.drops, "Worst drop"),
        None => (&found.drop.drops, "Drop"),
    };
    match session.phase("draw", || pictures::drop_map(grid, drops, what)) {
        Some(picture) => keep(session, None, picture),
        None if session.asks_for("drop-map") => {
            bail!(
                "{}: nodes have no coordinates; name them n1_20_30 or add --xy FILE",
                grid.file.name
            )
        }
        None => Ok(()),
    }
}

fn write_voltages(
    session: &mut Session,
    path: Option<&Path>,
    grid: &PowerGrid,
    found: &GridDrop,
    cases: Option<&(NumberTable, Scenarios)>,
) -> Result<()> {
    let Some(path) = session.destination(path) else { return Ok(()) };
    let name = path.to_string_lossy();
    let format = VectorFormat::from_name(&name).filter(|format| *format != VectorFormat::Csv);
    if let Some(format) = format {
        let columns = [found.drop.voltages.clone()];
        return session.write(&path, |out| write_vectors(out, format, &columns));
    }
    let nets: Vec<i64> =
        grid.nets.of.iter().map(|&net| if net == NONE { 0 } else { i64::from(net) + 1 }).collect();
    let layer = |layer: &u32| if *layer == NONE { f64::NAN } else { f64::from(*layer) };
    let layers: Vec<f64> = grid.plane.layers.iter().map(layer).collect();
    let mut columns = vec![
        ("node", Cells::EachVertex),
        ("voltage", Cells::Numbers(ValueSlice::F64(&found.drop.voltages))),
        ("drop", Cells::Numbers(ValueSlice::F64(&found.drop.drops))),
        ("net", Cells::Numbers(ValueSlice::I64(&nets))),
    ];
    if grid.plane.has_layers() {
        columns.push(("layer", Cells::Known(&layers)));
    }
    let names;
    if let Some((table, cases)) = cases {
        columns.push(("worst_drop", Cells::Numbers(ValueSlice::F64(&cases.worst.drops))));
        names = Cells::LabelsOf(&table.names);
        columns.push(("worst_scenario", Cells::Rows(&cases.worst.cases, &names)));
    }
    session.write(&path, |out| write_table(out, separator_of(&path), &grid.file.nodes, &columns))
}

fn write_elements(
    session: &mut Session,
    path: &Path,
    grid: &PowerGrid,
    found: &GridDrop,
) -> Result<()> {
    let elements = &found.circuit.elements;
    let count = elements.len();
    let names = Labels::texts((0..count as u32).map(|k| element_name(grid, k)));
    let ends = |side: usize| elements.iter().map(|e| e.ends[side]).collect::<Vec<u32>>();
    let (from, to) = (ends(0), ends(1));
    let values: Vec<f64> = elements.iter().map(|element| element.value).collect();
    let powers: Vec<f64> = (0..count).map(|k| found.drop.power(&found.circuit, k)).collect();
    let mut columns = vec![
        ("element", Cells::LabelsOf(&names)),
        ("from", Cells::Vertices(&from)),
        ("to", Cells::Vertices(&to)),
        ("value", Cells::Numbers(ValueSlice::F64(&values))),
        ("current", Cells::Numbers(ValueSlice::F64(&found.drop.elements.currents))),
        ("power", Cells::Numbers(ValueSlice::F64(&powers))),
    ];
    let known = |limit: &f64| if limit.is_finite() { *limit } else { f64::NAN };
    let limits: Vec<f64> = found.limits.iter().flatten().map(known).collect();
    let mut over = vec![0i64; count];
    if found.limits.is_some() {
        found.over.iter().flatten().for_each(|&k| over[k as usize] = 1);
        columns.push(("limit", Cells::Known(&limits)));
        columns.push(("over_limit", Cells::Numbers(ValueSlice::I64(&over))));
    }
    session.write(path, |out| write_table(out, separator_of(path), &grid.file.nodes, &columns))
}

fn write_nets(session: &mut Session, path: &Path, grid: &PowerGrid, rows: &[NetRow]) -> Result<()> {
    let nets: Vec<i64> = rows.iter().map(|row| i64::from(row.net)).collect();
    let layers: Vec<f64> = rows.iter().map(|row| row.layer.map_or(f64::NAN, f64::from)).collect();
    let nominal: Vec<f64> = rows.iter().map(|row| row.nominal).collect();
    let nodes: Vec<i64> = rows.iter().map(|row| row.nodes as i64).collect();
    let worst: Vec<u32> = rows.iter().map(|row| row.node).collect();
    let drops: Vec<f64> = rows.iter().map(|row| row.worst_drop).collect();
    let columns = [
        ("net", Cells::Numbers(ValueSlice::I64(&nets))),
        ("layer", Cells::Known(&layers)),
        ("nominal", Cells::Numbers(ValueSlice::F64(&nominal))),
        ("nodes", Cells::Numbers(ValueSlice::I64(&nodes))),
        ("node", Cells::Vertices(&worst)),
        ("worst_drop", Cells::Numbers(ValueSlice::F64(&drops))),
    ];
    session.write(path, |out| write_table(out, separator_of(path), &grid.file.nodes, &columns))
}

fn write_cases(
    session: &mut Session,
    path: &Path,
    grid: &PowerGrid,
    table: &NumberTable,
    cases: &Scenarios,
) -> Result<()> {
    let (nodes, drops): (Vec<u32>, Vec<f64>) = cases.by_case.iter().copied().unzip();
    let columns = [
        ("scenario", Cells::LabelsOf(&table.names)),
        ("node", Cells::Vertices(&nodes)),
        ("supplied", Cells::Numbers(ValueSlice::F64(&cases.supplied))),
        ("worst_drop", Cells::Numbers(ValueSlice::F64(&drops))),
    ];
    session.write(path, |out| write_table(out, separator_of(path), &grid.file.nodes, &columns))
}
