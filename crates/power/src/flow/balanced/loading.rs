//! How far the loads of a balanced feeder can grow.

use super::Network;
use super::solve::{Failure, State, run};
use crate::flow::loading::{MaxLoading, below, largest, steps, unlimited};
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
    let mut state = State::flat(&network);
    let mut solved = 0;
    let loads = &feeder.loads;
    let live = (0..loads.len())
        .filter(|&k| state.v[network.position(loads.bus[k])] != Complex::default())
        .map(|k| (loads.s_mva[k], loads.zip.get(k)));
    let unlimited = unlimited(live, !feeder.generators.bus.is_empty());
    let mut tried = |factor: f64| {
        solved += 1;
        carries(&network, params, factor, &mut state)
    };
    let Some(factor) = largest(&mut tried, unlimited)? else {
        let (bus, sweeps, change) = (network.name(0), state.sweeps, state.change);
        let loops = network.topology.loops.len();
        return Err(FlowError::Diverged { bus, sweeps, change, loadability: None, loops });
    };
    let of = |k: usize| state.v[k].norm() / network.turn(k).norm();
    let live = (0..state.v.len()).filter(|&k| state.v[k].norm_sqr() > 0.0);
    let lowest = live.min_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(0);
    Ok(MaxLoading { factor, bus: network.name(lowest), voltage: of(lowest), solved })
}

/// The part of loads that a network carries which does not carry `most` times them.
pub(super) fn within(network: &Network<'_>, params: &FlowParams, most: f64) -> Option<f64> {
    let mut state = State::flat(network);
    below(&mut |factor| carries(network, params, factor, &mut state), most)
}

/// Whether there is a power flow, which is then in `state`.
fn carries(
    network: &Network<'_>,
    params: &FlowParams,
    factor: f64,
    state: &mut State,
) -> Result<bool, FlowError> {
    let mut tried = state.clone();
    tried.i.fill(Default::default());
    let demand = network.demand(factor);
    match run(network, &demand, &steps(params), &mut tried) {
        Ok(_) => {
            *state = tried;
            Ok(true)
        }
        Err(Failure::Stuck(_) | Failure::Error(FlowError::Unbalanced { .. })) => Ok(false),
        Err(Failure::Error(error)) => Err(error),
    }
}
