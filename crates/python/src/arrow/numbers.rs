//! Columns of other libraries as numpy arrays, without a copy where they lie in one piece.

use super::import::Imported;
use crate::prelude::*;
use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArrayMethods};
use palmette::io::{ColumnKind, NumberKind};

/// What an array of numpy that lends its memory keeps alive.
#[pyclass(frozen, module = "palmette._palmette")]
struct ArrowOwner {
    _imported: Arc<Imported>,
}

/// The numbers of a column as a numpy array; nothing where the object offers no numbers. `what` is
/// the argument.
#[pyfunction]
pub(crate) fn arrow_numbers<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(imported) = Imported::new(object)? else { return Ok(None) };
    let imported = Arc::new(imported);
    let wrong = |text: &str| value_error(format!("{what}: {text}"));
    let mut columns = imported.columns().map_err(wrong)?;
    if imported.is_table() && !is_table(object)? {
        let names: Vec<_> = columns.iter().map(|(field, _)| format!("`{}`", field.name)).collect();
        let (fields, names) = (if names.len() == 1 { "field" } else { "fields" }, names.join(", "));
        let found = format!("found a struct with the {fields} {names}; pass a field");
        return Err(wrong(&format!("expected a column of numbers, {found}")));
    }
    if imported.is_table() && columns.len() != 1 {
        return Err(wrong(&format!("expected one column, found {}", columns.len())));
    }
    let Some((field, chunks)) = columns.pop() else { return Ok(None) };
    let ColumnKind::Number(kind) = field.kind else { return Ok(None) };
    let mut first = 0;
    for chunk in &chunks {
        if let Some(row) = chunk.first_null(0..chunk.rows()) {
            return Err(wrong(&format!("expected numbers, found null at {}", first + row)));
        }
        first += chunk.rows();
    }
    let pieces: Vec<&[u8]> =
        chunks.iter().filter_map(|chunk| chunk.numbers()).map(|(_, bytes)| bytes).collect();
    let owner = ArrowOwner { _imported: imported.clone() };
    Ok(Some(match kind {
        NumberKind::I8 => array(py, owner, &pieces, i8::from_le_bytes),
        NumberKind::I16 => array(py, owner, &pieces, i16::from_le_bytes),
        NumberKind::I32 => array(py, owner, &pieces, i32::from_le_bytes),
        NumberKind::I64 => array(py, owner, &pieces, i64::from_le_bytes),
        NumberKind::U8 => array(py, owner, &pieces, u8::from_le_bytes),
        NumberKind::U16 => array(py, owner, &pieces, u16::from_le_bytes),
        NumberKind::U32 => array(py, owner, &pieces, u32::from_le_bytes),
        NumberKind::U64 => array(py, owner, &pieces, u64::from_le_bytes),
        NumberKind::F32 => array(py, owner, &pieces, f32::from_le_bytes),
        NumberKind::F64 => array(py, owner, &pieces, f64::from_le_bytes),
    }?))
}

/// Whether an object is a table. Arrow hands out tables and columns of structs as the same; but a table
/// has names of columns, or a schema.
fn is_table(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    for name in ["columns", "column_names", "schema"] {
        if object.hasattr(name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// An array that lends one piece of bytes, or has several of them joined.
fn array<'py, T: Element + Copy, const W: usize>(
    py: Python<'py>,
    owner: ArrowOwner,
    pieces: &[&[u8]],
    number: fn([u8; W]) -> T,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: numbers of these types may have any bits.
    let parts = pieces.first().map(|piece| unsafe { piece.align_to::<T>() });
    if let (1, Some(([], numbers, []))) = (pieces.len(), parts) {
        let owner = Bound::new(py, owner)?.into_any();
        // SAFETY: the owner keeps the numbers where they are, and the array is its keeper.
        let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(numbers), owner) };
        // Their library may share them with others.
        array.readwrite().make_nonwriteable();
        return Ok(array.into_any());
    }
    let numbers = pieces.iter().flat_map(|piece| piece.as_chunks::<W>().0);
    Ok(PyArray1::from_vec(py, numbers.map(|&bytes| number(bytes)).collect()).into_any())
}
