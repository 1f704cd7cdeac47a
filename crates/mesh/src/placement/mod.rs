//! Placement: which processor computes which part.
//!
//! **Problem.** Given what parts exchange ([`Quotient`]) and a [`Machine`], give every part
//! a processor of its own so that values travel little: minimise the sum over all messages
//! of values times [`Machine::cost`]. There may be fewer parts than processors.
//!
//! | method | needs | idea | file |
//! |---|---|---|---|
//! | `identity` | | part `i` on processor `i` | |
//! | `random` | | | |
//! | `halving` | centroids | points and machine halved by alternating cuts | `embed.rs` |
//! | `cut-tree` | cut tree | cut tree embedded in the machine's halving | `embed.rs` |
//! | `curve` | cut tree | light-first order along a space-filling curve | `curve.rs` |
//! | `search` | | simulated annealing of the quadratic assignment | `search.rs` |
//!
//! **Determinism.** Every method gives the same placement for the same seed on any number of
//! threads, except `search` with a time limit.
//!
//! **Reference.** The separator paper, section 5.3.

mod anneal;
mod assignment;
mod curve;
mod embed;
mod error;
mod header;
mod place;
mod ranks;
mod search;
#[cfg(test)]
mod tests;
mod traffic;

pub use error::PlacementError;
pub use header::neighbours_header;
pub use place::{Method, Subject, place};
pub use ranks::{Host, RankFormat, parse_hosts, rankfile, ranks};
pub use search::{SearchParams, improve};
pub use traffic::{LevelTraffic, traffic};

use crate::{Machine, Quotient};
use palmette_core::NONE;

/// A processor for every part, each another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    processors: Vec<u32>,
}

impl Placement {
    /// From the processor of every part.
    ///
    /// # Errors
    /// More parts than processors, a number that is none, or a processor with two parts.
    pub fn new(processors: Vec<u32>, machine: &Machine) -> Result<Placement, PlacementError> {
        check_size(processors.len(), machine)?;
        let mut taken = vec![NONE; machine.processors()];
        for (part, &processor) in (0..).zip(&processors) {
            let Some(other) = taken.get_mut(processor as usize) else {
                let count = machine.processors();
                return Err(PlacementError::NoSuchProcessor { part, processor, count });
            };
            if !machine.is_available(processor) {
                return Err(PlacementError::Dead { part, processor });
            }
            if *other != NONE {
                return Err(PlacementError::Shared { processor, parts: [*other, part] });
            }
            *other = part;
        }
        Ok(Placement { processors })
    }

    /// Part `i` on processor `i`, dead ones left out.
    ///
    /// # Errors
    /// More parts than processors.
    pub fn identity(parts: usize, machine: &Machine) -> Result<Placement, PlacementError> {
        check_size(parts, machine)?;
        let mut processors = machine.available();
        processors.truncate(parts);
        Ok(Placement { processors })
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.processors.len()
    }

    /// The processor of a part.
    #[inline]
    pub fn processor(&self, part: u32) -> u32 {
        self.processors[part as usize]
    }

    /// The processors of all parts.
    pub fn processors(&self) -> &[u32] {
        &self.processors
    }
}

fn check_size(parts: usize, machine: &Machine) -> Result<(), PlacementError> {
    if parts > machine.places() {
        let machine_text = machine.to_string();
        let processors = machine.places();
        return Err(PlacementError::TooFewProcessors { machine: machine_text, processors, parts });
    }
    Ok(())
}

/// The sum over all messages of values times hops, or the distance that is given instead.
///
/// # Panics
/// When quotient and placement have different numbers of parts.
pub fn hopsum(quotient: &Quotient, machine: &Machine, placement: &Placement) -> u64 {
    weighted(quotient, placement, |a, b| machine.distance(a, b))
}

/// The sum over all messages of values times [`Machine::cost`]: the hopsum on grids.
///
/// # Panics
/// As [`hopsum`].
pub fn cost(quotient: &Quotient, machine: &Machine, placement: &Placement) -> u64 {
    weighted(quotient, placement, |a, b| machine.cost(a, b))
}

fn weighted(quotient: &Quotient, placement: &Placement, weight: impl Fn(u32, u32) -> u32) -> u64 {
    assert_eq!(quotient.parts(), placement.parts(), "a processor for each part");
    let between = |a, b| u64::from(weight(placement.processor(a), placement.processor(b)));
    quotient.messages().map(|(from, to, values)| values * between(from, to)).sum()
}

/// The longest way of a message, in hops or the distance that is given instead.
pub fn dilation(quotient: &Quotient, machine: &Machine, placement: &Placement) -> u32 {
    let hops = |a, b| machine.distance(placement.processor(a), placement.processor(b));
    quotient.messages().map(|(from, to, _)| hops(from, to)).max().unwrap_or(0)
}
