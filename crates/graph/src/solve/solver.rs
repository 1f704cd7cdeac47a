//! A preconditioner that is made once, and solves with it.
//!
//! **Determinism.** Right-hand sides are scaled by powers of two, which changes no digit;
//! that several are solved at the same time shows in no answer.

use super::factor::{allowed, check_cancel};
use super::{
    ApproximateCholesky, ApproximateCholeskyParams, Augmented, CgParams, Factor, Floating, Forest,
    IncompleteCholesky, Jacobi, Preconditioner, SolveError, check_ground, choose,
    conjugate_gradients, factor_skeleton,
};
use crate::Laplacian;
use crate::sparsify::{Rule, SparsifyParams, sparsify};
use palmette_core::linop::Identity;
use palmette_core::{Cancel, DEFAULT_SEED, LinOp};
use rayon::prelude::*;
use std::time::Instant;

/// Bytes per edge and vertex that `auto` lets a factor take on a large graph.
const CHEAP_FACTOR: u64 = 256;

/// Options of a [`Solver`].
#[derive(Debug, Clone, PartialEq)]
pub struct SolveParams {
    /// What conjugate gradients are helped by.
    pub preconditioner: Preconditioner,
    /// The relative residual `‖b − A x‖ / ‖b‖` to reach.
    pub tolerance: f64,
    /// The most iterations for a right-hand side.
    pub max_iterations: usize,
    /// The seed of random choices.
    pub seed: u64,
    /// The most bytes for a factor and its making; by default three quarters of what is available.
    pub memory: Option<u64>,
    /// How the skeleton is made ([`Preconditioner::Sparsifier`] only).
    pub sparsify: SparsifyParams,
    /// Ends solves early with [`CgError::Cancelled`](super::CgError), after their current iteration,
    /// and the setup, at the latest after the stage of an exact factor that is under way.
    pub cancel: Option<Cancel>,
}

impl SolveParams {
    /// Checks the tolerance and the limit on iterations.
    ///
    /// # Errors
    /// Those of [`CgParams::check`].
    pub fn check(&self) -> Result<(), SolveError> {
        Ok(self.iterations().check()?)
    }

    /// When conjugate gradients stop.
    fn iterations(&self) -> CgParams {
        let SolveParams { tolerance, max_iterations, .. } = *self;
        CgParams { tolerance, max_iterations, cancel: self.cancel.clone() }
    }
}

impl Default for SolveParams {
    fn default() -> Self {
        let CgParams { tolerance, max_iterations, cancel } = CgParams::default();
        SolveParams {
            preconditioner: Preconditioner::Auto,
            tolerance,
            max_iterations,
            seed: DEFAULT_SEED,
            memory: None,
            sparsify: SparsifyParams { rule: Rule::Fegrass, ..Default::default() },
            cancel,
        }
    }
}

/// What was made before the first solve, and how long it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    /// The preconditioner; never [`Preconditioner::Auto`].
    pub preconditioner: Preconditioner,
    /// Bytes that a factor of the graph would have taken, where `auto` went without it.
    pub avoided: Option<u64>,
    /// Entries of the factor, where there is one.
    pub entries: Option<u64>,
    /// Edges of the skeleton, ground's included, where there is one.
    pub skeleton_edges: Option<usize>,
    /// Seconds to make the skeleton.
    pub sparsify_seconds: f64,
    /// Seconds to order the vertices and lay out the factor.
    pub order_seconds: f64,
    /// Seconds to factor, or to make whatever else the preconditioner needs.
    pub factor_seconds: f64,
}

/// Potentials, and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// By vertex, its potential; means of floating components are 0.
    pub x: Vec<f64>,
    /// Iterations done.
    pub iterations: usize,
    /// The relative residual that was reached, computed from potentials.
    pub residual: f64,
    /// The relative residual before the first and after each iteration.
    pub history: Vec<f64>,
    /// The largest mean of currents that was taken out of a floating component, in absolute
    /// value.
    pub imbalance: f64,
    /// Seconds for this solve.
    pub seconds: f64,
}

/// A Laplacian with a preconditioner.
///
/// ```
/// use palmette_core::Graph;
/// use palmette_graph::{Laplacian, solve::Solver};
/// let path = Graph::from_edges(3, &[(0, 1, 2.0), (1, 2, 1.0)])?;
/// let laplacian = Laplacian::new(&path, Some(&[4.0, 0.0, 0.0]));
/// let solution = Solver::new(&laplacian, &Default::default())?.solve(&[0.0, 0.0, 1.0])?;
/// assert_eq!(solution.x, [0.25, 0.75, 1.75]);
/// # Ok::<(), palmette_graph::solve::SolveError>(())
/// ```
pub struct Solver<'a> {
    laplacian: &'a Laplacian<'a>,
    inverse: Box<dyn LinOp + Send + 'a>,
    params: CgParams,
    setup: Setup,
}

type Made<'a> = (Box<dyn LinOp + Send + 'a>, Setup);

impl<'a> Solver<'a> {
    /// Makes the preconditioner.
    ///
    /// # Errors
    /// As [`SolveParams::check`]; a conductance to ground that is none; a factor that is too
    /// large; a graph that cannot be sparsified; cancelled.
    pub fn new(laplacian: &'a Laplacian<'a>, params: &SolveParams) -> Result<Self, SolveError> {
        params.check()?;
        check_ground(laplacian)?;
        let (inverse, setup) = match params.preconditioner {
            Preconditioner::Auto => make_automatic(laplacian, params)?,
            named => make(laplacian, named, params)?,
        };
        Ok(Solver { laplacian, inverse, params: params.iterations(), setup })
    }

    /// What was made, and how long it took.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The preconditioner by itself, for iterations of the caller's: writes an approximate
    /// solution for `currents` to `potentials`. Means of floating components are taken out of
    /// both, so that it is symmetric and positive where the matrix is.
    ///
    /// # Errors
    /// [`SolveError::Length`] when a vector has not one entry per vertex.
    pub fn precondition(&self, currents: &[f64], potentials: &mut [f64]) -> Result<(), SolveError> {
        let expected = self.laplacian.size();
        for actual in [currents.len(), potentials.len()] {
            if actual != expected {
                return Err(SolveError::Length { expected, actual });
            }
        }
        let mut balanced = currents.to_vec();
        self.laplacian.balance(&mut balanced);
        self.inverse.apply(&balanced, potentials);
        self.laplacian.balance(potentials);
        Ok(())
    }

    /// A flag that cancels the next solves, instead of [`SolveParams::cancel`].
    pub fn set_cancel(&mut self, cancel: Option<Cancel>) {
        self.params.cancel = cancel;
    }

    /// Potentials for currents.
    ///
    /// # Errors
    /// [`SolveError::Length`], [`SolveError::Current`] for currents that do not fit;
    /// [`SolveError::Iteration`], [`SolveError::Overflow`].
    pub fn solve(&self, currents: &[f64]) -> Result<Solution, SolveError> {
        let start = Instant::now();
        let n = self.laplacian.size();
        if currents.len() != n {
            return Err(SolveError::Length { expected: n, actual: currents.len() });
        }
        if let Some(vertex) = currents.iter().position(|b| !b.is_finite()) {
            return Err(SolveError::Current { vertex, value: currents[vertex] });
        }
        let (mut b, scale) = scaled(currents);
        let imbalance = self.laplacian.balance(&mut b) / scale;
        let floating = Floating::of(self.laplacian);
        let found =
            conjugate_gradients(self.laplacian, &*self.inverse, floating, &b, &self.params)?;
        let mut x = found.x;
        self.laplacian.balance(&mut x);
        x.par_iter_mut().with_min_len(1 << 14).for_each(|x| *x /= scale);
        if let Some(vertex) = x.iter().position(|x| !x.is_finite()) {
            return Err(SolveError::Overflow { vertex });
        }
        Ok(Solution {
            x,
            iterations: found.iterations,
            residual: found.residual,
            history: found.history,
            imbalance,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Potentials for each of several currents; as many at a time as there are threads.
    ///
    /// # Errors
    /// As [`Solver::solve`]: the error of the first that fails.
    pub fn solve_many(&self, currents: &[Vec<f64>]) -> Result<Vec<Solution>, SolveError> {
        self.solve_each(currents.len(), |k| self.solve(&currents[k]))
    }

    /// Runs `solve` for numbers below `count`, as many at a time as there are threads: that
    /// bounds the memory of solves under way.
    pub(crate) fn solve_each<T: Send>(
        &self,
        count: usize,
        solve: impl Fn(usize) -> Result<T, SolveError> + Sync,
    ) -> Result<Vec<T>, SolveError> {
        let mut answers = Vec::with_capacity(count);
        let together = rayon::current_num_threads();
        for first in (0..count).step_by(together) {
            let some = first..(first + together).min(count);
            let some: Vec<Result<T, SolveError>> = some.into_par_iter().map(&solve).collect();
            for answer in some {
                answers.push(answer?);
            }
        }
        Ok(answers)
    }
}

/// A copy whose largest entry is near 1, so that squares are numbers, and the power of
/// two that it was multiplied by.
fn scaled(currents: &[f64]) -> (Vec<f64>, f64) {
    let largest = currents.iter().fold(0f64, |largest, b| largest.max(b.abs()));
    let exponent = largest.to_bits() >> 52;
    // The exponents of a number and of its scale add up to twice that of 1, which is 1023.
    // The scale of the very largest and smallest numbers stays a normal number.
    let opposite = if largest == 0.0 { 1023 } else { (2046 - exponent).clamp(1, 2045) };
    let scale = f64::from_bits(opposite << 52);
    (currents.iter().map(|b| b * scale).collect(), scale)
}

fn make_automatic<'a>(
    laplacian: &'a Laplacian<'a>,
    params: &SolveParams,
) -> Result<Made<'a>, SolveError> {
    let chosen = choose(laplacian);
    if chosen != Preconditioner::Direct {
        return make(laplacian, chosen, params);
    }
    // Few edges beyond a forest do not always mean little fill: random graphs fill in.
    let graph = laplacian.graph();
    let cheap = ((graph.len() + graph.edge_count()) as u64 * CHEAP_FACTOR).max(1 << 26);
    let memory = Some(allowed(params.memory).min(cheap));
    match make(laplacian, chosen, &SolveParams { memory, ..params.clone() }) {
        Err(error @ (SolveError::Memory { .. } | SolveError::Entries { .. })) => {
            let (inverse, setup) = make(laplacian, Preconditioner::ApproximateCholesky, params)?;
            let avoided = match error {
                SolveError::Memory { needed, .. } => Some(needed),
                _ => None,
            };
            Ok((inverse, Setup { avoided, ..setup }))
        }
        made => made,
    }
}

fn make<'a>(
    laplacian: &'a Laplacian<'a>,
    preconditioner: Preconditioner,
    params: &SolveParams,
) -> Result<Made<'a>, SolveError> {
    let mut setup = Setup {
        preconditioner,
        avoided: None,
        entries: None,
        skeleton_edges: None,
        sparsify_seconds: 0.0,
        order_seconds: 0.0,
        factor_seconds: 0.0,
    };
    let start = Instant::now();
    let cancel = params.cancel.as_ref();
    check_cancel(cancel)?;
    let inverse: Box<dyn LinOp + Send + 'a> = match preconditioner {
        Preconditioner::Auto => return make_automatic(laplacian, params),
        Preconditioner::None => Box::new(Identity(laplacian.size())),
        Preconditioner::Jacobi => Box::new(Jacobi::new(laplacian)),
        Preconditioner::IncompleteCholesky => {
            let factor = IncompleteCholesky::new(laplacian, &Default::default(), cancel);
            setup.entries = Some(factor.entries());
            Box::new(factor)
        }
        Preconditioner::Tree => Box::new(Forest::new(laplacian)?),
        Preconditioner::Sparsifier => {
            let augmented = Augmented::new(laplacian)?;
            let skeleton = sparsify(augmented.graph(), &params.sparsify)?.graph(augmented.graph());
            setup.sparsify_seconds = start.elapsed().as_secs_f64();
            setup.skeleton_edges = Some(skeleton.edge_count());
            let factor = factor_skeleton(&augmented, &skeleton, params.memory, cancel)?;
            return Ok(with_factor(factor, setup));
        }
        Preconditioner::ApproximateCholesky => {
            let options = ApproximateCholeskyParams { seed: params.seed, ..Default::default() };
            let factor = ApproximateCholesky::until(cancel, laplacian, &options);
            setup.entries = Some(factor.entries() as u64);
            Box::new(factor)
        }
        Preconditioner::Direct => {
            return Ok(with_factor(Factor::new(laplacian, params.memory, cancel)?, setup));
        }
    };
    // What was cancelled on the way is unfinished.
    check_cancel(cancel)?;
    setup.factor_seconds = start.elapsed().as_secs_f64();
    Ok((inverse, setup))
}

fn with_factor<'a>(factor: Factor, mut setup: Setup) -> Made<'a> {
    setup.entries = Some(factor.entries());
    setup.order_seconds = factor.order_seconds();
    setup.factor_seconds = factor.factor_seconds();
    (Box::new(factor), setup)
}
