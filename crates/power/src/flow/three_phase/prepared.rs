//! One three-phase feeder, solved again and again with other loads.

use super::Three;
use super::compensation::Compensation;
use super::network::{PhaseDemand, PhaseNetwork};
use super::solve::{PhaseState, Stuck, run};
use crate::flow::{FlowError, FlowParams};
use palmette_core::feeder::{Complex, Phases, ThreePhase};

/// A three-phase feeder that is ready, for one load case after the other.
///
/// ```
/// use palmette_power::flow::{FlowParams, PreparedThreePhase};
/// use palmette_power::generate::{FeederShape, three_phase_feeder};
/// let feeder = three_phase_feeder(&FeederShape::default()).unwrap();
/// let mut prepared = PreparedThreePhase::new(&feeder, &FlowParams::default()).unwrap();
/// let halves: Vec<_> = feeder.loads.s_va.iter().map(|s| s / 2.0).collect();
/// let full = prepared.voltages(&feeder.loads.s_va).unwrap().to_vec();
/// assert!(prepared.voltages(&halves).unwrap() != full);
/// ```
pub struct PreparedThreePhase<'a> {
    network: PhaseNetwork<'a>,
    params: FlowParams,
    flat: PhaseState,
    /// Memory of the last case, for the next.
    state: PhaseState,
    demand: PhaseDemand,
    by_bus: Vec<Three>,
}

impl<'a> PreparedThreePhase<'a> {
    /// Makes a feeder ready.
    ///
    /// # Errors
    /// What is wrong with the feeder, and islands without a source unless they are allowed.
    pub fn new(
        feeder: &'a ThreePhase,
        params: &FlowParams,
    ) -> Result<PreparedThreePhase<'a>, FlowError> {
        feeder.check()?;
        params.check()?;
        let network = PhaseNetwork::new(feeder, params)?;
        let flat = PhaseState::flat(&network);
        let demand = network.demand(params.load_factor);
        let state = flat.clone();
        Ok(PreparedThreePhase {
            network,
            params: params.clone(),
            flat,
            state,
            demand,
            by_bus: Vec::new(),
        })
    }

    /// The voltages by bus to ground in V, for powers of the loads in VA. Phases that a bus does not
    /// have are 0.
    ///
    /// # Errors
    /// Another number of powers than loads, and loads that the feeder cannot carry.
    pub fn voltages(&mut self, powers: &[Complex]) -> Result<&[Three], FlowError> {
        let (expected, found) = (self.network.feeder.loads.bus.len(), powers.len());
        if expected != found {
            return Err(FlowError::Cases { expected, found });
        }
        let network = &self.network;
        network.demand_into(powers, self.params.load_factor, &mut self.demand);
        self.state.v.copy_from_slice(&self.flat.v);
        self.state.i.fill(super::ZERO);
        let mut compensation = Compensation::new(network)?;
        match run(network, &self.demand, &self.params, &mut compensation, &mut self.state) {
            Ok(_) => {
                let (has, positions) =
                    (&network.feeder.buses.phases, network.topology.tree.positions());
                self.by_bus.clear();
                self.by_bus.extend(positions.iter().map(|&at| self.state.v[at as usize]));
                if has.uniform() != Some(Phases::ABC) {
                    for (v, has) in self.by_bus.iter_mut().zip(has.iter()) {
                        for phase in (0..3).filter(|&phase| !has.has(phase)) {
                            v[phase] = Complex::default();
                        }
                    }
                }
                Ok(&self.by_bus)
            }
            Err(Stuck { balance: Some(relative), .. }) => Err(FlowError::Unbalanced { relative }),
            Err(Stuck { position, sweeps, change, .. }) => {
                let (bus, loops) = (network.name(position), network.topology.loops.len());
                let found = (sweeps, change);
                Err(FlowError::unfinished(bus, found, &self.params, loops, || None))
            }
        }
    }
}
