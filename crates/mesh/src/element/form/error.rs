//! Errors of assembly: unsupported or inverted elements, unknown groups, values that are not
//! finite.

use crate::spmv::MOST_ENTRIES;
use palmette_core::mesh::{ElementKind, Point};
use palmette_core::named::nearest;
use thiserror::Error;

/// Why there is no matrix or no vector. Elements count from 1.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FormError {
    /// An element of a kind that has no shape functions here.
    #[error(
        "element {element} is a {kind}; only triangles, quadrilaterals, tetrahedra and hexahedra \
        are supported"
    )]
    Kind { element: usize, kind: ElementKind },
    /// A plane element that does not lie in a plane `z = const`.
    #[error(
        "element {element}, a {kind}, does not lie in a plane z = const: z is {} to {}; \
         surfaces in space are not supported", z[0], z[1]
    )]
    Space { element: usize, kind: ElementKind, z: [f64; 2] },
    /// An element that runs around unlike the first one, or that is folded or flat.
    #[error(
        "element {element}, a {kind}, is inverted or folded: its {measure} is {value:e} and its \
         Jacobian determinant is as low as {least:e}, relative to the orientation of element 1"
    )]
    Inverted { element: usize, kind: ElementKind, measure: &'static str, value: f64, least: f64 },
    /// A matrix with more entries than are counted.
    #[error(
        "a matrix has {entries} entries, more than {MOST_ENTRIES}; cut the mesh into more \
        parts"
    )]
    TooLarge { entries: usize },
    /// A name that no physical group has.
    #[error("no physical group `{name}`; {}", known_groups(name, existing))]
    NoSuchGroup { name: String, existing: Vec<String> },
    /// A group without anything in it.
    #[error("the physical group `{name}` has no elements")]
    EmptyGroup { name: String },
    /// A group of the wrong dimension for its use.
    #[error(
        "the physical group `{name}` has no elements of dimension {expected}, which {what} needs"
    )]
    GroupDimension { name: String, what: &'static str, expected: u8 },
    /// A coefficient by group says nothing about an element's.
    #[error(
        "element {element} is in {}; the coefficient is given for {} only",
        group.as_ref().map_or("no physical group".to_string(), |name| format!("group `{name}`")),
        named.join(", ")
    )]
    Uncovered { element: usize, group: Option<String>, named: Vec<String> },
    /// A value is NaN or infinite.
    #[error("{what} is {value} at ({}, {}, {}); it must be finite", point[0], point[1], point[2])]
    NotFinite { what: &'static str, value: f64, point: Point },
    /// A form is multiplied by no finite number.
    #[error("a form is multiplied by {0}, which is not finite")]
    Factor(f64),
    /// Poisson's ratio makes the material unstable.
    #[error("Poisson's ratio is {value}; it must be above -1 and below {limit}")]
    Poisson { value: f64, limit: f64 },
    /// Plane stress in a solid.
    #[error("plane stress needs a plane mesh; this one is of dimension 3")]
    PlaneStress,
    /// Another number of values or components than there should be.
    #[error("{what}: {found}; expected {expected}")]
    Count { what: &'static str, expected: usize, found: usize },
    /// A component that nodes do not have.
    #[error(
        "group `{group}` has no component {component}: nodes have {components}, counted from \
        0"
    )]
    NoSuchComponent { group: String, component: usize, components: usize },
    /// More unknowns than indices.
    #[error("{nodes} nodes with {components} components; at most {} unknowns", u32::MAX)]
    TooMany { nodes: usize, components: usize },
}

fn known_groups(name: &str, existing: &[String]) -> String {
    match nearest(name, existing.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if existing.is_empty() => "the mesh has none".to_string(),
        None => format!("the mesh has {}", existing.join(", ")),
    }
}
