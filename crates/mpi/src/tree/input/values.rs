//! Columns of values: where they come from, and their slices.

use super::*;
use palmette::io::{ColumnKey, Number, read_as};
use palmette::{IoError, Measure};
use palmette_vocabulary::{SumOptions, ValueOptions, ValueSource};

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
    let floats = sums.need_floats(operation, options.typed.kind)?;
    let name = match operation {
        Operation::Operator(name) => name,
        Operation::Measure(Measure::WeightedDepth) => {
            return Ok((vec![Source::Column(ColumnKey::from("length"))], vec![ValueType::F64]));
        }
        Operation::Measure(_) => return Ok((Vec::new(), vec![ValueType::I64])),
    };
    let sources = options.several(name)?;
    let types = options.types(options.parameters.operator(name)?, floats)?;
    let sources = sources.into_iter().map(opened).collect::<Outcome<_>>()?;
    Ok((sources, types))
}

fn opened(source: ValueSource) -> Outcome<Source> {
    Ok(match source {
        ValueSource::Ones => Source::Ones,
        ValueSource::Length => Source::Column(ColumnKey::from("length")),
        ValueSource::Column(key) => Source::Column(key),
        ValueSource::File(path) if ends_in(&path, ".npy") => {
            Source::Array(ArraySlices::open(&path)?)
        }
        ValueSource::File(path) => {
            let found = path.display();
            return Err(format!("--values: expected a column or an npy file, found {found}").into());
        }
    })
}

/// Reads as the first type that fits on all ranks.
pub(super) fn read_values<T>(
    ranks: &mut Links,
    (types, nan): (&[ValueType], bool),
    mut read: impl FnMut(Number) -> Result<T, IoError>,
) -> Outcome<T> {
    // Where another rank has the mistake, there is an error without a text.
    let read = |number| {
        let found = read(number);
        match ranks.sum(u64::from(found.is_err())) {
            Ok(0) => found.map_err(Some),
            _ => Err(found.err()),
        }
    };
    let no_type =
        |error: Option<IoError>| error.map(|error| IoError::NoIntegerType(Box::new(error)));
    match read_as(types, nan, read, no_type) {
        Ok(answer) => Ok(answer),
        Err(error) => {
            ranks.agree(error.map_or(Ok(()), |error| Err(Box::<dyn Error>::from(error))))?;
            Err("there is no type to read values as".into())
        }
    }
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
                read_values(ranks, (types, nan), |number| array.values(rows.clone(), number))?
            }
        });
    }
    Ok(values)
}
