//! Networks made from a seed.

mod feeder;
mod grid;

pub use feeder::{FeederShape, feeder, three_phase_feeder};

use crate::PowerError;
use palmette_core::feeder::Feeder;
use palmette_core::named::UnknownName;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

/// A family of networks. Written and read as `grid:30x30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PowerShape {
    /// `grid:ROWSxCOLUMNS`: a chip's grid of two layers, as a SPICE netlist.
    Grid {
        /// Nodes in a column of the lower layer.
        rows: usize,
        /// Nodes in a row of the lower layer.
        columns: usize,
    },
    /// `feeder:BUSES` or `feeder3:BUSES`: a radial feeder at medium voltage, balanced or of three
    /// phases.
    Feeder {
        /// The number of buses.
        buses: usize,
        /// Whether its phases differ.
        three_phase: bool,
    },
}

impl PowerShape {
    /// How shapes are written.
    pub const FORMS: [&str; 3] = ["grid:ROWSxCOLUMNS", "feeder:BUSES", "feeder3:BUSES"];

    /// The number of nodes or buses.
    pub fn nodes(self) -> u128 {
        match self {
            PowerShape::Grid { rows, columns } => grid::nodes(rows, columns),
            PowerShape::Feeder { buses, .. } => buses as u128,
        }
    }

    /// Refuses a network that is empty or has more nodes than numbers.
    ///
    /// # Errors
    /// When it is.
    pub fn check(self) -> Result<(), PowerError> {
        let most = palmette_core::MAX_VERTICES;
        match self.nodes() {
            0 => Err(PowerError::Empty),
            count if count > most as u128 => Err(PowerError::TooLarge { count, most }),
            _ => Ok(()),
        }
    }
}

impl FromStr for PowerShape {
    type Err = PowerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || UnknownName::among_forms("shape", text, PowerShape::FORMS);
        let count = |t: &str| t.parse::<usize>().map_err(|_| wrong());
        let shape = match text.split_once(':') {
            Some(("grid", sides)) => {
                let (rows, columns) = sides.split_once('x').ok_or_else(wrong)?;
                PowerShape::Grid { rows: count(rows)?, columns: count(columns)? }
            }
            Some(("feeder", buses)) => {
                PowerShape::Feeder { buses: count(buses)?, three_phase: false }
            }
            Some(("feeder3", buses)) => {
                PowerShape::Feeder { buses: count(buses)?, three_phase: true }
            }
            _ => return Err(wrong().into()),
        };
        shape.check()?;
        Ok(shape)
    }
}

impl fmt::Display for PowerShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PowerShape::Grid { rows, columns } => write!(f, "grid:{rows}x{columns}"),
            PowerShape::Feeder { buses, three_phase: false } => write!(f, "feeder:{buses}"),
            PowerShape::Feeder { buses, three_phase: true } => write!(f, "feeder3:{buses}"),
        }
    }
}

/// The feeder of a shape; none where it is no feeder.
///
/// # Errors
/// As [`feeder`](feeder()).
pub fn shaped_feeder(shape: PowerShape, seed: u64) -> Result<Option<Feeder>, PowerError> {
    let PowerShape::Feeder { buses, three_phase } = shape else { return Ok(None) };
    let params = FeederShape { buses, seed, ..FeederShape::default() };
    Ok(Some(match three_phase {
        false => Feeder::Balanced(Box::new(feeder(&params)?)),
        true => Feeder::ThreePhase(Box::new(three_phase_feeder(&params)?)),
    }))
}

/// Writes the netlist of a shape.
///
/// # Errors
/// When `out` fails, or the shape is a feeder, which is no netlist.
pub fn write_netlist(shape: PowerShape, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    match shape {
        PowerShape::Grid { rows, columns } => grid::write(rows, columns, seed, out),
        PowerShape::Feeder { .. } => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "a feeder is no netlist"))
        }
    }
}
