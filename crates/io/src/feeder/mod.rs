//! Feeders from files: networks for power flow, of one phase or of three.
//!
//! Readers turn what a file has into the columns of [`Feeder`]: impedances in per unit (balanced) or
//! ohms (three-phase), taps, open ends. What they do not know is an error, never left out: a column,
//! a property, an element that would change the answer. What only *might* matter to a user of the
//! tool that a file is from, such as regulators whose taps stay, is in [`FeederFile::notes`].

mod cases;
mod dss;
mod format;
mod json;
mod limits;
mod matpower;
mod nameplate;
mod pandapower;
mod pgm;
mod places;
mod shares;
mod tables;
#[cfg(test)]
mod tests;

pub use cases::{CaseReader, LoadCases, read_cases, read_cases_bytes};
pub use format::FeederFormat;
pub use pgm::{pgm_note, write_pgm};
pub use tables::{tables_into, write_tables};

use crate::IoError;
use crate::limit::InputLimit;
use crate::source::{Source, name_of, plain, read_bytes_within};
use palmette_core::feeder::Feeder;
use places::Places;
use std::path::Path;

/// What to read from a file of a feeder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FeederParams {
    /// The format; by default it is found from the file's name, then its content.
    pub format: Option<FeederFormat>,
    /// How large a file may be.
    pub limit: InputLimit,
    /// Whether generators keep to their limits of reactive power. By default they do not, as in
    /// MATPOWER and pandapower.
    pub reactive_limits: bool,
}

/// A feeder as a file states it.
#[derive(Debug, Clone)]
pub struct FeederFile {
    /// The file's name, for messages.
    pub name: String,
    /// Its format.
    pub format: FeederFormat,
    /// The network.
    pub feeder: Feeder,
    /// What a user should know: one sentence each.
    pub notes: Vec<String>,
    places: Places,
}

impl FeederFile {
    /// A feeder that comes from no file.
    pub fn of(name: &str, feeder: Feeder) -> FeederFile {
        let (name, notes, places) = (name.to_string(), Vec::new(), Places::default());
        FeederFile { name, format: FeederFormat::Tables, feeder, notes, places }
    }

    /// The file and the line that an element comes from, by what the feeder's errors call it.
    pub fn place(&self, kind: &str, name: &str) -> Option<(&str, u64)> {
        self.places.of(&self.feeder, kind, name)
    }

    /// The feeder, if its numbers are as they should be.
    fn checked(
        name: &str,
        format: FeederFormat,
        feeder: Feeder,
        places: Places,
        notes: Vec<String>,
    ) -> Result<FeederFile, IoError> {
        if let Err(source) = feeder.check() {
            let place = places.of_error(&feeder, &source);
            let file = place.map_or(name, |(file, _)| file).to_string();
            let (line, source) = (place.map(|(_, line)| line), Box::new(source));
            return Err(IoError::Feeder { file, line, source });
        }
        Ok(FeederFile { name: name.to_string(), format, feeder, notes, places })
    }
}

/// Reads a feeder: a file, or a folder of tables. `-` is stdin; gzip and zstd are decompressed.
///
/// # Errors
/// When a file cannot be read or is not what its format demands; the message names the file, the
/// line and what was expected.
pub fn read_feeder(path: impl AsRef<Path>, params: &FeederParams) -> Result<FeederFile, IoError> {
    let path = path.as_ref();
    if path.is_dir() {
        return match params.format {
            None | Some(FeederFormat::Tables) => tables::read(path, params),
            Some(_) => Err(IoError::Table {
                file: name_of(path),
                expected: "a file".to_string(),
                found: "a folder".to_string(),
            }),
        };
    }
    let bytes = read_bytes_within(path, params.limit)?;
    let load = |path: &Path| read_bytes_within(path, params.limit);
    read_loaded(path, &bytes, params, &load)
}

/// As [`read_feeder`], from bytes that are already here; `name` is for messages and for finding
/// the format. A script may then read no other files.
///
/// ```
/// use palmette_io::{FeederParams, read_feeder_bytes};
/// let case = b"function mpc = two
/// mpc.version = '2'; mpc.baseMVA = 10;
/// mpc.bus = [1 3 0 0 0 0 1 1 0 12 1 1 1; 2 1 2 1 0 0 1 1 0 12 1 1 1];
/// mpc.gen = [1 0 0 9 -9 1 10 1 9 0];
/// mpc.branch = [1 2 0.01 0.02 0 0 0 0 0 0 1 -360 360];
/// ";
/// let file = read_feeder_bytes("two.m", case, &FeederParams::default())?;
/// assert_eq!(file.feeder.bus_names().len(), 2);
/// # Ok::<(), palmette_io::IoError>(())
/// ```
///
/// # Errors
/// As [`read_feeder`].
pub fn read_feeder_bytes(
    name: &str,
    bytes: &[u8],
    params: &FeederParams,
) -> Result<FeederFile, IoError> {
    let load = |path: &Path| {
        let source = std::io::Error::other("a text alone reads no other files");
        Err(IoError::Read { file: name_of(path), source })
    };
    read_loaded(Path::new(name), bytes, params, &load)
}

fn read_loaded(
    path: &Path,
    bytes: &[u8],
    params: &FeederParams,
    load: &dyn Fn(&Path) -> Result<Vec<u8>, IoError>,
) -> Result<FeederFile, IoError> {
    let name = name_of(path);
    let data = plain(&name, bytes)?;
    let said = params.format.or_else(|| FeederFormat::from_name(&name, &data));
    let format = said.map_or_else(|| FeederFormat::from_content(&name, &data), Ok)?;
    match format {
        FeederFormat::OpenDss => dss::read(path, &data, load),
        FeederFormat::Tables => Err(IoError::Table {
            file: name,
            expected: "a folder with bus.csv, source.csv and the other tables".to_string(),
            found: "a file".to_string(),
        }),
        FeederFormat::PowerGridModel => pgm::read(&Source::new(&name, &data)?),
        FeederFormat::Matpower => matpower::read(&Source::new(&name, &data)?, params),
        FeederFormat::Pandapower => pandapower::read(&Source::new(&name, &data)?, params),
    }
}
