//! Programs for the spatial computer that are written in Python.
//!
//! **Problem.** Handlers are methods of a Python object, states are rows of a numpy array. Costs
//! must be those of the same program in Rust.
//!
//! **Method.** The machine runs a [`DynamicProgram`] whose handlers call Python. A handler gets its
//! row of the states, the message as numbers, and a [`Processor`], which writes down what is sent;
//! the machine is told when the handler is done. All runs on the calling thread: handlers hold the
//! interpreter's lock, and Ctrl-C is heard in them.
//!
//! **Cost.** The interpreter's: some microseconds per message.

use crate::letter::Form;
use crate::prelude::*;
use crate::trace::TraceFile;
use crate::work::guard;
use palmette::figures::OwnProgramFigures;
use palmette::pictures::{Bound as Law, OwnRun, OwnStudy};
use palmette::spatial::Cell;
use palmette::spatial::curve::CurveKind;
use palmette::spatial::machine::{
    self, Delivery, Draws, DynamicProcessor, DynamicProgram, MachineError, MachineParams, Stopped,
};
use palmette::spatial::testing;
use palmette::{Figures, Record, program_machine};
use pyo3::exceptions::{PyException, PyIndexError, PyOverflowError, PyRuntimeError, PyTypeError};
use pyo3::types::PyEllipsis;
use pyo3::{create_exception, intern};
use std::sync::{Mutex, PoisonError};

create_exception!(
    palmette,
    ProgramError,
    PyRuntimeError,
    "A program went wrong on the machine; see `processor` and `step`."
);

/// A processor as its program sees it: its address, and a way to send.
#[pyclass(module = "palmette.spatial")]
pub(crate) struct Processor {
    me: u32,
    count: u32,
    draws: Draws,
    drawn: u32,
    form: Arc<Form>,
    /// Says the phase of a message.
    phase: Option<Py<PyAny>>,
    /// The names of phases; the first is the program's.
    phases: Arc<Mutex<Vec<String>>>,
    /// What the handler has sent: addresses with phases, and bytes.
    sent: Vec<(u32, u16)>,
    bytes: Vec<u8>,
    /// The steps of work that the handler has declared.
    steps: u32,
    /// Whether its handler runs.
    awake: bool,
}

#[pymethods]
impl Processor {
    /// The address of this processor, from 0 along the curve.
    #[getter]
    fn me(&self) -> u32 {
        self.me
    }

    /// The number of processors.
    #[getter]
    fn count(&self) -> u32 {
        self.count
    }

    /// 64 random bits, decided by the machine's seed, the processor and its step.
    fn random(&mut self) -> u64 {
        self.drawn += 1;
        self.draws.of(self.drawn)
    }

    /// Declares so many steps of work beside the handler's fixed amount: the length of a loop.
    fn work(&mut self, steps: u32) {
        self.steps = self.steps.saturating_add(steps);
    }

    /// Sends a message. It costs the distance to the receiver.
    fn send(
        slf: &Bound<'_, Self>,
        to: &Bound<'_, PyAny>,
        message: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let phase = slf.borrow().phase.as_ref().map(|phase| phase.clone_ref(slf.py()));
        let name: Option<String> = match phase {
            Some(phase) => phase.bind(slf.py()).call1((message,))?.extract()?,
            None => None,
        };
        let mut this = slf.borrow_mut();
        let this = &mut *this;
        if !this.awake {
            return Err(PyRuntimeError::new_err("send: its handler is done"));
        }
        let to = this.address(to)?;
        let phase = this.number_of(name)?;
        let length = this.bytes.len();
        if let Err(error) = this.form.write(message, &mut this.bytes) {
            this.bytes.truncate(length);
            return Err(error);
        }
        this.sent.push((to, phase));
        Ok(())
    }
}

impl Processor {
    fn address(&self, to: &Bound<'_, PyAny>) -> PyResult<u32> {
        let found = to.extract::<u32>();
        let overflow = |error: &PyErr| error.is_instance_of::<PyOverflowError>(to.py());
        match found {
            Ok(found) if found < self.count => Ok(found),
            Err(error) if !overflow(&error) => {
                Err(PyTypeError::new_err(format!("send: expected an address, found {to}")))
            }
            _ => {
                let last = self.count - 1;
                let text = format!("send: expected a processor from 0 to {last}, found {to}");
                Err(PyIndexError::new_err(text))
            }
        }
    }

    fn number_of(&self, phase: Option<String>) -> PyResult<u16> {
        let Some(name) = phase else { return Ok(0) };
        let mut phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        let known = phases.iter().position(|phase| *phase == name);
        let number = known.unwrap_or_else(|| {
            phases.push(name);
            phases.len() - 1
        });
        let many = |_| PyValueError::new_err("phase: expected at most 65536 names");
        u16::try_from(number).map_err(many)
    }
}

/// A program as the machine runs it.
struct Handlers {
    start: Py<PyAny>,
    receive: Py<PyAny>,
    states: Py<PyAny>,
    /// Whether states are structs: a row of these is written in place.
    is_struct: bool,
    state_words: usize,
    form: Arc<Form>,
    phases: Arc<Mutex<Vec<String>>>,
    processor: Py<Processor>,
    /// What a handler raised.
    error: Arc<Mutex<Option<PyErr>>>,
}

impl Handlers {
    /// A copy: a view would lead to the states of all processors.
    fn row<'py>(&self, py: Python<'py>, me: u32) -> PyResult<Bound<'py, PyAny>> {
        let states = self.states.bind(py);
        let row = match self.is_struct {
            true => states.get_item(me),
            // One number is an array without dimensions, so that it can be written.
            false => states.get_item((me, PyEllipsis::get(py))),
        };
        row?.call_method0(intern!(py, "copy"))
    }

    fn call(
        &self,
        message: Option<&[u8]>,
        p: &mut DynamicProcessor<'_, '_>,
    ) -> Result<(), Stopped> {
        let done = Python::attach(|py| {
            let processor = self.processor.bind(py);
            let mut own = processor.borrow_mut();
            (own.me, own.draws, own.drawn, own.awake) = (p.me(), p.draws(), 0, true);
            own.steps = 0;
            drop(own);
            let row = self.row(py, p.me())?;
            match message {
                None => self.start.bind(py).call1((&row, processor))?,
                Some(bytes) => {
                    let message = self.form.read(py, bytes)?;
                    self.receive.bind(py).call1((&row, message, processor))?
                }
            };
            self.states.bind(py).set_item(p.me(), row)?;
            let mut own = processor.borrow_mut();
            own.awake = false;
            let size = self.form.bytes();
            for (i, &(to, phase)) in own.sent.iter().enumerate() {
                p.send(to, &own.bytes[i * size..(i + 1) * size], phase);
            }
            p.work(own.steps);
            own.sent.clear();
            own.bytes.clear();
            Ok(())
        });
        done.map_err(|error: PyErr| {
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            Stopped
        })
    }
}

impl DynamicProgram for Handlers {
    fn state_words(&self) -> usize {
        self.state_words
    }

    fn message_bytes(&self) -> usize {
        self.form.bytes()
    }

    fn start(&mut self, processor: &mut DynamicProcessor<'_, '_>) -> Result<(), Stopped> {
        self.call(None, processor)
    }

    fn receive(
        &mut self,
        message: &[u8],
        processor: &mut DynamicProcessor<'_, '_>,
    ) -> Result<(), Stopped> {
        self.call(Some(message), processor)
    }

    fn phase_name(&self, run: &str, phase: u16) -> String {
        let phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        phases.get(usize::from(phase)).map_or_else(|| run.to_string(), String::clone)
    }

    fn twin(&self) -> Option<Box<dyn DynamicProgram>> {
        let twin = Python::attach(|py| {
            let own = self.processor.borrow(py);
            let processor = Processor {
                draws: Draws::default(),
                form: self.form.clone(),
                phase: own.phase.as_ref().map(|phase| phase.clone_ref(py)),
                phases: self.phases.clone(),
                sent: Vec::new(),
                bytes: Vec::new(),
                ..*own
            };
            PyResult::Ok(Handlers {
                start: self.start.clone_ref(py),
                receive: self.receive.clone_ref(py),
                states: self.states.call_method0(py, intern!(py, "copy"))?,
                form: self.form.clone(),
                phases: self.phases.clone(),
                processor: Py::new(py, processor)?,
                error: self.error.clone(),
                ..*self
            })
        });
        Some(Box::new(twin.ok()?))
    }
}

/// What a program written in Python is made of.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Parts {
    name: String,
    start: Py<PyAny>,
    receive: Py<PyAny>,
    phase: Option<Py<PyAny>>,
    is_struct: bool,
    state_words: usize,
    fields: Vec<(String, String, Option<usize>)>,
    tuple: Option<Py<PyAny>>,
    dtype: String,
}

/// How a machine is built.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct MachineOptions {
    curve: String,
    words: usize,
    delivery: String,
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
    machine: machine::Machine,
    options: MachineOptions,
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

/// A study of one program on several machines, as JSON; bounds are quantities with laws.
#[pyfunction]
fn spatial_study(
    name: String,
    runs: Vec<(Bound<'_, Machine>, Option<bool>)>,
    bounds: Vec<(String, String)>,
) -> PyResult<String> {
    let bounds: PyResult<Vec<Law>> = bounds
        .iter()
        .map(|(quantity, law)| Law::parse(quantity, law).map_err(value_error))
        .collect();
    let mut record = Record::new("spatial sweep", &name);
    if let Some((first, _)) = runs.first() {
        let first = first.borrow();
        let options = &first.options;
        record
            .parameter("curve", options.curve.as_str())
            .parameter("delivery", options.delivery.as_str())
            .parameter("words", options.words);
    }
    let runs = runs.iter().map(|(run, correct)| OwnRun::on(&run.borrow().machine, *correct));
    let study = OwnStudy { name, runs: runs.collect(), bounds: bounds? };
    study.figures(&mut record);
    record.pictures = study.pictures();
    Ok(record.to_json())
}

/// Deliveries for tests: in steps, by distance, and so many random ones.
#[pyfunction]
fn spatial_deliveries(patterns: u64) -> Vec<String> {
    testing::deliveries(patterns).map(|delivery| delivery.to_string()).collect()
}

/// Adds programs of one's own to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ProgramError", module.py().get_type::<ProgramError>())?;
    module.add("DEFAULT_WORDS", machine::Machine::WORDS)?;
    module.add_class::<Machine>()?;
    module.add_class::<Processor>()?;
    module.add_function(wrap_pyfunction!(spatial_study, module)?)?;
    module.add_function(wrap_pyfunction!(spatial_deliveries, module)?)
}
