//! Gmsh's numbers for kinds of elements.

use palmette_core::mesh::ElementKind;

/// The kind with a number, or what to say about the number.
pub(super) fn kind(number: i64) -> Result<ElementKind, String> {
    let higher = |order: &str, kind: &str| {
        Err(format!("type {number}, a {order}-order {kind}, which is not supported"))
    };
    match number {
        1 => Ok(ElementKind::Line),
        2 => Ok(ElementKind::Triangle),
        3 => Ok(ElementKind::Quadrilateral),
        4 => Ok(ElementKind::Tetrahedron),
        5 => Ok(ElementKind::Hexahedron),
        6 => Ok(ElementKind::Prism),
        7 => Ok(ElementKind::Pyramid),
        15 => Ok(ElementKind::Point),
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

/// The number of a kind.
pub(in super::super) fn number(kind: ElementKind) -> u32 {
    match kind {
        ElementKind::Line => 1,
        ElementKind::Triangle => 2,
        ElementKind::Quadrilateral => 3,
        ElementKind::Tetrahedron => 4,
        ElementKind::Hexahedron => 5,
        ElementKind::Prism => 6,
        ElementKind::Pyramid => 7,
        _ => 15,
    }
}

/// What a message says was expected.
pub(super) const EXPECTED: &str =
    "a first-order point, line, triangle, quadrilateral, tetrahedron, hexahedron, prism or pyramid";
