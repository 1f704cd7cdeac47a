//! **Problem.** Nodes and the elements that use them; out comes an order in which nodes of
//! one element are near each other, so that a product finds its operands in the cache.
//!
//! **Method.** Reverse Cuthill–McKee: breadth-first from a node at the rim, the neighbours of
//! a node by how many elements use them; then all backwards. The rim is found by one search
//! from the least used node, which ends there. Neighbours are looked up through elements;
//! there is no graph. Then each stretch of [`WINDOW`] nodes is sorted by how many elements use
//! them, which in most meshes says how long their rows are: a processor that has seen where a
//! row ends guesses right for the next one.
//!
//! **Cost.** Linear but for the sorting of neighbours; one thread.
//!
//! **Determinism.** No chance: ties go to the lower number.
//!
//! **Reference.** Cuthill and McKee, *Reducing the bandwidth of sparse symmetric matrices*, 1969.

use palmette_core::Lists;

/// The order of nodes; `corners(e)` are the nodes of element `e`.
pub(super) fn cuthill_mckee<'a>(elements: &Lists, corners: impl Fn(u32) -> &'a [u32]) -> Vec<u32> {
    let n = elements.len();
    let mut search = Search {
        elements,
        corners,
        order: Vec::with_capacity(n),
        round: vec![0; n],
        fresh: Vec::new(),
    };
    let mut by_use: Vec<u32> = (0..n as u32).collect();
    by_use.sort_by_key(|&v| elements.of(v).len());
    for v in by_use {
        if search.round[v as usize] == 0 {
            let start = search.order.len();
            search.run(v, 1);
            let rim = search.order.last().copied().unwrap_or(v);
            search.order.truncate(start);
            search.run(rim, 2);
        }
    }
    search.order.reverse();
    search.order
}

/// Nodes that are sorted by the length of their rows.
const WINDOW: usize = 64;

/// Sorts each stretch of some nodes by how many elements use them.
pub(super) fn even_out(order: &mut [u32], elements: &Lists) {
    for window in order.chunks_mut(WINDOW) {
        window.sort_by_key(|&v| elements.of(v).len());
    }
}

struct Search<'a, C> {
    elements: &'a Lists,
    corners: C,
    order: Vec<u32>,
    /// By node: the last search that came here.
    round: Vec<u8>,
    fresh: Vec<u32>,
}

impl<'a, C: Fn(u32) -> &'a [u32]> Search<'_, C> {
    /// Adds what can be reached to the order.
    fn run(&mut self, from: u32, round: u8) {
        let mut next = self.order.len();
        self.order.push(from);
        self.round[from as usize] = round;
        while let Some(&v) = self.order.get(next) {
            next += 1;
            self.fresh.clear();
            for &element in self.elements.of(v) {
                for &w in (self.corners)(element) {
                    if self.round[w as usize] != round {
                        self.round[w as usize] = round;
                        self.fresh.push(w);
                    }
                }
            }
            self.fresh.sort_unstable_by_key(|&w| (self.elements.of(w).len(), w));
            self.order.extend_from_slice(&self.fresh);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::elements_of_nodes;
    use crate::shapes::generate;

    #[test]
    fn orders_are_permutations_with_small_bandwidth() {
        for (shape, most) in [("triangles:9x40", 24), ("box:3x3x20", 48), ("delaunay:2000", 200)] {
            let mesh = generate(shape.parse().unwrap(), 3).unwrap();
            let elements = elements_of_nodes(&mesh);
            let order = cuthill_mckee(&elements, |e| mesh.elements().nodes(e as usize));
            let mut place = vec![usize::MAX; order.len()];
            order.iter().enumerate().for_each(|(i, &v)| place[v as usize] = i);
            assert!(place.iter().all(|&i| i < order.len()), "{shape}: a permutation");
            let spread = |nodes: &[u32]| {
                let places = nodes.iter().map(|&v| place[v as usize]);
                places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
            };
            let widest = mesh.elements().iter().map(spread).max().unwrap();
            assert!(widest <= most, "{shape}: {widest}");
        }
    }

    #[test]
    fn components_and_loose_nodes_are_all_there() {
        // Two triangles apart, and node 6 in none.
        let corners = [[0u32, 1, 2], [3, 4, 5]];
        let elements = Lists::inverse(7, (0..).zip(corners.iter().map(|of| &of[..])));
        let mut order = cuthill_mckee(&elements, |e| &corners[e as usize]);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6]);
    }
}
