//! Aggregates whose operator and value type are known only when running.
//!
//! **Problem.** A tree, an operator by name, one or more typed columns of values by
//! *vertex*; out come typed columns by vertex: the rootfix or the leaffix; or, for
//! pairs of vertices, the product along the path between them.
//!
//! **Method.** One `match` over operators and types turns values into elements of one, two or four
//! words (`dispatch.rs`, `words.rs`); a problem runs an engine of [`palmette_tree`] on them
//! (`problem.rs`). Sums are computed on the values as they are.
//!
//! **Overflow.** Sums of integers are computed modulo 2^64. When the magnitudes of
//! all values together do not fit, all answers are counted again in 128 bits: a
//! partial sum that wrapped does no harm, an answer that does not fit is an error
//! unless [`Operator::Sum`] says `wrapping`. So the outcome does not depend on the engine.
//!
//! **Sums of floats** over trees are those of [`palmette_tree::sum`]: plain, compensated or
//! exact, with bounds on request, and with counts of what is not finite ([`Answer::findings`]).
//!
//! **Cost.** Linear; beside the engine's, at most two random accesses per vertex, and none if
//! vertices are numbered in preorder.

mod alone;
mod answer;
mod columns;
#[cfg(feature = "gpu")]
mod device;
mod direct;
mod dispatch;
mod distributed;
mod error;
mod float_sums;
mod local;
mod once;
mod operator;
mod problem;
mod reuse;
mod rounding;
mod spatial;
mod words;

pub use alone::{NarrowSlice, aggregate_alone};
pub use answer::{Answer, AnswerCells, AnswerColumn};
#[cfg(feature = "gpu")]
pub use device::{DeviceAggregate, device_aggregate, device_aggregate_paths, device_measure};
pub use direct::{DirectMessages, direct_messages};
pub use distributed::{distributed_aggregate, distributed_measure, distributed_needs_order};
pub use error::AggregateError;
pub use local::{Messages, local_broadcast, local_reduce};
pub(crate) use once::Once;
pub use once::{ONCE_BYTES, aggregate_once, needs_no_tree};
pub use operator::{Operator, OperatorName, OperatorParams};
pub use palmette_tree::Direction;
pub use reuse::{Filled, ValuesMut, aggregate_columns, aggregate_into};
#[cfg(feature = "pictures")]
pub(crate) use rounding::as_floats;
pub use rounding::{Agreement, agreement};
pub use spatial::{SpatialTreefix, SpatialTreefixParams, spatial_treefix};

use dispatch::{check, dispatch};
use float_sums::float_sums;
use palmette_core::operator::{Max, Number, Sum};
use palmette_core::tree::VertexOrder;
use palmette_core::{Monoid, Tree};
use palmette_io::{ValueSlice, ValueType, Values};
use palmette_tree::paths::HeavyPaths;
use palmette_tree::sum::Summation;
use palmette_tree::{Engine, Scope};
use problem::{Paths, Treefix};
use std::cell::RefCell;

/// How an aggregate is run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AggregateParams {
    /// Whether a vertex's own value is included. What is left without any value is the
    /// operator's identity.
    pub scope: Scope,
    /// Which engine.
    pub engine: Engine,
    /// How sums of floats are computed.
    pub summation: Summation,
    /// Give, beside each sum of floats, what its error does not exceed.
    pub error_bound: bool,
    /// Values and answers are in the tree's preorder ([`Tree::to_positions`]), not by vertex. So
    /// are vertices among the answers.
    pub preorder: bool,
}

impl AggregateParams {
    /// The order of values and answers.
    fn order<'a>(&self, tree: &'a Tree) -> VertexOrder<'a> {
        if self.preorder { VertexOrder::Preorder } else { tree.vertex_order() }
    }
}

/// How products along paths are computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PathParams {
    /// A vertex's value belongs to the edge above it: that of the lowest common
    /// ancestor is left out.
    pub on_edges: bool,
}

/// The aggregate at every vertex; values and answers are by vertex. An operator of one column takes
/// any number of them, each for itself: the answers have the columns of each in turn.
///
/// ```
/// use palmette::{AggregateParams, Direction, NONE, Operator, Tree, ValueSlice, Values, aggregate};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2])?;
/// let values = [ValueSlice::I64(&[5, -7, 0, 9])];
/// let params = AggregateParams::default();
/// let least = aggregate(&tree, Direction::Leaffix, Operator::Min, &values, &params)?;
/// assert_eq!(least.numbers(), Some(&Values::I64(vec![-7, -7, -7, 9])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the operator does not take such values or such a modulus, the Euler engine
/// is asked for an operator without inverses, a sum of integers does not fit, or something
/// else than a sum of floats should be compensated, exact or bounded.
pub fn aggregate(
    tree: &Tree,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &AggregateParams,
) -> Result<Answer, AggregateError> {
    if operator.name().value_columns() == 1 && values.len() > 1 {
        return Answer::of_each(values, |column| {
            aggregate(tree, direction, operator, column, params)
        });
    }
    let &AggregateParams { scope, engine, summation, error_bound, .. } = params;
    if let Operator::Sum { .. } = operator {
        check(tree.len(), operator, values)?;
        match values[0] {
            ValueSlice::F32(x) => return float_sums(tree, direction, x, params),
            ValueSlice::F64(x) => return float_sums(tree, direction, x, params),
            _ => (),
        }
    }
    if summation != Summation::Plain || error_bound {
        let actual = values.first().map(ValueSlice::value_type);
        return Err(AggregateError::NotFloats { operator: operator.name(), actual });
    }
    let problem = Treefix { tree, order: params.order(tree), direction, scope, engine };
    dispatch(&problem, tree.len(), operator, values)
}

/// The product of the values on the way from `u` up to the lowest common ancestor
/// and down to `v`, for each pair of vertices. Pairs in different trees of a forest
/// have no answer ([`Answer::present`]).
///
/// # Errors
/// As [`aggregate`].
///
/// # Panics
/// When a pair names a vertex that does not exist.
pub fn aggregate_paths(
    tree: &Tree,
    pairs: &[(u32, u32)],
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &PathParams,
) -> Result<Answer, AggregateError> {
    let heavy = HeavyPaths::new(tree);
    let place = tree.positions();
    let at: Vec<(u32, u32)> =
        pairs.iter().map(|&(u, v)| (place[u as usize], place[v as usize])).collect();
    let problem = Paths { tree, heavy: &heavy, pairs: &at, on_edges: params.on_edges };
    dispatch(&problem, tree.len(), operator, values)
}
