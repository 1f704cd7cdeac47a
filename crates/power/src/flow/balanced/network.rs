//! The arrays of a balanced feeder, by position, in the frame without ratios.
//!
//! **Cost.** Linear; 36 bytes per bus beside the forest, and 16 more where there are ratios.

use super::compensation::unknowns;
use super::components::{Component, components};
use crate::flow::topology::{Links, Topology, topology};
use crate::flow::{FlowError, FlowParams};
use palmette_core::NONE;
use palmette_core::feeder::{Balanced, Complex, Ends};
use std::borrow::Cow;

const ZERO: Complex = Complex::new(0.0, 0.0);
const ONE: Complex = Complex::new(1.0, 0.0);

/// A feeder, made ready for sweeps.
pub(in crate::flow) struct Network<'a> {
    pub(in crate::flow) feeder: &'a Balanced,
    pub(in crate::flow) topology: Topology,
    /// The products of ratios; empty where all are 1.
    turn: Vec<Complex>,
    /// The impedance to the parent.
    pub(in crate::flow) z: Vec<Complex>,
    /// Admittances to ground.
    pub(in crate::flow) y: Vec<Complex>,
    pub(in crate::flow) components: Vec<Component>,
    /// A branch that is taken out.
    pub(in crate::flow) without: Option<u32>,
    /// The factor of all loads.
    load_factor: f64,
}

/// What loads draw, by position.
pub(in crate::flow) struct Demand<'a> {
    /// Constant power.
    pub(in crate::flow) s: Vec<Complex>,
    /// Constant current, where there is any: positions in ascending order.
    pub(in crate::flow) current: Vec<(u32, Complex)>,
    /// Admittances of the network and of loads with constant impedance.
    pub(in crate::flow) y: Cow<'a, [Complex]>,
}

impl<'a> Network<'a> {
    /// The arrays of a feeder, with one branch taken out if asked for.
    pub(in crate::flow) fn new(
        feeder: &'a Balanced,
        params: &FlowParams,
        without: Option<u32>,
    ) -> Result<Network<'a>, FlowError> {
        let branches = &feeder.branches;
        let closed = |k: usize| branches.ends.get(k) == Ends::CLOSED && without != Some(k as u32);
        let links = Links {
            from: &branches.from,
            to: &branches.to,
            closed: &closed,
            free: &|k| branches.z[k] == ZERO,
            names: &|k| branches.names.get(k).to_string(),
        };
        let topology = topology(&feeder.buses.names, &feeder.sources.bus, &links)?;
        if !params.allow_unsupplied {
            topology.all_supplied(&feeder.buses.names)?;
        }
        let turn = turns(feeder, &topology);
        let n = topology.tree.len();
        let mut network = Network {
            feeder,
            topology,
            turn,
            z: vec![ZERO; n],
            y: vec![ZERO; n],
            components: Vec::new(),
            without,
            load_factor: params.load_factor,
        };
        network.fill();
        network.components = components(&network.topology, unknowns(&network));
        Ok(network)
    }

    fn fill(&mut self) {
        let positions = self.topology.tree.positions();
        let at = |bus: u32| positions[bus as usize] as usize;
        let branches = &self.feeder.branches;
        for k in 0..self.z.len() {
            let branch = self.topology.branch[k];
            if branch != NONE {
                let to = branches.to[branch as usize];
                let scale = if self.turn.is_empty() { 1.0 } else { self.turn[at(to)].norm_sqr() };
                self.z[k] = branches.z[branch as usize] * scale;
            }
        }
        let turn = &self.turn;
        let y = &mut self.y;
        let mut add = |bus: u32, admittance: Complex| {
            let k = at(bus);
            let scale = if turn.is_empty() { 1.0 } else { turn[k].norm_sqr().recip() };
            y[k] += admittance * scale;
        };
        if branches.y.uniform() != Some(ZERO) {
            for k in 0..branches.len() {
                if self.without == Some(k as u32) {
                    continue;
                }
                let [from, to] = end_admittances(self.feeder, k);
                if from != ZERO {
                    add(branches.from[k], from);
                }
                if to != ZERO {
                    add(branches.to[k], to);
                }
            }
        }
        for (&bus, &admittance) in self.feeder.shunts.bus.iter().zip(&self.feeder.shunts.y) {
            add(bus, admittance);
        }
    }

    /// Whether products of ratios differ from 1 anywhere.
    pub(in crate::flow) fn has_ratios(&self) -> bool {
        !self.turn.is_empty()
    }

    /// The product of ratios at a position.
    #[inline]
    pub(in crate::flow) fn turn(&self, position: usize) -> Complex {
        self.turn.get(position).copied().unwrap_or(ONE)
    }

    /// The position of a bus.
    #[inline]
    pub(in crate::flow) fn position(&self, bus: u32) -> usize {
        self.topology.tree.positions()[bus as usize] as usize
    }

    /// The name of the bus at a position.
    pub(in crate::flow) fn name(&self, position: usize) -> String {
        let bus = self.topology.tree.vertices()[position];
        self.feeder.buses.names.get(bus as usize).to_string()
    }

    /// The loads in MVA of buses that no source supplies, times their factor.
    pub(in crate::flow) fn unsupplied_mva(&self) -> Complex {
        let loads = &self.feeder.loads;
        let mut dark = vec![false; self.z.len()];
        self.topology.unsupplied().for_each(|bus| dark[bus as usize] = true);
        let lost = loads.bus.iter().zip(&loads.s_mva).filter(|load| dark[*load.0 as usize]);
        lost.map(|load| load.1 * self.load_factor).sum()
    }

    /// What all loads draw, times a factor.
    pub(in crate::flow) fn demand(&self, factor: f64) -> Demand<'_> {
        self.demand_of(&self.feeder.loads.s_mva, factor)
    }

    /// The same for other powers of the loads, in MVA.
    pub(in crate::flow) fn demand_of(&self, powers: &[Complex], factor: f64) -> Demand<'_> {
        self.demand_into(powers, factor, Vec::new())
    }

    /// The same in memory that is there.
    pub(in crate::flow) fn demand_into(
        &self,
        powers: &[Complex],
        factor: f64,
        mut s: Vec<Complex>,
    ) -> Demand<'_> {
        let loads = &self.feeder.loads;
        let scale = factor / self.feeder.base_mva;
        s.clear();
        s.resize(self.z.len(), ZERO);
        let constant =
            loads.zip.uniform().is_some_and(|zip| zip == palmette_core::feeder::Zip::POWER);
        if constant || loads.is_empty() {
            for (&bus, &power) in loads.bus.iter().zip(powers) {
                s[self.position(bus)] += power * scale;
            }
            return Demand { s, current: Vec::new(), y: Cow::Borrowed(&self.y) };
        }
        let mut y = self.y.clone();
        let mut current = Vec::new();
        for (k, (&bus, &power)) in loads.bus.iter().zip(powers).enumerate() {
            let at = self.position(bus);
            let turn = self.turn(at).norm();
            let [p, i, z] = loads.zip.get(k).split(power * scale);
            s[at] += p;
            y[at] += z.conj() / (turn * turn);
            if i != ZERO {
                current.push((at as u32, i / turn));
            }
        }
        current.sort_by_key(|entry| entry.0);
        Demand { s, current, y: Cow::Owned(y) }
    }
}

/// The admittances to ground at both ends of a branch. Behind an open end lies the impedance with
/// the other half: together an admittance at the closed end.
pub(in crate::flow) fn end_admittances(feeder: &Balanced, k: usize) -> [Complex; 2] {
    let branches = &feeder.branches;
    let (half, ends) = (branches.y.get(k) / 2.0, branches.ends.get(k));
    let square = branches.ratio.get(k).norm_sqr();
    let whole = || half + half / (ONE + branches.z[k] * half);
    match (ends.from, ends.to) {
        (true, true) => [half / square, half],
        (true, false) => [whole() / square, ZERO],
        (false, true) => [ZERO, whole()],
        (false, false) => [ZERO; 2],
    }
}

/// By position, the product of ratios from the root; empty where all are 1.
fn turns(feeder: &Balanced, topology: &Topology) -> Vec<Complex> {
    let ratios = &feeder.branches.ratio;
    if ratios.is_empty() || ratios.uniform() == Some(ONE) {
        return Vec::new();
    }
    let tree = &topology.tree;
    let mut turn = vec![ONE; tree.len()];
    for (k, &parent) in tree.parents().iter().enumerate() {
        let branch = topology.branch[k] as usize;
        if parent != NONE {
            let above = turn[parent as usize];
            let ratio = ratios.get(branch);
            let down = feeder.branches.from[branch] == tree.vertices()[parent as usize];
            turn[k] = if down { above * ratio } else { above / ratio };
        }
    }
    turn
}
