//! No error exceeds its bound, and bounds are not idle.

use crate::sums::checker::whole;
use crate::sums::every_engine;
use crate::sums::inputs::{BLOCK, cancelling, trees};
use palmette_core::Tree;
use palmette_tree::sum::{Float, Summation, Sums};
use palmette_tree::{Direction, Engine, Scope};

/// Errors are exact: sums of multiples of a unit are such multiples, in 128 bits.
fn check<T: Float>(
    tree: &Tree,
    values: &[i128],
    to_float: fn(i128) -> T,
    summation: Summation,
    name: &str,
) {
    let floats: Vec<T> = values.iter().map(|&v| to_float(v)).collect();
    let magnitudes: Vec<i128> = values.iter().map(|v| v.abs()).collect();
    let judge = |direction: Direction, scope: Scope, engine: Engine, found: Sums<T>| {
        let sums = whole(tree, values, direction, scope);
        let sizes = whole(tree, &magnitudes, direction, scope);
        for (i, &bound) in found.bounds.unwrap().iter().enumerate() {
            let error = (found.sums[i].as_f64() as i128 - sums[i]).abs() as f64;
            let what = || format!("{name} {summation}: {engine} {direction:?} {scope:?} at {i}");
            assert!(error <= bound, "{}: {error} > {bound}", what());
            // The general bound for any brackets; the Euler engine has the whole prefix.
            if summation == Summation::Plain && engine != Engine::Euler {
                let terms = tree.len() as f64;
                let general = terms * T::UNIT / (1.0 - terms * T::UNIT) * sizes[i] as f64;
                assert!(bound <= 1.01 * general, "{}: {bound} > {general}", what());
            }
            if summation == Summation::Exact {
                assert!(bound <= T::UNIT * found.sums[i].as_f64().abs(), "{}", what());
            }
        }
    };
    every_engine(tree, &floats, summation, judge);
}

#[test]
fn no_error_exceeds_its_bound() {
    for n in [1, 2, 7, 300, 2 * BLOCK + 5] {
        for (name, tree) in trees(n, 3 + n as u64) {
            for summation in Summation::ALL {
                let name = format!("{name} {n}");
                let (single, double) = (cancelling(n, 24, 30, 1), cancelling(n, 53, 20, 2));
                check::<f32>(&tree, &single, |v| v as f32, summation, &format!("{name} f32"));
                check::<f64>(&tree, &double, |v| v as f64, summation, &format!("{name} f64"));
            }
        }
    }
}

/// The largest share of its bound that an error takes, over a tree.
fn share(summation: Summation, engine: Engine, direction: Direction) -> f64 {
    let n = 5000;
    let values = cancelling(n, 24, 10, 4);
    let singles: Vec<f32> = values.iter().map(|&v| v as f32).collect();
    let parents: Vec<u32> = (0..n as u32).map(|v| v.wrapping_sub(1)).collect();
    let tree = Tree::from_parents(&parents).unwrap();
    let mut most = 0f64;
    every_engine(&tree, &singles, summation, |d, scope, e, found| {
        if (d, e, scope) == (direction, engine, Scope::Inclusive) {
            let sums = whole(&tree, &values, d, scope);
            for (i, &bound) in found.bounds.unwrap().iter().enumerate().filter(|b| *b.1 > 0.0) {
                let error = (f64::from(found.sums[i]) as i128 - sums[i]).abs() as f64;
                most = most.max(error / bound);
            }
        }
    });
    most
}

#[test]
fn bounds_are_not_idle() {
    // A single addition may lose all that its bound allows.
    assert!(share(Summation::Plain, Engine::Sequential, Direction::Rootfix) > 0.1);
    assert!(share(Summation::Plain, Engine::Contract, Direction::Leaffix) > 0.1);
    assert!(share(Summation::Compensated, Engine::Threads, Direction::Leaffix) > 0.5);
}

/// What the documentation of `Compensated` promises, with h at most the number of terms.
#[test]
fn compensated_sums_keep_their_promise() {
    for (name, tree) in trees(20_000, 11) {
        let values = cancelling(tree.len(), 53, 20, 6);
        let doubles: Vec<f64> = values.iter().map(|&v| v as f64).collect();
        let magnitudes: Vec<i128> = values.iter().map(|v| v.abs()).collect();
        let judge = |direction: Direction, scope: Scope, engine: Engine, found: Sums<f64>| {
            if engine == Engine::Euler {
                return;
            }
            let sums = whole(&tree, &values, direction, scope);
            let sizes = whole(&tree, &magnitudes, direction, scope);
            let (u, h) = (f64::UNIT, tree.len() as f64);
            for (i, &sum) in found.sums.iter().enumerate() {
                let error = (sum as i128 - sums[i]).abs() as f64;
                let allowed = u * (sums[i].abs() as f64) + 4.0 * (h * u).powi(2) * sizes[i] as f64;
                assert!(error <= 1.000001 * allowed, "{name}: {engine} {direction:?} at {i}");
            }
        };
        every_engine(&tree, &doubles, Summation::Compensated, judge);
    }
}
