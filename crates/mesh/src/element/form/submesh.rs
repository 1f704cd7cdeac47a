//! A submesh: some elements of a mesh with local numbers for their nodes, and which nodes it owns.

use palmette_core::{Lists, Mesh, NONE};

/// Some elements of a mesh, their nodes numbered in any order, and which of the nodes are
/// owned: counted here and in no other submesh.
///
/// ```
/// use palmette_mesh::element::Submesh;
/// use palmette_mesh::shapes::generate;
/// let squares = generate("grid:1x2".parse()?, 1)?;
/// // The right one of two squares; the left one owns the nodes between.
/// let right = Submesh::new(&squares, &[1], &[1, 4, 2, 5], &[false, false, true, true]);
/// assert_eq!(right.corners(0), [0, 2, 3, 1]);
/// # Ok::<(), palmette_mesh::shapes::MeshShapeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Submesh<'a> {
    mesh: &'a Mesh,
    elements: Vec<u32>,
    nodes: Vec<u32>,
    owned: Vec<bool>,
    /// By place of an element here: its corners.
    corners: Lists,
}

impl<'a> Submesh<'a> {
    /// The elements `elements` of a mesh; node `nodes[i]` of the mesh has number `i` here and
    /// is owned if `owned[i]`. All from 0. Linear in elements and nodes given.
    ///
    /// # Panics
    /// When an element or node is not in the mesh, when `nodes` lacks a node of an element or
    /// has one twice, or when `owned` has another length: bugs in the calling program.
    pub fn new(mesh: &'a Mesh, elements: &[u32], nodes: &[u32], owned: &[bool]) -> Submesh<'a> {
        assert_eq!(owned.len(), nodes.len(), "whether each node is owned");
        let numbers = Numbers::new(mesh, nodes);
        let numbers = &numbers;
        let corners = Lists::of_rows(elements.iter().map(|&element| {
            let local = move |&node: &u32| {
                numbers.of(node).unwrap_or_else(|| panic!("node {node} of element {element}"))
            };
            mesh.elements().nodes(element as usize).iter().map(local)
        }));
        let (nodes, owned) = (nodes.to_vec(), owned.to_vec());
        Submesh { mesh, elements: elements.to_vec(), nodes, owned, corners }
    }

    /// All elements and nodes with their own numbers. A node that no element uses is one too: its
    /// row has nothing but a 0 on the diagonal, unless it is fixed.
    pub fn whole(mesh: &'a Mesh) -> Submesh<'a> {
        let (elements, nodes) = (mesh.elements().len(), mesh.points().len());
        Submesh {
            mesh,
            elements: (0..elements as u32).collect(),
            nodes: (0..nodes as u32).collect(),
            owned: vec![true; nodes],
            corners: Lists::of_rows(mesh.elements().iter().map(|nodes| nodes.iter().copied())),
        }
    }

    /// The mesh.
    pub fn mesh(&self) -> &'a Mesh {
        self.mesh
    }

    /// By place here: the element of the mesh.
    pub fn elements(&self) -> &[u32] {
        &self.elements
    }

    /// By number here: the node of the mesh.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// By number here: whether the node is owned.
    pub fn owned(&self) -> &[bool] {
        &self.owned
    }

    /// The numbers here of the nodes of an element, given by its place here.
    ///
    /// # Panics
    /// When there is no such place.
    #[inline]
    pub fn corners(&self, place: usize) -> &[u32] {
        self.corners.of(place as u32)
    }

    /// From nodes of the mesh to numbers here.
    pub(super) fn numbers(&self) -> Numbers {
        Numbers::new(self.mesh, &self.nodes)
    }
}

/// Local numbers by node of the mesh. Memory is touched only where nodes are.
pub(super) struct Numbers {
    /// One more than the number, 0 for none: fresh zero pages cost nothing.
    next: Vec<u32>,
}

impl Numbers {
    fn new(mesh: &Mesh, nodes: &[u32]) -> Numbers {
        assert!(nodes.len() < NONE as usize, "numbers of nodes");
        let mut next = vec![0u32; mesh.points().len()];
        for (i, &node) in nodes.iter().enumerate() {
            assert_eq!(next[node as usize], 0, "node {node} twice");
            next[node as usize] = i as u32 + 1;
        }
        Numbers { next }
    }

    /// The local number of a node, if it has one.
    #[inline]
    pub(super) fn of(&self, node: u32) -> Option<u32> {
        self.next[node as usize].checked_sub(1)
    }
}
