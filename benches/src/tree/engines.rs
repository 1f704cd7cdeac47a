//! Every engine on every shape: the table behind `auto`.

use super::goals::Figure;
use super::input::{Input, values};
use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_core::Tree;
use palmette_core::memory::huge_vec;
use palmette_core::operator::Sum;
use palmette_tree::{Contraction, EulerTour, Scope, leaffix, rootfix};

/// The head of the table.
pub const HEAD: [&str; 8] = [
    "tree",
    "pass",
    "sequential",
    "threads, 1",
    "threads, 2",
    "levels, 2",
    "euler, 2",
    "contract, 2",
];

/// Nanoseconds per vertex; plans (levels, tour, contraction) are made beforehand.
pub fn measure(input: &Input, rounds: usize, table: &mut Table) -> Vec<Figure> {
    let n = input.parents.len();
    let tree = Tree::from_parents(&input.parents).expect("generated trees are trees");
    let x = tree.to_positions(&values(n)).expect("one value per vertex");
    let (one, two) = (pool(1), pool(2));
    let (levels, tour, plan) = (tree.levels(), EulerTour::new(&tree), Contraction::new(&tree, 1));
    let op = Sum::<i64>::new();
    let all = Scope::Inclusive;
    for leaf in [true, false] {
        let mut out = [(); 6].map(|()| huge_vec(n, 0i64));
        let [a, b, c, d, e, f] = &mut out;
        let best = race(
            rounds,
            &mut [
                run(|| match leaf {
                    true => leaffix::sequential(&tree, &x, &op, all, a),
                    false => rootfix::sequential(&tree, &x, &op, all, a),
                }),
                run(|| {
                    one.install(|| match leaf {
                        true => leaffix::threads(&tree, &x, &op, all, b),
                        false => rootfix::threads(&tree, &x, &op, all, b),
                    })
                }),
                run(|| {
                    two.install(|| match leaf {
                        true => leaffix::threads(&tree, &x, &op, all, c),
                        false => rootfix::threads(&tree, &x, &op, all, c),
                    })
                }),
                run(|| {
                    two.install(|| match leaf {
                        true => leaffix::levels(&tree, &levels, &x, &op, all, d),
                        false => rootfix::levels(&tree, &levels, &x, &op, all, d),
                    })
                }),
                run(|| {
                    two.install(|| match leaf {
                        true => leaffix::euler(&tour, &x, &op, all, e),
                        false => rootfix::euler(&tour, &x, &op, all, e),
                    })
                }),
                run(|| {
                    two.install(|| match leaf {
                        true => leaffix::contract(&plan, &tree, &x, &op, all, f),
                        false => rootfix::contract(&plan, &tree, &x, &op, all, f),
                    })
                }),
            ],
        );
        assert!(out.iter().all(|o| *o == out[0]), "all must agree");
        let mut cells =
            vec![input.name.clone(), if leaf { "leaffix" } else { "rootfix" }.to_string()];
        cells.extend(best.iter().map(|s| format!("{:.2}", s / n as f64 * 1e9)));
        table.row(cells);
    }
    Vec::new()
}
