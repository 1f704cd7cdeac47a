//! Sweeps until nothing moves.
//!
//! **Method.** Components after each other, two at a time where nothing couples them, by [`iterate`],
//! which sees voltages and unknowns as one vector. Then currents at the final voltages, and the balance of power: where it is not yet
//! met, sweeps go on with a smaller tolerance.

use super::certificate::certificate;
use super::compensation::{Compensation, Depths, sources};
use super::solution::Solution;
use super::sweep::{Arrays, backward, backward_both, forward, forward_both};
use super::totals::Sums;
use super::{Demand, Network, loading};
use crate::flow::iterate::{Iteration, iterate};
use crate::flow::recent::Recent;
use crate::flow::{BALANCE, FlowError, FlowParams};
use palmette_core::feeder::{Balanced, Complex};
use std::ops::Range;

/// Voltages and currents of branches, by position, in the frame without ratios.
#[derive(Clone)]
pub(in crate::flow) struct State {
    pub(in crate::flow) v: Vec<Complex>,
    pub(in crate::flow) i: Vec<Complex>,
    /// Currents of branches that close loops.
    pub(in crate::flow) loops: Vec<(u32, Complex)>,
    /// Reactive powers of generators, per unit, and whether they are at a limit.
    pub(in crate::flow) generators: Vec<(u32, f64, bool)>,
    /// The most sweeps of a component.
    pub(in crate::flow) sweeps: usize,
    /// The largest change in the last sweep.
    pub(in crate::flow) change: f64,
    /// Room for the changes of two parts.
    recent: [Recent; 2],
}

impl State {
    /// Voltages of the sources everywhere; none where no source is.
    pub(in crate::flow) fn flat(network: &Network<'_>) -> State {
        let mut state = State {
            v: vec![Complex::default(); network.z.len()],
            i: vec![Complex::default(); network.z.len()],
            loops: Vec::new(),
            generators: Vec::new(),
            sweeps: 0,
            change: 0.0,
            recent: Default::default(),
        };
        state.restart(network);
        state
    }

    /// The same in memory that is there.
    pub(super) fn restart(&mut self, network: &Network<'_>) {
        for (root, e) in sources(network) {
            self.v[root as usize..network.topology.tree.end(root) as usize].fill(e);
        }
        self.i.fill(Complex::default());
        self.sweeps = 0;
    }
}

/// Where sweeps failed.
pub(in crate::flow) struct Stuck {
    pub(in crate::flow) position: usize,
    pub(in crate::flow) sweeps: usize,
    pub(in crate::flow) change: f64,
}

/// Why a run ended without an answer.
pub(in crate::flow) enum Failure {
    Stuck(Stuck),
    Error(FlowError),
}

impl From<FlowError> for Failure {
    fn from(error: FlowError) -> Self {
        Failure::Error(error)
    }
}

/// The power flow of a balanced feeder.
///
/// ```
/// use palmette_power::flow::{FlowParams, solve};
/// use palmette_power::generate::{FeederShape, feeder};
/// let feeder = feeder(&FeederShape::default()).unwrap();
/// let solution = solve(&feeder, &FlowParams::default()).unwrap();
/// assert!(solution.totals().losses_mva.re > 0.0);
/// assert!(solution.balance() < 1e-9);
/// ```
///
/// # Errors
/// What is wrong with the feeder; islands without a source, unless they are allowed; loads that the
/// network cannot carry.
pub fn solve<'a>(feeder: &'a Balanced, params: &FlowParams) -> Result<Solution<'a>, FlowError> {
    feeder.check()?;
    params.check()?;
    let network = Network::new(feeder, params, None)?;
    solve_network(network, params, true)
}

/// As [`solve`], of arrays that are ready, with a certificate or without.
pub(in crate::flow) fn solve_network<'a>(
    network: Network<'a>,
    params: &FlowParams,
    certify: bool,
) -> Result<Solution<'a>, FlowError> {
    let demand = network.demand(params.load_factor);
    let mut state = State::flat(&network);
    let finished = run(&network, &demand, params, &mut state);
    let (mismatch, totals) = match finished {
        Ok(done) => done,
        Err(Failure::Error(error)) => return Err(error),
        Err(Failure::Stuck(stuck)) => {
            let (bus, loops) = (network.name(stuck.position), network.topology.loops.len());
            let reach = || loading::within(&network, params, params.load_factor);
            let found = (stuck.sweeps, stuck.change);
            return Err(FlowError::unfinished(bus, found, params, loops, reach));
        }
    };
    let proof = || certificate(&network, &demand, params.load_factor, &state);
    let certificate = if certify { proof() } else { None };
    drop(demand);
    Ok(Solution::new(network, state, certificate, mismatch, totals))
}

/// Sweeps from the state given until power is balanced; the largest mismatch of power at a bus, per
/// unit, and where power goes.
pub(in crate::flow) fn run(
    network: &Network<'_>,
    demand: &Demand<'_>,
    params: &FlowParams,
    state: &mut State,
) -> Result<(f64, super::Totals), Failure> {
    let coupled = network.components.iter().any(|part| !part.unknowns.is_empty());
    let depths = coupled.then(|| Depths::new(network));
    let mut tolerance = params.tolerance;
    let mut compensations = Vec::new();
    for part in &network.components {
        compensations.push(match &depths {
            Some(depths) if !part.unknowns.is_empty() => {
                Some(Compensation::new(network, &part.unknowns, depths)?)
            }
            _ => None,
        });
    }
    let arrays = arrays(network, demand);
    let roots = sources(network);
    loop {
        state.change = 0.0;
        let mut sums = Sums::default();
        roots.iter().for_each(|root| state.i[root.0 as usize] = Complex::default());
        let mut parts = network.components.iter().zip(&mut compensations).peekable();
        while let Some((part, compensation)) = parts.next() {
            let alone = !part.unknowns.is_empty();
            let beside = parts.next_if(|(next, _)| !alone && next.unknowns.is_empty());
            let beside = beside.map(|(next, _)| &next.ranges[..]).unwrap_or_default();
            let ranges = [&part.ranges[..], beside].concat();
            // Sweeps leave currents at the sources, where other parts have left theirs.
            let before: Vec<(usize, Complex)> = match alone {
                false => {
                    let root = |one: &Range<u32>| arrays.parent[one.start as usize] as usize;
                    ranges.iter().map(root).map(|root| (root, state.i[root])).collect()
                }
                true => {
                    roots.iter().map(|root| (root.0 as usize, state.i[root.0 as usize])).collect()
                }
            };
            let (v, i, recent) = (&mut state.v[..], &mut state.i[..], &mut state.recent);
            for (recent, range) in recent.iter_mut().zip(&ranges) {
                // Coupled parts share the room of the largest.
                let longest = ranges.iter().map(|range| range.len()).max().unwrap_or(0);
                recent.restart(if alone { longest } else { range.len() });
            }
            let compensation = compensation.as_mut();
            let mut sweeper =
                Sweeper { arrays, demand, ranges: &ranges, compensation, v, i, recent };
            let ending = iterate(&mut sweeper, tolerance, params.max_sweeps);
            if !ending.converged {
                let position = sweeper.worst();
                let (sweeps, change) = (ending.sweeps, ending.change);
                return Err(Failure::Stuck(Stuck { position, sweeps, change }));
            }
            before.iter().for_each(|&(root, current)| sweeper.i[root] = current);
            sweeper.draw();
            state.sweeps = state.sweeps.max(ending.sweeps);
            state.change = state.change.max(ending.change);
            ranges.iter().for_each(|range| sums.add(network, demand, state, range.clone()));
        }
        for &(root, e) in &roots {
            let at = root as usize;
            add_currents(demand, root..root + 1, &state.v, &mut state.i);
            state.i[at] += super::sweep::drawn(demand.s[at], demand.y[at], e);
            sums.add(network, demand, state, root..root + 1);
        }
        (state.loops, state.generators) = (Vec::new(), Vec::new());
        for compensation in compensations.iter().flatten() {
            compensation.report(&mut state.loops, &mut state.generators);
        }
        state.loops.sort_by_key(|entry| entry.0);
        state.generators.sort_by_key(|entry| entry.0);
        let (mismatch, totals) = sums.totals(network, demand, state);
        if totals.balance <= BALANCE {
            return Ok((mismatch, totals));
        }
        // Rounding alone stays far below: voltages that move less have no more to give.
        if tolerance < 1e-15 || !totals.balance.is_finite() {
            return Err(FlowError::Unbalanced { relative: totals.balance }.into());
        }
        tolerance = (tolerance * 0.1).min(state.change * 0.1);
        state.i.fill(Complex::default());
    }
}

fn arrays<'b>(network: &'b Network<'_>, demand: &'b Demand<'_>) -> Arrays<'b> {
    let parent = network.topology.tree.parents();
    Arrays { parent, z: &network.z, y: &demand.y, s: &demand.s }
}

/// Loads of constant current at positions of a range.
fn add_currents(demand: &Demand<'_>, range: Range<u32>, v: &[Complex], i: &mut [Complex]) {
    let from = demand.current.partition_point(|entry| entry.0 < range.start);
    for &(at, s) in demand.current[from..].iter().take_while(|entry| entry.0 < range.end) {
        let v = v[at as usize];
        i[at as usize] += (s / v).conj() * v.norm();
    }
}

/// The iteration of one component.
struct Sweeper<'b, 'c> {
    arrays: Arrays<'b>,
    demand: &'b Demand<'b>,
    ranges: &'b [Range<u32>],
    compensation: Option<&'b mut Compensation<'c>>,
    v: &'b mut [Complex],
    i: &'b mut [Complex],
    recent: &'b mut [Recent; 2],
}

impl Sweeper<'_, '_> {
    fn positions(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.ranges.iter().flat_map(|range| range.start as usize..range.end as usize)
    }

    /// The bus that moves most in one more sweep.
    fn worst(&mut self) -> usize {
        let old: Vec<(usize, Complex)> = self.positions().map(|k| (k, self.v[k])).collect();
        self.step();
        let moved = old.iter().map(|&(k, old)| (k, (self.v[k] - old).norm()));
        moved.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |worst| worst.0)
    }
}

impl Sweeper<'_, '_> {
    /// Currents of all branches at the present voltages.
    fn draw(&mut self) {
        let (v, i) = (&*self.v, &mut *self.i);
        if !self.demand.current.is_empty() {
            self.ranges.iter().for_each(|range| add_currents(self.demand, range.clone(), v, i));
        }
        if let Some(compensation) = &self.compensation {
            compensation.draw(v, i);
        }
        match self.ranges {
            [a, b] if self.compensation.is_none() => backward_both(&self.arrays, [a, b], v, i),
            _ => self.ranges.iter().rev().for_each(|range| backward(&self.arrays, range, v, i)),
        }
    }
}

impl Iteration for Sweeper<'_, '_> {
    fn step(&mut self) -> f64 {
        self.draw();
        let (v, i) = (&mut *self.v, &mut *self.i);
        let [one, two] = &mut *self.recent;
        let mut most = 0.0f64;
        match self.ranges {
            [a, b] if self.compensation.is_none() => {
                most = forward_both(&self.arrays, [a, b], v, i, [one.slot(), two.slot()]);
            }
            _ => {
                for range in self.ranges {
                    let changes = &mut one.slot()[..range.len()];
                    let change = forward(&self.arrays, range, v, i, changes);
                    most = if change <= most { most } else { change };
                }
            }
        }
        match &mut self.compensation {
            Some(compensation) => most.sqrt().max(compensation.update(v)),
            None => most.sqrt(),
        }
    }

    fn correct(&mut self) {
        if self.compensation.is_none() {
            for (recent, range) in self.recent.iter_mut().zip(self.ranges) {
                let image = &mut self.v[range.start as usize..range.end as usize];
                recent.correct(image, &[]);
            }
        }
    }

    fn gather(&self) -> Vec<f64> {
        let voltages = self.positions().flat_map(|k| [self.v[k].re, self.v[k].im]);
        let unknowns = self.compensation.iter().flat_map(|compensation| &compensation.x);
        voltages.chain(unknowns.copied()).collect()
    }

    fn scatter(&mut self, x: &[f64]) {
        let mut values = x.iter();
        let mut next = || values.next().copied().unwrap_or(0.0);
        for k in self.ranges.iter().flat_map(|range| range.start as usize..range.end as usize) {
            self.v[k] = Complex::new(next(), next());
        }
        if let Some(compensation) = &mut self.compensation {
            compensation.set(next);
        }
    }
}
