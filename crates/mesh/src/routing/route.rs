//! The methods, their names, and the function that runs one.

use super::{Message, Routes, RoutingError, bends, minimal, shortest};
use crate::Machine;
use crate::machine::{Lattice, Wires};
use palmette_core::{DEFAULT_SEED, named};
use std::sync::Arc;

named! {
    /// How messages are routed; see the table of the [module](super).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Method("routing") {
        /// The machine's default routes.
        DimensionOrdered = "dimension-ordered",
        /// Dimensions in any order.
        OneBend = "one-bend",
        /// Also one dimension in two pieces.
        TwoBend = "two-bend",
        /// Shortest paths, the least loaded.
        Minimal = "minimal",
        /// Shortest paths, with detours where they are full.
        Adaptive = "adaptive",
        /// Congestion-weighted shortest paths with rip-up and reroute.
        #[default]
        Shortest = "shortest",
    }
}

impl Method {
    /// Whether paths that are there may be changed to save phases.
    pub(super) fn reroutes(self) -> bool {
        self == Method::Shortest
    }
}

/// How hard routing tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteParams {
    /// Decides all random choices.
    pub seed: u64,
    /// Bends are drawn at random instead of taken where loads are least.
    pub random_bends: bool,
    /// Independent attempts of `shortest`, in parallel; the best counts.
    pub attempts: u32,
    /// Rounds of rip-up and reroute that come no nearer to a goal before it is given up.
    pub patience: u32,
}

impl Default for RouteParams {
    fn default() -> RouteParams {
        RouteParams { seed: DEFAULT_SEED, random_bends: false, attempts: 2, patience: 12 }
    }
}

/// Routes messages by a method.
///
/// # Errors
/// A fat tree; a method for grids on another network; an end that is not a processor.
pub fn route(
    method: Method,
    machine: &Machine,
    messages: &[Message],
    params: &RouteParams,
) -> Result<Routes, RoutingError> {
    let (wires, messages) = at_points(machine, messages)?;
    let grid = || machine.grid().ok_or_else(|| no_grid(method, machine));
    let default =
        |lattice: &Lattice| messages.iter().map(|m| lattice.route(m.from, m.to)).collect();
    let paths = match method {
        Method::DimensionOrdered => default(grid()?),
        Method::OneBend => bends::route(grid()?, &messages, false, params),
        Method::TwoBend => bends::route(grid()?, &messages, true, params),
        Method::Minimal => minimal::route(&wires, &messages, false, params),
        Method::Adaptive => minimal::route(&wires, &messages, true, params),
        Method::Shortest => shortest::route(machine.grid(), &wires, &messages, params),
    };
    Ok(Routes::new(wires, &messages, paths))
}

fn no_grid(method: Method, machine: &Machine) -> RoutingError {
    RoutingError::NoGrid { method: method.name(), machine: machine.to_string() }
}

/// The network of a machine, and the messages between its points.
pub(super) fn at_points(
    machine: &Machine,
    messages: &[Message],
) -> Result<(Arc<Wires>, Vec<Message>), RoutingError> {
    let wires =
        machine.wires().ok_or_else(|| RoutingError::FatTree { machine: machine.to_string() })?;
    let processors = machine.processors();
    for (number, message) in messages.iter().enumerate() {
        let wrong = |p: &u32| *p as usize >= processors || !machine.is_available(*p);
        if let Some(processor) = [message.from, message.to].into_iter().find(wrong) {
            let machine = machine.to_string();
            let error =
                RoutingError::NoSuchProcessor { message: number, processor, machine, processors };
            return Err(error);
        }
    }
    let point = |p| machine.point(p);
    let moved = |m: &Message| Message { from: point(m.from), to: point(m.to), ..*m };
    Ok((wires, messages.iter().map(moved).collect()))
}
