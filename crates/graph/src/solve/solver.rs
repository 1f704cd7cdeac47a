//! A preconditioner that is made once, and solves with it.
//!
//! **Determinism.** Right-hand sides are scaled by powers of two, which changes no digit;
//! that several are solved at the same time shows in no answer.

use super::choose::random_currents;
use super::conjugate_gradients::{System, improve};
use super::factor::check_cancel;
use super::make::{Begun, Inverse, Setup, make, make_automatic};
use super::vectors::square_and_sum;
use super::{CgError, CgParams, Factor, Preconditioner, SolveError, Stop, check_ground};
use crate::Laplacian;
use crate::sparsify::{Rule, SparsifyParams};
use palmette_core::{Cancel, DEFAULT_SEED, LinOp};
use rayon::prelude::*;
use std::time::Instant;

/// Right-hand sides that a thread solves for at once.
pub(super) const BLOCK: usize = 8;

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
    /// The most operations for making a factor ([`super::FactorLimits::work`]); by default any number.
    pub work: Option<u64>,
    /// What the tolerance is compared with.
    pub stop: Stop,
    /// How many right-hand sides are to be expected: what [`Preconditioner::Auto`] takes depends
    /// on it.
    pub right_hand_sides: usize,
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
    pub(super) fn iterations(&self) -> CgParams {
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
            work: None,
            stop: Stop::default(),
            right_hand_sides: 1,
            sparsify: SparsifyParams { rule: Rule::Spectral, ..Default::default() },
            cancel,
        }
    }
}

/// Potentials, and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// By vertex, its potential; means of floating components are 0.
    pub x: Vec<f64>,
    /// Iterations done.
    pub iterations: usize,
    /// What was compared with the tolerance, computed from potentials: the relative residual, or
    /// the backward error.
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
    pub(super) laplacian: &'a Laplacian<'a>,
    pub(super) inverse: Inverse<'a>,
    params: CgParams,
    stop: Stop,
    setup: Setup,
}

impl<'a> Solver<'a> {
    /// Makes the preconditioner.
    ///
    /// # Errors
    /// As [`SolveParams::check`]; a conductance to ground that is none; a factor that is too
    /// large; a graph that cannot be sparsified; cancelled.
    pub fn new(laplacian: &'a Laplacian<'a>, params: &SolveParams) -> Result<Self, SolveError> {
        let random = || random_currents(laplacian);
        Ok(Self::begin(laplacian, params, random)?.0)
    }

    /// Makes the preconditioner for currents that are known, and solves for them; as [`Solver::new`]
    /// and [`Solver::solve_many`], but that [`Preconditioner::Auto`] is chosen for as many
    /// right-hand sides, by a trial on the first, of which nothing is lost.
    ///
    /// # Errors
    /// As [`Solver::new`] and [`Solver::solve`].
    pub fn with_currents(
        laplacian: &'a Laplacian<'a>,
        params: &SolveParams,
        currents: &[Vec<f64>],
    ) -> Result<(Self, Vec<Solution>), SolveError> {
        let Some(first) = currents.first() else {
            return Ok((Self::new(laplacian, params)?, Vec::new()));
        };
        check_currents(laplacian, first)?;
        let params = SolveParams { right_hand_sides: currents.len(), ..params.clone() };
        let own = || {
            let mut b = scaled(first).0;
            laplacian.balance(&mut b);
            b
        };
        let (solver, begun) = Self::begin(laplacian, &params, own)?;
        if begun.guess.is_none() {
            let solutions = solver.solve_many(currents)?;
            return Ok((solver, solutions));
        }
        let mut solutions = vec![solver.finish(first, begun)?];
        solutions.extend(solver.solve_many(&currents[1..])?);
        Ok((solver, solutions))
    }

    fn begin(
        laplacian: &'a Laplacian<'a>,
        params: &SolveParams,
        b: impl FnOnce() -> Vec<f64>,
    ) -> Result<(Self, Begun), SolveError> {
        params.check()?;
        check_ground(laplacian)?;
        let ((inverse, setup), begun) = match params.preconditioner {
            Preconditioner::Auto => make_automatic(laplacian, params, b)?,
            named => (make(laplacian, named, params)?, Begun::default()),
        };
        let (iterations, stop) = (params.iterations(), params.stop);
        Ok((Solver { laplacian, inverse, params: iterations, stop, setup }, begun))
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
        check_currents(self.laplacian, currents)?;
        let begun = match self.exact() {
            Some(factor) => self.begin_exactly::<1>(factor, &[currents])?.pop().unwrap_or_default(),
            None => Begun::default(),
        };
        self.finish(currents, begun)
    }

    /// The factor of the graph itself, if there is one.
    fn exact(&self) -> Option<&Factor> {
        match &self.inverse {
            Inverse::Factor(factor) if self.setup.preconditioner == Preconditioner::Direct => {
                Some(factor)
            }
            _ => None,
        }
    }

    fn finish(&self, currents: &[f64], begun: Begun) -> Result<Solution, SolveError> {
        let start = Instant::now();
        let (mut b, scale) = scaled(currents);
        let imbalance = self.laplacian.balance(&mut b) / scale;
        let backward = (self.stop == Stop::Backward).then(|| self.laplacian.norm());
        let system = System { laplacian: self.laplacian, inverse: &self.inverse, backward };
        let Begun { guess, mut history } = begun;
        let found = improve(&system, guess, &b, &self.params)
            .map_err(|(error, x)| self.explain(error, &x, &b))?;
        let tried = history.len().saturating_sub(1);
        // Both have the residual at which the one ended and the other began.
        history.truncate(tried);
        history.extend(found.history);
        let mut x = found.x;
        self.laplacian.balance(&mut x);
        x.par_iter_mut().with_min_len(1 << 14).for_each(|x| *x /= scale);
        if let Some(vertex) = x.iter().position(|x| !x.is_finite()) {
            return Err(SolveError::Overflow { vertex });
        }
        Ok(Solution {
            x,
            iterations: tried + found.iterations,
            residual: found.residual,
            history,
            imbalance,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Says what accuracy rounding allows, where that is why a solve ended.
    fn explain(&self, error: SolveError, x: &[f64], b: &[f64]) -> SolveError {
        let norm = |v: &[f64]| square_and_sum(v)[0].sqrt();
        match error {
            SolveError::Iteration(CgError::NotConverged {
                iterations,
                residual,
                tolerance,
                history,
            }) if iterations < self.params.max_iterations => {
                let whole = match self.stop {
                    Stop::Backward => self.laplacian.norm() * norm(x) + norm(b),
                    _ => norm(b),
                };
                // Errors that hang together may do better than independent ones.
                let attainable = (self.laplacian.rounding(x) / whole).min(residual);
                if attainable < 0.1 * tolerance {
                    let error = CgError::NotConverged { iterations, residual, tolerance, history };
                    return error.into();
                }
                SolveError::Accuracy { iterations, residual, tolerance, attainable, history }
            }
            error => error,
        }
    }

    /// Potentials for each of several currents; as many at a time as there are threads, and with an
    /// exact factor eight times as many, so that it is read once for eight.
    ///
    /// # Errors
    /// As [`Solver::solve`]: the error of the first that fails.
    pub fn solve_many(&self, currents: &[Vec<f64>]) -> Result<Vec<Solution>, SolveError> {
        let Some(factor) = self.exact() else {
            return self.solve_each(currents.len(), |k| self.solve(&currents[k]));
        };
        currents.iter().try_for_each(|one| check_currents(self.laplacian, one))?;
        let share = currents.len().div_ceil(rayon::current_num_threads());
        let width = share.next_power_of_two().clamp(1, BLOCK);
        let blocks: Vec<&[Vec<f64>]> = currents.chunks(width).collect();
        let solved = self.solve_each(blocks.len(), |k| {
            let some: Vec<&[f64]> = blocks[k].iter().map(|one| &one[..]).collect();
            let begun = match width {
                1 => self.begin_exactly::<1>(factor, &some),
                2 => self.begin_exactly::<2>(factor, &some),
                4 => self.begin_exactly::<4>(factor, &some),
                _ => self.begin_exactly::<BLOCK>(factor, &some),
            }?;
            let pairs = some.into_iter().zip(begun);
            pairs.map(|(one, begun)| self.finish(one, begun)).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(solved.into_iter().flatten().collect())
    }

    /// What a factor gives for at most `L` right-hand sides, as first guesses that count as one
    /// iteration each.
    fn begin_exactly<const L: usize>(
        &self,
        factor: &Factor,
        currents: &[&[f64]],
    ) -> Result<Vec<Begun>, SolveError> {
        check_cancel(self.params.cancel.as_ref())?;
        let size = self.laplacian.size();
        let mut x = vec![[0.0; L]; size];
        let mut zero = [true; L];
        for (lane, one) in currents.iter().enumerate() {
            let mut b = scaled(one).0;
            self.laplacian.balance(&mut b);
            zero[lane] = b.iter().all(|b| *b == 0.0);
            x.iter_mut().zip(b).for_each(|(x, b)| x[lane] = b);
        }
        let mut y = vec![[0.0; L]; size];
        factor.apply_lanes(&x, &mut y);
        let guess = |lane: usize| {
            let mut guess: Vec<f64> = y.iter().map(|y| y[lane]).collect();
            self.laplacian.balance(&mut guess);
            guess
        };
        let begun = |lane: usize| match zero[lane] {
            true => Begun::default(),
            // The residual of the guess is still to be computed.
            false => Begun { guess: Some(guess(lane)), history: vec![1.0, f64::NAN] },
        };
        Ok((0..currents.len()).map(begun).collect())
    }

    /// Solves for right-hand sides below `count`, a few of which are in memory at a time, and shows
    /// their potentials to `take`, in order.
    pub(crate) fn solve_blocks(
        &self,
        count: usize,
        currents: impl Fn(usize) -> Vec<f64> + Sync,
        mut take: impl FnMut(usize, &[f64]),
    ) -> Result<(), SolveError> {
        let together = BLOCK * rayon::current_num_threads();
        for first in (0..count).step_by(together) {
            let last = (first + together).min(count);
            let some: Vec<Vec<f64>> = (first..last).map(&currents).collect();
            let solved = self.solve_many(&some)?;
            (first..).zip(solved).for_each(|(k, solution)| take(k, &solution.x));
        }
        Ok(())
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

fn check_currents(laplacian: &Laplacian<'_>, currents: &[f64]) -> Result<(), SolveError> {
    let n = laplacian.size();
    if currents.len() != n {
        return Err(SolveError::Length { expected: n, actual: currents.len() });
    }
    match currents.iter().position(|b| !b.is_finite()) {
        Some(vertex) => Err(SolveError::Current { vertex, value: currents[vertex] }),
        None => Ok(()),
    }
}
