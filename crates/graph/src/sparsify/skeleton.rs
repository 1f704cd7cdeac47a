//! What both rules start from: the forest, and for each edge beside it how badly the
//! forest replaces it.
//!
//! **Problem.** The *criticality* of an off-tree edge of weight `w` between `a` and `b` is
//! `w · R(a, b)`, with `R` the resistance of the way between them in the forest:
//! `ρ(a) + ρ(b) − 2 ρ(lca)`, where `ρ` adds up `1 / w` from the root down.
//!
//! **Method.** One sweep over the forest in preorder gives `ρ`; lowest common ancestors are
//! asked in batches of [`palmette_tree::lca`].
//!
//! **Cost.** Linear work. Beside the graph: 16 bytes per edge for ends and weights, 28 per off-tree
//! edge, 60 per vertex.

use super::effective::{Effective, RootBy};
use super::forest::{membership, ranked, rooted, spanning_forest};
use super::rank::{Ranked, sort_descending, split_top};
use super::{Edge, SparsifyError};
use palmette_core::{Graph, NONE, Tree};
use palmette_tree::lca::Lca;
use rayon::prelude::*;

/// An edge that is not in the forest, by positions in the tree.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OffEdge {
    /// The end that comes first in preorder: the ancestor, if one end is.
    pub(super) p: u32,
    pub(super) q: u32,
    pub(super) lca: u32,
    /// The number of the edge in the graph.
    pub(super) number: u32,
}

impl OffEdge {
    /// Whether no end is an ancestor of the other.
    #[inline]
    pub(super) fn is_crossing(&self) -> bool {
        self.lca != self.p
    }
}

/// The forest and what lies beside it.
pub(super) struct Skeleton {
    /// Numbers of the edges of the forest, by falling effective weight.
    pub(super) forest: Vec<u32>,
    pub(super) tree: Tree,
    pub(super) lca: Lca,
    pub(super) candidates: Candidates,
}

/// The off-tree edges, handed out by falling criticality.
pub(super) struct Candidates {
    edges: Vec<Edge>,
    pub(super) effective: Effective,
    pub(super) off: Vec<OffEdge>,
    /// Criticalities of those not handed out yet, with indices into `off`.
    left: Vec<Ranked>,
}

impl Skeleton {
    pub(super) fn new(graph: &Graph, by: RootBy) -> Result<Skeleton, SparsifyError> {
        let n = graph.len();
        let edges = edges_of(graph);
        let effective = Effective::new(graph, by);
        let keys = ranked(&edges, |e| effective.weight(e.a, e.b, e.weight));
        let forest = spanning_forest(n, &edges, keys);
        let tree = rooted(n, &edges, &forest, &effective.roots);
        let lca = Lca::new(&tree);
        let rho = resistances(&tree, &edges, &forest)?;
        let (off, left) = criticalities(&edges, &forest, &tree, &lca, &rho);
        let candidates = Candidates { edges, effective, off, left };
        Ok(Skeleton { forest, tree, lca, candidates })
    }
}

impl Candidates {
    /// An edge by its number.
    pub(super) fn edge(&self, number: u32) -> Edge {
        self.edges[number as usize]
    }

    /// The next off-tree edges by falling criticality, about `wanted` of them, as indices
    /// into `off`; ties by falling effective weight, then by number. Empty at the end.
    pub(super) fn next(&mut self, wanted: usize) -> Vec<u32> {
        let mut top = split_top(&mut self.left, wanted);
        sort_descending(&mut top);
        let effective = |item: &Ranked| {
            let Edge { a, b, weight } = self.edges[self.off[item.number as usize].number as usize];
            self.effective.weight(a, b, weight).to_bits()
        };
        for tied in top.chunk_by_mut(|a, b| { a.key } == b.key) {
            // Stable: equal ones stay in the order of their numbers.
            if tied.len() > 1 {
                tied.sort_by_cached_key(|item| !effective(item));
            }
        }
        top.iter().map(|item| item.number).collect()
    }

    /// The ends of an edge in the graph, by its number.
    pub(super) fn ends(&self, number: u32) -> (u32, u32) {
        let Edge { a, b, .. } = self.edges[number as usize];
        (a, b)
    }
}

/// All edges by number.
pub(super) fn edges_of(graph: &Graph) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(graph.edge_count());
    let (offsets, neighbours) = (graph.offsets(), graph.all_neighbours());
    let weights = graph.all_weights();
    for b in 0..graph.len() {
        for i in offsets[b]..offsets[b + 1] {
            if neighbours[i] as usize >= b {
                break;
            }
            edges.push(Edge { a: neighbours[i], b: b as u32, weight: weights[i] });
        }
    }
    edges
}

/// By position, the resistance of the way to the root.
fn resistances(tree: &Tree, edges: &[Edge], forest: &[u32]) -> Result<Vec<f64>, SparsifyError> {
    let (parents, positions) = (tree.parents(), tree.positions());
    let mut rho = vec![0.0; tree.len()];
    for &number in forest {
        let Edge { a, b, weight } = edges[number as usize];
        // The parent comes first in preorder.
        rho[positions[a as usize].max(positions[b as usize]) as usize] = 1.0 / weight;
    }
    for i in 0..rho.len() {
        if parents[i] != NONE {
            rho[i] += rho[parents[i] as usize];
            if rho[i].is_infinite() {
                return Err(SparsifyError::Resistance { vertex: tree.vertices()[i] });
            }
        }
    }
    Ok(rho)
}

fn criticalities(
    edges: &[Edge],
    forest: &[u32],
    tree: &Tree,
    lca: &Lca,
    rho: &[f64],
) -> (Vec<OffEdge>, Vec<Ranked>) {
    /// Edges of a task; their pairs stay in the cache.
    const BLOCK: usize = 1 << 13;
    let inside = membership(edges.len(), forest);
    let positions = tree.positions();
    let count = edges.len() - forest.len();
    // Where each block's off-tree edges go.
    let outside = |block: &[bool]| block.iter().filter(|&&i| !i).count();
    let counts: Vec<usize> = inside.par_chunks(BLOCK).map(outside).collect();
    let mut off = vec![OffEdge::default(); count];
    let mut left = vec![Ranked::default(); count];
    let mut tasks = Vec::with_capacity(counts.len());
    let (mut off_rest, mut left_rest) = (&mut off[..], &mut left[..]);
    let mut first = 0;
    for (block, &count) in counts.iter().enumerate() {
        let (off_part, more) = off_rest.split_at_mut(count);
        let (left_part, others) = left_rest.split_at_mut(count);
        (off_rest, left_rest) = (more, others);
        tasks.push((block * BLOCK, first as u32, off_part, left_part));
        first += count;
    }
    tasks.into_par_iter().for_each(|(start, first, off, left)| {
        let end = (start + BLOCK).min(edges.len());
        let numbers = (start..end).filter(|&number| !inside[number]);
        let mut pairs = Vec::with_capacity(off.len());
        for (to, number) in off.iter_mut().zip(numbers) {
            let Edge { a, b, .. } = edges[number];
            let (a, b) = (positions[a as usize], positions[b as usize]);
            *to = OffEdge { p: a.min(b), q: a.max(b), lca: 0, number: number as u32 };
            pairs.push((to.p, to.q));
        }
        let answers = lca.batch(&pairs);
        for (i, ((edge, item), top)) in off.iter_mut().zip(left).zip(answers).enumerate() {
            edge.lca = top;
            let Edge { a, b, weight } = edges[edge.number as usize];
            let rho_at = |v: u32| rho[positions[v as usize] as usize];
            // Sums of the ends' own resistances come first, as in the contest's program.
            let resistance = rho_at(a) + rho_at(b) - 2.0 * rho[top as usize];
            *item = Ranked { key: (weight * resistance).to_bits(), number: first + i as u32 };
        }
    });
    (off, left)
}
