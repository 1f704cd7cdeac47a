//! Aggregates on a graphics processor, with operators chosen at run time.
//!
//! | operator | types with a kernel |
//! |---|---|
//! | count, sum | i64, u64, f32 |
//! | min, max, argmin, argmax | i64, u64, f64, f32 |
//! | xor, and, or, hash | i64, u64 |
//! | product, affine with a modulus | i64, u64 |
//!
//! An operator that takes one column takes any number of them here: columns of one type share passes
//! over the tree. Many small trees are one forest, for which there is an engine.
//!
//! Whether a sum fits is decided as on the host, so that answers and errors are the same.

mod dispatch;
mod measure;
mod paths;
mod treefix;

pub use measure::device_measure;

use super::dispatch::check;
use super::problem::{Solved, Treefix, wrong_length};
use super::{
    AggregateError, AggregateParams, Answer, AnswerColumn, Direction, Operator, OperatorName,
    PathParams,
};
use crate::device::DeviceEngine;
use dispatch::dispatch;
use palmette_core::Tree;
use palmette_gpu::paths::DevicePaths;
use palmette_gpu::{Device, DeviceTree, Form, GpuError, GroupKernel, Kernel, Seconds, bound};
use palmette_io::ValueSlice;
use palmette_tree::Scope;
use palmette_tree::sum::Summation;

impl DeviceEngine {
    const fn form(self) -> Form {
        match self {
            DeviceEngine::Auto | DeviceEngine::Euler => Form::Tour,
            DeviceEngine::Levels => Form::Levels,
            DeviceEngine::Contract => Form::Contraction,
            DeviceEngine::Trees => Form::Packets,
        }
    }
}

/// What a device computed.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceAggregate {
    /// The answers, by vertex or pair.
    pub answer: Answer,
    /// The engine that ran; `auto` where there is one only.
    pub engine: DeviceEngine,
    /// What it took. The tree's form is part of the upload.
    pub seconds: Seconds,
    /// Sums of f32 that left their range: infinite, or not a number.
    pub not_finite: usize,
}

impl DeviceAggregate {
    /// What has one engine, and no sums of floats.
    pub(crate) fn of(answer: Answer, seconds: Seconds) -> DeviceAggregate {
        DeviceAggregate { answer, engine: DeviceEngine::Auto, seconds, not_finite: 0 }
    }

    /// The answers of both, one behind the other.
    fn and(mut self, other: DeviceAggregate) -> DeviceAggregate {
        self.answer.columns.extend(other.answer.columns);
        self.seconds.upload += other.seconds.upload;
        self.seconds.compute += other.seconds.compute;
        self.seconds.download += other.seconds.download;
        self.not_finite += other.not_finite;
        self
    }
}

/// As [`aggregate`](super::aggregate), on a device. An operator that takes one column also takes
/// several: they share passes over the tree, and their answers follow each other.
///
/// Many small trees ([`Tree::join`]) are one forest here.
///
/// # Errors
/// As [`aggregate`](super::aggregate); also for operators and types without a kernel, for exact
/// and compensated sums, for values that are infinite or not a number where kernels add, and for
/// what the device says.
pub fn device_aggregate(
    device: &Device,
    tree: &Tree,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &AggregateParams,
    engine: DeviceEngine,
) -> Result<DeviceAggregate, AggregateError> {
    let scope = params.scope;
    check_columns(tree.len(), operator, values)?;
    if params.preorder {
        return Err(AggregateError::HostOrder);
    }
    if params.summation != Summation::Plain {
        return Err(AggregateError::HostSums);
    }
    let is_float = |x: &ValueSlice<'_>| matches!(x, ValueSlice::F32(_) | ValueSlice::F64(_));
    let whole = values.iter().find(|&x| !is_float(x));
    let bounded = operator.name() == OperatorName::Sum && whole.is_none();
    if params.error_bound && !bounded {
        let actual = whole.or(values.first()).map(ValueSlice::value_type);
        return Err(AggregateError::NotFloats { operator: operator.name(), actual });
    }
    let (order, engine_on_host) = (tree.vertex_order(), params.engine);
    let host = Treefix { tree, order, direction, scope, engine: engine_on_host };
    let on = DeviceTree::new(device, tree)?;
    let job = treefix::Job { on, host, engine };
    let run = |columns: &[ValueSlice<'_>]| {
        let mut found = dispatch(&job, tree.len(), operator, columns)?;
        if params.error_bound {
            let sums = std::mem::take(&mut found.answer.columns);
            for (&column, sum) in columns.iter().zip(sums) {
                if let ValueSlice::F32(x) = column {
                    found.answer.columns.push(bounds(tree, direction, x, scope, found.engine)?);
                }
                found.answer.columns.push(sum);
            }
        }
        Ok(found)
    };
    if values.len() < 2 || operator.name().value_columns() > 1 {
        return run(values);
    }
    // Neighbours of one type share passes.
    let same = |a: &ValueSlice<'_>, b: &ValueSlice<'_>| a.value_type() == b.value_type();
    let parts: Vec<DeviceAggregate> =
        values.chunk_by(same).map(run).collect::<Result<_, AggregateError>>()?;
    parts.into_iter().reduce(DeviceAggregate::and).map_or_else(|| run(values), Ok)
}

/// As [`check`], for operators of one column column by column.
fn check_columns(
    vertices: usize,
    operator: Operator,
    values: &[ValueSlice<'_>],
) -> Result<(), AggregateError> {
    if operator.name().value_columns() != 1 || values.is_empty() {
        return check(vertices, operator, values);
    }
    for (k, column) in values.chunks(1).enumerate() {
        check(vertices, operator, column).map_err(|error| match error {
            AggregateError::Length { expected, actual, .. } => {
                AggregateError::Length { column: k + 1, expected, actual }
            }
            other => other,
        })?;
    }
    Ok(())
}

/// What the errors of sums do not exceed, by vertex.
fn bounds(
    tree: &Tree,
    direction: Direction,
    x: &[f32],
    scope: Scope,
    engine: DeviceEngine,
) -> Result<AnswerColumn, AggregateError> {
    let values = tree.to_positions(x).map_err(wrong_length)?;
    let bounds = match engine {
        DeviceEngine::Euler => bound::by_scan(tree, direction, &values, scope),
        _ => bound::in_any_brackets(tree, direction, &values, scope),
    };
    Ok(AnswerColumn::numbers(Answer::BOUND, tree.to_vertices(&bounds).map_err(wrong_length)?))
}

/// As [`aggregate_paths`](super::aggregate_paths), on a device. It goes over the whole tree for
/// any number of pairs.
///
/// # Errors
/// As [`device_aggregate`].
///
/// # Panics
/// When a pair names a vertex that does not exist.
pub fn device_aggregate_paths(
    device: &Device,
    tree: &Tree,
    pairs: &[(u32, u32)],
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &PathParams,
) -> Result<DeviceAggregate, AggregateError> {
    let &PathParams { on_edges } = params;
    check(tree.len(), operator, values)?;
    let place = |v: u32| tree.positions()[v as usize];
    let pairs = pairs.iter().map(|&(u, v)| (place(u), place(v))).collect();
    let on = DeviceTree::new(device, tree)?;
    let paths = DevicePaths::new(&on)?;
    dispatch(&paths::Job { on, paths, pairs, on_edges }, tree.len(), operator, values)
}

/// What a device computed with an operator.
struct Run<E> {
    /// By column.
    solved: Vec<Solved<E>>,
    engine: DeviceEngine,
    seconds: Seconds,
}

/// A problem that runs on a device with any operator that has a kernel; columns of elements are by
/// vertex.
trait DeviceProblem {
    fn monoid<K: Kernel>(&self, op: &K, x: &[&[K::Elem]]) -> Result<Run<K::Elem>, AggregateError>;

    /// As `monoid`; inverses may make it faster.
    fn group<G: GroupKernel>(
        &self,
        op: &G,
        x: &[&[G::Elem]],
    ) -> Result<Run<G::Elem>, AggregateError> {
        self.monoid(op, x)
    }

    /// The sums in 128 bits, on the host.
    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError>;

    /// The error for a row whose sum does not fit.
    fn overflow(&self, row: usize, exact: i128) -> AggregateError;
}

/// Places in messages are the user's vertices.
fn by_vertex(tree: &Tree, error: GpuError) -> AggregateError {
    match error {
        GpuError::NotFinite { position, nan } => {
            AggregateError::NotFinite { vertex: tree.vertices()[position], nan }
        }
        other => other.into(),
    }
}
