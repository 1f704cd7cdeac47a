//! What probes show, step by step.

use super::engine::voltage;
use super::loads::Changing;
use super::state::State;
use super::{Probe, Transient};
use crate::drop::fill_ties;
use palmette_core::Circuit;
use palmette_core::circuit::{ElementKind, Potential, Span};

/// Writes down what probes show.
pub(super) struct Recorder<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) probes: &'a [Probe],
    pub(super) forest: &'a [u32],
    pub(super) wants_currents: bool,
}

impl Recorder<'_> {
    #[expect(clippy::too_many_arguments, reason = "all that a step knows")]
    pub(super) fn write(
        &self,
        found: &mut Transient,
        time: f64,
        x: &[f64],
        places: &[Potential],
        state: &State,
        loads: &mut [Changing],
        known: Option<&[f64]>,
        span: Span,
    ) {
        found.times.push(time);
        let at = |node: u32| voltage(places, x, node);
        let mut own = Vec::new();
        let currents = match known {
            Some(known) => known,
            None if self.wants_currents => {
                own = vec![0.0; self.circuit.elements.len()];
                for (current, element) in own.iter_mut().zip(&self.circuit.elements) {
                    *current = match element.kind {
                        ElementKind::Resistor if element.value > 0.0 => {
                            (at(element.ends[0]) - at(element.ends[1])) / element.value
                        }
                        ElementKind::Current => element.value,
                        _ => 0.0,
                    };
                }
                for load in loads {
                    own[load.element as usize] = load.at(self.circuit, time, span);
                }
                for single in state.singles() {
                    own[single.element as usize] = single.current;
                }
                fill_ties(self.circuit, self.forest, &mut own);
                &own
            }
            None => &own,
        };
        for (probe, values) in self.probes.iter().zip(&mut found.probes) {
            values.push(match *probe {
                Probe::Node(node) => at(node),
                Probe::Between(a, b) => at(a) - at(b),
                Probe::Element(element) => currents[element as usize],
            });
        }
    }
}
