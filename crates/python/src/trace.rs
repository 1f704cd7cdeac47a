//! Traces of runs, as files for other tools.

use crate::prelude::*;
use palmette::io::{IoError, Output, ending};
use palmette::spatial::machine::{Trace, TraceFormat};

/// Where a trace goes, and how it is written.
#[derive(Debug, Clone)]
pub(crate) struct TraceFile {
    path: PathBuf,
    format: TraceFormat,
}

impl TraceFile {
    /// By the name's extension.
    pub(crate) fn new(path: PathBuf) -> PyResult<TraceFile> {
        let found = ending(&path).and_then(|ending| TraceFormat::of_ending(&ending));
        let Some(format) = found else {
            let endings = TraceFormat::ENDINGS.join(", ");
            let name = path.display();
            return Err(value_error(format!("{name}: expected a name that ends in {endings}")));
        };
        Ok(TraceFile { path, format })
    }

    pub(crate) fn write(&self, trace: &Trace) -> Result<(), Failure> {
        let file = self.path.display().to_string();
        let mut out = Output::create(&self.path)?;
        let written = trace.write(self.format, &mut out);
        written.map_err(|source| IoError::Write { file, source })?;
        Ok(out.finish()?)
    }
}
