//! Options shared by the graph verbs: input, solver, memory.

use crate::limit::read_graph;
use crate::prelude::*;
use palmette::core::graph::raster::{CellValues, Neighbours, RasterParams};
use palmette::figures::reader;
use palmette::graph::solve::{Preconditioner, SolveError, SolveParams, Stop};
use palmette::io::{GraphForm, GraphFormat, Rounding};
use palmette::{GraphReadParams, explain};

/// The graph to read, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputOptions {
    /// Graph to read: Matrix Market (weights or a Laplacian), METIS, a raster (ASCII grid), or a SPICE
    /// netlist, of which the operating point is taken (what may change it and is not known is an
    /// error), optionally gz or zst; `-` is stdin.
    #[arg(value_name = "FILE", help_heading = None)]
    pub(crate) file: PathBuf,
    /// Input format: matrix-market, metis, spice or ascii-grid (default: from the file's name, then
    /// its content).
    #[arg(long, value_name = "FORMAT", value_parser = named::<GraphFormat>())]
    pub(crate) format: Option<GraphFormat>,
    /// Neighbours of a raster's cell: 4 (across sides) or 8 (across corners, too; default).
    #[arg(long, value_name = "4|8", value_parser = named::<Neighbours>())]
    neighbours: Option<Neighbours>,
    /// What the cells of a raster have: resistance (default) or conductance.
    #[arg(long, value_name = "WHAT", value_parser = named::<CellValues>())]
    cells: Option<CellValues>,
    /// What an edge has the mean of, of its two cells: resistance or conductance (default: what the
    /// cells have).
    #[arg(long, value_name = "WHAT", value_parser = named::<CellValues>())]
    mean: Option<CellValues>,
}

impl InputOptions {
    /// Reads the graph, and notes its size.
    pub(crate) fn load(&self, session: &mut Session) -> Result<GraphFile> {
        self.load_signed(session, false)
    }

    /// As [`InputOptions::load`]; with `signed` a matrix may have entries of either sign.
    pub(crate) fn load_signed(&self, session: &mut Session, signed: bool) -> Result<GraphFile> {
        let &InputOptions { format, neighbours, cells, mean, .. } = self;
        let raster = RasterParams {
            neighbours: neighbours.unwrap_or_default(),
            cells: cells.unwrap_or_default(),
            mean,
        };
        let params = GraphReadParams { format, raster, signed };
        let file = session.phase("read", || read_graph(&self.file, &params))?;
        if signed {
            let is_matrix = matches!(file.form, GraphForm::Laplacian | GraphForm::Signed);
            if !is_matrix || file.format != GraphFormat::MatrixMarket {
                bail!("{}: --signed is for matrices with a diagonal", file.name);
            }
            session.parameter("signed", true);
        }
        let given = [
            ("neighbours", neighbours.map(Neighbours::name)),
            ("cells", cells.map(CellValues::name)),
            ("mean", mean.map(CellValues::name)),
        ];
        for (key, value) in given.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            if file.landscape.is_none() {
                bail!("{}: --{key} is for rasters", file.name);
            }
            session.parameter(key, value);
        }
        session.figures(&file);
        Ok(file)
    }
}

/// Notes what the reader dropped or added up; only nonzero counts are shown.
pub(crate) fn note_found(session: &mut Session, file: &GraphFile) {
    reader(&mut session.record, file);
    tell_found(session, file);
}

/// Says what the reader left out or added up.
pub(crate) fn tell_found(session: &Session, file: &GraphFile) {
    let found = file.found;
    let is_netlist = file.form == GraphForm::Netlist;
    let words = match is_netlist {
        true => [
            "resistors with both ends on one node, ignored",
            "parallel resistors, combined",
            "resistors combined because voltage sources tie their nodes",
            "resistors of 0 ohms, whose ends were joined",
        ],
        false if file.landscape.is_some() => ["", "", "", "cells of conductance 0, left out"],
        false => ["diagonal entries, ignored", "duplicate entries, added up", "", "zeros, ignored"],
    };
    // The diagonal of a Laplacian is used.
    let has_diagonal = matches!(file.form, GraphForm::Laplacian | GraphForm::Signed);
    let diagonal = if has_diagonal { 0 } else { found.diagonal };
    let counts = [diagonal, found.duplicates, found.tied, found.zeros];
    let mut parts: Vec<String> = counts
        .iter()
        .zip(words)
        .filter(|(count, _)| **count > 0)
        .map(|(count, what)| format!("{what}: {count}"))
        .collect();
    if let Some(Rounding { rows, largest, .. }) = file.rounding {
        parts.push(format!(
            "rows whose diagonal differs from the sum of the other entries by a relative \
            {largest:.1e} at most, treated as rounding: {rows}"
        ));
    }
    if let Some(netlist) = &file.netlist {
        let counts = [
            ("capacitors, open at the operating point", netlist.elements.capacitors),
            ("inductors, short at the operating point", netlist.elements.inductors),
        ];
        let some = counts.iter().filter(|(_, count)| *count > 0);
        parts.extend(some.map(|(what, count)| format!("{what}: {count}")));
        parts.extend(netlist.notes.iter().cloned());
    }
    if !parts.is_empty() {
        session.note(&format!("{}: {}", file.name, parts.join("; ")));
    }
}

/// Memory limit for factors.
#[derive(Debug, Args)]
pub(crate) struct MemoryOptions {
    /// Memory limit for a factor, such as 500M or 8G (default: three quarters of what is
    /// available).
    #[arg(long, value_name = "BYTES", value_parser = palmette_vocabulary::bytes)]
    memory: Option<u64>,
}

impl MemoryOptions {
    /// The limit, if one is given.
    pub(crate) fn limit(&self, session: &mut Session) -> Option<u64> {
        if let Some(limit) = self.memory {
            session.parameter("memory", limit);
        }
        self.memory
    }
}

/// How systems are solved.
#[derive(Debug, Args)]
#[command(next_help_heading = "Solver")]
pub(crate) struct SolverOptions {
    /// auto, none, jacobi, incomplete-cholesky, tree, sparsifier, approximate-cholesky or direct.
    #[arg(long, value_name = "NAME", default_value_t, value_parser = named::<Preconditioner>())]
    pub(crate) preconditioner: Preconditioner,
    /// What the tolerance is compared with: residual (relative to the currents) or backward (the
    /// backward error, which gets small however much conductances differ).
    #[arg(long, value_name = "WHAT", default_value_t, value_parser = named::<Stop>())]
    stop: Stop,
    /// Limit on operations for making an exact factor, such as 2e9 (default: none).
    #[arg(long, value_name = "N", value_parser = operations)]
    work: Option<u64>,
    /// Relative residual to reach.
    #[arg(long, value_name = "T", default_value_t = SolveParams::default().tolerance,
          allow_negative_numbers = true, value_parser = tolerance)]
    pub(crate) tolerance: f64,
    /// Limit on iterations per right-hand side.
    #[arg(long, value_name = "N", default_value_t = SolveParams::default().max_iterations,
          value_parser = iterations)]
    max_iterations: usize,
    #[command(flatten)]
    pub(crate) memory: MemoryOptions,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,
}

impl SolverOptions {
    pub(crate) fn params(&self, session: &mut Session) -> SolveParams {
        let &SolverOptions { preconditioner, tolerance, max_iterations, seed, stop, work, .. } =
            self;
        session
            .parameter("preconditioner", preconditioner.name())
            .parameter("tolerance", tolerance)
            .parameter("max_iterations", max_iterations)
            .parameter("seed", seed);
        if stop != Stop::default() {
            session.parameter("stop", stop.name());
        }
        if let Some(work) = work {
            session.parameter("work", work);
        }
        let memory = self.memory.limit(session);
        SolveParams {
            preconditioner,
            tolerance,
            max_iterations,
            seed,
            memory,
            stop,
            work,
            ..Default::default()
        }
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse().map_err(|_| format!("expected a number, found `{text}`"))?;
    let params = SolveParams { tolerance, ..Default::default() };
    params.check().map_err(|error| error.to_string())?;
    Ok(tolerance)
}

fn operations(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(number) if (1.0..=1e18).contains(&number) && number.fract() == 0.0 => Ok(number as u64),
        _ => Err(format!("expected a number of operations such as 2e9, found `{text}`")),
    }
}

fn iterations(text: &str) -> Result<usize, String> {
    let most = text.parse().map_err(|_| format!("expected a whole number, found `{text}`"))?;
    let params = SolveParams { max_iterations: most, ..Default::default() };
    params.check().map_err(|error| error.to_string())?;
    Ok(most)
}

/// A failed computation on the graph of a file; the error uses the file's names.
pub(crate) fn failed(file: &GraphFile, error: impl Into<SolveError>) -> anyhow::Error {
    let error = error.into();
    let text = explain(file, error.clone());
    anyhow::Error::new(error).context(text)
}
