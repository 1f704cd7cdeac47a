//! Columns of values: where they come from, and their slices.

use super::*;
use crate::tree::Outcome;
use palmette::Measure;
use palmette::io::{ColumnKey, Number};
use palmette_vocabulary::{SumOptions, ValueOptions, ValueSource};
use std::path::Path;

/// Where a column of values comes from.
pub(super) enum Source {
    Ones,
    Column(ColumnKey),
    Array(ArraySlices),
}

/// The columns that an operation needs, and the types to try for them.
pub(super) fn plan(
    operation: Operation,
    options: &ValueOptions,
    sums: &SumOptions,
) -> Outcome<(Vec<Source>, Vec<ValueType>)> {
    let floats = sums.need_floats(operation, options.kind)?;
    let name = match operation {
        Operation::Operator(name) => name,
        Operation::Measure(Measure::WeightedDepth) => {
            return Ok((vec![Source::Column(ColumnKey::from("length"))], vec![ValueType::F64]));
        }
        Operation::Measure(measure) if !options.values.is_empty() || options.lengths => {
            let option = if options.lengths { "--lengths" } else { "--values" };
            return Err(format!("--op {measure} takes no {option}").into());
        }
        Operation::Measure(_) => return Ok((Vec::new(), vec![ValueType::I64])),
    };
    let sources = options.sources(name)?;
    let lengths = sources.contains(&ValueSource::Length);
    let types = options.types(options.parameters.operator(name)?, floats || lengths);
    let sources = sources.into_iter().map(opened).collect::<Outcome<_>>()?;
    Ok((sources, types))
}

fn opened(source: ValueSource) -> Outcome<Source> {
    Ok(match source {
        ValueSource::Ones => Source::Ones,
        ValueSource::Length => Source::Column(ColumnKey::from("length")),
        ValueSource::Column(key) => Source::Column(key),
        ValueSource::File(path) if is_npy(&path) => Source::Array(ArraySlices::open(&path)?),
        ValueSource::File(path) => {
            let found = path.display();
            return Err(format!("--values: expected a column or an npy file, found {found}").into());
        }
    })
}

fn is_npy(path: &Path) -> bool {
    path.to_string_lossy().to_lowercase().ends_with(".npy")
}

/// Reads as the first type that fits on all ranks. When none does, the error is the one for
/// floats, which take most numbers, or else for the first type.
pub(super) fn with_types<T>(
    ranks: &mut Links,
    types: &[ValueType],
    mut read: impl FnMut(ValueType) -> Outcome<T>,
) -> Outcome<T> {
    let mut told = None;
    for &kind in types {
        let found = read(kind);
        let failed = ranks.sum(u64::from(found.is_err()))?;
        match found {
            Ok(answer) if failed == 0 => return Ok(answer),
            found if told.is_none() || kind == ValueType::F64 => told = Some(found.map(drop)),
            _ => {}
        }
    }
    ranks.agree(told.unwrap_or(Ok(())))?;
    Err("there is no type to read values as".into())
}

pub(super) fn values(
    ranks: &mut Links,
    slice: &mut Slice,
    (types, nan): (&[ValueType], bool),
    sources: &[Source],
    all: u64,
) -> Outcome<Vec<Values>> {
    let n = slice.parents.len();
    let columns = slice.names.as_mut().map(|(table, _)| std::mem::take(&mut table.columns));
    let mut columns = columns.unwrap_or_default().into_iter();
    let mut values = Vec::new();
    for source in sources {
        values.push(match source {
            Source::Ones => Values::ones(types[0], n),
            Source::Column(_) => columns.next().ok_or("a requested column is missing")?,
            Source::Array(array) => {
                if array.rows() != all {
                    let found = array.rows();
                    let error = format!("--values has {found} values for {all} vertices");
                    return ranks.agree(Err(error.into()));
                }
                let rows = slice.first..slice.first + n as u64;
                with_types(ranks, types, |kind| {
                    Ok(array.values(rows.clone(), Number { kind, nan })?)
                })?
            }
        });
    }
    Ok(values)
}
