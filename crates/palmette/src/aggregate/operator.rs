//! The names of the operators.

use super::AggregateError;
use palmette_io::ValueType;
use std::fmt;
use std::str::FromStr;

/// A built-in operator, by the name it has on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OperatorName {
    /// The sum.
    Sum,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The number of vertices; takes no values.
    Count,
    /// Bitwise exclusive or of integers.
    Xor,
    /// Bitwise and of integers.
    And,
    /// Bitwise or of integers.
    Or,
    /// The product of integers modulo a number.
    Product,
    /// The smallest value and the vertex that has it.
    ArgMin,
    /// The largest value and the vertex that has it.
    ArgMax,
    /// Composition of affine maps `x ↦ a x + b`, two columns.
    Affine,
    /// The product of 2×2 matrices, four columns (row by row).
    Matrix,
    /// A hash of the sequence of integers.
    Hash,
}

const INTEGERS: &[ValueType] = &[ValueType::I64, ValueType::U64];
const NUMBERS: &[ValueType] = &[ValueType::I64, ValueType::U64, ValueType::F64, ValueType::F32];
const FLOATS: &[ValueType] = &[ValueType::F64, ValueType::F32, ValueType::I64, ValueType::U64];

impl OperatorName {
    /// Every operator.
    pub const ALL: [OperatorName; 13] = [
        OperatorName::Sum,
        OperatorName::Min,
        OperatorName::Max,
        OperatorName::Count,
        OperatorName::Xor,
        OperatorName::And,
        OperatorName::Or,
        OperatorName::Product,
        OperatorName::ArgMin,
        OperatorName::ArgMax,
        OperatorName::Affine,
        OperatorName::Matrix,
        OperatorName::Hash,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            OperatorName::Sum => "sum",
            OperatorName::Min => "min",
            OperatorName::Max => "max",
            OperatorName::Count => "count",
            OperatorName::Xor => "xor",
            OperatorName::And => "and",
            OperatorName::Or => "or",
            OperatorName::Product => "product",
            OperatorName::ArgMin => "argmin",
            OperatorName::ArgMax => "argmax",
            OperatorName::Affine => "affine",
            OperatorName::Matrix => "matrix",
            OperatorName::Hash => "hash",
        }
    }

    /// How many columns of values it takes.
    pub const fn value_columns(self) -> usize {
        match self {
            OperatorName::Count => 0,
            OperatorName::Affine => 2,
            OperatorName::Matrix => 4,
            _ => 1,
        }
    }

    /// The types of values it takes, the most natural first: what a reader should
    /// try where the user names none.
    pub const fn value_types(self, modulus: Option<u64>) -> &'static [ValueType] {
        use OperatorName::{Affine, And, Hash, Matrix, Or, Product, Xor};
        match (self, modulus) {
            (Affine | Matrix, None) => FLOATS,
            (Xor | And | Or | Product | Hash | Affine | Matrix, _) => INTEGERS,
            _ => NUMBERS,
        }
    }

    /// Whether the order of values does not matter.
    pub const fn is_commutative(self) -> bool {
        !matches!(self, OperatorName::Affine | OperatorName::Matrix | OperatorName::Hash)
    }

    /// Whether it takes a modulus.
    pub const fn takes_modulus(self) -> bool {
        matches!(self, OperatorName::Product | OperatorName::Affine | OperatorName::Matrix)
    }
}

impl fmt::Display for OperatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for OperatorName {
    type Err = AggregateError;

    fn from_str(text: &str) -> Result<Self, AggregateError> {
        let unknown = || AggregateError::UnknownOperator { text: text.to_string() };
        OperatorName::ALL.into_iter().find(|o| o.name() == text).ok_or_else(unknown)
    }
}
