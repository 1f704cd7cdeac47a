//! How many rows a file of columns has, before it is read.
//!
//! **Problem.** A tree too large for memory is refused by its number of vertices; packed columns say
//! nothing of that by their size. **Method.** Parquet has the number in its footer. Arrow has one for
//! each batch, in the messages of a file or a stream; bodies are passed over. **Cost.** The footer, or
//! two small reads per batch.

use super::parquet::ParquetParts;
use super::{arrow, parquet};
use crate::{Format, IoError};
use std::ops::Range;

/// Bytes per row of names and of parents as a tree is read, the latter twice.
const READ: u64 = 16;

/// The rows of a file of so many bytes, some of which `read` gives, and the least bytes that a row takes
/// while a tree is read; no rows where that does not show. What is damaged is left to its reader.
pub(crate) fn rows_of(
    format: Format,
    bytes: u64,
    read: impl Fn(Range<u64>) -> Result<Vec<u8>, IoError>,
) -> (u64, u64) {
    match format {
        Format::Parquet => {
            let head = read(0..bytes.min(8)).unwrap_or_default();
            let parts = parquet::is_parquet(&head).then(|| ParquetParts::read("", bytes, 0, read));
            let Some(Ok(parts)) = parts else { return (0, 0) };
            // Two columns are unpacked.
            (parts.groups().sum(), READ + 2 * parts.least_width())
        }
        Format::Arrow => (arrow::rows(bytes, |range| read(range).ok()).unwrap_or(0), READ),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Labels, write_parent_columns};
    use palmette_core::NONE;

    #[test]
    fn rows_are_known_without_the_columns() {
        let n = 3 << 18;
        let parents: Vec<u32> = (0..n).map(|v: u32| v.checked_sub(1).unwrap_or(NONE)).collect();
        for format in [Format::Parquet, Format::Arrow] {
            let mut data = Vec::new();
            let labels = Labels::numbers(n as usize);
            write_parent_columns(&mut data, format, &parents, &labels, None, &[]).expect("memory");
            let taken = std::cell::Cell::new(0);
            let read = |range: Range<u64>| {
                taken.set(taken.get() + range.end - range.start);
                Ok(data[range.start as usize..range.end as usize].to_vec())
            };
            let rows = rows_of(format, data.len() as u64, read);
            let each = if format == Format::Parquet { 32 } else { 16 };
            assert_eq!(rows, (n.into(), each), "{format}");
            assert!(taken.get() < 20_000, "{format}: {} bytes of {}", taken.get(), data.len());
            // Damage is no reason to stop here.
            for cut in [0, 3, 8, 11, 40, data.len() / 2, data.len() - 1] {
                let part = |range: Range<u64>| {
                    let part = data[..cut].get(range.start as usize..range.end as usize);
                    Ok(part.unwrap_or_default().to_vec())
                };
                assert!(rows_of(format, cut as u64, part).0 <= u64::from(n), "{format}, {cut}");
            }
        }
    }
}
