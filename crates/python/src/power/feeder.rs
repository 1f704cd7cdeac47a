//! Feeders.

use crate::prelude::*;
use palmette::core::feeder::{Complex, Feeder as Network};
use palmette::figures::{CaseFigures, FeederInfo};
use palmette::io::{
    FeederFile, FeederFormat, FeederParams, LoadCases, read_feeder, read_feeder_bytes,
};
use palmette::power::feeder::{
    CaseFlow, FeederFlowError, max_feeder_loading, solve_cases, solve_feeder, solve_outages,
};
use palmette::power::flow::FlowParams;
use palmette::power::generate::{PowerShape, shaped_feeder};
use palmette::power::tables::{FlowTable, case_table, voltage_columns};
use palmette::{Figures, Record};

/// A feeder; `palmette.power.Feeder` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Feeder {
    file: Arc<FeederFile>,
}

/// Columns of texts, and of numbers.
type Columns<'py> = (Vec<(String, Vec<String>)>, Vec<(String, Array<'py, f64>)>);

/// Tables of voltages, branches and sources; the record; pictures of voltages and of one line.
type Solved<'py> = (Columns<'py>, Columns<'py>, Columns<'py>, String, String, String);

/// How a power flow is found.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct FlowOptions {
    tolerance: f64,
    max_sweeps: usize,
    load_factor: f64,
    allow_unsupplied: bool,
    max_loading: bool,
    threads: Option<usize>,
}

impl FlowOptions {
    fn params(&self) -> FlowParams {
        let &FlowOptions { tolerance, max_sweeps, load_factor, allow_unsupplied, .. } = self;
        FlowParams { tolerance, max_sweeps, load_factor, allow_unsupplied }
    }
}

fn columns<'py>(py: Python<'py>, table: FlowTable) -> Columns<'py> {
    let texts = table.texts.into_iter().map(|(name, all)| (name.to_string(), all)).collect();
    let number = |(name, all): (&str, Vec<f64>)| (name.to_string(), PyArray1::from_vec(py, all));
    (texts, table.numbers.into_iter().map(number).collect())
}

/// The loads of a feeder: names, powers, and what 1 MVA is.
fn loads(network: &Network) -> (Vec<String>, &[Complex], f64) {
    let (names, powers, unit) = match network {
        Network::Balanced(feeder) => (&feeder.loads.names, &feeder.loads.s_mva, 1.0),
        Network::ThreePhase(feeder) => (&feeder.loads.names, &feeder.loads.s_va, 1e6),
    };
    ((0..names.len()).map(|k| names.get(k).to_string()).collect(), powers, unit)
}

getters! { Feeder:
    name: &str = |of| &of.file.name;
    format: &'static str = |of| of.file.format.name();
    notes: Vec<String> = |of| of.file.notes.clone();
    phases: usize = |of| match of.file.feeder {
        Network::Balanced(_) => 1,
        Network::ThreePhase(_) => 3,
    };
    buses: Vec<String> = |of| {
        let names = of.file.feeder.bus_names();
        (0..names.len()).map(|k| names.get(k).to_string()).collect()
    };
    voltage_columns: Vec<String> = |of| voltage_columns(&of.file.feeder);
    load_names: Vec<String> = |of| loads(&of.file.feeder).0;
}

#[pymethods]
impl Feeder {
    /// From a file or a folder.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        q_limits: bool,
        threads: Option<usize>,
    ) -> PyResult<Feeder> {
        let format: Option<FeederFormat> = format.map(parsed).transpose()?;
        let params = FeederParams { format, reactive_limits: q_limits, ..FeederParams::default() };
        let file = run(py, threads, usize::MAX, move |_| Ok(read_feeder(&path, &params)?))?;
        Ok(Feeder { file: Arc::new(file) })
    }

    /// From a text.
    #[staticmethod]
    fn from_text(
        py: Python<'_>,
        name: String,
        text: String,
        format: &str,
        q_limits: bool,
    ) -> PyResult<Feeder> {
        let format = Some(parsed(format)?);
        let params = FeederParams { format, reactive_limits: q_limits, ..FeederParams::default() };
        let file = run(py, None, usize::MAX, move |_| {
            Ok(read_feeder_bytes(&name, text.as_bytes(), &params)?)
        })?;
        Ok(Feeder { file: Arc::new(file) })
    }

    /// A built-in shape.
    #[staticmethod]
    fn generate(
        py: Python<'_>,
        shape: &str,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Feeder> {
        let shape: PowerShape = parsed(shape)?;
        let file = run(py, threads, usize::MAX, move |_| {
            let made = shaped_feeder(shape, seed).map_err(value)?;
            let made = made.ok_or_else(|| value("expected the shape of a feeder"))?;
            Ok(FeederFile::of(&shape.to_string(), made))
        })?;
        Ok(Feeder { file: Arc::new(file) })
    }

    fn __len__(&self) -> usize {
        self.file.feeder.bus_names().len()
    }

    /// What the loads consume, in MW and Mvar.
    fn load_powers<'py>(&self, py: Python<'py>) -> (Array<'py, f64>, Array<'py, f64>) {
        let (_, powers, unit) = loads(&self.file.feeder);
        let part = |of: fn(&Complex) -> f64| {
            PyArray1::from_vec(py, powers.iter().map(|s| of(s) / unit).collect())
        };
        (part(|s| s.re), part(|s| s.im))
    }

    /// What the file holds, as a record.
    fn info(&self) -> String {
        let mut record = Record::new("power info", &self.file.name);
        FeederInfo(&self.file).figures(&mut record);
        record.to_json()
    }

    /// One power flow.
    fn flow<'py>(&self, py: Python<'py>, options: FlowOptions) -> PyResult<Solved<'py>> {
        let file = self.file.clone();
        let size = file.feeder.bus_names().len();
        let found = run(py, options.threads, size, move |_| {
            let (params, failed) = (options.params(), |e| value(FeederFlowError::of(&file, e)));
            let solution = solve_feeder(&file.feeder, &params).map_err(failed)?;
            let mut record = Record::new("power flow", &file.name);
            record.figure("buses", file.feeder.bus_names().len());
            solution.figures(&mut record);
            if options.max_loading {
                let most = max_feeder_loading(&file.feeder, &params).map_err(failed)?;
                most.figures(&mut record);
            }
            let profile = pictures::voltage_profile(&file.name, &solution).svg;
            let one_line = pictures::one_line(&file.name, &solution).svg;
            Ok((
                solution.voltage_table(),
                solution.branch_table(),
                solution.source_table(),
                record.to_json(),
                profile,
                one_line,
            ))
        })?;
        let (voltages, branches, sources, record, profile, one_line) = found;
        let [voltages, branches, sources] =
            [voltages, branches, sources].map(|table| columns(py, table));
        Ok((voltages, branches, sources, record, profile, one_line))
    }

    /// Many power flows: active and reactive power of all loads in MW and Mvar, one case after
    /// another. Returns a table, the magnitudes of voltages by case, and the record.
    fn flow_cases<'py>(
        &self,
        py: Python<'py>,
        active: &Array<'py, f64>,
        reactive: &Array<'py, f64>,
        options: FlowOptions,
    ) -> PyResult<(Columns<'py>, Array<'py, f64>, String)> {
        let (active, reactive) = (Lent::new(active)?, Lent::new(reactive)?);
        let file = self.file.clone();
        let found = run(py, options.threads, usize::MAX, move |_| {
            let (names, _, unit) = loads(&file.feeder);
            let count = active.len().checked_div(names.len()).unwrap_or(0);
            if names.is_empty()
                || active.len() != reactive.len()
                || active.len() != count * names.len()
            {
                let text =
                    format!("expected a power for each of {} loads and each case", names.len());
                return Err(value(text));
            }
            if !active.iter().chain(reactive.iter()).all(|x| x.is_finite()) {
                return Err(value("expected finite powers of loads"));
            }
            let of = |(p, q): (&f64, &f64)| Complex::new(*p, *q) * unit;
            let cases = LoadCases {
                name: "loads".to_string(),
                names: (0..count).map(|case| case.to_string()).collect(),
                loads: (0..names.len() as u32).collect(),
                powers: active.iter().zip(reactive.iter()).map(of).collect(),
            };
            let found = solve_cases(&file.feeder, &cases, &options.params(), true);
            let found = found.map_err(|error| value(FeederFlowError::of(&file, error)))?;
            Ok((many("case", &file, &found), voltages(&file, &found)))
        })?;
        let ((table, record), all) = found;
        Ok((columns(py, table), PyArray1::from_vec(py, all), record))
    }

    /// The loss of each branch in service, one at a time.
    fn outages<'py>(
        &self,
        py: Python<'py>,
        options: FlowOptions,
    ) -> PyResult<(Columns<'py>, String)> {
        let file = self.file.clone();
        let (table, record) = run(py, options.threads, usize::MAX, move |_| {
            let found = solve_outages(&file.feeder, &options.params());
            let found = found.map_err(|error| value(FeederFlowError::of(&file, error)))?;
            Ok(many("branch", &file, &found))
        })?;
        Ok((columns(py, table), record))
    }
}

/// A table of many power flows, and the record.
fn many(key: &'static str, file: &FeederFile, found: &[CaseFlow]) -> (FlowTable, String) {
    let mut record = Record::new("power flow", &file.name);
    CaseFigures(found).figures(&mut record);
    (case_table(key, found), record.to_json())
}

/// Magnitudes by case; NaN where a case has no power flow.
fn voltages(file: &FeederFile, found: &[CaseFlow]) -> Vec<f64> {
    let width = voltage_columns(&file.feeder).len();
    let mut all = Vec::with_capacity(found.len() * width);
    for case in found {
        match &case.found {
            Some(one) => all.extend(&one.voltages),
            None => all.extend(std::iter::repeat_n(f64::NAN, width)),
        }
    }
    all
}
