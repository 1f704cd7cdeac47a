//! How much is read of every input: what `--max-input` says.
//!
//! It is set once, before a verb runs. Libraries get it with each call.

use anyhow::bail;
use palmette::io::{
    GraphFile, GraphReadParams, InputLimit, IoError, Labels, PairFile, name_of, read_bytes_within,
    read_graph_bytes, read_integers_bytes, read_pairs_bytes, read_points_bytes, read_sets_bytes,
};
use std::path::Path;
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

/// A limit of a format's own, unless the user's is lower.
fn limit_below(own: u64) -> u64 {
    most().map_or(own, |most| most.min(own))
}

pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, IoError> {
    read_bytes_within(path, limit())
}

/// An input that may have at most `own` bytes, whatever the user allows; `what` it is, in `unit`s
/// of so many bytes.
pub(crate) fn read_bytes_below(
    path: &Path,
    own: u64,
    what: &str,
    unit: (&str, u64),
) -> anyhow::Result<Vec<u8>> {
    match read_bytes_within(path, InputLimit::of(limit_below(own))) {
        Err(IoError::TooLarge { limit, file, .. }) if limit == own => {
            bail!("{file}: expected at most {} {} of {what}, found more", own / unit.1, unit.0)
        }
        read => Ok(read?),
    }
}

pub(crate) fn read_pairs(path: &Path, labels: &Labels) -> Result<Vec<(u32, u32)>, IoError> {
    read_pairs_bytes(&name_of(path), &read_bytes(path)?, labels)
}

pub(crate) fn read_pair_file(path: &Path, labels: &Labels) -> Result<PairFile, IoError> {
    palmette::io::read_pair_file(&name_of(path), &read_bytes(path)?, labels)
}

pub(crate) fn read_sets(path: &Path, labels: &Labels) -> Result<Vec<Vec<u32>>, IoError> {
    read_sets_bytes(&name_of(path), &read_bytes(path)?, labels)
}

pub(crate) fn read_integers(path: &Path, n: usize) -> Result<Vec<u32>, IoError> {
    read_integers_bytes(&name_of(path), &read_bytes(path)?, n)
}

pub(crate) fn read_points(path: &Path, n: usize) -> Result<Vec<[f64; 3]>, IoError> {
    read_points_bytes(&name_of(path), &read_bytes(path)?, n)
}

pub(crate) fn read_graph(path: &Path, params: &GraphReadParams) -> Result<GraphFile, IoError> {
    read_graph_bytes(&name_of(path), &read_bytes(path)?, params)
}
