//! Elements to parts; vertices that several parts share are copied.
//!
//! **Problem.** A mesh; out comes a part for each element, with few copies: a vertex whose
//! elements are in `p` parts has `p − 1` copies.
//!
//! **Method.** The graph of elements that share a face is partitioned, elements lying at
//! their centroids. Then elements move between parts as long as that saves copies.
//!
//! **Determinism.** As [`partition`](super::partition).

use super::connected::mended;
use super::goals::Goals;
use super::net::Net;
use super::refine::Parts;
use super::refine::connectivity::{self, Groups};
use super::refine::volume::add;
use super::{Demands, Objective, PartitionError, PartitionParams, partition_as};
use crate::element::{dual_graph, elements_of_nodes};
use crate::{CutTree, Quotient};
use palmette_core::random::{Purpose, Random};
use palmette_core::{Graph, Mesh};

/// A part for each element.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementPartition {
    /// By element: its part.
    pub part: Vec<u32>,
    /// Copies of vertices beyond the first.
    pub copies: u64,
    /// What parts exchange: every copy with every other.
    pub quotient: Quotient,
    /// How the parts came about.
    pub tree: CutTree,
    /// What was cut: elements that share a face.
    pub graph: Graph,
}

/// Partitions the elements of a mesh: its graph of elements that share a face, elements
/// lying at their centroids; then elements move as long as that saves copies of nodes.
///
/// # Errors
/// As [`partition`](super::partition()).
pub fn element_partition(
    mesh: &Mesh,
    weights: Option<&[u32]>,
    params: &PartitionParams,
) -> Result<ElementPartition, PartitionError> {
    element_partition_as(mesh, weights, params, &Demands::default())
}

/// As [`element_partition`], where parts keep to more than their number.
///
/// # Errors
/// As [`partition_as`].
pub fn element_partition_as(
    mesh: &Mesh,
    weights: Option<&[u32]>,
    params: &PartitionParams,
    demands: &Demands,
) -> Result<ElementPartition, PartitionError> {
    let dual = dual_graph(mesh);
    let points: Vec<_> = (0..mesh.elements().len()).map(|e| mesh.centroid(e)).collect();
    demands.check(dual.len(), params)?;
    let on_dual = Demands { objective: None, ..demands.clone() };
    let found = partition_as(&dual, &points, weights, params, &on_dual)?;
    let mut net = match demands.objective {
        None => Net::without_edges(dual.len(), weights),
        Some(_) => Net::new(&dual, &[], weights),
    };
    demands.apply(&mut net);
    let goals = Goals::new(&net, params, &demands.sizes);
    // What moves elements back for fewer copies would undo what migration was traded for.
    let free = params.refine && !params.contiguous && demands.previous.is_none();
    let part = match demands.objective {
        Some(Objective::Cut) => found.part,
        None if !free => found.part,
        None => {
            let mut shares = Shares::new(mesh, &net, goals.parts(&net, found.part));
            shares.improve();
            shares.parts.part
        }
        Some(objective) => {
            let mut random = Random::numbered(params.seed, Purpose::Partition, super::VALUES);
            let parts = goals.parts(&net, found.part.clone());
            let better =
                connectivity::improve(&net, &Elements(mesh), parts, objective, &mut random);
            match params.contiguous {
                true => mended(&net, &goals, better.part).unwrap_or(found.part),
                false => better.part,
            }
        }
    };
    let shares = Shares::new(mesh, &net, goals.parts(&net, part));
    Ok(shares.finish(found.tree, dual))
}

/// Elements around nodes.
struct Elements<'a>(&'a Mesh);

impl Groups for Elements<'_> {
    fn count(&self) -> usize {
        self.0.points().len()
    }

    fn each(&self, v: u32, take: &mut dyn FnMut(u32)) {
        self.0.elements().nodes(v as usize).iter().for_each(|&node| take(node));
    }

    fn owned(&self) -> bool {
        false
    }
}

/// Which parts hold each vertex, and by how many elements.
struct Shares<'a> {
    mesh: &'a Mesh,
    net: &'a Net,
    parts: Parts,
    /// By node: parts and the number of its elements in each.
    holders: Vec<Vec<(u32, u32)>>,
}

impl<'a> Shares<'a> {
    fn new(mesh: &'a Mesh, net: &'a Net, parts: Parts) -> Shares<'a> {
        let mut holders = vec![Vec::new(); mesh.points().len()];
        for (element, &p) in parts.part.iter().enumerate() {
            for &node in mesh.elements().nodes(element) {
                add(&mut holders[node as usize], p);
            }
        }
        Shares { mesh, net, parts, holders }
    }

    /// Rounds of moves that save copies, or keep their number and even out loads.
    fn improve(&mut self) {
        let elements = elements_of_nodes(self.mesh);
        let mut active: Vec<bool> = vec![true; self.net.len()];
        for _ in 0..20 {
            let mut moved = false;
            for element in 0..self.net.len() {
                if !std::mem::take(&mut active[element]) {
                    continue;
                }
                let Some(to) = self.better(element) else { continue };
                self.shift(element, to);
                moved = true;
                for &node in self.mesh.elements().nodes(element) {
                    elements.of(node).iter().for_each(|&e| active[e as usize] = true);
                }
            }
            if !moved {
                break;
            }
        }
    }

    /// A part in which the element saves copies, or costs none and evens out loads.
    fn better(&self, element: usize) -> Option<u32> {
        let (parts, weight) = (&self.parts, self.net.weights[element]);
        let from = parts.part[element];
        if !parts.can_lose(from) || self.net.is_fixed(element as u32) {
            return None;
        }
        let nodes = self.mesh.elements().nodes(element);
        let alone = |&&node: &&u32| self.holders[node as usize].contains(&(from, 1));
        let saved = nodes.iter().filter(alone).count() as i64;
        let mut best = None;
        for &node in nodes {
            for &(to, _) in &self.holders[node as usize] {
                let load = parts.weights[to as usize] + weight;
                if to == from || !parts.has_room(element as u32, weight, to) {
                    continue;
                }
                let has = |node: &&u32| self.holders[**node as usize].iter().any(|h| h.0 == to);
                let made = nodes.len() as i64 - nodes.iter().filter(has).count() as i64;
                let evens = load < parts.weights[from as usize];
                let rank = (saved - made, evens, -load, std::cmp::Reverse(to));
                if (rank.0 > 0 || (rank.0 == 0 && evens)) && best.is_none_or(|b| rank > b) {
                    best = Some(rank);
                }
            }
        }
        best.map(|rank| rank.3.0)
    }

    fn shift(&mut self, element: usize, to: u32) {
        let from = self.parts.part[element];
        self.parts.shift(element as u32, to, self.net.weights[element]);
        for &node in self.mesh.elements().nodes(element) {
            let holders = &mut self.holders[node as usize];
            holders.iter_mut().filter(|h| h.0 == from).for_each(|h| h.1 -= 1);
            holders.retain(|h| h.1 > 0);
            add(holders, to);
        }
    }

    fn finish(self, tree: CutTree, graph: Graph) -> ElementPartition {
        let copies = self.holders.iter().map(|h| h.len().saturating_sub(1) as u64).sum();
        let mut messages = Vec::new();
        for holders in self.holders.iter().filter(|h| h.len() > 1) {
            for a in holders {
                messages.extend(holders.iter().filter(|b| b.0 != a.0).map(|b| (a.0, b.0, 1)));
            }
        }
        let quotient = Quotient::new(self.parts.limits.len(), &messages);
        ElementPartition { part: self.parts.part, copies, quotient, tree, graph }
    }
}
