//! The program `palmette`.
#![forbid(unsafe_code)]

use palmette::core::memory::Refusing;
use palmette_cli::Invocation;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: Refusing = Refusing;

fn main() -> ExitCode {
    let program = std::env::current_exe().ok().map(|program| vec![program.into()]);
    let arguments = std::env::args_os().skip(1).collect();
    ExitCode::from(palmette_cli::run(Invocation { program, arguments }))
}
