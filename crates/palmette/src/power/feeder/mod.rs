//! Power flow of feeders from files: solutions of both kinds behind one type, cases, outages.

mod cases;
mod outages;

pub use cases::{CaseFigures, CaseFlow, CaseSolver, solve_case, solve_cases};
pub use outages::solve_outages;

use crate::power::flow::{
    Certificate, FlowError, FlowParams, MaxLoading, PhaseSolution, Solution, max_loading,
    max_loading_three_phase, solve, solve_three_phase,
};
use palmette_core::feeder::{Balanced, Complex, Feeder, Phases, ThreePhase};
use palmette_io::FeederFile;
use thiserror::Error;

/// Why the feeder of a file has no power flow; in the file's words, with the line where one is to
/// blame.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{file}{}: {source}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct FeederFlowError {
    /// The file.
    pub file: String,
    /// The line of the first element that is to blame.
    pub line: Option<u64>,
    /// What is wrong.
    pub source: FlowError,
}

impl FeederFlowError {
    /// Looks up where an error of a solver comes from.
    pub fn of(file: &FeederFile, source: FlowError) -> FeederFlowError {
        let element = match &source {
            FlowError::Unsupplied { buses, .. } => buses.first().map(|bus| ("bus", bus)),
            FlowError::SwitchLoop { switches } => switches.first().map(|name| ("switch", name)),
            FlowError::Singular { bus } | FlowError::Unfed { bus, .. } => Some(("bus", bus)),
            FlowError::Backwards { name } => Some(("transformer", name)),
            _ => None,
        };
        let place = element.and_then(|(kind, name)| file.place(kind, name));
        let name = place.map_or(file.name.as_str(), |(file, _)| file).to_string();
        FeederFlowError { file: name, line: place.map(|(_, line)| line), source }
    }
}

/// The power flow of a feeder of either kind.
pub enum FeederSolution<'a> {
    /// Of three equal phases.
    Balanced(&'a Balanced, Box<Solution<'a>>),
    /// Of three phases that differ.
    ThreePhase(&'a ThreePhase, Box<PhaseSolution<'a>>),
}

/// Solves the power flow of a feeder.
///
/// ```
/// use palmette::io::{FeederParams, read_feeder_bytes};
/// use palmette::power::{feeder::solve_feeder, flow::FlowParams};
/// let case = b"function mpc = two
/// mpc.version = '2'; mpc.baseMVA = 10;
/// mpc.bus = [1 3 0 0 0 0 1 1 0 12 1 1 1; 2 1 2 1 0 0 1 1 0 12 1 1 1];
/// mpc.gen = [1 0 0 9 -9 1 10 1 9 0];
/// mpc.branch = [1 2 0.01 0.02 0 0 0 0 0 0 1 -360 360];
/// ";
/// let file = read_feeder_bytes("two.m", case, &FeederParams::default())?;
/// let solution = solve_feeder(&file.feeder, &FlowParams::default())?;
/// assert!((solution.lowest().voltage - 0.99598).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`solve`] and [`solve_three_phase`].
pub fn solve_feeder<'a>(
    feeder: &'a Feeder,
    params: &FlowParams,
) -> Result<FeederSolution<'a>, FlowError> {
    Ok(match feeder {
        Feeder::Balanced(feeder) => {
            FeederSolution::Balanced(feeder, Box::new(solve(feeder, params)?))
        }
        Feeder::ThreePhase(feeder) => {
            FeederSolution::ThreePhase(feeder, Box::new(solve_three_phase(feeder, params)?))
        }
    })
}

/// How far the loads of a feeder can grow.
///
/// # Errors
/// As [`max_loading`] and [`max_loading_three_phase`].
pub fn max_feeder_loading(feeder: &Feeder, params: &FlowParams) -> Result<MaxLoading, FlowError> {
    match feeder {
        Feeder::Balanced(feeder) => max_loading(feeder, params),
        Feeder::ThreePhase(feeder) => max_loading_three_phase(feeder, params),
    }
}

/// A voltage and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// The bus.
    pub bus: String,
    /// Its phase, of a feeder of three.
    pub phase: Option<char>,
    /// The magnitude, per unit.
    pub voltage: f64,
}

impl FeederSolution<'_> {
    fn extreme(&self, lowest: bool) -> Extreme {
        match self {
            FeederSolution::Balanced(feeder, solution) => {
                let (bus, voltage) = if lowest { solution.lowest() } else { solution.highest() };
                let bus = feeder.buses.names.get(bus as usize).to_string();
                Extreme { bus, phase: None, voltage }
            }
            FeederSolution::ThreePhase(feeder, solution) => {
                let (bus, phase, voltage) =
                    if lowest { solution.lowest() } else { solution.highest() };
                let bus = feeder.buses.names.get(bus as usize).to_string();
                Extreme { bus, phase: Some(Phases::LETTERS[phase]), voltage }
            }
        }
    }

    /// The lowest voltage.
    pub fn lowest(&self) -> Extreme {
        self.extreme(true)
    }

    /// The highest voltage.
    pub fn highest(&self) -> Extreme {
        self.extreme(false)
    }

    /// The largest voltage of a source, per unit.
    pub fn source_voltage(&self) -> f64 {
        match self {
            FeederSolution::Balanced(feeder, _) => {
                feeder.sources.v.iter().map(|v| v.norm()).fold(0.0, f64::max)
            }
            FeederSolution::ThreePhase(feeder, _) => {
                let of = |(&bus, v): (&u32, &[Complex; 3])| {
                    let most = v.iter().map(|v| v.norm()).fold(0.0, f64::max);
                    most / feeder.buses.v_base.get(bus as usize)
                };
                feeder.sources.bus.iter().zip(&feeder.sources.v).map(of).fold(0.0, f64::max)
            }
        }
    }

    /// What sources give, what loads take and what is lost, in MVA.
    pub fn powers_mva(&self) -> [Complex; 3] {
        match self {
            FeederSolution::Balanced(_, solution) => {
                let totals = solution.totals();
                let given = totals.sources_mva + totals.generators_mva;
                [given, totals.loads_mva + totals.shunts_mva, totals.losses_mva]
            }
            FeederSolution::ThreePhase(_, solution) => {
                let totals = solution.totals();
                [totals.sources_va, totals.loads_va, totals.losses_va].map(|va| va * 1e-6)
            }
        }
    }

    /// How far sources are from loads and losses, as a part of all power that is drawn.
    pub fn balance(&self) -> f64 {
        match self {
            FeederSolution::Balanced(_, solution) => solution.balance(),
            FeederSolution::ThreePhase(_, solution) => solution.balance(),
        }
    }

    /// How far the power of the worst bus is from the given one, in MVA.
    pub fn mismatch_mva(&self) -> f64 {
        match self {
            FeederSolution::Balanced(_, solution) => solution.mismatch_mva(),
            FeederSolution::ThreePhase(_, solution) => solution.mismatch_va() * 1e-6,
        }
    }

    /// The most sweeps that a part of the network took.
    pub fn sweeps(&self) -> usize {
        match self {
            FeederSolution::Balanced(_, solution) => solution.sweeps(),
            FeederSolution::ThreePhase(_, solution) => solution.sweeps(),
        }
    }

    /// What is proved about it.
    pub fn certificate(&self) -> Option<Certificate> {
        match self {
            FeederSolution::Balanced(_, solution) => solution.certificate(),
            FeederSolution::ThreePhase(_, solution) => solution.certificate(),
        }
    }

    /// How many branches close loops.
    pub fn loops(&self) -> usize {
        match self {
            FeederSolution::Balanced(_, solution) => solution.loops().len(),
            FeederSolution::ThreePhase(_, solution) => solution.loops().len(),
        }
    }

    /// The buses that no source supplies.
    pub fn unsupplied(&self) -> Vec<String> {
        let names = match self {
            FeederSolution::Balanced(feeder, _) => &feeder.buses.names,
            FeederSolution::ThreePhase(feeder, _) => &feeder.buses.names,
        };
        let dark = (0..names.len()).filter(|&bus| !self.is_supplied(bus as u32));
        dark.map(|bus| names.get(bus).to_string()).collect()
    }

    fn is_supplied(&self, bus: u32) -> bool {
        match self {
            FeederSolution::Balanced(_, solution) => solution.is_supplied(bus),
            FeederSolution::ThreePhase(_, solution) => solution.is_supplied(bus),
        }
    }

    /// The load in MW of buses that no source supplies, at nominal voltage, times its factor.
    pub fn lost_mw(&self) -> f64 {
        match self {
            FeederSolution::Balanced(_, solution) => solution.unsupplied_mva().re,
            FeederSolution::ThreePhase(_, solution) => solution.unsupplied_va().re * 1e-6,
        }
    }

    /// The branch with the highest loading, if one has a rating: its name, and the part of the
    /// rating.
    pub fn most_loaded(&self) -> Option<(String, f64)> {
        match self {
            FeederSolution::Balanced(feeder, solution) => {
                let (branch, part) = solution.most_loaded()?;
                Some((feeder.branches.names.get(branch as usize).to_string(), part))
            }
            FeederSolution::ThreePhase(feeder, solution) => {
                let lines = (0..feeder.lines.from.len())
                    .map(|k| (feeder.lines.names.get(k), solution.line(k as u32).loading));
                let others = (0..feeder.transformers.from.len()).map(|k| {
                    (feeder.transformers.names.get(k), solution.transformer(k as u32).loading)
                });
                let loaded = lines.chain(others).filter(|one| one.1 > 0.0);
                let most = loaded.max_by(|a, b| a.1.total_cmp(&b.1))?;
                Some((most.0.to_string(), most.1))
            }
        }
    }
}

impl FeederSolution<'_> {
    /// Magnitudes per unit by bus, or by bus and phase; NaN for phases that a bus does not have.
    pub fn magnitudes(&self) -> Vec<f64> {
        match self {
            FeederSolution::Balanced(_, solution) => {
                solution.voltages().iter().map(|v| v.norm()).collect()
            }
            FeederSolution::ThreePhase(feeder, solution) => {
                let mut all = Vec::with_capacity(feeder.buses.names.len() * 3);
                for bus in 0..feeder.buses.names.len() {
                    let (phases, v) =
                        (feeder.buses.phases.get(bus), solution.voltage_pu(bus as u32));
                    let of = |phase| if phases.has(phase) { v[phase].norm() } else { f64::NAN };
                    all.extend((0..3).map(of));
                }
                all
            }
        }
    }
}

impl FeederSolution<'_> {
    /// By bus, the one before it on the way from a source; `NONE` for sources.
    pub fn parents(&self) -> Vec<u32> {
        match self {
            FeederSolution::Balanced(_, solution) => solution.parents(),
            FeederSolution::ThreePhase(_, solution) => solution.parents(),
        }
    }

    /// By bus, the length of the way from its source; see [`FeederSolution::distance_name`].
    pub fn distances(&self) -> Vec<f64> {
        match self {
            FeederSolution::Balanced(_, solution) => solution.distances_km(),
            FeederSolution::ThreePhase(_, solution) => solution.distances(),
        }
    }

    /// What distances are, for an axis.
    pub fn distance_name(&self) -> &'static str {
        match self {
            FeederSolution::Balanced(..) => "km from the source",
            FeederSolution::ThreePhase(..) => "distance from the source, in the file's unit",
        }
    }
}
