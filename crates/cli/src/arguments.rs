//! What the command line looks like. Every verb's own options are beside its code.

use crate::demo::DemoArguments;
use crate::endings::Kind;
use crate::files::Files;
use crate::report::ReportArguments;
use crate::{examples, graph, mesh, spatial, tree};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use palmette::core::parallel::MOST_THREADS;
use palmette::io::{Format, TreeChoice};
use palmette_vocabulary::named;
use std::path::PathBuf;

/// Trees and sparse graphs laid out on machines, and computed on where they lie.
#[derive(Debug, Parser)]
#[command(name = "palmette", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Work on a tree or forest.
    Tree {
        #[command(subcommand)]
        verb: tree::Verb,
    },
    /// Lay a tree out on a grid of processors and see what messages cost.
    Spatial {
        #[command(subcommand)]
        verb: spatial::Verb,
    },
    /// Work on a weighted graph: its skeleton, potentials, resistances.
    Graph {
        #[command(subcommand)]
        verb: graph::Verb,
    },
    /// Cut a mesh into parts, place them on the processors of a machine, route what they
    /// exchange.
    Mesh {
        #[command(subcommand)]
        verb: mesh::Verb,
    },
    /// Take a cracked plate through the whole toolkit, and make a report of it.
    #[command(after_help = examples::DEMO)]
    Demo(DemoArguments),
    /// Make a page of the runs that records tell of: pictures, figures, commands.
    #[command(after_help = examples::REPORT)]
    Report(ReportArguments),
    /// Print completions for a shell.
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// Which shell.
        shell: Shell,
    },
    /// Print the manual page, or write one per command into a folder.
    #[command(after_help = examples::MAN)]
    Man {
        /// A folder for one page per command.
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// The tree to read, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputOptions {
    /// The tree: parent table (csv, tsv), edge list, Newick or npy, plain or gz or
    /// zst; `-` is stdin.
    #[arg(value_name = "FILE", help_heading = None)]
    pub(crate) file: PathBuf,
    /// The format; by default from the file's name, then its content.
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>())]
    pub(crate) format: Option<Format>,
    /// Allow several roots.
    #[arg(long)]
    pub(crate) forest: bool,
    /// A vertex that is its own parent is a root.
    #[arg(long)]
    pub(crate) self_root: bool,
    /// Which tree of a Newick file with several: a number from 0, or `all` for a forest.
    #[arg(long, value_name = "N|all", value_parser = tree_choice)]
    pub(crate) tree: Option<TreeChoice>,
    /// Whether a table has a header; by default found from its words and rows, and an error
    /// where it may be either.
    #[arg(long, value_name = "BOOL")]
    pub(crate) header: Option<bool>,
    /// The branch length of vertices that lack one while others have one.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true, value_parser = length)]
    pub(crate) missing_length: Option<f64>,
}

/// A branch length.
fn length(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(length) if !f64::is_nan(length) => Ok(length),
        _ => Err(format!("expected a number, found `{text}`")),
    }
}

/// How to run and what to print: options that every verb has.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunOptions {
    /// Print one JSON record on stdout and nothing else there.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print no summary and no progress.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Number of threads (0 = one per core).
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, global = true)]
    pub(crate) threads: usize,
    /// Read at most this many bytes of each input, unpacked (500M, 8G). Without it plain files have
    /// no limit; pipes and compressed files have 8G, and compressed ones at most 100 times their
    /// size beyond 256M.
    #[arg(long, value_name = "BYTES", value_parser = palmette_vocabulary::bytes, global = true)]
    pub(crate) max_input: Option<u64>,
    /// Write the record of the run, with pictures of it, to a file for `palmette report`.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) record: Option<PathBuf>,
    /// Let -o name the main input, and replace it.
    #[arg(long, global = true)]
    pub(crate) in_place: bool,
}

/// Where pictures go.
#[derive(Debug, Args)]
pub(crate) struct PictureOptions {
    /// Draw the result as SVG.
    #[arg(long, value_name = "FILE", help_heading = None)]
    pub(crate) svg: Option<PathBuf>,
    /// The same picture as PNG. After --svg and --png, a name that ends in `/` is a folder, which
    /// gets every picture of the run.
    #[arg(long, value_name = "FILE", help_heading = None)]
    pub(crate) png: Option<PathBuf>,
}

impl PictureOptions {
    /// Whether no file is wanted.
    pub(crate) fn is_empty(&self) -> bool {
        self.svg.is_none() && self.png.is_none()
    }
}

/// Where the table of answers goes.
#[derive(Debug, Args)]
pub(crate) struct TableOptions {
    /// Where to write the table: csv; tsv or npy by the name, gz or zst too; `-` is
    /// stdout, which is the default except with --json.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl TableOptions {
    /// The files of a command, with the table.
    pub(crate) fn files(&self, files: Files) -> Files {
        files.writes("-o", self.output.as_deref(), Kind::TABLE)
    }
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&n| n <= MOST_THREADS);
    number.ok_or_else(|| format!("expected a number up to {MOST_THREADS}"))
}

fn tree_choice(text: &str) -> Result<TreeChoice, String> {
    match text {
        "all" => Ok(TreeChoice::All),
        number => number
            .parse()
            .map(TreeChoice::Index)
            .map_err(|_| "expected a number from 0, or `all`".to_string()),
    }
}
