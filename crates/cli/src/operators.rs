//! Operators, measures and types as arguments.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use palmette::core::DEFAULT_SEED;
use palmette::{Direction, Measure, OperatorName, Summation, ValueType};

/// What `--op` names: an operator on values, or a measure that needs none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Operator(OperatorName),
    Measure(Measure),
}

impl Operation {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Operation::Operator(operator) => operator.name(),
            Operation::Measure(measure) => measure.name(),
        }
    }
}

/// The measures that are rootfixes or leaffixes.
pub(crate) const fn measures(direction: Direction) -> &'static [Measure] {
    match direction {
        Direction::Rootfix => &[Measure::Depth],
        Direction::Leaffix => &[Measure::Size, Measure::Leaves, Measure::Height],
    }
}

pub(crate) fn rootfix_operation() -> impl TypedValueParser<Value = Operation> {
    operation(Direction::Rootfix)
}

pub(crate) fn leaffix_operation() -> impl TypedValueParser<Value = Operation> {
    operation(Direction::Leaffix)
}

fn operation(direction: Direction) -> impl TypedValueParser<Value = Operation> {
    let operators = OperatorName::ALL.map(OperatorName::name).into_iter();
    let names = operators.chain(measures(direction).iter().map(|m| m.name()));
    PossibleValuesParser::new(names).try_map(|text| {
        let measure = || text.parse().map(Operation::Measure);
        text.parse().map(Operation::Operator).or_else(|_| measure())
    })
}

pub(crate) fn operator() -> impl TypedValueParser<Value = OperatorName> {
    let names = OperatorName::ALL.map(OperatorName::name);
    PossibleValuesParser::new(names).try_map(|text| text.parse::<OperatorName>())
}

pub(crate) fn summation() -> impl TypedValueParser<Value = Summation> {
    let names = Summation::ALL.map(Summation::name);
    PossibleValuesParser::new(names).try_map(|text| text.parse::<Summation>())
}

const TYPES: [(&str, ValueType); 4] = [
    ("i64", ValueType::I64),
    ("u64", ValueType::U64),
    ("f64", ValueType::F64),
    ("f32", ValueType::F32),
];

fn value_type() -> impl TypedValueParser<Value = ValueType> {
    PossibleValuesParser::new(TYPES.map(|t| t.0))
        .map(|text| TYPES.iter().find(|t| t.0 == text).map_or(ValueType::F64, |t| t.1))
}

/// The name of a type as arguments write it.
pub(crate) fn type_name(kind: ValueType) -> &'static str {
    TYPES.iter().find(|t| t.1 == kind).map_or("", |t| t.0)
}

/// A number, whose type the other values decide.
pub(crate) fn number(text: &str) -> Result<String, String> {
    match text.parse::<f64>() {
        Ok(_) => Ok(text.to_string()),
        Err(_) => Err("expected a number".to_string()),
    }
}

/// The name of a column or file; branch lengths have an option of their own.
pub(crate) fn value_source(text: &str) -> Result<String, String> {
    match text {
        "length" => Err("--lengths takes branch lengths, column:length a column".to_string()),
        _ => Ok(text.to_string()),
    }
}

/// What an operator works on.
#[derive(Debug, Args)]
pub(crate) struct ValueOptions {
    /// The values, one per vertex: `ones`; a column of the tree's table by its name, or by its
    /// number from 0; or a file (a name with a `/` or ending in csv, tsv, txt, npy, gz or zst).
    /// `column:NAME` and `file:PATH` say which in case of doubt. Separate several by commas: affine
    /// takes two, matrix four. [default: ones]
    #[arg(long, value_name = "VALUES", value_delimiter = ',', value_parser = value_source)]
    pub(crate) values: Vec<String>,
    /// The values are the branch lengths; with --op depth, distances from the root.
    #[arg(long, conflicts_with = "values")]
    pub(crate) lengths: bool,
    /// The value of vertices that have none: no row in a file of values, or an empty field.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = number)]
    pub(crate) missing_value: Option<String>,
    /// The type of the values; by default i64, u64 or f64, the first that holds them.
    #[arg(long = "type", value_name = "TYPE", value_parser = value_type())]
    pub(crate) kind: Option<ValueType>,
    /// The modulus of product, affine and matrix.
    #[arg(long, value_name = "M")]
    pub(crate) modulus: Option<u64>,
    /// Give sums of integers modulo 2^64 instead of an error when one does not fit.
    #[arg(long)]
    pub(crate) wrapping: bool,
    /// Decides the base of the hash.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,
}

impl ValueOptions {
    /// The values as a record names them, the default filled in.
    pub(crate) fn text(&self, operator: OperatorName) -> String {
        match (self.values.is_empty(), operator.value_columns()) {
            _ if self.lengths => "lengths".to_string(),
            (true, 1) => "ones".to_string(),
            _ => self.values.join(","),
        }
    }
}
