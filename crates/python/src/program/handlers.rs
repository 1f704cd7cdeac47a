//! A program in Python as the machine runs it: each handler is a call.

use super::processor::Processor;
use crate::letter::Form;
use crate::prelude::*;
use palmette::spatial::machine::{Draws, DynamicProcessor, DynamicProgram, Stopped};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::types::PyEllipsis;
use std::sync::{Mutex, PoisonError};

/// A program as the machine runs it.
pub(super) struct Handlers {
    pub(super) start: Py<PyAny>,
    pub(super) receive: Py<PyAny>,
    pub(super) states: Py<PyAny>,
    /// Whether states are structs: a row of these is written in place.
    pub(super) is_struct: bool,
    pub(super) state_words: usize,
    pub(super) form: Arc<Form>,
    pub(super) phases: Arc<Mutex<Vec<String>>>,
    pub(super) processor: Py<Processor>,
    /// What a handler raised.
    pub(super) error: Arc<Mutex<Option<PyErr>>>,
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

    /// Writes a row back. A dtype that a handler has changed would be cast silently.
    fn put(&self, py: Python<'_>, me: u32, row: Bound<'_, PyAny>) -> PyResult<()> {
        let states = self.states.bind(py);
        if !self.is_struct {
            let [was, now] = [states, &row].map(|array| array.getattr(intern!(py, "dtype")));
            let (was, now) = (was?, now?);
            if !was.is(&now) && !was.eq(&now)? {
                let text = format!("state: the dtype was {was}, and is now {now}");
                return Err(PyTypeError::new_err(text));
            }
        }
        states.set_item(me, row)
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
            self.put(py, p.me(), row)?;
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
