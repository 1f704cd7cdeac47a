//! Programs on the simulated spatial computer, as records.

use crate::operator::operator;
use crate::prelude::*;
use crate::trace::TraceFile;
use crate::tree::{Tree, TreeData, grid};
use palmette::spatial::layout::{Layout, LayoutParams, Order};
use palmette::spatial::machine::network::{NetworkError, NetworkParams};
use palmette::spatial::machine::{Machine, MachineParams};
use palmette::spatial::program::Method;
use palmette::{
    Answer, AnswerCells, CreationParams, Direction, Figures, Operator, Record, SpatialLcaParams,
    SpatialTreefixParams, create_layout, local_broadcast, local_reduce, program_machine,
    spatial_lca, spatial_treefix,
};

/// Where a program runs.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct SpatialParams {
    curve: String,
    order: String,
    grid: Option<(u32, u32)>,
    seed: u64,
    delivery: String,
    given: String,
    picture: bool,
    trace: Option<PathBuf>,
    threads: Option<usize>,
    replay: String,
    hop_latency: i64,
    ramp_latency: i64,
    compute_latency: i64,
    link_capacity: i64,
}

/// What a program works with.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct Operation {
    op: String,
    direction: String,
    method: String,
    layout_order: bool,
    wrapping: bool,
    modulus: Option<u64>,
}

impl Operation {
    fn operator(&self, seed: u64) -> PyResult<Operator> {
        operator(&self.op, self.wrapping, self.modulus, seed)
    }
}

impl SpatialParams {
    fn layout(&self) -> PyResult<LayoutParams> {
        let (order, curve) = (parsed(&self.order)?, parsed(&self.curve)?);
        Ok(LayoutParams { order, curve, grid: grid(self.grid)?, ..LayoutParams::default() })
    }

    /// A machine with the routers of the call.
    fn machine(&self) -> PyResult<MachineParams> {
        let &SpatialParams { hop_latency, ramp_latency, compute_latency, link_capacity, .. } = self;
        let network = NetworkParams::new(hop_latency, ramp_latency, compute_latency, link_capacity);
        let network = network.map_err(named_parameter)?;
        let (delivery, given) = (parsed(&self.delivery)?, parsed(&self.given)?);
        let (seed, replay) = (self.seed, parsed(&self.replay)?);
        let trace = self.trace.is_some();
        Ok(MachineParams { seed, delivery, given, replay, network, trace, ..program_machine() })
    }

    /// Where every message is to be written.
    fn trace(&self) -> PyResult<Option<TraceFile>> {
        self.trace.clone().map(TraceFile::new).transpose()
    }

    /// A record that knows where its program runs.
    fn record(&self, command: &str, name: &str) -> Record {
        let mut record = Record::new(command, name);
        record
            .parameter("order", self.order.as_str())
            .parameter("curve", self.curve.as_str())
            .parameter("seed", self.seed);
        record
    }
}

/// Puts the keyword into an error.
fn named_parameter(error: NetworkError) -> PyErr {
    match error {
        NetworkError::Parameter { what, value, least, most } => {
            let keyword = what.replace(' ', "_");
            let range = format!("expected a whole number from {least} to {most}");
            value_error(format!("{keyword}: {range}, found {value}"))
        }
        other => value_error(other),
    }
}

/// Writes every message, if asked to.
fn write_trace(file: Option<&TraceFile>, machine: &Machine) -> Result<(), Failure> {
    file.zip(machine.trace()).map_or(Ok(()), |(file, trace)| file.write(trace))
}

/// Keeps the replay over time.
fn keep_queues(record: &mut Record, name: &str, machine: &Machine) -> Result<(), Failure> {
    record.pictures.extend(pictures::queues(name, machine).map_err(value)?);
    Ok(())
}

/// A record as JSON, and columns of answers.
type Run<'py> = (String, Vec<Bound<'py, PyAny>>);

/// Runs a program on a tree; it adds to the record, and leaves columns of answers.
fn run_program<'py>(
    py: Python<'py>,
    command: &'static str,
    tree: &Tree,
    place: SpatialParams,
    program: impl FnOnce(&TreeData, &SpatialParams, &mut Record) -> Result<Vec<AnswerCells>, Failure>
    + Send
    + 'static,
) -> PyResult<Run<'py>> {
    let (data, threads) = (tree.data.clone(), place.threads);
    let (record, columns) = run(py, threads, usize::MAX, move |_| {
        let mut record = place.record(command, &data.name);
        let columns = program(&data, &place, &mut record)?;
        Ok((record, columns))
    })?;
    let columns: PyResult<Vec<_>> = columns.into_iter().map(|column| cells(py, column)).collect();
    Ok((record.to_json(), columns?))
}

fn columns(answer: Answer) -> Vec<AnswerCells> {
    answer.columns.into_iter().map(|column| column.cells).collect()
}

/// Lays the tree out, and notes how.
fn laid_out(data: &TreeData, params: LayoutParams, record: &mut Record) -> Result<Layout, Failure> {
    let layout = record.time("layout", || Layout::new(data.tree.clone(), params)).map_err(value)?;
    record.parameter("grid", layout.grid().to_string());
    Ok(layout)
}

#[pyfunction]
fn spatial_run_treefix<'py>(
    py: Python<'py>,
    tree: &Tree,
    columns: Vec<Bound<'py, PyAny>>,
    operation: Operation,
    place: SpatialParams,
) -> PyResult<Run<'py>> {
    let operator = operation.operator(place.seed)?;
    let direction: Direction = parsed(&operation.direction)?;
    let method: Method = parsed(&operation.method)?;
    let given = Column::all(&columns)?;
    let layout = place.layout()?;
    let (machine, trace) = (place.machine()?, place.trace()?);
    run_program(py, "spatial treefix", tree, place, move |data, place, record| {
        record
            .parameter("op", operator.to_string())
            .parameter("direction", operation.direction)
            .parameter("method", operation.method);
        let layout = laid_out(data, layout, record)?;
        let values: Vec<_> = given.iter().map(Column::as_slice).collect();
        let params = SpatialTreefixParams {
            machine: MachineParams {
                trace: machine.trace || place.picture && pictures::is_followed(&layout),
                ..machine
            },
            layout_order: operation.layout_order,
            method,
        };
        let found = record
            .time("compute", || spatial_treefix(&layout, direction, operator, &values, &params));
        let found = found.map_err(value)?;
        note_run(record, &found, found.correct)?;
        write_trace(trace.as_ref(), &found.machine)?;
        if place.picture {
            let what = (direction, operator);
            let steps = pictures::contraction(&data.name, what, &layout, &found).map_err(value)?;
            record.pictures.extend(steps);
            record.pictures.push(pictures::treefix(&data.name, what, &layout, &found));
            keep_queues(record, &data.name, &found.machine)?;
        }
        Ok(self::columns(found.answer))
    })
}

#[pyfunction]
fn spatial_run_lca<'py>(
    py: Python<'py>,
    tree: &Tree,
    u: &Array<'py, i64>,
    v: &Array<'py, i64>,
    place: SpatialParams,
) -> PyResult<Run<'py>> {
    let (u, v) = (Lent::new(u)?, Lent::new(v)?);
    let LayoutParams { curve, grid, .. } = place.layout()?;
    let (machine, trace) = (place.machine()?, place.trace()?);
    run_program(py, "spatial lca", tree, place, move |data, place, record| {
        let pairs = pairs(&u, &v, data.tree.len())?;
        if pairs.is_empty() {
            return Err(value("no pairs given"));
        }
        let params = SpatialLcaParams { curve, grid, machine, ..SpatialLcaParams::default() };
        let found = record.time("compute", || {
            let sorted = data.tree.with_siblings(Order::LightFirst.siblings());
            spatial_lca(&sorted, &pairs, &params)
        });
        let found = found.map_err(value)?;
        record.parameter("grid", found.machine.grid().to_string());
        note_run(record, &found, found.correct)?;
        write_trace(trace.as_ref(), &found.machine)?;
        if place.picture {
            record.pictures.push(pictures::lca(&data.name, curve, &found));
            keep_queues(record, &data.name, &found.machine)?;
        }
        Ok(vec![AnswerCells::Vertices(found.lca)])
    })
}

#[pyfunction]
fn spatial_run_layout<'py>(
    py: Python<'py>,
    tree: &Tree,
    place: SpatialParams,
) -> PyResult<Run<'py>> {
    let LayoutParams { curve, grid, .. } = place.layout()?;
    let (machine, trace) = (place.machine()?, place.trace()?);
    run_program(py, "spatial layout", tree, place, move |data, place, record| {
        record.parameter("on_machine", true);
        let params = CreationParams { curve, grid, machine };
        let found = record.time("compute", || create_layout(&data.tree, &params));
        let found = found.map_err(value)?;
        record.parameter("grid", found.layout.grid().to_string());
        note_run(record, &found, found.correct)?;
        write_trace(trace.as_ref(), &found.machine)?;
        if place.picture {
            record.pictures.push(pictures::creation(&data.name, &found));
            record.pictures.push(pictures::layout(&data.name, &found.layout, &found.traffic));
            keep_queues(record, &data.name, &found.machine)?;
        }
        Ok(vec![AnswerCells::Vertices(found.positions)])
    })
}

#[pyfunction]
fn spatial_run_message<'py>(
    py: Python<'py>,
    tree: &Tree,
    reduce: bool,
    columns: Vec<Bound<'py, PyAny>>,
    operation: Operation,
    place: SpatialParams,
) -> PyResult<Run<'py>> {
    let operator = operation.operator(place.seed)?;
    let given = Column::all(&columns)?;
    let layout = place.layout()?;
    let (machine, trace) = (place.machine()?, place.trace()?);
    run_program(py, "spatial message", tree, place, move |data, place, record| {
        let layout = laid_out(data, layout, record)?;
        let kind = if reduce { "reduce" } else { "broadcast" };
        record.parameter("kind", kind);
        let found = if reduce {
            record.parameter("op", operator.to_string());
            let values: Vec<_> = given.iter().map(Column::as_slice).collect();
            let sent = record.time("compute", || local_reduce(&layout, operator, &values, machine));
            sent.map_err(value)?
        } else {
            record.time("compute", || local_broadcast(&layout, machine)).map_err(value)?
        };
        found.figures(record);
        write_trace(trace.as_ref(), &found.machine)?;
        if place.picture {
            record.pictures.extend(pictures::messages(&data.name, kind, &layout, Some(&found)));
            keep_queues(record, &data.name, &found.machine)?;
        }
        Ok(self::columns(found.answer))
    })
}

/// Notes the figures of a run, which the host has checked.
fn note_run(record: &mut Record, run: &impl Figures, correct: bool) -> Result<(), Failure> {
    if !correct {
        return Err(Failure::Panic("the answer differs from the host engine's".to_string()));
    }
    run.figures(record);
    Ok(())
}

/// Adds the programs to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(spatial_run_treefix, module)?)?;
    module.add_function(wrap_pyfunction!(spatial_run_lca, module)?)?;
    module.add_function(wrap_pyfunction!(spatial_run_layout, module)?)?;
    module.add_function(wrap_pyfunction!(spatial_run_message, module)?)
}
