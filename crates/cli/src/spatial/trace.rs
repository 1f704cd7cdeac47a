//! `palmette spatial trace`.

use super::layout::note_traffic;
use super::message::{MessageOptions, Sent, note_machine};
use crate::arguments::{InputOptions, RunOptions};
use crate::input::name_of;
use crate::session::Session;
use anyhow::bail;
use clap::{Args, ValueEnum};
use palmette::NONE;
use palmette::io::Output;
use palmette::spatial::layout::Layout;
use palmette::spatial::machine::{self, Trace};
use std::borrow::Cow;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(mut_arg("format", |argument| argument.long("input-format")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    messages: MessageOptions,
    /// The format of the trace.
    #[arg(long = "format", value_enum, default_value = "goal", help_heading = None)]
    trace_format: TraceFormat,
    /// Where to write it; ranks and threads are positions, as `spatial layout -o` lists
    /// them; gz or zst by the name; `-` is stdout, which is the default
    /// except with --json.
    #[arg(short, long, value_name = "FILE", help_heading = None)]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TraceFormat {
    /// A schedule for LogGOPSim and HTSIM.
    Goal,
    /// JSON for Perfetto and other viewers of Chrome's traces.
    Perfetto,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let input = &arguments.input;
    let mut session = Session::new("spatial trace", &name_of(&input.file), &arguments.run);
    let Sent { layout, messages, .. } = arguments.messages.send(&mut session, input, true)?;
    let trace = match &messages {
        Some(messages) => {
            note_machine(&mut session, &messages.machine, layout.tree().len());
            Cow::Borrowed(messages.machine.trace().unwrap_or(&EMPTY))
        }
        None => {
            let traffic = session.phase("compute", || layout.traffic());
            note_traffic(&mut session, &traffic);
            Cow::Owned(straight(&layout))
        }
    };
    let path = match arguments.output.as_deref() {
        None if session.is_json() => return Ok(session.finish()?),
        Some(path) if path.as_os_str() != "-" => {
            session.record.parameter("output", path.display().to_string());
            path
        }
        _ if session.is_json() => {
            bail!("expected a file after -o, found `-`: with --json stdout has the record")
        }
        _ => {
            session.take_stdout();
            Path::new("-")
        }
    };
    session.phase("write", || {
        let mut out = Output::create(path)?;
        out.write_with(|out| {
            let mut out = BufWriter::with_capacity(1 << 16, out);
            match arguments.trace_format {
                TraceFormat::Goal => trace.write_goal(&mut out)?,
                TraceFormat::Perfetto => trace.write_perfetto(&mut out)?,
            }
            out.flush()
        })?;
        out.finish()
    })?;
    Ok(session.finish()?)
}

static EMPTY: Trace = Trace { processors: 0, phases: Vec::new(), sent: Vec::new() };

/// One message of one word from every vertex straight to each of its children.
fn straight(layout: &Layout) -> Trace {
    let parents = layout.tree().parents();
    let edges = parents.iter().enumerate().filter(|(_, p)| **p != NONE);
    let message = |(i, &p): (usize, &u32)| machine::Sent {
        step: 0,
        from: p,
        to: i as u32,
        phase: 0,
        words: 1,
    };
    let mut sent: Vec<machine::Sent> = edges.map(message).collect();
    sent.sort_by_key(|s| s.from);
    Trace { processors: parents.len(), phases: vec!["children".to_string()], sent }
}
