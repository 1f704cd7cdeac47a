//! One file from all ranks.

use super::input::{Pairs, Slice};
use super::*;
use palmette::io::{Cells, FilePlace, SlicedOutput, npy_bytes, npy_head, table_head, table_rows};
use palmette::tree::distributed::Meeting;
use palmette::{Labels, NONE, ValueSlice};

/// Refuses, before long work, a file that cannot be written, or is one of those that are read.
pub(crate) fn check(ranks: &mut Links, path: Option<&Path>, inputs: &[&Path]) -> Outcome<()> {
    let Some(path) = path else { return Ok(()) };
    let known = [".npy", ".csv", ".tsv"].iter().any(|ending| ends_in(path, ending));
    let found = path.display();
    let wrong = format!("-o: the name {found} must end in npy, csv or tsv");
    check_place(ranks, path, inputs, (!known).then_some(wrong))
}

/// As [`check`], where something may be wrong with the name.
pub(crate) fn check_place(
    ranks: &mut Links,
    path: &Path,
    inputs: &[&Path],
    wrong: Option<String>,
) -> Outcome<()> {
    let place = FilePlace::of(path);
    let is_output = |input: &&&Path| {
        place.as_ref().zip(FilePlace::of(input)).is_some_and(|(place, input)| place.is(&input))
    };
    let checked: Outcome<()> = if let Some(input) = inputs.iter().find(is_output) {
        let found = input.display();
        Err(format!("-o names the input {found}; choose another file").into())
    } else if let Some(wrong) = wrong {
        Err(wrong.into())
    } else if ranks.rank() == 0 {
        // Dropping it removes it.
        SlicedOutput::create(path, std::process::id().into()).map(drop).map_err(Into::into)
    } else {
        Ok(())
    };
    ranks.agree(checked)
}

/// Writes this rank's bytes after those of the ranks before; `head` is the first rank's.
pub(crate) fn write(ranks: &mut Links, path: &Path, head: Vec<u8>, own: &[u8]) -> Outcome<()> {
    let token = ranks.sum(if ranks.rank() == 0 { std::process::id().into() } else { 0 })?;
    let mut out = None;
    if ranks.rank() == 0 {
        out = Some(SlicedOutput::create(path, token).map_err(Box::<dyn Error>::from));
    }
    // The file is there when the others open it.
    let before = ranks.sum_before(own.len() as u64)? + head.len() as u64;
    let out = out.unwrap_or_else(|| SlicedOutput::join(path, token).map_err(Into::into));
    let written = out.and_then(|out| {
        if ranks.rank() == 0 {
            out.write(0, &head)?;
        }
        out.write(before, own)?;
        Ok(out)
    });
    let failed = ranks.sum(u64::from(written.is_err()))?;
    let finished = match written {
        // Dropping it removes it.
        Ok(out) if failed > 0 => {
            drop(out);
            Ok(())
        }
        Ok(out) if ranks.rank() == 0 => out.finish().map_err(Into::into),
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    };
    ranks.agree(finished)
}

/// Writes the answers of all vertices. Where there are answers for each of several columns of
/// values, they are named after them.
pub(crate) fn write_answers(
    ranks: &mut Links,
    path: &Path,
    slice: &Slice,
    answer: &Answer,
    values: &[String],
) -> Outcome<()> {
    if ends_in(path, ".npy") {
        let file = path.display();
        let wrong = || format!("{file}: npy holds only one column of numbers; use csv or tsv");
        let numbers = agree(ranks, answer.numbers().ok_or_else(wrong))?;
        return write_numbers(ranks, path, numbers);
    }
    let ids: Vec<i64> = (0..slice.parents.len()).map(|k| slice.id(k)).collect();
    // Vertices that answers name are on any rank.
    let mut named = Vec::new();
    for column in &answer.columns {
        if let AnswerCells::Vertices(vertices) = &column.cells {
            let wide: Vec<u64> =
                vertices.iter().map(|&v| if v == NONE { NO_VERTEX } else { v.into() }).collect();
            named.push(ids_of(ranks, slice, &wide)?);
        }
    }
    let inner: Vec<Cells<'_>> =
        named.iter().map(|(ids, _)| Cells::Numbers(ValueSlice::I64(ids))).collect();
    let mut next = named.iter().zip(&inner).map(|((_, present), ids)| Cells::Where(present, ids));
    let names = answer.names(values);
    let mut columns = vec![("vertex", Cells::Numbers(ValueSlice::I64(&ids)))];
    for (name, column) in names.iter().zip(&answer.columns) {
        let cells = match &column.cells {
            AnswerCells::Numbers(values) => Some(Cells::from(values)),
            AnswerCells::Vertices(_) => next.next(),
        };
        columns.extend(cells.map(|cells| (&name[..], cells)));
    }
    write_rows(ranks, path, &Labels::numbers(0), &columns)
}

/// Writes the answers of all pairs.
pub(crate) fn write_meetings(
    ranks: &mut Links,
    path: &Path,
    slice: &Slice,
    pairs: &Pairs,
    meetings: &[Meeting],
    distances: Option<(&'static str, &Values)>,
) -> Outcome<()> {
    if ends_in(path, ".npy") {
        let file = path.display();
        let error = format!("{file}: npy holds only one column; use csv or tsv");
        return ranks.agree(Err(error.into()));
    }
    let (first, second): (Vec<i64>, Vec<i64>) = pairs.ids.iter().copied().unzip();
    let vertices: Vec<u64> = meetings.iter().map(|meeting| meeting.ancestor).collect();
    let (ancestors, present) = ids_of(ranks, slice, &vertices)?;
    let ancestors = Cells::Numbers(ValueSlice::I64(&ancestors));
    let distances = distances.map(|(unit, distances)| (unit, Cells::from(distances)));
    let mut columns = vec![
        ("u", Cells::Numbers(ValueSlice::I64(&first))),
        ("v", Cells::Numbers(ValueSlice::I64(&second))),
        ("lca", Cells::Where(&present, &ancestors)),
    ];
    if let Some((unit, distances)) = &distances {
        columns.push((unit, Cells::Where(&present, distances)));
    }
    write_rows(ranks, path, &Labels::numbers(0), &columns)
}

/// Writes numbers of all ranks as an array.
pub(crate) fn write_numbers(ranks: &mut Links, path: &Path, numbers: &Values) -> Outcome<()> {
    let rows = ranks.sum(numbers.len() as u64)?;
    let (head, _) = npy_head(numbers, rows);
    write(ranks, path, head, &npy_bytes(numbers))
}

/// Writes rows of all ranks as a table; vertices are called by their labels.
pub(crate) fn write_rows(
    ranks: &mut Links,
    path: &Path,
    labels: &Labels,
    columns: &[(&str, Cells<'_>)],
) -> Outcome<()> {
    let separator = if ends_in(path, ".tsv") { b'\t' } else { b',' };
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let rows = table_rows(separator, labels, columns)?;
    write(ranks, path, table_head(separator, &names), &rows)
}

/// The ids of vertices anywhere, and which of them there are.
fn ids_of(ranks: &mut Links, slice: &Slice, vertices: &[u64]) -> Outcome<(Vec<i64>, Vec<bool>)> {
    let ids: Vec<Option<i64>> = match &slice.names {
        Some((table, names)) => names.ids_of(ranks, &table.ids, vertices)?,
        None => vertices.iter().map(|&v| (v != NO_VERTEX).then_some(v as i64)).collect(),
    };
    Ok(ids.into_iter().map(|id| (id.unwrap_or_default(), id.is_some())).unzip())
}
