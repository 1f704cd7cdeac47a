//! Sums of floats on the device against sums in twice the digits, with bounds.
//!
//! Let u = 2^-24 and γ(k) = k u / (1 − k u). Whatever the association, the sum of m numbers is
//! off by at most γ(m) Σ|x| (Higham, section 4.2): that bounds levels and contraction, over the
//! path or the subtree. The scan over the Euler tour is a prefix sum of at most 2n numbers, or a
//! difference of two: it is off by at most 2 γ(2n + 1) S, with S the sum of |x| over all
//! vertices. The host's sums in f64 are taken as exact; values are in [1/4, 1), so nothing is
//! subnormal.

use crate::open::plain;
use crate::treefix::{bits, tree};
use palmette_core::generate::Shape;
use palmette_core::operator::Sum;
use palmette_gpu::{DeviceTree, leaffix, rootfix};
use palmette_tree::Scope::Inclusive;

fn gamma(k: f64) -> f64 {
    let unit = f64::from(f32::EPSILON) / 2.0;
    k * unit / (1.0 - k * unit)
}

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
        let sizes: Vec<f64> = exact.iter().map(|x| x.abs()).collect();
        let whole: f64 = sizes.iter().sum();
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
        for root in [true, false] {
            let (sums, magnitudes) = (host(&exact, root), host(&sizes, root));
            let counts = host(&vec![1.0; n], root);
            let [euler, levels, contract] = match root {
                true => [rootfix::euler, rootfix::levels, rootfix::contract],
                false => [leaffix::euler, leaffix::levels, leaffix::contract],
            };
            for (engine, scan) in [(euler, true), (levels, false), (contract, false)] {
                let (answers, _) = engine(&on, &up, &op, Inclusive).unwrap().download().unwrap();
                for i in 0..n {
                    let bound = match scan {
                        true => 2.0 * gamma(2.0 * n as f64 + 1.0) * whole,
                        false => gamma(counts[i]) * magnitudes[i],
                    };
                    let error = (f64::from(answers[i]) - sums[i]).abs();
                    assert!(error <= bound * (1.0 + 1e-6), "{shape}, position {i}: {error}");
                }
            }
        }
    }
}
