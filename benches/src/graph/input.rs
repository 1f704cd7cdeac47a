//! The graphs of the study.

use palmette_core::Graph;
use palmette_core::graph::generate::{Weights, generate};
use palmette_io::{GraphReadParams, read_graph};
use std::path::{Path, PathBuf};

/// A graph to measure on.
pub struct Input {
    /// Its name in the tables.
    pub name: String,
    /// The graph.
    pub graph: Graph,
}

/// Weights over four decades.
pub const WIDE: Weights = Weights::LogUniform(0.01, 100.0);

/// A generated graph; its name is its shape.
///
/// # Panics
/// When the text names no shape: that is the study's mistake.
pub fn made(shape: &str, weights: Weights) -> Input {
    let shaped = shape.parse().expect("the study names shapes");
    let graph = generate(shaped, weights, 1).expect("the shapes exist at these sizes").graph;
    Input { name: shape.to_string(), graph }
}

/// Where graphs from elsewhere lie, beside the repository.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data")
}

/// A graph from a file below [`folder`]; nothing but a message when there is none.
///
/// # Errors
/// When the file is there, but no graph.
pub fn read(file: &str) -> Result<Option<Input>, String> {
    let path = folder().join(file);
    if !path.exists() {
        eprintln!("{} is missing", path.display());
        return Ok(None);
    }
    let graph = read_graph(&path, &GraphReadParams::default()).map_err(|e| e.to_string())?.graph;
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(Some(Input { name: name.unwrap_or_default(), graph }))
}

/// The case of the contest, or a generated graph of like size where its file is missing.
///
/// # Errors
/// When the file is there, but no graph.
pub fn contest() -> Result<Input, String> {
    Ok(match read("graphs/g-3989-158400.mtx")? {
        Some(input) => input,
        None => made("random:3989:79.4", WIDE),
    })
}
