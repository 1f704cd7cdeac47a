//! Columns of values: where they come from, and their slices.

use super::Slice;
use crate::tree::Outcome;
use crate::tree::arguments::{Operation, SumOptions, ValueOptions, type_name};
use palmette::io::{ArraySlices, ColumnKey, Number};
use palmette::{Measure, OperatorName, ValueType, Values};
use std::path::Path;

/// Where a column of values comes from.
pub(super) enum Source {
    Ones,
    Column(ColumnKey),
    Array(ArraySlices),
}

pub(super) fn plan(
    operation: Operation,
    options: &ValueOptions,
    sums: &SumOptions,
) -> Outcome<(Vec<Source>, ValueType)> {
    if let Some(option) = sums.option() {
        check_floats(option, operation, options)?;
    }
    let operator = match operation {
        Operation::Operator(operator) => operator,
        Operation::Measure(Measure::WeightedDepth) => {
            return Ok((vec![Source::Column(ColumnKey::from("length"))], ValueType::F64));
        }
        Operation::Measure(_) if options.values.is_empty() => {
            return Ok((Vec::new(), ValueType::I64));
        }
        Operation::Measure(measure) => {
            return Err(format!("--values: expected none for the measure {measure}").into());
        }
    };
    let takes = operator.value_columns();
    let parse = |text: &String| -> Outcome<Source> {
        Ok(match text.as_str() {
            "ones" => Source::Ones,
            _ if text.to_lowercase().ends_with(".npy") => {
                Source::Array(ArraySlices::open(Path::new(text))?)
            }
            _ if text.contains('/') || text.ends_with(".csv") || text.ends_with(".tsv") => {
                return Err(
                    format!("--values: expected a column or an npy file, found {text}").into()
                );
            }
            _ => Source::Column(ColumnKey::from(text.strip_prefix("column:").unwrap_or(text))),
        })
    };
    let sources = match (options.values.len(), takes) {
        (0, 0) => Vec::new(),
        (0, 1) => vec![Source::Ones],
        (given, takes) if given == takes => {
            options.values.iter().map(parse).collect::<Outcome<_>>()?
        }
        (given, _) => {
            let message =
                format!("--values: expected {takes} columns for {operator}, found {given}");
            return Err(message.into());
        }
    };
    let lengths = options.values.iter().any(|text| text == "length");
    let linear = matches!(operator, OperatorName::Affine | OperatorName::Matrix);
    let floats = sums.option().is_some();
    let natural = if floats || lengths || (linear && options.modulus.is_none()) {
        ValueType::F64
    } else {
        ValueType::I64
    };
    Ok((sources, options.kind.unwrap_or(natural)))
}

/// Only sums of floats round.
fn check_floats(option: &str, operation: Operation, options: &ValueOptions) -> Outcome<()> {
    if operation != Operation::Operator(OperatorName::Sum) {
        let found = operation.name();
        return Err(format!("{option}: expected the operator sum, found {found}").into());
    }
    if matches!(options.kind, Some(ValueType::I64 | ValueType::U64)) {
        let kind = type_name(options.kind);
        return Err(format!(
            "{option}: expected --type f32 or f64, found {kind}, whose sums are exact"
        )
        .into());
    }
    Ok(())
}

pub(super) fn values(
    slice: &mut Slice,
    number: Number,
    sources: &[Source],
    all: u64,
) -> Outcome<Vec<Values>> {
    let n = slice.parents.len();
    let columns = slice.names.as_mut().map(|(table, _)| std::mem::take(&mut table.columns));
    let mut columns = columns.unwrap_or_default().into_iter();
    let read = |source: &Source| -> Outcome<Values> {
        Ok(match source {
            Source::Ones => match number.kind {
                ValueType::I64 => Values::I64(vec![1; n]),
                ValueType::U64 => Values::U64(vec![1; n]),
                ValueType::F64 => Values::F64(vec![1.0; n]),
                ValueType::F32 => Values::F32(vec![1.0; n]),
            },
            Source::Column(_) => columns.next().ok_or("a column that was asked for is missing")?,
            Source::Array(array) => {
                if array.rows() != all {
                    let found = array.rows();
                    return Err(format!(
                        "--values: expected {all} values, one a vertex, found {found}"
                    )
                    .into());
                }
                array.values(slice.first..slice.first + n as u64, number)?
            }
        })
    };
    sources.iter().map(read).collect()
}
