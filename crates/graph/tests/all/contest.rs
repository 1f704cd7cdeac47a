//! The contest's case: the answer must be its reference output, line for line.

use palmette_core::Graph;
use palmette_graph::sparsify::{Engine, SparsifyParams, sparsify};
use palmette_io::{GraphReadParams, read_graph};
use std::path::Path;

#[test]
fn the_contests_case_line_for_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/graphs");
    let file = folder.join("g-3989-158400.mtx");
    if !file.exists() {
        eprintln!("skipped: {} is missing", file.display());
        return;
    }
    let graph = read_graph(&file, &GraphReadParams::default()).unwrap().graph;
    let expected = std::fs::read_to_string(folder.join("g-3989-158400.reference.txt")).unwrap();
    for engine in [Engine::Reference, Engine::Linear, Engine::Parallel] {
        let params = SparsifyParams { engine, ..Default::default() };
        let answer = sparsify(&graph, &params).unwrap();
        let lines = answer.tree.iter().chain(&answer.recovered);
        let text: String = lines.map(|(a, b)| format!("{} {}\n", a + 1, b + 1)).collect();
        assert!(text == expected, "{engine:?}");
    }
}

#[test]
fn a_mesh_with_non_crossing_edges() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/graphs");
    let file = folder.join("delaunay_n15.graph");
    if !file.exists() {
        eprintln!("skipped: {} is missing", file.display());
        return;
    }
    let unit = read_graph(&file, &GraphReadParams::default()).unwrap().graph;
    // The same mesh with weights between 0.01 and 1 by a rule of thumb.
    let weight = |a: u32, b: u32| f64::from((a * 31 + b * 17) % 100 + 1) / 100.0;
    let edges: Vec<_> = unit.edges().map(|(a, b, _)| (a, b, weight(a, b))).collect();
    let weighted = Graph::from_edges(unit.len(), &edges).unwrap();
    for (graph, least) in [(&unit, 1), (&weighted, 100)] {
        let with =
            |engine| sparsify(graph, &SparsifyParams { engine, ..Default::default() }).unwrap();
        let reference = with(Engine::Reference);
        assert!(reference.non_crossing >= least, "{}", reference.non_crossing);
        assert_eq!(with(Engine::Linear), reference);
        assert_eq!(with(Engine::Parallel), reference);
    }
}
