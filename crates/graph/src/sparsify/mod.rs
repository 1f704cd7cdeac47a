//! The spectral skeleton of a graph: a spanning forest of edges that matter, and a few
//! recovered edges.
//!
//! **Problem.** A weighted graph in, a few of its edges out that behave like all of them:
//! effective resistances and, with them, the solutions of linear systems.
//!
//! **Method.** 1. Effective weights (`effective.rs`) and the spanning forest of largest
//! effective weight (`forest.rs`). 2. The criticality of every other edge, `w · R`, with
//! `R` the resistance of the way in the forest (`skeleton.rs`). 3. Edges are recovered by
//! falling criticality, by one of three rules: [`Rule::Contest`] (`reference.rs`,
//! `linear.rs`, `parallel.rs`), [`Rule::Fegrass`] (`fegrass.rs`) or [`Rule::Spectral`]
//! (`spectral.rs`), whose criticalities are by the skeleton instead of the forest.
//!
//! **Cost.** Nearly linear work but on random graphs; up to 100 bytes per edge with the graph,
//! more where there are hardly more edges than vertices: docs/benchmarks.md.
//!
//! **Determinism.** The same edges in the same order on every engine and any number of
//! threads. Logarithms of degrees come from the platform.
//!
//! **Reference.** Chen, Qiu, Han, Bai, *LGRASS: linear graph spectral sparsification*, 2022
//! (paper 004).

mod budget;
mod cover;
mod effective;
mod fegrass;
mod forest;
mod hashed_lists;
mod linear;
mod parallel;
pub(crate) mod probe;
mod rank;
mod reference;
mod skeleton;
pub(crate) mod spectral;
#[cfg(test)]
mod tests;

pub(crate) use forest::breadth_first;

use effective::RootBy;
use forest::parents;
use palmette_core::named;
use palmette_core::{Graph, GraphError};
use skeleton::{OffEdge, Skeleton};
use thiserror::Error;

named! {
    /// Which off-tree edges are recovered.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    #[non_exhaustive]
    pub enum Rule("rule") {
        /// An edge marks all edges between the neighbourhoods of its ends in the tree; only
        /// unmarked edges are recovered (LGRASS; the contest's exact task).
        #[default]
        Contest = "contest",
        /// Ends of recovered edges and their neighbours in the sparsifier are marked, and the
        /// limit on marks rises pass by pass (feGRASS).
        Fegrass = "fegrass",
        /// In passes, edges that the skeleton of the pass before replaces worst: for
        /// preconditioning.
        Spectral = "spectral",
    }
}

named! {
    /// The engine for the contest rule. All give the same edges in the same order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    #[non_exhaustive]
    pub enum Engine("engine") {
        /// The definition, edge by edge: quadratic, for small graphs and as an oracle.
        Reference = "reference",
        /// One thread.
        Linear = "linear",
        /// All threads of the current pool.
        #[default]
        Parallel = "parallel",
    }
}

/// How many edges to recover at most. Written and read as `1000`, `4%` (of the off-tree
/// edges) or `10%V` (of the number of vertices).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Budget {
    /// What the rule says: `max(⌊off-tree / 25⌋, 2)` for [`Rule::Contest`], a tenth of the
    /// number of vertices for the others; with a [condition](SparsifyParams::condition) no limit.
    #[default]
    Rule,
    /// This many.
    Count(usize),
    /// A percentage of the off-tree edges, rounded down.
    OffTree(f64),
    /// A percentage of the number of vertices, rounded down.
    Vertices(f64),
}

/// Options of [`sparsify`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SparsifyParams {
    /// Which edges are recovered.
    pub rule: Rule,
    /// The engine ([`Rule::Contest`] only).
    pub engine: Engine,
    /// How many edges are recovered at most.
    pub budget: Budget,
    /// The largest radius of a neighbourhood ([`Rule::Contest`] only).
    pub beta_cap: Option<u32>,
    /// Recover no more edges than it takes for the relative condition number to be at most this,
    /// by an estimate ([`Rule::Spectral`] only); 1 or more.
    pub condition: Option<f64>,
}

/// What is left of a graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sparsifier {
    /// The spanning forest, by falling effective weight; smaller end first.
    pub tree: Vec<(u32, u32)>,
    /// The root of each tree of the forest: the largest volume of its component by the contest
    /// rule, the largest degree by that of feGRASS.
    pub roots: Vec<u32>,
    /// The recovered edges in the order of recovery; smaller end first.
    pub recovered: Vec<(u32, u32)>,
    /// Recovered edges that link a vertex with an ancestor of it.
    pub non_crossing: usize,
}

/// Why a graph cannot be sparsified.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SparsifyError {
    /// The resistance of a path in the forest is beyond all numbers.
    #[error("the resistance between vertex {vertex} and its root overflows: weights are too small")]
    Resistance { vertex: u32 },
    /// The reference engine would take too long.
    #[error("{edges} off-tree edges; the reference engine takes at most {most}")]
    TooLarge { edges: usize, most: usize },
    /// A condition number that cannot be had.
    #[error("the condition number must be at least 1, not {condition}")]
    Condition { condition: f64 },
    /// The skeleton cannot be factored.
    #[error("a factor of the skeleton with {edges} edges does not fit")]
    Factor { edges: usize },
    /// Not a budget.
    #[error(
        "expected a number of edges, a percentage of the off-tree edges (4%, at most 100%) or of the vertices (10%V), found `{text}`"
    )]
    Budget { text: String },
    /// Not a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

impl Sparsifier {
    /// The sparsifier as a graph with the weights of the original.
    pub fn graph(&self, original: &Graph) -> Graph {
        original.subgraph(&[&self.tree[..], &self.recovered[..]].concat())
    }

    /// The spanning forest as parents of vertices; [`NONE`](palmette_core::NONE) above roots.
    /// Linear.
    pub fn parents(&self) -> Vec<u32> {
        parents(self.tree.len() + self.roots.len(), self.tree.iter().copied(), &self.roots)
    }
}

/// The spectral skeleton of a graph.
///
/// ```
/// use palmette_core::graph::generate::{Weights, generate};
/// use palmette_graph::sparsify::{SparsifyParams, sparsify};
/// let grid = generate("grid:30x30".parse()?, Weights::LogUniform(0.1, 10.0), 1)?.graph;
/// let skeleton = sparsify(&grid, &SparsifyParams::default())?;
/// assert_eq!(skeleton.tree.len(), 899);
/// // A twenty-fifth of the 841 edges beside the tree.
/// assert_eq!(skeleton.recovered.len(), 33);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Resistances that overflow; a graph too large for the reference engine.
pub fn sparsify(graph: &Graph, params: &SparsifyParams) -> Result<Sparsifier, SparsifyError> {
    match (params.rule, params.engine) {
        (Rule::Contest, Engine::Reference) => reference::sparsify(graph, params),
        (Rule::Contest, Engine::Linear) => on_one_thread(|| run(graph, params)),
        _ => run(graph, params),
    }
}

/// Runs work in a pool of one thread; in the caller's if there can be none.
fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_num_threads() == 1 {
        return work();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

fn run(graph: &Graph, params: &SparsifyParams) -> Result<Sparsifier, SparsifyError> {
    let by = match params.rule {
        Rule::Contest => RootBy::Volume,
        Rule::Fegrass | Rule::Spectral => RootBy::Degree,
    };
    if let Some(condition) = params.condition.filter(|k| !(*k >= 1.0 && k.is_finite())) {
        return Err(SparsifyError::Condition { condition });
    }
    let mut skeleton = Skeleton::new(graph, by)?;
    let off = skeleton.candidates.off.len();
    let budget = match (params.condition, params.budget) {
        (Some(_), Budget::Rule) => off,
        (_, budget) => budget.count(params.rule, off, graph.len()),
    };
    let recovery = match (params.rule, params.engine) {
        (Rule::Fegrass, _) => fegrass::recover(&mut skeleton, budget),
        (Rule::Spectral, _) => spectral::recover(graph, &mut skeleton, budget, params.condition)?,
        (_, Engine::Parallel) => parallel::recover(&mut skeleton, budget, params.beta_cap),
        _ => linear::recover(&mut skeleton, budget, params.beta_cap),
    };
    let roots = std::mem::take(&mut skeleton.candidates.effective.roots);
    let ends = |&number: &u32| skeleton.candidates.ends(number);
    Ok(Sparsifier {
        tree: skeleton.forest.iter().map(ends).collect(),
        roots,
        recovered: recovery.edges.iter().map(ends).collect(),
        non_crossing: recovery.non_crossing,
    })
}

/// An edge of the graph, by its number.
#[derive(Debug, Clone, Copy)]
struct Edge {
    a: u32,
    b: u32,
    weight: f64,
}

/// What has been recovered so far.
#[derive(Debug)]
struct Recovery {
    /// Numbers of edges, in the order of recovery.
    edges: Vec<u32>,
    budget: usize,
    non_crossing: usize,
}

impl Recovery {
    fn new(budget: usize) -> Recovery {
        Recovery { edges: Vec::with_capacity(budget), budget, non_crossing: 0 }
    }

    fn is_complete(&self) -> bool {
        self.edges.len() >= self.budget
    }

    /// How many edges to look at next: more than are wanted, since some will be marked.
    fn batch(&self) -> usize {
        2 * (self.budget - self.edges.len()).max(self.edges.len())
    }

    /// Recovers an edge; says whether it was the last.
    fn take(&mut self, edge: &OffEdge) -> bool {
        self.edges.push(edge.number);
        self.non_crossing += usize::from(!edge.is_crossing());
        self.is_complete()
    }
}
