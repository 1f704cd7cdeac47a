//! Euler tours: where every vertex opens and closes on a walk around the tree.
//!
//! **Problem.** Vertices lie anywhere, vertex `v` on processor `v`, and know their
//! [`Links`]. Each is two brackets, `2v` that opens and `2v + 1` that closes; the walk
//! around the tree is the list of all brackets. Every bracket is to learn its place in it.
//!
//! **Method.** After a vertex opens its first child opens, or itself closes; after it
//! closes its right sibling opens, or its parent closes. That is known, and the list is
//! [ranked](super::list_ranking::rank), which tells predecessors as well. The first bracket is the
//! root's; no other vertex has to learn that it is not. No order of messages is relied on.
//!
//! **Cost.** Up to 8 messages per vertex and one for the seed; links between the brackets of a
//! leaf take none. Measured on the Hilbert curve with shuffled vertices, in parentheses with the
//! seed and predecessors given: on random recursive trees 4.20 n^1.5 energy (3.18) and depth 41
//! (36) at n = 2^8, 4.34 (3.36) and 69 (62) at 2^12, 4.33 (3.37) and 95 (86) at 2^16, 4.33 (3.37)
//! and 100 (90) at 2^18; on paths, the most of all shapes, 5.34 n^1.5 (4.00). A processor has 26
//! words and, if all start at the same clock, receives at most five messages in a step; with those
//! that any delays let it hold, [`TOUR_WORDS`].
//!
//! **Determinism.** The tour depends on the tree alone; costs and rounds on the seed too.
//!
//! **Reference.** Corollary 2 of *Low-Depth Spatial Tree Algorithms*.
//!
//! **When not to use.** Where vertices lie in preorder the tour is known from sizes and
//! depths.

use super::ProgramError;
use super::list_ranking::{Element, Node, Ranked, Ranks, ranking_words, run};
use crate::machine::{Gift, Machine, Memory};
use crate::plain;
use palmette_core::{NONE, Tree};

plain! {
    /// What a vertex knows of its tree before anything has run: three words, [`NONE`] where
    /// there is nobody.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Links {
        /// The parent.
        pub parent: u32,
        /// The first child.
        pub first_child: u32,
        /// The sibling to the right.
        pub right: u32,
    }
}

impl Links {
    /// The brackets that follow those of vertex `me`.
    pub(super) fn successors(me: u32, links: Links) -> [u32; 2] {
        let (open, close) = (|v| 2 * v, |v| 2 * v + 1);
        [
            if links.first_child == NONE { close(me) } else { open(links.first_child) },
            match (links.right, links.parent) {
                (NONE, NONE) => NONE,
                (NONE, parent) => close(parent),
                (right, _) => open(right),
            },
        ]
    }
}

/// The links of a tree's vertices, by vertex, siblings in the order of their numbers:
/// input for the machine.
///
/// # Errors
/// A forest.
///
/// # Cost
/// Linear work, 12 bytes per vertex.
pub fn links_of(tree: &Tree) -> Result<Memory<Links>, ProgramError> {
    ProgramError::check_roots(tree.roots())?;
    let mut links = vec![Links { parent: NONE, first_child: NONE, right: NONE }; tree.len()];
    for vertex in (0..tree.len() as u32).rev() {
        if let Some(parent) = tree.parent(tree.positions()[vertex as usize]) {
            let parent = tree.vertices()[parent as usize];
            let first = &mut links[parent as usize].first_child;
            let right = std::mem::replace(first, vertex);
            links[vertex as usize].right = right;
            links[vertex as usize].parent = parent;
        }
    }
    Ok(links.into())
}

/// There must be one root.
pub(super) fn check_root(links: &Memory<Links>) -> Result<(), ProgramError> {
    let roots = links.states().iter().filter(|links| links.parent == NONE);
    ProgramError::check_roots(roots.count())
}

/// The words of a processor for an [`euler_tour`]: a list with two elements per processor is ranked.
pub const TOUR_WORDS: usize = ranking_words::<2>();

/// The Euler tour: for every vertex the places of its opening and of its closing bracket
/// among all, from 0. Its subtree has (close - open + 1) / 2 vertices. The ledger has
/// four phases, `{name}: link`, `{name}: seed`, `{name}: contract` and `{name}: uncontract`.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_spatial::curve::CurveKind;
/// use palmette_spatial::machine::{Machine, MachineParams};
/// use palmette_spatial::program::tour::{euler_tour, links_of};
///
/// // Vertex 2 is the root, 0 and 3 are its children, 1 is a child of 0.
/// let links = links_of(&Tree::from_parents(&[2, 0, NONE, 2])?)?;
/// let curve = CurveKind::Hilbert.fitting(4)?;
/// let mut machine = Machine::on_curve(&curve, 4, MachineParams::default())?;
/// let tour = euler_tour(&mut machine, "tour", &links)?;
/// assert_eq!(tour.ranks.states(), [[1, 4], [2, 3], [0, 7], [5, 6]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Several roots or none, links for another number of processors, and what stops the
/// machine.
pub fn euler_tour(
    machine: &mut Machine,
    name: &str,
    links: &Memory<Links>,
) -> Result<Ranks<2>, ProgramError> {
    Ok(tour::<1>(machine, name, links)?.ranks)
}

/// How many brackets come before each, where an opening one counts as 1 and a closing one
/// as `CLOSING`, and which one comes right before it. With 0 the count is a vertex's place in
/// preorder, and the place after its subtree.
pub(super) fn tour<const CLOSING: u32>(
    machine: &mut Machine,
    name: &str,
    links: &Memory<Links>,
) -> Result<Ranked<2>, ProgramError> {
    check_root(links)?;
    if machine.takes(Gift::Predecessors) {
        let brackets = linked_brackets::<CLOSING>(links);
        let nodes = brackets.map(|_, brackets| brackets.map(Node::linked));
        return run(machine, name, nodes, true);
    }
    let nodes = links.clone().map(|me, links| {
        let [opening, closing] = Links::successors(me, links);
        let head = links.parent == NONE;
        [Node::new(head, opening, 0, 1), Node::new(false, closing, 0, CLOSING)]
    });
    run(machine, name, nodes, false)
}

/// Brackets with their predecessors, which the host gives.
pub(super) fn linked_brackets<const CLOSING: u32>(links: &Memory<Links>) -> Memory<[Element; 2]> {
    let brackets = links.clone().map(|me, links| {
        let element = |successor| Element { predecessor: NONE, successor, gap: 0 };
        Links::successors(me, links).map(element)
    });
    let all = brackets.states().as_flattened();
    let mut linked = all.to_vec();
    for (predecessor, element) in (0u32..).zip(all) {
        // Links that no vertex has are the machine's to refuse.
        if let Some(next) = linked.get_mut(element.successor as usize) {
            let gap = if predecessor.is_multiple_of(2) { 1 } else { CLOSING };
            (next.predecessor, next.gap) = (predecessor, gap);
        }
    }
    linked.as_chunks::<2>().0.to_vec().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::testing::{PATTERNS, Random, machine, stagger};
    use crate::curve::CurveKind;
    use crate::machine::{Delivery, Given, MachineParams};
    use crate::testing::{every_delivery, shape};
    use palmette_core::TreeParams;
    use palmette_core::generate::{Shape, generate, shuffle};

    #[test]
    fn brackets_are_those_of_a_walk() {
        for (n, shape) in (1..=30).flat_map(|n| Shape::FREE.map(|shape| (n, shape))) {
            let seed = n as u64;
            let tree = Tree::from_parents(&shuffle(&generate(shape, n, seed).unwrap(), seed));
            let tree = tree.unwrap();
            let mut machine = machine(n);
            stagger(&mut machine, &mut Random(seed));
            let links = links_of(&tree).unwrap();
            let tour = euler_tour(&mut machine, "tour", &links).unwrap();
            let order = super::tour::<0>(&mut machine, "order", &links).unwrap();
            let depths = tree.depths();
            for (&at, v) in tree.positions().iter().zip(0..) {
                let (size, depth) = (tree.sizes()[at as usize], depths[at as usize]);
                let open = 2 * at - depth;
                assert_eq!(tour.ranks.states()[v], [open, open + 2 * size - 1], "{shape}, {n}");
                assert_eq!(order.ranks.ranks.states()[v], [at, at + size], "{shape}, {n}");
            }
        }
    }

    /// Brackets, predecessors and costs under some delays.
    fn check(shape: Shape, n: usize, seed: u64, params: MachineParams) {
        let tree = Tree::from_parents(&shuffle(&generate(shape, n, seed).unwrap(), seed)).unwrap();
        let links = links_of(&tree).unwrap();
        let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
        let run = |params: MachineParams| {
            let mut machine = Machine::on_curve(&curve, n, params).unwrap();
            let order = super::tour::<0>(&mut machine, "order", &links).unwrap();
            let costs = machine.costs();
            (order, (costs.energy, costs.messages))
        };
        for given in [Given::NOTHING, Given::ALL] {
            let params = MachineParams { words: Some(TOUR_WORDS), given, ..params };
            let (order, costs) = run(params);
            for (&at, v) in tree.positions().iter().zip(0..) {
                let end = at + tree.sizes()[at as usize];
                assert_eq!(order.ranks.ranks.states()[v], [at, end], "{shape}, {n}");
            }
            let linked = linked_brackets::<0>(&links);
            let known = linked.states().iter().map(|pair| pair.map(|e| e.predecessor));
            assert!(order.predecessors.states().iter().copied().eq(known), "{shape}, {n}");
            let (_, in_steps) = run(MachineParams { delivery: Delivery::Step, ..params });
            assert_eq!(costs, in_steps, "{shape}, {n}");
        }
    }

    #[test]
    fn tours_and_costs_are_the_same_whatever_the_delays() {
        every_delivery(PATTERNS, |params| {
            let n = 1 + Random(params.seed).below(64) as usize;
            check(shape(&params), n, params.seed, params);
        });
        for delays in ["random:5+1-2/hop", "random:1-20", "random:1+1-5/hop"] {
            for (shape, seed) in Shape::FREE.into_iter().zip(0..) {
                let delivery = delays.parse::<Delivery>().unwrap().with_seed(seed);
                check(shape, 256, seed, MachineParams { delivery, seed, ..Default::default() });
            }
        }
    }

    #[test]
    fn a_forest_is_an_error() {
        let params = TreeParams { forest: true, ..TreeParams::default() };
        let forest = Tree::with_params(&[NONE, NONE, 0], params).unwrap();
        assert_eq!(links_of(&forest), Err(ProgramError::Forest { roots: 2 }));
        let apart = Memory::new(3, |_| Links { parent: NONE, first_child: NONE, right: NONE });
        let found = euler_tour(&mut machine(3), "tour", &apart);
        assert_eq!(found, Err(ProgramError::Forest { roots: 3 }));
    }
}
