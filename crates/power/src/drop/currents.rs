//! What flows through every element at an operating point.
//!
//! **Problem.** Voltages of all nodes; out comes the current of each element, from its first end to
//! its second. Ohm's law gives those of resistors; sources of voltage, inductors and resistors of
//! 0 ohms have what the others leave to them.
//! **Method.** Such elements form a forest of nodes (`Tied::forest`). What the other elements take
//! out of a node at the end of a branch must come through the branch: leaves are cut off one
//! after another, a leaffix over the forest. Each node keeps the exclusive or of its branches'
//! numbers, so that a leaf knows its last one. Elements beside the forest, in parallel to
//! a path of it, get no current: nothing says how they would share it.
//! **Cost.** Linear, sequential.
//! **Determinism.** Sums in a fixed order.

use palmette_core::Circuit;
use palmette_core::circuit::{ElementKind, Tied};

/// Currents of elements.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementCurrents {
    /// By element, from its first end to its second.
    pub currents: Vec<f64>,
    /// Elements in parallel to a path of sources and shorts, whose share nothing determines; the
    /// path has it all.
    pub undetermined: usize,
}

/// See the module.
///
/// # Panics
/// When there is not one voltage per node.
pub fn element_currents(circuit: &Circuit, tied: &Tied, voltages: &[f64]) -> ElementCurrents {
    assert_eq!(voltages.len(), circuit.nodes, "a voltage for each node");
    let mut currents = vec![0.0; circuit.elements.len()];
    for (element, current) in circuit.elements.iter().zip(&mut currents) {
        let [a, b] = element.ends.map(|node| voltages[node as usize]);
        *current = match element.kind {
            ElementKind::Resistor if element.value > 0.0 => (a - b) / element.value,
            ElementKind::Current => element.value,
            _ => 0.0,
        };
    }
    fill_ties(circuit, &tied.forest, &mut currents);
    ElementCurrents { currents, undetermined: tied.spare.len() }
}

/// Gives the elements of a forest what the others, whose currents are known, leave to them. Their
/// own must be 0 before.
pub(crate) fn fill_ties(circuit: &Circuit, forest: &[u32], currents: &mut [f64]) {
    // By node, what leaves it through elements that are known so far.
    let mut leaving = vec![0.0; circuit.nodes];
    for (element, current) in circuit.elements.iter().zip(&*currents) {
        leaving[element.ends[0] as usize] += current;
        leaving[element.ends[1] as usize] -= current;
    }
    let mut branches = vec![(0u32, 0u32); circuit.nodes];
    for &tie in forest {
        for node in circuit.elements[tie as usize].ends {
            let (count, all) = &mut branches[node as usize];
            *count += 1;
            *all ^= tie;
        }
    }
    let is_leaf = |node: u32, count: u32| count == 1 && Some(node) != circuit.ground;
    let counts = (0..).zip(&branches);
    let mut leaves: Vec<u32> =
        counts.filter(|(node, (count, _))| is_leaf(*node, *count)).map(|(node, _)| node).collect();
    while let Some(leaf) = leaves.pop() {
        let (count, tie) = branches[leaf as usize];
        // The last two nodes of a tree are leaves of each other.
        if count == 0 {
            continue;
        }
        let [a, b] = circuit.elements[tie as usize].ends;
        let (other, sign) = if a == leaf { (b, -1.0) } else { (a, 1.0) };
        let through = leaving[leaf as usize];
        currents[tie as usize] = sign * through;
        leaving[other as usize] += through;
        branches[leaf as usize].0 = 0;
        let (count, all) = &mut branches[other as usize];
        *count -= 1;
        *all ^= tie;
        if is_leaf(other, *count) {
            leaves.push(other);
        }
    }
}
