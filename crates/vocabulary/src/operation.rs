//! Operators and measures as arguments.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use palmette::core::DEFAULT_SEED;
use palmette::{AggregateError, Direction, Measure, Operator, OperatorName, OperatorParams};

/// What `--op` names: an operator on values, or a measure, which needs none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// An operator.
    Operator(OperatorName),
    /// A measure.
    Measure(Measure),
}

impl Operation {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Operator(operator) => operator.name(),
            Operation::Measure(measure) => measure.name(),
        }
    }
}

/// The measures that are rootfixes or leaffixes.
const fn measures(direction: Direction) -> &'static [Measure] {
    match direction {
        Direction::Rootfix => &[Measure::Depth],
        Direction::Leaffix => &[Measure::Size, Measure::Leaves, Measure::Height],
    }
}

/// An operator, or a measure that is a rootfix or a leaffix.
pub fn operation(direction: Direction) -> impl TypedValueParser<Value = Operation> {
    let operators = OperatorName::ALL.map(OperatorName::name).into_iter();
    let names = operators.chain(measures(direction).iter().map(|m| m.name()));
    PossibleValuesParser::new(names).try_map(|text| {
        let measure = || text.parse().map(Operation::Measure);
        text.parse().map(Operation::Operator).or_else(|_| measure())
    })
}

/// The parameters of operators.
#[derive(Debug, Clone, Copy, Args)]
pub struct OperatorOptions {
    /// Modulus for product, affine and matrix.
    #[arg(long, value_name = "M")]
    pub modulus: Option<u64>,
    /// Compute integer sums modulo 2^64 instead of failing on overflow.
    #[arg(long)]
    pub wrapping: bool,
    /// Seed for the base of the hash.
    #[arg(long, value_name = "S", help = format!("Seed for the base of the hash [default: {DEFAULT_SEED}]"))]
    pub seed: Option<u64>,
}

impl OperatorOptions {
    /// The operator of a name with these parameters.
    ///
    /// # Errors
    /// A modulus that is missing or zero, and what is not for this operator.
    pub fn operator(&self, name: OperatorName) -> Result<Operator, String> {
        let &OperatorOptions { modulus, wrapping, seed } = self;
        let params = OperatorParams { wrapping, modulus, seed: seed.unwrap_or(DEFAULT_SEED) };
        let made = match seed {
            Some(_) if name != OperatorName::Hash => {
                Err(AggregateError::NotTaken { operator: name, parameter: "seed" })
            }
            _ => name.with(params),
        };
        made.map_err(|error| match error {
            AggregateError::NotTaken { parameter, .. } => {
                format!("--op {name} takes no --{parameter}")
            }
            AggregateError::NeedsModulus { .. } => {
                format!("--op {name} needs --modulus M, with M at least 1")
            }
            other => other.to_string(),
        })
    }
}

/// The arguments of `rootfix`: the operation, and those of the program.
#[derive(Debug, Args)]
#[command(mut_arg("lengths", |argument| {
    argument.help("Use the branch lengths as values; with --op depth, distances from the root")
}))]
pub struct Rootfix<T: Args> {
    /// Operator, or a measure that needs no values.
    #[arg(long = "op", value_name = "OP", default_value = "sum",
          value_parser = operation(Direction::Rootfix))]
    pub operation: Operation,
    /// The others.
    #[command(flatten)]
    pub common: T,
}

/// The arguments of `leaffix`.
#[derive(Debug, Args)]
pub struct Leaffix<T: Args> {
    /// Operator, or a measure that needs no values.
    #[arg(long = "op", value_name = "OP", default_value = "sum",
          value_parser = operation(Direction::Leaffix))]
    pub operation: Operation,
    /// The others.
    #[command(flatten)]
    pub common: T,
}
