//! Values as arguments: where they come from, and of which type they are.

use crate::{OperatorOptions, named};
use clap::Args;
use palmette::io::ColumnKey;
use palmette::{Measure, Operator, OperatorName, ValueType};
use std::path::PathBuf;

/// What an operator works on.
#[derive(Debug, Clone, Args)]
pub struct ValueOptions {
    /// Values, one per vertex: `ones`; a column of the tree's table, by name or by number from 0;
    /// or a file (a name with a `/` or ending in csv, tsv, txt, npy, gz or zst). If in doubt, write
    /// `column:NAME` or `file:PATH`. Separate several by commas: affine takes two, matrix four.
    /// [default: ones]
    #[arg(long, value_name = "VALUES", value_delimiter = ',', value_parser = value_source)]
    pub values: Vec<String>,
    /// Use the branch lengths as values; with --op depth, distances from the root.
    #[arg(long, conflicts_with = "values")]
    pub lengths: bool,
    /// Type of the values (default: the first of i64, u64 and f64 that holds them).
    #[arg(long = "type", value_name = "TYPE", value_parser = named::<ValueType>())]
    pub kind: Option<ValueType>,
    /// The parameters of the operator.
    #[command(flatten)]
    pub parameters: OperatorOptions,
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
        let is_file = text.contains('/')
            || text == "-"
            || [".csv", ".tsv", ".txt", ".npy", ".gz", ".zst"].iter().any(|e| lower.ends_with(e));
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
            (0, 1) if self.lengths => Ok(vec![ValueSource::Length]),
            (_, takes) if self.lengths => {
                Err(format!("--lengths: {operator} takes {takes} columns of values"))
            }
            (0, 1) => Ok(vec![ValueSource::Ones]),
            (given, takes) if given == takes => {
                Ok(self.values.iter().map(|text| ValueSource::parse(text)).collect())
            }
            (given, takes) => {
                Err(format!("--values: {operator} takes {takes} columns, not {given}"))
            }
        }
    }

    /// The types to read them as, in this order: the one asked for; or f64 where only floats
    /// will do; or those that the operator takes, single precision only if asked for.
    pub fn types(&self, operator: Operator, floats: bool) -> Vec<ValueType> {
        match self.kind {
            Some(kind) => vec![kind],
            None if floats => vec![ValueType::F64],
            None => {
                let types = operator.value_types().iter().copied();
                types.filter(|&kind| kind != ValueType::F32).collect()
            }
        }
    }

    /// A measure, of branch lengths where they are asked for.
    pub fn measure(&self, measure: Measure) -> Measure {
        match measure {
            Measure::Depth if self.lengths => Measure::WeightedDepth,
            other => other,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_apart_by_their_names() {
        let column = |name: &str| ValueSource::Column(ColumnKey::from(name));
        let file = |path: &str| ValueSource::File(PathBuf::from(path));
        for (text, source) in [
            ("ones", ValueSource::Ones),
            ("weight", column("weight")),
            ("3", ValueSource::Column(ColumnKey::Index(3))),
            ("column:length", column("length")),
            ("column:3", column("3")),
            ("w.csv", file("w.csv")),
            ("W.NPY", file("W.NPY")),
            ("data/w", file("data/w")),
            ("file:weight", file("weight")),
        ] {
            assert_eq!(ValueSource::parse(text), source, "{text}");
        }
    }
}
