//! What is kept of many cases.

use super::kernel::{LANES, Lane, Pair, Seen};
use crate::flow::balanced::Network;
use palmette_core::NONE;
use palmette_core::feeder::Complex;

/// One case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseReport {
    /// Whether it has a power flow; without one all numbers are none.
    pub converged: bool,
    /// The lowest voltage, per unit, and its bus.
    pub v_min: f64,
    /// The bus of the lowest voltage.
    pub v_min_bus: u32,
    /// The highest voltage, per unit, and its bus.
    pub v_max: f64,
    /// The bus of the highest voltage.
    pub v_max_bus: u32,
    /// The highest loading of a branch, as a part of its rating; 0 without ratings.
    pub loading: f64,
    /// The branch with the highest loading; [`NONE`] without ratings.
    pub loading_branch: u32,
    /// What branches take, in MVA.
    pub losses_mva: Complex,
    /// What all sources give, in MVA.
    pub sources_mva: Complex,
    /// What generators that hold voltages give, in MVA.
    pub generators_mva: Complex,
    /// The most sweeps of a part of the network.
    pub sweeps: usize,
    /// How far sources are from loads and losses, as a part of all power that is drawn.
    pub balance: f64,
}

/// The extremes of a bus over all cases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BusExtreme {
    /// The lowest voltage, per unit; infinite where there is none.
    pub v_min: f64,
    /// The first case with it.
    pub v_min_case: u32,
    /// The highest voltage, per unit.
    pub v_max: f64,
    /// The first case with it.
    pub v_max_case: u32,
}

/// The highest loading of a branch over all cases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BranchExtreme {
    /// As a part of its rating; 0 without one, and for branches that close loops.
    pub loading: f64,
    /// The first case with it.
    pub case: u32,
}

/// All cases of a feeder.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchReport {
    /// By case.
    pub cases: Vec<CaseReport>,
    /// By bus.
    pub buses: Vec<BusExtreme>,
    /// By branch.
    pub branches: Vec<BranchExtreme>,
}

impl BatchReport {
    pub(super) fn new(network: &Network<'_>, cases: Vec<CaseReport>, extremes: Extremes) -> Self {
        let tree = &network.topology.tree;
        let none = BranchExtreme { loading: 0.0, case: NONE };
        let mut branches = vec![none; network.feeder.branches.len()];
        for (k, high) in extremes.loading.iter().enumerate() {
            if let Some(branch) = branches.get_mut(network.topology.branch[k] as usize) {
                *branch = BranchExtreme { loading: high.value.sqrt(), case: high.case };
            }
        }
        let bus = |&at: &u32| {
            let (low, high) = match extremes.low.get(at as usize) {
                Some(low) => (*low, extremes.high[at as usize]),
                None => (Extreme::LOW, Extreme::HIGH),
            };
            BusExtreme {
                v_min: low.value.sqrt(),
                v_min_case: low.case,
                v_max: high.value.sqrt(),
                v_max_case: high.case,
            }
        };
        let buses = tree.positions().iter().map(bus).collect();
        BatchReport { cases, buses, branches }
    }

    /// The case with the lowest voltage; none where no case has a power flow.
    pub fn worst(&self) -> Option<usize> {
        let live = (0..self.cases.len()).filter(|&case| self.cases[case].converged);
        live.min_by(|&a, &b| self.cases[a].v_min.total_cmp(&self.cases[b].v_min))
    }

    /// How many cases have no power flow.
    pub fn diverged(&self) -> usize {
        self.cases.iter().filter(|case| !case.converged).count()
    }
}

/// A square and the first case that has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extreme {
    value: f64,
    case: u32,
}

impl Extreme {
    const LOW: Extreme = Extreme { value: f64::INFINITY, case: NONE };
    const HIGH: Extreme = Extreme { value: 0.0, case: NONE };
}

/// Extremes over cases, by position.
#[derive(Debug, Default)]
pub(super) struct Extremes {
    low: Vec<Extreme>,
    high: Vec<Extreme>,
    loading: Vec<Extreme>,
}

impl Extremes {
    pub(super) fn new(n: usize) -> Extremes {
        Extremes {
            low: vec![Extreme::LOW; n],
            high: vec![Extreme::HIGH; n],
            loading: vec![Extreme::HIGH; n],
        }
    }

    /// Takes what a group of cases has shown. Which lane it was is found again only where a record
    /// is broken: `lane` gives the values of all.
    pub(super) fn take(&mut self, first: usize, seen: &[Seen], lane: impl Fn(usize) -> [Lane; 2]) {
        for (k, seen) in seen.iter().enumerate() {
            let records = seen.low < self.low[k].value
                || seen.high > self.high[k].value
                || seen.loading > self.loading[k].value;
            if records {
                let [volt, load] = lane(k);
                let case = |values: &Lane, of: f64| {
                    (first + values.iter().position(|&value| value == of).unwrap_or(0)) as u32
                };
                if seen.low < self.low[k].value {
                    self.low[k] = Extreme { value: seen.low, case: case(&volt, seen.low) };
                }
                if seen.high > self.high[k].value {
                    self.high[k] = Extreme { value: seen.high, case: case(&volt, seen.high) };
                }
                if seen.loading > self.loading[k].value {
                    self.loading[k] =
                        Extreme { value: seen.loading, case: case(&load, seen.loading) };
                }
            }
        }
    }

    /// Of two runs of cases, the first before the second.
    pub(super) fn merged(mut self, later: Extremes) -> Extremes {
        if self.low.is_empty() {
            return later;
        }
        for (mine, theirs) in self.low.iter_mut().zip(&later.low) {
            if theirs.value < mine.value {
                *mine = *theirs;
            }
        }
        let highs = self.high.iter_mut().zip(&later.high);
        for (mine, theirs) in highs.chain(self.loading.iter_mut().zip(&later.loading)) {
            if theirs.value > mine.value {
                *mine = *theirs;
            }
        }
        self
    }
}

const _: () = assert!(LANES == 8 && size_of::<Pair>() == 128);
