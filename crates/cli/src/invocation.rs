//! How the command was started. A program knows it from the system, `python -m palmette` from
//! Python.

use crate::Internal;
use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

/// How the command was started.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The words that start the command once more, before any arguments; none if nobody knows.
    pub program: Option<Vec<OsString>>,
    /// What was typed after them.
    pub arguments: Vec<OsString>,
}

static INVOCATION: OnceLock<Invocation> = OnceLock::new();

/// Sets it, before the verb runs.
pub(crate) fn set(invocation: Invocation) {
    // A process runs one command.
    let _ = INVOCATION.set(invocation);
}

/// The words typed after the name of the command.
pub(crate) fn arguments() -> &'static [OsString] {
    INVOCATION.get().map_or(&[], |invocation| &invocation.arguments)
}

/// This command, to be given arguments and started once more.
pub(crate) fn again() -> Result<Command, Internal> {
    let program = INVOCATION.get().and_then(|invocation| invocation.program.as_deref());
    let Some([program, first @ ..]) = program else {
        return Err(Internal("cannot find this program".to_string()));
    };
    let mut command = Command::new(program);
    command.args(first);
    Ok(command)
}
