//! Values as arguments: where they come from, and of which type they are.

use crate::{Operation, OperatorOptions, named};
use clap::Args;
use palmette::io::ColumnKey;
use palmette::{Measure, Operator, OperatorName, ValueType};
use std::path::PathBuf;

/// What an operator works on.
#[derive(Debug, Clone, Args)]
pub struct ValueOptions {
    /// Values, one per vertex: `ones`; a column of the tree's table, by name or by number from 0;
    /// or a file (a name with a `/` or ending in csv, tsv, txt, npy, parquet, arrow, feather, gz or
    /// zst). If in doubt, write `column:NAME` or `file:PATH`. Separate several by commas: affine
    /// takes two, matrix four; `tree leaffix` and `tree rootfix` answer all others for each column.
    /// [default: ones]
    #[arg(long, value_name = "VALUES", value_delimiter = ',', value_parser = value_source)]
    pub values: Vec<String>,
    /// Use the branch lengths as values.
    #[arg(long, conflicts_with = "values")]
    pub lengths: bool,
    /// Their type.
    #[command(flatten)]
    pub typed: TypeOption,
    /// The parameters of the operator.
    #[command(flatten)]
    pub parameters: OperatorOptions,
}

/// The type that values are read as.
#[derive(Debug, Clone, Copy, Args)]
pub struct TypeOption {
    /// Type of the values (default: the first of i64, u64 and f64 that holds them, and f64 only if
    /// some are not integers).
    #[arg(id = "type", long, value_name = "TYPE", value_parser = named::<ValueType>())]
    pub kind: Option<ValueType>,
}

/// The name of a column or file; branch lengths have their own option.
///
/// # Errors
/// `length`, which was their name.
pub fn value_source(text: &str) -> Result<String, String> {
    match text {
        "length" => {
            Err("use --lengths for branch lengths, or column:length for a column".to_string())
        }
        _ => Ok(text.to_string()),
    }
}

/// What the names of files of values end in.
const FILES: [&str; 9] =
    [".csv", ".tsv", ".txt", ".npy", ".parquet", ".arrow", ".feather", ".gz", ".zst"];

/// Where one column of values comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    /// 1 for every vertex.
    Ones,
    /// The lengths of branches.
    Length,
    /// A column of the tree's table.
    Column(ColumnKey),
    /// A file.
    File(PathBuf),
}

impl ValueSource {
    /// Follows the rule in the help of `--values`, without looking at the file system.
    pub fn parse(text: &str) -> ValueSource {
        let lower = text.to_lowercase();
        let is_file =
            text.contains('/') || text == "-" || FILES.iter().any(|ending| lower.ends_with(ending));
        match (text, text.parse()) {
            ("ones", _) => ValueSource::Ones,
            (_, Ok(index)) => ValueSource::Column(ColumnKey::Index(index)),
            _ => match (text.strip_prefix("column:"), text.strip_prefix("file:")) {
                (Some(name), _) => ValueSource::Column(ColumnKey::from(name)),
                (_, Some(path)) => ValueSource::File(PathBuf::from(path)),
                _ if is_file => ValueSource::File(PathBuf::from(text)),
                _ => ValueSource::Column(ColumnKey::from(text)),
            },
        }
    }
}

impl ValueOptions {
    /// The columns of values that an operator is given.
    ///
    /// # Errors
    /// Another number of them than the operator takes.
    pub fn sources(&self, operator: OperatorName) -> Result<Vec<ValueSource>, String> {
        match (self.values.len(), operator.value_columns()) {
            (_, 0) => {
                // Parameters have errors of their own.
                let unused = self.options().into_iter().take(3).find(|option| option.1);
                let none = Ok(Vec::new());
                unused.map_or(none, |(option, _)| Err(format!("--op {operator} takes no {option}")))
            }
            (0, 1) if self.lengths => Ok(vec![ValueSource::Length]),
            (0, 1) => Ok(vec![ValueSource::Ones]),
            (given, takes) if given == takes => {
                Ok(self.values.iter().map(|text| ValueSource::parse(text)).collect())
            }
            (0, takes) => Err(format!("--op {operator} needs --values with {takes} columns")),
            (given, 1) => Err(format!("--values: {operator} takes 1 column, not {given}")),
            (given, takes) => {
                Err(format!("--values: {operator} takes {takes} columns, not {given}"))
            }
        }
    }

    /// As [`sources`](Self::sources), where an operator of one column takes any number of them,
    /// each for itself.
    ///
    /// # Errors
    /// As [`sources`](Self::sources), or a column that is named twice.
    pub fn several(&self, operator: OperatorName) -> Result<Vec<ValueSource>, String> {
        match (self.values.len(), operator.value_columns()) {
            (2.., 1) => {
                // Answers are called after their values.
                let again = |(k, text): (usize, &String)| {
                    self.values[..k].contains(text).then_some(text.clone())
                };
                match self.values.iter().enumerate().find_map(again) {
                    Some(text) => Err(format!("--values names {text} twice")),
                    None => Ok(self.values.iter().map(|text| ValueSource::parse(text)).collect()),
                }
            }
            _ => self.sources(operator),
        }
    }

    /// What the columns are called that an operation answers one by one; none where it takes all of
    /// them together.
    pub fn each(&self, operation: Operation) -> &[String] {
        match operation {
            Operation::Operator(operator) if operator.value_columns() == 1 => &self.values,
            _ => &[],
        }
    }

    /// The options, and whether they are given: those of values, then those of operators.
    pub fn options(&self) -> [(&'static str, bool); 6] {
        let OperatorOptions { modulus, wrapping, seed } = self.parameters;
        [
            ("--values", !self.values.is_empty()),
            ("--lengths", self.lengths),
            ("--type", self.typed.kind.is_some()),
            ("--modulus", modulus.is_some()),
            ("--wrapping", wrapping),
            ("--seed", seed.is_some()),
        ]
    }

    /// The types to read them as, in this order: the one asked for; or f64 where only floats
    /// will do; or those that the operator takes, single precision only if asked for.
    ///
    /// # Errors
    /// Branch lengths, which are floats, where these will not do.
    pub fn types(&self, operator: Operator, floats: bool) -> Result<Vec<ValueType>, String> {
        let types = operator.value_types();
        if self.lengths && !types.contains(&ValueType::F64) {
            return Err(format!(
                "--lengths: branch lengths are floats, and --op {operator} takes integers; use \
                 --values with a column of integers"
            ));
        }
        match self.typed.kind {
            Some(kind @ (ValueType::I64 | ValueType::U64)) if self.lengths => {
                Err(format!("--lengths: branch lengths are floats; leave out --type {kind}"))
            }
            Some(kind) => Ok(vec![kind]),
            None if floats || self.lengths => Ok(vec![ValueType::F64]),
            None => Ok(types.iter().copied().filter(|&kind| kind != ValueType::F32).collect()),
        }
    }

    /// A measure, of branch lengths where they are asked for.
    ///
    /// # Errors
    /// Options that it does not look at; `more` are those of the command.
    pub fn measure(
        &self,
        measure: Measure,
        more: impl IntoIterator<Item = (&'static str, bool)>,
    ) -> Result<Measure, String> {
        let by_length = measure == Measure::Depth && self.lengths;
        let mut options = self.options().into_iter().chain(more);
        match options.find(|&(option, given)| given && !(by_length && option == "--lengths")) {
            Some((option, _)) => Err(format!("--op {measure} takes no {option}")),
            None if by_length => Ok(Measure::WeightedDepth),
            None => Ok(measure),
        }
    }

    /// The values as a record names them, the default filled in.
    pub fn text(&self, operator: OperatorName) -> String {
        match (self.values.is_empty(), operator.value_columns()) {
            _ if self.lengths => "lengths".to_string(),
            (true, 1) => "ones".to_string(),
            _ => self.values.join(","),
        }
    }
}
