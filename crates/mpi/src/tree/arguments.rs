//! The command line, with the options of `palmette tree`.

use super::*;
use clap::{Args, Subcommand};
use palmette_vocabulary::{AlignmentOptions, Leaffix, Rootfix, SumOptions, ValueOptions, bytes};

/// Trees on the ranks of an MPI job: `mpirun -n 4 palmette-mpi tree leaffix big.npy -o sizes.npy`.
#[derive(Debug, Parser)]
#[command(name = "palmette-mpi tree", version, max_term_width = 100, no_binary_name = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Combine the values from the root to every vertex.
    Rootfix(Rootfix<TreefixArguments>),
    /// Combine the values of every subtree.
    Leaffix(Leaffix<TreefixArguments>),
    /// Find the lowest common ancestors of many pairs.
    Lca(LcaArguments),
    /// Score the sites of an alignment on a tree. Ranks share the sites, and with --slices the tree.
    Parsimony(ParsimonyArguments),
}

/// The tree to read, and how.
#[derive(Debug, Args)]
pub(crate) struct InputOptions {
    /// The tree: an npy array of parents, or a parent table with integers for ids (csv or tsv that
    /// is not compressed, or parquet). Every rank reads its slice; of parquet, whole row groups.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Allow several roots.
    #[arg(long)]
    pub(crate) forest: bool,
    /// A vertex that is its own parent is a root.
    #[arg(long)]
    pub(crate) self_root: bool,
    /// Whether a table has a header; by default found from its first rows.
    #[arg(long, value_name = "BOOL")]
    pub(crate) header: Option<bool>,
    /// How much of the file each rank takes, as weights separated by commas, one per rank.
    /// [default: the same for all]
    #[arg(long, value_name = "WEIGHTS", value_delimiter = ',')]
    pub(crate) shares: Vec<u32>,
    /// How much memory a rank may take, such as 500M or 8G. [default: what the machine has left,
    /// divided among its ranks]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
}

#[derive(Debug, Args)]
#[command(mut_arg("values", |argument| argument.help(VALUES).long_help(VALUES)))]
pub(crate) struct TreefixArguments {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    #[command(flatten)]
    pub(crate) values: ValueOptions,
    #[command(flatten)]
    pub(crate) sums: SumOptions,
    /// Leave out a vertex's own value.
    #[arg(long)]
    pub(crate) exclusive: bool,
    /// Where to write the answers: npy for one column of numbers; csv or tsv. All ranks write
    /// into one file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

/// What slices can be taken of.
const VALUES: &str = "The values, one per vertex: `ones`; a \
    column of the tree's table by its name, or by its number from 0; or an npy file. \
    `column:NAME` and `file:PATH` say which in case of doubt. Separate several by commas: affine \
    takes two, matrix four; other operators answer for each. [default: ones]";

#[derive(Debug, Args)]
pub(crate) struct LcaArguments {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// The pairs: two integers per row, or an npy array of shape (m, 2). Every rank reads its
    /// slice.
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: PathBuf,
    /// Also give the number of edges between the two.
    #[arg(long)]
    pub(crate) distance: bool,
    /// With --distance: by branch lengths, the column `length` of the table.
    #[arg(long, requires = "distance")]
    pub(crate) lengths: bool,
    /// Where to write the answers: csv or tsv.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ParsimonyArguments {
    /// The tree, in any format of trees; with --slices, Newick that is not compressed.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) aligned: AlignmentOptions,
    /// Cut the tree into N slices, for trees and alignments that a rank has no room for; N divides the
    /// number of ranks, and groups of N ranks share the sites. The alignment must be FASTA that is
    /// not compressed. With 1, every rank has the whole tree.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) slices: usize,
    /// Where to write what changes on the branch above each vertex cost: npy, csv or tsv.
    #[arg(long, value_name = "FILE")]
    pub(crate) branches: Option<PathBuf>,
    /// Where to write the score of every site: npy, csv or tsv.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}
