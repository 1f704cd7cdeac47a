//! The parents of a slice, from an array, a table or a Parquet file.

use super::values::read_values;
use super::*;
use palmette::io::{ColumnSlices, TableSlice, TableSlices};

pub(super) fn read_array(
    ranks: &mut Links,
    options: &InputOptions,
    array: &ArraySlices,
    share: Share,
    columns: bool,
) -> Outcome<Slice> {
    let read = || -> Outcome<Vec<u64>> {
        if columns {
            let file = options.file.display();
            return Err(format!("{file}: an array of parents has no columns; use a table").into());
        }
        let parents = array.parents(share.of(array.rows()), options.self_root)?;
        Ok(parents.into_iter().map(|parent| parent.unwrap_or(NO_VERTEX)).collect())
    };
    let parents = read();
    let parents = ranks.agree(parents)?;
    Ok(Slice { file: String::new(), parents, first: 0, values: Vec::new(), names: None })
}

pub(super) fn read_table(
    ranks: &mut Links,
    options: &InputOptions,
    mut table: TableSlices,
    share: Share,
    types: (&[ValueType], bool),
) -> Outcome<Slice> {
    let rows = agree(ranks, table.read(share))?;
    let before = ranks.sum_before(rows.lines())?;
    let slice = read_values(ranks, types, |number| {
        table.set_type(number);
        table.parse(&rows, before)
    })?;
    drop(rows);
    find_parents(ranks, options, slice)
}

pub(super) fn read_groups(
    ranks: &mut Links,
    options: &InputOptions,
    mut table: ColumnSlices,
    share: Share,
    types: (&[ValueType], bool),
) -> Outcome<Slice> {
    let groups = agree(ranks, table.read(share))?;
    let slice = read_values(ranks, types, |number| {
        table.set_type(number);
        table.parse(&groups)
    })?;
    drop(groups);
    find_parents(ranks, options, slice)
}

/// Finds the vertices that parents are.
fn find_parents(ranks: &mut Links, options: &InputOptions, slice: TableSlice) -> Outcome<Slice> {
    let file = options.file.display().to_string();
    let names = Names::build(ranks, &slice.ids).map_err(|error| match error {
        DistributedError::Ranks(_) => Box::<dyn Error>::from(error),
        other => format!("{file}: {other}").into(),
    })?;
    // Roots ask for -1, which may be an id; no answer is no parent then.
    let wanted: Vec<i64> = slice.parents.iter().map(|parent| parent.unwrap_or(-1)).collect();
    let mut parents = names.find(ranks, &wanted)?;
    ranks.phase("read");
    let mut wrong = None;
    for (k, (found, parent)) in parents.iter_mut().zip(&slice.parents).enumerate() {
        let own = *parent == Some(slice.ids[k]);
        match *parent {
            None => *found = NO_VERTEX,
            Some(_) if own && options.self_root => *found = NO_VERTEX,
            Some(id) if own || (*found == NO_VERTEX && id != -1) => {
                wrong = wrong.or(Some((k, id, own)));
            }
            Some(_) => {}
        }
    }
    let checked: Outcome<()> = match wrong {
        None => Ok(()),
        Some((k, _, true)) => Err(slice.own_parent(&file, k).into()),
        Some((k, id, false)) => Err(slice.unknown_parent(&file, k, id).into()),
    };
    ranks.agree(checked)?;
    let names = Some((slice, names));
    Ok(Slice { file: String::new(), parents, first: 0, values: Vec::new(), names })
}
