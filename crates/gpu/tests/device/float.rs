//! Sums of floats on the device against sums in twice the digits, with bounds.
//!
//! The host's sums in f64 are taken as exact; what they are off by is far below the bounds of f32.

use crate::open::plain;
use crate::treefix::{bits, tree};
use palmette_core::generate::Shape;
use palmette_core::operator::Sum;
use palmette_gpu::{DeviceTree, bound, leaffix, rootfix};
use palmette_tree::Direction;
use palmette_tree::Scope::Inclusive;

fn value(x: u64) -> f32 {
    let size = 0.25 + 0.75 * (x >> 41) as f32 / (1 << 23) as f32;
    if x & 1 == 1 { -size } else { size }
}

#[test]
fn sums_are_within_their_bounds() {
    for (shape, n) in [(Shape::Random, 20_001), (Shape::Path, 5000), (Shape::Caterpillar, 9000)] {
        let tree = tree(shape, n, 11);
        let on = DeviceTree::new(plain(), &tree).unwrap();
        let x: Vec<f32> = bits(n, 4).into_iter().map(value).collect();
        let up = on.upload(&x).unwrap();
        let op = Sum::<f32>::new();
        let exact: Vec<f64> = x.iter().map(|&x| x.into()).collect();
        let host = |values: &[f64], root: bool| {
            let mut out = vec![0.0; n];
            let op = Sum::<f64>::new();
            match root {
                true => palmette_tree::rootfix::sequential(&tree, values, &op, Inclusive, &mut out),
                false => {
                    palmette_tree::leaffix::sequential(&tree, values, &op, Inclusive, &mut out)
                }
            }
            out
        };
        for direction in [Direction::Rootfix, Direction::Leaffix] {
            let root = direction == Direction::Rootfix;
            let sums = host(&exact, root);
            let [euler, levels, contract] = match root {
                true => [rootfix::euler, rootfix::levels, rootfix::contract],
                false => [leaffix::euler, leaffix::levels, leaffix::contract],
            };
            let any = bound::in_any_brackets(&tree, direction, &x, Inclusive);
            let scan = bound::by_scan(&tree, direction, &x, Inclusive);
            for (engine, bounds) in [(euler, &scan), (levels, &any), (contract, &any)] {
                let (answers, _) = engine(&on, &up, &op, Inclusive).unwrap().download().unwrap();
                for i in 0..n {
                    let error = (f64::from(answers[i]) - sums[i]).abs();
                    let slack = 1e-12 * sums[i].abs();
                    assert!(error <= bounds[i] + slack, "{shape}, position {i}: {error}");
                }
            }
        }
    }
}
