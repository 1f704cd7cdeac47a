//! **Problem.** A mesh; out comes the network of conductors that its stiffness matrix describes:
//! nodes are vertices, and what joins two of them conducts `−K` with `K` their entry.
//!
//! **Method.** The stiffness matrix of conduction with coefficient 1, assembled; its positive
//! conductances are the edges. Opposite angles of more than 180 degrees in all give entries of
//! the other sign, right angles give zeros but for rounding: such pairs are left out and counted.
//!
//! **Cost.** That of the matrix and of the graph: linear.
//!
//! **Determinism.** The answer does not depend on the number of threads.
//!
//! **When not to use.** For finite elements themselves: what is left out is missing.
//! [`mod@super::form`] has whole matrices.

use super::form::{Assembler, Conditions, Form, FormError, Submesh};
use palmette_core::{Graph, Mesh};

/// Parts of the largest conductance that rounding leaves of a zero.
const ROUNDING: f64 = 1e-12;

/// A mesh as a network of conductors.
#[derive(Debug, Clone, PartialEq)]
pub struct Conductances {
    /// The network.
    pub graph: Graph,
    /// Pairs of nodes that share an element without a positive conductance.
    pub left_out: usize,
}

/// The network of conductors of a mesh; see the file.
///
/// ```
/// use palmette_mesh::element::conductance_graph;
/// use palmette_mesh::shapes::generate;
/// let plate = generate("triangles:2x3".parse()?, 1)?;
/// // The diagonals of six squares lie opposite right angles.
/// let found = conductance_graph(&plate)?;
/// assert_eq!((found.graph.edge_count(), found.left_out), (17, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Elements that finite elements do not support, or that are inverted.
pub fn conductance_graph(mesh: &Mesh) -> Result<Conductances, FormError> {
    let whole = Submesh::whole(mesh);
    let matrix = Assembler::new(&whole, &Conditions::none(1)?)?.matrix(&Form::stiffness(1.0))?;
    let largest = matrix.diagonal().into_iter().fold(0.0, f64::max);
    let (mut edges, mut left_out) = (Vec::new(), 0);
    for row in 0..matrix.rows() {
        let (columns, values) = matrix.row(row);
        for (&column, &value) in columns.iter().zip(values).take_while(|(c, _)| **c < row as u32) {
            // Graphs have conductances with finite reciprocals.
            match -value > ROUNDING * largest && (1.0 / value).is_finite() {
                true => edges.push((row as u32, column, -value)),
                false => left_out += 1,
            }
        }
    }
    let graph = Graph::from_edges(matrix.rows(), &edges).expect("conductances of a finite matrix");
    Ok(Conductances { graph, left_out })
}
