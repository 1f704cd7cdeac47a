//! One output file that many processes write, each its part. It appears when all are done.

use crate::output::temporary_name;
use crate::place::{Target, target_of};
use crate::source::name_of;
use crate::write::header_row;
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
                return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, message)));
            }
        };
        let Some(temporary) = temporary_name(&target, token, 0) else {
            let message = "expected the name of a file";
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, message)));
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
    let (descr, width) = match values {
        Values::I64(_) => ("<i8", 8),
        Values::U64(_) => ("<u8", 8),
        Values::F64(_) => ("<f8", 8),
        Values::F32(_) => ("<f4", 4),
    };
    (npy::head(descr, &format!("({rows},)")), width)
}

/// Values as an npy file has them.
pub fn npy_bytes(values: &Values) -> Vec<u8> {
    match values {
        Values::I64(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Values::U64(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Values::F64(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Values::F32(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
    }
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
pub fn table_rows(separator: u8, columns: &[(&str, Cells<'_>)]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    crate::write_table(&mut out, separator, &Labels::numbers(0), columns)?;
    let head = table_head(separator, &columns.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    out.drain(..head.len());
    Ok(out)
}
