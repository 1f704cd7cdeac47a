//! Chips' grids.

use crate::graph::SolveOptions;
use crate::prelude::*;
use palmette::figures::{DropFigures, ScenarioFigures, TransientFigures, element_name};
use palmette::io::{NumberTable, read_netlist};
use palmette::power::transient::TransientParams;
use palmette::power::{DropParams, NamedChange, PlaneMap, PowerGrid};
use palmette::{Figures, Labels, Record};

/// A grid; `palmette.power.Grid` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Grid {
    grid: Arc<PowerGrid>,
}

/// Voltages, drops, nets by node; names, currents, powers by element; the record; a picture.
type Dropped<'py> = (
    Array<'py, f64>,
    Array<'py, f64>,
    Vec<String>,
    Array<'py, f64>,
    Array<'py, f64>,
    Vec<u32>,
    String,
    Option<String>,
);

/// By node the worst drop and its case, by case the worst drop, its node and the power; the record.
type Cases<'py> =
    (Array<'py, f64>, Array<'py, i64>, Array<'py, f64>, Array<'py, i64>, Array<'py, f64>, String);

/// Times, names, values one probe after another, the worst drop by node; the record; a picture.
type Waves<'py> =
    (Array<'py, f64>, Vec<String>, Array<'py, f64>, Array<'py, f64>, String, Option<String>);

/// How a grid is followed in time.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct TransientOptions {
    step: Option<f64>,
    stop: Option<f64>,
    method: String,
    accuracy: Option<f64>,
    preconditioner: String,
    memory: Option<u64>,
    threads: Option<usize>,
}

fn names(labels: &Labels) -> Vec<String> {
    (0..labels.len() as u32).map(|k| labels.get(k).into_owned()).collect()
}

fn record(command: &str, grid: &PowerGrid, figures: &[&dyn Figures]) -> String {
    let mut record = Record::new(command, &grid.file.name);
    grid.figures(&mut record);
    figures.iter().for_each(|figures| figures.figures(&mut record));
    record.to_json()
}

#[pymethods]
impl Grid {
    /// From a netlist.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, threads: Option<usize>) -> PyResult<Grid> {
        let grid =
            run(py, threads, usize::MAX, move |_| Ok(PowerGrid::new(read_netlist(&path)?)?))?;
        Ok(Grid { grid: Arc::new(grid) })
    }

    /// The same with coordinates: of these nodes, and perhaps their layers.
    fn with_places(
        &self,
        nodes: Vec<String>,
        x: &Array<'_, f64>,
        y: &Array<'_, f64>,
        layers: Option<&Array<'_, f64>>,
    ) -> PyResult<Grid> {
        let (x, y) = (Lent::new(x)?, Lent::new(y)?);
        let layers = layers.map(Lent::new).transpose()?;
        let mut columns = vec!["x".to_string(), "y".to_string()];
        columns.extend(layers.is_some().then(|| "layer".to_string()));
        let count = nodes.len();
        if x.len() != count || y.len() != count || layers.as_ref().is_some_and(|l| l.len() != count)
        {
            return Err(PyValueError::new_err("expected as many coordinates as nodes"));
        }
        let row = |k: usize| [x[k], y[k]].into_iter().chain(layers.as_ref().map(|l| l[k]));
        let table = NumberTable {
            file: "places".to_string(),
            header: None,
            values: (0..count).flat_map(row).collect(),
            lines: (1..=count as u64).collect(),
            names: Labels::texts(nodes),
            columns,
        };
        let plane = PlaneMap::of_table(&table, &self.grid.file).map_err(Failure::from)?;
        let old = &self.grid;
        let (file, point, nets) = (old.file.clone(), old.point.clone(), old.nets.clone());
        Ok(Grid { grid: Arc::new(PowerGrid { file, point, nets, plane }) })
    }

    fn nodes(&self) -> Vec<String> {
        names(&self.grid.file.nodes)
    }

    fn elements(&self) -> Vec<String> {
        names(&self.grid.file.elements)
    }

    fn notes(&self) -> Vec<String> {
        self.grid.file.notes.clone()
    }

    /// By node, its net from 1, or 0 for ground; and what the pads of each net hold.
    fn nets<'py>(&self, py: Python<'py>) -> (Array<'py, i64>, Array<'py, f64>) {
        let number = |net: &u32| if *net == NONE { 0 } else { i64::from(*net) + 1 };
        let of = self.grid.nets.of.iter().map(number).collect();
        let nominal = self.grid.nets.nets.iter().map(|net| net.nominal).collect();
        (PyArray1::from_vec(py, of), PyArray1::from_vec(py, nominal))
    }

    /// What the netlist holds, as a record.
    fn info(&self) -> String {
        record("power info", &self.grid, &[&self.grid.file])
    }

    /// The operating point.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn drop<'py>(
        &self,
        py: Python<'py>,
        options: SolveOptions,
        limit: Option<f64>,
        limits: Option<Vec<(String, f64)>>,
        add: Vec<(String, String, f64)>,
        set: Vec<(String, f64)>,
        remove: Vec<String>,
    ) -> PyResult<Dropped<'py>> {
        let mut changes: Vec<NamedChange> =
            add.into_iter().map(|(a, b, ohms)| NamedChange::Add([a, b], ohms)).collect();
        changes.extend(set.into_iter().map(|(name, ohms)| NamedChange::Set(name, ohms)));
        changes.extend(remove.into_iter().map(NamedChange::RemovePad));
        let limits = limits.map(|limits| {
            let (names, values): (Vec<String>, Vec<f64>) = limits.into_iter().unzip();
            NumberTable {
                file: "limits".to_string(),
                header: None,
                lines: (1..=names.len() as u64).collect(),
                names: Labels::texts(names),
                columns: vec!["limit".to_string()],
                values,
            }
        });
        let solve = options.params()?;
        let grid = self.grid.clone();
        let (found, text, picture) = run(py, options.threads, usize::MAX, move |cancel| {
            let mut solve = solve;
            solve.cancel = Some(cancel.clone());
            let found = grid.static_drop(&DropParams { solve, changes, limit, limits })?;
            let text = record("power drop", &grid, &[&DropFigures { grid: &grid, found: &found }]);
            let picture = pictures::drop_map(&grid, &found.drop.drops, "Drop").map(|p| p.svg);
            Ok((found, text, picture))
        })?;
        let count = found.circuit.elements.len();
        let powers = (0..count).map(|k| found.drop.power(&found.circuit, k)).collect();
        Ok((
            PyArray1::from_vec(py, found.drop.voltages),
            PyArray1::from_vec(py, found.drop.drops),
            (0..count as u32).map(|k| element_name(&self.grid, k)).collect(),
            PyArray1::from_vec(py, found.drop.elements.currents),
            PyArray1::from_vec(py, powers),
            found.over.unwrap_or_default(),
            text,
            picture,
        ))
    }

    /// Many loads: `values` has a row per case.
    fn scenarios<'py>(
        &self,
        py: Python<'py>,
        options: SolveOptions,
        cases: Vec<String>,
        columns: Vec<String>,
        values: &Array<'py, f64>,
        kind: &str,
    ) -> PyResult<Cases<'py>> {
        let values = Lent::new(values)?;
        let kind = parsed(kind)?;
        if values.len() != cases.len() * columns.len() {
            return Err(PyValueError::new_err("expected a number for each case and column"));
        }
        let table = NumberTable {
            file: "cases".to_string(),
            header: None,
            lines: (1..=cases.len() as u64).collect(),
            names: Labels::texts(cases),
            columns,
            values: values.to_vec(),
        };
        let solve = options.params()?;
        let grid = self.grid.clone();
        let (found, text) = run(py, options.threads, usize::MAX, move |cancel| {
            let mut solve = solve;
            solve.cancel = Some(cancel.clone());
            let found = grid.scenarios(&table, kind, &solve)?;
            let figures = ScenarioFigures { grid: &grid, table: &table, found: &found };
            let text = record("power drop", &grid, &[&figures]);
            Ok((found, text))
        })?;
        let (nodes, drops): (Vec<i64>, Vec<f64>) =
            found.by_case.iter().map(|&(node, drop)| (i64::from(node), drop)).unzip();
        let cases = found.worst.cases.iter().map(|&case| i64::from(case)).collect();
        Ok((
            PyArray1::from_vec(py, found.worst.drops),
            PyArray1::from_vec(py, cases),
            PyArray1::from_vec(py, drops),
            PyArray1::from_vec(py, nodes),
            PyArray1::from_vec(py, found.supplied),
            text,
        ))
    }

    /// In time.
    fn transient<'py>(
        &self,
        py: Python<'py>,
        options: TransientOptions,
        nodes: Vec<String>,
        elements: Vec<String>,
    ) -> PyResult<Waves<'py>> {
        let grid = self.grid.clone();
        let params = grid.transient_params(options.step, options.stop).map_err(Failure::from)?;
        let params = TransientParams {
            method: parsed(&options.method)?,
            accuracy: options.accuracy,
            preconditioner: parsed(&options.preconditioner)?,
            memory: options.memory,
            ..params
        };
        let (found, text, picture) = run(py, options.threads, usize::MAX, move |cancel| {
            let params = TransientParams { cancel: Some(cancel.clone()), ..params };
            let probes = grid.probes(&nodes, &elements)?;
            let found = grid.transient(probes, &params)?;
            let figures = TransientFigures { grid: &grid, found: &found };
            let text = record("power transient", &grid, &[&figures]);
            let pairs = found.names.iter().cloned().zip(found.run.probes.iter().cloned());
            let pairs: Vec<(String, Vec<f64>)> = pairs.collect();
            let draw = || pictures::waveforms(&grid.file.name, &found.run.times, &pairs).svg;
            let picture = (!pairs.is_empty()).then(draw);
            Ok((found, text, picture))
        })?;
        Ok((
            PyArray1::from_vec(py, found.run.times),
            found.names,
            PyArray1::from_vec(py, found.run.probes.concat()),
            PyArray1::from_vec(py, found.run.worst_drops),
            text,
            picture,
        ))
    }
}
