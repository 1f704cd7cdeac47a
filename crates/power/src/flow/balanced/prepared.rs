//! One feeder, solved again and again with other loads.

use super::Network;
use super::solve::{Failure, State, run};
use crate::flow::{FlowError, FlowParams};
use palmette_core::feeder::{Balanced, Complex};

/// A feeder whose tree, impedances and ratios are ready, for one load case after the other. Many
/// cases at once: [`Batch`](crate::flow::Batch).
///
/// ```
/// use palmette_power::flow::{FlowParams, Prepared};
/// use palmette_power::generate::{FeederShape, feeder};
/// let feeder = feeder(&FeederShape::default()).unwrap();
/// let mut prepared = Prepared::new(&feeder, &FlowParams::default()).unwrap();
/// let voltages = prepared.voltages(&feeder.loads.s_mva).unwrap();
/// let lowest = voltages.iter().map(|v| v.norm()).fold(1.0, f64::min);
/// assert!((lowest - 0.93).abs() < 1e-6);
/// ```
pub struct Prepared<'a> {
    network: Network<'a>,
    params: FlowParams,
    /// Memory of the last case, for the next.
    state: State,
    s: Vec<Complex>,
    by_bus: Vec<Complex>,
}

impl<'a> Prepared<'a> {
    /// Makes a feeder ready.
    ///
    /// # Errors
    /// What is wrong with the feeder, and islands without a source unless they are allowed.
    pub fn new(feeder: &'a Balanced, params: &FlowParams) -> Result<Prepared<'a>, FlowError> {
        feeder.check()?;
        params.check()?;
        let network = Network::new(feeder, params, None)?;
        let state = State::flat(&network);
        let params = params.clone();
        Ok(Prepared { network, params, state, s: Vec::new(), by_bus: Vec::new() })
    }

    /// The voltages by bus, per unit, for powers of the loads in MVA.
    ///
    /// # Errors
    /// Another number of powers than loads, and loads that the feeder cannot carry.
    pub fn voltages(&mut self, powers: &[Complex]) -> Result<&[Complex], FlowError> {
        let network = &self.network;
        let (expected, found) = (network.feeder.loads.len(), powers.len());
        if expected != found {
            return Err(FlowError::Cases { expected, found });
        }
        let s = std::mem::take(&mut self.s);
        let demand = network.demand_into(powers, self.params.load_factor, s);
        self.state.restart(network);
        let ended = run(network, &demand, &self.params, &mut self.state);
        self.s = demand.s;
        match ended {
            Ok(_) => {
                let (v, positions) = (&self.state.v[..], network.topology.tree.positions());
                self.by_bus.clear();
                match network.has_ratios() {
                    false => self.by_bus.extend(positions.iter().map(|&at| v[at as usize])),
                    true => {
                        let of = |&at: &u32| v[at as usize] / network.turn(at as usize);
                        self.by_bus.extend(positions.iter().map(of));
                    }
                }
                Ok(&self.by_bus)
            }
            Err(Failure::Error(error)) => Err(error),
            Err(Failure::Stuck(stuck)) => {
                let (bus, loops) = (network.name(stuck.position), network.topology.loops.len());
                let found = (stuck.sweeps, stuck.change);
                Err(FlowError::unfinished(bus, found, &self.params, loops, || None))
            }
        }
    }
}
