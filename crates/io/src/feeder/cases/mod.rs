//! Load cases: what loads draw in each of many runs.
//!
//! **CSV.** A row per case. A column named after a load has factors of its power; `all` has factors of
//! all loads that no other column names; `NAME.p_mw` and `NAME.q_mvar` have powers. A column `case`
//! names cases, which otherwise are numbered from 0. Read piece by piece ([`CaseReader`]), so that
//! memory does not grow with the cases.
//! **power-grid-model.** A batch of `update` data: `p_specified`, `q_specified` and `status` of loads
//! and generators. Read whole.

mod stream;
mod table;
mod update;

pub use stream::CaseReader;

use crate::IoError;
use palmette_core::feeder::{Complex, Feeder};
use std::path::Path;

/// Many cases of the loads of one feeder.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadCases {
    /// The file's name, for messages.
    pub name: String,
    /// What cases are called.
    pub names: Vec<String>,
    /// The loads that differ, by number.
    pub loads: Vec<u32>,
    /// By case, then by load of `loads`: power in the feeder's unit (MVA balanced, VA three-phase).
    pub powers: Vec<Complex>,
}

impl LoadCases {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Writes the powers of all loads in a case over those of the feeder, which `into` has.
    pub fn apply(&self, case: usize, into: &mut [Complex]) {
        let row = &self.powers[case * self.loads.len()..][..self.loads.len()];
        for (&load, &power) in self.loads.iter().zip(row) {
            into[load as usize] = power;
        }
    }
}

/// The names of loads, their powers, and what 1 MW is.
fn loads_of(feeder: &Feeder) -> (&palmette_core::Texts, &[Complex], f64) {
    match feeder {
        Feeder::Balanced(feeder) => (&feeder.loads.names, &feeder.loads.s_mva, 1.0),
        Feeder::ThreePhase(feeder) => (&feeder.loads.names, &feeder.loads.s_va, 1e6),
    }
}

/// Reads load cases for a feeder, all at once. `-` is stdin; gzip and zstd are decompressed.
///
/// # Errors
/// When the file cannot be read, or names what the feeder does not have; with the line.
pub fn read_cases(path: impl AsRef<Path>, feeder: &Feeder) -> Result<LoadCases, IoError> {
    CaseReader::open(path.as_ref(), crate::InputLimit::default(), feeder)?.rest()
}

/// As [`read_cases`], from bytes that are already here.
///
/// # Errors
/// As [`read_cases`].
pub fn read_cases_bytes(name: &str, bytes: &[u8], feeder: &Feeder) -> Result<LoadCases, IoError> {
    CaseReader::of_bytes(name, bytes, feeder)?.rest()
}
