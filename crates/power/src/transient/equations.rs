//! The equations of a step.

use super::Method;
use super::track::Moving;
use crate::PowerError;
use palmette_core::circuit::{ElementKind, OperatingPoint, Potential};
use palmette_core::{Circuit, NONE};

/// The equations of a step of some length.
pub(super) struct Equations {
    pub(super) point: OperatingPoint,
    /// What constant sources and offsets put into vertices.
    pub(super) constant: Vec<f64>,
    /// Conductances at nodes that move.
    moved: Vec<([u32; 2], f64)>,
}

impl Equations {
    /// Resistors in the place of capacitors and inductors.
    pub(super) fn new(
        circuit: &Circuit,
        h: f64,
        method: Method,
        moving: &Moving,
    ) -> Result<Equations, PowerError> {
        let k = if method == Method::Trapezoidal { 2.0 } else { 1.0 };
        let mut step = circuit.clone();
        for element in &mut step.elements {
            let nothing = (ElementKind::Current, 0.0);
            (element.kind, element.value) = match element.kind {
                ElementKind::Capacitor if element.value > 0.0 => {
                    (ElementKind::Resistor, h / (k * element.value))
                }
                ElementKind::Capacitor => nothing,
                ElementKind::Inductor => (ElementKind::Resistor, k * element.value / h),
                // What changes is added in every step.
                ElementKind::Current if element.wave != NONE => nothing,
                kind => (kind, element.value),
            };
        }
        let mut point = OperatingPoint::new(&step)?;
        let mut moved = Vec::new();
        if !moving.is_empty() {
            for element in &step.elements {
                let moves = element.ends.iter().any(|&node| moving.has(node));
                if moves && element.kind == ElementKind::Resistor && element.value > 0.0 {
                    let g = 1.0 / element.value;
                    put_in(element.ends, -g, &point.tied.places, &mut point.supplies);
                    moved.push((element.ends, g));
                }
            }
        }
        let constant = point.currents();
        Ok(Equations { point, constant, moved })
    }

    pub(super) fn add_moved(&self, b: &mut [f64], places: &[Potential]) {
        for &(ends, g) in &self.moved {
            put_in(ends, g, places, b);
        }
    }
}

/// What a conductance puts into vertices because of offsets and fixed potentials.
fn put_in(ends: [u32; 2], g: f64, places: &[Potential], b: &mut [f64]) {
    match ends.map(|node| places[node as usize]) {
        [
            Potential::Free { vertex: u, offset: above_u },
            Potential::Free { vertex: v, offset: above_v },
        ] if u != v => {
            let flow = g * (above_u - above_v);
            b[u as usize] -= flow;
            b[v as usize] += flow;
        }
        [Potential::Free { vertex, offset }, Potential::Fixed(value)]
        | [Potential::Fixed(value), Potential::Free { vertex, offset }] => {
            b[vertex as usize] += g * (value - offset);
        }
        _ => {}
    }
}
