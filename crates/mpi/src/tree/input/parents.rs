//! The parents of a slice, from an array or a table.

use super::values::read_values;
use super::*;
use palmette::IoError;
use palmette::io::TableSlices;

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
    let file = options.file.display();
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
        Some((k, id, own)) => {
            let (file, line) = (file.to_string(), slice.line_of(k));
            Err(if own {
                let vertex = format!("`{id}`");
                IoError::OwnParent { file, line: Some(line), offset: None, vertex }.into()
            } else {
                let expected = "the id of a parent, or nothing for a root".to_string();
                let found = format!("`{id}`, which no row has");
                IoError::Line { file, line, expected, found }.into()
            })
        }
    };
    ranks.agree(checked)?;
    let names = Some((slice, names));
    Ok(Slice { file: String::new(), parents, first: 0, values: Vec::new(), names })
}
