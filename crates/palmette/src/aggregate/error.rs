//! Errors of aggregates.

use super::*;
use crate::program::SpatialError;
use palmette_spatial::machine::MachineError;
use palmette_tree::TreefixError;
use palmette_tree::distributed::{DistributedError, RanksError};
use palmette_tree::paths::PathError;
use thiserror::Error;

/// Errors of aggregates. Vertices are numbers of the user's; who has labels puts them in.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum AggregateError {
    /// Another number of columns than the operator takes.
    #[error("operator '{operator}' takes {expected} column(s) of values, not {actual}")]
    Columns { operator: OperatorName, expected: usize, actual: usize },
    /// A column without one value per vertex.
    #[error("column {column} has {actual} values for {expected} vertices")]
    Length { column: usize, expected: usize, actual: usize },
    /// A matrix is summed plainly.
    #[error("the columns of a matrix are summed plainly; pass them one by one")]
    PlainColumns,
    /// A matrix is summed by one engine.
    #[error("the columns of a matrix are summed by engine auto or sequential, not {engine}")]
    ColumnEngine { engine: Engine },
    /// Only the host has values in preorder.
    #[error("values in preorder are for engines of the host")]
    HostOrder,
    /// The caller's memory has another length.
    #[error("out has {actual} places for {expected} answers")]
    OutLength { expected: usize, actual: usize },
    /// The caller's memory has another type.
    #[error("out has the type {actual}, and the answers are {expected}")]
    OutType { expected: ValueType, actual: ValueType },
    /// The answers are not one column of numbers.
    #[error("operator '{operator}' has more answers than out takes; leave out away")]
    Out { operator: OperatorName },
    /// The operator works on integers.
    #[error("operator '{operator}' takes integers (i64 or u64), not {actual}")]
    Type { operator: OperatorName, actual: ValueType },
    /// Only sums of floats round, and so can be compensated, exact or bounded.
    #[error(
        "exact and compensated sums and error bounds need sums of f32 or f64, not operator \
        '{operator}'{}",
        .actual.map_or(String::new(), |kind| format!(" on {kind}"))
    )]
    NotFloats { operator: OperatorName, actual: Option<ValueType> },
    /// The operator needs a modulus.
    #[error("operator '{operator}' needs a modulus of at least 1")]
    NeedsModulus { operator: OperatorName },
    /// A parameter that has no meaning for the operator.
    #[error("operator '{operator}' takes no {parameter}")]
    NotTaken { operator: OperatorName, parameter: &'static str },
    /// Floats do not wrap.
    #[error("wrapping applies to sums of integers, not of {actual}")]
    NoWrapping { actual: ValueType },
    /// The sum along a path does not fit the value type.
    #[error("the sum along pair {pair} is {exact}, which does not fit the value type")]
    PathOverflow { pair: usize, exact: i128 },
    /// Answers that name vertices have 32 bits for them.
    #[error("operator '{operator}' numbers vertices with 32 bits, too few for {vertices} vertices")]
    TooManyVertices { operator: OperatorName, vertices: u64 },
    /// A sum on some rank does not fit the value type.
    #[error("the sum at vertex {vertex} is {exact}, which does not fit the value type")]
    SliceOverflow { vertex: u64, exact: i128 },
    /// What keeps ranks from an answer.
    #[error(transparent)]
    Distributed(#[from] DistributedError),
    /// What keeps parents from being a tree.
    #[error(transparent)]
    Tree(#[from] palmette_core::TreeError),
    /// What the engine says.
    #[error(transparent)]
    Treefix(#[from] TreefixError),
    /// What the path engine says.
    #[error(transparent)]
    Path(#[from] PathError),
    /// What the spatial computer says.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// What keeps a program from running on the spatial computer.
    #[error(transparent)]
    Spatial(#[from] SpatialError),
    /// On the machine children are in light-first order, and this operator minds.
    #[error(
        "operator '{operator}' does not commute, and light-first order reorders the children of \
        vertex {vertex}"
    )]
    NotCommutative { operator: OperatorName, vertex: u32 },
    /// Devices have no kernel for this operator and type.
    #[error(
        "operator '{operator}'{} has no kernel for devices; available: {}",
        .actual.map_or(String::new(), |kind| format!(" on {kind}")),
        KERNELS
    )]
    NoKernel { operator: OperatorName, actual: Option<ValueType> },
    /// Devices have no f64 to add.
    #[error("devices have no kernel for depths by length, which are sums of f64")]
    NoMeasure,
    /// Devices add floats in one way.
    #[error("exact and compensated sums run on the host only")]
    HostSums,
    /// Devices need not follow IEEE here.
    #[error(
        "the value of vertex {vertex} is {}; devices need not follow IEEE 754 for it",
        if *.nan { "not a number" } else { "infinite" }
    )]
    NotFinite { vertex: u32, nan: bool },
    /// This build knows no devices.
    #[error("this palmette was built without devices, which the feature `gpu` adds")]
    NoDevices,
    /// What the device says.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Device(#[from] palmette_gpu::GpuError),
}

const KERNELS: &str = "count; sum on i64, u64, f32; min, max, argmin, argmax on all types; xor, \
     and, or, hash on i64, u64; product, affine on i64, u64 with a modulus";

impl AggregateError {
    /// Whether a device is the reason, so that the host may succeed.
    pub fn is_of_devices(&self) -> bool {
        match self {
            AggregateError::NoKernel { .. }
            | AggregateError::NotFinite { .. }
            | AggregateError::NoMeasure
            | AggregateError::HostSums
            | AggregateError::NoDevices => true,
            #[cfg(feature = "gpu")]
            AggregateError::Device(_) => true,
            _ => false,
        }
    }
}

impl From<RanksError> for AggregateError {
    fn from(error: RanksError) -> AggregateError {
        AggregateError::Distributed(error.into())
    }
}
