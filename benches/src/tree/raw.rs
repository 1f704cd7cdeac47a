//! One answer from bare parents, and making a tree of them.

use super::goals::{Figure, What};
use super::input::{Input, values};
use crate::plain;
use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_core::Tree;
use palmette_core::operator::Sum;
use palmette_tree::leaffix::from_parents;

/// The head of the table.
pub const HEAD: [&str; 9] = [
    "tree",
    "leaffix, 1 thread",
    "2 threads",
    "climbing",
    "breadth first",
    "best plain/ours, 1",
    "best plain/ours, 2",
    "tree made, 1 thread",
    "2 threads",
];

/// Milliseconds on one input.
pub fn measure(input: &Input, rounds: usize, table: &mut Table) -> Vec<Figure> {
    let n = input.parents.len();
    let parents = &input.parents;
    let values = values(n);
    let (one, two) = (pool(1), pool(2));
    let sum = Sum::<i64>::new();
    let mut answers: [Vec<i64>; 4] = Default::default();
    let [a, b, c, d] = &mut answers;
    let ours = || from_parents(parents, &values, &sum).expect("generated trees are trees");
    let make = || drop(Tree::from_parents(parents).expect("generated trees are trees"));
    let best = race(
        rounds,
        &mut [
            run(|| *a = one.install(ours)),
            run(|| *b = two.install(ours)),
            run(|| *c = plain::climb(parents, &values)),
            run(|| *d = plain::breadth_first(parents, &values)),
            run(|| one.install(make)),
            run(|| two.install(make)),
        ],
    );
    assert!(answers.iter().all(|x| *x == answers[0]), "all must agree");
    let ms: Vec<f64> = best.iter().map(|s| s * 1e3).collect();
    let plain = ms[2].min(ms[3]);
    let mut cells = vec![input.name.clone()];
    cells.extend(ms[..4].iter().map(|t| format!("{t:.0}")));
    cells.extend([plain / ms[0], plain / ms[1]].map(|r| format!("{r:.1}")));
    cells.extend(ms[4..].iter().map(|t| format!("{t:.0}")));
    table.row(cells);
    let figure = |what, threads, ours, plain| Figure {
        tree: input.name.clone(),
        n,
        what,
        threads,
        ours,
        plain,
    };
    let plain = Some(best[2].min(best[3]));
    vec![
        figure(What::Raw, 1, best[0], plain),
        figure(What::Raw, 2, best[1], plain),
        figure(What::Tree, 1, best[4], None),
        figure(What::Tree, 2, best[5], None),
    ]
}
