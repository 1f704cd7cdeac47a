//! A mesh with elements of every kind.

use palmette_core::Mesh;
use palmette_core::mesh::{Cells, ElementKind, Group};

/// A cube, a prism, a pyramid and a tetrahedron, faces, a line and a point, two groups.
pub(crate) fn zoo() -> Mesh {
    let points = [
        [0, 0, 0],
        [2, 0, 0],
        [2, 2, 0],
        [0, 2, 0],
        [0, 0, 2],
        [2, 0, 2],
        [2, 2, 2],
        [0, 2, 2],
        [3, 1, 0],
        [3, 1, 2],
        [9, 9, 9],
        [1, 1, 3],
        [1, -2, 3],
    ];
    let points = points.map(|p| p.map(|x| f64::from(x) / 3.0)).to_vec();
    let mut cells = Cells::default();
    cells.push(ElementKind::Hexahedron, &[0, 1, 2, 3, 4, 5, 6, 7], 1);
    cells.push(ElementKind::Prism, &[1, 8, 2, 5, 9, 6], 1);
    cells.push(ElementKind::Pyramid, &[4, 5, 6, 7, 11], 0);
    cells.push(ElementKind::Tetrahedron, &[4, 5, 11, 12], 1);
    let mut boundary = Cells::default();
    boundary.push(ElementKind::Quadrilateral, &[0, 1, 2, 3], 4);
    boundary.push(ElementKind::Triangle, &[1, 8, 2], 4);
    boundary.push(ElementKind::Line, &[0, 1], 5);
    boundary.push(ElementKind::Point, &[10], 0);
    let group = |dimension, tag, name: &str| Group { dimension, tag, name: name.to_string() };
    let groups = vec![group(3, 1, "the body"), group(2, 4, "")];
    Mesh::new(points, cells).unwrap().with_groups(boundary, groups).unwrap()
}
