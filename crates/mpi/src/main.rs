//! `palmette-mpi`: what runs on the ranks of an MPI job. Started by `mpirun`.
//!
//! ```text
//! palmette-mpi tree rootfix|leaffix|lca|parsimony FILE …
//! palmette-mpi mesh partition FILE …
//! palmette-mpi run FOLDER
//! palmette-mpi selftest SHAPE PARTS COMPONENTS [--fail error|panic|length | --endless]
//! palmette-mpi product SHAPE [--rounds N]
//! ```

mod command;
mod input;
mod mesh;
mod product;
mod record;
mod run;
mod selftest;
mod tree;

use palmette::core::memory::{Refusing, before_ending, keep_freed_memory};
use palmette_mpi::Job;

const USAGE: &str = "usage: palmette-mpi tree rootfix|leaffix|lca|parsimony FILE (see `palmette-mpi tree \
    --help`), \
    palmette-mpi mesh partition FILE (see `palmette-mpi mesh --help`), \
    palmette-mpi run FOLDER (started by `palmette mesh run`), \
    palmette-mpi selftest SHAPE PARTS COMPONENTS [--fail error|panic|length | --endless], \
    or palmette-mpi product SHAPE [--rounds N]";

#[global_allocator]
static MEMORY: Refusing = Refusing;

fn main() {
    keep_freed_memory();
    before_ending(palmette::io::abandon_soon);
    let job = match Job::start() {
        Ok(job) => job,
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    job.run(|transport| match words.as_slice() {
        ["selftest", shape, parts, components, rest @ ..] => {
            selftest::run(&job, transport, (*shape, *parts, *components), rest)
        }
        ["tree", words @ ..] => tree::run(&job, transport, words),
        ["mesh", words @ ..] => mesh::run(&job, transport, words),
        ["run", folder] => run::run(&job, transport, folder),
        ["product", shape, rest @ ..] => product::run(&job, transport, shape, rest),
        ["--help" | "-h" | "help"] => {
            if job.rank() == 0 {
                println!("{USAGE}");
            }
            Ok(())
        }
        _ => Err(USAGE.into()),
    });
}
