//! A feeder under way: its buses, and what all elements share.

use super::classes::Class;
use super::nominal;
use super::script::{Object, Place, Property, Script};
use super::tokens;
use crate::IoError;
use crate::feeder::places::Places;
use crate::quote::shown;
use palmette_core::feeder::{Phases, ThreePhase};
use std::collections::{HashMap, HashSet};

/// A bus with the nodes that a terminal is connected to, in order: 0 is ground, 1 to 3 are phases.
#[derive(Debug, Clone)]
pub(crate) struct Terminal {
    pub(crate) bus: String,
    pub(crate) nodes: Vec<usize>,
}

pub(crate) struct Build<'s> {
    pub(crate) script: &'s Script<'s>,
    pub(crate) feeder: ThreePhase,
    pub(crate) places: Places,
    buses: HashMap<String, u32>,
    /// By bus, the phases that elements have there.
    present: Vec<Phases>,
    /// Nodes of buses that are open neutrals.
    pub(crate) neutrals: HashSet<(String, usize)>,
    /// By bus, a nominal voltage in V to ground, where one is known from a source.
    pub(crate) base: HashMap<u32, f64>,
}

impl<'s> Build<'s> {
    pub(crate) fn new(script: &'s Script<'s>) -> Build<'s> {
        Build {
            script,
            feeder: ThreePhase::default(),
            places: Places::default(),
            buses: HashMap::new(),
            present: Vec::new(),
            neutrals: HashSet::new(),
            base: HashMap::new(),
        }
    }

    /// The error about a property.
    pub(crate) fn wrong(&self, property: &Property, expected: impl Into<String>) -> IoError {
        let found = format!("{}={}", property.name, shown(&property.value));
        self.script.wrong(property.place, expected, found)
    }

    pub(crate) fn number(&self, property: &Property) -> Result<f64, IoError> {
        tokens::number(&property.value).ok_or_else(|| self.wrong(property, "a number"))
    }

    pub(crate) fn whole(&self, property: &Property) -> Result<usize, IoError> {
        let value = self.number(property)?;
        match value.fract() == 0.0 && (1.0..100.0).contains(&value) {
            true => Ok(value as usize),
            false => Err(self.wrong(property, "a whole number from 1")),
        }
    }

    pub(crate) fn numbers(&self, property: &Property) -> Result<Vec<f64>, IoError> {
        tokens::numbers(&property.value).ok_or_else(|| self.wrong(property, "numbers"))
    }

    /// Whether an object is in service.
    pub(crate) fn enabled(&self, object: &Object) -> Result<bool, IoError> {
        let mut last = object.properties.iter().rev();
        let Some(property) = last.find(|one| one.name == "enabled") else { return Ok(true) };
        tokens::boolean(&property.value).ok_or_else(|| self.wrong(property, "yes or no"))
    }

    /// `name.1.2.3` of an element with so many conductors; without nodes, the first ones.
    pub(crate) fn terminal(
        &self,
        text: &str,
        conductors: usize,
        place: Place,
    ) -> Result<Terminal, IoError> {
        let mut parts = text.trim().split('.');
        let bus = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let wrong = |expected: &str| self.script.wrong(place, expected, shown(text));
        if bus.is_empty() {
            return Err(wrong("the name of a bus"));
        }
        let nodes: Option<Vec<usize>> = parts.map(|part| part.trim().parse().ok()).collect();
        let mut nodes = nodes.ok_or_else(|| wrong("nodes of a bus, such as `671.1.2.3`"))?;
        if nodes.iter().any(|&node| node > 3) {
            return Err(wrong("phases 1, 2 and 3, or ground, which is 0"));
        }
        if nodes.is_empty() {
            nodes = (1..=conductors).collect();
        }
        if nodes.len() < conductors {
            return Err(wrong(&format!("{conductors} nodes")));
        }
        Ok(Terminal { bus, nodes })
    }

    /// The number of a bus that has at least some phases.
    pub(crate) fn bus(&mut self, name: &str, phases: Phases, place: Place) -> u32 {
        let next = self.present.len() as u32;
        let at = *self.buses.entry(name.to_string()).or_insert(next);
        if at == next {
            self.feeder.buses.names.push(name);
            self.present.push(Phases::NONE);
            self.place("bus", place);
        }
        self.present[at as usize] = self.present[at as usize].or(phases);
        at
    }

    /// Notes the place of the next element of a kind.
    pub(crate) fn place(&mut self, kind: &'static str, place: Place) {
        let (file, line) = self.script.file_and_line(place);
        let file = self.places.file(file);
        self.places.push(kind, file, line);
    }

    /// The phases of nodes 1 to 3, each of them once.
    pub(crate) fn phases(&self, nodes: &[usize], place: Place) -> Result<Phases, IoError> {
        let mut bits = 0;
        for &node in nodes {
            if node == 0 || bits >> (node - 1) & 1 == 1 {
                let found = nodes.iter().map(usize::to_string).collect::<Vec<_>>().join(".");
                return Err(self.script.wrong(place, "different phases, none of them 0", found));
            }
            bits |= 1 << (node - 1);
        }
        Ok(Phases::from_bits(bits).unwrap_or(Phases::NONE))
    }

    pub(crate) fn notes(&self, script: &Script<'_>) -> Vec<String> {
        let mut notes = Vec::new();
        let count = |class| script.objects.iter().filter(|one| one.class == class).count();
        let regulators = count(Class::RegControl);
        if regulators > 0 && !script.controls_off {
            notes.push(format!(
                "{regulators} regulators do not move: taps stay where the script sets them"
            ));
        }
        if count(Class::Load) > 0 {
            notes.push(
                "loads keep their model at any voltage; OpenDSS takes them as impedances outside \
                Vminpu to Vmaxpu"
                    .to_string(),
            );
        }
        notes
    }

    pub(crate) fn finish(mut self) -> Result<(ThreePhase, Places), IoError> {
        if let Some(bus) = self.present.iter().position(|&phases| phases == Phases::NONE) {
            let name = self.feeder.buses.names.get(bus).to_string();
            let (file, line) = self.places.nth("bus", bus).unwrap_or(("", 0));
            let expected = "a bus that a line or a transformer leads to";
            return Err(IoError::on_line(file, line, expected, shown(&name)));
        }
        let base = nominal::voltages(&self);
        for (bus, volt) in base.into_iter().enumerate() {
            self.feeder.buses.phases.push(self.present[bus]);
            self.feeder.buses.v_base.push(volt);
        }
        Ok((self.feeder, self.places))
    }
}
