//! Programs on the simulated spatial computer, as records.

use crate::operator::operator;
use crate::prelude::*;
use crate::tree::{Tree, grid};
use palmette::spatial::curve::CurveKind;
use palmette::spatial::layout::{Layout, LayoutParams, Order};
use palmette::spatial::machine::MachineParams;
use palmette::{
    Answer, CreationParams, Direction, Figures, Operator, Record, SpatialLcaParams,
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
    picture: bool,
    threads: Option<usize>,
}

/// What a program works with.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct Operation {
    op: String,
    direction: String,
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
    fn curve(&self) -> PyResult<CurveKind> {
        self.curve.parse().map_err(value_error)
    }

    fn layout(&self) -> PyResult<LayoutParams> {
        let order: Order = self.order.parse().map_err(value_error)?;
        let params = LayoutParams::default();
        Ok(LayoutParams { order, curve: self.curve()?, grid: grid(self.grid)?, ..params })
    }

    fn machine(&self) -> MachineParams {
        MachineParams { seed: self.seed, ..program_machine() }
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

/// A record as JSON, and columns of answers.
type Run<'py> = (String, Vec<Bound<'py, PyAny>>);

fn answers<'py>(py: Python<'py>, record: &Record, answer: Answer) -> Run<'py> {
    let columns = answer.columns.into_iter().map(|column| cells(py, column.cells)).collect();
    (record.to_json(), columns)
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
    let direction: Direction = operation.direction.parse().map_err(value_error)?;
    let columns = Column::all(&columns)?;
    let layout = place.layout()?;
    let (data, threads) = (tree.data.clone(), place.threads);
    let (record, answer) = run(py, threads, usize::MAX, move |_| {
        let mut record = place.record("spatial treefix", &data.name);
        record.parameter("op", operator.to_string()).parameter("direction", operation.direction);
        let layout = record.time("layout", || Layout::new(data.tree.clone(), layout));
        let layout = layout.map_err(value)?;
        record.parameter("grid", layout.grid().to_string());
        let values: Vec<_> = columns.iter().map(Column::as_slice).collect();
        let params = SpatialTreefixParams {
            machine: MachineParams {
                trace: place.picture && pictures::is_followed(&layout),
                ..place.machine()
            },
            layout_order: operation.layout_order,
        };
        let found = record
            .time("compute", || spatial_treefix(&layout, direction, operator, &values, &params));
        let found = found.map_err(value)?;
        note_run(&mut record, &found, found.correct)?;
        if place.picture {
            let what = (direction, operator);
            let steps = pictures::contraction(&data.name, what, &layout, &found).map_err(value)?;
            record.pictures.extend(steps);
            record.pictures.push(pictures::treefix(&data.name, what, &layout, &found));
        }
        Ok((record, found.answer))
    })?;
    Ok(answers(py, &record, answer))
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
    let (data, threads) = (tree.data.clone(), place.threads);
    let (record, found) = run(py, threads, usize::MAX, move |_| {
        let count = data.tree.len();
        let (u, v) = (vertices("u", &u, count)?, vertices("v", &v, count)?);
        let pairs: Vec<(u32, u32)> = u.into_iter().zip(v).collect();
        if pairs.is_empty() {
            return Err(value("no pairs given"));
        }
        let mut record = place.record("spatial lca", &data.name);
        let machine = place.machine();
        let params = SpatialLcaParams { curve, grid, machine, ..SpatialLcaParams::default() };
        let found = record.time("compute", || {
            let sorted = data.tree.with_siblings(Order::LightFirst.siblings());
            spatial_lca(&sorted, &pairs, &params)
        });
        let found = found.map_err(value)?;
        record.parameter("grid", found.machine.grid().to_string());
        note_run(&mut record, &found, found.correct)?;
        if place.picture {
            record.pictures.push(pictures::lca(&data.name, curve, &found));
        }
        Ok((record, found.lca))
    })?;
    Ok((record.to_json(), vec![PyArray1::from_vec(py, signed(&found)).into_any()]))
}

#[pyfunction]
fn spatial_run_layout<'py>(
    py: Python<'py>,
    tree: &Tree,
    place: SpatialParams,
) -> PyResult<Run<'py>> {
    let LayoutParams { curve, grid, .. } = place.layout()?;
    let (data, threads) = (tree.data.clone(), place.threads);
    let (record, positions) = run(py, threads, usize::MAX, move |_| {
        let mut record = place.record("spatial layout", &data.name);
        record.parameter("on_machine", true);
        let params = CreationParams { curve, grid, machine: place.machine() };
        let found = record.time("compute", || create_layout(&data.tree, &params));
        let found = found.map_err(value)?;
        record.parameter("grid", found.layout.grid().to_string());
        note_run(&mut record, &found, found.correct)?;
        if place.picture {
            record.pictures.push(pictures::creation(&data.name, &found));
            record.pictures.push(pictures::layout(&data.name, &found.layout, &found.traffic));
        }
        Ok((record, found.positions))
    })?;
    Ok((record.to_json(), vec![PyArray1::from_vec(py, signed(&positions)).into_any()]))
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
    let columns = Column::all(&columns)?;
    let layout = place.layout()?;
    let (data, threads) = (tree.data.clone(), place.threads);
    let (record, answer) = run(py, threads, usize::MAX, move |_| {
        let mut record = place.record("spatial message", &data.name);
        let layout = record.time("layout", || Layout::new(data.tree.clone(), layout));
        let layout = layout.map_err(value)?;
        record.parameter("grid", layout.grid().to_string());
        let kind = if reduce { "reduce" } else { "broadcast" };
        record.parameter("kind", kind);
        let machine = MachineParams { seed: place.seed, ..MachineParams::default() };
        let found = if reduce {
            record.parameter("op", operator.to_string());
            let values: Vec<_> = columns.iter().map(Column::as_slice).collect();
            let sent = record.time("compute", || local_reduce(&layout, operator, &values, machine));
            sent.map_err(value)?
        } else {
            record.time("compute", || local_broadcast(&layout, machine)).map_err(value)?
        };
        found.figures(&mut record);
        if place.picture {
            record.pictures.extend(pictures::messages(&data.name, kind, &layout, Some(&found)));
        }
        Ok((record, found.answer))
    })?;
    Ok(answers(py, &record, answer))
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
