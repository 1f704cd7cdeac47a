//! Numpy arrays that work reads where they lie, and arrays that take over what work made.

use crate::error::Failure;
use numpy::ndarray::ArrayView1;
use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use palmette::core::memory::kept;
use palmette::{AnswerCells, NONE, NarrowSlice, ValueSlice, ValueType, Values, ValuesMut};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::ops::Deref;
use std::slice::from_raw_parts_mut;

/// The entries of a numpy array without gaps, kept alive by this. That nobody writes to the
/// array meanwhile is the caller's part, as everywhere where numpy works without the lock.
pub(crate) struct Lent<T> {
    /// Numpy neither frees nor resizes what someone holds.
    _array: Py<PyAny>,
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
        Ok(Lent { _array: array.clone().into_any().unbind(), start, length })
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
    /// Integers of 32 bits, widened.
    Wide(Wide),
}

/// Widened integers, in memory that is kept for others afterwards.
pub(crate) struct Wide(Vec<i64>);

impl Wide {
    fn of(narrow: &[i32]) -> Wide {
        let mut wide: Vec<i64> = kept::take(narrow.len());
        wide.iter_mut().zip(narrow).for_each(|(wide, &x)| *wide = x.into());
        Wide(wide)
    }
}

impl Deref for Wide {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        &self.0
    }
}

impl Drop for Wide {
    fn drop(&mut self) {
        kept::give(std::mem::take(&mut self.0));
    }
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
            Column::Wide(x) => ValueSlice::I64(x),
        }
    }
}

/// What is summed: numbers of the type of their sums, or narrower ones.
pub(crate) enum Summands {
    /// Of the type of their sums.
    Own(Column),
    /// Integers of 32 bits, whose sums have 64.
    Narrow(Lent<i32>),
}

impl Summands {
    /// Lends an array of any shape that lies in one piece; none where it is of another type.
    pub(crate) fn new(array: &Bound<'_, PyAny>) -> Option<Summands> {
        fn lent<T: Element>(array: &Bound<'_, PyAny>) -> Option<Lent<T>> {
            let typed = array.cast::<PyArrayDyn<T>>().ok()?;
            // Column after column is one piece, too, but not ours.
            if !typed.is_c_contiguous() {
                return None;
            }
            // SAFETY: nobody writes the array before it is lent; see `Lent`.
            let entries = unsafe { typed.as_slice() }.ok()?;
            let (start, length) = (entries.as_ptr(), entries.len());
            Some(Lent { _array: array.clone().unbind(), start, length })
        }
        let column = lent(array)
            .map(Column::F64)
            .or_else(|| lent(array).map(Column::I64))
            .or_else(|| lent(array).map(Column::F32))
            .or_else(|| lent(array).map(Column::U64));
        column.map(Summands::Own).or_else(|| lent(array).map(Summands::Narrow))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Summands::Own(column) => column.as_slice().len(),
            Summands::Narrow(x) => x.len(),
        }
    }

    /// The type of their sums.
    pub(crate) fn value_type(&self) -> ValueType {
        match self {
            Summands::Own(column) => column.as_slice().value_type(),
            Summands::Narrow(_) => ValueType::I64,
        }
    }

    /// Where they lie.
    pub(crate) fn place(&self) -> (*const u8, usize) {
        match self {
            Summands::Own(column) => place_of(column.as_slice()),
            Summands::Narrow(x) => (x.as_ptr().cast(), size_of_val::<[i32]>(x)),
        }
    }

    /// The same as the façade takes them.
    pub(crate) fn as_narrow(&self) -> NarrowSlice<'_> {
        match self {
            Summands::Own(column) => NarrowSlice::Own(column.as_slice()),
            Summands::Narrow(x) => NarrowSlice::I32(x),
        }
    }

    /// All in the type of their sums: narrow ones are copied.
    pub(crate) fn widened(self) -> Column {
        match self {
            Summands::Own(column) => column,
            Summands::Narrow(x) => Column::Wide(Wide::of(&x)),
        }
    }
}

/// Where values lie, and how many bytes they are.
fn place_of(values: ValueSlice<'_>) -> (*const u8, usize) {
    match values {
        ValueSlice::I64(x) => (x.as_ptr().cast(), size_of_val(x)),
        ValueSlice::U64(x) => (x.as_ptr().cast(), size_of_val(x)),
        ValueSlice::F64(x) => (x.as_ptr().cast(), size_of_val(x)),
        ValueSlice::F32(x) => (x.as_ptr().cast(), size_of_val(x)),
    }
}

/// Numbers that an array shows; their memory is kept for others when the array is gone.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Numbers(Values);

impl Drop for Numbers {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.0, Values::I64(Vec::new())) {
            Values::I64(x) => kept::give(x),
            Values::U64(x) => kept::give(x),
            Values::F64(x) => kept::give(x),
            Values::F32(x) => kept::give(x),
        }
    }
}

/// Numbers as a numpy array that owns them.
pub(crate) fn numbers<'py>(py: Python<'py>, values: Values) -> PyResult<Bound<'py, PyAny>> {
    let owner = Bound::new(py, Numbers(values))?;
    let any = owner.clone().into_any();
    // SAFETY: the numbers lie in a vector of an object that is never changed, and that the array
    // keeps alive; no other array shows them.
    Ok(unsafe {
        match &owner.get().0 {
            Values::I64(x) => {
                PyArray1::borrow_from_array(&ArrayView1::from(&x[..]), any).into_any()
            }
            Values::U64(x) => {
                PyArray1::borrow_from_array(&ArrayView1::from(&x[..]), any).into_any()
            }
            Values::F64(x) => {
                PyArray1::borrow_from_array(&ArrayView1::from(&x[..]), any).into_any()
            }
            Values::F32(x) => {
                PyArray1::borrow_from_array(&ArrayView1::from(&x[..]), any).into_any()
            }
        }
    })
}

/// The entries of a numpy array that work writes, kept alive by this.
pub(crate) struct LentMut {
    /// Numpy neither frees nor resizes what someone holds.
    _array: Py<PyAny>,
    start: *mut u8,
    length: usize,
    kind: ValueType,
}

// SAFETY: as for `Lent`; that nobody else uses the array meanwhile is the caller's part.
unsafe impl Send for LentMut {}

impl LentMut {
    /// Lends an array of one of the four types that lies in one piece and may be written.
    pub(crate) fn new(array: &Bound<'_, PyAny>) -> PyResult<LentMut> {
        fn lent<T: Element>(
            array: &Bound<'_, PyAny>,
            kind: ValueType,
        ) -> Option<PyResult<LentMut>> {
            let typed = array.cast::<PyArrayDyn<T>>().ok()?;
            // SAFETY: the array is valid as long as the borrow.
            if unsafe { (*typed.as_array_ptr()).fields.flags } & NPY_ARRAY_WRITEABLE == 0 {
                let text = "out: expected an array that can be written";
                return Some(Err(PyValueError::new_err(text)));
            }
            // SAFETY: nobody else uses the array before it is lent.
            let entries = unsafe { typed.as_slice_mut() };
            let Some(entries) = entries.ok().filter(|_| typed.is_c_contiguous()) else {
                let text = "out: expected a contiguous array";
                return Some(Err(PyValueError::new_err(text)));
            };
            let (start, length) = (entries.as_mut_ptr().cast(), entries.len());
            Some(Ok(LentMut { _array: array.clone().unbind(), start, length, kind }))
        }
        let found = lent::<f64>(array, ValueType::F64)
            .or_else(|| lent::<i64>(array, ValueType::I64))
            .or_else(|| lent::<u64>(array, ValueType::U64))
            .or_else(|| lent::<f32>(array, ValueType::F32));
        let text = "out: expected an array of int64, uint64, float64 or float32";
        found.unwrap_or_else(|| Err(PyTypeError::new_err(text)))
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Whether it shares memory with what is read.
    pub(crate) fn overlaps(&self, values: ValueSlice<'_>) -> bool {
        self.meets(place_of(values))
    }

    /// Whether it shares memory with so many bytes from there on.
    pub(crate) fn meets(&self, (start, bytes): (*const u8, usize)) -> bool {
        let range = |start: *const u8, bytes: usize| start as usize..start as usize + bytes;
        let size = if self.kind == ValueType::F32 { 4 } else { 8 };
        let (own, other) = (range(self.start, self.length * size), range(start, bytes));
        own.start < other.end && other.start < own.end
    }

    /// The same as the façade takes it.
    pub(crate) fn as_mut(&mut self) -> ValuesMut<'_> {
        let (start, length) = (self.start, self.length);
        // SAFETY: `start` and `length` are those of a slice of an array of this type that `_array`
        // keeps, and the exclusive borrow is of the only lender.
        unsafe {
            match self.kind {
                ValueType::I64 => ValuesMut::I64(from_raw_parts_mut(start.cast(), length)),
                ValueType::U64 => ValuesMut::U64(from_raw_parts_mut(start.cast(), length)),
                ValueType::F64 => ValuesMut::F64(from_raw_parts_mut(start.cast(), length)),
                ValueType::F32 => ValuesMut::F32(from_raw_parts_mut(start.cast(), length)),
            }
        }
    }
}

/// Numbers of a type, of which every one will be written.
pub(crate) fn fresh(kind: ValueType, n: usize) -> Values {
    match kind {
        ValueType::I64 => Values::I64(kept::take(n)),
        ValueType::U64 => Values::U64(kept::take(n)),
        ValueType::F64 => Values::F64(kept::take(n)),
        ValueType::F32 => Values::F32(kept::take(n)),
    }
}

/// A vector to write into.
pub(crate) fn as_mut(values: &mut Values) -> ValuesMut<'_> {
    match values {
        Values::I64(x) => ValuesMut::I64(x),
        Values::U64(x) => ValuesMut::U64(x),
        Values::F64(x) => ValuesMut::F64(x),
        Values::F32(x) => ValuesMut::F32(x),
    }
}

/// A column of answers as a numpy array.
pub(crate) fn cells<'py>(py: Python<'py>, cells: AnswerCells) -> PyResult<Bound<'py, PyAny>> {
    match cells {
        AnswerCells::Numbers(values) => numbers(py, values),
        AnswerCells::Vertices(vertices) => numbers(py, Values::I64(signed(&vertices))),
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
