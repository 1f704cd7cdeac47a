//! Exact sums are the nearest floats, on every engine.

use crate::sums::checker::{covered, nearest, whole};
use crate::sums::every_engine;
use crate::sums::inputs::{BLOCK, cancelling, trees, wild};
use palmette_tree::sum::{SumParams, Summation, tree_sums};
use palmette_tree::{Direction, Engine};
use proptest::prelude::*;

/// Casts from whole numbers round to nearest, ties to even.
#[test]
fn equal_to_rounded_whole_numbers() {
    for n in [1, 2, 50, BLOCK, 2 * BLOCK + 1, 5 * BLOCK + 77] {
        for (name, tree) in trees(n, n as u64) {
            let values = cancelling(n, 53, 20, 7);
            let doubles: Vec<f64> = values.iter().map(|&v| v as f64).collect();
            every_engine(&tree, &doubles, Summation::Exact, |direction, scope, engine, found| {
                let sums = whole(&tree, &values, direction, scope);
                let same = found.sums.iter().zip(&sums).all(|(&x, &s)| x == s as f64);
                assert!(same, "{name} {n}: {engine} {direction:?} {scope:?}");
            });
            let values = cancelling(n, 24, 60, 8);
            let singles: Vec<f32> = values.iter().map(|&v| v as f32 / 1024.0).collect();
            every_engine(&tree, &singles, Summation::Exact, |direction, scope, engine, found| {
                let sums = whole(&tree, &values, direction, scope);
                let same = found.sums.iter().zip(&sums).all(|(&x, &s)| x == s as f32 / 1024.0);
                assert!(same, "{name} {n}, f32: {engine} {direction:?} {scope:?}");
            });
        }
    }
}

#[test]
fn any_range_of_doubles() {
    for n in [3, 40, 150] {
        for (name, tree) in trees(n, 5) {
            let values = wild(n, n as u64);
            every_engine(&tree, &values, Summation::Exact, |direction, scope, engine, found| {
                for (i, &sum) in found.sums.iter().enumerate() {
                    let at = covered(&tree, direction, scope, i as u32);
                    let expected = nearest(at.into_iter().map(|p| values[p]));
                    assert_eq!(sum, expected, "{name} {n}: {engine} {direction:?} {i}");
                }
            });
        }
    }
}

/// The widest accumulators over several blocks: every engine has the same bits.
#[test]
fn engines_and_threads_do_not_show() {
    let n = 2 * BLOCK + 99;
    for (name, tree) in trees(n, 9) {
        let values = wild(n, 3);
        for direction in crate::sums::DIRECTIONS {
            let sums = |engine, threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let params =
                    SumParams { engine, summation: Summation::Exact, ..Default::default() };
                let found = pool.install(|| tree_sums(&tree, direction, &values, params).unwrap());
                found.sums.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            };
            let expected = sums(Engine::Contract, 1);
            for (engine, threads) in [
                (Engine::Sequential, 2),
                (Engine::Threads, 1),
                (Engine::Threads, 3),
                (Engine::Levels, 2),
                (Engine::Euler, 2),
            ] {
                assert!(sums(engine, threads) == expected, "{name}: {engine} {direction:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..Default::default() })]

    #[test]
    fn a_path_of_any_numbers(bits in prop::collection::vec(any::<u64>(), 1..40)) {
        // All but the largest, so that no sum overflows.
        let values: Vec<f64> = bits.iter().map(|&b| f64::from_bits(b & !(1 << 62 | 1 << 61))).collect();
        let parents: Vec<u32> = (0..values.len() as u32).map(|v| v.wrapping_sub(1)).collect();
        let tree = palmette_core::Tree::from_parents(&parents).unwrap();
        let params = SumParams { summation: Summation::Exact, ..Default::default() };
        let found = tree_sums(&tree, Direction::Rootfix, &values, params).unwrap();
        for (i, &sum) in found.sums.iter().enumerate() {
            prop_assert_eq!(sum, nearest(values[..=i].iter().copied()));
        }
    }
}
