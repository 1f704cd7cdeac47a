//! The studies on small inputs: they check that all contestants agree.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

fn quick(study: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO_BIN_EXE_palmette-bench"))
        .args([study, "--quick"])
        .current_dir(root)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "palmette-bench {study} --quick:\n{said}");
}

#[test]
fn trees_agree() {
    quick("tree");
}

#[test]
fn what_is_written_reads_back() {
    quick("io");
}

#[test]
fn spatial_programs_agree() {
    quick("spatial");
}

#[test]
fn sparsifiers_agree() {
    quick("graph");
}

#[test]
fn solvers_agree() {
    quick("solve");
}

#[test]
fn partitioners_agree() {
    quick("mesh");
}

/// Needs `palmette-mpi`, which tests of the whole workspace build.
#[test]
fn products_agree() {
    quick("mesh-run");
}

/// Needs `palmette-mpi`, which tests of the whole workspace build.
#[test]
fn ranks_agree() {
    quick("mpi");
}

#[test]
fn sums_stay_within_their_bounds() {
    quick("accuracy");
}

#[cfg(feature = "gpu")]
#[test]
fn devices_agree() {
    quick("gpu");
}
