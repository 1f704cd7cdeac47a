//! A three-phase feeder, made ready for sweeps, in SI units.
//!
//! **Form.** Three complex numbers per bus. A branch is `V_child = A V_parent − Z I`, and gives
//! `Aᵀ I` to its parent's bus; `A` is the identity but for transformers. A bus that lacks a phase
//! draws nothing there: its place holds the voltage of the bus above, which nobody sees.

mod certificate;
mod compensation;
mod loading;
mod network;
mod prepared;
mod settle;
mod solution;
mod solve;
mod sweep;

pub use loading::max_loading_three_phase;
pub use prepared::PreparedThreePhase;
pub use solution::{PhaseFlow, PhaseSolution, PhaseTotals};
pub use solve::solve_three_phase;

use palmette_core::feeder::Complex;

/// Numbers of phases a, b and c.
pub(super) type Three = [Complex; 3];

pub(super) const ZERO: Three = [Complex::new(0.0, 0.0); 3];
