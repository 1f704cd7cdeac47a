//! `palmette power transient`.

use super::drop::positive;
use super::netlist::{NetlistOptions, tell_notes};
use crate::graph::options::MemoryOptions;
use crate::output::separator_of;
use crate::prelude::*;
use palmette::ValueSlice;
use palmette::figures::TransientFigures;
use palmette::graph::solve::Preconditioner;
use palmette::io::{VectorFormat, write_table, write_vectors};
use palmette::power::transient::{Method, TransientParams};
use palmette::power::{GridTransient, PowerGrid};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the waveforms; a folder also gets the worst drops on the plane")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: NetlistOptions,
    /// Output waveforms: a column of times and one per probe, as csv, tsv or npy, optionally gz or
    /// zst; `-` is stdout (the default without --json).
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the worst drop of every node over time to a table.
    #[arg(long, value_name = "FILE")]
    worst: Option<PathBuf>,
    /// Node whose voltage to write (repeatable; default: those of .print tran).
    #[arg(long, value_name = "NAME")]
    node: Vec<String>,
    /// Element whose current to write (repeatable).
    #[arg(long, value_name = "NAME")]
    element: Vec<String>,
    /// Length of a step in seconds (default: that of .tran).
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = seconds)]
    step: Option<f64>,
    /// End in seconds (default: that of .tran).
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = seconds)]
    stop: Option<f64>,
    /// trapezoidal (of second order) or backward-euler (damps).
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<Method>())]
    method: Method,
    /// Control steps: volts of local error per step and node (default: all steps are the same).
    #[arg(long, value_name = "VOLTS", allow_hyphen_values = true, value_parser = positive)]
    accuracy: Option<f64>,
    /// auto (direct if memory holds the factor, or else approximate-cholesky), direct, sparsifier,
    /// approximate-cholesky, incomplete-cholesky or jacobi.
    #[arg(long, value_name = "NAME", default_value_t, value_parser = named::<Preconditioner>(), help_heading = "Solver")]
    preconditioner: Preconditioner,
    #[command(flatten)]
    memory: MemoryOptions,
    #[command(flatten)]
    pictures: PictureOptions,
}

/// Seconds, perhaps with SPICE's scale: `10p`.
fn seconds(text: &str) -> Result<f64, String> {
    match palmette::io::spice_value(text) {
        Some(number) if number > 0.0 => Ok(number),
        _ => Err(format!(
            "expected a positive number of seconds such as 1e-12 or 1p, found `{text}`"
        )),
    }
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let output = arguments.output.as_deref();
    let files = arguments.input.files().writes(
        "--worst",
        arguments.worst.as_deref(),
        Kind::COLUMNS_OF_TEXT,
    );
    let files = files.writes("-o", output, Kind::VECTORS).draws(&arguments.pictures, "waveforms");
    let mut session = Session::open("power transient", files, run)?;
    session.parameter("method", arguments.method.name());
    session.parameter("preconditioner", arguments.preconditioner.name());
    let memory = arguments.memory.limit(&mut session);
    for (key, value) in
        [("step", arguments.step), ("stop", arguments.stop), ("accuracy", arguments.accuracy)]
    {
        if let Some(value) = value {
            session.parameter(key, value);
        }
    }
    session.file("worst", arguments.worst.as_deref());
    let grid = arguments.input.load(&mut session)?;
    let params = grid.transient_params(arguments.step, arguments.stop)?;
    let params = TransientParams {
        method: arguments.method,
        accuracy: arguments.accuracy,
        preconditioner: arguments.preconditioner,
        memory,
        ..params
    };
    let probes = grid.probes(&arguments.node, &arguments.element)?;
    let unprobed = probes.names.is_empty();
    let found = session.phase("compute", || grid.transient(probes, &params))?;
    // Notes come with an answer only: an error is one line.
    tell_notes(&session, &grid.file, true);
    if unprobed {
        note_none(&session, &grid);
    }
    session.figures(&TransientFigures { grid: &grid, found: &found });
    for (key, seconds) in [("factor", found.run.factor_seconds), ("steps", found.run.step_seconds)]
    {
        session.record.seconds.insert(key.to_string(), seconds.into());
    }
    let rest = session.seconds("compute") - found.run.factor_seconds - found.run.step_seconds;
    session.record.seconds.insert("compute".to_string(), rest.max(0.0).into());
    draw(&mut session, &grid, &found)?;
    if let Some(path) = &arguments.worst {
        let columns = [
            ("node", Cells::EachVertex),
            ("first_drop", Cells::Numbers(ValueSlice::F64(&found.run.first_drops))),
            ("worst_drop", Cells::Numbers(ValueSlice::F64(&found.run.worst_drops))),
        ];
        session
            .write(path, |out| write_table(out, separator_of(path), &grid.file.nodes, &columns))?;
    }
    write(&mut session, output, &found)?;
    session.finish()
}

fn note_none(session: &Session, grid: &PowerGrid) {
    let name = &grid.file.name;
    session
        .note(&format!("{name}: no .print tran; add --node NAME or --element NAME for waveforms"));
}

fn draw(session: &mut Session, grid: &PowerGrid, found: &GridTransient) -> Result<()> {
    if !found.names.is_empty() {
        let pairs = found.names.iter().cloned().zip(found.run.probes.iter().cloned());
        let pairs: Vec<(String, Vec<f64>)> = pairs.collect();
        let name = &grid.file.name;
        show(session, "waveforms", None, || pictures::waveforms(name, &found.run.times, &pairs))?;
    } else if session.asks_for("waveforms") {
        bail!("there are no waveforms to draw; add --node NAME");
    }
    if session.wants("drop-map") {
        let drops = &found.run.worst_drops;
        let picture =
            session.phase("draw", || pictures::drop_map(grid, drops, "Worst drop over time"));
        if let Some(picture) = picture {
            keep(session, None, picture)?;
        }
    }
    Ok(())
}

fn write(session: &mut Session, path: Option<&Path>, found: &GridTransient) -> Result<()> {
    let Some(path) = session.destination(path) else { return Ok(()) };
    let name = path.to_string_lossy();
    let format = VectorFormat::from_name(&name).filter(|format| *format != VectorFormat::Csv);
    let run = &found.run;
    if let Some(format) = format {
        let columns: Vec<Vec<f64>> =
            std::iter::once(&run.times).chain(&run.probes).cloned().collect();
        return session.write(&path, |out| write_vectors(out, format, &columns));
    }
    let labels = Labels::counted_from(0, run.times.len());
    let mut columns = vec![("time", Cells::Numbers(ValueSlice::F64(&run.times)))];
    let values = found.names.iter().zip(&run.probes);
    columns.extend(values.map(|(name, x)| (name.as_str(), Cells::Numbers(ValueSlice::F64(x)))));
    session.write(&path, |out| write_table(out, separator_of(&path), &labels, &columns))
}
