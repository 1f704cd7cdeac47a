//! scipy and PETSc, by a script.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

type Failure = Box<dyn std::error::Error>;

/// What someone took for a product, and what came out.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// The best round.
    pub milliseconds: f64,
    /// The norm of the product, to compare.
    pub norm: f64,
}

/// `mpirun` with so many ranks, if it is there.
pub fn mpirun(ranks: usize) -> Option<Command> {
    Command::new("mpirun").arg("--version").output().ok()?;
    let mut command = Command::new("mpirun");
    // As root in a container, too; a rank per core if there are enough.
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()]);
    // Threads of BLAS would only be in each other's way.
    command.env("OMP_NUM_THREADS", "1");
    Some(command)
}

/// Runs a program that prints one JSON object.
///
/// # Errors
/// When it fails, or prints something else.
pub fn answer(command: &mut Command) -> Result<Answer, Failure> {
    let output = command.output()?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{errors}", output.status).into());
    }
    let found: Value = serde_json::from_slice(&output.stdout)?;
    let number = |key: &str| found[key].as_f64().ok_or(format!("{command:?} tells no {key}"));
    Ok(Answer { milliseconds: number("milliseconds")?, norm: number("norm")? })
}

/// The script with a peer on what [`Input::write`](super::input::Input::write) wrote.
fn script(mut command: Command, folder: &Path, peer: &str, rounds: usize) -> Command {
    command.arg(script_path()).arg(folder).args([peer, &rounds.to_string()]);
    command
}

fn script_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("product_peers.py")
}

/// scipy's product.
///
/// # Errors
/// When it fails.
pub fn scipy(python: &str, folder: &Path, rounds: usize) -> Result<Answer, Failure> {
    answer(&mut script(Command::new(python), folder, "scipy", rounds))
}

/// PETSc's product on so many ranks; nothing when PETSc or MPI is not there.
///
/// # Errors
/// When it fails.
pub fn petsc(folder: &Path, ranks: usize, rounds: usize) -> Result<Option<Answer>, Failure> {
    // Debian's packages belong to Debian's Python.
    const PYTHON: &str = "/usr/bin/python3";
    let there = Command::new(PYTHON).arg(script_path()).arg("find-petsc").output();
    let there = there.is_ok_and(|output| output.status.success());
    let Some(mut command) = mpirun(ranks).filter(|_| there) else { return Ok(None) };
    command.arg(PYTHON);
    answer(&mut script(command, folder, "petsc", rounds)).map(Some)
}
