//! How time grows with the graph, and which part of it is the recovery of edges.

use super::input::{Input, WIDE, made};
use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_graph::sparsify::{Budget, Engine, Sparsifier, SparsifyParams, sparsify};

/// The head of the table.
pub const HEAD: [&str; 9] = [
    "graph",
    "edges",
    "linear, ns per edge",
    "to the first",
    "of it recovery",
    "parallel, 2 threads, ns per edge",
    "to the first",
    "of it recovery",
    "linear/parallel",
];

/// A kind of graph: its name by the power of ten of the number of vertices.
type Family = fn(u32) -> String;

/// Neighbours in the plane, weighted grids, random graphs.
pub const FAMILIES: [Family; 3] = [
    |power| format!("geometric:{}:10", 10usize.pow(power)),
    |power| match power % 2 {
        0 => format!("grid:{0}x{0}", 10usize.pow(power / 2)),
        _ => format!("grid:{}x{}", 25 * 10usize.pow(power / 2 - 1), 4 * 10usize.pow(power / 2)),
    },
    |power| format!("random:{}:10", 10usize.pow(power)),
];

/// A kind of graph at several sizes; returns how many times as long an edge takes at
/// most, up to 10^6 vertices, as at the first size, linear and parallel.
pub fn measure(family: Family, powers: &[u32], quick: bool, table: &mut Table) -> [f64; 2] {
    let mut first = None;
    let mut worst = [1.0f64; 2];
    for &power in powers {
        let input = made(&family(power), WIDE);
        let rounds = if quick { 1 } else { [15, 7, 3, 1][power.clamp(4, 7) as usize - 4] };
        let [linear, parallel] = nanoseconds(&input, rounds);
        let [l, p] = *first.get_or_insert([linear[0], parallel[0]]);
        let mut cells = vec![input.name.clone(), input.graph.edge_count().to_string()];
        for (k, (part, first)) in [(linear, l), (parallel, p)].into_iter().enumerate() {
            let [all, before] = part;
            worst[k] = if power > 6 { worst[k] } else { worst[k].max(all / first) };
            cells.push(format!("{all:.0}"));
            cells.push(format!("{:.2}", all / first));
            cells.push(format!("{:.0}%", 100.0 * (1.0 - before / all).max(0.0)));
        }
        cells.push(format!("{:.2}", linear[0] / parallel[0]));
        table.row(cells);
    }
    worst
}

/// Nanoseconds per edge, for each engine: all, and what comes before the recovery.
fn nanoseconds(input: &Input, rounds: usize) -> [[f64; 2]; 2] {
    let (one, two) = (pool(1), pool(2));
    let with = |engine, budget| {
        let params = SparsifyParams { engine, budget, ..Default::default() };
        sparsify(&input.graph, &params).expect("the graphs of the study can be sparsified")
    };
    let [mut linear, mut parallel] = [(); 2].map(|()| Sparsifier::default());
    let none = Budget::Count(0);
    let best = race(
        rounds,
        &mut [
            run(|| linear = one.install(|| with(Engine::Linear, Budget::Rule))),
            run(|| drop(one.install(|| with(Engine::Linear, none)))),
            run(|| parallel = two.install(|| with(Engine::Parallel, Budget::Rule))),
            run(|| drop(two.install(|| with(Engine::Parallel, none)))),
        ],
    );
    assert!(linear == parallel, "{}: engines must agree", input.name);
    let ns = |seconds: f64| seconds / input.graph.edge_count() as f64 * 1e9;
    [[ns(best[0]), ns(best[1])], [ns(best[2]), ns(best[3])]]
}
