//! Why a power flow has no answer.

use super::FlowParams;
use palmette_core::feeder::Phases;
use palmette_core::{FeederError, TreeError};
use std::fmt;
use thiserror::Error;

/// Why a feeder has no power flow. Buses and branches are told by name.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FlowError {
    /// The numbers of an element are wrong.
    #[error(transparent)]
    Feeder(#[from] FeederError),
    /// Parts of the network have no source.
    #[error("no source supplies {}", Listed(.buses, *.count, "bus", "buses"))]
    Unsupplied { buses: Vec<String>, count: usize },
    /// Phases of a bus that the branch from its source does not have.
    #[error("bus `{bus}` has phases {has}, but {kind} `{name}`, which supplies it, has {given}")]
    Unfed { bus: String, has: Phases, kind: &'static str, name: String, given: Phases },
    /// Closed switches without impedance form a loop: nothing says which of them carries how much.
    #[error("{} form a loop without impedance; open one", Listed(.switches, .switches.len(), "switch", "switches"))]
    SwitchLoop { switches: Vec<String> },
    /// Two sources without impedance between them.
    #[error(
        "the sources at buses `{a}` and `{b}` are joined without impedance; open a switch between them"
    )]
    SourcesJoined { a: String, b: String },
    /// The dense system of loops would be too large.
    #[error(
        "{unknowns} unknowns of loops and generators in one part of the network; sweeps are for at most {most}"
    )]
    TooMeshed { unknowns: usize, most: usize },
    /// Loops or generators that hold voltages contradict each other.
    #[error(
        "the loops and voltage-controlled generators around bus `{bus}` leave a singular system"
    )]
    Singular { bus: String },
    /// Loops among three phases.
    #[error("{kind} `{name}` closes a loop; three-phase feeders must be radial")]
    ThreePhaseLoop { kind: &'static str, name: String },
    /// A transformer with phases that cannot be followed from its secondary side.
    #[error("transformer `{name}` is fed from its `to` side; only YNyn may be")]
    Backwards { name: String },
    /// Sweeps make no progress.
    #[error("no power flow found after {sweeps} sweeps: voltages still change by {change:.1e} p.u., worst at bus `{bus}`{}{}", Reach(.loadability), Meshed(*.loops))]
    Diverged { bus: String, sweeps: usize, change: f64, loadability: Option<f64>, loops: usize },
    /// Sweeps were stopped by their limit, and say nothing about the loads.
    #[error(
        "no power flow found within the limit of {sweeps} sweeps: voltages still change by {change:.1e} p.u., most at bus `{bus}`"
    )]
    SweepLimit { bus: String, sweeps: usize, change: f64 },
    /// What sources give is not what loads and losses take.
    #[error("power is balanced to {relative:.1e} of the load only; the tolerance is too large")]
    Unbalanced { relative: f64 },
    /// A table of cases that does not fit the feeder.
    #[error("{found} values per case, but the feeder has {expected} loads")]
    Cases { expected: usize, found: usize },
    /// A value of a case is no number.
    #[error("case {case}: the power of load `{load}` is not finite")]
    CaseValue { case: usize, load: String },
    /// A parameter has no meaning.
    #[error("{what} is {value}; it must be {must}")]
    Parameter { what: &'static str, value: f64, must: &'static str },
    /// The forest could not be built.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl FlowError {
    /// Sweeps that ended without an answer: stopped by their limit, or without progress. Only then
    /// is it asked how much the network carries.
    pub(super) fn unfinished(
        bus: String,
        (sweeps, change): (usize, f64),
        params: &FlowParams,
        loops: usize,
        loadability: impl FnOnce() -> Option<(f64, String)>,
    ) -> FlowError {
        match sweeps >= params.max_sweeps && change.is_finite() {
            true => FlowError::SweepLimit { bus, sweeps, change },
            false => {
                // Beyond the limit voltages are anything: the weakest bus is that of the limit.
                let (loadability, bus) = match loadability() {
                    Some((factor, weakest)) => (Some(factor), weakest),
                    None => (None, bus),
                };
                FlowError::Diverged { bus, sweeps, change, loadability, loops }
            }
        }
    }
}

/// The first of many names.
struct Listed<'a>(&'a [String], usize, &'static str, &'static str);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Listed(names, count, one, many) = *self;
        let shown: Vec<String> = names.iter().take(5).map(|name| format!("`{name}`")).collect();
        write!(f, "{} {}", if count == 1 { one } else { many }, shown.join(", "))?;
        match count - shown.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

struct Reach<'a>(&'a Option<f64>);

impl fmt::Display for Reach<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(factor) => {
                write!(f, "; the feeder carries at most {factor:.4} times the loads given")
            }
            None => Ok(()),
        }
    }
}

/// What sweeps are not made for.
struct Meshed(usize);

impl fmt::Display for Meshed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (loops, many) = (self.0, if self.0 == 1 { "" } else { "s" });
        match loops {
            0 => Ok(()),
            _ => write!(
                f,
                "; sweeps are for radial and weakly meshed networks, and this one has {loops} loop{many}"
            ),
        }
    }
}
