//! The methods, their names, and the function that runs one.

use super::{Message, Routes, RoutingError, bends, shortest};
use crate::Machine;
use crate::machine::Lattice;
use palmette_core::{DEFAULT_SEED, named};

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
        /// Congestion-weighted shortest paths with rip-up and reroute.
        #[default]
        Shortest = "shortest",
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
/// A fat tree, or an end that is not a processor.
pub fn route(
    method: Method,
    machine: &Machine,
    messages: &[Message],
    params: &RouteParams,
) -> Result<Routes, RoutingError> {
    let lattice = checked(machine, messages)?;
    let default = |message: &Message| lattice.route(message.from, message.to);
    let paths = match method {
        Method::DimensionOrdered => messages.iter().map(default).collect(),
        Method::OneBend => bends::route(lattice, messages, false, params),
        Method::TwoBend => bends::route(lattice, messages, true, params),
        Method::Shortest => shortest::route(lattice, messages, params),
    };
    Ok(Routes::new(*lattice, messages, paths))
}

/// The grid of a machine, if it has the ends of all messages.
fn checked<'a>(machine: &'a Machine, messages: &[Message]) -> Result<&'a Lattice, RoutingError> {
    let lattice =
        machine.lattice().ok_or_else(|| RoutingError::FatTree { machine: machine.to_string() })?;
    let processors = lattice.processors();
    for (number, message) in messages.iter().enumerate() {
        let processor = message.from.max(message.to);
        if processor as usize >= processors {
            let machine = machine.to_string();
            let error =
                RoutingError::NoSuchProcessor { message: number, processor, machine, processors };
            return Err(error);
        }
    }
    Ok(lattice)
}
