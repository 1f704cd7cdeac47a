//! `palmette spatial trace`.

use super::message::{Either, MessageOptions, Sent};
use crate::prelude::*;
use palmette::figures::MachineFigures;
use palmette::io::ending;
use palmette::spatial::machine::{Machine, Trace, TraceFormat};
use std::io::{BufWriter, Write};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    messages: MessageOptions,
    /// Output trace: goal, or json for Perfetto, by the file's name, optionally gz or zst; ranks
    /// and threads are positions, as listed by `spatial layout -o`; `-` is stdout (the default
    /// without --json).
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format, overriding the name: goal (a schedule for LogGOPSim and HTSIM; the default on
    /// stdout) or perfetto (JSON for Perfetto and other viewers of Chrome's traces).
    #[arg(long, value_name = "FORMAT", value_parser = named::<TraceFormat>())]
    to: Option<TraceFormat>,
}

/// Where a program's messages go.
#[derive(Debug, Args)]
pub(crate) struct TraceOption {
    /// Output trace of every message: goal (for LogGOPSim and HTSIM), or json for Perfetto, by the
    /// file's name, optionally gz or zst; `-` is stdout.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

impl TraceOption {
    /// Whether messages have to be kept.
    pub(super) fn is_given(&self) -> bool {
        self.trace.is_some()
    }

    pub(super) fn file(&self) -> Option<&Path> {
        self.trace.as_deref()
    }

    /// Writes the messages of a machine, if asked to.
    pub(super) fn write(&self, session: &mut Session, machine: &Machine) -> Result<()> {
        self.write_trace(session, machine.trace())
    }

    pub(super) fn write_trace(&self, session: &mut Session, trace: Option<&Trace>) -> Result<()> {
        match (self.file(), trace) {
            (Some(path), Some(trace)) => write(session, path, format_of(Some(path)), trace),
            _ => Ok(()),
        }
    }
}

fn write(session: &mut Session, path: &Path, format: TraceFormat, trace: &Trace) -> Result<()> {
    session.write(path, |out| {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        trace.write(format, &mut out)?;
        out.flush()
    })
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let output = arguments.output.as_deref();
    let kind = Kind::trace(arguments.to.is_some());
    let files = arguments.messages.files(input).writes("-o", output, kind);
    let mut session = Session::open("spatial trace", files, run)?;
    let Sent { layout, messages, .. } = arguments.messages.send(&mut session, input, true)?;
    let format = arguments.to.unwrap_or_else(|| format_of(output));
    let trace = match &messages {
        Either::Machine(messages) => {
            let (machine, vertices) = (&messages.machine, layout.tree().len());
            session.figures(&MachineFigures { machine, vertices });
            messages.machine.trace()
        }
        Either::Direct(messages) => {
            session.figures(&**messages);
            messages.trace.as_ref()
        }
    };
    if let (Some(path), Some(trace)) = (session.destination(output), trace) {
        write(&mut session, &path, format, trace)?;
    }
    session.finish()
}

/// By the ending of a name; a schedule on stdout.
fn format_of(path: Option<&Path>) -> TraceFormat {
    let found = path.and_then(ending).and_then(|ending| TraceFormat::of_ending(&ending));
    found.unwrap_or(TraceFormat::Goal)
}
