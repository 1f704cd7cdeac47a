//! The operating point of a grid: what drops between the pads and the loads.
//!
//! **Problem.** A [`Circuit`] and the potentials of its vertices; out come the voltages of all
//! nodes, the current and power of every element, and by how much each node lies below (or, on a
//! ground net, above) the potential that its pads hold.
//!
//! | question | file |
//! |---|---|
//! | which nodes are one net, and what its pads hold | `nets.rs` |
//! | what flows through every element, shorts and sources too | `currents.rs` |
//! | thousands of loads against one factor | `scenarios.rs` |
//! | a wire more, a pad less | `changes.rs` |
//!
//! **Reference.** Nassif, *Power grid analysis benchmarks*, 2008.

mod changes;
mod currents;
mod nets;
mod scenarios;

pub use changes::{Change, Changed, change};
pub(crate) use currents::fill_ties;
pub use currents::{ElementCurrents, element_currents};
pub use nets::{Net, Nets};
pub use scenarios::{Case, Scenarios, WorstCases, scenarios};

use palmette_core::Circuit;
use palmette_core::circuit::{ElementKind, OperatingPoint, Tied};

/// The operating point of a grid, looked at from everywhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Drop {
    /// By node, its voltage.
    pub voltages: Vec<f64>,
    /// By node, how far it lies from what the pads of its net hold; 0 at ground.
    pub drops: Vec<f64>,
    /// The node with the largest drop, if there is one beside ground.
    pub worst: Option<u32>,
    /// What flows through the elements.
    pub elements: ElementCurrents,
    /// Watts that voltage sources deliver.
    pub supplied: f64,
    /// Watts that resistors turn into heat.
    pub losses: f64,
    /// Watts that current sources take.
    pub load: f64,
}

impl Drop {
    /// Looks at an operating point, given the potentials of its vertices.
    ///
    /// # Panics
    /// When there is not one potential per vertex.
    pub fn of(circuit: &Circuit, point: &OperatingPoint, nets: &Nets, x: &[f64]) -> Drop {
        Drop::at(circuit, &point.tied, nets, point.tied.potentials(x))
    }

    /// The same, given the voltages of all nodes.
    pub fn at(circuit: &Circuit, tied: &Tied, nets: &Nets, voltages: Vec<f64>) -> Drop {
        let elements = element_currents(circuit, tied, &voltages);
        let drops = nets.drops(&voltages);
        let worst = nets.worst(&drops);
        let mut found =
            Drop { voltages, drops, worst, elements, supplied: 0.0, losses: 0.0, load: 0.0 };
        for (k, element) in circuit.elements.iter().enumerate() {
            let power = found.power(circuit, k);
            match element.kind {
                ElementKind::Voltage => found.supplied -= power,
                ElementKind::Resistor => found.losses += power,
                ElementKind::Current => found.load += power,
                ElementKind::Capacitor | ElementKind::Inductor => {}
            }
        }
        found
    }

    /// Watts that an element takes; negative for one that delivers.
    pub fn power(&self, circuit: &Circuit, element: usize) -> f64 {
        let [a, b] = circuit.elements[element].ends.map(|node| self.voltages[node as usize]);
        (a - b) * self.elements.currents[element]
    }

    /// Elements that carry more than their limits in amperes.
    pub fn over(&self, limits: &[f64]) -> Vec<u32> {
        let all = self.elements.currents.iter().zip(limits).zip(0..);
        all.filter(|((current, limit), _)| current.abs() > **limit).map(|over| over.1).collect()
    }

    /// The element of a kind that carries most, and its current.
    pub fn busiest(&self, circuit: &Circuit, kind: ElementKind) -> Option<(u32, f64)> {
        let all = circuit.elements.iter().zip(&self.elements.currents).enumerate();
        let own = all.filter(|(_, (element, _))| element.kind == kind);
        let size = |(_, (_, current)): &(usize, (_, &f64))| current.abs();
        // Of equals the first.
        let most = own.max_by(|a, b| size(a).total_cmp(&size(b)).then(b.0.cmp(&a.0)));
        most.map(|(k, (_, current))| (k as u32, *current))
    }
}

/// Whether what goes through an element can be too much: a resistor, inductor or voltage source.
pub fn is_limited(kind: ElementKind) -> bool {
    !matches!(kind, ElementKind::Current | ElementKind::Capacitor)
}

#[cfg(test)]
mod tests;
