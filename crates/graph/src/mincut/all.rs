//! All minimum cuts of a graph.
//!
//! **Problem.** A connected graph; every way to separate it with the least weight, each once.
//!
//! **Method.** 1. The value. 2. Vertices that no minimum cut separates become one (`rules.rs`,
//! `scan.rs`, with a bound just above the value). 3. The rest stands in an order in which each vertex
//! has an edge to those before. A minimum cut separates some vertex `v` from all before it, and for
//! one `v` only; such cuts contain one another, or a crossing pair would leave no edge between `v`
//! and those before. A flow from `v` to those before gives the innermost side; what else can be
//! reached from it with one more of its neighbours gives the next.
//!
//! **Cost.** One flow per vertex of the kernel, ended when it is above the value, and one search per
//! edge and cut.
//!
//! **Determinism.** The cuts are those of the graph; their order is by size and vertices.
//!
//! **Reference.** Karzanov and Timofeev, *Efficient algorithm for finding all minimal edge cuts of
//! a nonoriented graph*, 1986.
//!
//! **When not to use.** Where there are very many: a cycle has n (n − 1) / 2, and all are listed.

use super::kernel::Kernel;
use super::rules::{self, Keep};
use super::units::Units;
use super::{MinCut, MinCutError, MinCutParams, least_degree, minimum_cut, scan};
use palmette_core::graph::Sets;
use palmette_core::{Cancel, Graph, Lists};

/// Vertices of all sides together.
const MOST_VERTICES: usize = 1 << 28;

/// All minimum cuts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AllMinCuts {
    /// One of them.
    pub cut: MinCut,
    /// The vertices of the smaller side of each, rising; by size, then by vertices.
    pub sides: Vec<Vec<u32>>,
}

/// All minimum cuts of a graph.
///
/// ```
/// use palmette_core::Graph;
/// use palmette_graph::mincut::all_minimum_cuts;
/// // Any two edges of a cycle are a minimum cut.
/// let cycle = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (0, 3, 1.0)])?;
/// let sides = all_minimum_cuts(&cycle, &Default::default())?.sides;
/// assert_eq!(sides, [vec![0], vec![1], vec![2], vec![3], vec![1, 2], vec![2, 3]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`minimum_cut`]; more than [`MinCutParams::most`] cuts; more than two components.
pub fn all_minimum_cuts(graph: &Graph, params: &MinCutParams) -> Result<AllMinCuts, MinCutError> {
    let cut = minimum_cut(graph, params)?;
    let components = graph.components().count();
    match components {
        1 => {}
        2 => return Ok(AllMinCuts { sides: vec![cut.side.clone()], cut }),
        _ => return Err(MinCutError::Disconnected { components }),
    }
    let units = Units::of(graph, least_degree(graph));
    let mut inside = vec![false; graph.len()];
    cut.side.iter().for_each(|&v| inside[v as usize] = true);
    let mut kernel = Kernel::new(graph.offsets(), graph.all_neighbours(), units.weights);
    let value = kernel
        .edges()
        .filter(|&(a, b, _)| inside[a as usize] != inside[b as usize])
        .map(|edge| edge.2)
        .sum();
    loop {
        let before = kernel.len();
        let mut sets = Sets::new(before);
        rules::unite(&kernel, value + 1, Keep::All, &mut sets);
        scan::unite(&kernel, value + 1, Keep::All, 0, &mut sets);
        kernel = kernel.contract(&mut sets);
        if kernel.len() * 20 > before * 19 {
            break;
        }
    }
    let mut sides = Chains::new(&kernel, value).walk(params)?;
    sides.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    Ok(AllMinCuts { cut, sides })
}

struct Chains<'a> {
    kernel: &'a Kernel,
    value: u64,
    arcs: Arcs,
    /// Whether a vertex is before the current one.
    before: Vec<bool>,
    /// By vertex, the search that reached it last, and by which arc.
    reached: Vec<u32>,
    by: Vec<usize>,
    search: u32,
    /// What the last search reached, in order.
    queue: Vec<u32>,
}

/// What arcs can still carry, and the arcs back.
struct Arcs {
    heads: Vec<u32>,
    left: Vec<u64>,
    back: Vec<usize>,
    changed: Vec<(usize, u64)>,
}

impl Arcs {
    fn of(kernel: &Kernel) -> Arcs {
        let rows = (0..kernel.len() as u32).map(|v| kernel.row(v).map(move |(u, w)| (v, u, w)));
        let all: Vec<(u32, u32, u64)> = rows.flatten().collect();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        // The two arcs of an edge are neighbours in this order.
        order.sort_unstable_by_key(|&arc| {
            let (v, u, _) = all[arc as usize];
            (v.min(u), v.max(u))
        });
        let mut back = vec![0; all.len()];
        for pair in order.chunks_exact(2) {
            (back[pair[0] as usize], back[pair[1] as usize]) = (pair[1] as usize, pair[0] as usize);
        }
        let heads = all.iter().map(|arc| arc.1).collect();
        Arcs { heads, left: all.iter().map(|arc| arc.2).collect(), back, changed: Vec::new() }
    }

    fn push(&mut self, arc: usize, flow: u64) {
        let back = self.back[arc];
        self.changed.push((arc, self.left[arc]));
        self.changed.push((back, self.left[back]));
        self.left[arc] -= flow;
        self.left[back] += flow;
    }

    fn restore(&mut self) {
        while let Some((arc, left)) = self.changed.pop() {
            self.left[arc] = left;
        }
    }
}

impl Chains<'_> {
    fn new(kernel: &Kernel, value: u64) -> Chains<'_> {
        let n = kernel.len();
        Chains {
            kernel,
            value,
            arcs: Arcs::of(kernel),
            before: vec![false; n],
            reached: vec![0; n],
            by: vec![0; n],
            search: 0,
            queue: Vec::new(),
        }
    }

    /// The smaller sides of all minimum cuts, as vertices of the graph.
    fn walk(&mut self, params: &MinCutParams) -> Result<Vec<Vec<u32>>, MinCutError> {
        let groups = self.kernel.groups();
        let members = Lists::by_key(self.kernel.len(), groups.iter().copied().zip(0..));
        let mut sides = Vec::new();
        let mut listed = 0;
        // By vertex, the last side that it is in.
        let mut inside = vec![0u32; self.kernel.len()];
        for (number, v) in order(self.kernel).into_iter().enumerate() {
            if params.cancel.as_ref().is_some_and(Cancel::is_raised) {
                return Err(MinCutError::Cancelled);
            }
            let mut side = if number > 0 && self.flow(v) { Some(self.queue.clone()) } else { None };
            while let Some(this) = side {
                let stamp = sides.len() as u32 + 1;
                this.iter().for_each(|&v| inside[v as usize] = stamp);
                let within = |v: u32| inside[v as usize] == stamp;
                let small = smaller(&members, groups, &this, within);
                listed += small.len();
                sides.push(small);
                if sides.len() > params.most || listed > MOST_VERTICES {
                    return Err(MinCutError::TooMany { most: sides.len() - 1 });
                }
                side = self.next(&this, within);
            }
            self.arcs.restore();
            self.before[v as usize] = true;
        }
        Ok(sides)
    }

    /// Lets flow as much as can from a vertex to those before, up to just above the value; whether
    /// it is the value. The last search has what can be reached then.
    fn flow(&mut self, v: u32) -> bool {
        let mut flow = 0;
        while flow <= self.value {
            let Some(mut at) = self.reach(&[v]) else { return true };
            let most = self.value + 1 - flow;
            let mut way = Vec::new();
            while at != v {
                let arc = self.by[at as usize];
                way.push(arc);
                at = self.arcs.heads[self.arcs.back[arc]];
            }
            let least = way.iter().map(|&arc| self.arcs.left[arc]).fold(most, u64::min);
            way.into_iter().for_each(|arc| self.arcs.push(arc, least));
            flow += least;
        }
        false
    }

    /// Searches from some vertices; a vertex before the current one if one is reached.
    fn reach(&mut self, from: &[u32]) -> Option<u32> {
        self.search += 1;
        self.queue.clear();
        self.queue.extend_from_slice(from);
        from.iter().for_each(|&v| self.reached[v as usize] = self.search);
        let mut at = 0;
        while let Some(&v) = self.queue.get(at) {
            at += 1;
            for arc in self.kernel.arcs(v) {
                let u = self.arcs.heads[arc];
                if self.arcs.left[arc] > 0 && self.reached[u as usize] != self.search {
                    self.reached[u as usize] = self.search;
                    self.by[u as usize] = arc;
                    if self.before[u as usize] {
                        return Some(u);
                    }
                    self.queue.push(u);
                }
            }
        }
        None
    }

    /// The next larger side of the chain: what a neighbour reaches besides.
    fn next(&mut self, side: &[u32], within: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
        let mut around: Vec<u32> = side
            .iter()
            .flat_map(|&v| self.kernel.row(v).map(|arc| arc.0))
            .filter(|&u| !within(u) && !self.before[u as usize])
            .collect();
        around.sort_unstable();
        around.dedup();
        let mut least: Option<Vec<u32>> = None;
        for u in around {
            let from = [side, &[u]].concat();
            if self.reach(&from).is_none()
                && least.as_ref().is_none_or(|least| self.queue.len() < least.len())
            {
                least = Some(self.queue.clone());
            }
        }
        least
    }
}

/// The smaller of a side and the rest, as vertices of the graph, rising; of two halves that without
/// vertex 0.
fn smaller(
    members: &Lists,
    groups: &[u32],
    side: &[u32],
    within: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let size: usize = side.iter().map(|&v| members.of(v).len()).sum();
    let (twice, all) = (2 * size, groups.len());
    if twice < all || (twice == all && !within(groups[0])) {
        let mut vertices: Vec<u32> =
            side.iter().flat_map(|&v| members.of(v).iter().copied()).collect();
        vertices.sort_unstable();
        return vertices;
    }
    (0..all as u32).filter(|&v| !within(groups[v as usize])).collect()
}

/// Vertices such that each has an edge to one before: by breadth-first search.
fn order(kernel: &Kernel) -> Vec<u32> {
    let mut seen = vec![false; kernel.len()];
    let mut order = Vec::with_capacity(kernel.len());
    if let Some(first) = seen.first_mut() {
        *first = true;
        order.push(0);
    }
    let mut at = 0;
    while let Some(&v) = order.get(at) {
        at += 1;
        for (u, _) in kernel.row(v) {
            if !seen[u as usize] {
                seen[u as usize] = true;
                order.push(u);
            }
        }
    }
    order
}
