//! A Parquet file that stays where it is.
//!
//! **Problem.** Two columns of forty, without the bytes of the others. **Method.** The footer is read when
//! the file is opened, and what a column has in a group when it is asked for first; it is kept, since callers
//! read a column again as another type. **Cost.** Bytes of the columns that are read, and no others.

use super::meta::Footer;
use super::{Bytes, MAGIC, ParquetFile};
use crate::IoError;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A file whose columns are read one by one; see above.
pub(crate) struct ParquetStore {
    name: String,
    file: Mutex<File>,
    length: u64,
    footer: Arc<Footer>,
    /// By group and column, what was read.
    kept: Vec<Vec<OnceLock<Vec<u8>>>>,
}

impl ParquetStore {
    /// Reads the footer. Nothing where the file does not begin as others do: who reads all of it says why.
    pub(crate) fn open(
        name: &str,
        file: File,
        length: u64,
    ) -> Result<Option<ParquetStore>, IoError> {
        let file = Mutex::new(file);
        let read = |range: Range<u64>| part(name, &file, range);
        if read(0..length.min(4))? != MAGIC {
            return Ok(None);
        }
        let footer = Arc::new(Footer::of_file(name, length, read)?);
        let locks = |columns: usize| std::iter::repeat_with(OnceLock::new).take(columns).collect();
        let kept = footer.groups.iter().map(|group| locks(group.columns.len())).collect();
        Ok(Some(ParquetStore { name: name.to_string(), file, length, footer, kept }))
    }

    /// The table, of which nothing is read yet. `limit` is for what a column decodes to.
    pub(in crate::columnar) fn table(&self, limit: u64) -> ParquetFile<'_> {
        let (groups, rows) = (0..self.footer.groups.len(), self.footer.rows as usize);
        let (name, footer, length) = (self.name.clone(), self.footer.clone(), self.length);
        ParquetFile { name, bytes: Bytes::There(self), length, footer, groups, rows, limit }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// The rows, and the least bytes of a number once it is unpacked.
    pub(crate) fn rows(&self) -> (u64, u64) {
        (self.footer.rows as u64, self.footer.least_width())
    }

    /// The bytes that these columns have in the file.
    pub(crate) fn bytes(&self, columns: impl IntoIterator<Item = usize>) -> u64 {
        let columns: Vec<usize> = columns.into_iter().collect();
        let ranges = self.footer.ranges(0..self.footer.groups.len(), columns);
        ranges.map(|range| range.end.saturating_sub(range.start)).fold(0, u64::saturating_add)
    }

    /// The bytes of a column of a group, which lie in this range.
    pub(super) fn chunk(
        &self,
        group: usize,
        leaf: usize,
        range: Range<u64>,
    ) -> Result<Option<&[u8]>, IoError> {
        let Some(kept) = self.kept[group].get(leaf) else { return Ok(None) };
        if let Some(bytes) = kept.get() {
            return Ok(Some(bytes));
        }
        let bytes = part(&self.name, &self.file, range)?;
        Ok(Some(kept.get_or_init(|| bytes)))
    }

    /// Bytes that were read of columns.
    #[cfg(test)]
    pub(crate) fn bytes_read(&self) -> usize {
        self.kept.iter().flatten().filter_map(OnceLock::get).map(Vec::len).sum()
    }
}

/// A part of a file that is known to be there.
fn part(name: &str, file: &Mutex<File>, range: Range<u64>) -> Result<Vec<u8>, IoError> {
    let failed = |source| IoError::Read { file: name.to_string(), source };
    let mut bytes = vec![0; (range.end - range.start) as usize];
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(range.start)).map_err(failed)?;
    file.read_exact(&mut bytes).map_err(failed)?;
    Ok(bytes)
}
