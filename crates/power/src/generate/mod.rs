//! Networks made from a seed.

mod feeder;
mod grid;

pub use feeder::{FeederShape, feeder, three_phase_feeder};

use crate::PowerError;
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
}

impl PowerShape {
    /// How shapes are written.
    pub const FORMS: [&str; 1] = ["grid:ROWSxCOLUMNS"];

    /// The number of nodes or buses.
    pub fn nodes(self) -> u128 {
        match self {
            PowerShape::Grid { rows, columns } => grid::nodes(rows, columns),
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
        }
    }
}

/// Writes the netlist of a shape.
///
/// # Errors
/// When `out` fails.
pub fn write_netlist(shape: PowerShape, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    match shape {
        PowerShape::Grid { rows, columns } => grid::write(rows, columns, seed, out),
    }
}
