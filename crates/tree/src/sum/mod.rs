//! Sums of floats that can be trusted: plain, compensated or exact, with bounds on their errors.
//!
//! **Problem.** Input: a tree, a float at every position. Output: the sums of rootfix or
//! leaffix; on request, with each sum a number that its error does not exceed.
//!
//! | summation | error of a sum s of values with magnitudes A, h additions deep | cost |
//! |---|---|---|
//! | [`Summation::Plain`] | h u A | that of the engine |
//! | [`Summation::Compensated`] | U \|s\| + 2 h 2^-53 A (f32), U \|s\| + 4 (h u)² A (f64) | below twice that, as a rule |
//! | [`Summation::Exact`] | U \|s\|, the nearest float | more, by the range of the values |
//!
//! U is the unit of the type, 2^-24 or 2^-53; of the first three, what is given here is the
//! first order.
//!
//! **Method.** Plain sums run on the engines as they are. Wide sums run by blocks
//! (`blocks/`) for `auto`, `sequential` and `threads`, and as operators through the engines
//! `levels`, `euler` and `contract`.
//!
//! **Determinism.** For all three: the same bits on any number of threads. Exact sums: on any
//! engine, too.
//!
//! **NaN, infinity, overflow** follow IEEE 754 and are counted: [`Findings`].

mod blocks;
mod bound;
mod compensated;
mod distributed;
mod exact;
mod fixed;
mod float;
mod generic;
mod special;
mod words;

pub use compensated::Compensated;
pub use distributed::{DistributedSums, distributed_sums, distributed_sums_of_columns};
pub use float::Float;
pub use special::{Findings, vertex_findings};

use crate::engine::check_length;
use crate::{Direction, Engine, Scope, TreefixError, TreefixParams, sums_by_vertex};
use blocks::{Carrier, Job};
use bound::ErrorBound;
use palmette_core::memory::{huge_vec, kept};
use palmette_core::operator::Sum;
use palmette_core::tree::VertexOrder;
use palmette_core::{Tree, named};
use rayon::prelude::*;

named! {
    /// How floats are added.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum Summation("summation") {
        /// In their own type, in the engine's brackets.
        #[default]
        Plain = "plain",
        /// In a wider number, rounded once: see [`Compensated`].
        Compensated = "compensated",
        /// Without any error, rounded once: the nearest float.
        Exact = "exact",
    }
}

/// How sums are computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SumParams {
    /// Whether a vertex's own value is included.
    pub scope: Scope,
    /// Which engine.
    pub engine: Engine,
    /// Plain, compensated or exact.
    pub summation: Summation,
    /// Whether to give a bound with each sum.
    pub bounds: bool,
}

/// Sums and what is known of them, in the order of the values.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums<T> {
    /// The sums.
    pub sums: Vec<T>,
    /// What the error of each does not exceed, if asked for; infinite where overflow cannot
    /// be excluded.
    pub bounds: Option<Vec<f64>>,
    /// The engine that ran.
    pub engine: Engine,
    /// What is not finite.
    pub findings: Findings,
}

/// The sums of a rootfix or leaffix.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::sum::{SumParams, Summation, tree_sums};
/// use palmette_tree::Direction;
/// let tree = Tree::from_parents(&[NONE, 0, 1, 2]).unwrap();
/// let values = [1e8f32, 1.0, -1e8, 0.5];
/// let params = SumParams { summation: Summation::Exact, bounds: true, ..Default::default() };
/// let found = tree_sums(&tree, Direction::Rootfix, &values, params).unwrap();
/// assert_eq!(found.sums, [1e8, 1e8, 1.0, 1.5]);
/// let plain = tree_sums(&tree, Direction::Rootfix, &values, SumParams { bounds: true, ..Default::default() }).unwrap();
/// assert_eq!(plain.sums, [1e8, 1e8, 0.0, 0.5]);
/// assert!(plain.bounds.unwrap()[3] >= 1.0);
/// ```
///
/// # Errors
/// A wrong number of values.
pub fn tree_sums<T: Float>(
    tree: &Tree,
    direction: Direction,
    values: &[T],
    params: SumParams,
) -> Result<Sums<T>, TreefixError> {
    check_length(tree, values.len())?;
    let engine = match params.summation {
        Summation::Plain => params.engine.choose(tree, direction, &Sum::<T>::new()),
        _ if params.engine == Engine::Auto => Engine::Threads,
        _ => params.engine,
    };
    let params = SumParams { engine, ..params };
    let mut sums = huge_vec(tree.len(), T::ZERO);
    match params.summation {
        Summation::Plain => {
            generic::pass(tree, direction, values, &Sum::new(), params, &mut sums)?;
        }
        Summation::Compensated => {
            wide(tree, direction, values, &Compensated::new(), params, &mut sums)?;
        }
        Summation::Exact => exact::exact(tree, direction, values, params, &mut sums)?,
    }
    let repair = params.summation == Summation::Exact;
    let findings = special::find(tree, direction, values, params, repair, &mut sums)?;
    let bounds = match params.bounds {
        true => Some(bounds(tree, direction, values, params, &sums)?),
        false => None,
    };
    Ok(Sums { sums, bounds, engine, findings })
}

/// The sums of values by vertex: all of the answer is by vertex. `order` is the tree's, or
/// [`VertexOrder::Preorder`] if both are by position.
///
/// # Errors
/// As [`tree_sums`].
pub fn vertex_sums<T: Float>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[T],
    params: SumParams,
) -> Result<Sums<T>, TreefixError> {
    check_length(tree, values.len())?;
    if params.summation == Summation::Plain && !params.bounds {
        let mut sums = kept::take(values.len());
        let (engine, findings) =
            vertex_sums_into(tree, order, direction, values, params, &mut sums)?;
        return Ok(Sums { sums, bounds: None, engine, findings });
    }
    if order == VertexOrder::Preorder {
        return tree_sums(tree, direction, values, params);
    }
    let lost = |_| TreefixError::Length { expected: tree.len(), actual: values.len() };
    let values = tree.to_positions(values).map_err(lost)?;
    let Sums { sums, bounds, engine, findings } = tree_sums(tree, direction, &values, params)?;
    let sums = tree.to_vertices(&sums).map_err(lost)?;
    let bounds = bounds.map(|bounds| tree.to_vertices(&bounds).map_err(lost)).transpose()?;
    Ok(Sums { sums, bounds, engine, findings })
}

/// Plain sums of values by vertex, into a slice by vertex.
///
/// # Errors
/// As [`tree_sums`]; also when `sums` has another length than the tree.
pub fn vertex_sums_into<T: Float>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[T],
    params: SumParams,
    sums: &mut [T],
) -> Result<(Engine, Findings), TreefixError> {
    let (scope, engine) = (params.scope, params.engine);
    let params = TreefixParams { scope, engine };
    let (engine, noted) = sums_by_vertex(tree, order, direction, values, params, sums)?;
    // A value that is not finite is part of a sum: its own, unless it is left out.
    let finite = match noted {
        Some(noted) => !noted,
        None => special::all_finite(sums),
    } && (scope == Scope::Inclusive || special::all_finite(values));
    let findings = match finite {
        true => Findings::default(),
        false => vertex_findings(tree, order, direction, values, scope, sums)?,
    };
    Ok((engine, findings))
}

/// Sums in wide elements, by the engine that `params` names.
fn wide<C: Carrier>(
    tree: &Tree,
    direction: Direction,
    values: &[C::Value],
    op: &C,
    params: SumParams,
    out: &mut [C::Answer],
) -> Result<(), TreefixError> {
    if matches!(params.engine, Engine::Sequential | Engine::Threads) {
        let (scope, alone) = (params.scope, params.engine == Engine::Sequential);
        Job { tree, values, op, scope, alone }.run(direction, out);
        return Ok(());
    }
    generic::carried(values, op, out, |elements, sums| {
        generic::published(tree, direction, elements, &op.engine(), params, sums);
        Ok(())
    })
}

/// What the errors of these sums do not exceed.
fn bounds<T: Float>(
    tree: &Tree,
    direction: Direction,
    values: &[T],
    params: SumParams,
    sums: &[T],
) -> Result<Vec<f64>, TreefixError> {
    if params.summation == Summation::Exact {
        return Ok(bound::of_exact(sums));
    }
    let mut errors = huge_vec(sums.len(), [0.0; 2]);
    if params.summation == Summation::Plain {
        let op = ErrorBound::<T>::plain();
        generic::carried(values, &op, &mut errors, |elements, errors| {
            generic::pass(tree, direction, elements, &op.engine(), params, errors)
        })?;
        return Ok(errors.into_par_iter().map(|[error, _]| error).collect());
    }
    wide(tree, direction, values, &ErrorBound::<T>::wide(), params, &mut errors)?;
    Ok(sums.par_iter().zip(errors).map(|(&sum, errors)| bound::rounded(sum, errors)).collect())
}
