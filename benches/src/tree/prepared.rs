//! Passes over a tree that is there already.

use super::goals::{Figure, What};
use super::input::{Input, values};
use crate::plain;
use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_core::Tree;
use palmette_core::memory::huge_vec;
use palmette_core::operator::{Max, Operator, Sum};
use palmette_tree::{Engine, TreefixParams, leaffix::leaffix_into, rootfix::rootfix_into};

/// The head of the table.
pub const HEAD: [&str; 9] = [
    "tree",
    "pass",
    "ours, 1 thread",
    "ours, 2 threads",
    "plain loop",
    "ours/plain",
    "max, 2 threads",
    "max/sum",
    "f64 sum, 1 and 2 threads",
];

/// Nanoseconds per vertex for both passes on one input.
pub fn measure(input: &Input, rounds: usize, table: &mut Table) -> Vec<Figure> {
    let n = input.parents.len();
    let tree = Tree::from_parents(&input.parents).expect("generated trees are trees");
    let ints = tree.to_positions(&values(n)).expect("one value per vertex");
    let floats: Vec<f64> = ints.iter().map(|&x| x as f64).collect();
    let (one, two) = (pool(1), pool(2));
    let auto = TreefixParams { engine: Engine::Auto, ..Default::default() };
    let mut figures = Vec::new();
    for leaf in [true, false] {
        let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| huge_vec(n, 0i64));
        let [mut e, mut f] = [(); 2].map(|()| huge_vec(n, 0f64));
        let (sum, fsum, max) = (Sum::<i64>::new(), Sum::<f64>::new(), Max::<i64>::new());
        let best = race(
            rounds,
            &mut [
                run(|| one.install(|| pass(leaf, &tree, &ints, &sum, auto, &mut a))),
                run(|| two.install(|| pass(leaf, &tree, &ints, &sum, auto, &mut b))),
                run(|| match leaf {
                    true => plain::leaffix(tree.parents(), &ints, &mut c),
                    false => plain::rootfix(tree.parents(), &ints, &mut c),
                }),
                run(|| two.install(|| pass(leaf, &tree, &ints, &max, auto, &mut d))),
                run(|| one.install(|| pass(leaf, &tree, &floats, &fsum, auto, &mut e))),
                run(|| two.install(|| pass(leaf, &tree, &floats, &fsum, auto, &mut f))),
            ],
        );
        assert!(a == c && b == c, "all must agree");
        assert!(e.iter().zip(&c).all(|(&x, &y)| x == y as f64) && e == f, "and floats too");
        let ns: Vec<f64> = best.iter().map(|s| s / n as f64 * 1e9).collect();
        table.row(vec![
            input.name.clone(),
            if leaf { "leaffix" } else { "rootfix" }.to_string(),
            format!("{:.2}", ns[0]),
            format!("{:.2}", ns[1]),
            format!("{:.2}", ns[2]),
            format!("{:.2}", ns[0] / ns[2]),
            format!("{:.2}", ns[3]),
            format!("{:.2}", ns[3] / ns[1]),
            format!("{:.2}, {:.2}", ns[4], ns[5]),
        ]);
        figures.extend([1, 2].map(|threads| Figure {
            tree: input.name.clone(),
            n,
            what: What::Pass,
            threads,
            ours: best[threads - 1],
            plain: Some(best[2]),
        }));
    }
    figures
}

fn pass<M: Operator>(
    leaf: bool,
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
    out: &mut [M::Elem],
) {
    let done = match leaf {
        true => leaffix_into(tree, values, op, params, out),
        false => rootfix_into(tree, values, op, params, out),
    };
    done.expect("lengths agree");
}
