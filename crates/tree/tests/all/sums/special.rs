//! NaN, infinities and overflow.

use crate::sums::every_engine;
use palmette_core::{NONE, Tree};
use palmette_tree::sum::{Findings, SumParams, Summation, tree_sums};
use palmette_tree::{Direction, Engine, Scope, TreefixError};

/// 0 over 1 and 3; 1 over 2; 3 over 4.
fn tree() -> Tree {
    Tree::from_parents(&[NONE, 0, 1, 0, 3]).unwrap()
}

#[test]
fn sums_follow_ieee() {
    let infinity = f64::INFINITY;
    let values = [1.0, infinity, f64::NAN, -infinity, 2.0];
    for summation in Summation::ALL {
        every_engine(&tree(), &values, summation, |direction, scope, engine, found| {
            if scope == Scope::Exclusive
                || (engine == Engine::Euler && summation != Summation::Exact)
            {
                return;
            }
            let what = format!("{summation} {engine} {direction:?}: {:?}", found.sums);
            let (nan, not_nan): (&[usize], &[(usize, f64)]) = match direction {
                Direction::Rootfix => {
                    (&[2], &[(0, 1.0), (1, infinity), (3, -infinity), (4, -infinity)])
                }
                Direction::Leaffix => (&[0, 1, 2], &[(3, -infinity), (4, 2.0)]),
            };
            assert!(nan.iter().all(|&i| found.sums[i].is_nan()), "{what}");
            assert!(not_nan.iter().all(|&(i, x)| found.sums[i] == x), "{what}");
            let (nan_sums, infinite_sums) = (nan.len(), 4 - nan.len());
            let expected = Findings {
                nan_values: 1,
                infinite_values: 2,
                nan_sums,
                infinite_sums,
                overflows: 0,
            };
            assert_eq!(found.findings, expected, "{what}");
            let bounds = found.bounds.unwrap();
            assert!((0..5).all(|i| found.sums[i].is_finite() || bounds[i] == infinity), "{what}");
        });
    }
}

#[test]
fn overflow_is_counted_and_has_no_bound() {
    let large = f32::MAX;
    let values = [large, large, -large, 1.0, 2.0];
    for summation in Summation::ALL {
        for engine in Engine::ALL {
            let params = SumParams { engine, summation, bounds: true, ..Default::default() };
            let found = tree_sums(&tree(), Direction::Rootfix, &values, params).unwrap();
            let what = format!("{summation} {engine}: {:?}", found.sums);
            assert_eq!(found.sums[1], f32::INFINITY, "{what}");
            assert_eq!(found.bounds.unwrap()[1], f64::INFINITY, "{what}");
            // Only sums in the type itself are lost when a partial sum is.
            match summation {
                Summation::Plain => assert!(found.findings.overflows >= 2, "{what}"),
                _ => assert_eq!((found.findings.overflows, found.sums[2]), (1, large), "{what}"),
            }
            assert_eq!(found.findings.infinite_values, 0);
        }
    }
}

#[test]
fn lengths_must_agree() {
    let found = tree_sums(&tree(), Direction::Leaffix, &[1.0f32; 4], SumParams::default());
    assert_eq!(found.unwrap_err(), TreefixError::Length { expected: 5, actual: 4 });
}

#[test]
fn zeros_are_positive_and_exact() {
    let values = [-0.0f64, 0.0, -0.0, 5e-324, -5e-324];
    for summation in Summation::ALL {
        every_engine(&tree(), &values, summation, |_, _, engine, found| {
            let zeros = found.sums.iter().zip(found.bounds.as_ref().unwrap());
            for (&sum, &bound) in zeros.filter(|z| *z.0 == 0.0) {
                assert!(bound == 0.0, "{summation} {engine}: {sum} ± {bound}");
            }
        });
    }
}
