//! Columns of other libraries, where they lie.
//!
//! **Problem.** Whatever has `__arrow_c_stream__` or `__arrow_c_array__` (tables and columns of
//! pyarrow, polars, pandas and DuckDB) as a table that the library reads.
//! **Method.** The structures behind the capsules are taken over, and released with [`Imported`].
//! Views of their buffers are made where a table is asked for: nothing is copied.

use super::abi::{ARRAY, ArrowArray, ArrowSchema, ArrowStream, Released, SCHEMA, STREAM};
use crate::prelude::*;
use palmette::io::{
    ChunkData, ColumnChunk, ColumnKind, ColumnTable, NumberKind, TableField, Validity,
};
use pyo3::exceptions::PyTypeError;
use pyo3::types::PyCapsule;
use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::sync::Arc;

/// Arrays of another library, kept alive by this.
pub(crate) struct Imported {
    schema: ArrowSchema,
    arrays: Vec<ArrowArray>,
}

/// What is wrong with an array.
type Wrong = &'static str;

/// Takes over what a capsule holds.
fn taken<T: Released>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<T> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: a capsule of this name holds this structure, and nobody else uses it: an empty one
    // in its place says that it was taken.
    Ok(unsafe { std::ptr::replace(pointer.as_ptr(), T::empty()) })
}

impl Imported {
    /// The columns of an object, if it offers them.
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Option<Imported>> {
        if object.hasattr("__arrow_c_stream__")? {
            let capsule = object.call_method0("__arrow_c_stream__")?;
            return Imported::of_stream(taken(&capsule, STREAM)?).map(Some);
        }
        if !object.hasattr("__arrow_c_array__")? {
            return Ok(None);
        }
        let both = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = both.extract()?;
        let (schema, array) = (taken(&schema, SCHEMA)?, taken(&array, ARRAY)?);
        Ok(Some(Imported { schema, arrays: vec![array] }))
    }

    fn of_stream(mut stream: ArrowStream) -> PyResult<Imported> {
        let failed = |stream: &mut ArrowStream| {
            let text = stream.get_last_error.and_then(|last| {
                // SAFETY: the stream was not released, and its last call failed.
                let text = unsafe { last(stream) };
                // SAFETY: it is a text that lives until the next call.
                (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy())
            });
            let text = text.unwrap_or("no reason given".into());
            value_error(format!("the table could not be read: {text}"))
        };
        let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
            return Err(PyTypeError::new_err("expected a stream that was not read yet"));
        };
        let mut schema = ArrowSchema::empty();
        // SAFETY: the stream was not released, and the schema is empty.
        if unsafe { get_schema(&mut stream, &mut schema) } != 0 {
            return Err(failed(&mut stream));
        }
        let mut arrays = Vec::new();
        loop {
            let mut array = ArrowArray::empty();
            // SAFETY: as above.
            if unsafe { get_next(&mut stream, &mut array) } != 0 {
                return Err(failed(&mut stream));
            }
            // An array that holds nothing ends the stream.
            if array.release.is_none() {
                return Ok(Imported { schema, arrays });
            }
            arrays.push(array);
        }
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.arrays.iter().map(|array| usize::try_from(array.length).unwrap_or(0)).sum()
    }

    /// Whether it is a table of named columns, and not one column.
    pub(crate) fn is_table(&self) -> bool {
        // SAFETY: the format of a schema is a text.
        let format = unsafe { text(self.schema.format) };
        format == "+s"
    }

    /// The columns, lent; `name` is for messages.
    pub(crate) fn table(&self, name: &str) -> Result<ColumnTable<'_>, Failure> {
        let wrong = |wrong: Wrong| Failure::Value(format!("{name}: {wrong}"));
        let columns = self.columns().map_err(wrong)?;
        Ok(ColumnTable::new(name, self.rows(), columns))
    }

    /// The columns with their chunks; the only one where it is no table.
    pub(crate) fn columns(&self) -> Result<Vec<(TableField, Vec<ColumnChunk<'_>>)>, Wrong> {
        if !self.is_table() {
            let chunks = self.arrays.iter().map(|array| whole_chunk(&self.schema, array));
            return Ok(vec![(field_of(&self.schema), chunks.collect::<Result<_, _>>()?)]);
        }
        let count = usize::try_from(self.schema.n_children).map_err(|_| "a damaged schema")?;
        let column = |k: usize| {
            // SAFETY: a schema has as many children as it says.
            let schema = unsafe { &**self.schema.children.add(k) };
            let chunk = |array: &ArrowArray| {
                if array.n_children != self.schema.n_children {
                    return Err("a batch with another number of columns");
                }
                // SAFETY: as above, for the array.
                let child = unsafe { &**array.children.add(k) };
                // Rows that are null as a whole are nobody's.
                let offset = usize::try_from(array.offset).map_err(|_| DAMAGED)?;
                let rows = usize::try_from(array.length).map_err(|_| DAMAGED)?;
                chunk(schema, child, offset, rows)
            };
            let chunks = self.arrays.iter().map(chunk).collect::<Result<_, _>>()?;
            Ok((field_of(schema), chunks))
        };
        (0..count).map(column).collect()
    }
}

const DAMAGED: Wrong = "a damaged array";

/// The text at an address; empty where there is none.
///
/// # Safety
/// There is a text that ends in a zero, or nothing.
unsafe fn text<'a>(at: *const c_char) -> Cow<'a, str> {
    match at.is_null() {
        true => Cow::Borrowed(""),
        // SAFETY: the caller says so.
        false => unsafe { CStr::from_ptr(at) }.to_string_lossy(),
    }
}

/// The name of a column and what it holds.
fn field_of(schema: &ArrowSchema) -> TableField {
    // SAFETY: the name of a schema is a text or nothing.
    let name = unsafe { text(schema.name) }.into_owned();
    TableField { name, kind: kind_of(schema) }
}

fn kind_of(schema: &ArrowSchema) -> ColumnKind {
    // SAFETY: the dictionary of a schema is one, or nothing.
    if let Some(values) = unsafe { schema.dictionary.as_ref() } {
        return match kind_of(values) {
            ColumnKind::Other(name) => ColumnKind::Other(format!("a dictionary of {name}")),
            kind => kind,
        };
    }
    // SAFETY: the format of a schema is a text.
    let format = unsafe { text(schema.format) };
    if let Some(kind) = number_of(&format) {
        return ColumnKind::Number(kind);
    }
    let name = match &*format {
        "n" => return ColumnKind::Nulls,
        "u" | "U" | "vu" => return ColumnKind::Text,
        "b" => "bool",
        "e" => "float16",
        "z" | "Z" | "vz" => "binary",
        other => match other.as_bytes().get(..2).unwrap_or_default() {
            b"d:" => "decimal",
            b"w:" => "binary",
            b"td" => "date",
            b"tt" => "time",
            b"ts" => "timestamp",
            b"tD" => "duration",
            b"ti" => "interval",
            b"+s" => "a nested type (struct)",
            b"+m" => "a nested type (map)",
            b"+r" => "run-end encoded data",
            b"+u" => "a nested type (union)",
            _ => "a nested type (list)",
        },
    };
    ColumnKind::Other(name.to_string())
}

fn number_of(format: &str) -> Option<NumberKind> {
    Some(match format {
        "c" => NumberKind::I8,
        "s" => NumberKind::I16,
        "i" => NumberKind::I32,
        "l" => NumberKind::I64,
        "C" => NumberKind::U8,
        "S" => NumberKind::U16,
        "I" => NumberKind::U32,
        "L" => NumberKind::U64,
        "f" => NumberKind::F32,
        "g" => NumberKind::F64,
        _ => return None,
    })
}

fn whole_chunk<'a>(
    schema: &'a ArrowSchema,
    array: &'a ArrowArray,
) -> Result<ColumnChunk<'a>, Wrong> {
    chunk(schema, array, 0, usize::try_from(array.length).map_err(|_| DAMAGED)?)
}

/// Bytes of a buffer; none where it is not there.
///
/// # Safety
/// The buffer of the array has as many bytes after `start`.
unsafe fn buffer(array: &ArrowArray, number: usize, start: usize, length: usize) -> Option<&[u8]> {
    if number >= usize::try_from(array.n_buffers).ok()? {
        return None;
    }
    // SAFETY: an array has as many buffers as it says.
    let at = unsafe { *array.buffers.add(number) }.cast::<u8>();
    match (at.is_null(), length) {
        (_, 0) => Some(&[]),
        (true, _) => None,
        // SAFETY: the caller says so, and the array is not released while it is lent.
        (false, length) => Some(unsafe { std::slice::from_raw_parts(at.add(start), length) }),
    }
}

/// `rows` rows of an array from row `skip`, as views of its buffers.
fn chunk<'a>(
    schema: &'a ArrowSchema,
    array: &'a ArrowArray,
    skip: usize,
    rows: usize,
) -> Result<ColumnChunk<'a>, Wrong> {
    let length = usize::try_from(array.length).map_err(|_| DAMAGED)?;
    let own = usize::try_from(array.offset).map_err(|_| DAMAGED)?;
    if skip.checked_add(rows).is_none_or(|end| end > length) {
        return Err(DAMAGED);
    }
    let first = own + skip;
    // SAFETY: the format of a schema is a text.
    let format = unsafe { text(schema.format) };
    let nothing = || ColumnChunk::new(rows, None, ChunkData::Nothing).ok_or(DAMAGED);
    if rows == 0 || format == "n" {
        return nothing();
    }
    // SAFETY: buffer 0 of these types has a bit for each row, or is not there.
    let bits = unsafe { buffer(array, 0, 0, (first + rows).div_ceil(8)) };
    let bits = bits.filter(|_| array.null_count != 0);
    let validity = bits.map(|bits| Validity { bits: Cow::Borrowed(bits), first });
    if let Some(kind) = number_of(&format) {
        let width = kind.width();
        // SAFETY: buffer 1 has a number for each row.
        let bytes = unsafe { buffer(array, 1, first * width, rows * width) }.ok_or(DAMAGED)?;
        // SAFETY: the dictionaries of a schema and an array are such, or nothing.
        let both = unsafe { schema.dictionary.as_ref().zip(array.dictionary.as_ref()) };
        let bytes = Cow::Borrowed(bytes);
        let made = match both {
            None => ColumnChunk::new(rows, validity, ChunkData::Numbers(kind, bytes)),
            Some((schema, array)) => {
                let values = Arc::new(whole_chunk(schema, array)?);
                ColumnChunk::of_keys(rows, validity, kind, bytes, values)
            }
        };
        return made.ok_or(DAMAGED);
    }
    let data = match &*format {
        "u" | "U" => {
            let wide = format == "U";
            let width = if wide { 8 } else { 4 };
            // SAFETY: buffer 1 has an offset for each row, and one more.
            let offsets = unsafe { buffer(array, 1, first * width, (rows + 1) * width) };
            let offsets = offsets.ok_or(DAMAGED)?;
            let mut last = [0u8; 8];
            last[..width].copy_from_slice(&offsets[rows * width..]);
            // SAFETY: buffer 2 has the bytes up to the last offset.
            let bytes = unsafe { buffer(array, 2, 0, u64::from_le_bytes(last) as usize) };
            let bytes = bytes.ok_or(DAMAGED)?;
            ChunkData::Texts { offsets: offsets.into(), wide, bytes: bytes.into() }
        }
        "vu" => {
            // SAFETY: buffer 1 has 16 bytes for each row.
            let views = unsafe { buffer(array, 1, 16 * first, 16 * rows) }.ok_or(DAMAGED)?;
            let count = usize::try_from(array.n_buffers - 3).map_err(|_| DAMAGED)?;
            // SAFETY: the last buffer has the lengths of those before it, 8 bytes each.
            let lengths = unsafe { buffer(array, 2 + count, 0, 8 * count) }.ok_or(DAMAGED)?;
            let lengths = lengths.as_chunks::<8>().0.iter().enumerate();
            let buffers = lengths.map(|(k, &length)| {
                // SAFETY: its length is in the last buffer.
                let bytes = unsafe { buffer(array, 2 + k, 0, i64::from_le_bytes(length) as usize) };
                bytes.map(Cow::Borrowed).ok_or(DAMAGED)
            });
            ChunkData::Views { views: views.into(), buffers: buffers.collect::<Result<_, _>>()? }
        }
        // Nobody reads it.
        _ => return nothing(),
    };
    ColumnChunk::new(rows, validity, data).ok_or(DAMAGED)
}
