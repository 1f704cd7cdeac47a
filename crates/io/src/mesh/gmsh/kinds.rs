//! Gmsh's numbers for kinds of elements.

use palmette_core::mesh::ElementKind;

/// The kind with a number, or what to say about the number.
pub(super) fn kind(number: i64) -> Result<ElementKind, String> {
    let higher = |order: &str, kind: &str| {
        Err(format!("type {number}, a {order}-order {kind}, which is not supported"))
    };
    if let Some(known) = KINDS.iter().find(|known| i64::from(known.1) == number) {
        return Ok(known.0);
    }
    match number {
        8 => higher("second", "line"),
        9 => higher("second", "triangle"),
        10 | 16 => higher("second", "quadrilateral"),
        11 => higher("second", "tetrahedron"),
        12 | 17 => higher("second", "hexahedron"),
        13 | 18 => higher("second", "prism"),
        14 | 19 => higher("second", "pyramid"),
        20 | 21 => higher("third", "triangle"),
        22..=25 => higher("higher", "triangle"),
        26 => higher("third", "line"),
        27 | 28 => higher("higher", "line"),
        29 => higher("third", "tetrahedron"),
        30 | 31 => higher("higher", "tetrahedron"),
        92 => higher("third", "hexahedron"),
        93 => higher("higher", "hexahedron"),
        _ => Err(format!("type {number}, which is not known")),
    }
}

/// The numbers that Gmsh and VTK have for each kind, and Medit's keyword.
pub(in super::super) const KINDS: [(ElementKind, u8, u8, &[u8]); 8] = [
    (ElementKind::Point, 15, 1, b""),
    (ElementKind::Line, 1, 3, b"Edges"),
    (ElementKind::Triangle, 2, 5, b"Triangles"),
    (ElementKind::Quadrilateral, 3, 9, b"Quadrilaterals"),
    (ElementKind::Tetrahedron, 4, 10, b"Tetrahedra"),
    (ElementKind::Hexahedron, 5, 12, b"Hexahedra"),
    (ElementKind::Prism, 6, 13, b"Prisms"),
    (ElementKind::Pyramid, 7, 14, b"Pyramids"),
];

/// The numbers of a kind: Gmsh's and VTK's.
pub(in super::super) fn numbers(kind: ElementKind) -> (u8, u8) {
    let (_, gmsh, vtk, _) = KINDS.into_iter().find(|known| known.0 == kind).unwrap_or(KINDS[0]);
    (gmsh, vtk)
}

/// What a message says was expected.
pub(super) const EXPECTED: &str =
    "a first-order point, line, triangle, quadrilateral, tetrahedron, hexahedron, prism or pyramid";
