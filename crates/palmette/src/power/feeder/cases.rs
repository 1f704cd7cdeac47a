//! Many load cases of a feeder from a file.

use super::{Extreme, FeederSolution, solve_feeder};
use crate::power::flow::{Batch, CaseReport, FlowError, FlowParams, solve};
use palmette_core::feeder::{Balanced, Complex, Feeder, Loads};
use palmette_io::LoadCases;
use rayon::prelude::*;
use std::sync::Arc;

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
    pub unsupplied: Arc<[String]>,
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
    pub(super) fn of(solution: &FeederSolution<'_>, voltages: bool) -> CaseFigures {
        let [sources_mva, _, losses_mva] = solution.powers_mva();
        let dark = solution.unsupplied();
        CaseFigures {
            lowest: solution.lowest(),
            highest: solution.highest(),
            losses_mva,
            sources_mva,
            most_loaded: solution.most_loaded(),
            unsupplied_count: dark.len(),
            unsupplied: dark.into(),
            lost_mw: solution.lost_mw(),
            iterations: solution.sweeps(),
            voltages: if voltages { solution.magnitudes() } else { Vec::new() },
        }
    }
}

/// A feeder that is ready for load cases, as many at a time as there are in memory.
pub struct CaseSolver<'a> {
    feeder: &'a Feeder,
    params: FlowParams,
    /// Of a balanced feeder.
    ready: Option<(Batch<'a>, &'a Balanced, Dark)>,
}

impl<'a> CaseSolver<'a> {
    /// Makes a feeder ready.
    ///
    /// # Errors
    /// What is wrong with the feeder.
    pub fn new(feeder: &'a Feeder, params: &FlowParams) -> Result<CaseSolver<'a>, FlowError> {
        let ready = match feeder {
            Feeder::Balanced(one) => {
                let one: &Balanced = one;
                Some((Batch::new(one, params)?, one, Dark::new(one, params)?))
            }
            Feeder::ThreePhase(_) => None,
        };
        Ok(CaseSolver { feeder, params: params.clone(), ready })
    }

    /// Solves cases, on all threads; with `voltages` their magnitudes are kept. A case without a
    /// power flow does not stop the others. A case has the same bits whatever the others are.
    ///
    /// # Errors
    /// Cases that do not fit the feeder.
    pub fn solve(&self, cases: &LoadCases, voltages: bool) -> Result<Vec<CaseFlow>, FlowError> {
        let Some((batch, feeder, dark)) = &self.ready else {
            let found = |case: usize| {
                let look = |one: &FeederSolution<'_>| CaseFigures::of(one, voltages);
                let solution = solve_case(self.feeder, cases, case, &self.params, look);
                CaseFlow { name: cases.names[case].clone(), found: solution.ok() }
            };
            return Ok((0..cases.len()).into_par_iter().map(found).collect());
        };
        let table = CaseRows(cases);
        let (all, report) = match voltages {
            true => batch.voltages(&table)?,
            false => (Vec::new(), batch.run(&table)?),
        };
        let n = feeder.buses.names.len();
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
                lost_mw: dark.lost_mw(feeder, cases, case, self.params.load_factor),
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
}

/// Solves all cases; as [`CaseSolver::solve`].
///
/// # Errors
/// What is wrong with the feeder, and cases that do not fit it.
pub fn solve_cases(
    feeder: &Feeder,
    cases: &LoadCases,
    params: &FlowParams,
    voltages: bool,
) -> Result<Vec<CaseFlow>, FlowError> {
    CaseSolver::new(feeder, params)?.solve(cases, voltages)
}

/// Buses without supply, which are the same in all cases.
#[derive(Default)]
struct Dark {
    /// The first 1,000 of them.
    names: Arc<[String]>,
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
        Ok(Dark { names: names.into(), count, loads: loads.collect() })
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
