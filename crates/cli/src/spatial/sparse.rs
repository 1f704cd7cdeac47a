//! `palmette spatial spmv` and `cg`.

use super::options::MachineOptions;
use super::program::{finish, keep_queues, note_run};
use super::trace::TraceOption;
use crate::limit::{read_bytes, read_points};
use crate::prelude::*;
use palmette::core::{CgError, CgParams};
use palmette::graph::Laplacian;
use palmette::io::{
    GraphForm, MatrixError, graph_of_matrix, read_matrix_bytes, read_vectors_labelled,
};
use palmette::spatial::collective::CollectiveError;
use palmette::spatial::machine::MachineError;
use palmette::spatial::sparse::{Placement, SparseError, SparseMatrix};
use palmette::{
    SparseRun, SpatialSparseParams, laplacian_matrix, random_currents, random_vector,
    sparse_matrix, spatial_product, spatial_solve,
};

/// What stands for a vector that is made up.
const RANDOM: &str = "random";

/// A matrix, where it lies, and what is kept of the run.
#[derive(Debug, Args)]
pub(crate) struct SparseOptions {
    /// Square matrix in Matrix Market form (coordinate; real, integer or pattern; general or
    /// symmetric), optionally gz or zst; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How the matrix lies on the machine: its rows along the curve, those with common entries close
    /// (layout), or anywhere, sorted on the machine first (sort).
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<Placement>())]
    method: Placement,
    /// Take entries off the diagonal as weights of a graph's edges, and the graph's Laplacian as the
    /// matrix; `random` right-hand sides then add up to 0 in each component.
    #[arg(long)]
    laplacian: bool,
    /// Coordinates of the rows, two or three numbers per line, for --method layout (default: made up
    /// from steps between rows).
    #[arg(long, value_name = "POINTS")]
    xyz: Option<PathBuf>,
    /// The curve.
    #[arg(long, value_name = "CURVE", default_value_t = SpatialSparseParams::default().curve,
          value_parser = named::<CurveKind>(), help_heading = "Layout")]
    curve: CurveKind,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    trace: TraceOption,
    /// Seed for random vectors and random delays.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// Output table of rows and numbers: csv, or tsv or npy by the file's name, optionally gz or
    /// zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw how many messages every link carried")))]
pub(crate) struct ProductArguments {
    #[command(flatten)]
    options: SparseOptions,
    /// The vector: a Matrix Market array, an npy array, or a table of row and number; `random`
    /// makes one with numbers between -1 and 1.
    #[arg(long, value_name = "FILE|random", default_value = RANDOM)]
    vector: PathBuf,
}

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw how many messages every link carried")))]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    options: SparseOptions,
    /// The right-hand side: a Matrix Market array, an npy array, or a table of row and number;
    /// `random` makes one with numbers between -1 and 1.
    #[arg(long, value_name = "FILE|random", default_value = RANDOM)]
    rhs: PathBuf,
    /// Relative residual to reach.
    #[arg(long, value_name = "T", default_value_t = CgParams::default().tolerance)]
    tolerance: f64,
    /// The most iterations.
    #[arg(long, value_name = "N", default_value_t = CgParams::default().max_iterations)]
    max_iterations: usize,
}

/// What a run has read.
struct Input {
    name: String,
    labels: Labels,
    matrix: SparseMatrix,
    points: Vec<[f64; 3]>,
    vector: Vec<f64>,
    params: SpatialSparseParams,
}

pub(crate) fn multiply(arguments: &ProductArguments, run: &RunOptions) -> Result<()> {
    let options = &arguments.options;
    let mut session = options.open("spatial spmv", ("--vector", &arguments.vector), run)?;
    let input = options.read(&mut session, ("vector", &arguments.vector))?;
    let Input { matrix, points, vector, params, .. } = &input;
    let found = session.phase("compute", || spatial_product(matrix, points, vector, params));
    let found = found.map_err(|error| input.explain(error))?;
    note_run(&mut session, &found, &found.run.machine, matrix.rows(), found.run.correct);
    options.leave(session, &input, ("product", found.y), &found.run)
}

pub(crate) fn solve(arguments: &SolveArguments, run: &RunOptions) -> Result<()> {
    let &SolveArguments { ref options, ref rhs, tolerance, max_iterations } = arguments;
    let mut session = options.open("spatial cg", ("--rhs", rhs), run)?;
    let cg = CgParams { tolerance, max_iterations, ..CgParams::default() };
    cg.check().map_err(|error| match error {
        CgError::Tolerance { .. } => anyhow!("--tolerance: {error}"),
        _ => anyhow!("--max-iterations: {error}"),
    })?;
    session.parameter("tolerance", tolerance).parameter("max_iterations", max_iterations);
    let input = options.read(&mut session, ("rhs", rhs))?;
    let Input { matrix, points, vector, params, .. } = &input;
    let found = session.phase("compute", || spatial_solve(matrix, points, vector, &cg, params));
    let found = found.map_err(|error| input.explain(error))?;
    note_run(&mut session, &found, &found.run.machine, matrix.rows(), found.run.correct);
    options.leave(session, &input, ("solution", found.x), &found.run)
}

/// The file of a vector, unless it is made up.
fn file_of(vector: &Path) -> Option<&Path> {
    Some(vector).filter(|vector| vector.as_os_str() != RANDOM)
}

impl SparseOptions {
    fn open(
        &self,
        command: &str,
        vector: (&'static str, &Path),
        run: &RunOptions,
    ) -> Result<Session> {
        let files = Files::of(&self.file)
            .reads("--xyz", self.xyz.as_deref())
            .reads(vector.0, file_of(vector.1))
            .writes("-o", self.output.as_deref(), Kind::TABLE)
            .writes("--trace", self.trace.file(), Kind::trace(false))
            .draws(&self.pictures, "links");
        if self.xyz.is_some() && self.method != Placement::Layout {
            bail!("--xyz needs --method layout, not {}", self.method);
        }
        Session::open(command, files, run)
    }

    fn read(&self, session: &mut Session, (key, vector): (&str, &Path)) -> Result<Input> {
        let machine = self.machine.params()?;
        let name = name_of(&self.file);
        let file = session.phase("read", || read_matrix_bytes(&name, &read_bytes(&self.file)?))?;
        let graph = self.laplacian.then(|| {
            let entries = file.entries.iter().copied();
            graph_of_matrix(&name, [file.rows; 2], entries, Some(GraphForm::Adjacency))
        });
        let graph = graph.transpose().map_err(|error| not_weights(&name, error))?;
        session.parameter("laplacian", self.laplacian);
        let matrix = session.phase("build", || match &graph {
            Some(file) => laplacian_matrix(&file.graph),
            None => sparse_matrix(&file),
        });
        let matrix = matrix.map_err(|error| explain(&name, error))?;
        let labels = Labels::counted_from(1, matrix.rows());
        let points = match &self.xyz {
            Some(path) => session.phase("read", || read_points(path, matrix.rows()))?,
            None => Vec::new(),
        };
        let vector = match file_of(vector) {
            None => {
                session.parameter(key, RANDOM);
                match &graph {
                    Some(file) if key == "rhs" => {
                        random_currents(&Laplacian::new(&file.graph, None), self.seed)
                    }
                    _ => random_vector(matrix.rows(), self.seed),
                }
            }
            Some(path) => {
                session.parameter(key, name_of(path));
                let columns = read_vectors_labelled(&name_of(path), &read_bytes(path)?, &labels)?;
                match <[Vec<f64>; 1]>::try_from(columns) {
                    Ok([vector]) => vector,
                    Err(columns) => {
                        bail!("{}: expected one vector, found {}", name_of(path), columns.len())
                    }
                }
            }
        };
        session.parameter("curve", self.curve.name()).parameter("seed", self.seed);
        let machine = MachineParams { seed: self.seed, trace: self.trace.is_given(), ..machine };
        let params = SpatialSparseParams { placement: self.method, curve: self.curve, machine };
        Ok(Input { name, labels, matrix, points, vector, params })
    }

    fn leave(
        &self,
        mut session: Session,
        input: &Input,
        (what, numbers): (&str, Vec<f64>),
        run: &SparseRun,
    ) -> Result<()> {
        if !run.correct {
            return finish(session, false);
        }
        if session.wants("links")
            && let Some(picture) = pictures::sparse(&input.name, what, self.curve, run)
        {
            show(&mut session, "links", None, || picture)?;
        }
        keep_queues(&mut session, &input.name, &run.machine)?;
        self.trace.write(&mut session, &run.machine)?;
        if let Some(path) = &self.output {
            let numbers = Values::F64(numbers);
            let columns = vec![("row", Cells::EachVertex), (what, Cells::from(&numbers))];
            let answers = Answers { labels: &input.labels, columns, numbers: Some(&numbers) };
            answers.write_to(&mut session, path)?;
        }
        finish(session, true)
    }
}

impl Input {
    fn explain(&self, error: SparseError) -> anyhow::Error {
        explain(&self.name, error)
    }
}

/// Why a matrix has no weights of edges. Rows count from 1 in files.
fn not_weights(name: &str, error: MatrixError) -> anyhow::Error {
    let error = match error {
        MatrixError::Signs { row, column, value } => {
            MatrixError::Signs { row: row + 1, column: column + 1, value }
        }
        MatrixError::NotSymmetric { row, column, value, other } => {
            MatrixError::NotSymmetric { row: row + 1, column: column + 1, value, other }
        }
        other => other,
    };
    anyhow!("{name}: --laplacian: {error}")
}

/// Rows count from 1 in files.
fn explain(name: &str, error: SparseError) -> anyhow::Error {
    match error {
        SparseError::NotSymmetric { row, column, value, other } => {
            let (row, column) = (row + 1, column + 1);
            anyhow!("{name}: {}", SparseError::NotSymmetric { row, column, value, other })
        }
        SparseError::NotFinite { row, column, value } => {
            let (row, column) = (row + 1, column + 1);
            anyhow!("{name}: {}", SparseError::NotFinite { row, column, value })
        }
        SparseError::Collective(CollectiveError::Machine(MachineError::Network(error))) => {
            anyhow!("--replay always: {error}; pass --replay auto or never")
        }
        SparseError::Collective(error) => Internal(error.to_string()).into(),
        error => anyhow!("{name}: {error}"),
    }
}
