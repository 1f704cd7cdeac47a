//! The elements of a mesh, of any mixture of kinds.
//!
//! **Form.** Compressed rows: the nodes of all elements one after another, and where each element
//! begins.

use super::MeshError;
use rayon::prelude::*;
use std::fmt;

/// What an element is. Nodes are in Gmsh's order; VTK's differs for prisms only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElementKind {
    /// One node.
    Point,
    /// Two nodes.
    Line,
    /// Three nodes.
    Triangle,
    /// Four nodes around.
    Quadrilateral,
    /// Four nodes.
    Tetrahedron,
    /// Eight nodes: around the bottom, then around the top.
    Hexahedron,
    /// Six nodes: a triangle at the bottom, a triangle at the top.
    Prism,
    /// Five nodes: around the base, then the apex.
    Pyramid,
}

impl ElementKind {
    /// The element of dimension 2 or 3 that has so many nodes; four are a quadrilateral in the plane,
    /// else a tetrahedron.
    pub const fn of_nodes(nodes: usize, plane: bool) -> Option<ElementKind> {
        match nodes {
            3 => Some(ElementKind::Triangle),
            4 if plane => Some(ElementKind::Quadrilateral),
            4 => Some(ElementKind::Tetrahedron),
            5 => Some(ElementKind::Pyramid),
            6 => Some(ElementKind::Prism),
            8 => Some(ElementKind::Hexahedron),
            _ => None,
        }
    }

    /// The number of nodes.
    pub const fn nodes(self) -> usize {
        match self {
            ElementKind::Point => 1,
            ElementKind::Line => 2,
            ElementKind::Triangle => 3,
            ElementKind::Quadrilateral | ElementKind::Tetrahedron => 4,
            ElementKind::Pyramid => 5,
            ElementKind::Prism => 6,
            ElementKind::Hexahedron => 8,
        }
    }

    /// The dimension of the space it fills.
    pub const fn dimension(self) -> u8 {
        match self {
            ElementKind::Point => 0,
            ElementKind::Line => 1,
            ElementKind::Triangle | ElementKind::Quadrilateral => 2,
            _ => 3,
        }
    }

    /// The faces of a solid element, their nodes around; the edges of a plane one; all seen
    /// from outside in one sense.
    pub const fn faces(self) -> &'static [&'static [u8]] {
        match self {
            ElementKind::Point => &[],
            ElementKind::Line => &[&[0], &[1]],
            ElementKind::Triangle => &[&[0, 1], &[1, 2], &[2, 0]],
            ElementKind::Quadrilateral => &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
            ElementKind::Tetrahedron => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
            ElementKind::Hexahedron => &[
                &[0, 3, 2, 1],
                &[4, 5, 6, 7],
                &[0, 1, 5, 4],
                &[1, 2, 6, 5],
                &[2, 3, 7, 6],
                &[3, 0, 4, 7],
            ],
            ElementKind::Prism => {
                &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]]
            }
            ElementKind::Pyramid => {
                &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]]
            }
        }
    }
}

impl fmt::Display for ElementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ElementKind::Point => "point",
            ElementKind::Line => "line",
            ElementKind::Triangle => "triangle",
            ElementKind::Quadrilateral => "quadrilateral",
            ElementKind::Tetrahedron => "tetrahedron",
            ElementKind::Hexahedron => "hexahedron",
            ElementKind::Prism => "prism",
            ElementKind::Pyramid => "pyramid",
        })
    }
}

/// Elements of any mixture of kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    kinds: Vec<ElementKind>,
    /// By element: where its nodes begin; one more for the end.
    offsets: Vec<usize>,
    nodes: Vec<u32>,
    /// By element: the tag of its physical group, 0 for none.
    tags: Vec<i32>,
}

impl Default for Cells {
    fn default() -> Self {
        Cells { kinds: Vec::new(), offsets: vec![0], nodes: Vec::new(), tags: Vec::new() }
    }
}

impl Cells {
    /// No elements yet, with memory for some elements and the nodes of all of them.
    pub fn with_capacity(elements: usize, nodes: usize) -> Cells {
        let mut offsets = Vec::with_capacity(elements + 1);
        offsets.push(0);
        Cells {
            kinds: Vec::with_capacity(elements),
            offsets,
            nodes: Vec::with_capacity(nodes),
            tags: Vec::with_capacity(elements),
        }
    }

    /// Elements of one kind, their nodes one after another, all with one tag.
    ///
    /// # Panics
    /// If the number of nodes is not a multiple of the kind's.
    pub fn of_kind(kind: ElementKind, nodes: Vec<u32>, tag: i32) -> Cells {
        assert_eq!(nodes.len() % kind.nodes(), 0, "nodes of a {kind}");
        let count = nodes.len() / kind.nodes();
        let offsets = (0..=count).map(|e| e * kind.nodes()).collect();
        Cells { kinds: vec![kind; count], offsets, nodes, tags: vec![tag; count] }
    }

    /// Adds the elements of others after its own.
    pub fn append(&mut self, others: &Cells) {
        let before = self.nodes.len();
        self.kinds.extend_from_slice(&others.kinds);
        self.nodes.extend_from_slice(&others.nodes);
        self.offsets.extend(others.offsets[1..].iter().map(|end| end + before));
        self.tags.extend_from_slice(&others.tags);
    }

    /// Adds an element with the tag of its physical group, 0 for none.
    ///
    /// # Panics
    /// When the number of nodes is not that of the kind.
    pub fn push(&mut self, kind: ElementKind, nodes: &[u32], tag: i32) {
        assert_eq!(nodes.len(), kind.nodes(), "nodes of a {kind}");
        self.kinds.push(kind);
        self.nodes.extend_from_slice(nodes);
        self.offsets.push(self.nodes.len());
        self.tags.push(tag);
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// What an element is.
    ///
    /// # Panics
    /// If it is not an element.
    #[inline]
    pub fn kind(&self, element: usize) -> ElementKind {
        self.kinds[element]
    }

    /// The nodes of an element.
    ///
    /// # Panics
    /// If it is not an element.
    #[inline]
    pub fn nodes(&self, element: usize) -> &[u32] {
        &self.nodes[self.offsets[element]..self.offsets[element + 1]]
    }

    /// The tag of an element's physical group, 0 for none.
    ///
    /// # Panics
    /// If it is not an element.
    pub fn tag(&self, element: usize) -> i32 {
        self.tags[element]
    }

    /// By element, where its nodes begin; one more for the end.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The nodes of all elements, one after another.
    pub fn all_nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The nodes of every element.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        self.offsets.windows(2).map(|w| &self.nodes[w[0]..w[1]])
    }

    /// Every element names nodes that are there, and each once.
    pub(super) fn check(&self, nodes: usize) -> Result<(), MeshError> {
        let wrong = |element: usize| {
            let named = self.nodes(element);
            named.iter().enumerate().find_map(|(i, &node)| {
                if node as usize >= nodes {
                    Some(MeshError::NodeOutOfRange { element, node, nodes })
                } else if named[..i].contains(&node) {
                    Some(MeshError::NodeTwice { element, node })
                } else {
                    None
                }
            })
        };
        (0..self.len()).into_par_iter().find_map_first(wrong).map_or(Ok(()), Err)
    }
}
