//! All integration tests of this crate in one binary: every binary links everything.
#![allow(clippy::unwrap_used, missing_docs)]

mod meshes;
mod ranks;
mod trees;

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A job of so many ranks. Each has a folder of its own for what MPI keeps: two that make the same one
/// at the same time fail.
fn mpirun(ranks: usize) -> Command {
    static JOBS: AtomicU32 = AtomicU32::new(0);
    let number = JOBS.fetch_add(1, Ordering::Relaxed);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("job{number}"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = Command::new("mpirun");
    command.env("OMPI_MCA_orte_tmpdir_base", folder);
    // More ranks than cores, also as root in a container.
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()]);
    command
}
