//! A program as C11 with MPI: sources, a `Makefile`, a rankfile, and one data file per rank.
//!
//! **What is written.** `program.c`, generated from the intermediate form; `runtime.c`,
//! `sums.c`, `data.c` and their headers, the same for all programs; a `Makefile`; a `rankfile`
//! if one is given; `data/rank-000000.bin` and so on ([`write_data`]). They need libc, libm and MPI.
//!
//! `make && mpirun -n RANKS ./program` there writes a table a vector, `name.csv` with the
//! number of the node and its components, or `name-000010.csv` in a series, and to the
//! standard output a log of lines `name = value`: what the program prints, the iterations of
//! its loops, assemblies, messages, words. Params that no data depend on are set as
//! `name=value`. Bad input ends the job with a message and code 2, a failure of MPI with 1.
//!
//! **Exchanges.** Each neighbour has a phase in which it is sent to and one in which it sends
//! ([`Neighbour`]): those of the static routes. The first phase is under way while interior
//! rows are computed.
//!
//! **Determinism.** Copies of a node are added in the order of ranks, and so are the numbers
//! of a reduction; its blocks and lanes are those of [`Reduction`](super::ir::Reduction). Terms
//! are added from left to right, columns of a row in their order.
//! Contraction to fused operations is off. So the bits depend on the data only.

mod data;
mod names;
mod ranks;
mod source;

pub use data::{DataError, Neighbour, RankData, data_name, write_data};
pub use ranks::{exchanged, rank_data};

use super::explain::explain;
use super::ir::Program;

/// A text file of a generated program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its name.
    pub name: &'static str,
    /// What is in it.
    pub text: String,
}

/// The names of all text files; a rankfile is not always there.
pub const SOURCE_NAMES: [&str; 8] =
    ["program.c", "runtime.h", "runtime.c", "sums.c", "data.h", "data.c", "Makefile", "rankfile"];

/// All text files of a program for so many ranks. Data files come from [`write_data`].
pub fn source_files(program: &Program, ranks: usize, rankfile: Option<&str>) -> Vec<SourceFile> {
    let texts = [
        source::program(program, ranks),
        include_str!("runtime.h").to_string(),
        include_str!("runtime.c").to_string(),
        include_str!("sums.c").to_string(),
        include_str!("data.h").to_string(),
        include_str!("data.c").to_string(),
        makefile(ranks, rankfile.is_some()),
    ];
    let texts = texts.into_iter().chain(rankfile.map(str::to_string));
    SOURCE_NAMES.into_iter().zip(texts).map(|(name, text)| SourceFile { name, text }).collect()
}

/// What tells data of one program from those of another.
fn fingerprint(program: &Program, ranks: usize) -> u64 {
    let text = format!("{}\n{ranks} ranks", explain(program, None));
    data::hash(data::HASH_START, text.as_bytes())
}

fn makefile(ranks: usize, rankfile: bool) -> String {
    let placed = if rankfile { include_str!("placed.in") } else { "placed: run\n" };
    let template = include_str!("Makefile.in").replace("@PLACED@", placed);
    template.replace("@RANKS@", &ranks.to_string())
}
