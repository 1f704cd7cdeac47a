//! Every branch out of service, one at a time (N−1).
//!
//! **Problem.** Input: a balanced feeder. Output, for each branch in service: the buses that lose
//! their supply without it, the load there, and the extremes of what is left.
//!
//! **Method.** An outage changes nothing but the component of its branch. Each component is made a
//! small feeder of its own; each of its branches is taken out, the forest built anew, and the
//! component solved. Extremes of the other components are those of the whole network. Threads share
//! the outages.
//!
//! **Cost.** For a component of `n` buses and `m` branches, `m` times the work of solving it.
//!
//! **Determinism.** The same answer on any number of threads.

use super::balanced::{Network, solve_network};
use super::{FlowError, FlowParams, Solution};
use palmette_core::NONE;
use palmette_core::feeder::{Balanced, Complex, Ends};
use rayon::prelude::*;

/// The most buses without supply that an outage lists.
const LISTED: usize = 1000;

/// What happens without one branch.
#[derive(Debug, Clone, PartialEq)]
pub struct Outage {
    /// The branch.
    pub branch: u32,
    /// How many buses lose their supply.
    pub lost_buses: usize,
    /// The first 1,000 of them, in ascending order.
    pub lost: Vec<u32>,
    /// The loads there, in MVA at nominal voltage, times their factor.
    pub lost_mva: Complex,
    /// Whether what is left has a power flow; without one all numbers below are none.
    pub converged: bool,
    /// The lowest voltage of the supplied buses, per unit.
    pub v_min: f64,
    /// Its bus.
    pub v_min_bus: u32,
    /// The highest voltage, per unit.
    pub v_max: f64,
    /// Its bus.
    pub v_max_bus: u32,
    /// The highest loading of a branch; 0 without ratings.
    pub loading: f64,
    /// The branch that has it; [`NONE`] without ratings.
    pub loading_branch: u32,
    /// What branches take, in MVA.
    pub losses_mva: Complex,
    /// What sources and generators give, in MVA.
    pub given_mva: Complex,
    /// The most sweeps of a component; 0 without a power flow.
    pub sweeps: usize,
}

/// Takes out every branch that is in service, one at a time.
///
/// ```
/// use palmette_power::flow::{FlowParams, outages};
/// use palmette_power::generate::{FeederShape, feeder};
/// let feeder = feeder(&FeederShape { buses: 50, ..FeederShape::default() }).unwrap();
/// let all = outages(&feeder, &FlowParams::default()).unwrap();
/// assert!(all.len() == 49 && all.iter().all(|outage| outage.lost_buses > 0));
/// ```
///
/// # Errors
/// As [`solve`](super::solve): the network with all branches must have a power flow. An outage
/// without one is no error.
pub fn outages(feeder: &Balanced, params: &FlowParams) -> Result<Vec<Outage>, FlowError> {
    feeder.check()?;
    params.check()?;
    let network = Network::new(feeder, params, None)?;
    let parts = split(&network);
    drop(network);
    let params = FlowParams { allow_unsupplied: true, ..params.clone() };
    let whole: Vec<Extremes> = parts
        .par_iter()
        .map(|part| {
            Ok(part.extremes(&solve_network(
                Network::new(&part.feeder, &params, None)?,
                &params,
                false,
            )?))
        })
        .collect::<Result<_, FlowError>>()?;
    let others = Others::new(&whole);
    let at_sources = at_sources(feeder, params.load_factor);
    let tasks: Vec<(usize, u32)> = parts
        .iter()
        .enumerate()
        .flat_map(|(at, part)| part.removable().map(move |branch| (at, branch)))
        .collect();
    let mut all: Vec<Outage> = tasks
        .into_par_iter()
        .map(|(at, branch)| {
            let mut rest = others.except(at, &whole);
            rest.given += at_sources;
            parts[at].without(branch, &params, &rest)
        })
        .collect::<Result<_, FlowError>>()?;
    all.sort_by_key(|outage| outage.branch);
    Ok(all)
}

/// What hangs on sources' own buses, which are in no component, takes in MVA.
fn at_sources(feeder: &Balanced, factor: f64) -> Complex {
    let mut held = vec![0.0; feeder.buses.names.len()];
    let sources = feeder.sources.bus.iter().zip(&feeder.sources.v);
    sources.for_each(|(&bus, v)| held[bus as usize] = v.norm());
    let (loads, shunts) = (&feeder.loads, &feeder.shunts);
    let mut all = Complex::default();
    for (k, &bus) in loads.bus.iter().enumerate().filter(|load| held[*load.1 as usize] > 0.0) {
        let v = held[bus as usize];
        let [power, current, impedance] = loads.zip.get(k).split(loads.s_mva[k] * factor);
        all += power + current * v + impedance * (v * v);
    }
    for (&bus, y) in shunts.bus.iter().zip(&shunts.y) {
        all += y.conj() * (held[bus as usize].powi(2) * feeder.base_mva);
    }
    all
}

/// A component as a feeder of its own.
struct Part {
    feeder: Balanced,
    /// The numbers of its buses and branches in the whole feeder.
    buses: Vec<u32>,
    branches: Vec<u32>,
    /// Its own buses come first; then sources, and what lies behind open ends.
    own: u32,
}

/// The worst of a part.
#[derive(Debug, Clone, Copy)]
struct Extremes {
    v_min: (f64, u32),
    v_max: (f64, u32),
    loading: (f64, u32),
    losses: Complex,
    given: Complex,
    sweeps: usize,
}

const BEST: Extremes = Extremes {
    v_min: (f64::INFINITY, NONE),
    v_max: (0.0, NONE),
    loading: (0.0, NONE),
    losses: Complex::new(0.0, 0.0),
    given: Complex::new(0.0, 0.0),
    sweeps: 0,
};

impl Extremes {
    fn and(self, other: &Extremes) -> Extremes {
        let low = if other.v_min.0 < self.v_min.0 { other.v_min } else { self.v_min };
        let larger = |a: (f64, u32), b: (f64, u32)| if b.0 > a.0 { b } else { a };
        Extremes {
            v_min: low,
            v_max: larger(self.v_max, other.v_max),
            loading: larger(self.loading, other.loading),
            losses: self.losses + other.losses,
            given: self.given + other.given,
            sweeps: self.sweeps.max(other.sweeps),
        }
    }
}

/// The extremes of all parts but one, for each: from before and after it.
struct Others {
    before: Vec<Extremes>,
    after: Vec<Extremes>,
}

impl Others {
    fn new(whole: &[Extremes]) -> Others {
        let running = |all: &mut dyn Iterator<Item = &Extremes>| {
            let mut so_far = vec![BEST];
            for one in all {
                let last = so_far[so_far.len() - 1];
                so_far.push(last.and(one));
            }
            so_far
        };
        Others { before: running(&mut whole.iter()), after: running(&mut whole.iter().rev()) }
    }

    fn except(&self, at: usize, whole: &[Extremes]) -> Extremes {
        self.before[at].and(&self.after[whole.len() - 1 - at])
    }
}

impl Part {
    /// Branches that join two buses; those open at an end join none.
    fn removable(&self) -> impl Iterator<Item = u32> + '_ {
        let closed = |&k: &u32| self.feeder.branches.ends.get(k as usize) == Ends::CLOSED;
        (0..self.branches.len() as u32).filter(closed)
    }

    fn extremes(&self, solution: &Solution<'_>) -> Extremes {
        let whole = |(bus, v): (u32, f64)| (v, self.buses.get(bus as usize).map_or(NONE, |&b| b));
        let (high, totals) = (solution.most_loaded(), solution.totals());
        Extremes {
            v_min: whole(solution.lowest()),
            v_max: whole(solution.highest()),
            loading: high.map_or((0.0, NONE), |(k, part)| (part, self.branches[k as usize])),
            losses: totals.losses_mva,
            given: totals.sources_mva + totals.generators_mva,
            sweeps: solution.sweeps(),
        }
    }

    fn without(
        &self,
        branch: u32,
        params: &FlowParams,
        others: &Extremes,
    ) -> Result<Outage, FlowError> {
        let network = Network::new(&self.feeder, params, Some(branch))?;
        let mut dark: Vec<u32> =
            network.topology.unsupplied().filter(|&bus| bus < self.own).collect();
        dark.sort_unstable();
        let lost_mva = network.unsupplied_mva();
        let mut lost: Vec<u32> = dark.iter().map(|&bus| self.buses[bus as usize]).collect();
        lost.sort_unstable();
        lost.truncate(LISTED);
        let found = match solve_network(network, params, false) {
            Ok(solution) => Some(self.extremes(&solution).and(others)),
            Err(
                FlowError::Diverged { .. }
                | FlowError::SweepLimit { .. }
                | FlowError::Unbalanced { .. }
                | FlowError::Singular { .. },
            ) => None,
            Err(error) => return Err(error),
        };
        let nothing = Complex::new(f64::NAN, f64::NAN);
        Ok(Outage {
            branch: self.branches[branch as usize],
            lost_buses: dark.len(),
            lost,
            lost_mva,
            converged: found.is_some(),
            v_min: found.map_or(f64::NAN, |found| found.v_min.0),
            v_min_bus: found.map_or(NONE, |found| found.v_min.1),
            v_max: found.map_or(f64::NAN, |found| found.v_max.0),
            v_max_bus: found.map_or(NONE, |found| found.v_max.1),
            loading: found.map_or(f64::NAN, |found| found.loading.0),
            loading_branch: found.map_or(NONE, |found| found.loading.1),
            losses_mva: found.map_or(nothing, |found| found.losses),
            given_mva: found.map_or(nothing, |found| found.given),
            sweeps: found.map_or(0, |found| found.sweeps),
        })
    }
}

/// The components of a network, each with the sources that it hangs on.
fn split(network: &Network<'_>) -> Vec<Part> {
    let (feeder, tree) = (network.feeder, &network.topology.tree);
    let mut component = vec![NONE; tree.len()];
    for (number, part) in network.components.iter().enumerate() {
        for range in &part.ranges {
            component[range.start as usize..range.end as usize].fill(number as u32);
        }
    }
    // By bus; sources and dark buses are in none.
    let of = |bus: u32| component[network.position(bus)];
    let mut parts: Vec<Part> = network
        .components
        .iter()
        .map(|_| Part {
            feeder: Balanced::new(feeder.base_mva),
            buses: Vec::new(),
            branches: Vec::new(),
            own: 0,
        })
        .collect();
    // Where a bus is among those of its part; sources are put into every part that needs them.
    let mut local = vec![NONE; tree.len()];
    for bus in 0..tree.len() as u32 {
        if let Some(part) = parts.get_mut(of(bus) as usize) {
            local[bus as usize] = part.add_bus(feeder, bus);
            part.own += 1;
        }
    }
    // Branches that touch nothing but sources have a part of their own, the last.
    let between = parts.len();
    parts.push(Part {
        feeder: Balanced::new(feeder.base_mva),
        buses: Vec::new(),
        branches: Vec::new(),
        own: 0,
    });
    let mut is_source = vec![false; tree.len()];
    feeder.sources.bus.iter().for_each(|&bus| is_source[bus as usize] = true);
    let mut held: Vec<Vec<(u32, u32)>> = vec![Vec::new(); parts.len()];
    let branches = &feeder.branches;
    for k in 0..branches.len() {
        let ends = branches.ends.get(k);
        let own = |bus: u32, closed: bool| if closed { of(bus) } else { NONE };
        let (a, b) = (own(branches.from[k], ends.from), own(branches.to[k], ends.to));
        let number = match (a, b) {
            (NONE, NONE) => {
                let at_source = |bus: u32, closed: bool| closed && is_source[bus as usize];
                let touches =
                    at_source(branches.from[k], ends.from) || at_source(branches.to[k], ends.to);
                if touches { between } else { NONE as usize }
            }
            (NONE, b) => b as usize,
            (a, _) => a as usize,
        };
        let Some(part) = parts.get_mut(number) else { continue };
        let mut place = |bus: u32| {
            if of(bus) as usize == number {
                return local[bus as usize];
            }
            // A source, or the far side of an open end, which is then a bus that nothing supplies.
            match held[number].iter().find(|entry| entry.0 == bus) {
                Some(entry) => entry.1,
                None => {
                    let at = part.add_bus(feeder, bus);
                    held[number].push((bus, at));
                    at
                }
            }
        };
        let (from, to) = (place(branches.from[k]), place(branches.to[k]));
        part.add_branch(feeder, k, from, to);
    }
    for (number, part) in parts.iter_mut().enumerate() {
        for &(bus, at) in &held[number] {
            if let Some(source) = feeder.sources.bus.iter().position(|&source| source == bus) {
                part.feeder.sources.bus.push(at);
                part.feeder.sources.v.push(feeder.sources.v[source]);
            }
        }
    }
    for (k, &bus) in feeder.loads.bus.iter().enumerate() {
        if let Some(part) = parts.get_mut(of(bus) as usize) {
            let (to, loads) = (&mut part.feeder.loads, &feeder.loads);
            to.names.push(loads.names.get(k));
            to.bus.push(local[bus as usize]);
            to.s_mva.push(loads.s_mva[k]);
            to.zip.push(loads.zip.get(k));
        }
    }
    for (k, &bus) in feeder.shunts.bus.iter().enumerate() {
        if let Some(part) = parts.get_mut(of(bus) as usize) {
            part.feeder.shunts.names.push(feeder.shunts.names.get(k));
            part.feeder.shunts.bus.push(local[bus as usize]);
            part.feeder.shunts.y.push(feeder.shunts.y[k]);
        }
    }
    for (k, &bus) in feeder.generators.bus.iter().enumerate() {
        if let Some(part) = parts.get_mut(of(bus) as usize) {
            let (to, held) = (&mut part.feeder.generators, &feeder.generators);
            to.names.push(held.names.get(k));
            to.bus.push(local[bus as usize]);
            to.p_mw.push(held.p_mw[k]);
            to.v_set.push(held.v_set[k]);
            to.q_mvar.push(held.q_mvar.get(k));
        }
    }
    parts.retain(|part| !part.feeder.sources.bus.is_empty());
    parts
}

impl Part {
    fn add_bus(&mut self, feeder: &Balanced, bus: u32) -> u32 {
        self.feeder.buses.names.push(feeder.buses.names.get(bus as usize));
        self.feeder.buses.vn_kv.push(feeder.buses.vn_kv.get(bus as usize));
        self.buses.push(bus);
        self.buses.len() as u32 - 1
    }

    fn add_branch(&mut self, feeder: &Balanced, k: usize, from: u32, to: u32) {
        let (out, all) = (&mut self.feeder.branches, &feeder.branches);
        out.names.push(all.names.get(k));
        out.kind.push(all.kind.get(k));
        out.from.push(from);
        out.to.push(to);
        out.z.push(all.z[k]);
        out.y.push(all.y.get(k));
        out.ratio.push(all.ratio.get(k));
        out.ends.push(all.ends.get(k));
        out.length_km.push(all.length_km.get(k));
        out.rated_a.push(all.rated_a.get(k));
        self.branches.push(k as u32);
    }
}
