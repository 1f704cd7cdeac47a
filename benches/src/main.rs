//! Engines and peers side by side: `palmette-bench STUDY [OPTIONS]`.
//!
//! One program for all studies, since each program links everything.

mod studies;

use palmette_bench::memory::Counted;
use studies::*;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

const STUDIES: &str = "accuracy, fold, gpu, graph, io, mesh, mesh-run, mpi, solve, spatial or tree";

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args();
    let study = arguments.nth(1).ok_or_else(|| format!("expected {STUDIES}"))?;
    // Ranks are processes of their own, which decide for themselves.
    if study != "mpi" {
        palmette_core::memory::keep_freed_memory();
    }
    match study.as_str() {
        "accuracy" => accuracy::start(arguments),
        "fold" => fold::start(arguments),
        #[cfg(feature = "gpu")]
        "gpu" => gpu::start(arguments),
        #[cfg(not(feature = "gpu"))]
        "gpu" => Err("the study of devices needs --features gpu".into()),
        "graph" => graph::start(arguments),
        "io" => io::start(arguments),
        "mesh" => mesh::start(arguments),
        "mesh-run" => mesh_run::start(arguments),
        "mpi" => mpi::start(arguments),
        "solve" => solve::start(arguments),
        "spatial" => spatial::start(arguments),
        "tree" => tree::start(arguments),
        other => Err(format!("expected {STUDIES}, found `{other}`").into()),
    }
}
