//! Every rank's slice of the input.

mod memory;
mod pairs;
mod parents;
mod slice;
mod values;

pub(crate) use pairs::{Pairs, read_pairs};
pub(crate) use slice::Slice;

use super::arguments::{InputOptions, TreefixArguments};
use super::{Links, Outcome, agree, ends_in};
use memory::{BYTES_PER_VERTEX, IN_ORDER, PER_COLUMN, WIDEST_SUM, check_memory};
use palmette::io::{ArraySlices, ColumnKey, Share, TreeSlices, open_tree_slices};
use palmette::tree::distributed::{DistributedError, NO_VERTEX, Names, Ranks};
use palmette::{OperatorName, ReadParams, Summation, ValueType, Values};
use palmette_vocabulary::Operation;
use parents::{read_array, read_groups, read_table};
use std::error::Error;
use values::{Source, plan, values};

fn share(ranks: &Links, options: &InputOptions) -> Outcome<Share> {
    let count = ranks.ranks();
    if options.shares.is_empty() {
        return Ok(Share::even(ranks.rank(), count));
    }
    if options.shares.len() != count {
        let found = options.shares.len();
        return Err(format!("--shares needs {count} weights, one per rank, not {found}").into());
    }
    Share::weighted(ranks.rank(), &options.shares)
        .ok_or_else(|| "--shares: at least one weight must be above 0".into())
}

/// Reads the tree, and its branch lengths if they are wanted.
pub(crate) fn read_tree(
    ranks: &mut Links,
    options: &InputOptions,
    lengths: bool,
) -> Outcome<Slice> {
    let length = lengths.then(|| Source::Column(ColumnKey::from("length")));
    let kind = if lengths { ValueType::F64 } else { ValueType::I64 };
    read_columns(ranks, options, (&[kind], false), length.as_slice(), IN_ORDER)
}

/// Reads the tree and what an operation needs.
pub(crate) fn read(
    ranks: &mut Links,
    operation: Operation,
    arguments: &TreefixArguments,
) -> Outcome<Slice> {
    let plan = plan(operation, &arguments.values, &arguments.sums);
    let (sources, types) = ranks.agree(plan)?;
    let sums = &arguments.sums;
    let exact = sums.summation == Some(Summation::Exact);
    let mut widest = match operation {
        _ if exact && types.contains(&ValueType::F64) => WIDEST_SUM,
        _ if sums.summation.is_some() || sums.error_bound => IN_ORDER,
        Operation::Operator(name) if !name.is_commutative() || may_need_order(name, &types) => {
            IN_ORDER
        }
        _ => 0,
    };
    if sources.len() > 1 {
        widest = widest.max(BYTES_PER_VERTEX) + PER_COLUMN * (sources.len() as u64 - 1);
    }
    let types = (&types[..], arguments.sums.allow_nan);
    read_columns(ranks, &arguments.input, types, &sources, widest)
}

/// Extremes of floats need an order where there are NaN or zeros of both signs.
fn may_need_order(name: OperatorName, types: &[ValueType]) -> bool {
    use OperatorName::{ArgMax, ArgMin, Max, Min};
    let floats = types.iter().any(|kind| matches!(kind, ValueType::F32 | ValueType::F64));
    floats && matches!(name, Min | Max | ArgMin | ArgMax)
}

fn read_columns(
    ranks: &mut Links,
    options: &InputOptions,
    (types, nan): (&[ValueType], bool),
    sources: &[Source],
    widest: u64,
) -> Outcome<Slice> {
    ranks.phase("read");
    let keys = sources.iter().filter_map(|source| match source {
        Source::Column(key) => Some((key.clone(), types[0].into())),
        _ => None,
    });
    let params = ReadParams {
        columns: keys.collect(),
        self_root: options.self_root,
        header: options.header,
        ..Default::default()
    };
    let opened = share(ranks, options)
        .and_then(|share| Ok((share, open_tree_slices(&options.file, &params)?)));
    let (share, opened) = ranks.agree(opened)?;
    let file = options.file.display().to_string();
    check_memory(ranks, options, &file, share, &opened, widest)?;
    let columns = !params.columns.is_empty();
    // Without columns there is nothing to try.
    let tried = if columns { types } else { &types[..1] };
    let mut slice = match opened {
        TreeSlices::Array(array) => read_array(ranks, options, &array, share, columns),
        TreeSlices::Table(table) => read_table(ranks, options, table, share, (tried, nan)),
        TreeSlices::Columns(table) => read_groups(ranks, options, table, share, (tried, nan)),
    }?;
    slice.file = file;
    slice.first = ranks.sum_before(slice.parents.len() as u64)?;
    let all = ranks.sum(slice.parents.len() as u64)?;
    slice.values = values(ranks, &mut slice, (types, nan), sources, all)?;
    Ok(slice)
}
