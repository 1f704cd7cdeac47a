//! Feeders: networks that carry alternating current from a few sources to many loads.
//!
//! **Form.** Plain columns, one struct per kind of element; row `k` of every column of
//! [`Branches`] is branch `k`. Buses are numbered from 0 in the order of their names, and elements
//! refer to them by number. Columns in which all rows agree take no memory ([`Column`]), and names
//! lie in one buffer ([`Texts`](crate::Texts)): 10^6 buses, branches and loads take about 110 MB.
//!
//! **Two kinds.** [`Balanced`] describes three equal phases by one, in per unit of a base power and
//! of each bus's nominal voltage. [`ThreePhase`] has three unequal phases in SI units: volts to
//! ground, amperes, ohms, siemens, volt-amperes.
//!
//! **Signs.** Loads consume: positive `p` and `q` are taken out of the network, and generation by
//! loads is negative. [`Generators`] inject: their `p` and `q` are positive when they feed the
//! network. Flows are positive into the branch at either end, so both ends add up to its losses.
//! A positive phase shift of a ratio means that the `to` side lags. Voltages of balanced feeders
//! are line to line, those of three-phase ones line to ground.
//!
//! **Checks.** Readers check what needs a place in a file. [`Balanced::check`] and
//! [`ThreePhase::check`] find what is wrong with numbers, by the name of the element; what is wrong
//! with the network as a whole (islands, loops of switches) is found when it is solved.

mod balanced;
mod check;
mod column;
mod error;
mod three_phase;
mod vector_group;

pub use balanced::{
    Balanced, BranchKind, Branches, Buses, Ends, Generators, Loads, Shunts, Sources, Zip,
};
pub use column::Column;
pub use error::FeederError;
pub use three_phase::{
    Capacitors, Connection, PhaseBuses, PhaseLines, PhaseLoads, PhaseSources, Phases, Switches,
    Symmetric, ThreePhase, Transformers,
};
pub use vector_group::{VectorGroup, Windings};

/// Complex numbers in double precision.
pub use num_complex::Complex64 as Complex;

/// How far nominal voltages that are one may lie apart, as a part of the larger: files round them
/// to four digits or more.
const VOLTAGE_ROUNDING: f64 = 1e-4;

/// Whether two nominal voltages are the same, but for rounding. What joins different ones is a
/// transformer.
pub fn same_voltage(one: f64, other: f64) -> bool {
    (one - other).abs() <= VOLTAGE_ROUNDING * one.max(other)
}

/// A network of either kind.
#[derive(Debug, Clone)]
pub enum Feeder {
    /// Three equal phases, described by one.
    Balanced(Box<Balanced>),
    /// Three phases that differ.
    ThreePhase(Box<ThreePhase>),
}

impl Feeder {
    /// The names of its buses.
    pub fn bus_names(&self) -> &crate::Texts {
        match self {
            Feeder::Balanced(feeder) => &feeder.buses.names,
            Feeder::ThreePhase(feeder) => &feeder.buses.names,
        }
    }

    /// Finds the first thing that is wrong with its numbers.
    ///
    /// # Errors
    /// As [`Balanced::check`] and [`ThreePhase::check`].
    pub fn check(&self) -> Result<(), FeederError> {
        match self {
            Feeder::Balanced(feeder) => feeder.check(),
            Feeder::ThreePhase(feeder) => feeder.check(),
        }
    }
}

#[cfg(test)]
mod tests;
