//! Graphs of a mesh: which nodes meet in an element, which elements meet in a face. And linear
//! finite elements: [`mod@form`] makes matrices and right-hand sides.
//!
//! | graph | vertices | edges |
//! |---|---|---|
//! | [`node_graph`] | nodes | nodes of one element: the pattern of a finite-element matrix |
//! | [`conductance_graph`] | nodes | conductances of the stiffness matrix |
//! | [`dual_graph`] | elements | elements that share a face; in the plane, an edge |
//!
//! [`surface`] has the faces that only one element has.
//!
//! All other weights are 1. A node that no element uses is a vertex without neighbours.

mod conductance;
mod dual;
pub mod form;
mod lists;
mod node;
mod surface;
#[cfg(test)]
mod tests;

pub use conductance::{Conductances, conductance_graph};
pub use dual::dual_graph;
pub use form::{
    Assembler, Coefficient, Conditions, Fix, Form, FormError, Load, Plane, Submesh, Value,
    h1_error, l2_error,
};
pub use lists::elements_of_nodes;
pub use node::node_graph;
pub use surface::{SurfaceFace, surface};
