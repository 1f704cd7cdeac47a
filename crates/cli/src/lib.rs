//! The command line of palmette: arguments in, library calls, records and tables out.
//!
//! Internal: a library only so that the program `palmette` and the command of the Python package
//! are one. What it promises is the command line.
//!
//! Exit codes: 0 for success, 2 for bad input or arguments, 1 for an internal failure or too little
//! memory, and 128 plus the number of the signal that ended the program.
#![forbid(unsafe_code)]

mod advice;
mod arguments;
mod demo;
mod device;
mod endings;
mod examples;
mod files;
mod formats;
mod graph;
mod input;
mod interrupt;
mod invocation;
mod limit;
mod mesh;
mod name_list;
mod output;
mod pages;
mod picture;
mod power;
mod prelude;
mod renamed;
mod report;
mod session;
mod spatial;
mod terminal;
mod tree;
mod usage;
mod values;
mod welcome;

use arguments::{Cli, Command};
pub use invocation::Invocation;
use palmette::WrongAnswer;
use palmette::core::memory::{NoRoom, before_ending, keep_freed_memory};
use std::error::Error as _;

/// A failure that no input should cause.
#[derive(Debug)]
struct Internal(String);

impl std::fmt::Display for Internal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Internal {}

/// Runs a command and returns its exit code. It installs handlers for signals, and a signal may end
/// the process.
pub fn run(invocation: Invocation) -> u8 {
    keep_freed_memory();
    before_ending(palmette::io::abandon_soon);
    invocation::set(invocation);
    let cli = match usage::parse(invocation::arguments()) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    interrupt::install();
    // The panic's message is printed by the default hook.
    match std::panic::catch_unwind(|| verb(&cli)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            let advice = advice::of(&error).map(|advice| format!("; {advice}")).unwrap_or_default();
            eprintln!("error: {}{advice}", shown(&error));
            interrupt::code().unwrap_or_else(|| exit_code(&error))
        }
        Err(_) => 1,
    }
}

/// The exit code of a command that ends with an error and no signal: 1 for a failure of ours or too
/// little memory, otherwise 2.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    let no_room = error.chain().any(|cause| cause.is::<NoRoom>());
    let ours = error.is::<Internal>() || error.is::<WrongAnswer>();
    if no_room || ours { 1 } else { 2 }
}

/// Messages include their causes and fit on one line, whatever names and labels they quote. The
/// compiler's show source lines.
fn shown(error: &anyhow::Error) -> String {
    match error.is::<palmette::language::Diagnostics>() {
        true => terminal::text(&error.to_string()),
        false => terminal::line(&error.to_string()),
    }
}

/// Runs a verb on its threads.
fn verb(Cli { command, run }: &Cli) -> anyhow::Result<()> {
    limit::set(run.max_input);
    let threads = run.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    // The system refuses a thread where there is no room for its stack.
    let pool = pool.map_err(|error| {
        let cause = error.source().and_then(|cause| cause.downcast_ref::<std::io::Error>());
        let full = cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::WouldBlock);
        let room = if full { "not enough memory: " } else { "" };
        Internal(format!("{room}cannot start {threads} threads: {error}"))
    })?;
    pool.install(|| match command {
        Command::Tree { verb } => tree::run(verb, run),
        Command::Spatial { verb } => spatial::run(verb, run),
        Command::Graph { verb } => graph::run(verb, run),
        Command::Power { verb } => power::run(verb, run),
        Command::Mesh { verb } => mesh::run(verb, run),
        Command::Demo(arguments) => demo::run(arguments, run),
        Command::Report(arguments) => report::run(arguments, run),
        Command::Formats(arguments) => formats::run(arguments, run),
        Command::Completions { shell } => pages::completions(*shell),
        Command::Man { output } => pages::man(output.as_deref()),
    })
}
