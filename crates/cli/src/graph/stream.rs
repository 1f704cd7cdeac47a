//! `palmette graph stream`.

use super::files::write_graph;
use super::options::{InputOptions, failed, note_found};
use super::sparsify::write_skeleton;
use crate::limit::read_updates;
use crate::prelude::*;
use palmette::graph::dynamic::{DynamicError, DynamicParams};
use palmette::graph::sparsify::{Budget, SparsifyParams};
use palmette::io::UpdateFile;
use palmette::{Stream, StreamParams};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the condition number, the density and the time per update over updates")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Updates in their order, one per line: `insert,u,v,weight`, `delete,u,v` or
    /// `weight,u,v,weight` (also +, -, =), with or without a header `op,u,v,weight`, optionally gz or
    /// zst; `-` is stdin. Vertices as the graph's file calls them.
    #[arg(value_name = "UPDATES", help_heading = None)]
    updates: PathBuf,
    /// Output for the edges of the skeleton after the last update: lines `a b`, tree edges first; mtx
    /// and graph files also have weights; optionally gz or zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output for the graph after the last update: mtx or graph, optionally gz or zst.
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// Output table of how the skeleton did: updates, edges, density, condition, refreshes, seconds.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Look at the skeleton after every N updates (default: twenty times in all). A look factors it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Edges to recover at first: a number (1000), a share of the edges off the tree (4%), or of the
    /// number of vertices (10%V) (default: 10%V).
    #[arg(long, value_name = "EDGES", allow_negative_numbers = true)]
    budget: Option<Budget>,
    /// Limit on recovered edges at any time, as for --budget.
    #[arg(long, value_name = "EDGES", default_value_t = DynamicParams::default().most,
          allow_negative_numbers = true)]
    most: Budget,
    /// Keep the relative condition number at most K, as far as --most allows, by an estimate.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    condition: Option<f64>,
    /// Part of the inserted edges that is kept in the long run, from 0 to 1.
    #[arg(long, value_name = "PART", default_value_t = DynamicParams::default().share,
          allow_negative_numbers = true)]
    share: f64,
    /// Refresh the skeleton after so many updates per vertex; 0 is never.
    #[arg(long, value_name = "PART", default_value_t = DynamicParams::default().refresh,
          allow_negative_numbers = true)]
    refresh: f64,
    /// Let an edge that is inserted and exists get the new weight, insert an edge that gets a weight
    /// and does not exist, and pass over the deletion of one that does not.
    #[arg(long)]
    upsert: bool,
    #[command(flatten)]
    pictures: PictureOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let mut session = Session::open("graph stream", arguments.files(), run)?;
    let params = arguments.params(&mut session);
    let file = arguments.input.load(&mut session)?;
    if file.netlist.is_some() {
        bail!("{}: a netlist; updates are of graphs of weights", file.name);
    }
    let labels = file.vertex_labels();
    let updates = session.phase("read", || read_updates(&arguments.updates, &labels))?;
    let begun = session.phase("compute", || Stream::new(&file, &params));
    let mut stream = begun.map_err(|error| at_first(&file, error))?;
    let refused = follow(&mut session, &file, &updates, &mut stream);
    session.figures(&stream);
    session.tell("history", format!("{} looks", stream.points.len()));
    note_found(&mut session, &file);
    if file.ground.is_some() {
        session.note("conductances to ground are neither thinned nor written");
    }
    show(&mut session, "stream", None, || pictures::stream(&file.name, &stream))?;
    session.file("history", arguments.history.as_deref());
    if let Some(path) = &arguments.history {
        history(&mut session, path, &labels, &stream)?;
    }
    let graph = stream.skeleton.graph();
    session.file("graph", arguments.graph.as_deref());
    if let Some(path) = &arguments.graph {
        write_graph(&mut session, path, &graph)?;
    }
    if arguments.output.is_some() {
        let skeleton = stream.skeleton.sparsifier();
        write_skeleton(&mut session, arguments.output.as_deref(), &file, &graph, &skeleton)?;
    }
    if refused.is_some() {
        let done = stream.skeleton.updates();
        session.note(&format!("an update cannot be done; outputs are of those before it: {done}"));
    }
    session.finish()?;
    refused.map_or(Ok(()), Err)
}

impl Arguments {
    fn files(&self) -> Files {
        Files::of(&self.input.file)
            .reads("UPDATES", Some(&self.updates))
            .writes("-o", self.output.as_deref(), Kind::EDGES)
            .writes("--graph", self.graph.as_deref(), Kind::graph(false))
            .writes("--history", self.history.as_deref(), Kind::COLUMNS)
            .draws(&self.pictures, "stream")
    }

    fn params(&self, session: &mut Session) -> StreamParams {
        let defaults = DynamicParams::default();
        let budget = self.budget.unwrap_or_default();
        let dynamic = DynamicParams {
            sparsify: SparsifyParams { budget, condition: self.condition, ..defaults.sparsify },
            most: self.most,
            share: self.share,
            condition: self.condition,
            refresh: self.refresh,
            upsert: self.upsert,
        };
        session
            .parameter("updates", name_of(&self.updates))
            .parameter("budget", budget.to_string())
            .parameter("most", self.most.to_string())
            .parameter("share", self.share)
            .parameter("refresh", self.refresh);
        if let Some(condition) = self.condition {
            session.parameter("condition", condition);
        }
        if self.upsert {
            session.parameter("upsert", true);
        }
        if let Some(every) = self.every {
            session.parameter("every", every);
        }
        StreamParams { dynamic, every: self.every.map(|every| every as usize) }
    }
}

/// An error of the first skeleton.
fn at_first(file: &GraphFile, error: DynamicError) -> anyhow::Error {
    match error {
        DynamicError::Sparsify(error) => failed(file, error),
        DynamicError::Solve(error) => failed(file, error),
        other => anyhow::Error::new(other),
    }
}

/// Does the updates; returns why they ended early.
fn follow(
    session: &mut Session,
    file: &GraphFile,
    updates: &UpdateFile,
    stream: &mut Stream,
) -> Option<anyhow::Error> {
    let bar = session.bar(updates.rows.len());
    let followed = session.phase("follow", || {
        stream.follow(file, updates, |done| {
            if let Some(bar) = &bar {
                bar.set_position(done as u64);
            }
            true
        })
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    followed.err().map(anyhow::Error::new)
}

fn history(session: &mut Session, path: &Path, labels: &Labels, stream: &Stream) -> Result<()> {
    let columns = stream.history();
    let columns = columns.iter().map(|(name, values)| (*name, Cells::from(values))).collect();
    Answers { labels, columns, numbers: None }.write_beside(session, path)
}
