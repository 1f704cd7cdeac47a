//! A balanced feeder, made ready for sweeps.
//!
//! **Form.** Arrays by position in the preorder of the forest, in the frame without ratios: with the
//! rootfix product `T` of the ratios, `V̂ = V T`, `Î = I / conj T`, `ẑ = z |T|²`, `ŷ = y / |T|²`,
//! and powers stay as they are.

mod certificate;
mod compensation;
mod components;
mod loading;
mod network;
mod prepared;
mod solution;
mod solve;
mod sweep;
mod totals;

pub use certificate::Certificate;
pub use loading::max_loading;
pub use prepared::Prepared;
pub use solution::{BranchFlow, GeneratorFlow, Solution};
pub use solve::solve;
pub use totals::Totals;

pub(super) use compensation::sources;
pub(super) use components::components;
pub(super) use network::{Demand, Network, end_admittances};
pub(super) use solve::{State, run, solve_network};
pub(super) use sweep::{Arrays, drawn};
