//! Input data of power-grid-model: JSON, flat, in SI units.
//!
//! Components with one value per phase (`asym_load`, `asym_gen`) make a feeder of three phases, all
//! others a balanced one. A source has the impedance of its short-circuit power: it feeds its node
//! from a bus of its own, called `source` and its number. Buses are called by their numbers, or as
//! our writer says in `extra`, where names are no numbers. Attributes and components that are not
//! known are errors; sensors, which only an estimation uses, are not read.

mod balanced;
mod rows;
mod three_phase;
mod write;

pub use write::{pgm_note, write_pgm};

use super::json::{self, Json, Value};
use super::places::Places;
use super::{FeederFile, FeederFormat};
use crate::IoError;
use crate::quote::shown;
use crate::source::Source;
use palmette_core::feeder::Feeder;
pub(super) use rows::{Component, Rows};

/// The version of the format that is read and written.
const VERSION: &str = "1.0";
/// Where the name of a bus stands in the `extra` of its node, which power-grid-model skips.
const NAME: &str = "palmette_name";
/// The frequency in Hz: the file does not say it, and power-grid-model's default is this.
const FREQUENCY: f64 = 50.0;
/// The short-circuit power of a source in VA, and the ratios r/x and z0/z1, where a file does not
/// say them: power-grid-model's defaults.
const SOURCE_DEFAULTS: (f64, f64, f64) = (1e10, 0.1, 1.0);

/// Components that say nothing about a power flow.
const SILENT: [&str; 7] = [
    "sym_voltage_sensor",
    "asym_voltage_sensor",
    "sym_power_sensor",
    "asym_power_sensor",
    "sym_current_sensor",
    "asym_current_sensor",
    "fault",
];

/// The columns of rows that are lists, by component.
type Attributes<'j, 'a> = Option<&'j Json<'a>>;

/// The parts of a file of power-grid-model.
pub(super) struct Document<'j, 'a> {
    pub(super) batch: bool,
    pub(super) data: &'j Json<'a>,
    attributes: Attributes<'j, 'a>,
}

impl<'j, 'a> Document<'j, 'a> {
    /// Checks the version and the type of a file.
    pub(super) fn open(
        file: &str,
        root: &'j Json<'a>,
        kind: &str,
    ) -> Result<Document<'j, 'a>, IoError> {
        let members = root.object(file, "data of power-grid-model")?;
        let known = ["version", "type", "is_batch", "attributes", "data"];
        if let Some((name, value)) = members.iter().find(|(name, _)| !known.contains(&&**name)) {
            let expected = format!("one of {}", known.join(", "));
            return Err(IoError::on_line(file, value.line, expected, shown(name)));
        }
        let need = |name: &str| {
            root.get(name).ok_or_else(|| root.wrong(file, format!("an object with `{name}`")))
        };
        let version = need("version")?;
        if version.text(file, "the version")? != VERSION {
            return Err(version.wrong(file, format!("version \"{VERSION}\" of the format")));
        }
        let found = need("type")?;
        if found.text(file, "the type of the data")? != kind {
            return Err(found.wrong(file, format!("data of type \"{kind}\"")));
        }
        let batch = match need("is_batch")?.value {
            Value::Bool(batch) => batch,
            _ => return Err(need("is_batch")?.wrong(file, "true or false: `is_batch`")),
        };
        Ok(Document { batch, data: need("data")?, attributes: root.get("attributes") })
    }

    /// The rows of each component of a set of data.
    pub(super) fn components(
        &self,
        file: &'j str,
        data: &'j Json<'a>,
    ) -> Result<Vec<Component<'j, 'a>>, IoError> {
        let mut all = Vec::new();
        for (name, rows) in data.object(file, "components by name")? {
            let list = rows.list(file, "the rows of a component")?;
            let columns = match self.attributes.and_then(|all| all.get(name)) {
                None => None,
                Some(columns) => {
                    let columns = columns.list(file, "names of attributes")?;
                    let names: Result<Vec<&str>, IoError> =
                        columns.iter().map(|one| one.text(file, "an attribute")).collect();
                    Some(names?)
                }
            };
            all.push(Component { file, name, line: rows.line, rows: list, columns });
        }
        Ok(all)
    }
}

pub(crate) fn read(source: &Source<'_>) -> Result<FeederFile, IoError> {
    let file = source.name;
    let root = json::parse(file, source.text, 1, false)?;
    let document = Document::open(file, &root, "input")?;
    if document.batch {
        let expected = "one set of input data (`is_batch` false)";
        return Err(root.get("is_batch").unwrap_or(&root).wrong(file, expected));
    }
    let components = document.components(file, document.data)?;
    let mut notes = Vec::new();
    let sensors = components.iter().filter(|one| SILENT.contains(&one.name));
    let sensors: usize = sensors.map(|one| one.rows.len()).sum();
    if sensors > 0 {
        notes.push(format!("{sensors} sensors and faults are of no effect on a power flow"));
    }
    let has = |name: &str| components.iter().any(|one| one.name == name && !one.rows.is_empty());
    let mut places = Places::default();
    let feeder = match has("asym_load") || has("asym_gen") {
        true => Feeder::ThreePhase(Box::new(three_phase::read(&components, &mut places)?)),
        false => Feeder::Balanced(Box::new(balanced::read(&components, &mut places)?)),
    };
    let charging = components
        .iter()
        .filter(|one| one.name == "line")
        .any(|one| one.rows().any(|row| row.number_or("c1", 0.0).is_ok_and(|c| c != 0.0)));
    if charging {
        notes.push(format!("lines are charged at {FREQUENCY} Hz, power-grid-model's default"));
    }
    FeederFile::checked(file, FeederFormat::PowerGridModel, feeder, places, notes)
}

/// Checks that a component is known.
fn refuse(component: &Component<'_, '_>, known: &[&str]) -> Result<(), IoError> {
    if known.contains(&component.name)
        || SILENT.contains(&component.name)
        || component.rows.is_empty()
    {
        return Ok(());
    }
    let expected = format!("a component that is read here: {}", known.join(", "));
    Err(IoError::on_line(component.file, component.line, expected, shown(component.name)))
}
