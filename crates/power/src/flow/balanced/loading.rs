//! How far the loads of a balanced feeder can grow.

use super::Network;
use super::solve::{Failure, State, run};
use crate::flow::loading::{self, Loaded, MaxLoading, below, steps};
use crate::flow::{FlowError, FlowParams};
use palmette_core::feeder::{Balanced, Complex};

/// The largest factor of all loads for which there is a power flow, by bisection.
///
/// # Errors
/// As [`solve`](super::solve); also where there is no power flow without loads.
pub fn max_loading(feeder: &Balanced, params: &FlowParams) -> Result<MaxLoading, FlowError> {
    feeder.check()?;
    params.check()?;
    let network = Network::new(feeder, params, None)?;
    let state = State::flat(&network);
    loading::largest(&mut Loading { network: &network, params, state })
}

/// The part of loads that a network carries which does not carry `most` times them.
pub(super) fn within(
    network: &Network<'_>,
    params: &FlowParams,
    most: f64,
) -> Option<(f64, String)> {
    below(&mut Loading { network, params, state: State::flat(network) }, most)
}

struct Loading<'b, 'a> {
    network: &'b Network<'a>,
    params: &'b FlowParams,
    state: State,
}

impl Loaded for Loading<'_, '_> {
    fn carries(&mut self, factor: f64) -> Result<bool, FlowError> {
        let mut tried = self.state.clone();
        tried.i.fill(Default::default());
        let demand = self.network.demand(factor);
        match run(self.network, &demand, &steps(self.params), &mut tried) {
            Ok(_) => {
                self.state = tried;
                Ok(true)
            }
            Err(Failure::Stuck(_) | Failure::Error(FlowError::Unbalanced { .. })) => Ok(false),
            Err(Failure::Error(error)) => Err(error),
        }
    }

    fn is_unlimited(&self) -> bool {
        let feeder = self.network.feeder;
        let loads = &feeder.loads;
        let live =
            |k: &usize| self.state.v[self.network.position(loads.bus[*k])] != Complex::default();
        let live = (0..loads.len()).filter(live).map(|k| (loads.s_mva[k], loads.zip.get(k)));
        loading::unlimited(live, !feeder.generators.bus.is_empty())
    }

    fn lowest(&self) -> (String, f64) {
        let (network, v) = (self.network, &self.state.v);
        let of = |k: usize| v[k].norm() / network.turn(k).norm();
        let live = (0..v.len()).filter(|&k| v[k].norm_sqr() > 0.0);
        let lowest = live.min_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(0);
        (network.name(lowest), of(lowest))
    }

    fn without_loads(&self) -> FlowError {
        let (sweeps, change) = (self.state.sweeps, self.state.change);
        let (bus, loops) = (self.network.name(0), self.network.topology.loops.len());
        FlowError::Diverged { bus, sweeps, change, loadability: None, loops }
    }
}
