//! Meshes: points, and elements between them.
//!
//! **Form.** [`Cells`] are elements of any mixture of kinds, their nodes one after another:
//! 4 bytes per node, 13 per element. A [`Mesh`] has its elements of the highest dimension in
//! `elements`; what lies on their boundary (marked edges of a 2D mesh, faces of a 3D one) is
//! kept in `boundary`, with its physical groups, and no algorithm looks at it.
//!
//! A [`Mesh`] is checked once, when it is made; after that its arrays are trusted.

mod cells;
#[cfg(test)]
mod tests;

pub use cells::{Cells, ElementKind};

use rayon::prelude::*;
use thiserror::Error;

/// A point; the third coordinate of plane meshes is 0.
pub type Point = [f64; 3];

/// A physical group: a name for all elements that carry its tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The dimension of its elements.
    pub dimension: u8,
    /// The number that elements carry; not 0.
    pub tag: i32,
    /// Its name; empty when it has none.
    pub name: String,
}

/// Points and the elements between them.
///
/// ```
/// use palmette_core::mesh::{Cells, ElementKind, Mesh};
/// let points = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// let mut elements = Cells::default();
/// elements.push(ElementKind::Triangle, &[0, 1, 2], 0);
/// elements.push(ElementKind::Triangle, &[0, 2, 3], 0);
/// let mesh = Mesh::new(points, elements)?;
/// assert_eq!((mesh.dimension(), mesh.elements().len()), (2, 2));
/// assert_eq!(mesh.measure(0), 0.5);
/// # Ok::<(), palmette_core::mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    points: Vec<Point>,
    elements: Cells,
    boundary: Cells,
    groups: Vec<Group>,
}

/// Why points and elements do not form a mesh. Elements and nodes count from 0.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MeshError {
    /// A coordinate is NaN or infinite.
    #[error("node {node} has coordinate {value}; coordinates must be finite")]
    Coordinate { node: usize, value: f64 },
    /// An element names a node that is not there.
    #[error("element {element} names node {node}, but there are only {nodes} nodes")]
    NodeOutOfRange { element: usize, node: u32, nodes: usize },
    /// An element names a node twice.
    #[error("element {element} names node {node} twice")]
    NodeTwice { element: usize, node: u32 },
    /// An element has no area or no volume.
    #[error("element {element}, a {kind}, is flat or far too large: its {measure} is {value:e}")]
    Flat { element: usize, kind: ElementKind, measure: &'static str, value: f64 },
    /// Elements of different dimensions.
    #[error("element {element} is a {kind}, but this mesh has dimension {dimension}")]
    Dimension { element: usize, kind: ElementKind, dimension: u8 },
    /// More nodes or elements than `u32` indices.
    #[error("{count} {what}; at most {} are supported", crate::MAX_VERTICES)]
    TooMany { what: &'static str, count: usize },
}

impl Mesh {
    /// A mesh of elements that all have dimension 2 or all have dimension 3.
    ///
    /// # Errors
    /// See [`MeshError`].
    pub fn new(points: Vec<Point>, elements: Cells) -> Result<Mesh, MeshError> {
        for (what, count) in [("nodes", points.len()), ("elements", elements.len())] {
            if count > crate::MAX_VERTICES {
                return Err(MeshError::TooMany { what, count });
            }
        }
        for (node, point) in points.iter().enumerate() {
            if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
                return Err(MeshError::Coordinate { node, value });
            }
        }
        elements.check(points.len())?;
        let mesh = Mesh { points, elements, boundary: Cells::default(), groups: Vec::new() };
        mesh.check_shapes()?;
        Ok(mesh)
    }

    /// The same mesh with elements on its boundary and names for tags.
    ///
    /// # Errors
    /// Elements that name absent nodes or a node twice.
    pub fn with_groups(mut self, boundary: Cells, groups: Vec<Group>) -> Result<Mesh, MeshError> {
        boundary.check(self.points.len())?;
        (self.boundary, self.groups) = (boundary, groups);
        Ok(self)
    }

    /// Elements have one dimension and are not flat.
    fn check_shapes(&self) -> Result<(), MeshError> {
        let dimension = self.dimension();
        let wrong = |element: usize| {
            let kind = self.elements.kind(element);
            if kind.dimension() != dimension || dimension < 2 {
                return Some(MeshError::Dimension { element, kind, dimension: dimension.max(2) });
            }
            let value = self.measure(element);
            // Coordinates near the largest number make measures that are none.
            let flat = value <= self.rounding(element) || !value.is_finite();
            let measure = if dimension == 2 { "area" } else { "volume" };
            flat.then_some(MeshError::Flat { element, kind, measure, value })
        };
        (0..self.elements.len()).into_par_iter().find_map_first(wrong).map_or(Ok(()), Err)
    }

    /// What rounding may leave of the measure of a flat element.
    fn rounding(&self, element: usize) -> f64 {
        let nodes = self.elements.nodes(element);
        let first = self.points[nodes[0] as usize];
        let mut widest = 0.0_f64;
        let mut farthest = 0.0_f64;
        for &node in nodes {
            for (x, first) in self.points[node as usize].iter().zip(first) {
                widest = widest.max((x - first).abs());
                farthest = farthest.max(x.abs());
            }
        }
        let rest =
            if self.elements.kind(element).dimension() == 2 { widest } else { widest * widest };
        4.0 * f64::EPSILON * farthest.max(widest) * rest
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The elements.
    pub fn elements(&self) -> &Cells {
        &self.elements
    }

    /// What is kept of elements of lower dimension.
    pub fn boundary(&self) -> &Cells {
        &self.boundary
    }

    /// The physical groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The dimension of the elements: 2 or 3; 0 without elements.
    pub fn dimension(&self) -> u8 {
        if self.elements.is_empty() { 0 } else { self.elements.kind(0).dimension() }
    }

    /// Whether all points lie in the plane of the first two coordinates.
    pub fn is_plane(&self) -> bool {
        self.points.iter().all(|p| p[2] == 0.0)
    }

    /// The mean of the nodes of an element.
    ///
    /// # Panics
    /// If it is not an element.
    pub fn centroid(&self, element: usize) -> Point {
        let nodes = self.elements.nodes(element);
        let mut sum = [0.0; 3];
        for &node in nodes {
            for (sum, x) in sum.iter_mut().zip(self.points[node as usize]) {
                *sum += x;
            }
        }
        sum.map(|x| x / nodes.len() as f64)
    }

    /// The area or volume of an element, from its centroid and flat pieces of its faces.
    ///
    /// # Panics
    /// If it is not an element.
    pub fn measure(&self, element: usize) -> f64 {
        let nodes = self.elements.nodes(element);
        let point = |i: u8| self.points[nodes[i as usize] as usize];
        match self.elements.kind(element) {
            ElementKind::Point => 0.0,
            ElementKind::Line => norm(minus(point(1), point(0))),
            kind @ (ElementKind::Triangle | ElementKind::Quadrilateral) => {
                let mut area = [0.0; 3];
                for i in 2..kind.nodes() as u8 {
                    let piece = cross(minus(point(i - 1), point(0)), minus(point(i), point(0)));
                    area = plus(area, piece);
                }
                norm(area) / 2.0
            }
            kind => {
                let base = point(0);
                let mut volume = 0.0;
                for face in kind.faces() {
                    let a = minus(point(face[0]), base);
                    for pair in face[1..].windows(2) {
                        let (b, c) = (minus(point(pair[0]), base), minus(point(pair[1]), base));
                        volume += dot(a, cross(b, c));
                    }
                }
                volume.abs() / 6.0
            }
        }
    }
}

fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn norm(a: Point) -> f64 {
    dot(a, a).sqrt()
}
