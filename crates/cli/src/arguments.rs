//! The command line: nouns, verbs and the options they share. A verb's own options are beside its
//! code.

use crate::demo::DemoArguments;
use crate::formats::{self, FormatArguments};
use crate::prelude::*;
use crate::report::ReportArguments;
use crate::{examples, graph, mesh, power, spatial, tree};
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use palmette::core::parallel::MOST_THREADS;
use palmette::io::{Format, SupportLabels, TreeChoice};

/// Fast algorithms on large trees, sparse graphs and meshes, and what they cost on parallel machines.
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
    /// Sum over subtrees and root paths of a tree of any size, find ancestors and distances.
    #[command(after_help = examples::TREE)]
    Tree {
        #[command(subcommand)]
        verb: tree::Verb,
    },
    /// Lay a tree out on a grid of processors and see what messages cost.
    #[command(after_help = examples::SPATIAL)]
    Spatial {
        #[command(subcommand)]
        verb: spatial::Verb,
    },
    /// Sparsify a weighted graph, solve on it, find resistances.
    #[command(after_help = examples::GRAPH)]
    Graph {
        #[command(subcommand)]
        verb: graph::Verb,
    },
    /// Find voltages, drops and currents of power networks.
    #[command(after_help = examples::POWER)]
    Power {
        #[command(subcommand)]
        verb: power::Verb,
    },
    /// Partition a mesh, place the parts on a machine, route their messages, run programs.
    #[command(after_help = examples::MESH)]
    Mesh {
        #[command(subcommand)]
        verb: mesh::Verb,
    },
    /// Take a cracked plate through the whole toolkit and build a report.
    #[command(after_help = examples::DEMO)]
    Demo(DemoArguments),
    /// Build an HTML report from run records.
    #[command(after_help = examples::REPORT)]
    Report(ReportArguments),
    /// List the file formats, and what each noun reads and writes.
    #[command(after_help = formats_help())]
    Formats(FormatArguments),
    /// Print shell completions.
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// Which shell.
        shell: Shell,
    },
    /// Print the manual page, or write one per command into a folder.
    #[command(after_help = examples::MAN)]
    Man {
        /// Folder for the pages, one per command.
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// `palmette help formats` lists them, as `palmette formats` does.
fn formats_help() -> String {
    format!("{}\n{}", formats::list(), examples::FORMATS)
}

/// The tree to read, and how.
#[derive(Debug, Args)]
pub(crate) struct InputOptions {
    /// Tree to read: parent table (csv, tsv, parquet, arrow), edge list, Newick, NEXUS, PhyloXML or
    /// npy, optionally gz or zst; `-` is stdin.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Input format (default: from the file's name, then its content).
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>(), help_heading = "Input")]
    pub(crate) format: Option<Format>,
    /// Allow several roots.
    #[arg(long, help_heading = "Input")]
    pub(crate) forest: bool,
    /// A vertex that is its own parent is a root.
    #[arg(long, help_heading = "Input")]
    pub(crate) self_root: bool,
    /// Which tree to take from a file with several: a number from 0, `marked` for the one that NEXUS
    /// marks with `*`, or `all` for a forest.
    #[arg(long, value_name = "N|marked|all", value_parser = tree_choice, help_heading = "Input")]
    pub(crate) tree: Option<TreeChoice>,
    /// Whether a table has a header (default: detected; an error if the first row could be either).
    #[arg(long, value_name = "BOOL", help_heading = "Input")]
    pub(crate) header: Option<bool>,
    /// Branch length for vertices without one, in a tree where others have one.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true, value_parser = length, help_heading = "Input")]
    pub(crate) missing_length: Option<f64>,
    /// Whether numbers on inner vertices of Newick are support rather than names; auto: those from
    /// 0 to 100 without quotes, if most labelled inner vertices have one.
    #[arg(long, value_name = "auto|yes|no", default_value = "auto", hide_default_value = true,
        value_parser = named::<SupportLabels>(), help_heading = "Input")]
    pub(crate) support: SupportLabels,
}

/// A branch length.
fn length(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(length) if !f64::is_nan(length) => Ok(length),
        _ => Err(format!("expected a number, found `{text}`")),
    }
}

/// Options of every verb: how to run and what to print.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunOptions {
    /// Print one JSON record on stdout, and nothing else.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Don't print the summary or progress.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Number of threads (0 = one per core).
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads, global = true)]
    pub(crate) threads: usize,
    /// Limit on the size of each input after decompression, such as 500M or 8G. By default plain
    /// files have none, pipes have 8G, and a compressed file may expand to 256M, or to 100 times
    /// its size up to 8G.
    #[arg(long, value_name = "BYTES", value_parser = palmette_vocabulary::bytes, global = true)]
    pub(crate) max_input: Option<u64>,
    /// Write the run's record, with its pictures, to a file for `palmette report`.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) record: Option<PathBuf>,
    /// Allow -o to overwrite the main input.
    #[arg(long, global = true)]
    pub(crate) in_place: bool,
}

/// `--in-place` of a verb without `-o`: an error that says so, and not in the help.
pub(crate) fn not_in_place() -> clap::Arg {
    clap::Arg::new("in_place").long("in-place").action(clap::ArgAction::SetTrue).hide(true)
}

/// Where pictures go.
#[derive(Debug, Args)]
pub(crate) struct PictureOptions {
    /// Draw the result as SVG.
    #[arg(long, value_name = "FILE", help_heading = None)]
    pub(crate) svg: Option<PathBuf>,
    /// Draw the same picture as PNG. For both, a name that ends in `/` is a folder that gets every
    /// picture of the run.
    #[arg(long, value_name = "FILE", help_heading = None)]
    pub(crate) png: Option<PathBuf>,
}

impl PictureOptions {
    /// Whether no file is requested.
    pub(crate) fn is_empty(&self) -> bool {
        self.svg.is_none() && self.png.is_none()
    }
}

/// Where the table of answers goes.
#[derive(Debug, Args)]
pub(crate) struct TableOptions {
    /// Output table: csv, or tsv, npy, parquet or arrow by the file's name, optionally gz or zst;
    /// `-` is stdout (the default without --json).
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Which rows a table of vertices has.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct TipsOption {
    /// List only tips (leaves).
    #[arg(long)]
    pub(crate) tips: bool,
}

impl TipsOption {
    /// The rows, where not all are wanted.
    pub(crate) fn rows(self, file: &TreeFile) -> Option<Vec<u32>> {
        self.tips.then(|| file.tips())
    }
}

impl TableOptions {
    /// The files of a command, with the table.
    pub(crate) fn files(&self, files: Files, kind: Kind) -> Files {
        files.writes("-o", self.output.as_deref(), kind)
    }
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&n| n <= MOST_THREADS);
    number.ok_or_else(|| format!("expected a number up to {MOST_THREADS}"))
}

fn tree_choice(text: &str) -> Result<TreeChoice, String> {
    match text {
        "all" => Ok(TreeChoice::All),
        "marked" => Ok(TreeChoice::Marked),
        number => number
            .parse()
            .map(TreeChoice::Index)
            .map_err(|_| "expected a number from 0, `marked` or `all`".to_string()),
    }
}
