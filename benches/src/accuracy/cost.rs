//! What compensated and exact sums cost beside plain ones.

use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_core::Tree;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::memory::huge_vec;
use palmette_core::operator::Sum;
use palmette_core::random::{Purpose, Random};
use palmette_tree::leaffix::leaffix_into;
use palmette_tree::rootfix::rootfix_into;
use palmette_tree::sum::{Float, SumParams, Summation, tree_sums};
use palmette_tree::{Direction, TreefixParams};

/// The head of the table.
pub const HEAD: [&str; 10] = [
    "tree",
    "pass",
    "threads",
    "plain pass",
    "plain",
    "compensated",
    "exact",
    "compensated/plain",
    "exact/plain",
    "with bounds: plain, compensated",
];

/// Nanoseconds per vertex for f32 and f64, both passes, one and two threads. Returns the ratios
/// of compensated and plain.
pub fn measure(shape: Shape, n: usize, rounds: usize, table: &mut Table) -> Vec<f64> {
    let parents = shuffle(&generate(shape, n, 1).expect("such trees exist"), 1);
    let tree = Tree::from_parents(&parents).expect("generated trees are trees");
    let mut random = Random::new(1, Purpose::Vectors);
    let doubles: Vec<f64> = (0..n).map(|_| 2.0 * random.unit() - 1.0).collect();
    let singles: Vec<f32> = doubles.iter().map(|&x| x as f32).collect();
    let mut ratios = Vec::new();
    for direction in [Direction::Leaffix, Direction::Rootfix] {
        for threads in [1, 2] {
            let name = |kind: &str| format!("{shape}, shuffled {n}, {kind}");
            ratios.push(one(&name("f32"), &tree, direction, &singles, threads, rounds, table));
            ratios.push(one(&name("f64"), &tree, direction, &doubles, threads, rounds, table));
        }
    }
    ratios
}

fn one<T: Float>(
    name: &str,
    tree: &Tree,
    direction: Direction,
    values: &[T],
    threads: usize,
    rounds: usize,
    table: &mut Table,
) -> f64 {
    let pool = pool(threads);
    let mut out = huge_vec(values.len(), T::ZERO);
    let (op, auto) = (Sum::new(), TreefixParams::default());
    let sums = |summation, bounds| {
        let params = SumParams { summation, bounds, ..Default::default() };
        pool.install(|| tree_sums(tree, direction, values, params).expect("lengths agree"));
    };
    let best = race(
        rounds,
        &mut [
            run(|| {
                let done = pool.install(|| match direction {
                    Direction::Leaffix => leaffix_into(tree, values, &op, auto, &mut out),
                    Direction::Rootfix => rootfix_into(tree, values, &op, auto, &mut out),
                });
                done.expect("lengths agree");
            }),
            run(|| sums(Summation::Plain, false)),
            run(|| sums(Summation::Compensated, false)),
            run(|| sums(Summation::Exact, false)),
            run(|| sums(Summation::Plain, true)),
            run(|| sums(Summation::Compensated, true)),
        ],
    );
    let ns: Vec<f64> = best.iter().map(|s| s / values.len() as f64 * 1e9).collect();
    let pass = if direction == Direction::Rootfix { "rootfix" } else { "leaffix" };
    let mut row = vec![name.to_string(), pass.to_string(), threads.to_string()];
    row.extend(ns[..4].iter().map(|x| format!("{x:.2}")));
    row.extend([ns[2] / ns[1], ns[3] / ns[1]].map(|ratio| format!("{ratio:.2}")));
    row.push(format!("{:.2}, {:.2}", ns[4], ns[5]));
    table.row(row);
    ns[2] / ns[1]
}
