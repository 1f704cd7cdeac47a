//! Engines of the contest rule beside the plain program; all must keep the same edges.

use super::input::Input;
use super::plain;
use crate::goals::Goals;
use crate::table::Table;
use crate::timing::{medians, pool, run};
use palmette_graph::sparsify::{Engine, Sparsifier, SparsifyParams, sparsify};

/// The head of the table.
pub const HEAD: [&str; 11] = [
    "graph",
    "vertices",
    "edges",
    "recovered",
    "reference, ms",
    "plain, ms",
    "linear, ms",
    "parallel, 2 threads, ms",
    "plain/linear",
    "plain/parallel",
    "reference/parallel",
];

/// What the contest's case may take, in milliseconds.
const LINEAR_MS: f64 = 12.0;
const PARALLEL_MS: f64 = 8.0;

/// Medians of turns; the reference, which is far slower, takes few, after the others.
pub fn measure(input: &Input, rounds: usize, table: &mut Table) -> [f64; 2] {
    let graph = &input.graph;
    let (one, two) = (pool(1), pool(2));
    let by = |engine| {
        let params = SparsifyParams { engine, ..Default::default() };
        sparsify(graph, &params).expect("the graphs of the study can be sparsified")
    };
    let [mut first, mut second, mut third] = [(); 3].map(|()| Sparsifier::default());
    let mut kept = plain::Kept::default();
    let fast = medians(
        rounds,
        &mut [
            run(|| kept = plain::sparsify(graph)),
            run(|| second = one.install(|| by(Engine::Linear))),
            run(|| third = two.install(|| by(Engine::Parallel))),
        ],
    );
    let slow = medians(rounds.min(3), &mut [run(|| first = by(Engine::Reference))]);
    assert!(first == second && first == third, "{}: engines must agree", input.name);
    assert!(first.tree == kept.0 && first.recovered == kept.1, "{}: plain must agree", input.name);
    let [reference, plain, linear, parallel] = [slow[0], fast[0], fast[1], fast[2]];
    let mut cells = vec![input.name.clone()];
    cells.extend([graph.len(), graph.edge_count(), first.recovered.len()].map(|c| c.to_string()));
    cells.extend([reference, plain, linear, parallel].map(|s| format!("{:.2}", 1e3 * s)));
    cells.extend(
        [plain / linear, plain / parallel, reference / parallel].map(|r| format!("{r:.1}")),
    );
    table.row(cells);
    [1e3 * linear, 1e3 * parallel]
}

/// What the contest's case was to take.
pub fn judge([linear, parallel]: [f64; 2], goals: &mut Goals) {
    goals.at_most("g-3989, linear", LINEAR_MS, linear, " ms");
    goals.at_most("g-3989, parallel", PARALLEL_MS, parallel, " ms");
}
