//! What the command line looks like; the words are those of `palmette tree`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use palmette::core::DEFAULT_SEED;
use palmette::{Direction, Measure, OperatorName, Summation, ValueType};
use std::path::PathBuf;

/// Trees on the ranks of an MPI job: `mpirun -n 4 palmette-mpi tree leaffix big.npy -o sizes.npy`.
#[derive(Debug, Parser)]
#[command(name = "palmette-mpi tree", version, max_term_width = 100, no_binary_name = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Combine the values from the root to every vertex.
    Rootfix(TreefixArguments),
    /// Combine the values of every subtree.
    Leaffix(TreefixArguments),
    /// Find the lowest common ancestors of many pairs.
    Lca(LcaArguments),
}

/// The tree to read, and how.
#[derive(Debug, Args)]
pub(crate) struct InputOptions {
    /// The tree: an npy array of parents, or a parent table (csv, tsv) with integers for ids;
    /// not compressed. Every rank reads its slice.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Allow several roots.
    #[arg(long)]
    pub(crate) forest: bool,
    /// A vertex that is its own parent is a root.
    #[arg(long)]
    pub(crate) self_root: bool,
    /// Whether a table has a header; by default found from its first rows.
    #[arg(long, value_name = "BOOL")]
    pub(crate) header: Option<bool>,
    /// How much of the file each rank takes, as weights separated by commas, one a rank.
    /// [default: the same for all]
    #[arg(long, value_name = "WEIGHTS", value_delimiter = ',')]
    pub(crate) shares: Vec<u32>,
    /// How much memory a rank may take, in MiB. [default: what the machine has left, divided
    /// among its ranks]
    #[arg(long, value_name = "MIB")]
    pub(crate) memory: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Print one JSON record on stdout.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no summary.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TreefixArguments {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// The operator, or a measure that needs no values: depth and weighted-depth (rootfix);
    /// size, leaves and height (leaffix).
    #[arg(long = "op", value_name = "OP", default_value = "sum", value_parser = operation())]
    pub(crate) operation: Operation,
    #[command(flatten)]
    pub(crate) values: ValueOptions,
    #[command(flatten)]
    pub(crate) sums: SumOptions,
    /// Leave out a vertex's own value.
    #[arg(long)]
    pub(crate) exclusive: bool,
    /// Where to write the answers: npy for one column of numbers; csv or tsv. All ranks write
    /// into one file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

impl TreefixArguments {
    /// Refuses a measure of the other direction.
    pub(crate) fn check(&self, direction: Direction) -> super::Outcome<()> {
        let Operation::Measure(measure) = self.operation else { return Ok(()) };
        let of_rootfix = matches!(measure, Measure::Depth | Measure::WeightedDepth);
        if of_rootfix == (direction == Direction::Rootfix) {
            return Ok(());
        }
        let other = if of_rootfix { "rootfix" } else { "leaffix" };
        Err(format!(
            "--op: expected an operator or a measure of subtrees or of paths from the \
             root, as the command is, found {measure}, which `tree {other}` has"
        )
        .into())
    }

    pub(crate) fn command(&self, direction: Direction) -> &'static str {
        match direction {
            Direction::Rootfix => "tree rootfix",
            Direction::Leaffix => "tree leaffix",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct LcaArguments {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// The pairs: two integers a row, or an npy array of shape (m, 2). Every rank reads its
    /// slice.
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: PathBuf,
    /// Also give the number of edges between the two.
    #[arg(long)]
    pub(crate) distance: bool,
    /// Where to write the answers: csv or tsv.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

/// What an operator works on.
#[derive(Debug, Args)]
pub(crate) struct ValueOptions {
    /// The values, one a vertex: `ones`; `length` (a column of that name); a column of the
    /// tree's table by its name; or a name that ends in npy. Separate several by commas: affine
    /// takes two, matrix four. [default: ones]
    #[arg(long, value_name = "VALUES", value_delimiter = ',')]
    pub(crate) values: Vec<String>,
    /// The type of the values. [default: i64; f64 for affine and matrix without a modulus, and
    /// for lengths]
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

/// How floats are summed.
#[derive(Debug, Args)]
pub(crate) struct SumOptions {
    /// How floats are added: plain, in their own type; compensated, in about twice the
    /// precision; exact, the nearest float to the exact sum, the bits of `palmette tree`.
    /// Values are read as f64 unless --type says f32. [default: plain]
    #[arg(long = "sum", value_name = "HOW", value_parser = summation())]
    pub(crate) summation: Option<Summation>,
    /// Also give what the error of each sum of floats does not exceed: a column `bound`; `inf`
    /// where overflow cannot be excluded.
    #[arg(long)]
    pub(crate) error_bound: bool,
    /// Take NaN among the values: sums of floats follow IEEE 754.
    #[arg(long)]
    pub(crate) allow_nan: bool,
}

impl SumOptions {
    /// The first option that is given.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let bound = self.error_bound.then_some("--error-bound");
        let nan = self.allow_nan.then_some("--allow-nan");
        self.summation.map(|_| "--sum").or(bound).or(nan)
    }
}

/// What `--op` names.
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

fn operation() -> impl TypedValueParser<Value = Operation> {
    let operators = OperatorName::ALL.map(OperatorName::name).into_iter();
    let names = operators.chain(Measure::ALL.map(Measure::name));
    PossibleValuesParser::new(names).try_map(|text| {
        let measure = || text.parse().map(Operation::Measure);
        text.parse().map(Operation::Operator).or_else(|_| measure())
    })
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

/// The name of a type on the command line.
pub(crate) fn type_name(kind: Option<ValueType>) -> &'static str {
    TYPES.iter().find(|t| Some(t.1) == kind).map_or("", |t| t.0)
}

fn summation() -> impl TypedValueParser<Value = Summation> {
    PossibleValuesParser::new(Summation::ALL.map(Summation::name))
        .try_map(|text| text.parse::<Summation>())
}
