//! Programs on the simulated spatial computer, as records.

use crate::array::{Column, Lent, cells, signed, vertices};
use crate::error::{Failure, value, value_error};
use crate::tree::{Tree, grid};
use crate::work::run;
use numpy::PyArray1;
use palmette::core::record::Picture;
use palmette::spatial::curve::CurveKind;
use palmette::spatial::layout::{Layout, LayoutParams, Order};
use palmette::spatial::machine::{LinkLoads, Machine, MachineParams, Phase};
use palmette::spatial::{Cell, Grid};
use palmette::{
    Answer, CreationParams, Direction, MessageParams, OperatorName, Record, SpatialLcaParams,
    SpatialTreefixParams, Values, create_layout, local_broadcast, local_reduce, program_machine,
    spatial_lca, spatial_treefix,
};
use palmette_report::RunPicture;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Link loads are drawn on grids up to this size.
const MOST_DRAWN: u64 = 1 << 26;

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
    let operator: OperatorName = operation.op.parse().map_err(value_error)?;
    let direction = match operation.direction.as_str() {
        "leaf" => Direction::Leaffix,
        "root" => Direction::Rootfix,
        other => {
            let text = format!("direction: expected leaf or root, found `{other}`");
            return Err(value_error(text));
        }
    };
    let columns = Column::all(&columns)?;
    let layout = place.layout()?;
    let (data, threads) = (tree.data.clone(), place.threads);
    let (record, answer) = run(py, threads, usize::MAX, move |_| {
        let mut record = place.record("spatial treefix", &data.name);
        record.parameter("op", operator.name()).parameter("direction", operation.direction);
        let layout = record.time("layout", || Layout::new(data.tree.clone(), layout));
        let layout = layout.map_err(value)?;
        record.parameter("grid", layout.grid().to_string());
        let values: Vec<Values> = columns.iter().map(Column::to_values).collect();
        let params = SpatialTreefixParams {
            machine: place.machine(),
            layout_order: operation.layout_order,
            wrapping: operation.wrapping,
            modulus: operation.modulus,
            seed: place.seed,
        };
        let found = record
            .time("compute", || spatial_treefix(&layout, direction, operator, &values, &params));
        let found = found.map_err(value)?;
        note_run(&mut record, &found.machine, data.tree.len(), found.rounds, found.correct)?;
        if place.picture {
            picture(&mut record, &found.machine, &found.contracted);
        }
        Ok((record, found.answer))
    })?;
    Ok(answers(py, &record, answer))
}

#[pyfunction]
fn spatial_run_lca<'py>(
    py: Python<'py>,
    tree: &Tree,
    u: &Bound<'py, PyArray1<i64>>,
    v: &Bound<'py, PyArray1<i64>>,
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
            return Err(value("expected pairs, found none"));
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
        let rounds = found.rounds.iter().sum();
        note_run(&mut record, &found.machine, count, rounds, found.correct)?;
        record
            .figure("processors", found.machine.processors())
            .figure("layers", found.layers)
            .figure("queries", pairs.len());
        if place.picture {
            picture(&mut record, &found.machine, &found.contracted);
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
        let rounds = found.rounds.iter().sum();
        note_run(&mut record, &found.machine, data.tree.len(), rounds, found.correct)?;
        let traffic = record.time("count", || found.layout.traffic());
        record
            .figure("layout_energy", traffic.energy)
            .figure("layout_energy_per_vertex", traffic.energy_per_vertex())
            .figure("layout_distance", traffic.longest)
            .figure("layout_max_link_load", traffic.max_link_load);
        if place.picture {
            picture(&mut record, &found.machine, &found.contracted);
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
    let operator: OperatorName = operation.op.parse().map_err(value_error)?;
    let columns = Column::all(&columns)?;
    let layout = place.layout()?;
    let (data, threads) = (tree.data.clone(), place.threads);
    let (record, answer) = run(py, threads, usize::MAX, move |_| {
        let mut record = place.record("spatial message", &data.name);
        let layout = record.time("layout", || Layout::new(data.tree.clone(), layout));
        let layout = layout.map_err(value)?;
        record.parameter("grid", layout.grid().to_string());
        record.parameter("kind", if reduce { "reduce" } else { "broadcast" });
        let machine = MachineParams { seed: place.seed, ..MachineParams::default() };
        let found = if reduce {
            record.parameter("op", operator.name());
            let values: Vec<Values> = columns.iter().map(Column::to_values).collect();
            let Operation { wrapping, modulus, .. } = operation;
            let params = MessageParams { machine, wrapping, modulus, seed: place.seed };
            let sent = record.time("compute", || local_reduce(&layout, operator, &values, &params));
            sent.map_err(value)?
        } else {
            record.time("compute", || local_broadcast(&layout, machine)).map_err(value)?
        };
        note_machine(&mut record, &found.machine, data.tree.len());
        record
            .figure("construction_energy", found.construction.energy)
            .figure("construction_depth", found.construction.depth);
        if place.picture {
            picture(&mut record, &found.machine, &[]);
        }
        Ok((record, found.answer))
    })?;
    Ok(answers(py, &record, answer))
}

/// The costs of a machine, under the names that records have.
fn note_machine(record: &mut Record, machine: &Machine, vertices: usize) {
    let costs = machine.costs();
    record
        .figure("vertices", vertices)
        .figure("energy", costs.energy)
        .figure("energy_per_vertex", costs.energy as f64 / vertices.max(1) as f64)
        .figure("depth", costs.depth)
        .figure("distance", costs.distance)
        .figure("longest_edge", costs.longest)
        .figure("messages", costs.messages)
        .figure("max_received", machine.most_received())
        .figure("words_per_processor", machine.words_used());
    let (load, cycles) = record.time("count", || {
        let load = machine.link_loads().map(|links| links.max());
        (load, machine.cycles_estimate().map(|estimate| estimate.cycles()))
    });
    record.figure("max_link_load", load).figure("cycles_estimate", cycles);
}

fn note_run(
    record: &mut Record,
    machine: &Machine,
    vertices: usize,
    rounds: u32,
    correct: bool,
) -> Result<(), Failure> {
    if !correct {
        return Err(Failure::Panic("the host engine gives another answer".to_string()));
    }
    note_machine(record, machine, vertices);
    let phase = |phase: &Phase| {
        json!({
            "name": phase.name,
            "energy": phase.costs.energy,
            "energy_per_vertex": phase.costs.energy as f64 / vertices.max(1) as f64,
            "messages": phase.costs.messages,
            "depth": phase.costs.depth,
            "distance": phase.costs.distance,
            "longest_edge": phase.costs.longest,
        })
    };
    let phases: Vec<Value> = machine.ledger().phases().iter().map(phase).collect();
    record.figure("rounds", rounds).figure("correct", correct).figure("phases", phases);
    Ok(())
}

/// Adds a picture of link loads and rounds.
fn picture(record: &mut Record, machine: &Machine, rounds: &[u64]) {
    let loads = machine.link_loads().filter(|_| machine.grid().len() <= MOST_DRAWN);
    let both = loads.as_ref().map(both_ways);
    let loads = both.as_ref().map(|(grid, across, down)| palmette_report::LinkLoads {
        title: "Messages over links",
        subtitle: "",
        width: grid.width,
        height: grid.height,
        horizontal: across,
        vertical: down,
    });
    let (title, subtitle) = (record.command.clone(), record.input.clone());
    let svg = RunPicture { title: &title, subtitle: &subtitle, loads, rounds }.to_svg();
    record.pictures.push(Picture { name: "run".to_string(), title, svg, view: None });
}

/// The loads of all links, both directions together.
fn both_ways(loads: &LinkLoads) -> (Grid, Vec<u64>, Vec<u64>) {
    let grid = loads.grid();
    let cells = |width: u32, height: u32| {
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
    };
    let both = |(there, back): (u64, u64)| there + back;
    let across = cells(grid.width - 1, grid.height).map(|cell| both(loads.right_of(cell)));
    let down = cells(grid.width, grid.height - 1).map(|cell| both(loads.below(cell)));
    (grid, across.collect(), down.collect())
}

/// Adds the programs to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(spatial_run_treefix, module)?)?;
    module.add_function(wrap_pyfunction!(spatial_run_lca, module)?)?;
    module.add_function(wrap_pyfunction!(spatial_run_layout, module)?)?;
    module.add_function(wrap_pyfunction!(spatial_run_message, module)?)
}
