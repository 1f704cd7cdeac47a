//! How far the loads of a three-phase feeder can grow.

use super::compensation::Compensation;
use super::network::PhaseNetwork;
use super::solve::{PhaseState, run};
use crate::flow::loading::{MaxLoading, below, largest, steps, unlimited};
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
    let mut state = PhaseState::flat(&network);
    let mut solved = 0;
    let loads = &feeder.loads;
    let live = (0..loads.bus.len())
        .filter(|&k| state.v[network.position(loads.bus[k])] != super::ZERO)
        .map(|k| (loads.s_va[k], loads.zip.get(k)));
    let unlimited = unlimited(live, false);
    let mut tried = |factor: f64| {
        solved += 1;
        carries(&network, params, factor, &mut state)
    };
    let Some(factor) = largest(&mut tried, unlimited)? else {
        let (bus, sweeps, change) = (network.name(0), state.sweeps, state.change);
        let loops = network.topology.loops.len();
        return Err(FlowError::Diverged { bus, sweeps, change, loadability: None, loops });
    };
    let lowest = |k: usize| {
        let phases = feeder.buses.phases.get(network.topology.tree.vertices()[k] as usize);
        let least =
            phases.iter().map(|phase| state.v[k][phase].norm_sqr()).fold(f64::MAX, f64::min);
        (least * network.scale[k]).sqrt()
    };
    let all = (0..state.v.len()).map(|k| (k, lowest(k))).filter(|one| one.1 > 0.0);
    let (k, voltage) = all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
    Ok(MaxLoading { factor, bus: network.name(k), voltage, solved })
}

/// The part of loads that a network carries which does not carry `most` times them.
pub(super) fn within(network: &PhaseNetwork<'_>, params: &FlowParams, most: f64) -> Option<f64> {
    let mut state = PhaseState::flat(network);
    below(&mut |factor| carries(network, params, factor, &mut state), most)
}

/// Whether there is a power flow, which is then in `state`.
fn carries(
    network: &PhaseNetwork<'_>,
    params: &FlowParams,
    factor: f64,
    state: &mut PhaseState,
) -> Result<bool, FlowError> {
    let mut tried = state.clone();
    tried.i.fill(super::ZERO);
    let params = FlowParams { load_factor: factor, ..steps(params) };
    let mut compensation = Compensation::new(network)?;
    let found = run(network, &network.demand(factor), &params, &mut compensation, &mut tried);
    if found.is_ok() {
        *state = tried;
    }
    Ok(found.is_ok())
}
