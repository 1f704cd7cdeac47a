//! Where writers write to: a file that appears only when it is whole.
//!
//! **Method.** Data go to a temporary file beside the target, through gzip or zstd
//! when the name ends in `.gz` or `.zst`; [`Output::finish`] renames it. Without
//! `finish` the temporary file is removed and an existing target stays as it was.
//! `-` is stdout; targets that are no regular files (pipes, `/dev/null`) are
//! written directly. A reader of stdout that goes away is no error: the rest is
//! dropped, and [`Output::is_closed`] tells so. A program that is about to be ended calls
//! [`remove_unfinished`].

use crate::IoError;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all outputs under way, whose writers go on in vain: for
/// programs that end before their outputs do.
pub fn remove_unfinished() {
    // Nothing can be done about a failure here.
    unfinished().iter().for_each(|temporary| drop(fs::remove_file(temporary)));
}

/// An output under way. See the module.
pub struct Output {
    name: String,
    /// Nothing once closed.
    sink: Option<Sink>,
    /// The temporary file and its target.
    pending: Option<(PathBuf, PathBuf)>,
    is_stdout: bool,
    closed: bool,
}

enum Sink {
    Plain(BufWriter<Box<dyn Write + Send>>),
    Gzip(flate2::write::GzEncoder<BufWriter<Box<dyn Write + Send>>>),
    Zstd(zstd::stream::write::Encoder<'static, BufWriter<Box<dyn Write + Send>>>),
}

impl Output {
    /// Opens an output; `-` is stdout.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(path: impl AsRef<Path>) -> Result<Output, IoError> {
        let path = path.as_ref();
        let is_stdout = path.as_os_str() == "-";
        let name = if is_stdout { "stdout".to_string() } else { path.display().to_string() };
        Output::open(path, &name, is_stdout).map_err(|source| IoError::Write { file: name, source })
    }

    fn open(path: &Path, name: &str, is_stdout: bool) -> io::Result<Output> {
        let mut pending = None;
        let raw: Box<dyn Write + Send> = if is_stdout {
            Box::new(io::stdout())
        } else {
            // A link is followed, so that it still is one afterwards.
            let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
            match fs::metadata(&target) {
                Ok(there) if !there.is_file() => {
                    Box::new(OpenOptions::new().write(true).open(&target)?)
                }
                there => {
                    let (file, temporary) = temporary_beside(&target)?;
                    pending = Some((temporary, target));
                    if let Ok(there) = there {
                        file.set_permissions(there.permissions())?;
                    }
                    Box::new(file)
                }
            }
        };
        let raw = BufWriter::with_capacity(1 << 16, raw);
        let lower = name.to_lowercase();
        let sink = if lower.ends_with(".gz") {
            Sink::Gzip(flate2::write::GzEncoder::new(raw, flate2::Compression::fast()))
        } else if lower.ends_with(".zst") || lower.ends_with(".zstd") {
            Sink::Zstd(zstd::stream::write::Encoder::new(raw, 3)?)
        } else {
            Sink::Plain(raw)
        };
        Ok(Output { name: name.to_string(), sink: Some(sink), pending, is_stdout, closed: false })
    }

    /// Writes by a function, and names the file in its error.
    ///
    /// # Errors
    /// What the function returns.
    pub fn write_with(
        &mut self,
        write: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> Result<(), IoError> {
        write(self).map_err(|source| IoError::Write { file: self.name.clone(), source })
    }

    /// Whether the reader of stdout has gone away.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes the last data and closes the file, which only [`Output::finish`] shows. Many
    /// outputs can wait so without many open files. What is written later is lost.
    ///
    /// # Errors
    /// When the last data cannot be written.
    pub fn close(&mut self) -> Result<(), IoError> {
        let result = match self.sink.take() {
            None => Ok(()),
            Some(Sink::Plain(mut raw)) => raw.flush(),
            Some(Sink::Gzip(encoder)) => encoder.finish().and_then(|mut raw| raw.flush()),
            Some(Sink::Zstd(encoder)) => encoder.finish().and_then(|mut raw| raw.flush()),
        };
        let result = self.tolerate(result, ());
        result.map_err(|source| IoError::Write { file: self.name.clone(), source })
    }

    /// Ends the output: the target is replaced now.
    ///
    /// # Errors
    /// When the last data cannot be written or the file cannot be renamed.
    pub fn finish(mut self) -> Result<(), IoError> {
        self.close()?;
        let renamed = match &self.pending {
            Some((temporary, target)) => fs::rename(temporary, target),
            None => Ok(()),
        };
        renamed.map_err(|source| IoError::Write { file: self.name.clone(), source })?;
        if let Some((temporary, _)) = self.pending.take() {
            unfinished().remove(&temporary);
        }
        Ok(())
    }

    /// Takes a broken pipe on stdout for success.
    fn tolerate<T>(&mut self, result: io::Result<T>, success: T) -> io::Result<T> {
        match result {
            Err(error) if self.is_stdout && error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(success)
            }
            other => other,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = match &mut self.sink {
            Some(Sink::Plain(raw)) => raw.write(bytes),
            Some(Sink::Gzip(encoder)) => encoder.write(bytes),
            Some(Sink::Zstd(encoder)) => encoder.write(bytes),
            None => Ok(bytes.len()),
        };
        self.tolerate(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = match &mut self.sink {
            Some(Sink::Plain(raw)) => raw.flush(),
            Some(Sink::Gzip(encoder)) => encoder.flush(),
            Some(Sink::Zstd(encoder)) => encoder.flush(),
            None => Ok(()),
        };
        self.tolerate(result, ())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((temporary, _)) = &self.pending {
            // Nothing can be done about a failure here.
            let _ = fs::remove_file(temporary);
            unfinished().remove(temporary);
        }
    }
}

/// A new file beside `target`, hidden, named after it and this process.
fn temporary_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        let Some(temporary) = temporary_name(target, std::process::id().into(), number) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected the name of a file"));
        };
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => {
                unfinished().insert(temporary.clone());
                return Ok((file, temporary));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {
                number += 1
            }
            Err(error) => return Err(error),
        }
    }
}

/// A hidden name beside `target`; none where that is no name of a file.
pub(crate) fn temporary_name(target: &Path, owner: u64, number: u32) -> Option<PathBuf> {
    // Names have at most 255 bytes: a part of a long one is enough to recognise it.
    let part: String = target.file_name()?.to_string_lossy().chars().take(40).collect();
    Some(target.with_file_name(format!(".{part}.{owner}-{number}.tmp")))
}
