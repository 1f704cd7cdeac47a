//! The limit on input sizes, from `--max-input`.
//!
//! Set once, before a verb runs, and passed to the libraries with each call.

use crate::prelude::*;
use palmette::io::{
    GraphFile, GraphReadParams, InputLimit, IoError, NetlistFile, NumberTable, PairFile, RowsAre,
    UpdateFile, name_of, read_bytes_within, read_graph_within, read_integers_bytes,
    read_netlist_within, read_number_table_bytes, read_pairs_bytes, read_points_bytes,
    read_previous_bytes, read_sets_bytes, read_updates_bytes, read_weights_bytes,
};
use std::sync::OnceLock;

static MOST: OnceLock<u64> = OnceLock::new();

/// Notes the limit of the command line.
pub(crate) fn set(most: Option<u64>) {
    if let Some(most) = most {
        // A process runs one verb.
        let _ = MOST.set(most);
    }
}

/// The number of bytes that was asked for.
pub(crate) fn most() -> Option<u64> {
    MOST.get().copied()
}

/// The limit for every input.
pub(crate) fn limit() -> InputLimit {
    most().map_or(InputLimit::default(), InputLimit::of)
}

/// The lower of a format's own limit and the user's.
fn limit_below(own: u64) -> u64 {
    most().map_or(own, |most| most.min(own))
}

pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, IoError> {
    read_bytes_within(path, limit())
}

/// Reads an input of at most `own` bytes, whatever the user allows; errors call it `what` and count
/// in `unit`s.
pub(crate) fn read_bytes_below(
    path: &Path,
    own: u64,
    what: &str,
    unit: (&str, u64),
) -> Result<Vec<u8>> {
    match read_bytes_within(path, InputLimit::of(limit_below(own))) {
        Err(IoError::TooLarge { limit, file, .. }) if limit == own => {
            bail!("{file}: more than {} {} of {what}", own / unit.1, unit.0)
        }
        read => Ok(read?),
    }
}

/// Readers of files within the limit, by those of the library, which read bytes.
macro_rules! readers {
    ($($name:ident($with:ident: $kind:ty) -> $found:ty = $reader:path;)*) => {$(
        pub(crate) fn $name(path: &Path, $with: $kind) -> Result<$found, IoError> {
            $reader(&name_of(path), &read_bytes(path)?, $with)
        }
    )*};
}

readers! {
    read_pairs(labels: &Labels) -> Vec<(u32, u32)> = read_pairs_bytes;
    read_pair_file(labels: &Labels) -> PairFile = palmette::io::read_pair_file;
    read_sets(labels: &Labels) -> Vec<Vec<u32>> = read_sets_bytes;
    read_updates(labels: &Labels) -> UpdateFile = read_updates_bytes;
    read_integers(n: usize) -> Vec<u32> = read_integers_bytes;
    read_weights(n: usize) -> Vec<Vec<u32>> = read_weights_bytes;
    read_previous(n: usize) -> Vec<u32> = read_previous_bytes;
    read_points(n: usize) -> Vec<[f64; 3]> = read_points_bytes;
}

/// Reads a graph; a netlist with what it includes, each file within the limit.
pub(crate) fn read_graph(path: &Path, params: &GraphReadParams) -> Result<GraphFile, IoError> {
    read_graph_within(path, params, limit())
}

/// Reads a netlist with what it includes, each file within the limit.
pub(crate) fn read_netlist(path: &Path) -> Result<NetlistFile, IoError> {
    read_netlist_within(path, limit())
}

pub(crate) fn read_number_table(path: &Path, rows_are: RowsAre) -> Result<NumberTable, IoError> {
    read_number_table_bytes(&name_of(path), &read_bytes(path)?, rows_are)
}
