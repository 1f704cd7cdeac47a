//! Where values come from.

use crate::files::Files;
use crate::input::{Lengths, Needs, name_of, with_types};
use crate::limit::read_bytes;
use crate::operators::{ValueOptions, type_name};
use crate::session::Session;
use anyhow::{Context, bail};
use palmette::io::{ColumnKey, Number, ValueParams, read_values_with};
use palmette::{OperatorName, TreeFile, ValueType, Values};
use std::path::PathBuf;

/// One column of values.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ValueSource {
    Ones,
    Length,
    Column(ColumnKey),
    File(PathBuf),
}

impl ValueSource {
    /// The rule of the help text of `--values`; it asks no file system.
    fn parse(text: &str) -> ValueSource {
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

/// The files of a command, with those that `--values` names.
pub(crate) fn value_files(values: &[String], files: Files) -> Files {
    values.iter().fold(files, |files, text| match ValueSource::parse(text) {
        ValueSource::File(path) => files.reads("--values", Some(&path)),
        _ => files,
    })
}

/// The columns an operator is given, before any file is read.
pub(crate) struct ValuePlan {
    sources: Vec<ValueSource>,
    types: Vec<ValueType>,
    nan: bool,
    /// The value of vertices that have none.
    missing: Option<String>,
}

impl ValuePlan {
    pub(crate) fn new(operator: OperatorName, options: &ValueOptions) -> anyhow::Result<ValuePlan> {
        let takes = operator.value_columns();
        let sources = match (options.values.len(), takes) {
            (0, 1) if options.lengths => vec![ValueSource::Length],
            _ if options.lengths => bail!("--lengths: {operator} takes {takes} columns of values"),
            (0, 0) => Vec::new(),
            (0, 1) => vec![ValueSource::Ones],
            (given, takes) if given == takes => {
                options.values.iter().map(|text| ValueSource::parse(text)).collect()
            }
            (given, _) => bail!("--values: expected {takes} columns for {operator}, found {given}"),
        };
        let types = match options.kind {
            Some(kind) => vec![kind],
            None => {
                let types = operator.value_types(options.modulus).iter().copied();
                types.filter(|&kind| kind != ValueType::F32).collect()
            }
        };
        let missing = options.missing_value.clone();
        let partial =
            |source: &ValueSource| matches!(source, ValueSource::Column(_) | ValueSource::File(_));
        if missing.is_some() && !sources.iter().any(partial) {
            bail!("--missing-value: expected values from a column or a file after --values");
        }
        Ok(ValuePlan { sources, types, nan: false, missing })
    }

    /// The same, with floats where no type was asked for.
    pub(crate) fn with_floats(mut self, options: &ValueOptions) -> ValuePlan {
        if options.kind.is_none() {
            self.types = vec![ValueType::F64];
        }
        self
    }

    /// The same, with NaN among the values where that is allowed.
    pub(crate) fn with_nan(self, nan: bool) -> ValuePlan {
        ValuePlan { nan, ..self }
    }

    /// What the tree's file has to give.
    pub(crate) fn needs(&self) -> Needs {
        let columns = self.sources.iter().filter_map(|source| match source {
            ValueSource::Column(key) => Some(key.clone()),
            _ => None,
        });
        let lengths = match self.on_edges() {
            true => Lengths::Required,
            false => Lengths::No,
        };
        Needs {
            columns: columns.collect(),
            types: self.types.clone(),
            nan: self.nan,
            missing: self.missing.clone(),
            lengths,
            ..Needs::default()
        }
    }

    /// Whether values belong to edges rather than to vertices.
    pub(crate) fn on_edges(&self) -> bool {
        self.sources.contains(&ValueSource::Length)
    }

    /// The values by vertex, files read as a part of the phase `read`.
    pub(crate) fn read(
        &self,
        session: &mut Session,
        file: &mut TreeFile,
    ) -> anyhow::Result<Vec<Values>> {
        let mut columns = std::mem::take(&mut file.columns).into_iter();
        let file: &TreeFile = file;
        let mut values = Vec::new();
        for source in &self.sources {
            values.push(match source {
                ValueSource::Ones => ones(self.types[0], file.len()),
                ValueSource::Length => self.lengths(file)?,
                ValueSource::Column(_) => {
                    columns.next().context("a column that was asked for is missing")?.values
                }
                ValueSource::File(path) => session.phase("read", || {
                    let (name, bytes) = (name_of(path), read_bytes(path)?);
                    with_types(&self.types, |kind| {
                        let number = Number { kind, nan: self.nan };
                        let missing = self.missing.as_deref();
                        let params = ValueParams { number, column: None, missing };
                        Ok(read_values_with(&name, &bytes, &params, &file.labels)?)
                    })
                })?,
            });
        }
        Ok(values)
    }

    fn lengths(&self, file: &TreeFile) -> anyhow::Result<Values> {
        let lengths = file.lengths.as_deref().unwrap_or_default();
        if self.types.contains(&ValueType::F64) {
            Ok(Values::F64(lengths.to_vec()))
        } else if self.types.contains(&ValueType::F32) {
            Ok(Values::F32(lengths.iter().map(|&x| x as f32).collect()))
        } else {
            bail!("--lengths: expected {} values, found f64", type_name(self.types[0]))
        }
    }
}

fn ones(kind: ValueType, n: usize) -> Values {
    match kind {
        ValueType::I64 => Values::I64(vec![1; n]),
        ValueType::U64 => Values::U64(vec![1; n]),
        ValueType::F64 => Values::F64(vec![1.0; n]),
        ValueType::F32 => Values::F32(vec![1.0; n]),
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
