//! Nodes at the same place become one.
//!
//! **Problem.** Nodes that lie exactly where an earlier one lies; afterwards elements name the
//! earlier one instead, and the others are gone. A crack whose faces are such nodes closes.
//!
//! **Method.** Nodes that stay keep their order and their tags.
//!
//! **Cost.** Linear.

use super::assemble::Assembly;
use crate::IoError;
use palmette_core::mesh::Cells;

impl Assembly<'_> {
    /// Joins nodes with the first ones at their places; `twins` are such pairs, ascending. Says
    /// how many nodes are gone.
    pub(super) fn merge(&mut self, twins: &[(u32, u32)]) -> Result<usize, IoError> {
        if twins.is_empty() {
            return Ok(0);
        }
        let mut first: Vec<u32> = (0..self.points.len() as u32).collect();
        twins.iter().for_each(|&(node, earlier)| first[node as usize] = earlier);
        self.check_elements(&first)?;
        // Where nodes go; the first at a place comes before those that are joined with it.
        let mut to = vec![0u32; first.len()];
        let mut left = 0;
        for (node, &first) in first.iter().enumerate() {
            if first as usize == node {
                to[node] = left;
                left += 1;
            } else {
                to[node] = to[first as usize];
            }
        }
        for layer in &mut self.by_dimension {
            let cells = std::mem::take(&mut layer.cells);
            let mut joined = Cells::with_capacity(cells.len(), cells.all_nodes().len());
            let mut nodes = Vec::new();
            for (element, named) in cells.iter().enumerate() {
                nodes.clear();
                nodes.extend(named.iter().map(|&node| to[node as usize]));
                joined.push(cells.kind(element), &nodes, cells.tag(element));
            }
            layer.cells = joined;
        }
        let stays = |node: usize| first[node] as usize == node;
        retain(&mut self.points, stays);
        retain(&mut self.node_tags, stays);
        // Empty where points come from another file.
        retain(&mut self.node_places, stays);
        Ok(twins.len())
    }

    /// No element may have two nodes at one place: joined, they would be one.
    fn check_elements(&self, first: &[u32]) -> Result<(), IoError> {
        for layer in &self.by_dimension {
            for (element, nodes) in layer.cells.iter().enumerate() {
                let same = |&(i, j): &(usize, usize)| {
                    // A node that is named twice is another mistake, and found later.
                    nodes[i] != nodes[j] && first[nodes[i] as usize] == first[nodes[j] as usize]
                };
                let mut pairs = (1..nodes.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
                if let Some((i, j)) = pairs.find(same) {
                    let [a, b] = [i, j].map(|i| self.node_tags[nodes[i] as usize]);
                    let tag = layer.tags[element];
                    let expected = "elements with nodes at different places, in order to merge \
                        nodes";
                    let found = format!("element {tag}, whose nodes {a} and {b} coincide");
                    return Err(self.origin.wrong(layer.places[element], expected, found));
                }
            }
        }
        Ok(())
    }
}

fn retain<T>(all: &mut Vec<T>, stays: impl Fn(usize) -> bool) {
    let mut at = 0;
    all.retain(|_| {
        at += 1;
        stays(at - 1)
    });
}
