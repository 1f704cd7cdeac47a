//! Potentials for given currents.
//!
//! **Problem.** A [`Laplacian`] `A` and currents `b`; out come potentials `x` with
//! `‖b − A x‖ ≤ tolerance ‖b‖`, or a small backward error ([`Stop`]). On a floating component currents must add up to zero: their
//! mean is taken out and reported ([`Solution::imbalance`]), and so is that of potentials.
//!
//! **Method.** [Conjugate gradients](conjugate_gradients) with one of these:
//!
//! | preconditioner | what it is | threads | file |
//! |---|---|---|---|
//! | `none` | the identity | all | |
//! | `jacobi` | the diagonal | all | `jacobi.rs` |
//! | `incomplete-cholesky` | a factor without fill | one | `incomplete_cholesky.rs` |
//! | `tree` | a spanning forest of largest weight, exactly | all | `forest.rs` |
//! | `sparsifier` | the [skeleton](crate::sparsify), factored | one | `skeleton.rs` |
//! | `approximate-cholesky` | random elimination | all | `approximate_cholesky/` |
//! | `direct` | the graph, factored | one | `factor/` |
//!
//! [`choose`] says which of them `auto` takes. A [`Solver`] is set up once and then solves
//! for as many right-hand sides as one likes; [`resistances`] uses that;
//! [`edge_resistances`] has those of all edges at once.
//!
//! **Determinism.** The same seed gives the same bits on any number of threads.

pub mod approximate_cholesky;
mod augmented;
mod choose;
mod conjugate_gradients;
mod edges;
mod error;
mod factor;
mod forest;
mod incomplete_cholesky;
mod jacobi;
mod make;
mod preconditioner;
mod reduced;
mod resistance;
mod scratch;
mod skeleton;
mod solver;
pub mod spectrum;
mod spread;
mod stop;
mod trial;
mod vectors;

pub use approximate_cholesky::{ApproximateCholesky, ApproximateCholeskyParams};
pub use augmented::Augmented;
pub use choose::choose;
pub(crate) use conjugate_gradients::spectrum_of;
pub use conjugate_gradients::{CgSolution, Floating, conjugate_gradients};
pub use edges::{EdgeResistances, edge_resistances, projected_resistances};
pub use error::SolveError;
pub use factor::{Factor, FactorLimits};
pub use forest::Forest;
pub use incomplete_cholesky::{IncompleteCholesky, IncompleteCholeskyParams};
pub use jacobi::Jacobi;
pub use make::Setup;
pub use palmette_core::{CgError, CgParams};
pub use preconditioner::Preconditioner;
pub(crate) use reduced::Reduced;
pub use resistance::resistances;
pub use skeleton::factor_skeleton;
pub use solver::{Solution, SolveParams, Solver};
pub use stop::Stop;

use crate::Laplacian;

/// Whether all conductances to ground and all sums of conductances are numbers.
fn check_ground(laplacian: &Laplacian<'_>) -> Result<(), SolveError> {
    let ground = laplacian.ground().unwrap_or_default().iter().enumerate();
    for (vertex, &conductance) in ground {
        if conductance != 0.0 && !(conductance > 0.0 && conductance.is_normal()) {
            return Err(SolveError::Ground { vertex, conductance });
        }
    }
    match laplacian.diagonal().iter().position(|sum| !sum.is_finite()) {
        Some(vertex) => Err(SolveError::Diagonal { vertex, sum: laplacian.diagonal()[vertex] }),
        None => Ok(()),
    }
}
