//! Whether a slice fits.

use super::*;
use crate::command::check_room;

/// Bytes that a vertex takes at most while its tree is peeled and used.
pub(super) const BYTES_PER_VERTEX: u64 = 150;

/// As much in preorder, or for elements of several words.
pub(super) const IN_ORDER: u64 = 260;

/// As much for each column of values but the first.
pub(super) const PER_COLUMN: u64 = 40;

/// As much for exact sums of f64, which may have 34 words each: five copies of them, as given,
/// sent, received, in order and summed, and the tree.
pub(super) const WIDEST_SUM: u64 = 5 * 34 * 8 + 60;

/// Bytes that a pair takes at most while it is read, sent, answered and written; 331 were the
/// most that was measured.
pub(super) const BYTES_PER_PAIR: u64 = 400;

/// Refuses a slice that does not fit, before it is read; a vertex takes `at_least` so many bytes.
pub(super) fn check_memory(
    ranks: &mut Links,
    options: &InputOptions,
    file: &str,
    share: Share,
    opened: &TreeSlices,
    at_least: u64,
) -> Outcome<()> {
    let (vertices, more) = match opened {
        TreeSlices::Array(array) => {
            let rows = share.of(array.rows());
            (rows.end - rows.start, 0)
        }
        TreeSlices::Table(table) => (table.rows_about(share), table.bytes(share)),
        TreeSlices::Columns(table) => (table.rows(share), table.bytes(share)),
    };
    let needed = vertices.saturating_mul(BYTES_PER_VERTEX.max(at_least)).saturating_add(more);
    check_room(ranks, options.memory, file, needed, &format!("{vertices} vertices"))
}
