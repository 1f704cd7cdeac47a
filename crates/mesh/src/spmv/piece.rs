//! **Problem.** A mesh and a part for each of its elements; out comes a [`Piece`] per part: its
//! nodes with local numbers, and which of them it shares with whom.
//!
//! **Method.** A part has the nodes of its elements. Nodes that it shares come first, so that
//! their rows can be computed and sent before the others; each group follows an order in
//! which nodes of an element are near each other (`order.rs`). Parts are made in parallel.
//!
//! **Cost.** `n log n` in the nodes of elements. A piece has 4 bytes per node and an element, 4
//! more for each copy elsewhere.
//!
//! **Determinism.** The answer does not depend on the number of threads.

use super::WorldError;
use super::order::{cuthill_mckee, even_out};
use palmette_core::{Lists, Mesh, NONE};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A part that shares nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbour {
    /// Its number.
    pub part: u32,
    /// The local numbers of the nodes it shares, in ascending order of the mesh's numbers.
    pub nodes: Vec<u32>,
}

/// What one part has of a mesh.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Its number.
    pub part: u32,
    /// By local number: the mesh's node. Shared nodes come first.
    pub nodes: Vec<u32>,
    /// How many nodes it shares.
    pub shared: usize,
    /// By shared node: whether this part owns it, as the smallest part that has it. The other
    /// nodes are owned.
    pub owned: Vec<bool>,
    /// The parts it shares nodes with, in ascending order.
    pub neighbours: Vec<Neighbour>,
    /// Its elements, in ascending order.
    pub elements: Vec<u32>,
}

impl Piece {
    /// Whether the part owns a node, by local number.
    pub fn owns(&self, node: usize) -> bool {
        self.owned.get(node).copied().unwrap_or(true)
    }

    /// The nodes that the part owns: local numbers.
    pub fn owned_nodes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&node| self.owns(node))
    }

    /// What is wrong with a piece that was not made by [`pieces`]: read from a file, say.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let ascend = self.neighbours.is_sorted_by(|a, b| a.part < b.part);
        let inside = |n: &Neighbour| n.nodes.iter().all(|&node| (node as usize) < self.shared);
        if self.shared > self.nodes.len() || self.owned.len() != self.shared {
            Some("shared nodes are not among its nodes")
        } else if !ascend || self.neighbours.iter().any(|n| n.part == self.part) {
            Some("its neighbours are not other parts in ascending order")
        } else if !self.neighbours.iter().all(inside) {
            Some("a neighbour has nodes that are not shared")
        } else {
            None
        }
    }

    /// By node of the mesh, which has `nodes`: its local number, or [`NONE`].
    ///
    /// # Panics
    /// When the mesh has fewer nodes.
    pub fn numbers(&self, nodes: usize) -> Vec<u32> {
        let mut numbers = vec![NONE; nodes];
        (0..).zip(&self.nodes).for_each(|(local, &node)| numbers[node as usize] = local);
        numbers
    }
}

/// The pieces of a mesh whose elements have parts. A node that no element uses is in none.
///
/// ```
/// use palmette_mesh::shapes::generate;
/// use palmette_mesh::spmv::pieces;
/// let strip = generate("grid:1x2".parse()?, 0)?;
/// let pieces = pieces(&strip, &[0, 1], 2)?;
/// // Both squares have the two nodes between them; part 0 owns these.
/// assert_eq!((pieces[1].nodes.len(), pieces[1].shared), (4, 2));
/// assert_eq!(pieces[0].owned_nodes().count() + pieces[1].owned_nodes().count(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Another number of parts than elements, or a part that is not below `parts`.
pub fn pieces(mesh: &Mesh, part: &[u32], parts: usize) -> Result<Vec<Piece>, WorldError> {
    check("element", mesh.elements().len(), part, parts)?;
    let elements = Lists::by_key(parts, part.iter().copied().zip(0..));
    let corners: Vec<Corners> =
        (0..parts as u32).into_par_iter().map(|p| Corners::new(mesh, elements.of(p))).collect();
    let named = corners.iter().map(|corners| &corners.nodes[..]);
    let holders = Lists::inverse(mesh.points().len(), (0..).zip(named));
    let piece = |(part, corners): (usize, &Corners)| {
        corners.piece(part as u32, elements.of(part as u32), &holders)
    };
    Ok(corners.par_iter().enumerate().map(piece).collect())
}

pub(super) fn check(
    what: &'static str,
    expected: usize,
    part: &[u32],
    parts: usize,
) -> Result<(), WorldError> {
    if part.len() != expected {
        let what = if what == "node" { "nodes" } else { "elements" };
        return Err(WorldError::Count { what, expected, found: part.len() });
    }
    match part.iter().position(|&p| p as usize >= parts) {
        Some(place) => Err(WorldError::Part { what, place, part: part[place], parts }),
        None => Ok(()),
    }
}

/// Pairs of part and node that are sorted by part.
pub(super) fn grouped(pairs: Vec<(u32, u32)>) -> Vec<Neighbour> {
    let group = |of: &[(u32, u32)]| Neighbour {
        part: of[0].0,
        nodes: of.iter().map(|pair| pair.1).collect(),
    };
    pairs.chunk_by(|a, b| a.0 == b.0).map(group).collect()
}

/// The nodes of some elements.
struct Corners {
    /// In ascending order.
    nodes: Vec<u32>,
    /// For each node of each element its place among `nodes`.
    places: Vec<u32>,
    /// Where elements begin in `places`; one more for the end.
    offsets: Vec<usize>,
}

impl Corners {
    fn new(mesh: &Mesh, elements: &[u32]) -> Corners {
        let cells = mesh.elements();
        let mut offsets = Vec::with_capacity(elements.len() + 1);
        let mut sorted = Vec::new();
        for &element in elements {
            offsets.push(sorted.len());
            let named = cells.nodes(element as usize);
            sorted.extend((sorted.len() as u64..).zip(named).map(|(i, &v)| u64::from(v) << 32 | i));
        }
        offsets.push(sorted.len());
        sorted.par_sort_unstable();
        let mut nodes: Vec<u32> = Vec::new();
        let mut places = vec![0; sorted.len()];
        for key in sorted {
            let (node, corner) = ((key >> 32) as u32, key as u32);
            if nodes.last() != Some(&node) {
                nodes.push(node);
            }
            places[corner as usize] = nodes.len() as u32 - 1;
        }
        Corners { nodes, places, offsets }
    }

    fn piece(&self, part: u32, elements: &[u32], holders: &Lists) -> Piece {
        let uses = self.uses();
        let order = self.order(&uses);
        let has_copies = |place: &u32| holders.of(self.nodes[*place as usize]).len() > 1;
        let (mut order, mut inside): (Vec<u32>, Vec<u32>) =
            order.iter().partition(|p| has_copies(p));
        even_out(&mut order, &uses);
        even_out(&mut inside, &uses);
        let shared = order.len();
        order.extend(inside);
        let mut local = vec![0u32; order.len()];
        (0..).zip(&order).for_each(|(i, &place)| local[place as usize] = i);
        let nodes: Vec<u32> = order.iter().map(|&place| self.nodes[place as usize]).collect();
        let owned = nodes[..shared].iter().map(|&v| holders.of(v)[0] == part).collect();
        let mut pairs = Vec::new();
        for (place, &node) in self.nodes.iter().enumerate() {
            let others = holders.of(node).iter().filter(|&&q| q != part);
            pairs.extend(others.map(|&q| (q, local[place])));
        }
        // Stable: nodes stay in ascending order.
        pairs.sort_by_key(|pair| pair.0);
        let neighbours = grouped(pairs);
        Piece { part, nodes, shared, owned, neighbours, elements: elements.to_vec() }
    }

    /// By place, which elements use the node.
    fn uses(&self) -> Lists {
        let named = self.offsets.windows(2).map(|range| &self.places[range[0]..range[1]]);
        Lists::inverse(self.nodes.len(), (0..).zip(named))
    }

    fn order(&self, uses: &Lists) -> Vec<u32> {
        let of = |e: u32| &self.places[self.offsets[e as usize]..self.offsets[e as usize + 1]];
        cuthill_mckee(uses, of)
    }
}
