//! How far the loads of a feeder can grow.
//!
//! **Problem.** The largest factor of all loads for which there is a power flow.
//!
//! **Method.** The factor is doubled until sweeps diverge, then bisected. Each solution is the
//! start of the next, so that the branch with high voltages is followed.
//!
//! **Cost.** About 20 solutions; those near the limit take tens of sweeps.

use super::Network;
use super::solve::{Failure, State, run};
use crate::flow::{FlowError, FlowParams};
use palmette_core::feeder::Balanced;

/// The largest loads that a network carries.
#[derive(Debug, Clone, PartialEq)]
pub struct MaxLoading {
    /// All loads can be multiplied by it; infinite where nothing is drawn.
    pub factor: f64,
    /// The bus with the lowest voltage there.
    pub bus: String,
    /// Its voltage, per unit.
    pub voltage: f64,
    /// How many power flows were tried.
    pub solved: usize,
}

/// Relative width at which bisection ends.
const WIDTH: f64 = 1e-5;
/// Loads that grow further than this are no loads.
const MOST: f64 = 1e9;

/// The largest factor of all loads for which there is a power flow, by bisection.
///
/// # Errors
/// As [`solve`](super::solve); also where there is no power flow without loads.
pub fn max_loading(feeder: &Balanced, params: &FlowParams) -> Result<MaxLoading, FlowError> {
    feeder.check()?;
    params.check()?;
    let network = Network::new(feeder, params, None)?;
    let mut search = Search { network: &network, params, solved: 0 };
    let mut state = State::flat(&network);
    if !search.carries(0.0, &mut state)? {
        let bus = network.name(0);
        let (sweeps, change) = (state.sweeps, state.change);
        return Err(FlowError::Diverged { bus, sweeps, change, loadability: None });
    }
    let mut high = 1.0;
    let mut low = 0.0;
    while high < MOST && search.carries(high, &mut state)? {
        low = high;
        high *= 2.0;
    }
    let factor =
        if high < MOST { search.bisect(low, high, WIDTH, &mut state)? } else { f64::INFINITY };
    let live = (0..state.v.len()).filter(|&k| state.v[k].norm_sqr() > 0.0);
    let of = |k: usize| state.v[k].norm() / network.turn(k).norm();
    let lowest = live.min_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(0);
    let (bus, voltage) = (network.name(lowest), of(lowest));
    Ok(MaxLoading { factor, bus, voltage, solved: search.solved })
}

/// The part of loads that a network carries which does not carry `most` times them.
pub(super) fn within(network: &Network<'_>, params: &FlowParams, most: f64) -> Option<f64> {
    let mut search = Search { network, params, solved: 0 };
    let mut state = State::flat(network);
    search.carries(0.0, &mut state).ok().filter(|&carries| carries)?;
    search.bisect(0.0, most, 1e-4, &mut state).ok()
}

struct Search<'b, 'a> {
    network: &'b Network<'a>,
    params: &'b FlowParams,
    solved: usize,
}

impl Search<'_, '_> {
    /// Whether there is a power flow, which is then in `state`.
    fn carries(&mut self, factor: f64, state: &mut State) -> Result<bool, FlowError> {
        self.solved += 1;
        let mut tried = state.clone();
        tried.i.fill(Default::default());
        let demand = self.network.demand(factor);
        let params =
            FlowParams { tolerance: self.params.tolerance.max(1e-9), ..self.params.clone() };
        match run(self.network, &demand, &params, &mut tried) {
            Ok(_) => {
                *state = tried;
                Ok(true)
            }
            Err(Failure::Stuck(_)) => Ok(false),
            Err(Failure::Error(FlowError::Unbalanced { .. })) => Ok(false),
            Err(Failure::Error(error)) => Err(error),
        }
    }

    fn bisect(
        &mut self,
        mut low: f64,
        mut high: f64,
        width: f64,
        state: &mut State,
    ) -> Result<f64, FlowError> {
        while high - low > width * high.abs() {
            let middle = 0.5 * (low + high);
            match self.carries(middle, state)? {
                true => low = middle,
                false => high = middle,
            }
        }
        Ok(low)
    }
}
