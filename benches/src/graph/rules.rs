//! The rules for preconditioning side by side: condition numbers and times.

use super::input::Input;
use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_graph::sparsify::{Budget, Rule, Sparsifier, SparsifyParams, sparsify};
use palmette_graph::{QualityParams, quality};

/// The head of the table.
pub const HEAD: [&str; 9] = [
    "graph",
    "vertices",
    "edges",
    "recovered, % of vertices",
    "fegrass, κ",
    "spectral, κ",
    "fegrass, ms",
    "spectral, ms",
    "spectral/fegrass",
];

/// Compares the rules at a density, on one thread; returns both condition numbers, and the ratio of
/// times.
pub fn measure(input: &Input, percent: f64, rounds: usize, table: &mut Table) -> ([f64; 2], f64) {
    let pool = pool(1);
    let with = |rule| {
        let budget = Budget::Vertices(percent);
        let params = SparsifyParams { rule, budget, ..Default::default() };
        pool.install(|| sparsify(&input.graph, &params)).expect("it can be sparsified")
    };
    let [mut fegrass, mut spectral] = [(); 2].map(|()| Sparsifier::default());
    let seconds = race(
        rounds,
        &mut [run(|| fegrass = with(Rule::Fegrass)), run(|| spectral = with(Rule::Spectral))],
    );
    assert_eq!(fegrass.recovered.len(), spectral.recovered.len(), "{}", input.name);
    let found = [&fegrass, &spectral].map(|kept| {
        let params = QualityParams { samples: 0, ..Default::default() };
        let found = quality(&input.graph, &kept.graph(&input.graph), &params);
        found.expect("a skeleton spans its graph").condition
    });
    let ratio = seconds[1] / seconds[0];
    table.row(vec![
        input.name.clone(),
        input.graph.len().to_string(),
        input.graph.edge_count().to_string(),
        percent.to_string(),
        format!("{:.1}", found[0]),
        format!("{:.1}", found[1]),
        format!("{:.2}", seconds[0] * 1e3),
        format!("{:.2}", seconds[1] * 1e3),
        format!("{ratio:.1}"),
    ]);
    (found, ratio)
}
