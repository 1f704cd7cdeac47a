//! Writers of meshes.
//!
//! | format | fields | read back by |
//! |---|---|---|
//! | [`write_gmsh`]: MSH 2.2, text | | [`crate::read_mesh`] |
//! | [`write_metis_mesh`] | | [`crate::read_mesh`] |
//! | [`write_vtu`]: VTK's XML, base64 | of elements and nodes | ParaView, meshio |
//! | [`write_pvd`]: a series of such files | | ParaView |
//! | [`write_vtk`]: VTK's legacy format, text or binary | of elements and nodes | ParaView, meshio |
//!
//! **Method.** As in [`crate::write_table`]: blocks are formatted in parallel and written in
//! order, floats as the shortest decimal that reads back to the same number.

mod gmsh;
mod pvd;
mod vtk;
mod vtu;

pub use gmsh::{write_gmsh, write_metis_mesh};
pub use pvd::write_pvd;
pub use vtk::{VtkForm, write_vtk};
pub use vtu::write_vtu;

use crate::write::{invalid, put_all, put_float};
use palmette_core::Mesh;
use palmette_core::mesh::{Cells, ElementKind};
use std::borrow::Cow;
use std::io;

/// Numbers or vectors of elements or of nodes, one each, with a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field<'a> {
    /// The name that viewers show.
    pub name: &'a str,
    /// The numbers.
    pub values: FieldValues<'a>,
}

/// The numbers of a [`Field`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum FieldValues<'a> {
    /// Integers.
    I32(&'a [i32]),
    /// Double precision.
    F64(&'a [f64]),
    /// Vectors in double precision.
    Vectors {
        /// Those of the first, of the second, and so on, one vector after another.
        values: &'a [f64],
        /// Numbers of a vector: one, two or three. Two are written as three, the last 0, since
        /// viewers take only such for vectors.
        components: usize,
    },
}

/// The fields of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Fields<'a> {
    /// A number or a vector an element each.
    pub cells: &'a [Field<'a>],
    /// A number or a vector a node each.
    pub points: &'a [Field<'a>],
}

impl FieldValues<'_> {
    fn len(&self) -> usize {
        match self {
            FieldValues::I32(values) => values.len(),
            FieldValues::F64(values) | FieldValues::Vectors { values, .. } => values.len(),
        }
    }

    /// Numbers that each element or node has.
    fn components(&self) -> usize {
        match self {
            FieldValues::Vectors { components, .. } => *components,
            _ => 1,
        }
    }

    /// Numbers that are written for each.
    fn written(&self) -> usize {
        if self.components() == 2 { 3 } else { self.components() }
    }
}

/// Number `i` of those that are written of vectors of so many components.
fn padded(values: &[f64], components: usize, i: usize) -> f64 {
    match components {
        2 => values[i / 3 * 2..i / 3 * 2 + 2].get(i % 3).copied().unwrap_or(0.0),
        _ => values[i],
    }
}

impl Fields<'_> {
    /// Every field has a number or a vector for each element or node, and a name that differs
    /// from those of its like.
    fn check(&self, mesh: &Mesh) -> io::Result<()> {
        let wrong = |message: String| Err(invalid(message));
        let (elements, nodes) = (mesh.elements().len(), mesh.points().len());
        for (fields, count, what) in
            [(self.cells, elements, "elements"), (self.points, nodes, "nodes")]
        {
            for (i, field) in fields.iter().enumerate() {
                let (name, length) = (field.name, field.values.len());
                let components = field.values.components();
                if !(1..=3).contains(&components) {
                    let found = format!("has {components} components; 1 to 3 are supported");
                    return wrong(format!("field {name} {found}"));
                }
                if Some(length) != count.checked_mul(components) {
                    let of =
                        if components > 1 { format!(" of {components}") } else { String::new() };
                    return wrong(format!(
                        "field {name} has {length} numbers for {count} {what}{of}"
                    ));
                }
                if name.is_empty() || fields[..i].iter().any(|other| other.name == name) {
                    return wrong(format!("field `{name}`: the name is already used"));
                }
            }
        }
        Ok(())
    }
}

fn vtk_type(kind: ElementKind) -> u8 {
    super::gmsh::kind_numbers(kind).1
}

/// The nodes of all elements, one after another, in VTK's order: the triangles of a prism are
/// walked the other way around.
fn vtk_nodes(cells: &Cells) -> Cow<'_, [u32]> {
    let mut nodes = Cow::Borrowed(cells.all_nodes());
    for prism in (0..cells.len()).filter(|&i| cells.kind(i) == ElementKind::Prism) {
        let first = cells.offsets()[prism];
        nodes.to_mut().swap(first + 1, first + 2);
        nodes.to_mut().swap(first + 4, first + 5);
    }
    nodes
}

fn put_point(out: &mut Vec<u8>, point: &[f64; 3]) {
    put_all(out, b' ', point, |out, &x| put_float(out, x));
}
