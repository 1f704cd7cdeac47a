//! The command line, with the options of `palmette mesh`.

use crate::command::RunOptions;
use clap::{Args, Parser, Subcommand};
use palmette::core::DEFAULT_SEED;
use palmette::mesh::partition::distributed::RanksPartitionParams;
use palmette::mesh::{Method, PartitionParams, Preset};
use palmette_vocabulary::{bytes, named};
use std::path::PathBuf;

/// Meshes on the ranks of an MPI job: `mpirun -n 4 palmette-mpi mesh partition big.graph -k 64 -o parts.txt`.
#[derive(Debug, Parser)]
#[command(name = "palmette-mpi mesh", version, max_term_width = 100, no_binary_name = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Cut a mesh or graph into parts of equal weight, with few edges between them.
    Partition(PartitionArguments),
}

#[derive(Debug, Args)]
pub(crate) struct PartitionArguments {
    /// Graph or mesh to read: METIS's, not compressed. Every rank reads its slice. (`palmette mesh
    /// graph` makes a graph of other meshes.)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Input format: metis (a mesh) or graph. [default: graph if the name ends in graph]
    #[arg(long, value_name = "FORMAT", value_parser = ["metis", "graph"])]
    pub(crate) format: Option<String>,
    /// Coordinates of the nodes, two or three numbers per line: meshes need them, graphs are cut in
    /// more ways with them.
    #[arg(long, value_name = "POINTS")]
    pub(crate) xyz: Option<PathBuf>,
    /// How many parts.
    #[arg(short = 'k', long, value_name = "K")]
    pub(crate) parts: u32,
    /// Partition elements instead of nodes; nodes shared by several parts are copied.
    #[arg(long)]
    pub(crate) elements: bool,
    /// Output for the part of each node or element: one number per line, from 0. All ranks write
    /// into one file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Time to take: fast, default or strong.
    #[arg(long, value_name = "PRESET", default_value_t, value_parser = named::<Preset>())]
    pub(crate) preset: Preset,
    /// Bisection method: auto, growing (needs no coordinates), geometric (circles and lines),
    /// coordinate, inertial or hilbert.
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<Method>())]
    pub(crate) bisection: Method,
    /// Allowed imbalance: how much heavier than the mean a part may be (0.03 is 3%).
    #[arg(long, value_name = "SHARE", default_value_t = PartitionParams::default().imbalance,
          allow_negative_numbers = true)]
    pub(crate) imbalance: f64,
    /// Repetitions of coarsening and refining. [default: 1; with --preset fast 0]
    #[arg(long, value_name = "N")]
    pub(crate) cycles: Option<usize>,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,
    /// How much memory a rank may take, such as 500M or 8G. [default: what the machine has left,
    /// divided among its ranks]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

impl PartitionArguments {
    pub(crate) fn params(&self) -> RanksPartitionParams {
        RanksPartitionParams {
            parts: self.parts,
            preset: self.preset,
            bisection: self.bisection,
            imbalance: self.imbalance,
            cycles: self.cycles,
            seed: self.seed,
            ..Default::default()
        }
    }

    /// Whether the file is read as a graph.
    pub(crate) fn reads_graph(&self) -> bool {
        match self.format.as_deref() {
            Some(format) => format == "graph",
            None => crate::command::ends_in(&self.file, "graph"),
        }
    }
}
