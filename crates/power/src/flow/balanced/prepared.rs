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
/// let prepared = Prepared::new(&feeder, &FlowParams::default()).unwrap();
/// let voltages = prepared.voltages(&feeder.loads.s_mva).unwrap();
/// let lowest = voltages.iter().map(|v| v.norm()).fold(1.0, f64::min);
/// assert!((lowest - 0.93).abs() < 1e-6);
/// ```
pub struct Prepared<'a> {
    network: Network<'a>,
    params: FlowParams,
}

impl<'a> Prepared<'a> {
    /// Makes a feeder ready.
    ///
    /// # Errors
    /// What is wrong with the feeder, and islands without a source unless they are allowed.
    pub fn new(feeder: &'a Balanced, params: &FlowParams) -> Result<Prepared<'a>, FlowError> {
        feeder.check()?;
        params.check()?;
        Ok(Prepared { network: Network::new(feeder, params, None)?, params: params.clone() })
    }

    /// The voltages by bus, per unit, for powers of the loads in MVA.
    ///
    /// # Errors
    /// Another number of powers than loads, and loads that the feeder cannot carry.
    pub fn voltages(&self, powers: &[Complex]) -> Result<Vec<Complex>, FlowError> {
        let network = &self.network;
        let (expected, found) = (network.feeder.loads.len(), powers.len());
        if expected != found {
            return Err(FlowError::Cases { expected, found });
        }
        let demand = network.demand_of(powers, self.params.load_factor);
        let mut state = State::flat(network);
        match run(network, &demand, &self.params, &mut state) {
            Ok(_) => {
                let of = |&at: &u32| state.v[at as usize] / network.turn(at as usize);
                Ok(network.topology.tree.positions().iter().map(of).collect())
            }
            Err(Failure::Error(error)) => Err(error),
            Err(Failure::Stuck(stuck)) => Err(FlowError::Diverged {
                bus: network.name(stuck.position),
                sweeps: stuck.sweeps,
                change: stuck.change,
                loadability: None,
            }),
        }
    }
}
