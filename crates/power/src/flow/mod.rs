//! AC power flow of feeders: voltages, currents, flows and losses at given loads.
//!
//! **Problem.** Sources hold voltages, branches have impedances, loads take power that hardly
//! depends on the voltage: find the voltages. [`solve`] answers for [`Balanced`] feeders,
//! [`solve_three_phase`] for those whose phases differ, [`Batch`] for thousands of load cases of
//! one feeder, [`outages`] with each branch out of service, and [`max_loading`] says how far loads
//! can grow.
//!
//! **Method.** Backward–forward sweeps on the tree that hangs on the sources. Loads draw currents
//! at the present voltages; a leaffix adds them up to the branches; a rootfix takes the drops off
//! the sources' voltages. Ratios and phase shifts vanish by one rootfix product `T`: in `V T` and
//! `I / conj T` all transformers are impedances. Branches that close loops, and generators that hold
//! voltages, are unknowns of a small dense system whose entries are impedances from the root to
//! lowest common ancestors. Parts of the network that only a source joins are solved one by one,
//! each within the caches. From the third sweep on, Anderson's combination of the last two steps is
//! taken, and where sweeps are slow, one of more.
//!
//! **Stop.** When no voltage changes by more than [`FlowParams::tolerance`], and power is balanced
//! to 1e-9 of the load. Beyond the largest load that a network carries sweeps do not blow up, they
//! wander: no progress over many sweeps is told as [`FlowError::Diverged`], with the bus that
//! moves most and the part of the loads that the network does carry. Sweeps that
//! [`FlowParams::max_sweeps`] ends are [`FlowError::SweepLimit`], which claims nothing of loads.
//!
//! **Cost.** About 5 ns per bus and sweep; 5 to 8 sweeps at ordinary loads, whatever the size.
//!
//! **Determinism.** The same bits on any number of threads.
//!
//! **Reference.** D. Shirmohammadi et al., 1988 (compensation); the certificate:
//! [`certificate`](Certificate).
//!
//! **When not to use.** Transmission grids with as many loops as buses: sweeps know only weakly
//! meshed networks.

mod anderson;
mod balanced;
mod batch;
mod dense;
mod error;
mod iterate;
mod loading;
mod outages;
mod recent;
mod three_phase;
mod topology;
mod wide;

pub use balanced::{
    BranchFlow, Certificate, GeneratorFlow, Prepared, Solution, Totals, max_loading, solve,
};
pub use batch::{
    Batch, BatchReport, BranchExtreme, BusExtreme, CaseReport, LoadCases, LoadFactors, LoadPowers,
    LoadProfiles,
};
pub use error::FlowError;
pub use loading::MaxLoading;
pub use outages::{Outage, outages};
pub use three_phase::{
    PhaseFlow, PhaseSolution, PhaseTotals, PreparedThreePhase, max_loading_three_phase,
    solve_three_phase,
};

#[cfg(doc)]
use palmette_core::feeder::Balanced;

/// How a power flow is found.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowParams {
    /// The largest change of a voltage in the last sweep, per unit.
    pub tolerance: f64,
    /// The most sweeps of a power flow. Where loads are grown to their limit there is none: sweeps
    /// end by themselves, at rest or without progress.
    pub max_sweeps: usize,
    /// All loads are multiplied by it; below 0 they give what they took.
    pub load_factor: f64,
    /// Whether buses that no source supplies are left without voltage, or an error.
    pub allow_unsupplied: bool,
}

impl Default for FlowParams {
    fn default() -> Self {
        FlowParams { tolerance: 1e-10, max_sweeps: 1000, load_factor: 1.0, allow_unsupplied: false }
    }
}

impl FlowParams {
    fn check(&self) -> Result<(), FlowError> {
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            let value = self.tolerance;
            let must = "positive and finite";
            return Err(FlowError::Parameter { what: "the tolerance", value, must });
        }
        if self.max_sweeps == 0 {
            let must = "at least 1";
            return Err(FlowError::Parameter { what: "the limit of sweeps", value: 0.0, must });
        }
        if !self.load_factor.is_finite() {
            let value = self.load_factor;
            return Err(FlowError::Parameter { what: "the load factor", value, must: "finite" });
        }
        Ok(())
    }
}

/// Power is balanced to this part of all power that is drawn, in every answer.
pub const BALANCE: f64 = 1e-9;
