//! `palmette spatial trace`.

use super::message::{MessageOptions, Sent};
use crate::endings::ending;
use crate::prelude::*;
use palmette::figures::MachineFigures;
use palmette::spatial::machine::{self, Trace};
use std::borrow::Cow;
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

palmette::core::named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum TraceFormat("format") {
        Goal = "goal",
        Perfetto = "perfetto",
    }
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let output = arguments.output.as_deref();
    let kind = Kind::trace(arguments.to.is_some());
    let files = arguments.messages.files(input).writes("-o", output, kind);
    let mut session = Session::open("spatial trace", files, run)?;
    let Sent { layout, messages, .. } = arguments.messages.send(&mut session, input, true)?;
    let trace = match &messages {
        Some(messages) => {
            let (machine, vertices) = (&messages.machine, layout.tree().len());
            session.figures(&MachineFigures { machine, vertices });
            Cow::Borrowed(messages.machine.trace().unwrap_or(&EMPTY))
        }
        None => {
            let traffic = session.phase("compute", || layout.traffic());
            session.figures(&traffic);
            Cow::Owned(straight(&layout))
        }
    };
    let format = arguments.to.unwrap_or_else(|| TraceFormat::of(output));
    if let Some(path) = session.destination(output) {
        session.write(&path, |out| {
            let mut out = BufWriter::with_capacity(1 << 16, out);
            match format {
                TraceFormat::Goal => trace.write_goal(&mut out)?,
                TraceFormat::Perfetto => trace.write_perfetto(&mut out)?,
            }
            out.flush()
        })?;
    }
    session.finish()
}

impl TraceFormat {
    /// By the ending of a name; a schedule on stdout.
    fn of(path: Option<&Path>) -> TraceFormat {
        match path.and_then(ending).as_deref() {
            Some("json") => TraceFormat::Perfetto,
            _ => TraceFormat::Goal,
        }
    }
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
