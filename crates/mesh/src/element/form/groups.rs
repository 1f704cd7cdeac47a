//! Finds physical groups by name; a group without a name is called by its tag.

use super::FormError;
use palmette_core::Mesh;
use palmette_core::mesh::{Cells, Group};
use std::collections::BTreeSet;

/// A dimension and a tag: what elements of one group have in common.
pub(super) type Mark = (u8, i32);

/// The marks of all groups with a name; several when dimensions share it.
pub(super) fn find(mesh: &Mesh, name: &str) -> Result<Vec<Mark>, FormError> {
    let named = mesh.groups().iter().filter(|group| label(group) == name);
    let mut found: Vec<Mark> = named.map(|group| (group.dimension, group.tag)).collect();
    if found.is_empty() && name.parse::<i32>().is_ok() {
        let bare = undeclared(mesh).into_iter();
        found.extend(bare.filter(|mark| mark.1.to_string() == name));
    }
    if found.is_empty() {
        return Err(FormError::NoSuchGroup { name: name.to_string(), existing: labels(mesh) });
    }
    Ok(found)
}

/// How the group of elements with a mark is called, if there is one.
pub(super) fn name_of(mesh: &Mesh, mark: Mark) -> Option<String> {
    let group = mesh.groups().iter().find(|group| (group.dimension, group.tag) == mark);
    group.map(label).or((mark.1 != 0).then(|| mark.1.to_string()))
}

/// The elements, on the boundary and inside, with one of some marks.
pub(super) fn cells<'a>(
    mesh: &'a Mesh,
    marks: &'a [Mark],
) -> impl Iterator<Item = (&'a Cells, usize)> {
    // A part asks for boundary elements only and need not look at all others.
    let inside = marks.iter().any(|mark| mark.0 == mesh.dimension());
    let all = std::iter::once(mesh.boundary()).chain(inside.then(|| mesh.elements()));
    all.flat_map(|cells| (0..cells.len()).map(move |cell| (cells, cell)))
        .filter(|&(cells, cell)| marks.contains(&mark(cells, cell)))
}

fn mark(cells: &Cells, cell: usize) -> Mark {
    (cells.kind(cell).dimension(), cells.tag(cell))
}

fn label(group: &Group) -> String {
    if group.name.is_empty() { group.tag.to_string() } else { group.name.clone() }
}

/// Marks of elements whose group is not listed.
fn undeclared(mesh: &Mesh) -> BTreeSet<Mark> {
    let all = [mesh.boundary(), mesh.elements()].into_iter();
    let mut marks: BTreeSet<Mark> =
        all.flat_map(|cells| (0..cells.len()).map(move |cell| mark(cells, cell))).collect();
    let declared: Vec<Mark> = mesh.groups().iter().map(|g| (g.dimension, g.tag)).collect();
    marks.retain(|mark| mark.1 != 0 && !declared.contains(mark));
    marks
}

fn labels(mesh: &Mesh) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    let bare = undeclared(mesh).into_iter().map(|mark| mark.1.to_string());
    for label in mesh.groups().iter().map(label).chain(bare) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}
