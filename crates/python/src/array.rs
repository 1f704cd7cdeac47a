//! Numpy arrays that work reads where they lie, and arrays that take over what work made.

use crate::error::Failure;
use numpy::{Element, PyArray1, PyArrayMethods};
use palmette::{AnswerCells, NONE, ValueSlice, Values};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Deref;

/// The entries of a numpy array without gaps, kept alive by this. That nobody writes to the
/// array meanwhile is the caller's part, as everywhere where numpy works without the lock.
pub(crate) struct Lent<T> {
    /// Numpy neither frees nor resizes what someone holds.
    _array: Py<PyArray1<T>>,
    start: *const T,
    length: usize,
}

// SAFETY: the entries are plain numbers at a place that `_array` keeps; it is only ever dropped,
// and dropping it without the interpreter's lock puts that off until someone has the lock.
unsafe impl<T: Send> Send for Lent<T> {}
// SAFETY: as above; entries are only read.
unsafe impl<T: Sync> Sync for Lent<T> {}

impl<T: Element> Lent<T> {
    /// Lends an array, which must lie in one piece.
    pub(crate) fn new(array: &Array<'_, T>) -> PyResult<Lent<T>> {
        let read = array.readonly();
        let entries =
            read.as_slice().map_err(|_| PyTypeError::new_err("expected a contiguous array"))?;
        let (start, length) = (entries.as_ptr(), entries.len());
        Ok(Lent { _array: array.clone().unbind(), start, length })
    }
}

impl<T> Deref for Lent<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `start` and `length` are those of a slice of an array that `_array` keeps.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

/// An array of numpy, while Python's lock is held.
pub(crate) type Array<'py, T> = Bound<'py, PyArray1<T>>;

/// A column of values of any of our types.
pub(crate) enum Column {
    /// Signed integers.
    I64(Lent<i64>),
    /// Unsigned integers.
    U64(Lent<u64>),
    /// Double precision.
    F64(Lent<f64>),
    /// Single precision.
    F32(Lent<f32>),
}

impl Column {
    /// Lends an array of one of the four types.
    pub(crate) fn new(array: &Bound<'_, PyAny>) -> PyResult<Column> {
        fn lent<T: Element>(array: &Bound<'_, PyAny>) -> Option<PyResult<Lent<T>>> {
            array.cast::<PyArray1<T>>().ok().map(Lent::new)
        }
        let column = lent(array).map(|lent| lent.map(Column::F64));
        let column = column.or_else(|| Some(lent(array)?.map(Column::I64)));
        let column = column.or_else(|| Some(lent(array)?.map(Column::U64)));
        let column = column.or_else(|| Some(lent(array)?.map(Column::F32)));
        let text = "expected a one-dimensional array of int64, uint64, float64 or float32";
        column.unwrap_or_else(|| Err(PyTypeError::new_err(text)))
    }

    /// Several of them.
    pub(crate) fn all(arrays: &[Bound<'_, PyAny>]) -> PyResult<Vec<Column>> {
        arrays.iter().map(Column::new).collect()
    }

    /// The same as the façade takes it.
    pub(crate) fn as_slice(&self) -> ValueSlice<'_> {
        match self {
            Column::I64(x) => ValueSlice::I64(x),
            Column::U64(x) => ValueSlice::U64(x),
            Column::F64(x) => ValueSlice::F64(x),
            Column::F32(x) => ValueSlice::F32(x),
        }
    }
}

/// Numbers as a numpy array that owns them.
pub(crate) fn numbers<'py>(py: Python<'py>, values: Values) -> Bound<'py, PyAny> {
    match values {
        Values::I64(x) => PyArray1::from_vec(py, x).into_any(),
        Values::U64(x) => PyArray1::from_vec(py, x).into_any(),
        Values::F64(x) => PyArray1::from_vec(py, x).into_any(),
        Values::F32(x) => PyArray1::from_vec(py, x).into_any(),
    }
}

/// A column of answers as a numpy array.
pub(crate) fn cells<'py>(py: Python<'py>, cells: AnswerCells) -> Bound<'py, PyAny> {
    match cells {
        AnswerCells::Numbers(values) => numbers(py, values),
        AnswerCells::Vertices(vertices) => PyArray1::from_vec(py, signed(&vertices)).into_any(),
    }
}

/// Vertices as Python counts; none is −1.
pub(crate) fn signed(vertices: &[u32]) -> Vec<i64> {
    vertices.iter().map(|&v| if v == NONE { -1 } else { v.into() }).collect()
}

/// The pairs of vertices that two arrays name.
pub(crate) fn pairs(u: &[i64], v: &[i64], count: usize) -> Result<Vec<(u32, u32)>, Failure> {
    Ok(vertices("u", u, count)?.into_iter().zip(vertices("v", v, count)?).collect())
}

/// The vertices that an array names, all below `count`; `what` is the argument.
pub(crate) fn vertices(what: &str, numbers: &[i64], count: usize) -> Result<Vec<u32>, Failure> {
    let vertex = |(at, &number): (usize, &i64)| match u32::try_from(number) {
        Ok(vertex) if (vertex as usize) < count => Ok(vertex),
        _ => {
            let range = match count {
                0 => "nothing, because there are no vertices".to_string(),
                count => format!("vertices from 0 to {}", count - 1),
            };
            let place = if numbers.len() == 1 { String::new() } else { format!(" at {at}") };
            Err(Failure::Index(format!("{what}: expected {range}, found {number}{place}")))
        }
    };
    numbers.iter().enumerate().map(vertex).collect()
}
