//! Unit squares and cubes in rows, whole or cut.
//!
//! **Method.** Nodes are numbered along x first, then y, then z. Squares are cut along the
//! diagonal from their first corner; cubes into the six tetrahedra that walk from the first
//! corner to the last along the axes in each order. So cuts of neighbours agree. All elements
//! are in the group `body`; sides of the whole are groups with their names (`left`, `right`,
//! `bottom`, `top`, and for cubes `front` and `back`).

use super::sides::{BODY, with_sides};
use palmette_core::mesh::{Cells, ElementKind, Point};
use palmette_core::{Mesh, MeshError};

/// `rows` times `columns` unit squares, each cut into two triangles if `cut`.
///
/// # Errors
/// Too many nodes or elements.
pub fn squares(rows: usize, columns: usize, cut: bool) -> Result<Mesh, MeshError> {
    let width = columns as u32 + 1;
    let mut nodes = Vec::with_capacity(rows * columns * if cut { 6 } else { 4 });
    for row in 0..rows as u32 {
        for column in 0..columns as u32 {
            let a = row * width + column;
            let (b, c, d) = (a + 1, a + 1 + width, a + width);
            if cut {
                nodes.extend([a, b, c, a, c, d]);
            } else {
                nodes.extend([a, b, c, d]);
            }
        }
    }
    let kind = if cut { ElementKind::Triangle } else { ElementKind::Quadrilateral };
    with_sides(Mesh::new(lattice([columns, rows, 0]), Cells::of_kind(kind, nodes, BODY))?)
}

/// Unit cubes, so many along each axis, each cut into six tetrahedra if `cut`.
///
/// # Errors
/// Too many nodes or elements.
pub fn cubes(sides: [usize; 3], cut: bool) -> Result<Mesh, MeshError> {
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let steps = [1, sides[0] as u32 + 1, (sides[0] as u32 + 1) * (sides[1] as u32 + 1)];
    let mut nodes = Vec::with_capacity(sides.iter().product::<usize>() * if cut { 24 } else { 8 });
    for z in 0..sides[2] as u32 {
        for y in 0..sides[1] as u32 {
            for x in 0..sides[0] as u32 {
                let a = x + y * steps[1] + z * steps[2];
                if !cut {
                    let bottom = [a, a + 1, a + 1 + steps[1], a + steps[1]];
                    nodes.extend(bottom);
                    nodes.extend(bottom.map(|node| node + steps[2]));
                    continue;
                }
                for (i, order) in ORDERS.iter().enumerate() {
                    let (b, d) = (a + steps[order[0]], a + steps.iter().sum::<u32>());
                    let c = b + steps[order[1]];
                    // Odd orders of the axes walk the other way around.
                    nodes.extend(if i < 3 { [a, b, c, d] } else { [a, c, b, d] });
                }
            }
        }
    }
    let kind = if cut { ElementKind::Tetrahedron } else { ElementKind::Hexahedron };
    with_sides(Mesh::new(lattice(sides), Cells::of_kind(kind, nodes, BODY))?)
}

/// The corners of so many unit cells along each axis.
fn lattice(sides: [usize; 3]) -> Vec<Point> {
    let along = |x: usize, y: usize, z: usize| [x as f64, y as f64, z as f64];
    (0..=sides[2])
        .flat_map(|z| (0..=sides[1]).map(move |y| (y, z)))
        .flat_map(|(y, z)| (0..=sides[0]).map(move |x| along(x, y, z)))
        .collect()
}
