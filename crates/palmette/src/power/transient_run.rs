//! A transient of a grid, with probes by name.

use super::{PowerError, PowerGrid};
use palmette_core::circuit::Span;
use palmette_io::{IoError, Probe as NamedProbe, TransientCard};
use palmette_power::transient::{Probe, Transient, TransientParams, transient};

/// Waveforms with their names.
#[derive(Debug, Clone)]
pub struct GridTransient {
    /// What came of the run.
    pub run: Transient,
    /// By probe, its name: `v(a)`, `v(a,b)`, `i(V1)`.
    pub names: Vec<String>,
}

/// Probes by number, and their names.
#[derive(Debug, Clone, PartialEq)]
pub struct Probes {
    /// By number.
    pub probes: Vec<Probe>,
    /// Their names.
    pub names: Vec<String>,
}

/// The most steps of a computation per printed one.
const MOST_SUBSTEPS: f64 = 1e9;

impl PowerGrid {
    /// The options that the netlist's `.tran` and `.ic` state, with other times where given.
    ///
    /// # Errors
    /// When neither says how long.
    pub fn transient_params(
        &self,
        step: Option<f64>,
        stop: Option<f64>,
    ) -> Result<TransientParams, IoError> {
        let card = self.file.transient;
        let (Some(printed), Some(stop)) =
            (card.map(|card| card.step).or(step), stop.or(card.map(|card| card.stop)))
        else {
            return Err(IoError::Table {
                file: self.file.name.clone(),
                expected: "`.tran STEP STOP`, or a step and an end".to_string(),
                found: "neither".to_string(),
            });
        };
        let wanted = step.or(card.and_then(|card| card.largest)).unwrap_or(printed);
        // A step longer than the printed one prints less often.
        let printed = printed.max(wanted.min(stop));
        let substeps = (printed / wanted * (1.0 - 1e-9)).ceil();
        if !(1.0..=MOST_SUBSTEPS).contains(&substeps) || stop < printed * (1.0 - 1e-9) {
            let error = PowerError::Setting { what: "a step", value: wanted };
            return Err(self.explain(error));
        }
        let start = card.map_or(0.0, |TransientCard { start, .. }| start);
        Ok(TransientParams {
            start: if start < stop { start } else { 0.0 },
            substeps: substeps as u32,
            initial: self.file.initial.clone(),
            ..TransientParams::new(Span { step: printed, stop })
        })
    }

    /// Probes: the netlist's `.print tran` where nothing is given.
    ///
    /// # Errors
    /// When a node or an element is not in the netlist, or there is nothing to look at.
    pub fn probes(&self, nodes: &[String], elements: &[String]) -> Result<Probes, IoError> {
        let mut found = Probes { probes: Vec::new(), names: Vec::new() };
        let own = nodes.is_empty() && elements.is_empty();
        let given = nodes.iter().map(|node| NamedProbe::Voltage(vec![node.clone()]));
        let given = given.chain(elements.iter().cloned().map(NamedProbe::Current));
        let printed = self.file.probes.iter().filter(|_| own).cloned();
        for (k, probe) in given.chain(printed).enumerate() {
            let at_card = |error| if own { self.file.at_probe(k, error) } else { error };
            let (probe, name) = self.probe(&probe).map_err(at_card)?;
            found.probes.push(probe);
            found.names.push(name);
        }
        Ok(found)
    }

    fn probe(&self, probe: &NamedProbe) -> Result<(Probe, String), IoError> {
        let file = &self.file;
        Ok(match probe {
            NamedProbe::Voltage(names) => match &names[..] {
                [a, b] => (Probe::Between(file.node(a)?, file.node(b)?), format!("v({a},{b})")),
                names => {
                    let name = names.first().map_or("", String::as_str);
                    (Probe::Node(file.node(name)?), format!("v({name})"))
                }
            },
            NamedProbe::Current(name) => {
                (Probe::Element(file.element(name)?), format!("i({name})"))
            }
        })
    }

    /// Runs.
    ///
    /// # Errors
    /// As [`transient`], with names.
    pub fn transient(
        &self,
        probes: Probes,
        params: &TransientParams,
    ) -> Result<GridTransient, IoError> {
        let run = transient(&self.file.circuit, &self.nets, &probes.probes, params);
        let run = run.map_err(|error| self.explain(error))?;
        Ok(GridTransient { run, names: probes.names })
    }
}
