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

mod handlers;
mod machine;
mod processor;

use crate::prelude::*;
use machine::Machine;
use palmette::pictures::{Bound as Law, OwnRun, OwnStudy};
use palmette::spatial::machine as spatial_machine;
use palmette::spatial::testing;
use palmette::{Figures, Record};
use processor::Processor;
use pyo3::create_exception;
use pyo3::exceptions::PyRuntimeError;

create_exception!(
    palmette,
    ProgramError,
    PyRuntimeError,
    "A program went wrong on the machine; see `processor` and `step`."
);

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
    module.add("DEFAULT_WORDS", spatial_machine::Machine::WORDS)?;
    module.add_class::<Machine>()?;
    module.add_class::<Processor>()?;
    module.add_function(wrap_pyfunction!(spatial_study, module)?)?;
    module.add_function(wrap_pyfunction!(spatial_deliveries, module)?)
}
