//! Skeletons that follow a graph as it changes.
//!
//! **Problem.** A graph whose edges come, go and change their weights, and a
//! [skeleton](crate::sparsify) of it. After each [`Update`] the skeleton is one of the graph as it is
//! then: a spanning forest and recovered edges, at a cost of microseconds.
//!
//! **Method.** Beside the skeleton lies a projection of resistances in it, 24 numbers per vertex: the
//! squared distance of two vertices is near the resistance between them. An inserted edge of weight `w`
//! is kept when `w R` is above a threshold that lets about one in twenty pass, and when edges kept near
//! it do not do its work already. An edge of the forest that is deleted is replaced: of the edges
//! between the two sides, which are found by searching from both ends until the smaller is exhausted,
//! the one with the least resistance around. Now and then ([`DynamicParams::refresh`]) the skeleton
//! is factored: a twelfth of the recovered edges, those that the others replace best, leave it; one pass
//! of the [spectral rule](crate::sparsify::Rule::Spectral) takes others for them and for what is owed for
//! insertions and losses; and the projection is made anew. Edges that are not kept are
//! not added to the weights of others: that makes condition numbers worse.
//!
//! **Cost.** An insertion compares 24 numbers; a deletion searches the smaller side of the forest, a
//! hundred vertices on meshes, and all of a path at worst. A refresh takes as long as making the
//! skeleton anew takes on a smaller part. 200 bytes per vertex and 60 per edge.
//!
//! **Determinism.** The graph, the order of updates and fixed seeds decide.
//!
//! **Reference.** Aghdaei and Feng, *inGRASS*, 2024; *dyGRASS*, 2025; Spielman and Srivastava, *Graph
//! sparsification by effective resistances*, 2011 (the projection).
//!
//! **When not to use.** When most edges change at once: make the skeleton anew. On long paths with
//! many deletions in their middle.

mod network;
mod refresh;
mod repair;
mod solver;
#[cfg(test)]
mod tests;

pub use solver::DynamicSolver;

use crate::solve::SolveError;
use crate::sparsify::{Budget, Rule, Sparsifier, SparsifyError, SparsifyParams, sparsify};
use network::{Kind, Network};
use palmette_core::Graph;
use refresh::Projection;
use repair::Search;
use thiserror::Error;

/// A change of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Update {
    /// An edge comes.
    Insert {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
        /// Its weight, a conductance.
        weight: f64,
    },
    /// An edge goes.
    Delete {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
    },
    /// An edge gets another weight.
    Weight {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
        /// Its new weight.
        weight: f64,
    },
}

/// Options of a [`DynamicSparsifier`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DynamicParams {
    /// How the first skeleton is made.
    pub sparsify: SparsifyParams,
    /// How many edges may be recovered at most.
    pub most: Budget,
    /// The part of inserted edges that is kept, in the long run.
    pub share: f64,
    /// The condition number that a refresh restores by recovering more edges, at most
    /// [`most`](Self::most) of them.
    pub condition: Option<f64>,
    /// After how many updates the skeleton is refreshed, as a part of the number of vertices; 0 is
    /// never.
    pub refresh: f64,
    /// Whether edges that are inserted and exist get the new weight, edges that get a weight and do not
    /// exist are inserted, and deletions of edges that do not exist are passed over.
    pub upsert: bool,
}

impl Default for DynamicParams {
    fn default() -> Self {
        DynamicParams {
            sparsify: SparsifyParams { rule: Rule::Spectral, ..Default::default() },
            most: Budget::Vertices(13.0),
            share: 0.1,
            condition: None,
            refresh: 0.1,
            upsert: false,
        }
    }
}

/// Why an update cannot be done.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DynamicError {
    /// The edge to insert is there.
    #[error("the edge between {a} and {b} exists already")]
    Exists { a: u32, b: u32 },
    /// The edge to delete or change is not there.
    #[error("there is no edge between {a} and {b}")]
    Missing { a: u32, b: u32 },
    /// Not a conductance.
    #[error(
        "the edge between {a} and {b} has weight {weight}; weights must be positive and finite"
    )]
    Weight { a: u32, b: u32, weight: f64 },
    /// Not a vertex.
    #[error("an edge ends at vertex {vertex}, but there are only {vertices} vertices")]
    Vertex { vertex: u32, vertices: usize },
    /// Both ends are the same.
    #[error("an edge from vertex {vertex} to itself")]
    Loop { vertex: u32 },
    /// A part that is no part.
    #[error("{what} must be a number from 0 to {most}, not {value}")]
    Part { what: &'static str, value: f64, most: f64 },
    /// The first skeleton cannot be made.
    #[error(transparent)]
    Sparsify(#[from] SparsifyError),
    /// The skeleton cannot be factored.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// A graph that changes, and its skeleton.
///
/// ```
/// use palmette_core::graph::generate::{Weights, generate};
/// use palmette_graph::dynamic::{DynamicSparsifier, Update};
/// let grid = generate("grid:30x30".parse()?, Weights::Unit, 1)?.graph;
/// let mut skeleton = DynamicSparsifier::new(&grid, &Default::default())?;
/// let (a, b) = skeleton.tree().next().expect("the grid has edges");
/// skeleton.apply(&Update::Delete { a, b })?;
/// assert_eq!((skeleton.edge_count(), skeleton.tree().count()), (1739, 899));
/// assert!(skeleton.apply(&Update::Delete { a, b }).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DynamicSparsifier {
    network: Network,
    params: DynamicParams,
    components: usize,
    projection: Projection,
    search: Search,
    /// What `w R` must exceed for an inserted edge to be kept.
    threshold: f64,
    /// Recovered edges at a refresh for insertions and losses since the last one.
    owed: f64,
    updates: u64,
    since: u64,
    refreshes: u64,
}

/// The part of the share that is kept at once; the rest is taken when the skeleton is refreshed.
const AT_ONCE: f64 = 0.5;

/// By which factor the threshold moves, to the power of what an edge is off the share.
const PACE: f64 = 0.2;

impl DynamicSparsifier {
    /// The skeleton of a graph, ready to follow it.
    ///
    /// # Errors
    /// [`DynamicError::Part`]; as [`sparsify`]; a skeleton that is too large to be factored.
    pub fn new(graph: &Graph, params: &DynamicParams) -> Result<Self, DynamicError> {
        for (what, value, most) in
            [("the share of edges kept", params.share, 1.0), ("the refresh", params.refresh, 1e9)]
        {
            if !(0.0..=most).contains(&value) {
                return Err(DynamicError::Part { what, value, most });
            }
        }
        let skeleton = sparsify(graph, &params.sparsify)?;
        let mut one = DynamicSparsifier {
            network: Network::new(graph, &skeleton),
            params: *params,
            components: skeleton.roots.len(),
            projection: Projection::default(),
            search: Search::new(graph.len()),
            threshold: 0.0,
            owed: 0.0,
            updates: 0,
            since: 0,
            refreshes: 0,
        };
        one.project()?;
        Ok(one)
    }

    /// Does an update. When it cannot be done, nothing has changed.
    ///
    /// # Errors
    /// Those of [`DynamicError`].
    pub fn apply(&mut self, update: &Update) -> Result<(), DynamicError> {
        match *update {
            Update::Insert { a, b, weight } => self.insert(a, b, weight)?,
            Update::Delete { a, b } => self.delete(a, b)?,
            Update::Weight { a, b, weight } => self.set_weight(a, b, weight)?,
        }
        self.updates += 1;
        self.since += 1;
        let every = self.params.refresh * self.network.vertices() as f64;
        if every > 0.0 && self.since as f64 >= every {
            self.refresh()?;
        }
        Ok(())
    }

    /// Does updates in their order; returns how many. An error comes with the number of those done
    /// before it, which stay done.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn apply_all(&mut self, updates: &[Update]) -> Result<usize, (usize, DynamicError)> {
        for (done, update) in updates.iter().enumerate() {
            self.apply(update).map_err(|error| (done, error))?;
        }
        Ok(updates.len())
    }

    /// The graph as it is.
    pub fn graph(&self) -> Graph {
        self.network.graph(|_| true)
    }

    /// The skeleton as it is, with the weights of the graph.
    pub fn skeleton(&self) -> Graph {
        self.network.graph(|kind| kind != Kind::Off)
    }

    /// The edges of the spanning forest, smaller end first, in no order that means anything.
    pub fn tree(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.network.of_kind(Kind::Tree)
    }

    /// The recovered edges, as [`tree`](Self::tree).
    pub fn recovered(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.network.of_kind(Kind::Recovered)
    }

    /// The skeleton with its forest rooted: the vertex of largest degree in each component.
    pub fn sparsifier(&self) -> Sparsifier {
        let graph = self.skeleton();
        let roots = graph.components().heaviest(|v| graph.degree(v) as f64);
        let (mut tree, mut recovered): (Vec<_>, Vec<_>) =
            (self.tree().collect(), self.recovered().collect());
        tree.sort_unstable();
        recovered.sort_unstable();
        Sparsifier { tree, roots, recovered, non_crossing: 0 }
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.network.vertices()
    }

    /// The number of edges of the graph.
    pub fn edge_count(&self) -> usize {
        self.network.edge_count()
    }

    /// Recovered edges per vertex.
    pub fn density(&self) -> f64 {
        self.network.count(Kind::Recovered) as f64 / self.vertices().max(1) as f64
    }

    /// Updates done.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// How often the skeleton was refreshed.
    pub fn refreshes(&self) -> u64 {
        self.refreshes
    }

    fn check(&self, a: u32, b: u32) -> Result<(), DynamicError> {
        let vertices = self.vertices();
        match (a.max(b) as usize >= vertices, a == b) {
            (true, _) => Err(DynamicError::Vertex { vertex: a.max(b), vertices }),
            (_, true) => Err(DynamicError::Loop { vertex: a }),
            _ => Ok(()),
        }
    }

    fn check_weight(a: u32, b: u32, weight: f64) -> Result<(), DynamicError> {
        let good = weight > 0.0 && weight.is_finite() && (1.0 / weight).is_finite();
        if good { Ok(()) } else { Err(DynamicError::Weight { a, b, weight }) }
    }

    fn insert(&mut self, a: u32, b: u32, weight: f64) -> Result<(), DynamicError> {
        self.check(a, b)?;
        Self::check_weight(a, b, weight)?;
        if self.network.find(a, b).is_some() {
            return match self.params.upsert {
                true => self.set_weight(a, b, weight),
                false => Err(DynamicError::Exists { a, b }),
            };
        }
        if self.components > 1 && !self.search.joined(&self.network, a, b) {
            self.components -= 1;
            self.network.insert(a, b, weight, Kind::Tree);
            return Ok(());
        }
        let edge = self.network.insert(a, b, weight, Kind::Off);
        self.owed += self.params.share * (1.0 - AT_ONCE);
        self.weigh(edge);
        Ok(())
    }

    /// Keeps an edge off the skeleton if it is worth it.
    fn weigh(&mut self, edge: u32) {
        let worth = self.worth(edge);
        let share = self.params.share * AT_ONCE;
        let is_kept = worth > self.threshold && self.network.count(Kind::Recovered) < self.most();
        self.threshold *= ((f64::from(u8::from(is_kept)) - share) * PACE).exp();
        if is_kept {
            self.network.set_kind(edge, Kind::Recovered);
            let (a, b, _) = self.network.edge(edge);
            self.projection.mark(&self.network, [a, b]);
        }
    }

    /// `w R`, less where edges were kept near.
    fn worth(&self, edge: u32) -> f64 {
        let (a, b, weight) = self.network.edge(edge);
        weight * self.projection.resistance(a, b) / f64::from(1 + self.projection.marks(a, b))
    }

    /// The most recovered edges.
    fn most(&self) -> usize {
        let off = self.edge_count() - self.network.count(Kind::Tree);
        self.params.most.count(self.params.sparsify.rule, off, self.vertices())
    }

    fn delete(&mut self, a: u32, b: u32) -> Result<(), DynamicError> {
        self.check(a, b)?;
        let Some(edge) = self.network.find(a, b) else {
            return match self.params.upsert {
                true => Ok(()),
                false => Err(DynamicError::Missing { a, b }),
            };
        };
        let kind = self.network.kind(edge);
        self.network.remove(edge);
        match kind {
            Kind::Off | Kind::Gone => {}
            Kind::Recovered => self.owed += 1.0,
            Kind::Tree => match self.search.crossing(&self.network, a, b, &self.projection) {
                Some(found) => {
                    self.owed += f64::from(u8::from(self.network.kind(found) == Kind::Recovered));
                    self.network.set_kind(found, Kind::Tree);
                }
                None => self.components += 1,
            },
        }
        Ok(())
    }

    fn set_weight(&mut self, a: u32, b: u32, weight: f64) -> Result<(), DynamicError> {
        self.check(a, b)?;
        Self::check_weight(a, b, weight)?;
        let Some(edge) = self.network.find(a, b) else {
            return match self.params.upsert {
                true => self.insert(a, b, weight),
                false => Err(DynamicError::Missing { a, b }),
            };
        };
        self.network.set_weight(edge, weight);
        if self.network.kind(edge) == Kind::Off {
            self.weigh(edge);
        }
        Ok(())
    }
}
