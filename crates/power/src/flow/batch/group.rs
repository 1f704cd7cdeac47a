//! Up to eight cases, side by side.

use super::cases::LoadCases;
use super::kernel::{LANES, Lane, Lanes, Pair, Seen, Tally, backward, forward, tally};
use super::plan::Plan;
use super::report::{CaseReport, Extremes};
use crate::flow::balanced::{Arrays, Network, State, drawn, run};
use crate::flow::{BALANCE, FlowParams};
use palmette_core::NONE;
use palmette_core::feeder::Complex;
use std::ops::Range;

/// Plain sweeps of lanes before the engine for single cases takes over.
const MOST: usize = 24;

/// What one thread works on.
pub(super) struct Worker<'b, 'a> {
    network: &'b Network<'a>,
    plan: &'b Plan,
    params: &'b FlowParams,
    arrays: Arrays<'b>,
    lanes: Lanes,
    seen: Vec<Seen>,
    /// The powers of all loads, lane after lane.
    rows: Vec<Complex>,
    /// Loads that are not constant power: position, constant current, admittance.
    zips: Vec<(usize, Pair, Pair)>,
    by_bus: Vec<Complex>,
    /// By lane, the most sweeps of a component.
    sweeps: [usize; LANES],
    pub(super) extremes: Extremes,
    pub(super) reports: Vec<CaseReport>,
}

impl<'b, 'a> Worker<'b, 'a> {
    pub(super) fn new(network: &'b Network<'a>, plan: &'b Plan, params: &'b FlowParams) -> Self {
        let n = network.z.len();
        let nothing = vec![Pair::default(); n];
        Worker {
            network,
            plan,
            params,
            arrays: Arrays {
                parent: network.topology.tree.parents(),
                z: &network.z,
                y: &network.y,
                s: &[],
            },
            lanes: Lanes { s: nothing.clone(), v: nothing.clone(), i: nothing },
            seen: vec![Seen::default(); n],
            rows: vec![Complex::default(); LANES * network.feeder.loads.len()],
            zips: Vec::new(),
            by_bus: Vec::new(),
            sweeps: [0; LANES],
            extremes: Extremes::new(n),
            reports: Vec::new(),
        }
    }

    /// Solves the cases from `first` on, at most eight.
    pub(super) fn solve(
        &mut self,
        cases: &dyn LoadCases,
        first: usize,
        sink: Option<&super::Sink<'_>>,
    ) {
        let count = (cases.cases() - first).min(LANES);
        let loads = &self.network.feeder.loads;
        for (lane, row) in self.rows.chunks_exact_mut(loads.len().max(1)).enumerate() {
            // Lanes without a case repeat the first.
            cases.row(first + if lane < count { lane } else { 0 }, loads, row);
        }
        self.fill();
        self.sweeps = [0; LANES];
        let mut slow = [self.plan.coupled; LANES];
        if !self.plan.coupled {
            for part in &self.network.components {
                let range = part.ranges[0].start as usize..part.ranges[0].end as usize;
                let late = self.sweep(range);
                slow.iter_mut().zip(late).for_each(|(slow, late)| *slow |= late);
            }
            self.roots();
        }
        let mut solved = [true; LANES];
        let mut extra = [Extra::default(); LANES];
        for lane in (0..count).filter(|&lane| slow[lane]) {
            (solved[lane], extra[lane]) = self.single(lane);
        }
        self.repeat_first(count);
        let mut sums = self.tally();
        let mut reports: Vec<CaseReport> =
            (0..count).map(|lane| self.report(lane, &sums, &extra[lane])).collect();
        // Lanes whose power is not yet balanced go on alone.
        let off: Vec<usize> = (0..count)
            .filter(|&lane| solved[lane] && !slow[lane] && reports[lane].balance > BALANCE)
            .collect();
        for &lane in &off {
            (solved[lane], extra[lane]) = self.single(lane);
        }
        if !off.is_empty() {
            self.repeat_first(count);
            sums = self.tally();
            reports = (0..count).map(|lane| self.report(lane, &sums, &extra[lane])).collect();
        }
        let (arrays, lanes, constants) = (&self.arrays, &self.lanes, &self.plan.constants);
        self.extremes
            .take(first, &self.seen, |k| super::kernel::values(arrays, constants, k, lanes));
        if let Some(sink) = sink {
            for (lane, _) in reports.iter().enumerate().filter(|report| report.1.converged) {
                let (tree, network) = (&self.network.topology.tree, self.network);
                let v = |&at: &u32| self.lanes.v[at as usize].get(lane) / network.turn(at as usize);
                self.by_bus.clear();
                self.by_bus.extend(tree.positions().iter().map(v));
                sink(first + lane, &self.by_bus);
            }
        }
        self.reports.append(&mut reports);
    }

    /// Powers by position and lane, and voltages to start from.
    fn fill(&mut self) {
        let (network, m) = (self.network, self.network.feeder.loads.len());
        let scale = self.params.load_factor / network.feeder.base_mva;
        self.lanes.s.fill(Pair::default());
        self.lanes.i.fill(Pair::default());
        for &(at, load) in &self.plan.loads {
            let s = &mut self.lanes.s[at as usize];
            for lane in 0..LANES {
                let power = self.rows[lane * m + load as usize];
                s.re[lane] += power.re * scale;
                s.im[lane] += power.im * scale;
            }
        }
        self.zips.clear();
        for &(at, load, zip) in &self.plan.zips {
            let turn = network.turn(at as usize).norm();
            let (mut current, mut admittance) = (Pair::default(), Pair::default());
            for lane in 0..LANES {
                let [p, i, z] = zip.split(self.rows[lane * m + load as usize] * scale);
                self.lanes.s[at as usize].add(lane, p);
                current.set(lane, i / turn);
                admittance.set(lane, z.conj() / (turn * turn));
            }
            self.zips.push((at as usize, current, admittance));
        }
        for &(root, e) in &self.plan.roots {
            let range = root as usize..network.topology.tree.end(root) as usize;
            self.lanes.v[range].fill(Pair::same(e));
        }
    }

    /// What loads of a range draw that are not constant power.
    fn draw(&mut self, range: &Range<usize>) {
        let first = self.zips.partition_point(|zip| zip.0 < range.start);
        for (at, current, admittance) in
            self.zips[first..].iter().take_while(|zip| zip.0 < range.end)
        {
            for lane in 0..LANES {
                let v = self.lanes.v[*at].get(lane);
                let drawn = (current.get(lane) / v).conj() * v.norm() + admittance.get(lane) * v;
                self.lanes.i[*at].add(lane, drawn);
            }
        }
    }

    /// Sweeps one component to rest; which lanes did not come there. A lane at rest stays as it is
    /// while others move, so that no case depends on its neighbours. Ends with currents at the final
    /// voltages.
    fn sweep(&mut self, range: Range<usize>) -> [bool; LANES] {
        let root = self.arrays.parent[range.start] as usize;
        let tolerance = self.params.tolerance.powi(2);
        // Other components of the same source have left their currents there.
        let before = self.lanes.i[root];
        let mut slow = [true; LANES];
        let mut rests = [0.0; LANES];
        for sweep in 1..=MOST.min(self.params.max_sweeps) {
            self.draw(&range);
            backward(&self.arrays, range.clone(), &mut self.lanes);
            let change = forward(&self.arrays, range.clone(), &mut self.lanes, &rests);
            for (lane, slow) in slow.iter_mut().enumerate().filter(|(_, slow)| **slow) {
                *slow = change[lane].is_nan() || change[lane] > tolerance;
                rests[lane] = f64::from(!*slow);
                self.sweeps[lane] = self.sweeps[lane].max(sweep);
            }
            if !slow.contains(&true) {
                break;
            }
        }
        self.lanes.i[root] = before;
        self.draw(&range);
        backward(&self.arrays, range, &mut self.lanes);
        slow
    }

    /// What sources' own buses draw.
    fn roots(&mut self) {
        for &(root, _) in &self.plan.roots {
            let at = root as usize;
            self.draw(&(at..at + 1));
            for lane in 0..LANES {
                let (s, v) = (self.lanes.s[at].get(lane), self.lanes.v[at].get(lane));
                self.lanes.i[at].add(lane, drawn(s, self.network.y[at], v));
            }
        }
    }

    /// Solves one lane by the engine for single cases; whether it could.
    fn single(&mut self, lane: usize) -> (bool, Extra) {
        let m = self.network.feeder.loads.len();
        let demand =
            self.network.demand_of(&self.rows[lane * m..(lane + 1) * m], self.params.load_factor);
        let mut state = State::flat(self.network);
        let solved = run(self.network, &demand, self.params, &mut state);
        let nothing = Complex::new(f64::NAN, f64::NAN);
        for (k, (v, i)) in self.lanes.v.iter_mut().zip(&mut self.lanes.i).enumerate() {
            v.set(lane, if solved.is_ok() { state.v[k] } else { nothing });
            i.set(lane, if solved.is_ok() { state.i[k] } else { nothing });
        }
        self.sweeps[lane] = state.sweeps;
        let (mut extra, base) = (Extra::default(), self.network.feeder.base_mva);
        if let Ok((_, totals)) = &solved {
            extra.given = totals.generators_mva / base;
            for &(branch, current) in &state.loops {
                extra.series +=
                    self.network.feeder.branches.z[branch as usize] * current.norm_sqr();
            }
        }
        (solved.is_ok(), extra)
    }

    /// Lanes without a case are the first one again.
    fn repeat_first(&mut self, count: usize) {
        if count == LANES {
            return;
        }
        for pair in self.lanes.v.iter_mut().chain(&mut self.lanes.i) {
            let value = pair.get(0);
            (count..LANES).for_each(|lane| pair.set(lane, value));
        }
    }

    fn tally(&mut self) -> Tally {
        let mut sums = Tally::NONE;
        for &(root, _) in &self.plan.roots {
            let range = root as usize..self.network.topology.tree.end(root) as usize;
            tally(
                &self.arrays,
                &self.plan.constants,
                range,
                &self.lanes,
                &mut self.seen,
                &mut sums,
            );
        }
        sums
    }

    fn report(&self, lane: usize, sums: &Tally, extra: &Extra) -> CaseReport {
        let network = self.network;
        let (base, tree) = (network.feeder.base_mva, &network.topology.tree);
        let mut given = Complex::default();
        for &(root, _) in &self.plan.roots {
            let at = root as usize;
            given += self.lanes.v[at].get(lane) * self.lanes.i[at].get(lane).conj();
        }
        let mut loads = sums.loads.get(lane);
        for (at, current, admittance) in &self.zips {
            let size = self.lanes.v[*at].get(lane).norm();
            loads += current.get(lane) * size + admittance.get(lane).conj() * (size * size);
        }
        let shunts = sums.shunts.get(lane);
        let losses = sums.series.get(lane) + sums.ground.get(lane) - shunts + extra.series;
        let off = (given + extra.given - loads - losses - shunts).norm();
        let size = sums.size[lane] + given.norm() + extra.given.norm();
        let bus = |at: &Lane| tree.vertices()[at[lane] as usize];
        CaseReport {
            converged: given.re.is_finite(),
            v_min: if given.re.is_finite() { sums.low[lane].sqrt() } else { f64::NAN },
            v_min_bus: bus(&sums.low_at),
            v_max: if given.re.is_finite() { sums.high[lane].sqrt() } else { f64::NAN },
            v_max_bus: bus(&sums.high_at),
            loading: sums.loading[lane].sqrt(),
            loading_branch: match sums.loading[lane] > 0.0 {
                true => network.topology.branch[sums.loading_at[lane] as usize],
                false => NONE,
            },
            losses_mva: losses * base,
            sources_mva: given * base,
            generators_mva: extra.given * base,
            sweeps: self.sweeps[lane],
            balance: if size > 0.0 { off / size } else { 0.0 },
        }
    }
}

/// What the engine for single cases adds: generators that hold voltages, and branches that close
/// loops.
#[derive(Debug, Clone, Copy, Default)]
struct Extra {
    given: Complex,
    series: Complex,
}
