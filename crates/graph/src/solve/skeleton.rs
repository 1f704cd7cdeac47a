//! A skeleton of the graph, factored exactly, as a preconditioner.
//!
//! **Problem.** A subgraph that spans the graph with [`Augmented`] ground and has few edges
//! (a [sparsifier](crate::sparsify)); out comes its exact inverse.
//!
//! **Method.** Ground is taken out of the skeleton again, which leaves the Laplacian of the
//! skeleton's other edges and its conductances to ground; that is [factored](Factor). A
//! forest with few more edges fills in little.
//!
//! **Cost.** As [`Factor`], of the skeleton.
//!
//! **Determinism.** As [`Factor`].
//!
//! **Reference.** Feng, *GRASS*, 2020; Liu, Yu and Feng, *feGRASS*, 2022.
//!
//! **When not to use.** When the skeleton is nearly the graph: factor that.

use super::{Augmented, Factor, SolveError};
use crate::Laplacian;
use palmette_core::{Cancel, Graph};

/// Factors a skeleton of [`Augmented::graph`], with the limits of [`Factor::new`]. It is an
/// approximate inverse of the Laplacian that `augmented` was made of.
///
/// # Errors
/// [`SolveError::Skeleton`] when the skeleton does not span the graph; as [`Factor::new`].
pub fn factor_skeleton(
    augmented: &Augmented<'_>,
    skeleton: &Graph,
    memory: Option<u64>,
    cancel: Option<&Cancel>,
) -> Result<Factor, SolveError> {
    let (found, expected) = (skeleton.components().count(), augmented.graph().components().count());
    if found != expected {
        return Err(SolveError::Skeleton { skeleton: found, graph: expected });
    }
    let (graph, ground) = augmented.without_ground(skeleton)?;
    Factor::new(&Laplacian::new(&graph, ground.as_deref()), memory, cancel)
}
