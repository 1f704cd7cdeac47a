//! Pairs of vertices.

use super::memory::BYTES_PER_PAIR;
use super::*;
use crate::command::check_room;
use crate::tree::arguments::LcaArguments;
use palmette::io::open_pair_slices;

/// This rank's pairs.
pub(crate) struct Pairs {
    /// As the file has them.
    pub(crate) ids: Vec<(i64, i64)>,
    pub(crate) vertices: Vec<(u64, u64)>,
}

pub(crate) fn read_pairs(
    ranks: &mut Links,
    arguments: &LcaArguments,
    slice: &Slice,
) -> Outcome<Pairs> {
    ranks.phase("read");
    let share = Share::even(ranks.rank(), ranks.ranks());
    let opened = agree(ranks, open_pair_slices(&arguments.pairs))?;
    let (file, pairs) = (arguments.pairs.display(), opened.pairs_about(share));
    let needed = pairs.saturating_mul(BYTES_PER_PAIR);
    check_room(
        ranks,
        arguments.input.memory,
        &file.to_string(),
        needed,
        &format!("{pairs} pairs"),
    )?;
    let rows = agree(ranks, opened.read(share))?;
    let before = ranks.sum_before(rows.lines())?;
    let ids = agree(ranks, opened.parse(rows, before))?;
    let flat: Vec<i64> = ids.iter().flat_map(|&(u, v)| [u, v]).collect();
    let all = ranks.sum(slice.parents.len() as u64)?;
    let vertices = match &slice.names {
        Some((_, names)) => names.find(ranks, &flat)?,
        None => {
            let vertex =
                |&id: &i64| u64::try_from(id).ok().filter(|&v| v < all).unwrap_or(NO_VERTEX);
            flat.iter().map(vertex).collect()
        }
    };
    let unknown = vertices.iter().position(|&v| v == NO_VERTEX);
    let wrong = unknown.map(|k| format!("{file}: no vertex has the id {}", flat[k]));
    agree(ranks, wrong.map_or(Ok(()), Err))?;
    Ok(Pairs { ids, vertices: vertices.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect() })
}
