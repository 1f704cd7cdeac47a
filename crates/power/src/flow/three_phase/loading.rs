//! How far the loads of a three-phase feeder can grow.

use super::compensation::Compensation;
use super::network::PhaseNetwork;
use super::solve::{PhaseState, run};
use crate::flow::loading::{self, Loaded, MaxLoading, below, steps};
use crate::flow::{FlowError, FlowParams};
use palmette_core::feeder::ThreePhase;

/// As [`max_loading`](crate::flow::max_loading), of a three-phase feeder.
///
/// # Errors
/// As [`solve_three_phase`](crate::flow::solve_three_phase); also where there is no power flow
/// without loads.
pub fn max_loading_three_phase(
    feeder: &ThreePhase,
    params: &FlowParams,
) -> Result<MaxLoading, FlowError> {
    feeder.check()?;
    params.check()?;
    let network = PhaseNetwork::new(feeder, params)?;
    let state = PhaseState::flat(&network);
    loading::largest(&mut Loading { network: &network, params, state })
}

/// The part of loads that a network carries which does not carry `most` times them.
pub(super) fn within(
    network: &PhaseNetwork<'_>,
    params: &FlowParams,
    most: f64,
) -> Option<(f64, String)> {
    below(&mut Loading { network, params, state: PhaseState::flat(network) }, most)
}

struct Loading<'b, 'a> {
    network: &'b PhaseNetwork<'a>,
    params: &'b FlowParams,
    state: PhaseState,
}

impl Loaded for Loading<'_, '_> {
    fn carries(&mut self, factor: f64) -> Result<bool, FlowError> {
        let mut tried = self.state.clone();
        tried.i.fill(super::ZERO);
        let params = FlowParams { load_factor: factor, ..steps(self.params) };
        let mut compensation = Compensation::new(self.network)?;
        let demand = self.network.demand(factor);
        let found = run(self.network, &demand, &params, &mut compensation, &mut tried, false);
        if found.is_ok() {
            self.state = tried;
        }
        Ok(found.is_ok())
    }

    fn is_unlimited(&self) -> bool {
        let loads = &self.network.feeder.loads;
        let live = |k: &usize| self.state.v[self.network.position(loads.bus[*k])] != super::ZERO;
        let live = (0..loads.bus.len()).filter(live).map(|k| (loads.s_va[k], loads.zip.get(k)));
        loading::unlimited(live, false)
    }

    fn lowest(&self) -> (String, f64) {
        let (network, v) = (self.network, &self.state.v);
        let of = |k: usize| {
            let bus = network.topology.tree.vertices()[k] as usize;
            let phases = network.feeder.buses.phases.get(bus);
            let least = phases.iter().map(|phase| v[k][phase].norm_sqr()).fold(f64::MAX, f64::min);
            (least * network.scale[k]).sqrt()
        };
        let all = (0..v.len()).map(|k| (k, of(k))).filter(|one| one.1 > 0.0);
        let (k, voltage) = all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
        (network.name(k), voltage)
    }

    fn without_loads(&self) -> FlowError {
        let (sweeps, change) = (self.state.sweeps, self.state.change);
        let (bus, loops) = (self.network.name(0), self.network.topology.loops.len());
        FlowError::Diverged { bus, sweeps, change, loadability: None, loops }
    }
}
