//! Power flow of feeders from files: solutions of both kinds behind one type, cases, outages.

use crate::power::flow::{
    Batch, CaseReport, Certificate, FlowError, FlowParams, MaxLoading, Outage, PhaseSolution,
    Solution, max_loading, max_loading_three_phase, outages, solve, solve_three_phase,
};
use palmette_core::feeder::{Balanced, Complex, Ends, Feeder, Loads, Phases, ThreePhase};
use palmette_io::{FeederFile, LoadCases};
use rayon::prelude::*;
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
            FlowError::Singular { bus } => Some(("bus", bus)),
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

/// One of many power flows.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFlow {
    /// The case, or the branch that is out.
    pub name: String,
    /// What was found; nothing where there is no power flow.
    pub found: Option<CaseFigures>,
}

/// What one of many power flows says.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFigures {
    /// The lowest voltage.
    pub lowest: Extreme,
    /// The highest voltage.
    pub highest: Extreme,
    /// What is lost, in MVA.
    pub losses_mva: Complex,
    /// What sources and generators give, in MVA.
    pub sources_mva: Complex,
    /// The branch with the highest loading, and the part of its rating.
    pub most_loaded: Option<(String, f64)>,
    /// The buses without voltage, the first 1,000 of them.
    pub unsupplied: Vec<String>,
    /// How many there are.
    pub unsupplied_count: usize,
    /// Their load in MW, at nominal voltage, times its factor.
    pub lost_mw: f64,
    /// The most sweeps that a part of the network took.
    pub iterations: usize,
    /// By bus, magnitudes per unit (of three phases by bus and phase); only if asked for.
    pub voltages: Vec<f64>,
}

impl CaseFigures {
    fn of(solution: &FeederSolution<'_>, voltages: bool) -> CaseFigures {
        let [sources_mva, _, losses_mva] = solution.powers_mva();
        let dark = solution.unsupplied();
        CaseFigures {
            lowest: solution.lowest(),
            highest: solution.highest(),
            losses_mva,
            sources_mva,
            most_loaded: solution.most_loaded(),
            unsupplied_count: dark.len(),
            unsupplied: dark,
            lost_mw: solution.lost_mw(),
            iterations: solution.sweeps(),
            voltages: if voltages { solution.magnitudes() } else { Vec::new() },
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

/// Solves all cases, on all threads; with `voltages` their magnitudes are kept. A case without a
/// power flow does not stop the others.
///
/// # Errors
/// What is wrong with the feeder.
pub fn solve_cases(
    feeder: &Feeder,
    cases: &LoadCases,
    params: &FlowParams,
    voltages: bool,
) -> Result<Vec<CaseFlow>, FlowError> {
    let Feeder::Balanced(feeder) = feeder else {
        let found = |case: usize| {
            let solution =
                solve_case(feeder, cases, case, params, |one| CaseFigures::of(one, voltages));
            CaseFlow { name: cases.names[case].clone(), found: solution.ok() }
        };
        return Ok((0..cases.len()).into_par_iter().map(found).collect());
    };
    let batch = Batch::new(feeder, params)?;
    let table = CaseRows(cases);
    let (all, report) = match voltages {
        true => batch.voltages(&table)?,
        false => (Vec::new(), batch.run(&table)?),
    };
    let n = feeder.buses.names.len();
    let dark = Dark::new(feeder, params)?;
    let one = |(case, one): (usize, &CaseReport)| {
        let extreme = |bus: u32, voltage: f64| {
            let bus = feeder.buses.names.get(bus as usize).to_string();
            Extreme { bus, phase: None, voltage }
        };
        let loaded = |one: &CaseReport| {
            let name = feeder.branches.names.get(one.loading_branch as usize).to_string();
            (name, one.loading)
        };
        let found = one.converged.then(|| CaseFigures {
            lowest: extreme(one.v_min_bus, one.v_min),
            highest: extreme(one.v_max_bus, one.v_max),
            losses_mva: one.losses_mva,
            sources_mva: one.sources_mva + one.generators_mva,
            most_loaded: (one.loading > 0.0).then(|| loaded(one)),
            unsupplied: dark.names.clone(),
            unsupplied_count: dark.count,
            lost_mw: dark.lost_mw(feeder, cases, case, params.load_factor),
            iterations: one.sweeps,
            voltages: match voltages {
                true => all[case * n..][..n].iter().map(|v| v.norm()).collect(),
                false => Vec::new(),
            },
        });
        CaseFlow { name: cases.names[case].clone(), found }
    };
    Ok(report.cases.iter().enumerate().map(one).collect())
}

/// Buses without supply, which are the same in all cases.
#[derive(Default)]
struct Dark {
    /// The first 1,000 of them.
    names: Vec<String>,
    count: usize,
    loads: Vec<usize>,
}

impl Dark {
    fn new(feeder: &Balanced, params: &FlowParams) -> Result<Dark, FlowError> {
        if !params.allow_unsupplied {
            return Ok(Dark::default());
        }
        let params = FlowParams { load_factor: 0.0, ..params.clone() };
        let solution = FeederSolution::Balanced(feeder, Box::new(solve(feeder, &params)?));
        let mut names = solution.unsupplied();
        let count = names.len();
        names.truncate(1000);
        let buses = feeder.loads.bus.iter().enumerate();
        let loads = buses.filter(|(_, bus)| !solution.is_supplied(**bus)).map(|load| load.0);
        Ok(Dark { names, count, loads: loads.collect() })
    }

    /// The load of these buses in a case.
    fn lost_mw(&self, feeder: &Balanced, cases: &LoadCases, case: usize, factor: f64) -> f64 {
        if self.loads.is_empty() {
            return 0.0;
        }
        let mut powers = feeder.loads.s_mva.clone();
        cases.apply(case, &mut powers);
        self.loads.iter().map(|&load| powers[load].re * factor).sum()
    }
}

/// Solves one case, and looks at its solution.
///
/// # Errors
/// As [`solve_feeder`].
pub fn solve_case<T>(
    feeder: &Feeder,
    cases: &LoadCases,
    case: usize,
    params: &FlowParams,
    look: impl FnOnce(&FeederSolution<'_>) -> T,
) -> Result<T, FlowError> {
    let mut changed = feeder.clone();
    match &mut changed {
        Feeder::Balanced(feeder) => cases.apply(case, &mut feeder.loads.s_mva),
        Feeder::ThreePhase(feeder) => cases.apply(case, &mut feeder.loads.s_va),
    }
    solve_feeder(&changed, params).map(|solution| look(&solution))
}

/// Cases of a file for the engine of many cases.
struct CaseRows<'a>(&'a LoadCases);

impl crate::power::flow::LoadCases for CaseRows<'_> {
    fn cases(&self) -> usize {
        self.0.len()
    }

    fn row(&self, case: usize, loads: &Loads, row: &mut [Complex]) {
        row.copy_from_slice(&loads.s_mva);
        self.0.apply(case, row);
    }

    fn check(&self, loads: &Loads) -> Result<(), FlowError> {
        let most = self.0.loads.iter().max().map_or(0, |&load| load as usize + 1);
        match most <= loads.len() {
            true => Ok(()),
            false => Err(FlowError::Cases { expected: loads.len(), found: most }),
        }
    }
}

/// The power flow after the loss of each branch that is in service, one at a time. Buses that lose
/// their supply are named.
///
/// # Errors
/// When the feeder with all branches has no power flow.
pub fn solve_outages(feeder: &Feeder, params: &FlowParams) -> Result<Vec<CaseFlow>, FlowError> {
    let params = FlowParams { allow_unsupplied: true, ..params.clone() };
    let run = |name: &str, changed: Feeder| {
        let solution = solve_feeder(&changed, &params);
        let found = solution.map(|solution| CaseFigures::of(&solution, false));
        CaseFlow { name: name.to_string(), found: found.ok() }
    };
    match feeder {
        Feeder::Balanced(one) => {
            let all = outages(one, &params)?;
            Ok(all.iter().map(|outage| of_outage(one, outage)).collect())
        }
        Feeder::ThreePhase(one) => {
            let (lines, others) = (one.lines.from.len(), one.transformers.from.len());
            let out = |k: usize| {
                let mut changed = one.clone();
                if k < lines {
                    changed.lines.ends.set(k, Ends::OPEN);
                    run(one.lines.names.get(k), Feeder::ThreePhase(changed))
                } else if k < lines + others {
                    changed.transformers.closed.set(k - lines, false);
                    run(one.transformers.names.get(k - lines), Feeder::ThreePhase(changed))
                } else {
                    let at = k - lines - others;
                    changed.switches.closed.set(at, false);
                    run(one.switches.names.get(at), Feeder::ThreePhase(changed))
                }
            };
            let is_live = |&k: &usize| match k {
                k if k < lines => one.lines.ends.get(k) == Ends::CLOSED,
                k if k < lines + others => one.transformers.closed.get(k - lines),
                k => one.switches.closed.get(k - lines - others),
            };
            let all = lines + others + one.switches.from.len();
            Ok((0..all).filter(is_live).collect::<Vec<_>>().into_par_iter().map(out).collect())
        }
    }
}

/// What an outage of a balanced feeder says, with names.
fn of_outage(feeder: &Balanced, outage: &Outage) -> CaseFlow {
    let bus = |bus: u32| feeder.buses.names.get(bus as usize).to_string();
    let branch = |branch: u32| feeder.branches.names.get(branch as usize).to_string();
    let found = outage.converged.then(|| CaseFigures {
        lowest: Extreme { bus: bus(outage.v_min_bus), phase: None, voltage: outage.v_min },
        highest: Extreme { bus: bus(outage.v_max_bus), phase: None, voltage: outage.v_max },
        losses_mva: outage.losses_mva,
        sources_mva: outage.given_mva,
        most_loaded: (outage.loading > 0.0)
            .then(|| (branch(outage.loading_branch), outage.loading)),
        unsupplied: outage.lost.iter().map(|&lost| bus(lost)).collect(),
        unsupplied_count: outage.lost_buses,
        lost_mw: outage.lost_mva.re,
        iterations: outage.sweeps,
        voltages: Vec::new(),
    });
    CaseFlow { name: branch(outage.branch), found }
}
