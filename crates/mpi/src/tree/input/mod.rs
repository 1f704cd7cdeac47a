//! Every rank's slice of the input.

mod memory;
mod pairs;
mod parents;
mod slice;
mod values;

pub(crate) use pairs::{Pairs, read_pairs};
pub(crate) use slice::Slice;

use super::Outcome;
use super::arguments::{InputOptions, TreefixArguments};
use memory::{WIDEST_SUM, check_memory};
use palmette::io::{ColumnKey, Number, Share, TreeSlices, open_tree_slices};
use palmette::tree::distributed::{Metered, Ranks};
use palmette::{ReadParams, Summation, ValueType};
use palmette_mpi::MpiTransport;
use parents::{read_array, read_table};
use std::error::Error;
use values::{Source, plan, values};

type Links = Metered<MpiTransport>;

/// The share of this rank.
fn share(ranks: &Links, options: &InputOptions) -> Outcome<Share> {
    let count = ranks.ranks();
    if options.shares.is_empty() {
        return Ok(Share::even(ranks.rank(), count));
    }
    if options.shares.len() != count {
        let found = options.shares.len();
        return Err(format!("--shares: expected {count} weights, one a rank, found {found}").into());
    }
    Share::weighted(ranks.rank(), &options.shares)
        .ok_or_else(|| "--shares: expected a weight above 0, found none".into())
}

/// Reads the tree alone.
pub(crate) fn read_tree(ranks: &mut Links, options: &InputOptions) -> Outcome<Slice> {
    read_columns(ranks, options, &[], Number::from(ValueType::I64), &[], 0)
}

/// Reads the tree and what an operation needs.
pub(crate) fn read(ranks: &mut Links, arguments: &TreefixArguments) -> Outcome<Slice> {
    let plan = plan(arguments.operation, &arguments.values, &arguments.sums);
    let (sources, kind) = ranks.agree(plan)?;
    let keys: Vec<ColumnKey> = sources
        .iter()
        .filter_map(|source| match source {
            Source::Column(key) => Some(key.clone()),
            _ => None,
        })
        .collect();
    let exact = arguments.sums.summation == Some(Summation::Exact);
    let widest = if exact && kind == ValueType::F64 { WIDEST_SUM } else { 0 };
    let number = Number { kind, nan: arguments.sums.allow_nan };
    read_columns(ranks, &arguments.input, &keys, number, &sources, widest)
}

fn read_columns(
    ranks: &mut Links,
    options: &InputOptions,
    keys: &[ColumnKey],
    number: Number,
    sources: &[Source],
    widest: u64,
) -> Outcome<Slice> {
    ranks.phase("read");
    let params = ReadParams {
        columns: keys.iter().map(|key| (key.clone(), number.kind)).collect(),
        nan: number.nan,
        self_root: options.self_root,
        header: options.header,
        ..Default::default()
    };
    let opened = share(ranks, options).and_then(|share| {
        Ok((share, open_tree_slices(&options.file, &params).map_err(Box::<dyn Error>::from)?))
    });
    let (share, opened) = ranks.agree(opened)?;
    let file = options.file.display().to_string();
    check_memory(ranks, options, &file, share, &opened, widest)?;
    let mut slice = match opened {
        TreeSlices::Array(array) => read_array(ranks, options, &array, share, keys),
        TreeSlices::Table(table) => read_table(ranks, options, &table, share),
    }?;
    slice.file = file;
    slice.first = ranks.sum_before(slice.parents.len() as u64)?;
    let all = ranks.sum(slice.parents.len() as u64)?;
    let values = values(&mut slice, number, sources, all);
    slice.values = ranks.agree(values)?;
    Ok(slice)
}
