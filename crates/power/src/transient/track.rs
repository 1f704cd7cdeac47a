//! Nodes whose potentials move with sources, and the worst drop of every node.

use super::loads::Changing;
use crate::drop::Nets;
use palmette_core::circuit::{ElementKind, Potential, Span, Tied, first_nodes};
use palmette_core::{Circuit, NONE};

/// A node that is tied to another: by which element, and whether it lies above it by the
/// element's value or below.
struct Hang {
    node: u32,
    parent: u32,
    element: u32,
    sign: f64,
    /// The number of the source among those that change.
    source: Option<usize>,
}

/// Nodes whose offsets change, because a voltage source between them and their vertex, or ground,
/// does.
pub(super) struct Moving {
    /// By node; empty when there are none.
    is: Vec<bool>,
    /// From the roots outwards.
    hangs: Vec<Hang>,
    sources: Vec<Changing>,
}

impl Moving {
    pub(super) fn of(circuit: &Circuit, tied: &Tied) -> Moving {
        let mut moving = Moving { is: Vec::new(), hangs: Vec::new(), sources: Vec::new() };
        let changes = |k: &&u32| {
            let element = &circuit.elements[**k as usize];
            element.kind == ElementKind::Voltage && element.wave != NONE
        };
        if tied.forest.iter().find(changes).is_none() {
            return moving;
        }
        let mut ties = vec![Vec::new(); circuit.nodes];
        for &tie in &tied.forest {
            for node in circuit.elements[tie as usize].ends {
                ties[node as usize].push(tie);
            }
        }
        let mut seen = vec![false; circuit.nodes];
        moving.is = vec![false; circuit.nodes];
        let roots = circuit.ground.into_iter().chain(first_nodes(&tied.places));
        for root in roots {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            let mut stack = vec![root];
            while let Some(parent) = stack.pop() {
                for &tie in &ties[parent as usize] {
                    let element = &circuit.elements[tie as usize];
                    let [a, b] = element.ends;
                    let (node, sign) = if a == parent { (b, -1.0) } else { (a, 1.0) };
                    if std::mem::replace(&mut seen[node as usize], true) {
                        continue;
                    }
                    stack.push(node);
                    let changes = changes(&&tie);
                    if changes || moving.is[parent as usize] {
                        moving.is[node as usize] = true;
                        let source = changes.then(|| {
                            moving.sources.push(Changing::new(tie as usize, element));
                            moving.sources.len() - 1
                        });
                        moving.hangs.push(Hang { node, parent, element: tie, sign, source });
                    }
                }
            }
        }
        moving
    }

    pub(super) fn has(&self, node: u32) -> bool {
        self.is.get(node as usize).copied().unwrap_or(false)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hangs.is_empty()
    }

    /// Moves the nodes to where they are at a time.
    pub(super) fn place(
        &mut self,
        circuit: &Circuit,
        time: f64,
        span: Span,
        places: &mut [Potential],
    ) {
        for hang in &self.hangs {
            let value = match hang.source {
                Some(source) => self.sources[source].at(circuit, time, span),
                None => match circuit.elements[hang.element as usize].kind {
                    ElementKind::Voltage => circuit.elements[hang.element as usize].value,
                    _ => 0.0,
                },
            };
            let above = match places[hang.parent as usize] {
                Potential::Free { offset, .. } => offset,
                Potential::Fixed(value) => value,
            } + hang.sign * value;
            match &mut places[hang.node as usize] {
                Potential::Free { offset, .. } => *offset = above,
                Potential::Fixed(value) => *value = above,
            }
        }
    }

    fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.hangs.iter().map(|hang| hang.node)
    }
}

/// The largest drops so far. A slot is a vertex seen from a net: `c − s x`.
pub(super) struct Track {
    vertices: Vec<u32>,
    constants: Vec<f64>,
    signs: Vec<f64>,
    largest: Vec<f64>,
    /// By slot, a node of it.
    nodes: Vec<u32>,
    /// By node, its slot; or [`NONE`] for nodes that are fixed or move.
    slots: Vec<u32>,
    /// By node that moves, the largest.
    moving: Vec<(u32, f64)>,
    /// The largest of all, its node and time.
    pub(super) worst: Option<(u32, f64, f64)>,
}

impl Track {
    pub(super) fn new(places: &[Potential], nets: &Nets, moving: &Moving) -> Track {
        let n = places.len();
        let mut track = Track {
            vertices: Vec::new(),
            constants: Vec::new(),
            signs: Vec::new(),
            largest: Vec::new(),
            nodes: Vec::new(),
            slots: vec![NONE; n],
            moving: moving.nodes().map(|node| (node, f64::NEG_INFINITY)).collect(),
            worst: None,
        };
        let mut first = Vec::new();
        for (node, place) in places.iter().enumerate() {
            let Potential::Free { vertex, offset } = *place else { continue };
            if moving.has(node as u32) || nets.of[node] == NONE {
                continue;
            }
            let nominal = nets.nets[nets.of[node] as usize].nominal;
            let sign = if nominal > 0.0 { 1.0 } else { -1.0 };
            let constant = sign * (nominal - offset);
            if first.len() <= vertex as usize {
                first.resize(vertex as usize + 1, NONE);
            }
            let known = first[vertex as usize];
            let is_same = known != NONE
                && track.constants[known as usize] == constant
                && track.signs[known as usize] == sign;
            track.slots[node] = if is_same {
                known
            } else {
                let slot = track.vertices.len() as u32;
                track.vertices.push(vertex);
                track.constants.push(constant);
                track.signs.push(sign);
                track.nodes.push(node as u32);
                if known == NONE {
                    first[vertex as usize] = slot;
                }
                slot
            };
        }
        track.largest = vec![f64::NEG_INFINITY; track.vertices.len()];
        track
    }

    /// Looks at a step.
    pub(super) fn look(&mut self, time: f64, x: &[f64], nets: &Nets, places: &[Potential]) {
        let (mut most, mut at) = (f64::NEG_INFINITY, NONE);
        let slots = self.vertices.iter().zip(&self.constants).zip(&self.signs);
        for (k, (((&v, &constant), &sign), largest)) in slots.zip(&mut self.largest).enumerate() {
            let drop = constant - sign * x[v as usize];
            if drop > *largest {
                *largest = drop;
                if drop > most {
                    (most, at) = (drop, k as u32);
                }
            }
        }
        let mut node = if at == NONE { NONE } else { self.nodes[at as usize] };
        for (own, largest) in &mut self.moving {
            let voltage = match places[*own as usize] {
                Potential::Free { vertex, offset } => x[vertex as usize] + offset,
                Potential::Fixed(value) => value,
            };
            let drop = nets.drop_of(*own as usize, voltage);
            *largest = largest.max(drop);
            if drop > most {
                (most, node) = (drop, *own);
            }
        }
        if node != NONE && self.worst.is_none_or(|(_, worst, _)| most > worst) {
            self.worst = Some((node, most, time));
        }
    }

    /// By node, its largest drop.
    pub(super) fn drops(&self, places: &[Potential], nets: &Nets) -> Vec<f64> {
        let mut drops: Vec<f64> = (0..places.len())
            .map(|node| match (self.slots[node], places[node]) {
                (NONE, Potential::Fixed(value)) => nets.drop_of(node, value),
                (NONE, _) => 0.0,
                (slot, _) => self.largest[slot as usize],
            })
            .collect();
        for &(node, largest) in &self.moving {
            drops[node as usize] = largest;
        }
        drops
    }
}
