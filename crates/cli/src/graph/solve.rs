//! `palmette graph solve`.

use super::compare;
use super::options::{InputOptions, SolverOptions, failed, note_found};
use crate::limit::read_bytes;
use crate::output::separator_of;
use crate::prelude::*;
use palmette::core::named::nearest;
use palmette::graph::solve::{Setup, Solution, Solver};
use palmette::graph::{Laplacian, Unbalanced};
use palmette::io::{VectorFormat, read_vectors_labelled, write_table, write_vectors};
use palmette::{SolutionFigures, ValueSlice, random_currents};

/// What stands for currents that are made up.
const RANDOM: &str = "random";

/// Relative to the largest current: how far rounding may move a sum that should be 0.
const ROUNDING: f64 = 1e-9;

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw a convergence plot")))]
pub(crate) struct Arguments {
    /// Currents into the vertices: a Matrix Market array, an npy array (one right-hand side per
    /// column, sharing one setup), or a table of vertex and current; `random` generates some. A
    /// netlist has its own.
    #[arg(long, value_name = "FILE|random")]
    rhs: Option<PathBuf>,
    /// Solve the first right-hand side with every preconditioner and compare their costs.
    #[arg(long, conflicts_with_all = ["output", "preconditioner"])]
    compare: bool,
    /// Solve with the matrix as it stands: symmetric, with a diagonal of at least the sum of its row,
    /// entries off the diagonal of either sign (Matrix Market).
    #[arg(long)]
    signed: bool,
    /// Output potentials: csv, or tsv, mtx or npy by the file's name, optionally gz or zst; `-` is
    /// stdout (the default without --json).
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    pub(super) input: InputOptions,
    #[command(flatten)]
    pub(super) solver: SolverOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let output = arguments.output.as_deref();
    let rhs = arguments.rhs.as_deref().filter(|rhs| rhs.as_os_str() != RANDOM);
    let files = Files::of(&input.file).reads("--rhs", rhs);
    let files =
        files.writes("-o", output, Kind::VECTORS).draws(&arguments.pictures, "convergence-plot");
    let mut session = Session::open("graph solve", files, run)?;
    let params = arguments.solver.params(&mut session);
    let file = input.load_signed(&mut session, arguments.signed)?;
    let laplacian = session.phase("build", || Laplacian::new(&file.graph, file.ground.as_deref()));
    let currents = currents(&mut session, arguments, &file, &laplacian)?;
    let currents: Vec<Vec<f64>> = currents.into_iter().map(|b| file.unfold(b)).collect();
    if arguments.compare {
        return compare::run(session, &file, &laplacian, &currents[0], &params);
    }
    let found = session.phase("solve", || Solver::with_currents(&laplacian, &params, &currents));
    let (solver, solutions) = found.map_err(|error| failed(&file, error))?;
    note_setup(&mut session, solver.setup());
    note_solutions(&mut session, &solutions);
    note_unbalanced(&mut session, &file, &laplacian, &currents);
    note_found(&mut session, &file);
    show(&mut session, "convergence-plot", None, || {
        pictures::convergence(&file.name, params.tolerance, solver.setup(), &solutions)
    })?;
    let potentials: Vec<Vec<f64>> =
        solutions.into_iter().map(|solution| file.fold(solution.x)).collect();
    write(&mut session, output, &file, potentials)?;
    session.finish()
}

/// The right-hand sides.
fn currents(
    session: &mut Session,
    arguments: &Arguments,
    file: &GraphFile,
    laplacian: &Laplacian<'_>,
) -> Result<Vec<Vec<f64>>> {
    let name = &file.name;
    match (&arguments.rhs, &file.netlist) {
        (None, Some(netlist)) => Ok(vec![netlist.currents.clone()]),
        (Some(_), Some(_)) => {
            bail!("{name}: --rhs does not apply, because the netlist has its own currents")
        }
        (None, None) => {
            bail!("{name}: no currents given; add --rhs FILE, or --rhs random to try a solver")
        }
        (Some(path), None) if path.as_os_str() == RANDOM => {
            session.parameter("rhs", RANDOM);
            let mut random = random_currents(laplacian, arguments.solver.seed);
            random.truncate(file.rows());
            Ok(vec![random])
        }
        (Some(path), None) => {
            session.parameter("rhs", name_of(path));
            let labels = file.vertex_labels();
            let read = session.phase("read", || {
                read_vectors_labelled(&name_of(path), &read_bytes(path)?, &labels)
            });
            read.map_err(|error| match error {
                IoError::MissingValues { .. } => {
                    anyhow!("{error} (write 0 where no current flows)")
                }
                IoError::Read { .. } if nearest(&name_of(path), [RANDOM]).is_some() => {
                    anyhow!("{error}; did you mean `{RANDOM}`?")
                }
                other => other.into(),
            })
        }
    }
}

/// Notes what was built, and takes the parts of the setup out of the time of the solve.
fn note_setup(session: &mut Session, setup: &Setup) {
    session.figures(setup);
    if let Some(bytes) = setup.avoided {
        let name = setup.preconditioner;
        session
            .note(&format!("a factor of the graph would take {bytes} bytes; using {name} instead"));
    }
    let parts = [
        ("setup", setup.factor_seconds),
        ("setup sparsify", setup.sparsify_seconds),
        ("setup order", setup.order_seconds),
    ];
    let mut rest = session.seconds("solve");
    for (name, seconds) in parts.into_iter().filter(|part| part.0 == "setup" || part.1 > 0.0) {
        session.record.seconds.insert(name.to_string(), seconds.into());
        rest -= seconds;
    }
    session.record.seconds.insert("solve".to_string(), rest.max(0.0).into());
}

/// Notes the slowest and the least exact of the solutions.
fn note_solutions(session: &mut Session, solutions: &[Solution]) {
    session.figures(&SolutionFigures::of(solutions));
}

/// Names the components whose currents do not add up to 0, and what was done about it.
fn note_unbalanced(
    session: &mut Session,
    file: &GraphFile,
    laplacian: &Laplacian<'_>,
    currents: &[Vec<f64>],
) {
    let each = currents.iter().map(|b| laplacian.unbalanced(b, ROUNDING));
    let Some((k, all)) = each.enumerate().find(|(_, all)| !all.is_empty()) else { return };
    // Both vertices of a double cover are one row.
    let (labels, rows) = (file.vertex_labels(), file.rows() as u32);
    let Unbalanced { first, size, sum, largest } = all[0];
    let column = if currents.len() > 1 { format!(" of column {}", k + 1) } else { String::new() };
    let more = match all.len() - 1 {
        0 => String::new(),
        others => format!(" (and those of {others} more components)"),
    };
    session.note(&format!(
        "currents{column} do not balance in the component of vertex {} ({size} vertices, none \
        grounded): they add up to {sum:.3e}, the largest is at vertex {}{more}; subtracted their \
        mean",
        labels.get(first % rows),
        labels.get(largest % rows),
    ));
}

/// Writes potentials by vertex; those of a netlist are voltages by node.
fn write(
    session: &mut Session,
    path: Option<&Path>,
    file: &GraphFile,
    mut columns: Vec<Vec<f64>>,
) -> Result<()> {
    let Some(path) = session.destination(path) else { return Ok(()) };
    let labels: Labels = file.query_labels();
    let (key, what) = match &file.netlist {
        Some(netlist) => {
            columns = columns.iter().map(|x| netlist.potentials(x)).collect();
            ("node", "voltage")
        }
        None => ("vertex", "potential"),
    };
    let name = path.to_string_lossy();
    let format = VectorFormat::from_name(&name).filter(|format| *format != VectorFormat::Csv);
    let names: Vec<String> = match columns.len() {
        1 => vec![what.to_string()],
        count => (1..=count).map(|k| format!("{what}_{k}")).collect(),
    };
    let mut cells = vec![(key, Cells::EachVertex)];
    cells.extend(
        names
            .iter()
            .zip(&columns)
            .map(|(name, x)| (name.as_str(), Cells::Numbers(ValueSlice::F64(x)))),
    );
    session.write(&path, |out| match format {
        Some(format) => write_vectors(out, format, &columns),
        None => write_table(out, separator_of(&path), &labels, &cells),
    })
}
