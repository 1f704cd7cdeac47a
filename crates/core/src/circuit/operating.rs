//! From a circuit to the equations of its operating point.
//!
//! **Problem.** A circuit in which nothing changes in time, to the equations `(L + D) x = b` of its
//! potentials: a graph of conductances, conductances `D` to nodes of known potential, and
//! currents `b`.
//! **Method.** Voltage sources, inductors and resistors of 0 ohms tie nodes into sets that differ by
//! fixed voltages. Sets with a fixed potential leave the system: a resistor to one becomes a
//! conductance to ground and a current. The others are the vertices; the potential of a vertex is
//! that of its node with the lowest number. Capacitors carry no current.
//! **Cost.** Nearly linear.

use super::merge::Merged;
use super::{Circuit, ElementKind};
use crate::graph::Simplified;
use crate::{Graph, GraphError, NONE};
use rayon::prelude::*;
use thiserror::Error;

/// Where the potential of a node comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Potential {
    /// It is so much above that of a vertex.
    Free {
        /// The vertex.
        vertex: u32,
        /// The difference.
        offset: f64,
    },
    /// Ground and sources fix it.
    Fixed(f64),
}

/// Why a circuit has no operating point.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CircuitError {
    /// Sources and shorts around a loop do not add up to 0.
    #[error("element {element} says {value} V where others say {known} V")]
    Conflict { element: usize, value: f64, known: f64 },
    /// Sources that add up to infinity.
    #[error("voltage sources add up to infinity at node {node}")]
    Voltage { node: u32 },
    /// Currents or conductances that add up to infinity.
    #[error("sums are infinite at node {node}")]
    Sum { node: u32 },
    /// Conductances between two vertices that add up to infinity.
    #[error("conductances add up to infinity at node {node}")]
    Conductance { node: u32 },
    /// More resistors than there are numbers.
    #[error("2^32 resistors or more")]
    TooLarge,
    /// Nodes without a way to ground.
    #[error("node {node} has no path of resistors, inductors or voltage sources to ground")]
    Floating { node: u32 },
}

/// Nodes tied into sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Tied {
    /// By node, where its potential comes from.
    pub places: Vec<Potential>,
    /// The elements that tie nodes, no loop among them.
    pub forest: Vec<u32>,
    /// Elements whose ends were tied before, by the same voltage: nothing says how current is
    /// shared with those.
    pub spare: Vec<u32>,
}

/// The equations of the potentials of a circuit in which nothing changes.
#[derive(Debug, Clone, PartialEq)]
pub struct OperatingPoint {
    /// What voltage sources and shorts say of nodes.
    pub tied: Tied,
    /// Resistors between vertices.
    pub graph: Graph,
    /// By vertex, the conductance to nodes with a fixed potential.
    pub ground: Vec<f64>,
    /// By vertex, what current sources put in; a load draws, and is negative.
    pub loads: Vec<f64>,
    /// By vertex, what voltage sources put in by way of resistors, were all vertices at 0 V.
    pub supplies: Vec<f64>,
    /// Resistors that carry no current of a vertex: their ends are one, or both fixed.
    pub inside: usize,
    /// Resistors with the same two nodes as an earlier one.
    pub parallel: usize,
    /// Others between the same two vertices as an earlier one: their nodes are tied.
    pub combined: usize,
}

impl OperatingPoint {
    /// The equations of a circuit.
    ///
    /// # Errors
    /// When it has none, or a node floats.
    pub fn new(circuit: &Circuit) -> Result<OperatingPoint, CircuitError> {
        let tied = tie(circuit, true)?;
        let resistors =
            || circuit.elements.iter().filter(|e| e.kind == ElementKind::Resistor && e.value > 0.0);
        let resistors: Vec<(u32, u32, f64)> =
            resistors().map(|e| (e.ends[0], e.ends[1], 1.0 / e.value)).collect();
        let sources = circuit.elements.iter().filter(|e| e.kind == ElementKind::Current);
        let sources = sources.map(|e| (e.ends[0], e.ends[1], e.value));
        let mut equations = equations(&tied.places, &resistors, sources)?;
        let (graph, simplified) = equations.graph()?;
        let added = equations.added(simplified.parallel, &tied.places, &resistors);
        check_grounded(&tied.places, &graph, &equations.ground)?;
        let Equations { ground, loads, supplies, inside, .. } = equations;
        let (parallel, combined) = (added.parallel, added.tied);
        Ok(OperatingPoint { tied, graph, ground, loads, supplies, inside, parallel, combined })
    }

    /// By vertex, the right-hand side: loads and supplies.
    pub fn currents(&self) -> Vec<f64> {
        self.loads.iter().zip(&self.supplies).map(|(a, b)| a + b).collect()
    }
}

impl Tied {
    /// The potentials of all nodes, from those of the vertices.
    pub fn potentials(&self, x: &[f64]) -> Vec<f64> {
        let potential = |place: &Potential| match *place {
            Potential::Free { vertex, offset } => x[vertex as usize] + offset,
            Potential::Fixed(value) => value,
        };
        self.places.iter().map(potential).collect()
    }
}

/// Ties the nodes that voltage sources, resistors of 0 ohms and, if `inductors`, inductors join.
///
/// # Errors
/// When sources contradict each other or add up to infinity.
pub fn tie(circuit: &Circuit, inductors: bool) -> Result<Tied, CircuitError> {
    let mut merged = Merged::new(circuit.nodes);
    let (mut forest, mut spare) = (Vec::new(), Vec::new());
    for (k, element) in circuit.elements.iter().enumerate() {
        let value = match element.kind {
            ElementKind::Voltage => element.value,
            ElementKind::Resistor if element.value == 0.0 => 0.0,
            ElementKind::Inductor if inductors || element.value == 0.0 => 0.0,
            _ => continue,
        };
        let [a, b] = element.ends;
        match merged.join(a, b, value) {
            Ok(true) => forest.push(k as u32),
            Ok(false) => spare.push(k as u32),
            Err(known) => return Err(CircuitError::Conflict { element: k, value, known }),
        }
    }
    Ok(Tied { places: places(merged, circuit.ground, circuit.nodes)?, forest, spare })
}

fn finite(node: u32, difference: f64) -> Result<f64, CircuitError> {
    if difference.is_finite() { Ok(difference) } else { Err(CircuitError::Voltage { node }) }
}

/// Numbers the sets of merged nodes without a fixed potential by first appearance.
fn places(
    mut merged: Merged,
    ground: Option<u32>,
    nodes: usize,
) -> Result<Vec<Potential>, CircuitError> {
    let fixed = ground.map(|ground| merged.find(ground));
    // By set: its vertex, and how much the first node lies above the set.
    let mut first = vec![(NONE, 0.0); nodes];
    let mut vertices = 0;
    let place = |node: u32| {
        let (set, above) = merged.find(node);
        if let Some((ground, zero)) = fixed
            && set == ground
        {
            return finite(node, above - zero).map(Potential::Fixed);
        }
        let first = &mut first[set as usize];
        if first.0 == NONE {
            *first = (vertices, above);
            vertices += 1;
        }
        let offset = finite(node, above - first.1)?;
        Ok(Potential::Free { vertex: first.0, offset })
    };
    (0..nodes as u32).map(place).collect()
}

/// See [`OperatingPoint`].
struct Equations {
    edges: Vec<(u32, u32, f64)>,
    ground: Vec<f64>,
    loads: Vec<f64>,
    supplies: Vec<f64>,
    /// Resistors from a vertex to a node with a fixed potential.
    grounded: usize,
    inside: usize,
    /// By vertex, its first node.
    nodes: Vec<u32>,
}

/// Kirchhoff's law for each vertex.
fn equations(
    places: &[Potential],
    resistors: &[(u32, u32, f64)],
    sources: impl Iterator<Item = (u32, u32, f64)>,
) -> Result<Equations, CircuitError> {
    let nodes = first_nodes(places);
    let n = nodes.len();
    let (mut ground, mut supplies) = (vec![0.0; n], vec![0.0; n]);
    let (mut edges, mut grounded, mut inside) = (Vec::with_capacity(resistors.len()), 0, 0);
    for &(a, b, g) in resistors {
        match (places[a as usize], places[b as usize]) {
            (
                Potential::Free { vertex: u, offset: above_u },
                Potential::Free { vertex: v, offset: above_v },
            ) if u != v => {
                // Flows out of u whatever the potentials of the vertices are.
                let flow = g * (above_u - above_v);
                supplies[u as usize] -= flow;
                supplies[v as usize] += flow;
                edges.push((u, v, g));
            }
            (Potential::Free { vertex, offset }, Potential::Fixed(value))
            | (Potential::Fixed(value), Potential::Free { vertex, offset }) => {
                grounded += 1;
                ground[vertex as usize] += g;
                supplies[vertex as usize] += g * (value - offset);
            }
            _ => inside += 1,
        }
    }
    let mut loads = vec![0.0; n];
    for (a, b, current) in sources {
        for (node, current) in [(a, -current), (b, current)] {
            if let Potential::Free { vertex, .. } = places[node as usize] {
                loads[vertex as usize] += current;
            }
        }
    }
    let infinite = |v: &usize| {
        ![&ground, &loads, &supplies].iter().all(|sums| sums[*v].is_finite())
            || !(loads[*v] + supplies[*v]).is_finite()
    };
    if let Some(v) = (0..n).find(infinite) {
        return Err(CircuitError::Sum { node: nodes[v] });
    }
    Ok(Equations { edges, ground, loads, supplies, grounded, inside, nodes })
}

/// By vertex, its node with the lowest number.
pub fn first_nodes(places: &[Potential]) -> Vec<u32> {
    let mut nodes = Vec::new();
    for (node, place) in places.iter().enumerate() {
        if let Potential::Free { vertex, .. } = place
            && *vertex as usize == nodes.len()
        {
            nodes.push(node as u32);
        }
    }
    nodes
}

impl Equations {
    /// The graph of the resistors between vertices; takes their list.
    fn graph(&mut self) -> Result<(Graph, Simplified), CircuitError> {
        let edges = std::mem::take(&mut self.edges);
        Graph::simplify(self.nodes.len(), &edges).map_err(|error| match error {
            GraphError::Sum { a, b } => {
                CircuitError::Conductance { node: self.nodes[a.min(b) as usize] }
            }
            _ => CircuitError::TooLarge,
        })
    }
}

/// Resistors that were added to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Added {
    /// Those with the same two nodes as an earlier one.
    parallel: usize,
    /// Others between the same two vertices as an earlier one: voltage sources tie their nodes.
    tied: usize,
}

impl Equations {
    /// How many resistors were added to others, `merged` of them between two vertices.
    fn added(&self, merged: usize, places: &[Potential], resistors: &[(u32, u32, f64)]) -> Added {
        let at_ground = self.ground.iter().filter(|g| **g > 0.0).count();
        if merged == 0 && self.grounded == at_ground {
            return Added { parallel: 0, tied: 0 };
        }
        // Equal nodes: between vertices, and to fixed potentials.
        let equal = |between: bool| {
            let nodes = resistors.par_iter().filter_map(|&(a, b, _)| {
                let ends = [places[a as usize], places[b as usize]];
                let wanted = match ends {
                    [Potential::Free { vertex: u, .. }, Potential::Free { vertex: v, .. }] => {
                        between && u != v
                    }
                    [Potential::Fixed(_), Potential::Fixed(_)] => false,
                    _ => !between,
                };
                wanted.then_some((a.min(b), a.max(b)))
            });
            let mut nodes: Vec<(u32, u32)> = nodes.collect();
            nodes.par_sort_unstable();
            nodes.windows(2).filter(|pair| pair[0] == pair[1]).count()
        };
        let between = if merged == 0 { 0 } else { equal(true) };
        Added { parallel: between + equal(false), tied: merged - between }
    }
}

/// Every component of the graph needs a way to a fixed potential.
fn check_grounded(places: &[Potential], graph: &Graph, ground: &[f64]) -> Result<(), CircuitError> {
    let components = graph.components();
    let mut grounded = vec![false; components.count()];
    for (v, _) in ground.iter().enumerate().filter(|(_, g)| **g > 0.0) {
        grounded[components.of[v] as usize] = true;
    }
    let floats = |place: &Potential| match place {
        Potential::Free { vertex, .. } => !grounded[components.of[*vertex as usize] as usize],
        Potential::Fixed(_) => false,
    };
    match places.iter().position(floats) {
        Some(node) => Err(CircuitError::Floating { node: node as u32 }),
        None => Ok(()),
    }
}
