//! Sweeps of three phases until nothing moves.

use super::certificate::certificate;
use super::compensation::Compensation;
use super::network::{PhaseDemand, PhaseNetwork};
use super::settle::settle;
use super::solution::{PhaseSolution, PhaseTotals};
use super::sweep::{backward, draw_elements, forward, product};
use super::{Three, ZERO, loading};
use crate::flow::iterate::{Iteration, iterate};
use crate::flow::recent::Recent;
use crate::flow::{BALANCE, FlowError, FlowParams};
use palmette_core::NONE;
use palmette_core::feeder::{Complex, ThreePhase};
use std::ops::Range;

/// Voltages and currents of branches, by position.
#[derive(Clone)]
pub(super) struct PhaseState {
    pub(super) v: Vec<Three>,
    pub(super) i: Vec<Three>,
    /// Currents of branches that close loops, in ascending order.
    pub(super) loops: Vec<(u32, Three)>,
    pub(super) sweeps: usize,
    pub(super) change: f64,
    /// Room for the changes of one part.
    recent: Recent,
}

impl PhaseState {
    /// Voltages without currents; none where no source is.
    pub(super) fn flat(network: &PhaseNetwork<'_>) -> PhaseState {
        let n = network.z.len();
        let mut v = vec![ZERO; n];
        let feeder = network.feeder;
        for (&bus, given) in feeder.sources.bus.iter().zip(&feeder.sources.v) {
            let base = feeder.buses.v_base.get(bus as usize);
            let missing = |phase: usize| {
                Complex::from_polar(base, -std::f64::consts::TAU / 3.0 * phase as f64)
            };
            let has = feeder.buses.phases.get(bus as usize);
            v[network.position(bus)] =
                std::array::from_fn(|p| if has.has(p) { given[p] } else { missing(p) });
        }
        for (k, &parent) in network.topology.tree.parents().iter().enumerate() {
            if parent != NONE {
                let up = v[parent as usize];
                v[k] = match network.ratio[k] {
                    0 => up,
                    at => product(&network.ratios[at as usize], &up),
                };
            }
        }
        let (i, loops, recent) = (vec![ZERO; n], Vec::new(), Recent::default());
        PhaseState { v, i, loops, sweeps: 0, change: 0.0, recent }
    }
}

/// The power flow of a three-phase feeder.
///
/// ```
/// use palmette_power::flow::{FlowParams, solve_three_phase};
/// use palmette_power::generate::{FeederShape, three_phase_feeder};
/// let feeder = three_phase_feeder(&FeederShape::default()).unwrap();
/// let solution = solve_three_phase(&feeder, &FlowParams::default()).unwrap();
/// assert!(solution.totals().losses_va.re > 0.0);
/// ```
///
/// # Errors
/// As [`solve`](crate::flow::solve).
pub fn solve_three_phase<'a>(
    feeder: &'a ThreePhase,
    params: &FlowParams,
) -> Result<PhaseSolution<'a>, FlowError> {
    feeder.check()?;
    params.check()?;
    let network = PhaseNetwork::new(feeder, params)?;
    let mut compensation = Compensation::new(&network)?;
    let demand = network.demand(params.load_factor);
    let flat = PhaseState::flat(&network);
    let mut state = flat.clone();
    match run(&network, &demand, params, &mut compensation, &mut state, true) {
        Ok((mismatch, totals)) => {
            let (compensation, factor) = (compensation.as_ref(), params.load_factor);
            let proof = certificate(&network, &demand, &flat.v, &state.v, compensation, factor);
            Ok(PhaseSolution::new(network, state, proof, mismatch, totals))
        }
        Err(Stuck { position, sweeps, change, balance: None }) => {
            let (bus, loops) = (network.name(position), network.topology.loops.len());
            let reach = || loading::within(&network, params, params.load_factor);
            Err(FlowError::unfinished(bus, (sweeps, change), params, loops, reach))
        }
        Err(Stuck { balance: Some(relative), .. }) => Err(FlowError::Unbalanced { relative }),
    }
}

/// Where sweeps failed.
pub(super) struct Stuck {
    pub(super) position: usize,
    pub(super) sweeps: usize,
    pub(super) change: f64,
    /// Where they converged, but power is not balanced.
    pub(super) balance: Option<f64>,
}

/// Sweeps from the state given until power is balanced; the largest mismatch of power at a bus in
/// VA, if it is looked for, and where power goes.
pub(super) fn run(
    network: &PhaseNetwork<'_>,
    demand: &PhaseDemand,
    params: &FlowParams,
    compensation: &mut Option<Compensation>,
    state: &mut PhaseState,
    looks: bool,
) -> Result<(f64, PhaseTotals), Stuck> {
    let mut tolerance = params.tolerance;
    loop {
        state.change = 0.0;
        let singles = network.parts.chunks(1);
        let all = network.parts.chunks(network.parts.len().max(1));
        for ranges in if compensation.is_some() { all } else { singles } {
            let (v, i, recent) = (&mut state.v[..], &mut state.i[..], &mut state.recent);
            // Coupled parts share the room of the largest.
            recent.restart(3 * ranges.iter().map(|range| range.len()).max().unwrap_or(0));
            let compensation = compensation.as_mut();
            let mut sweeper = Sweeper { network, demand, ranges, compensation, v, i, recent };
            let ending = iterate(&mut sweeper, tolerance, params.max_sweeps);
            state.sweeps = state.sweeps.max(ending.sweeps);
            if !ending.converged {
                let position = sweeper.worst();
                let (sweeps, change) = (ending.sweeps, ending.change);
                return Err(Stuck { position, sweeps, change, balance: None });
            }
            state.change = state.change.max(ending.change);
        }
        if let Some(compensation) = compensation {
            let loops = compensation.loops.iter().zip(&compensation.j);
            state.loops = loops.map(|(one, &j)| (one.branch, j)).collect();
        }
        let settled = settle(network, demand, compensation.as_ref(), state, looks);
        let totals = PhaseTotals::new(network, state, demand, settled.losses);
        if totals.balance <= BALANCE {
            return Ok((settled.mismatch(), totals));
        }
        if tolerance < 1e-15 || !totals.balance.is_finite() {
            let (sweeps, change, balance) = (state.sweeps, state.change, Some(totals.balance));
            return Err(Stuck { position: 0, sweeps, change, balance });
        }
        tolerance = (tolerance * 0.1).min(state.change * 0.1);
        state.i.fill(ZERO);
    }
}

/// The iteration of one part.
struct Sweeper<'b, 'a> {
    network: &'b PhaseNetwork<'a>,
    demand: &'b PhaseDemand,
    ranges: &'b [Range<u32>],
    compensation: Option<&'b mut Compensation>,
    v: &'b mut [Three],
    i: &'b mut [Three],
    recent: &'b mut Recent,
}

impl Sweeper<'_, '_> {
    fn positions(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.ranges.iter().flat_map(|range| range.start as usize..range.end as usize)
    }

    /// The bus that moves most in one more sweep.
    fn worst(&mut self) -> usize {
        let old: Vec<(usize, Three)> = self.positions().map(|k| (k, self.v[k])).collect();
        self.step();
        let moved = old.iter().map(|&(k, old)| {
            let most =
                (0..3).map(|phase| (self.v[k][phase] - old[phase]).norm_sqr()).fold(0.0, f64::max);
            (k, most * self.network.scale[k])
        });
        moved.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |worst| worst.0)
    }
}

impl Iteration for Sweeper<'_, '_> {
    fn step(&mut self) -> f64 {
        let (network, demand) = (self.network, self.demand);
        let (v, i) = (&mut *self.v, &mut *self.i);
        if !demand.elements.is_empty() || !network.mutual.is_empty() {
            self.ranges.iter().for_each(|range| draw_elements(network, demand, range, v, i));
        }
        if let Some(compensation) = &self.compensation {
            compensation.draw(i);
        }
        self.ranges.iter().rev().for_each(|range| backward(network, demand, range, v, i));
        let mut most = 0.0f64;
        let changes = self.recent.slot();
        for range in self.ranges {
            let change = forward(network, range, v, i, &mut changes[..3 * range.len()]);
            most = if change <= most { most } else { change };
        }
        match &mut self.compensation {
            Some(compensation) => most.sqrt().max(compensation.update(network, v)),
            None => most.sqrt(),
        }
    }

    /// Per unit of the nominal voltage.
    fn correct(&mut self) {
        if self.compensation.is_none()
            && let [range] = self.ranges
        {
            let range = range.start as usize..range.end as usize;
            let image = self.v[range.clone()].as_flattened_mut();
            // Where all voltages are alike, weights change nothing.
            let weights = if self.network.alike { &[] } else { &self.network.scale[range] };
            self.recent.correct(image, weights);
        }
    }

    /// Per unit of the nominal voltage; currents of loops in A, which weigh little.
    fn gather(&self) -> Vec<f64> {
        let part = |k: usize| {
            let scale = self.network.scale[k].sqrt();
            self.v[k].iter().flat_map(|v| [v.re * scale, v.im * scale]).collect::<Vec<f64>>()
        };
        let voltages = self.positions().flat_map(part);
        let loops = self.compensation.iter().flat_map(|compensation| &compensation.j);
        voltages.chain(loops.flatten().flat_map(|j| [j.re, j.im])).collect()
    }

    fn scatter(&mut self, x: &[f64]) {
        let mut values = x.iter();
        let mut next = || values.next().copied().unwrap_or(0.0);
        for k in self.ranges.iter().flat_map(|range| range.start as usize..range.end as usize) {
            let base = self.network.scale[k].sqrt().recip();
            self.v[k].iter_mut().for_each(|v| *v = Complex::new(next() * base, next() * base));
        }
        if let Some(compensation) = &mut self.compensation {
            compensation.j.iter_mut().flatten().for_each(|j| *j = Complex::new(next(), next()));
        }
    }
}
