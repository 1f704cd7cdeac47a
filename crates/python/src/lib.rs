//! palmette for Python: the extension module that `import palmette` wraps.
//!
//! Arguments come in as numpy arrays of the right type and shape (Python code in
//! `python/palmette` sees to that), are handed to the façade, and answers go out as numpy
//! arrays that own what the façade made. Four rules hold for all of it:
//!
//! - **Arrays are lent, not copied** (`array`): what works on an array keeps it alive.
//! - **The interpreter goes on** (`work`): work runs on a pool of threads while the calling
//!   thread waits without the interpreter's lock and listens to signals.
//! - **No panic gets out**: what panics becomes a `RuntimeError` that asks for a report.
//! - **Errors have the façade's text** (`error`).
#![deny(missing_docs)]

mod array;
mod arrow;
mod command;
mod defaults;
mod error;
mod graph;
mod letter;
mod memory;
mod mesh;
mod operator;
mod power;
mod prelude;
mod program;
mod record;
mod spatial;
mod trace;
mod tree;
mod work;

use palmette::core::memory::Refusing;
use pyo3::prelude::*;

// The system's allocator, unless the process runs the command.
#[global_allocator]
static MEMORY: Refusing = Refusing;

/// What `palmette` is made of.
#[pymodule]
fn _palmette(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ConvergenceError", module.py().get_type::<error::ConvergenceError>())?;
    module.add_class::<tree::Tree>()?;
    module.add_class::<tree::Layout>()?;
    module.add_class::<arrow::Arrow>()?;
    module.add_class::<graph::Dynamic>()?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<graph::Solver>()?;
    module.add_class::<mesh::Mesh>()?;
    module.add_class::<mesh::Mapping>()?;
    module.add_class::<power::Feeder>()?;
    module.add_class::<power::Grid>()?;
    module.add_function(wrap_pyfunction!(memory::set_kept_memory, module)?)?;
    module.add_function(wrap_pyfunction!(memory::get_kept_memory, module)?)?;
    module.add_function(wrap_pyfunction!(work::set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(work::get_threads, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::arrow_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(tree::treefix_once, module)?)?;
    module.add_function(wrap_pyfunction!(command::run_command, module)?)?;
    module.add_function(wrap_pyfunction!(tree::pcoa, module)?)?;
    module.add_function(wrap_pyfunction!(tree::distance_map, module)?)?;
    module.add_function(wrap_pyfunction!(record::record_html, module)?)?;
    module.add_function(wrap_pyfunction!(record::picture_html, module)?)?;
    module.add_function(wrap_pyfunction!(operator::operator_names, module)?)?;
    module.add_function(wrap_pyfunction!(tree::compare_pair, module)?)?;
    module.add_function(wrap_pyfunction!(tree::compare_many, module)?)?;
    module.add_function(wrap_pyfunction!(tree::consensus_of, module)?)?;
    defaults::register(module)?;
    program::register(module)?;
    spatial::register(module)
}
