//! Tree programs on the simulated spatial computer, checked against the host's engines.

mod creation;
mod error;
mod lca;
mod sparse;

pub use creation::{CreationParams, SpatialCreation, create_layout};
pub use error::{SpatialError, WrongAnswer};
pub use lca::{SpatialLca, SpatialLcaParams, spatial_lca};
pub use sparse::{
    SparseRun, SpatialProduct, SpatialSolution, SpatialSparseParams, laplacian_matrix,
    random_vector, sparse_matrix, spatial_product, spatial_solve,
};

use palmette_spatial::layout::{Layout, Order};
use palmette_spatial::machine::MachineParams;
use palmette_spatial::machine::network::ReplayWhen;
use palmette_spatial::program::ProgramError;

/// A machine for programs, with as many words as the program states that runs on it. Messages are
/// replayed where that takes a few seconds at most.
pub fn program_machine() -> MachineParams {
    MachineParams { replay: ReplayWhen::Auto, ..MachineParams::default() }
}

/// One root, in light-first order: what the theorems are about.
pub(crate) fn check_layout(layout: &Layout) -> Result<(), SpatialError> {
    let (roots, order) = (layout.tree().roots(), layout.order());
    if roots != 1 {
        return Err(ProgramError::Forest { roots }.into());
    }
    if order != Order::LightFirst {
        return Err(SpatialError::Order { order });
    }
    Ok(())
}
