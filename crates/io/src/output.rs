//! Where writers write to: a file that appears only when it is whole.
//!
//! **Method.** Data go to a temporary file beside the target, through gzip or zstd
//! when the name ends in `.gz` or `.zst`; [`Output::finish`] renames it, or [`Outputs`] several
//! together. Otherwise the temporary file is removed and an existing target stays as it was.
//! `-` is stdout; targets that are not regular files (pipes, `/dev/null`) are
//! written directly. A closed stdout is not an error: the rest is
//! dropped, and [`Output::is_closed`] tells so. A program that is about to be ended calls
//! [`abandon`](crate::abandon).

use crate::IoError;
use crate::journal::{Made, journal};
use crate::outputs::Outputs;
use crate::place::{Target, is_stdout, target_of};
use crate::quote::Visible;
use crate::write::invalid;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// An output under way. See the module.
pub struct Output {
    name: String,
    /// Nothing once closed.
    sink: Option<Sink>,
    /// Nothing where there is no temporary file, or it has appeared.
    pending: Option<Pending>,
    is_stdout: bool,
    closed: bool,
    /// What is printed at the end.
    held: Vec<u8>,
}

/// A file that has not appeared.
pub(crate) struct Pending {
    /// That of the temporary file in the journal.
    pub(crate) number: u64,
    pub(crate) temporary: PathBuf,
    pub(crate) target: PathBuf,
}

enum Sink {
    /// In memory.
    Held,
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
        let is_stdout = is_stdout(path);
        let name = if is_stdout { "stdout".to_string() } else { path.display().to_string() };
        Output::open(path, &name, is_stdout).map_err(|source| IoError::Write { file: name, source })
    }

    /// Text for stdout that is kept in memory until the output is finished.
    pub fn held() -> Output {
        Output {
            name: "stdout".to_string(),
            sink: Some(Sink::Held),
            pending: None,
            is_stdout: true,
            closed: false,
            held: Vec::new(),
        }
    }

    fn open(path: &Path, name: &str, is_stdout: bool) -> io::Result<Output> {
        let mut pending = None;
        let raw: Box<dyn Write + Send> = if is_stdout {
            stdout()
        } else {
            match target_of(path)? {
                Target::Other(target) => Box::new(OpenOptions::new().write(true).open(target)?),
                Target::File(target, there) => {
                    let (file, made) = temporary_beside(target)?;
                    pending = Some(made);
                    if let Some(there) = there {
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
        Ok(Output {
            name: name.to_string(),
            sink: Some(sink),
            pending,
            is_stdout,
            closed: false,
            held: Vec::new(),
        })
    }

    /// Writes by a function, and names the file in its error.
    ///
    /// # Errors
    /// What the function returns.
    pub fn write_with(
        &mut self,
        write: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> Result<(), IoError> {
        write(self).map_err(|source| self.failed(source))
    }

    pub(crate) fn failed(&self, source: io::Error) -> IoError {
        IoError::Write { file: self.name.clone(), source }
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
            None | Some(Sink::Held) => Ok(()),
            Some(Sink::Plain(mut raw)) => raw.flush(),
            Some(Sink::Gzip(encoder)) => encoder.finish().and_then(|mut raw| raw.flush()),
            Some(Sink::Zstd(encoder)) => encoder.finish().and_then(|mut raw| raw.flush()),
        };
        let result = self.tolerate(result, ());
        result.map_err(|source| self.failed(source))
    }

    /// The bytes that the file has so far; none where it is no file of its own.
    pub fn bytes(&self) -> u64 {
        let there = self.pending.as_ref().and_then(|made| fs::metadata(&made.temporary).ok());
        there.map_or(0, |there| there.len())
    }

    /// Ends the output: the target is replaced now.
    ///
    /// # Errors
    /// When the last data cannot be written or the file cannot be renamed.
    pub fn finish(self) -> Result<(), IoError> {
        let mut alone = Outputs::default();
        alone.add(self)?;
        alone.commit()
    }

    pub(crate) fn pending(&self) -> Option<&Pending> {
        self.pending.as_ref()
    }

    /// The temporary file is none any more.
    pub(crate) fn has_appeared(&mut self) {
        self.pending = None;
    }

    pub(crate) fn print_held(&mut self) -> Result<(), IoError> {
        if self.held.is_empty() {
            return Ok(());
        }
        let mut stdout = stdout();
        let printed = stdout.write_all(&self.held).and_then(|()| stdout.flush());
        let result = self.tolerate(printed, ());
        result.map_err(|source| self.failed(source))
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
            Some(Sink::Held) => self.held.write(bytes),
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
            None | Some(Sink::Held) => Ok(()),
        };
        self.tolerate(result, ())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(Pending { number, .. }) = &self.pending {
            journal().take_back(*number);
        }
    }
}

/// Where what is printed goes: terminals get nothing that they would act on.
fn stdout() -> Box<dyn Write + Send> {
    let stdout = io::stdout();
    if stdout.is_terminal() { Box::new(Visible::new(stdout)) } else { Box::new(stdout) }
}

/// A new file beside `target`, hidden, named after it and this process.
fn temporary_beside(target: PathBuf) -> io::Result<(File, Pending)> {
    let mut journal = journal();
    let temporary = hidden_name(&target)?;
    let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
    let number = journal.note(Made::Temporary(temporary.clone()));
    Ok((file, Pending { number, temporary, target }))
}

/// A name beside `target` that no file has, hidden, with this process in it.
pub(crate) fn hidden_name(target: &Path) -> io::Result<PathBuf> {
    for number in 0..u32::MAX {
        let Some(name) = temporary_name(target, std::process::id().into(), number) else {
            return Err(invalid("expected the name of a file"));
        };
        if name.symlink_metadata().is_err() {
            return Ok(name);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A hidden name beside `target`; none where that is no name of a file.
pub(crate) fn temporary_name(target: &Path, owner: u64, number: u32) -> Option<PathBuf> {
    // Names have at most 255 bytes: a part of a long one is enough to recognise it.
    let part: String = target.file_name()?.to_string_lossy().chars().take(40).collect();
    Some(target.with_file_name(format!(".{part}.{owner}-{number}.tmp")))
}
