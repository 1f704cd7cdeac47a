//! The lines that elements come from, for errors that are found after reading.

use palmette_core::Texts;
use palmette_core::feeder::{Feeder, FeederError};

/// By kind of element, the file and the line of each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    files: Vec<String>,
    kinds: Vec<(&'static str, Vec<(u32, u32)>)>,
}

impl Places {
    /// The number of a file, added where it is new.
    pub(crate) fn file(&mut self, name: &str) -> u32 {
        let at = self.files.iter().position(|file| file == name).unwrap_or_else(|| {
            self.files.push(name.to_string());
            self.files.len() - 1
        });
        at as u32
    }

    /// Adds the next element of a kind.
    pub(crate) fn push(&mut self, kind: &'static str, file: u32, line: u64) {
        let place = (file, u32::try_from(line).unwrap_or(u32::MAX));
        match self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, lines)) => lines.push(place),
            None => self.kinds.push((kind, vec![place])),
        }
    }

    /// The file and the line of an element.
    pub(crate) fn of(&self, feeder: &Feeder, kind: &str, name: &str) -> Option<(&str, u64)> {
        let (kind, names) = names(feeder, kind)?;
        let at = match names {
            Some(names) => (0..names.len()).find(|&k| names.get(k) == name)?,
            None => name.parse().ok()?,
        };
        self.nth(kind, at)
    }

    /// The file and the line of the element that an error is about.
    pub(crate) fn of_error(&self, feeder: &Feeder, error: &FeederError) -> Option<(&str, u64)> {
        match error {
            FeederError::Second { bus, .. } => {
                let (kind, at) = second(feeder, bus)?;
                self.nth(kind, at)
            }
            _ => subject(error).and_then(|(kind, name)| self.of(feeder, kind, name)),
        }
    }

    /// The file and the line of an element by its number.
    pub(crate) fn nth(&self, kind: &str, at: usize) -> Option<(&str, u64)> {
        let (_, lines) = self.kinds.iter().find(|(known, _)| *known == kind)?;
        let &(file, line) = lines.get(at)?;
        Some((&self.files[file as usize], u64::from(line)))
    }
}

/// What elements of a kind are kept as, and their names; sources have none.
fn names<'f>(feeder: &'f Feeder, kind: &str) -> Option<(&'static str, Option<&'f Texts>)> {
    Some(match (feeder, kind) {
        (_, "bus") => ("bus", Some(feeder.bus_names())),
        (_, "source") => ("source", None),
        (Feeder::Balanced(f), "line" | "transformer" | "switch" | "branch") => {
            ("branch", Some(&f.branches.names))
        }
        (Feeder::Balanced(f), "load") => ("load", Some(&f.loads.names)),
        (Feeder::Balanced(f), "shunt") => ("shunt", Some(&f.shunts.names)),
        (Feeder::Balanced(f), "generator") => ("generator", Some(&f.generators.names)),
        (Feeder::ThreePhase(f), "line") => ("line", Some(&f.lines.names)),
        (Feeder::ThreePhase(f), "transformer") => ("transformer", Some(&f.transformers.names)),
        (Feeder::ThreePhase(f), "switch") => ("switch", Some(&f.switches.names)),
        (Feeder::ThreePhase(f), "load") => ("load", Some(&f.loads.names)),
        (Feeder::ThreePhase(f), "capacitor") => ("capacitor", Some(&f.capacitors.names)),
        _ => return None,
    })
}

/// The kind and the name of the element that an error is about.
fn subject(error: &FeederError) -> Option<(&'static str, &str)> {
    match error {
        FeederError::NoSuchBus { kind, name, .. }
        | FeederError::OneBus { kind, name, .. }
        | FeederError::NotFinite { kind, name, .. }
        | FeederError::NotPositive { kind, name, .. }
        | FeederError::Negative { kind, name, .. }
        | FeederError::NoImpedance { kind, name }
        | FeederError::Limits { kind, name, .. }
        | FeederError::Voltages { kind, name, .. }
        | FeederError::Phases { kind, name, .. }
        | FeederError::Delta { kind, name, .. }
        | FeederError::ExtraPhase { kind, name, .. } => Some((kind, name)),
        _ => None,
    }
}

/// The second source or generator at a bus: its kind, and its number among them.
fn second(feeder: &Feeder, bus: &str) -> Option<(&'static str, usize)> {
    let (names, sources, held): (_, _, &[u32]) = match feeder {
        Feeder::Balanced(f) => (&f.buses.names, &f.sources.bus, &f.generators.bus),
        Feeder::ThreePhase(f) => (&f.buses.names, &f.sources.bus, &[]),
    };
    let sources = sources.iter().enumerate().map(|(k, &bus)| ("source", k, bus));
    let held = held.iter().enumerate().map(|(k, &bus)| ("generator", k, bus));
    let mut at_bus = sources.chain(held).filter(|&(_, _, at)| names.get(at as usize) == bus);
    at_bus.nth(1).map(|(kind, k, _)| (kind, k))
}
