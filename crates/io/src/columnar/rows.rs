//! How many rows a file of columns has, before it is read.
//!
//! **Problem.** A tree too large for memory is refused by its number of vertices; packed columns say
//! nothing of that by their size. **Method.** Parquet has the number in its footer. Arrow has one for
//! each batch, in the messages of a file or a stream; bodies are passed over. **Cost.** The footer, or
//! two small reads per batch.

use super::arrow;
use crate::IoError;
use std::ops::Range;

/// Bytes per row of names and of parents as a tree is read, the latter twice.
const READ: u64 = 16;

/// The least bytes that a row takes while a tree is read from packed columns, whose numbers have at least
/// so many bytes once they are unpacked.
pub(crate) fn bytes_to_read(width: u64) -> u64 {
    // Two columns are unpacked.
    READ + 2 * width
}

/// The rows of an Arrow file of so many bytes, some of which `read` gives, and the least bytes that a row
/// takes while a tree is read; no rows where that does not show. What is damaged is left to its reader.
pub(crate) fn rows_of(
    bytes: u64,
    read: impl Fn(Range<u64>) -> Result<Vec<u8>, IoError>,
) -> (u64, u64) {
    (arrow::rows(bytes, |range| read(range).ok()).unwrap_or(0), READ)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Labels, write_parent_columns};
    use palmette_core::NONE;

    #[test]
    fn rows_are_known_without_the_columns() {
        let n = 3 << 18;
        let parents: Vec<u32> = (0..n).map(|v: u32| v.checked_sub(1).unwrap_or(NONE)).collect();
        let mut data = Vec::new();
        let labels = Labels::numbers(n as usize);
        write_parent_columns(&mut data, Format::Arrow, &parents, &labels, None, &[])
            .expect("memory");
        let taken = std::cell::Cell::new(0);
        let read = |range: Range<u64>| {
            taken.set(taken.get() + range.end - range.start);
            Ok(data[range.start as usize..range.end as usize].to_vec())
        };
        assert_eq!(rows_of(data.len() as u64, read), (n.into(), 16));
        assert!(taken.get() < 20_000, "{} bytes of {}", taken.get(), data.len());
        // Damage is no reason to stop here.
        for cut in [0, 3, 8, 11, 40, data.len() / 2, data.len() - 1] {
            let part = |range: Range<u64>| {
                let part = data[..cut].get(range.start as usize..range.end as usize);
                Ok(part.unwrap_or_default().to_vec())
            };
            assert!(rows_of(cut as u64, part).0 <= u64::from(n), "{cut}");
        }
    }
}
