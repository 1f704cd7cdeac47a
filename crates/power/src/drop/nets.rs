//! Nets: nodes that wires join, and what their pads hold.
//!
//! **Problem.** Which nodes belong together, and from which potential their drop counts.
//! **Method.** Nodes are joined by resistors, inductors and sources of 0 V that do not end at
//! ground. Where sources fix the potential of nodes of a net, the one farthest from 0 is
//! what it should have; a net without such nodes hangs on ground, or on another net, and counts
//! from 0 V. A drop is how far a node lies towards 0 from there; on a net of 0 V how far above it.
//! **Cost.** Nearly linear.

use palmette_core::circuit::{ElementKind, OperatingPoint, Potential};
use palmette_core::graph::Sets;
use palmette_core::{Circuit, NONE};

/// Nodes that wires join.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Net {
    /// How many nodes it has.
    pub nodes: usize,
    /// What its pads hold, in volts.
    pub nominal: f64,
    /// Its first node.
    pub first: u32,
}

/// All nets of a circuit.
#[derive(Debug, Clone, PartialEq)]
pub struct Nets {
    /// By node, the number of its net; ground has none ([`NONE`]).
    pub of: Vec<u32>,
    /// The nets, in the order of their first nodes.
    pub nets: Vec<Net>,
}

impl Nets {
    /// The nets of a circuit.
    pub fn of(circuit: &Circuit, point: &OperatingPoint) -> Nets {
        let mut sets = Sets::new(circuit.nodes);
        for element in &circuit.elements {
            let joins = match element.kind {
                ElementKind::Resistor | ElementKind::Inductor => true,
                ElementKind::Voltage => element.value == 0.0 && element.wave == NONE,
                ElementKind::Capacitor | ElementKind::Current => false,
            };
            if joins && !element.ends.iter().any(|node| Some(*node) == circuit.ground) {
                sets.link(element.ends[0], element.ends[1]);
            }
        }
        let sets = sets.settled();
        let mut number = vec![NONE; circuit.nodes];
        let (mut of, mut nets) = (vec![NONE; circuit.nodes], Vec::<Net>::new());
        for node in 0..circuit.nodes as u32 {
            if Some(node) == circuit.ground {
                continue;
            }
            let set = sets[node as usize] as usize;
            if number[set] == NONE {
                number[set] = nets.len() as u32;
                nets.push(Net { nodes: 0, nominal: 0.0, first: node });
            }
            of[node as usize] = number[set];
            let net = &mut nets[number[set] as usize];
            net.nodes += 1;
            if let Potential::Fixed(value) = point.tied.places[node as usize]
                && value.abs() > net.nominal.abs()
            {
                net.nominal = value;
            }
        }
        Nets { of, nets }
    }

    /// By node, its drop.
    pub fn drops(&self, voltages: &[f64]) -> Vec<f64> {
        voltages.iter().enumerate().map(|(node, voltage)| self.drop_of(node, *voltage)).collect()
    }

    /// The drop of a node at a voltage.
    #[inline]
    pub fn drop_of(&self, node: usize, voltage: f64) -> f64 {
        match self.of[node] {
            NONE => 0.0,
            net => {
                let nominal = self.nets[net as usize].nominal;
                if nominal > 0.0 { nominal - voltage } else { voltage - nominal }
            }
        }
    }

    /// The node with the largest drop; of equals the first.
    pub fn worst(&self, drops: &[f64]) -> Option<u32> {
        let nodes = (0..drops.len()).filter(|&node| self.of[node] != NONE);
        nodes.max_by(|&a, &b| drops[a].total_cmp(&drops[b]).then(b.cmp(&a))).map(|node| node as u32)
    }
}
