//! Circuits of resistors, capacitors, inductors and sources between numbered nodes.
//!
//! A [`Circuit`] is plain data, made by readers. [`OperatingPoint`] has the equations of its
//! potentials when nothing changes in time; a [`Waveform`] says what a source does in time.

mod merge;
mod operating;
mod waveform;

pub use operating::{CircuitError, OperatingPoint, Potential, Tied, first_nodes, tie};
pub use waveform::{Span, Waveform};

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// Its value is in ohms; of 0 it joins its ends.
    Resistor,
    /// In farads.
    Capacitor,
    /// In henries.
    Inductor,
    /// In volts: how much the first end lies above the second.
    Voltage,
    /// In amperes: taken out of the first end and put into the second.
    Current,
}

impl ElementKind {
    /// What people call it, also in tables.
    pub const fn name(self) -> &'static str {
        match self {
            ElementKind::Resistor => "resistor",
            ElementKind::Capacitor => "capacitor",
            ElementKind::Inductor => "inductor",
            ElementKind::Voltage => "voltage source",
            ElementKind::Current => "current source",
        }
    }
}

/// An element between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element {
    /// What it is.
    pub kind: ElementKind,
    /// Its nodes.
    pub ends: [u32; 2],
    /// Its value, at the operating point.
    pub value: f64,
    /// The number of its waveform in [`Circuit::waves`], or [`NONE`](crate::NONE).
    pub wave: u32,
}

/// Elements between nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Circuit {
    /// How many nodes there are.
    pub nodes: usize,
    /// The node with potential 0.
    pub ground: Option<u32>,
    /// The elements. Resistances are 0 or positive with finite reciprocals; capacitances and
    /// inductances are not negative.
    pub elements: Vec<Element>,
    /// What sources do in time.
    pub waves: Vec<Waveform>,
}

impl Circuit {
    /// What a source does in time, if it changes.
    pub fn wave(&self, element: &Element) -> Option<&Waveform> {
        self.waves.get(element.wave as usize)
    }

    /// How many elements of a kind there are.
    pub fn count(&self, kind: ElementKind) -> usize {
        self.elements.iter().filter(|element| element.kind == kind).count()
    }
}
