//! One output file that many processes write, each its part. It appears when all are done.

use crate::output::temporary_name;
use crate::place::{Target, target_of};
use crate::source::name_of;
use crate::write::{header_row, invalid};
use crate::{Cells, IoError, Labels, Values, npy};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A file that each process writes a part of; it appears when all have, as with
/// [`Output`](crate::Output). One process creates it and finishes it; the others join.
pub struct SlicedOutput {
    name: String,
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    /// Whether this process created it, and it is not finished.
    unfinished: bool,
}

impl SlicedOutput {
    /// Creates the file; `token` tells those of one job from others.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(target: &Path, token: u64) -> Result<SlicedOutput, IoError> {
        SlicedOutput::open(target, token, true)
    }

    /// Opens the file that another process has created with that token.
    ///
    /// # Errors
    /// When it is not there: processes must see the same files.
    pub fn join(target: &Path, token: u64) -> Result<SlicedOutput, IoError> {
        SlicedOutput::open(target, token, false)
    }

    fn open(target: &Path, token: u64, create: bool) -> Result<SlicedOutput, IoError> {
        let name = name_of(target);
        let failed = |source| IoError::Write { file: name.clone(), source };
        let target = match target_of(target).map_err(failed)? {
            Target::File(target, _) => target,
            Target::Other(_) => {
                let message = "not a plain file, which several ranks can write at once";
                return Err(failed(invalid(message)));
            }
        };
        let Some(temporary) = temporary_name(&target, token, 0) else {
            return Err(failed(invalid("expected the name of a file")));
        };
        let file =
            OpenOptions::new().write(true).create_new(create).open(&temporary).map_err(failed)?;
        Ok(SlicedOutput { name, file, temporary, target, unfinished: create })
    }

    /// Writes bytes at a place.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&self, at: u64, bytes: &[u8]) -> Result<(), IoError> {
        let failed = |source| IoError::Write { file: self.name.clone(), source };
        self.file.write_all_at(bytes, at).map_err(failed)
    }

    /// Makes the file appear, after all processes have written. For the one that created it.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn finish(mut self) -> Result<(), IoError> {
        let failed = |source| IoError::Write { file: self.name.clone(), source };
        fs::rename(&self.temporary, &self.target).map_err(failed)?;
        self.unfinished = false;
        Ok(())
    }
}

impl Drop for SlicedOutput {
    fn drop(&mut self) {
        if self.unfinished {
            // Nothing can be done about a failure here.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// The bytes before the values of an npy file with so many rows, and how many each takes.
pub fn npy_head(values: &Values, rows: u64) -> (Vec<u8>, u64) {
    let descr = npy::descr(values);
    let width = if descr.ends_with('4') { 4 } else { 8 };
    (npy::head(descr, &format!("({rows},)")), width)
}

/// Values as an npy file has them.
pub fn npy_bytes(values: &Values) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 * values.len());
    npy::put(values, 0..values.len(), &mut bytes);
    bytes
}

/// The first line of a table.
pub fn table_head(separator: u8, columns: &[&str]) -> Vec<u8> {
    header_row(separator, columns.iter().copied())
}

/// The rows of a slice of a table, as [`write_table`](crate::write_table) writes them. No cells
/// may be vertices.
///
/// # Errors
/// When the columns differ in length.
pub fn table_rows(
    separator: u8,
    labels: &Labels,
    columns: &[(&str, Cells<'_>)],
) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    crate::write_table(&mut out, separator, labels, columns)?;
    let head = table_head(separator, &columns.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    out.drain(..head.len());
    Ok(out)
}
