//! Elements to parts; vertices that several parts share are copied.
//!
//! **Problem.** A mesh; out comes a part for each element, with few copies: a vertex whose
//! elements are in `p` parts has `p − 1` copies.
//!
//! **Method.** The graph of elements that share a face is partitioned, elements lying at
//! their centroids. Then elements move between parts as long as that saves copies.
//!
//! **Determinism.** As [`partition`](super::partition).

use super::multilevel::limit;
use super::refine::Parts;
use super::refine::volume::add;
use super::{PartitionError, PartitionParams, partition};
use crate::element::{dual_graph, elements_of_nodes};
use crate::{CutTree, Quotient};
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
/// As [`partition`].
pub fn element_partition(
    mesh: &Mesh,
    weights: Option<&[u32]>,
    params: &PartitionParams,
) -> Result<ElementPartition, PartitionError> {
    let dual = dual_graph(mesh);
    let points: Vec<_> = (0..mesh.elements().len()).map(|e| mesh.centroid(e)).collect();
    let found = partition(&dual, &points, weights, params)?;
    let mut shares = Shares::new(mesh, found.part, weights, params);
    if params.refine && !params.contiguous {
        shares.improve();
    }
    Ok(shares.finish(found.tree, dual))
}

/// Which parts hold each vertex, and by how many elements.
struct Shares<'a> {
    mesh: &'a Mesh,
    weights: Vec<i64>,
    parts: Parts,
    /// By node: parts and the number of its elements in each.
    holders: Vec<Vec<(u32, u32)>>,
}

impl<'a> Shares<'a> {
    fn new(
        mesh: &'a Mesh,
        part: Vec<u32>,
        weights: Option<&[u32]>,
        params: &PartitionParams,
    ) -> Shares<'a> {
        let weights: Vec<i64> = match weights {
            Some(weights) => weights.iter().map(|&w| i64::from(w)).collect(),
            None => vec![1; part.len()],
        };
        let limit = limit(weights.iter().sum(), params);
        let parts = Parts::new(&weights, part, vec![limit; params.parts as usize]);
        let mut holders = vec![Vec::new(); mesh.points().len()];
        for (element, &p) in parts.part.iter().enumerate() {
            for &node in mesh.elements().nodes(element) {
                add(&mut holders[node as usize], p);
            }
        }
        Shares { mesh, weights, parts, holders }
    }

    /// Rounds of moves that save copies, or keep their number and even out loads.
    fn improve(&mut self) {
        let elements = elements_of_nodes(self.mesh);
        let mut active: Vec<bool> = vec![true; self.weights.len()];
        for _ in 0..20 {
            let mut moved = false;
            for element in 0..self.weights.len() {
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
        let (parts, weight) = (&self.parts, self.weights[element]);
        let from = parts.part[element];
        if !parts.can_lose(from) {
            return None;
        }
        let nodes = self.mesh.elements().nodes(element);
        let alone = |&&node: &&u32| self.holders[node as usize].contains(&(from, 1));
        let saved = nodes.iter().filter(alone).count() as i64;
        let mut best = None;
        for &node in nodes {
            for &(to, _) in &self.holders[node as usize] {
                let load = parts.weights[to as usize] + weight;
                if to == from || load > parts.limits[to as usize] {
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
        self.parts.shift(element as u32, to, self.weights[element]);
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
