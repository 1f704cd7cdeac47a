//! Plain sums on the calling thread.
//!
//! **Problem.** A pass over a hundred thousand vertices takes less time than waking a thread for it.
//! **Method.** Where one thread would sweep the tree anyway, the caller does it itself. What is unusual
//! (sums that wrap or are not finite) is left to [`aggregate_into`](super::aggregate_into), which looks
//! closer. **Cost.** That of the sweep. **Determinism.** The answers of `aggregate_into`.

use super::*;
use palmette_tree::sum::Findings;
use palmette_tree::sums_alone;

/// A column of numbers, which may be narrower than its sums.
#[derive(Debug, Clone, Copy)]
pub enum NarrowSlice<'a> {
    /// Integers of 32 bits, whose sums have 64.
    I32(&'a [i32]),
    /// Numbers of the type of their sums.
    Own(ValueSlice<'a>),
}

/// Plain sums, own values included, on the calling thread alone; `threads` is how many there could be.
/// None where these would compute them in another way, where types or lengths differ, and where a sum
/// wraps that should not or is not finite: `out` then holds anything.
///
/// ```
/// use palmette::{Direction, NONE, NarrowSlice, Tree, ValuesMut, aggregate_alone};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2])?;
/// let (values, mut sums) = (NarrowSlice::I32(&[5, -7, 0, 9]), [0; 4]);
/// let (leaffix, params) = (Direction::Leaffix, Default::default());
/// let filled = aggregate_alone(&tree, leaffix, values, false, &params, 1, ValuesMut::I64(&mut sums));
/// assert!(filled.is_some());
/// assert_eq!(sums, [-2, -7, 7, 9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn aggregate_alone(
    tree: &Tree,
    direction: Direction,
    values: NarrowSlice<'_>,
    wrapping: bool,
    params: &AggregateParams,
    threads: usize,
    out: ValuesMut<'_>,
) -> Option<Filled> {
    let &AggregateParams { scope, engine, summation, error_bound, .. } = params;
    let plain = summation == Summation::Plain && !error_bound && engine == Engine::Auto;
    if !plain || scope == Scope::Exclusive {
        return None;
    }
    let order = params.order(tree);
    let (noted, findings) = match (values, out) {
        (NarrowSlice::Own(ValueSlice::F64(x)), ValuesMut::F64(out)) if !wrapping => {
            (sums_alone(tree, order, direction, x, threads, out)?, Some(Findings::default()))
        }
        (NarrowSlice::Own(ValueSlice::F32(x)), ValuesMut::F32(out)) if !wrapping => {
            (sums_alone(tree, order, direction, x, threads, out)?, Some(Findings::default()))
        }
        (NarrowSlice::Own(ValueSlice::I64(x)), ValuesMut::I64(out)) => {
            (sums_alone(tree, order, direction, x, threads, out)?, None)
        }
        (NarrowSlice::I32(x), ValuesMut::I64(out)) => {
            (sums_alone(tree, order, direction, x, threads, out)?, None)
        }
        (NarrowSlice::Own(ValueSlice::U64(x)), ValuesMut::U64(out)) => {
            (sums_alone(tree, order, direction, x, threads, out)?, None)
        }
        _ => return None,
    };
    let engine = Some(Engine::Sequential);
    (!noted || wrapping).then_some(Filled { engine, findings })
}
