//! What a handler gets beside its state: its address, and a way to send.

use crate::letter::Form;
use crate::prelude::*;
use palmette::spatial::machine::Draws;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyRuntimeError, PyTypeError};
use std::sync::{Mutex, PoisonError};

/// A processor as its program sees it: its address, and a way to send.
#[pyclass(module = "palmette.spatial")]
pub(crate) struct Processor {
    pub(super) me: u32,
    pub(super) count: u32,
    pub(super) draws: Draws,
    pub(super) drawn: u32,
    pub(super) form: Arc<Form>,
    /// Says the phase of a message.
    pub(super) phase: Option<Py<PyAny>>,
    /// The names of phases; the first is the program's.
    pub(super) phases: Arc<Mutex<Vec<String>>>,
    /// What the handler has sent: addresses with phases, and bytes.
    pub(super) sent: Vec<(u32, u16)>,
    pub(super) bytes: Vec<u8>,
    /// The steps of work that the handler has declared.
    pub(super) steps: u32,
    /// Whether its handler runs.
    pub(super) awake: bool,
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
