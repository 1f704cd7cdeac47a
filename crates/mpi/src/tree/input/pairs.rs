//! Pairs of vertices.

use super::memory::{BYTES_PER_PAIR, check_room};
use super::*;
use crate::tree::Outcome;
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
    let opened = open_pair_slices(&arguments.pairs).map_err(Box::<dyn Error>::from);
    let opened = ranks.agree(opened)?;
    let (file, pairs) = (arguments.pairs.display(), opened.pairs_about(share));
    let needed = pairs.saturating_mul(BYTES_PER_PAIR);
    check_room(ranks, &arguments.input, &file.to_string(), needed, &format!("{pairs} pairs"))?;
    let rows = opened.read(share).map_err(Box::<dyn Error>::from);
    let rows = ranks.agree(rows)?;
    let before = ranks.sum_before(rows.lines())?;
    let ids = opened.parse(rows, before).map_err(Box::<dyn Error>::from);
    let ids = ranks.agree(ids)?;
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
    let known = match unknown {
        None => Ok(()),
        Some(k) => Err(Box::<dyn Error>::from(format!("{file}: no vertex has the id {}", flat[k]))),
    };
    ranks.agree(known)?;
    Ok(Pairs { ids, vertices: vertices.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect() })
}
