//! NaN, infinities and overflow: what sums do with them, and how often it happened.
//!
//! A sum follows IEEE 754: it is NaN when one of its values is, or when infinities of both
//! signs are among them; else it is infinite when one of its values is. Exact sums have no
//! other way to be so than the rounding of a number that is too large.

use super::{Float, SumParams, generic};
use crate::{Direction, Engine, Scope, TreefixError, TreefixParams, by_vertex};
use palmette_core::operator::Or;
use palmette_core::tree::VertexOrder;
use palmette_core::{Tree, parallel};
use rayon::prelude::*;

/// What is not finite among values and sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Findings {
    /// Values that are NaN.
    pub nan_values: usize,
    /// Values that are infinite.
    pub infinite_values: usize,
    /// Sums that are NaN.
    pub nan_sums: usize,
    /// Sums that are infinite.
    pub infinite_sums: usize,
    /// Sums that are infinite or NaN although all their values are finite: they, or partial
    /// sums on the way, overflow. The Euler engine adds and takes away values of other
    /// vertices; theirs count as well.
    pub overflows: usize,
}

impl Findings {
    /// What there is in two computations together.
    #[must_use]
    pub fn and(self, other: Findings) -> Findings {
        Findings {
            nan_values: self.nan_values + other.nan_values,
            infinite_values: self.infinite_values + other.infinite_values,
            nan_sums: self.nan_sums + other.nan_sums,
            infinite_sums: self.infinite_sums + other.infinite_sums,
            overflows: self.overflows + other.overflows,
        }
    }
}

const PLUS: u32 = 1;
const MINUS: u32 = 2;
const NAN: u32 = 4;

/// What of the three a value is, as a bit; 0 where it is finite.
pub(super) fn kind<T: Float>(value: T) -> u32 {
    match value.as_f64() {
        x if x.is_nan() => NAN,
        f64::INFINITY => PLUS,
        f64::NEG_INFINITY => MINUS,
        _ => 0,
    }
}

/// Numbers that are worth a task. With fewer, nothing here starts a pool: callers from Python may have
/// none.
const GRAIN: usize = 1 << 14;

/// How many are NaN, and how many infinite. As a rule none is, and one sweep of comparisons
/// without branches says so.
pub(super) fn count<T: Float>(numbers: &[T]) -> [usize; 2] {
    let row = |row: &[T]| {
        if row.iter().fold(true, |all, x| all & x.as_f64().is_finite()) {
            return [0; 2];
        }
        let is_nan = |x: &&T| kind(**x) == NAN;
        let is_infinite = |x: &&T| kind(**x) & (PLUS | MINUS) != 0;
        [row.iter().filter(is_nan).count(), row.iter().filter(is_infinite).count()]
    };
    let plus = |a: [usize; 2], b: [usize; 2]| [a[0] + b[0], a[1] + b[1]];
    match numbers.len() < Engine::PARALLEL_FROM {
        true => row(numbers),
        false => numbers.par_chunks(GRAIN).map(row).reduce(|| [0; 2], plus),
    }
}

/// Whether all are finite, found without branches.
pub(super) fn all_finite<T: Float>(numbers: &[T]) -> bool {
    let row = |row: &[T]| row.iter().fold(true, |all, x| all & x.as_f64().is_finite());
    match numbers.len() < Engine::PARALLEL_FROM {
        true => row(numbers),
        false => numbers.par_chunks(GRAIN).all(row),
    }
}

/// Counts what is not finite among values and sums by vertex.
///
/// # Errors
/// A wrong number of values.
pub fn vertex_findings<T: Float>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[T],
    scope: Scope,
    sums: &[T],
) -> Result<Findings, TreefixError> {
    let [nan_values, infinite_values] = count(values);
    let [nan_sums, infinite_sums] = count(sums);
    let mut found = Findings { nan_values, infinite_values, nan_sums, infinite_sums, overflows: 0 };
    found.overflows = match nan_values + infinite_values {
        0 => nan_sums + infinite_sums,
        _ => {
            let kinds = parallel::map(values.len(), GRAIN, |v| kind(values[v]));
            let mut among = vec![0; kinds.len()];
            let params = TreefixParams { scope, engine: Engine::Sequential };
            by_vertex(tree, order, direction, &kinds, &Or::new(), params, &mut among)?;
            overflows(&among, sums)
        }
    };
    Ok(found)
}

/// Counts what is not finite; `repair` puts in what IEEE asks for, for sums that left such
/// values out.
pub(super) fn find<T: Float>(
    tree: &Tree,
    direction: Direction,
    values: &[T],
    params: SumParams,
    repair: bool,
    sums: &mut [T],
) -> Result<Findings, TreefixError> {
    let [nan_values, infinite_values] = count(values);
    let [nan_sums, infinite_sums] = count(sums);
    let mut found = Findings { nan_values, infinite_values, nan_sums, infinite_sums, overflows: 0 };
    if nan_values + infinite_values == 0 {
        found.overflows = nan_sums + infinite_sums;
        return Ok(found);
    }
    let kinds = parallel::map(values.len(), GRAIN, |v| kind(values[v]));
    let mut among = vec![0; kinds.len()];
    let params = SumParams { engine: Engine::Sequential, ..params };
    generic::pass(tree, direction, &kinds, &Or::new(), params, &mut among)?;
    if repair {
        put(&among, sums);
        [found.nan_sums, found.infinite_sums] = count(sums);
    }
    found.overflows = overflows(&among, sums);
    Ok(found)
}

/// Puts in what IEEE asks for, from the kinds of values in each sum.
pub(super) fn put<T: Float>(among: &[u32], sums: &mut [T]) {
    sums.par_iter_mut().zip(among).for_each(|(sum, &among)| match among {
        0 => (),
        PLUS => *sum = T::nearest(f64::INFINITY),
        MINUS => *sum = T::nearest(f64::NEG_INFINITY),
        _ => *sum = T::nearest(f64::NAN),
    });
}

/// Sums that are not finite although all their values are.
pub(super) fn overflows<T: Float>(among: &[u32], sums: &[T]) -> usize {
    let lost = |(&sum, &among): (&T, &u32)| among == 0 && kind(sum) != 0;
    match sums.len() < Engine::PARALLEL_FROM {
        true => sums.iter().zip(among).filter(|&(s, a)| lost((s, a))).count(),
        false => sums.par_iter().zip(among).filter(|&(s, a)| lost((s, a))).count(),
    }
}
