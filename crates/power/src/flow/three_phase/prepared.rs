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
        let state = &mut self.state;
        match run(network, &self.demand, &self.params, &mut compensation, state, false) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::solve_three_phase;
    use crate::generate::{FeederShape, three_phase_feeder};
    use palmette_core::feeder::{Connection, Zip};

    /// Cases one after the other, with loads of constant power and with others, are those of a
    /// feeder that is solved anew.
    #[test]
    fn cases_do_not_remember_each_other() {
        let mut plain =
            three_phase_feeder(&FeederShape { buses: 60, ..FeederShape::default() }).unwrap();
        plain.loads.phases.set(1, Phases::ABC);
        let mut mixed = plain.clone();
        mixed.loads.zip.set(0, Zip::IMPEDANCE);
        // Takes nothing, but is looked at load by load.
        let mut slow = plain.clone();
        let loads = &mut slow.loads;
        loads.names.push("nothing");
        loads.bus.push(loads.bus[0]);
        loads.connection.push(Connection::Delta);
        loads.phases.push(Phases::ABC);
        loads.s_va.push(Complex::default());
        loads.zip.push(Zip::IMPEDANCE);
        loads.v_nom.push(loads.v_nom.get(0));
        let params = FlowParams::default();
        let mut prepared = [&plain, &mixed, &slow]
            .map(|feeder| (feeder, PreparedThreePhase::new(feeder, &params).unwrap()));
        for factor in [1.0, 0.25, 1.0] {
            let found = prepared.each_mut().map(|(feeder, prepared)| {
                let mut alone = (*feeder).clone();
                alone.loads.s_va.iter_mut().for_each(|s| *s *= factor);
                let solution = solve_three_phase(&alone, &params).unwrap();
                let found = prepared.voltages(&alone.loads.s_va).unwrap().to_vec();
                for (bus, v) in found.iter().enumerate() {
                    assert_eq!(*v, solution.voltage(bus as u32), "bus {bus}, factor {factor}");
                }
                found
            });
            assert!(found[0] != found[1]);
            assert_eq!(found[0], found[2]);
        }
    }
}
