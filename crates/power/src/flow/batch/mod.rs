//! Thousands of load cases of one feeder.
//!
//! **Problem.** Input: a balanced feeder and, for each case, the power of each load. Output: for each
//! case the extreme voltages, the highest loading and the losses; for each bus and branch the worst
//! case. Nothing else is kept of a case, unless its voltages are asked for.
//!
//! **Method.** All cases share the tree, impedances and ratios. Eight cases at a time are the lanes
//! of vector instructions, and components go one after the other through all their sweeps, so that
//! what is swept stays within the caches. Feeders with loops or generators that hold voltages, and
//! lanes that are slow, are left to the engine for single cases. Threads share the cases.
//!
//! **Cost.** Per thread 400 bytes per bus and 128 per load, whatever the number of cases.
//!
//! **Determinism.** The same bits on any number of threads, and whatever the other cases are: a lane
//! that has come to rest stays as it is. Extremes name the first case that has them.

mod cases;
mod group;
mod kernel;
mod plan;
mod report;

pub use cases::{LoadCases, LoadFactors, LoadPowers, LoadProfiles};
pub use report::{BatchReport, BranchExtreme, BusExtreme, CaseReport};

use super::balanced::Network;
use super::{FlowError, FlowParams};
use group::Worker;
use kernel::LANES;
use palmette_core::feeder::{Balanced, Complex};
use plan::Plan;
use rayon::prelude::*;
use report::Extremes;
use std::sync::Mutex;

/// Sees the voltages of a case.
type Sink<'a> = dyn Fn(usize, &[Complex]) + Sync + 'a;

/// Groups of lanes that are worth a task.
const TASK: usize = 4;

/// A feeder, made ready for many load cases.
///
/// ```
/// use palmette_power::flow::{Batch, FlowParams, LoadFactors};
/// use palmette_power::generate::{FeederShape, feeder};
/// let feeder = feeder(&FeederShape::default()).unwrap();
/// let batch = Batch::new(&feeder, &FlowParams::default()).unwrap();
/// let report = batch.run(&LoadFactors(&[0.5, 1.0, 1.1])).unwrap();
/// assert!((report.cases[1].v_min - 0.93).abs() < 1e-6);
/// assert!(report.cases[2].losses_mva.re > report.cases[0].losses_mva.re);
/// ```
pub struct Batch<'a> {
    network: Network<'a>,
    params: FlowParams,
    plan: Plan,
}

impl<'a> Batch<'a> {
    /// Makes a feeder ready.
    ///
    /// # Errors
    /// What is wrong with the feeder, and islands without a source unless they are allowed.
    pub fn new(feeder: &'a Balanced, params: &FlowParams) -> Result<Batch<'a>, FlowError> {
        feeder.check()?;
        params.check()?;
        let network = Network::new(feeder, params, None)?;
        let plan = Plan::new(&network);
        Ok(Batch { network, params: params.clone(), plan })
    }

    /// The extremes of all cases.
    ///
    /// # Errors
    /// Cases that do not fit the feeder. A case without a power flow is no error: its report says
    /// so.
    pub fn run(&self, cases: &dyn LoadCases) -> Result<BatchReport, FlowError> {
        self.solve(cases, None)
    }

    /// The voltages of all cases, per unit, case after case and by bus; no numbers where a case has
    /// no power flow.
    ///
    /// # Errors
    /// As [`Batch::run`].
    pub fn voltages(
        &self,
        cases: &dyn LoadCases,
    ) -> Result<(Vec<Complex>, BatchReport), FlowError> {
        let n = self.network.z.len();
        let nothing = Complex::new(f64::NAN, f64::NAN);
        let mut all = vec![nothing; n * cases.cases()];
        let rows: Vec<Mutex<&mut [Complex]>> = all.chunks_mut(n).map(Mutex::new).collect();
        let report = self.each(cases, &|case, voltages| {
            if let Ok(mut row) = rows[case].lock() {
                row.copy_from_slice(voltages);
            }
        })?;
        drop(rows);
        Ok((all, report))
    }

    /// As [`Batch::run`]; `sink` sees the voltages of each case that has a power flow, per unit by
    /// bus, in any order and from any thread.
    ///
    /// # Errors
    /// As [`Batch::run`].
    pub fn each(&self, cases: &dyn LoadCases, sink: &Sink<'_>) -> Result<BatchReport, FlowError> {
        self.solve(cases, Some(sink))
    }

    fn solve(
        &self,
        cases: &dyn LoadCases,
        sink: Option<&Sink<'_>>,
    ) -> Result<BatchReport, FlowError> {
        cases.check(&self.network.feeder.loads)?;
        let groups = cases.cases().div_ceil(LANES);
        let new = || Worker::new(&self.network, &self.plan, &self.params);
        let done: Vec<(Vec<CaseReport>, Extremes)> = (0..groups)
            .into_par_iter()
            .with_min_len(TASK)
            .fold(new, |mut worker, group| {
                worker.solve(cases, group * LANES, sink);
                worker
            })
            .map(|worker| (worker.reports, worker.extremes))
            .collect();
        let mut reports = Vec::with_capacity(cases.cases());
        let mut extremes = Extremes::default();
        for (more, later) in done {
            reports.extend(more);
            extremes = extremes.merged(later);
        }
        Ok(BatchReport::new(&self.network, reports, extremes))
    }
}
