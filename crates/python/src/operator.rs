//! Operators of the user's: functions in machine code, and functions in Python.

use crate::error::value_error;
use palmette::core::operator::Operator;
use palmette::{Monoid, OperatorName, OperatorParams};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The operators that have names, and how many columns of values each takes.
#[pyfunction]
pub(crate) fn operator_names() -> Vec<(&'static str, usize)> {
    OperatorName::ALL.map(|operator| (operator.name(), operator.value_columns())).to_vec()
}

/// The operator with its parameters.
pub(crate) fn operator(
    name: &str,
    wrapping: bool,
    modulus: Option<u64>,
    seed: u64,
) -> PyResult<palmette::Operator> {
    let name: OperatorName = name.parse().map_err(value_error)?;
    name.with(OperatorParams { wrapping, modulus, seed }).map_err(value_error)
}

/// Runs `$body` with `$x` bound to the lent array, whatever its type.
macro_rules! with_column {
    ($column:expr, $x:ident => $body:expr) => {
        match $column {
            $crate::array::Column::I64($x) => $body,
            $crate::array::Column::U64($x) => $body,
            $crate::array::Column::F64($x) => $body,
            $crate::array::Column::F32($x) => $body,
            $crate::array::Column::Wide($x) => $body,
        }
    };
}
pub(crate) use with_column;

/// A function `(left, right) -> answer` in machine code, called from any thread.
pub(crate) struct Pointer<T> {
    address: usize,
    identity: T,
}

impl<T> Pointer<T> {
    /// The function at an address, which is not 0.
    pub(crate) fn new(address: usize, identity: T) -> Pointer<T> {
        Pointer { address, identity }
    }
}

impl<T: Copy + Send + Sync> Monoid for Pointer<T> {
    type Elem = T;

    fn identity(&self) -> T {
        self.identity
    }

    #[inline]
    fn combine(&self, left: T, right: T) -> T {
        // SAFETY: the user promises that at this address, which is not 0, lies a function of C
        // that takes two numbers of this type and returns one, and that any thread may call;
        // Python code checks the type wherever the object that had the address tells it.
        let function =
            unsafe { std::mem::transmute::<usize, extern "C" fn(T, T) -> T>(self.address) };
        function(left, right)
    }
}

impl<T: Copy + Send + Sync> Operator for Pointer<T> {}

/// A function in Python. After its first exception it is called no more.
pub(crate) struct Callable<T> {
    function: Py<PyAny>,
    identity: T,
    failed: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl<T> Callable<T> {
    /// The function with its identity.
    pub(crate) fn new(function: Py<PyAny>, identity: T) -> Callable<T> {
        Callable { function, identity, failed: AtomicBool::new(false), error: Mutex::new(None) }
    }

    /// What the function raised.
    pub(crate) fn error(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<T> Monoid for Callable<T>
where
    T: Copy + Send + Sync + for<'py> IntoPyObject<'py> + for<'a, 'py> FromPyObject<'a, 'py>,
{
    type Elem = T;

    fn identity(&self) -> T {
        self.identity
    }

    fn combine(&self, left: T, right: T) -> T {
        if self.failed.load(Ordering::Relaxed) {
            return self.identity;
        }
        let answer = Python::attach(|py| {
            let found = self.function.bind(py).call1((left, right))?;
            found.extract::<T>().map_err(Into::into)
        });
        answer.unwrap_or_else(|error: PyErr| {
            self.failed.store(true, Ordering::Relaxed);
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.identity
        })
    }
}

impl<T> Operator for Callable<T> where
    T: Copy + Send + Sync + for<'py> IntoPyObject<'py> + for<'a, 'py> FromPyObject<'a, 'py>
{
}
