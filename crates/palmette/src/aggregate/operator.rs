//! The operators: by name, and with their parameters.

use super::*;
use palmette_core::{DEFAULT_SEED, named};
use std::fmt;

named! {
    /// A built-in operator, by the name it has on the command line.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum OperatorName("operator") {
        /// The sum.
        Sum = "sum",
        /// The smallest value.
        Min = "min",
        /// The largest value.
        Max = "max",
        /// The number of vertices; takes no values.
        Count = "count",
        /// Bitwise exclusive or of integers.
        Xor = "xor",
        /// Bitwise and of integers.
        And = "and",
        /// Bitwise or of integers.
        Or = "or",
        /// The product of integers modulo a number.
        Product = "product",
        /// The smallest value and the vertex that has it.
        ArgMin = "argmin",
        /// The largest value and the vertex that has it.
        ArgMax = "argmax",
        /// Composition of affine maps `x ↦ a x + b`, two columns.
        Affine = "affine",
        /// The product of 2×2 matrices, four columns (row by row).
        Matrix = "matrix",
        /// A hash of the sequence of integers.
        Hash = "hash",
    }
}

/// An operator with its parameters.
///
/// ```
/// use palmette::{Operator, OperatorName, OperatorParams};
/// let params = OperatorParams { modulus: Some(7), ..OperatorParams::default() };
/// assert_eq!(OperatorName::Product.with(params)?, Operator::Product { modulus: 7 });
/// assert!(OperatorName::Min.with(params).is_err(), "extremes have no modulus");
/// # Ok::<(), palmette::AggregateError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// The sum.
    Sum {
        /// Compute integer sums modulo 2^64 instead of failing on overflow.
        wrapping: bool,
    },
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
    /// The product of integers.
    Product {
        /// The modulus, from 1.
        modulus: u64,
    },
    /// The smallest value and the vertex that has it.
    ArgMin,
    /// The largest value and the vertex that has it.
    ArgMax,
    /// Composition of affine maps `x ↦ a x + b`, two columns.
    Affine {
        /// Of integers modulo this number, from 1; of floats where there is none.
        modulus: Option<u64>,
    },
    /// The product of 2×2 matrices, four columns (row by row).
    Matrix {
        /// Of integers modulo this number, from 1; of floats where there is none.
        modulus: Option<u64>,
    },
    /// A hash of the sequence of integers.
    Hash {
        /// Decides its base.
        seed: u64,
    },
}

/// The parameters that operators have, for those who know an operator by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperatorParams {
    /// As in [`Operator::Sum`].
    pub wrapping: bool,
    /// The modulus of products, affine maps and matrices.
    pub modulus: Option<u64>,
    /// As in [`Operator::Hash`]; other operators do not look at it.
    pub seed: u64,
}

impl Default for OperatorParams {
    fn default() -> OperatorParams {
        OperatorParams { wrapping: false, modulus: None, seed: DEFAULT_SEED }
    }
}

const INTEGERS: &[ValueType] = &[ValueType::I64, ValueType::U64];
const NUMBERS: &[ValueType] = &[ValueType::I64, ValueType::U64, ValueType::F64, ValueType::F32];
const FLOATS: &[ValueType] = &[ValueType::F64, ValueType::F32, ValueType::I64, ValueType::U64];

impl OperatorName {
    /// The operator with its parameters.
    ///
    /// # Errors
    /// A modulus that is missing or zero; a modulus or wrapping that is not for this operator.
    pub const fn with(self, params: OperatorParams) -> Result<Operator, AggregateError> {
        use Operator as O;
        use OperatorName as N;
        let OperatorParams { wrapping, modulus, seed } = params;
        if wrapping && !matches!(self, N::Sum) {
            return Err(AggregateError::NotTaken { operator: self, parameter: "wrapping" });
        }
        let made = match (self, modulus) {
            (N::Product, None) | (N::Product | N::Affine | N::Matrix, Some(0)) => {
                return Err(AggregateError::NeedsModulus { operator: self });
            }
            (N::Product, Some(modulus)) => O::Product { modulus },
            (N::Affine, modulus) => O::Affine { modulus },
            (N::Matrix, modulus) => O::Matrix { modulus },
            (_, Some(_)) => {
                return Err(AggregateError::NotTaken { operator: self, parameter: "modulus" });
            }
            (N::Sum, None) => O::Sum { wrapping },
            (N::Min, None) => O::Min,
            (N::Max, None) => O::Max,
            (N::Count, None) => O::Count,
            (N::Xor, None) => O::Xor,
            (N::And, None) => O::And,
            (N::Or, None) => O::Or,
            (N::ArgMin, None) => O::ArgMin,
            (N::ArgMax, None) => O::ArgMax,
            (N::Hash, None) => O::Hash { seed },
        };
        Ok(made)
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

    /// Whether the order of values does not matter.
    pub const fn is_commutative(self) -> bool {
        !matches!(self, OperatorName::Affine | OperatorName::Matrix | OperatorName::Hash)
    }
}

impl Operator {
    /// The sum, which is an error where it does not fit.
    pub const SUM: Operator = Operator::Sum { wrapping: false };

    /// Its name.
    pub const fn name(self) -> OperatorName {
        match self {
            Operator::Sum { .. } => OperatorName::Sum,
            Operator::Min => OperatorName::Min,
            Operator::Max => OperatorName::Max,
            Operator::Count => OperatorName::Count,
            Operator::Xor => OperatorName::Xor,
            Operator::And => OperatorName::And,
            Operator::Or => OperatorName::Or,
            Operator::Product { .. } => OperatorName::Product,
            Operator::ArgMin => OperatorName::ArgMin,
            Operator::ArgMax => OperatorName::ArgMax,
            Operator::Affine { .. } => OperatorName::Affine,
            Operator::Matrix { .. } => OperatorName::Matrix,
            Operator::Hash { .. } => OperatorName::Hash,
        }
    }

    /// The identity as a value of a type, in the text that readers of values take: what vertices
    /// without a value have where only tips have one. Nothing for operators whose identity is no
    /// value, or more than one.
    pub fn identity_text(self, kind: ValueType) -> Option<String> {
        let number = |signed: i64, unsigned: u64, float: &str| match kind {
            ValueType::I64 => signed.to_string(),
            ValueType::U64 => unsigned.to_string(),
            ValueType::F64 | ValueType::F32 => float.to_string(),
        };
        Some(match self {
            Operator::Sum { .. } | Operator::Xor | Operator::Or => "0".to_string(),
            Operator::Product { .. } => "1".to_string(),
            Operator::Min => number(i64::MAX, u64::MAX, "inf"),
            Operator::Max => number(i64::MIN, 0, "-inf"),
            Operator::And => number(-1, u64::MAX, "0"),
            _ => return None,
        })
    }

    /// The modulus, if it has one.
    pub const fn modulus(self) -> Option<u64> {
        match self {
            Operator::Product { modulus } => Some(modulus),
            Operator::Affine { modulus } | Operator::Matrix { modulus } => modulus,
            _ => None,
        }
    }

    /// The types of values it takes, the most natural first: what a reader should
    /// try where the user names none.
    pub const fn value_types(self) -> &'static [ValueType] {
        use Operator::{Affine, And, Hash, Matrix, Or, Product, Xor};
        match self {
            Affine { modulus: None } | Matrix { modulus: None } => FLOATS,
            Affine { .. } | Matrix { .. } | Xor | And | Or | Product { .. } | Hash { .. } => {
                INTEGERS
            }
            _ => NUMBERS,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}
