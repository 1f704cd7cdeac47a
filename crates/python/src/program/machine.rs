//! A grid of processors, for one program after another.

use super::handlers::Handlers;
use super::processor::Processor;
use super::{Parts, ProgramError};
use crate::letter::Form;
use crate::prelude::*;
use crate::trace::TraceFile;
use crate::work::guard;
use palmette::figures::OwnProgramFigures;
use palmette::spatial::Cell;
use palmette::spatial::curve::CurveKind;
use palmette::spatial::machine::{self, Delivery, Draws, MachineError, MachineParams};
use palmette::{Figures, Record, program_machine};
use pyo3::exceptions::{PyException, PyRuntimeError};
use std::sync::{Mutex, PoisonError};

/// How a machine is built.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct MachineOptions {
    pub(super) curve: String,
    pub(super) words: usize,
    pub(super) delivery: String,
    seed: u64,
    step_limit: Option<u32>,
    trace: bool,
    replay: String,
}

/// Names of phases; steps, senders, receivers and numbers of phases.
type Columns = (Vec<String>, [Vec<u32>; 4]);

/// A grid of processors.
#[pyclass(module = "palmette._palmette")]
pub(crate) struct Machine {
    pub(super) machine: machine::Machine,
    pub(super) options: MachineOptions,
    /// After an error its books are not to be used.
    failed: bool,
}

#[pymethods]
impl Machine {
    #[new]
    fn new(processors: usize, options: MachineOptions) -> PyResult<Machine> {
        let curve: CurveKind = parsed(&options.curve)?;
        let delivery: Delivery = parsed(&options.delivery)?;
        let params = MachineParams {
            words: Some(options.words),
            seed: options.seed,
            delivery,
            step_limit: options.step_limit.unwrap_or(MachineParams::default().step_limit),
            trace: options.trace,
            replay: parsed(&options.replay)?,
            ..program_machine()
        };
        let curve = curve.fitting(processors as u64).map_err(value_error)?;
        let machine =
            machine::Machine::on_curve(&curve, processors, params).map_err(value_error)?;
        Ok(Machine { machine, options, failed: false })
    }

    /// Runs a program; states are written in place.
    fn run(&mut self, py: Python<'_>, program: Parts, states: Py<PyAny>) -> PyResult<()> {
        self.check()?;
        let form = Arc::new(Form::new(program.fields, program.tuple, program.dtype)?);
        let phases = Arc::new(Mutex::new(vec![program.name.clone()]));
        let error = Arc::new(Mutex::new(None));
        let processor = Processor {
            me: 0,
            count: self.machine.processors() as u32,
            draws: Draws::default(),
            drawn: 0,
            form: form.clone(),
            phase: program.phase,
            phases: phases.clone(),
            sent: Vec::new(),
            bytes: Vec::new(),
            steps: 0,
            awake: false,
        };
        let handlers = Handlers {
            start: program.start,
            receive: program.receive,
            states,
            is_struct: program.is_struct,
            state_words: program.state_words,
            form,
            phases,
            processor: Py::new(py, processor)?,
            error: error.clone(),
        };
        self.failed = true;
        let machine = &mut self.machine;
        let done = guard(|| Ok(machine.run_dynamic(&program.name, Box::new(handlers))))?;
        let raised = error.lock().unwrap_or_else(PoisonError::into_inner).take();
        done.map_err(|error| program_error(py, &error, raised))?;
        self.failed = false;
        Ok(())
    }

    /// A record of all runs so far, as JSON.
    fn record(&self, name: &str, picture: bool) -> PyResult<String> {
        self.check()?;
        let mut record = Record::new("spatial program", name);
        record
            .parameter("curve", self.options.curve.as_str())
            .parameter("delivery", self.options.delivery.as_str())
            .parameter("words", self.options.words)
            .parameter("seed", self.options.seed)
            .parameter("grid", self.machine.grid().to_string());
        OwnProgramFigures(&self.machine).figures(&mut record);
        if picture {
            record.pictures.extend(pictures::own_program(name, &self.machine));
        }
        Ok(record.to_json())
    }

    /// Columns and rows of the grid, and loads of links by cell: right, left, down, up.
    fn link_loads(&self) -> PyResult<(u32, u32, [Vec<u64>; 4])> {
        self.check()?;
        let grid = self.machine.grid();
        let loads = self.machine.link_loads().ok_or_else(|| {
            PyValueError::new_err("link loads are not counted on a grid with so few processors")
        })?;
        let mut ways = [const { Vec::new() }; 4];
        for y in 0..grid.height {
            for x in 0..grid.width {
                let (right, left) = loads.right_of(Cell { x, y });
                let (down, up) = loads.below(Cell { x, y });
                ways.iter_mut().zip([right, left, down, up]).for_each(|(way, n)| way.push(n));
            }
        }
        Ok((grid.width, grid.height, ways))
    }

    /// Writes the messages so far for other tools; false if they were not to be kept.
    fn write_trace(&self, py: Python<'_>, path: PathBuf) -> PyResult<bool> {
        self.check()?;
        let file = TraceFile::new(path)?;
        let Some(trace) = self.machine.trace().filter(|_| self.options.trace) else {
            return Ok(false);
        };
        let trace = trace.clone();
        run(py, None, usize::MAX, move |_| file.write(&trace))?;
        Ok(true)
    }

    /// The messages so far, if they were to be kept.
    fn messages(&self) -> PyResult<Option<Columns>> {
        self.check()?;
        let trace = self.machine.trace().filter(|_| self.options.trace);
        Ok(trace.map(|trace| {
            let column = |of: fn(&machine::Sent) -> u32| trace.sent.iter().map(of).collect();
            let columns =
                [column(|s| s.step), column(|s| s.from), column(|s| s.to), column(|s| s.phase)];
            (trace.phases.clone(), columns)
        }))
    }
}

impl Machine {
    fn check(&self) -> PyResult<()> {
        match self.failed {
            true => Err(PyRuntimeError::new_err("this machine stopped at an error; make another")),
            false => Ok(()),
        }
    }
}

/// What went wrong, with what a handler raised.
fn program_error(py: Python<'_>, error: &MachineError, raised: Option<PyErr>) -> PyErr {
    let Some((processor, step)) = error.place() else { return value_error(error) };
    let text = match (error, &raised) {
        // An interrupt is not an error of the program's.
        (_, Some(raised)) if !raised.is_instance_of::<PyException>(py) => {
            return raised.clone_ref(py);
        }
        (MachineError::Stopped { phase, .. }, Some(raised)) => {
            format!("processor {processor}, step {step}, {phase}: {raised}")
        }
        _ => error.to_string(),
    };
    let found = ProgramError::new_err(text);
    let noted = found.value(py).setattr("processor", processor);
    let noted = noted.and_then(|()| found.value(py).setattr("step", step));
    found.set_cause(py, raised);
    noted.err().unwrap_or(found)
}
