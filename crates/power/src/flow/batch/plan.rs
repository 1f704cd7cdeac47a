//! What all cases of a feeder share.

use super::kernel::Constants;
use crate::flow::balanced::{Network, end_admittances, sources};
use palmette_core::NONE;
use palmette_core::feeder::{Complex, Zip};

/// Loads, ratings and charging by position.
pub(super) struct Plan {
    /// Whether a component has loops or generators that hold voltages.
    pub(super) coupled: bool,
    /// Loads of constant power in the order of positions: position and number.
    pub(super) loads: Vec<(u32, u32)>,
    /// All others, with how their power depends on the voltage.
    pub(super) zips: Vec<(u32, u32, Zip)>,
    pub(super) constants: Vec<Constants>,
    /// Positions of sources, with their voltages.
    pub(super) roots: Vec<(u32, Complex)>,
}

impl Plan {
    pub(super) fn new(network: &Network<'_>) -> Plan {
        let all = &network.feeder.loads;
        let (mut loads, mut zips) = (Vec::with_capacity(all.len()), Vec::new());
        for (k, &bus) in all.bus.iter().enumerate() {
            let at = network.position(bus) as u32;
            match all.zip.get(k) {
                Zip::POWER => loads.push((at, k as u32)),
                zip => zips.push((at, k as u32, zip)),
            }
        }
        loads.sort_unstable();
        zips.sort_unstable_by_key(|zip| (zip.0, zip.1));
        let coupled = network.components.iter().any(|part| !part.unknowns.is_empty());
        Plan { coupled, loads, zips, constants: constants(network), roots: sources(network) }
    }
}

fn constants(network: &Network<'_>) -> Vec<Constants> {
    let (feeder, tree) = (network.feeder, &network.topology.tree);
    let mut shunts = vec![Complex::default(); tree.len()];
    for (&bus, &y) in feeder.shunts.bus.iter().zip(&feeder.shunts.y) {
        let at = network.position(bus);
        shunts[at] += y / network.turn(at).norm_sqr();
    }
    // Of one end of a branch: its admittance in the frame without ratios, and the square of one
    // over its rated current.
    let end = |k: usize, y: Complex, rated: f64| {
        let turn = network.turn(k).norm_sqr();
        let base = feeder.base_ampere(tree.vertices()[k] as usize);
        (y / turn, turn * (base / rated).powi(2))
    };
    let of = |k: usize| {
        let zero = Complex::default();
        let (mut up, mut down) = ((zero, 0.0), (zero, 0.0));
        let branch = network.topology.branch[k] as usize;
        if network.topology.branch[k] != NONE {
            let [y_from, y_to] = end_admittances(feeder, branch);
            let [r_from, r_to] = feeder.branches.rated_a.get(branch);
            let parent = tree.parents()[k] as usize;
            (up, down) = match feeder.branches.to[branch] == tree.vertices()[k] {
                true => (end(parent, y_from, r_from), end(k, y_to, r_to)),
                false => (end(parent, y_to, r_to), end(k, y_from, r_from)),
            };
        }
        Constants {
            unturn: network.turn(k).norm_sqr().recip(),
            y_up: up.0,
            y_down: down.0,
            rated_up: up.1,
            rated_down: down.1,
            shunt: shunts[k],
        }
    };
    (0..tree.len()).map(of).collect()
}
