//! VTK's legacy format, version 3.0: an unstructured grid of the elements.
//!
//! **Reference.** *VTK file formats*, "Simple legacy formats". Binary data have their
//! highest byte first.

use super::{Field, FieldValues, Fields, padded, put_point, vtk_nodes, vtk_type};
use crate::write::{blocks, invalid, put_float, put_number};
use palmette_core::Mesh;
use std::io::{self, Write};

/// How numbers of a legacy VTK file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VtkForm {
    /// As text.
    Text,
    /// As binary data.
    #[default]
    Binary,
}

/// Writes the elements of a mesh with fields. Blanks in names of fields become `_`, as the
/// format has names between blanks.
///
/// # Errors
/// When writing fails, or a field has not a number or a vector of up to three for each element
/// or node, or two have one name, or there are more numbers than its 32 bits count (`InvalidInput`).
pub fn write_vtk(
    out: &mut dyn Write,
    mesh: &Mesh,
    fields: &Fields<'_>,
    form: VtkForm,
) -> io::Result<()> {
    fields.check(mesh)?;
    let (points, cells) = (mesh.points(), mesh.elements());
    let numbers = cells.len() + cells.all_nodes().len();
    if i32::try_from(numbers.max(points.len())).is_err() {
        let message = format!("{numbers} numbers of nodes; this format counts up to {}", i32::MAX);
        return Err(invalid(message));
    }
    let name = if form == VtkForm::Text { "ASCII" } else { "BINARY" };
    writeln!(out, "# vtk DataFile Version 3.0\nmesh\n{name}\nDATASET UNSTRUCTURED_GRID")?;
    writeln!(out, "POINTS {} double", points.len())?;
    rows(out, points.len(), form, |i, bytes| match form {
        VtkForm::Text => put_point(bytes, &points[i]),
        VtkForm::Binary => points[i].iter().for_each(|x| bytes.extend(x.to_be_bytes())),
    })?;
    writeln!(out, "CELLS {} {numbers}", cells.len())?;
    let nodes = vtk_nodes(cells);
    rows(out, cells.len(), form, |i, bytes| {
        let nodes = &nodes[cells.offsets()[i]..cells.offsets()[i + 1]];
        put_int(bytes, nodes.len() as i32, form);
        for &node in nodes {
            if form == VtkForm::Text {
                bytes.push(b' ');
            }
            put_int(bytes, node as i32, form);
        }
    })?;
    writeln!(out, "CELL_TYPES {}", cells.len())?;
    rows(out, cells.len(), form, |i, bytes| {
        put_int(bytes, i32::from(vtk_type(cells.kind(i))), form);
    })?;
    data(out, "CELL_DATA", cells.len(), fields.cells, form)?;
    data(out, "POINT_DATA", points.len(), fields.points, form)
}

fn data(
    out: &mut dyn Write,
    what: &str,
    count: usize,
    fields: &[Field<'_>],
    form: VtkForm,
) -> io::Result<()> {
    if fields.is_empty() {
        return Ok(());
    }
    writeln!(out, "{what} {count}\nFIELD FieldData {}", fields.len())?;
    for field in fields {
        let name = field.name.replace(char::is_whitespace, "_");
        let (kind, written) = match field.values {
            FieldValues::I32(_) => ("int", 1),
            _ => ("double", field.values.written()),
        };
        writeln!(out, "{name} {written} {count} {kind}")?;
        rows(out, count, form, |i, bytes| match field.values {
            FieldValues::I32(values) => put_int(bytes, values[i], form),
            FieldValues::F64(values) => put_double(bytes, values[i], form),
            FieldValues::Vectors { values, components } => {
                for k in 0..written {
                    if k > 0 && form == VtkForm::Text {
                        bytes.push(b' ');
                    }
                    put_double(bytes, padded(values, components, written * i + k), form);
                }
            }
        })?;
    }
    Ok(())
}

/// Lines of text, or binary data and an end of a line.
fn rows(
    out: &mut dyn Write,
    n: usize,
    form: VtkForm,
    put: impl Fn(usize, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    match form {
        VtkForm::Binary => {
            blocks(out, n, put)?;
            writeln!(out)
        }
        VtkForm::Text => blocks(out, n, |i, bytes| {
            put(i, bytes);
            bytes.push(b'\n');
        }),
    }
}

fn put_int(bytes: &mut Vec<u8>, number: i32, form: VtkForm) {
    match form {
        VtkForm::Text => put_number(bytes, number),
        VtkForm::Binary => bytes.extend(number.to_be_bytes()),
    }
}

fn put_double(bytes: &mut Vec<u8>, number: f64, form: VtkForm) {
    match form {
        VtkForm::Text => put_float(bytes, number),
        VtkForm::Binary => bytes.extend(number.to_be_bytes()),
    }
}
