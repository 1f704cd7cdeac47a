//! Results for other libraries, without a copy.
//!
//! **Problem.** Arrays of numpy, and the names of vertices, as a table or a column that pyarrow,
//! polars, pandas and DuckDB take through Arrow's C data interface.
//! **Method.** A structure with its buffers' addresses, and what keeps them there, is made for each
//! taker; its `release` lets go of both.

use super::abi::{ARRAY, ArrowArray, ArrowSchema, ArrowStream, NULLABLE, Released, SCHEMA, STREAM};
use crate::prelude::*;
use crate::tree::Tree;
use numpy::Element;
use palmette::Labels;
use pyo3::exceptions::PyTypeError;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null;

/// A table of results, or one column, for other libraries.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Arrow {
    data: Arc<Data>,
}

struct Data {
    columns: Vec<Column>,
    rows: usize,
    /// One column, and no table.
    alone: bool,
}

/// A column in memory that `keep` keeps.
struct Column {
    name: CString,
    format: &'static CStr,
    /// After that of nulls, which there are none of.
    buffers: Vec<*const c_void>,
    _keep: Keep,
}

enum Keep {
    Numpy { _array: Py<PyAny> },
    Texts { _offsets: Vec<i64>, _bytes: Vec<u8> },
    Integers { _integers: Vec<i64> },
}

// SAFETY: the addresses are of memory that `_keep` keeps and nobody writes to.
unsafe impl Send for Column {}
// SAFETY: as above.
unsafe impl Sync for Column {}

#[pymethods]
impl Arrow {
    /// Columns of contiguous arrays with their names, and before them the names of a tree's
    /// vertices; or one array alone.
    #[new]
    fn new(
        py: Python<'_>,
        names: Vec<String>,
        arrays: Vec<Bound<'_, PyAny>>,
        tree: Option<&Tree>,
        alone: bool,
    ) -> PyResult<Arrow> {
        let mut columns = Vec::new();
        let mut rows = tree.map(|tree| tree.data.tree.len());
        for (name, array) in names.iter().zip(&arrays) {
            let (column, length) = Column::of_numpy(name, array)?;
            let expected = *rows.get_or_insert(length);
            if length != expected {
                return Err(value_error(format!(
                    "{name}: expected {expected} rows, found {length}"
                )));
            }
            columns.push(column);
        }
        if let Some(tree) = tree {
            let data = tree.data.clone();
            let of_tree = run(py, None, data.tree.len(), move |_| {
                Ok(Column::of_vertices(data.labels(), data.tree.len()))
            })?;
            columns.insert(0, of_tree);
        }
        Ok(Arrow { data: Arc::new(Data { columns, rows: rows.unwrap_or(0), alone }) })
    }

    fn __len__(&self) -> usize {
        self.data.rows
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.data.columns.iter().map(|c| c.name.to_string_lossy().into_owned()).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, self.data.schema(), SCHEMA)
    }

    /// Another type is a wish that need not be granted.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let array = PyCapsule::new_with_value(py, array_of(&self.data), ARRAY)?;
        Ok((self.__arrow_c_schema__(py)?, array))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let private = Box::new(StreamData { data: self.data.clone(), done: false });
        let stream = ArrowStream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(private).cast(),
        };
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

impl Column {
    fn new(
        name: &str,
        format: &'static CStr,
        buffers: Vec<*const c_void>,
        keep: Keep,
    ) -> PyResult<Column> {
        let name =
            CString::new(name).map_err(|_| value_error("a column's name contains a zero"))?;
        Ok(Column { name, format, buffers, _keep: keep })
    }

    /// An array of numbers, and how many there are.
    fn of_numpy(name: &str, array: &Bound<'_, PyAny>) -> PyResult<(Column, usize)> {
        fn lent<T: Element>(array: &Bound<'_, PyAny>) -> Option<PyResult<(*const c_void, usize)>> {
            let array = array.cast::<PyArray1<T>>().ok()?;
            let lent = Lent::new(array);
            Some(lent.map(|lent| (lent.as_ptr().cast(), lent.len())))
        }
        let found = None
            .or_else(|| Some((c"l", lent::<i64>(array)?)))
            .or_else(|| Some((c"g", lent::<f64>(array)?)))
            .or_else(|| Some((c"L", lent::<u64>(array)?)))
            .or_else(|| Some((c"f", lent::<f32>(array)?)))
            .or_else(|| Some((c"i", lent::<i32>(array)?)))
            .or_else(|| Some((c"I", lent::<u32>(array)?)))
            .or_else(|| Some((c"s", lent::<i16>(array)?)))
            .or_else(|| Some((c"S", lent::<u16>(array)?)))
            .or_else(|| Some((c"c", lent::<i8>(array)?)))
            .or_else(|| Some((c"C", lent::<u8>(array)?)));
        let Some((format, found)) = found else {
            let text = format!("{name}: expected a one-dimensional array of integers or floats");
            return Err(PyTypeError::new_err(text));
        };
        let (start, length) = found?;
        let keep = Keep::Numpy { _array: array.clone().unbind() };
        Ok((Column::new(name, format, vec![start], keep)?, length))
    }

    /// The names of vertices: integers where all are.
    fn of_vertices(labels: Option<&Labels>, count: usize) -> Column {
        let (format, buffers, keep): (&CStr, Vec<*const c_void>, Keep) = match labels {
            Some(labels) if !labels.names_are_integers() => {
                let (mut offsets, mut bytes) = (vec![0i64], Vec::new());
                for v in 0..count as u32 {
                    bytes.extend_from_slice(labels.get(v).as_bytes());
                    offsets.push(bytes.len() as i64);
                }
                let buffers = vec![offsets.as_ptr().cast(), bytes.as_ptr().cast()];
                (c"U", buffers, Keep::Texts { _offsets: offsets, _bytes: bytes })
            }
            labels => {
                let name = |v: usize| labels.map_or(v as i64, |labels| labels.integer(v));
                let integers: Vec<i64> = (0..count).map(name).collect();
                (c"l", vec![integers.as_ptr().cast()], Keep::Integers { _integers: integers })
            }
        };
        Column { name: c"vertex".to_owned(), format, buffers, _keep: keep }
    }
}

/// What a schema of ours has; its children are boxes.
struct SchemaData {
    _name: CString,
    children: Vec<*mut ArrowSchema>,
}

fn new_schema(format: &'static CStr, name: &CStr, children: Vec<ArrowSchema>) -> ArrowSchema {
    let children: Vec<_> = children.into_iter().map(|one| Box::into_raw(Box::new(one))).collect();
    let mut data = Box::new(SchemaData { _name: name.to_owned(), children });
    let mut schema = ArrowSchema::empty();
    schema.format = format.as_ptr();
    schema.name = data._name.as_ptr();
    schema.flags = NULLABLE;
    schema.n_children = data.children.len() as i64;
    schema.children = data.children.as_mut_ptr();
    schema.release = Some(release_schema);
    schema.private_data = Box::into_raw(data).cast();
    schema
}

/// What an array of ours has; its children are boxes.
struct ArrayData {
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    _data: Arc<Data>,
}

fn new_array(
    data: &Arc<Data>,
    buffers: Vec<*const c_void>,
    children: Vec<ArrowArray>,
) -> ArrowArray {
    let children: Vec<_> = children.into_iter().map(|one| Box::into_raw(Box::new(one))).collect();
    let mut private = Box::new(ArrayData { buffers, children, _data: data.clone() });
    let mut array = ArrowArray::empty();
    array.length = data.rows as i64;
    array.n_buffers = private.buffers.len() as i64;
    array.buffers = private.buffers.as_mut_ptr();
    array.n_children = private.children.len() as i64;
    array.children = private.children.as_mut_ptr();
    array.release = Some(release_array);
    array.private_data = Box::into_raw(private).cast();
    array
}

impl Data {
    fn schema(&self) -> ArrowSchema {
        let schema = |column: &Column| new_schema(column.format, &column.name, Vec::new());
        match &self.columns[..] {
            [column] if self.alone => schema(column),
            columns => new_schema(c"+s", c"", columns.iter().map(schema).collect()),
        }
    }
}

/// All rows as one array.
fn array_of(data: &Arc<Data>) -> ArrowArray {
    let array = |column: &Column| {
        let buffers = [null()].into_iter().chain(column.buffers.iter().copied()).collect();
        new_array(data, buffers, Vec::new())
    };
    match &data.columns[..] {
        [column] if data.alone => array(column),
        columns => new_array(data, vec![null()], columns.iter().map(array).collect()),
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller has a schema of ours that was not released.
    let schema = unsafe { &mut *schema };
    schema.release = None;
    // SAFETY: `new_schema` made it of a box.
    let data = unsafe { Box::from_raw(schema.private_data.cast::<SchemaData>()) };
    // SAFETY: so are the children, which release themselves unless somebody took them.
    data.children.iter().for_each(|&child| drop(unsafe { Box::from_raw(child) }));
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the caller has an array of ours that was not released.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: `new_array` made it of a box.
    let data = unsafe { Box::from_raw(array.private_data.cast::<ArrayData>()) };
    // SAFETY: so are the children, which release themselves unless somebody took them.
    data.children.iter().for_each(|&child| drop(unsafe { Box::from_raw(child) }));
}

/// What a stream of ours has.
struct StreamData {
    data: Arc<Data>,
    done: bool,
}

unsafe extern "C" fn get_schema(stream: *mut ArrowStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the caller has a stream of ours that was not released.
    let private = unsafe { &*(*stream).private_data.cast::<StreamData>() };
    // SAFETY: the caller has room for a schema there.
    unsafe { out.write(private.data.schema()) };
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: the caller has a stream of ours that was not released, for itself.
    let private = unsafe { &mut *(*stream).private_data.cast::<StreamData>() };
    let next = match std::mem::replace(&mut private.done, true) {
        true => ArrowArray::empty(),
        false => array_of(&private.data),
    };
    // SAFETY: the caller has room for an array there.
    unsafe { out.write(next) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut ArrowStream) -> *const c_char {
    null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowStream) {
    // SAFETY: the caller has a stream of ours that was not released.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: `__arrow_c_stream__` made it of a box.
    drop(unsafe { Box::from_raw(stream.private_data.cast::<StreamData>()) });
}
