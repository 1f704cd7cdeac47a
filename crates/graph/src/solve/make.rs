//! Making preconditioners: the one that is named, or the one that `auto` takes.
//!
//! **Method.** [`choose`](super::choose) says by what `auto` decides. Where its trial on the real
//! right-hand side has not converged, the iterate goes on as a first guess ([`Begun`]).

use super::choose::{Structure, random_currents, structure, worthwhile};
use super::factor::{allowed, check_cancel};
use super::trial::trial;
use super::{
    ApproximateCholesky, ApproximateCholeskyParams, Augmented, Factor, FactorLimits, Forest,
    IncompleteCholesky, Jacobi, Preconditioner, SolveError, SolveParams, factor_skeleton,
};
use crate::Laplacian;
use crate::sparsify::sparsify;
use palmette_core::LinOp;
use palmette_core::linop::Identity;
use std::time::Instant;

/// Bytes per edge and vertex that `auto` lets a factor take on a large graph.
const CHEAP_FACTOR: u64 = 256;

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

impl Setup {
    /// Nothing made yet.
    fn of(preconditioner: Preconditioner) -> Setup {
        Setup {
            preconditioner,
            avoided: None,
            entries: None,
            skeleton_edges: None,
            sparsify_seconds: 0.0,
            order_seconds: 0.0,
            factor_seconds: 0.0,
        }
    }
}

/// What a trial with the diagonal left behind for the solve it was part of.
#[derive(Debug, Default)]
pub(super) struct Begun {
    pub(super) guess: Option<Vec<f64>>,
    pub(super) history: Vec<f64>,
}

/// A preconditioner: a factor, or something else.
pub(super) enum Inverse<'a> {
    Factor(Box<Factor>),
    Other(Box<dyn LinOp + Send + 'a>),
}

impl LinOp for Inverse<'_> {
    fn size(&self) -> usize {
        match self {
            Inverse::Factor(factor) => factor.size(),
            Inverse::Other(other) => other.size(),
        }
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        match self {
            Inverse::Factor(factor) => factor.apply(x, y),
            Inverse::Other(other) => other.apply(x, y),
        }
    }
}

pub(super) type Made<'a> = (Inverse<'a>, Setup);

/// What `auto` takes; `b` gives the currents of a trial, if there is one.
pub(super) fn make_automatic<'a>(
    laplacian: &'a Laplacian<'a>,
    params: &SolveParams,
    b: impl FnOnce() -> Vec<f64>,
) -> Result<(Made<'a>, Begun), SolveError> {
    let spreads = match structure(laplacian) {
        Structure::Certain(Preconditioner::Direct) => {
            return Ok((make_cheap_factor(laplacian, params)?, Begun::default()));
        }
        Structure::Certain(other) => {
            return Ok((make(laplacian, other, params)?, Begun::default()));
        }
        Structure::Open { spreads } => spreads,
    };
    let count = params.right_hand_sides;
    if let Some(work) = worthwhile(laplacian, spreads, params.tolerance, count) {
        let work = Some(params.work.map_or(work, |limit| limit.min(work)));
        let limits = FactorLimits { memory: params.memory, work, solves: count as u64 };
        match Factor::within(laplacian, &limits, params.cancel.as_ref()) {
            Ok(factor) => {
                let setup = Setup::of(Preconditioner::Direct);
                return Ok((with_factor(factor, setup), Begun::default()));
            }
            Err(
                SolveError::Memory { .. } | SolveError::Entries { .. } | SolveError::Work { .. },
            ) => {}
            Err(other) => return Err(other),
        }
    }
    let start = Instant::now();
    let (b, jacobi) = (b(), Jacobi::new(laplacian));
    let tried = trial(laplacian, &jacobi, &b, (spreads, count), &params.iterations());
    check_cancel(params.cancel.as_ref())?;
    let reached = tried.reached;
    let history = tried.run.history;
    let begun = Begun { guess: Some(tried.run.vectors.into_x()), history };
    let seconds = start.elapsed().as_secs_f64();
    let taken = if reached { Preconditioner::Jacobi } else { Preconditioner::ApproximateCholesky };
    let mut made = make(laplacian, taken, params)?;
    made.1.factor_seconds += seconds;
    Ok((made, begun))
}

/// A factor of a graph that should fill in little. Few edges beyond a forest do not always mean
/// so: random graphs fill in, and get an approximate one.
fn make_cheap_factor<'a>(
    laplacian: &'a Laplacian<'a>,
    params: &SolveParams,
) -> Result<Made<'a>, SolveError> {
    let graph = laplacian.graph();
    let cheap = ((graph.len() + graph.edge_count()) as u64 * CHEAP_FACTOR).max(1 << 26);
    let memory = Some(allowed(params.memory).min(cheap));
    match make(laplacian, Preconditioner::Direct, &SolveParams { memory, ..params.clone() }) {
        Err(
            error @ (SolveError::Memory { .. }
            | SolveError::Entries { .. }
            | SolveError::Work { .. }),
        ) => {
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

/// Makes a preconditioner.
pub(super) fn make<'a>(
    laplacian: &'a Laplacian<'a>,
    preconditioner: Preconditioner,
    params: &SolveParams,
) -> Result<Made<'a>, SolveError> {
    let mut setup = Setup::of(preconditioner);
    let start = Instant::now();
    let cancel = params.cancel.as_ref();
    check_cancel(cancel)?;
    let inverse: Box<dyn LinOp + Send + 'a> = match preconditioner {
        Preconditioner::Auto => {
            return Ok(make_automatic(laplacian, params, || random_currents(laplacian))?.0);
        }
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
            let limits = FactorLimits { memory: params.memory, work: params.work, solves: 0 };
            return Ok(with_factor(Factor::within(laplacian, &limits, cancel)?, setup));
        }
    };
    // What was cancelled on the way is unfinished.
    check_cancel(cancel)?;
    setup.factor_seconds = start.elapsed().as_secs_f64();
    Ok((Inverse::Other(inverse), setup))
}

fn with_factor<'a>(factor: Factor, mut setup: Setup) -> Made<'a> {
    setup.entries = Some(factor.entries());
    setup.order_seconds = factor.order_seconds();
    setup.factor_seconds = factor.factor_seconds();
    (Inverse::Factor(Box::new(factor)), setup)
}
