//! From a circuit to the equations of its operating point.
//!
//! **Problem.** Resistors, voltage and current sources between nodes; out comes a graph with
//! conductances to ground, and currents. **Method.** Voltage sources merge nodes into sets that
//! differ by fixed voltages. Sets with a fixed potential leave the system: a resistor to one
//! becomes a conductance to ground and a current. The others are the vertices. **Cost.** Nearly
//! linear.

use super::merge::Merged;
use crate::labels::Labels;
use palmette_core::graph::Simplified;
use palmette_core::{Graph, GraphError, NONE};
use rayon::prelude::*;

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

/// The nodes of a netlist and the currents into its vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Netlist {
    /// The names of the nodes in the order of first appearance, ground among them if the
    /// netlist names it.
    pub nodes: Labels,
    /// By node, where its potential comes from.
    pub places: Vec<Potential>,
    /// By vertex, the right-hand side `b` of `(L + D) x = b`: the sum of the next two.
    pub currents: Vec<f64>,
    /// By vertex, what current sources put in; a load draws, and is negative.
    pub loads: Vec<f64>,
    /// By vertex, what voltage sources put in by way of resistors, were all vertices at 0 V.
    pub supplies: Vec<f64>,
    /// What elements it has.
    pub elements: NetlistElements,
}

/// The elements of a netlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NetlistElements {
    /// Resistors, those of 0 ohms among them.
    pub resistors: usize,
    /// Voltage sources, those of 0 V among them.
    pub voltage_sources: usize,
    /// Current sources.
    pub current_sources: usize,
    /// Resistors of 0 ohms and sources of 0 V, whose ends are one node.
    pub shorts: usize,
}

impl Netlist {
    /// The potentials of all nodes, in their order, from those of the vertices.
    ///
    /// # Panics
    /// If `x` does not have one number per vertex.
    pub fn potentials(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.currents.len(), "a potential for each vertex");
        let potential = |place: &Potential| match *place {
            Potential::Free { vertex, offset } => x[vertex as usize] + offset,
            Potential::Fixed(value) => value,
        };
        self.places.iter().map(potential).collect()
    }

    /// By vertex, the node whose potential it has: the one that appears first.
    pub fn vertex_nodes(&self) -> Vec<u32> {
        first_nodes(&self.places)
    }
}

fn finite(node: u32, difference: f64) -> Result<f64, Wrong> {
    let wrong = (node, "voltage sources with finite sums", "where they are infinite");
    if difference.is_finite() { Ok(difference) } else { Err(wrong) }
}

/// Numbers the sets of merged nodes without a fixed potential by first appearance.
pub(super) fn places(
    mut merged: Merged,
    ground: Option<u32>,
    nodes: usize,
) -> Result<Vec<Potential>, Wrong> {
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

/// A node with which something is wrong, what was expected and what is the case.
pub(super) type Wrong = (u32, &'static str, &'static str);

/// See [`Netlist`].
pub(super) struct Equations {
    edges: Vec<(u32, u32, f64)>,
    pub(super) ground: Vec<f64>,
    pub(super) currents: Vec<f64>,
    pub(super) loads: Vec<f64>,
    pub(super) supplies: Vec<f64>,
    /// Resistors from a vertex to a node with a fixed potential.
    grounded: usize,
    /// Resistors that carry no current of a vertex: their ends are one, or both fixed.
    pub(super) inside: usize,
    /// By vertex, its first node.
    nodes: Vec<u32>,
}

/// Kirchhoff's law for each vertex.
pub(super) fn equations(
    places: &[Potential],
    resistors: &[(u32, u32, f64)],
    sources: &[(u32, u32, f64)],
) -> Result<Equations, Wrong> {
    let nodes = first_nodes(places);
    let n = nodes.len();
    let (mut ground, mut currents) = (vec![0.0; n], vec![0.0; n]);
    let (mut edges, mut grounded, mut inside) = (Vec::with_capacity(resistors.len()), 0, 0);
    for &(a, b, g) in resistors {
        match (places[a as usize], places[b as usize]) {
            (
                Potential::Free { vertex: u, offset: above_u },
                Potential::Free { vertex: v, offset: above_v },
            ) if u != v => {
                // Flows out of u whatever the potentials of the vertices are.
                let flow = g * (above_u - above_v);
                currents[u as usize] -= flow;
                currents[v as usize] += flow;
                edges.push((u, v, g));
            }
            (Potential::Free { vertex, offset }, Potential::Fixed(value))
            | (Potential::Fixed(value), Potential::Free { vertex, offset }) => {
                grounded += 1;
                ground[vertex as usize] += g;
                currents[vertex as usize] += g * (value - offset);
            }
            _ => inside += 1,
        }
    }
    let supplies = currents.clone();
    let mut loads = vec![0.0; n];
    for &(a, b, current) in sources {
        for (node, current) in [(a, -current), (b, current)] {
            if let Potential::Free { vertex, .. } = places[node as usize] {
                currents[vertex as usize] += current;
                loads[vertex as usize] += current;
            }
        }
    }
    let infinite = |v: &usize| {
        ![&ground, &currents, &loads, &supplies].iter().all(|sums| sums[*v].is_finite())
    };
    if let Some(v) = (0..n).find(infinite) {
        return Err((nodes[v], "finite sums at each node", "where they are infinite"));
    }
    Ok(Equations { edges, ground, currents, loads, supplies, grounded, inside, nodes })
}

/// By vertex, the node that appears first.
fn first_nodes(places: &[Potential]) -> Vec<u32> {
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
    pub(super) fn graph(&mut self) -> Result<(Graph, Simplified), Wrong> {
        let edges = std::mem::take(&mut self.edges);
        Graph::simplify(self.nodes.len(), &edges).map_err(|error| match error {
            GraphError::Sum { a, b } => {
                let node = self.nodes[a.min(b) as usize];
                (node, "finite sums at each node", "where conductances add up to infinity")
            }
            _ => (0, "a graph of fewer than 2^32 resistors", "of a larger one"),
        })
    }
}

/// Resistors that were added to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Added {
    /// Those with the same two nodes as an earlier one.
    pub(super) parallel: usize,
    /// Others between the same two vertices as an earlier one: voltage sources tie their nodes.
    pub(super) tied: usize,
}

impl Equations {
    /// How many resistors were added to others, `merged` of them between two vertices.
    pub(super) fn added(
        &self,
        merged: usize,
        places: &[Potential],
        resistors: &[(u32, u32, f64)],
    ) -> Added {
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
pub(super) fn check_grounded(
    places: &[Potential],
    graph: &Graph,
    ground: &[f64],
) -> Result<(), Wrong> {
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
        Some(node) => {
            let expected = "a path of resistors or voltage sources from each node to ground";
            Err((node as u32, expected, "which floats"))
        }
        None => Ok(()),
    }
}
