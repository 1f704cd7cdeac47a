//! A solver that follows a graph.
//!
//! **Method.** Conjugate gradients with the factor of the skeleton. Updates go to the
//! [`DynamicSparsifier`]; the matrix is put together and the skeleton factored before the next solve.
//!
//! **Cost.** The first solve after updates reads all edges and factors the skeleton; further ones as
//! [`conjugate_gradients`].

use super::{DynamicError, DynamicParams, DynamicSparsifier, Update};
use crate::Laplacian;
use crate::solve::{CgParams, CgSolution, Floating, Reduced, SolveError, conjugate_gradients};
use palmette_core::Graph;

/// Potentials on a graph that changes.
///
/// ```
/// use palmette_core::graph::generate::{Weights, generate};
/// use palmette_graph::dynamic::{DynamicSolver, Update};
/// let grid = generate("grid:20x20".parse()?, Weights::Unit, 1)?.graph;
/// let mut solver = DynamicSolver::new(&grid, &Default::default())?;
/// let mut currents = vec![0.0; 400];
/// (currents[0], currents[399]) = (1.0, -1.0);
/// let before = solver.solve(&currents, &Default::default())?;
/// solver.update(&[Update::Insert { a: 0, b: 399, weight: 1.0 }]).map_err(|(_, error)| error)?;
/// let after = solver.solve(&currents, &Default::default())?;
/// assert!(after.x[0] - after.x[399] < 0.3 * (before.x[0] - before.x[399]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DynamicSolver {
    skeleton: DynamicSparsifier,
    /// The graph and the factor, until the next update.
    made: Option<(Graph, Reduced)>,
}

impl DynamicSolver {
    /// A solver for a graph.
    ///
    /// # Errors
    /// As [`DynamicSparsifier::new`].
    pub fn new(graph: &Graph, params: &DynamicParams) -> Result<Self, DynamicError> {
        Ok(DynamicSolver { skeleton: DynamicSparsifier::new(graph, params)?, made: None })
    }

    /// The skeleton that preconditions.
    pub fn skeleton(&self) -> &DynamicSparsifier {
        &self.skeleton
    }

    /// Does updates, as [`DynamicSparsifier::apply_all`].
    ///
    /// # Errors
    /// As there: those before the error are done.
    pub fn update(&mut self, updates: &[Update]) -> Result<usize, (usize, DynamicError)> {
        self.made = None;
        self.skeleton.apply_all(updates)
    }

    /// Potentials for currents, whose mean is taken out of each component.
    ///
    /// # Errors
    /// As [`conjugate_gradients`]; currents that are not numbers; a skeleton too large to be factored.
    pub fn solve(
        &mut self,
        currents: &[f64],
        params: &CgParams,
    ) -> Result<CgSolution, DynamicError> {
        if let Some(vertex) = currents.iter().position(|b| !b.is_finite()) {
            let value = currents[vertex];
            return Err(SolveError::Current { vertex, value }.into());
        }
        let (expected, actual) = (self.skeleton.vertices(), currents.len());
        if expected != actual {
            return Err(SolveError::Length { expected, actual }.into());
        }
        let (graph, factor) = match self.made.take() {
            Some(made) => made,
            None => (self.skeleton.graph(), self.skeleton.factor()?.1),
        };
        let laplacian = Laplacian::new(&graph, None);
        let mut b = currents.to_vec();
        laplacian.balance(&mut b);
        let found = conjugate_gradients(&laplacian, &factor, Floating::of(&laplacian), &b, params);
        let found = found.map(|mut found| {
            laplacian.balance(&mut found.x);
            found
        });
        drop(laplacian);
        self.made = Some((graph, factor));
        Ok(found?)
    }
}
