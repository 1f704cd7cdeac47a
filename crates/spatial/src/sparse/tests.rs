//! Products and solutions against the host, under all delays.

use super::*;
use crate::collective::Network;
use crate::collective::testing::{PATTERNS, Random, machine_with};
use crate::machine::MachineParams;
use crate::testing::every_delivery;
use palmette_core::CgParams;

/// A matrix with entries anywhere, some rows and columns without any.
fn scattered(n: usize, entries: usize, random: &mut Random) -> SparseMatrix {
    let mut place = || random.below(n as u64) as u32;
    let places: Vec<(u32, u32)> = (0..entries).map(|_| (place(), place())).collect();
    let entry = |&(i, j): &(u32, u32)| (i, j, f64::from(i) * 0.5 - f64::from(j) + 0.25);
    SparseMatrix::new(n, &places.iter().map(entry).collect::<Vec<_>>()).unwrap()
}

/// The Laplacian of a square grid of `side`² vertices, and 1 on its diagonal.
fn grid(side: u32) -> SparseMatrix {
    let at = |x: u32, y: u32| y * side + x;
    let mut entries: Vec<(u32, u32, f64)> = (0..side * side).map(|i| (i, i, 1.0)).collect();
    let mut join = |a: u32, b: u32| {
        entries.extend([(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)]);
    };
    for y in 0..side {
        for x in 1..side {
            join(at(x - 1, y), at(x, y));
            join(at(y, x - 1), at(y, x));
        }
    }
    SparseMatrix::new((side * side) as usize, &entries).unwrap()
}

fn shuffled(n: usize, random: &mut Random) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    (1..n).for_each(|i| order.swap(i, random.below(i as u64 + 1) as usize));
    order
}

fn vector(n: usize, random: &mut Random) -> Vec<f64> {
    (0..n).map(|_| random.below(2001) as f64 * 0.125 - 125.0).collect()
}

fn near(found: &[f64], matrix: &SparseMatrix, x: &[f64]) {
    let (expected, bound) = (matrix.product(x).unwrap(), matrix.rounding(x));
    for (i, ((found, expected), bound)) in found.iter().zip(expected).zip(bound).enumerate() {
        assert!((found - expected).abs() <= bound, "row {i}: {found}, not {expected}");
    }
}

#[test]
fn products_are_those_of_the_host_under_all_delays() {
    let mut bits = std::collections::BTreeMap::new();
    every_delivery(PATTERNS / 2, |params| {
        let seed = params.seed % 40;
        let mut random = Random(seed);
        let n = 1 + random.below(12) as usize;
        let entries = random.below(30) as usize;
        let matrix = scattered(n, entries, &mut random);
        let x = vector(n, &mut random);

        let blocks = Blocks::new(&matrix, &shuffled(n, &mut random)).unwrap();
        let mut machine = machine_with(blocks.processors(), params.stating(blocks.words()));
        let placed = blocks.place(&x).unwrap();
        let y = blocks.product(&mut machine, "blocks", placed).unwrap();
        let of_blocks = blocks.vector(&y);
        near(&of_blocks, &matrix, &x);

        let processors = Sorted::processors_of(&matrix).unwrap();
        let mut machine = machine_with(processors, params.stating(sorted_words(processors)));
        let network = [Network::OddEven, Network::Bitonic][seed as usize % 2];
        let (sorted, placed) = Sorted::new(&mut machine, "sort", network, &matrix, &x).unwrap();
        assert_eq!(sorted.vector(&placed), x);
        let y = sorted.product(&mut machine, "product", placed).unwrap();
        let of_sorted = sorted.vector(&y);
        near(&of_sorted, &matrix, &x);
        let home = sorted.bring_home(&mut machine, "product", y).unwrap();
        assert_eq!(home.states()[..n], of_sorted);

        // The bits do not depend on delays.
        let found =
            [of_blocks, of_sorted].map(|y| y.iter().map(|y| y.to_bits()).collect::<Vec<_>>());
        let before = bits.entry(seed).or_insert_with(|| found.clone());
        assert_eq!(*before, found);
    });
}

#[test]
fn larger_products_are_those_of_the_host() {
    let mut random = Random(5);
    for matrix in [grid(40), scattered(3000, 9000, &mut random), scattered(50, 6000, &mut random)] {
        let n = matrix.rows();
        let x = vector(n, &mut random);
        let blocks = Blocks::new(&matrix, &shuffled(n, &mut random)).unwrap();
        let params = MachineParams::default();
        let mut machine = machine_with(blocks.processors(), params.stating(blocks.words()));
        let y = blocks.product(&mut machine, "blocks", blocks.place(&x).unwrap()).unwrap();
        near(&blocks.vector(&y), &matrix, &x);
        let processors = Sorted::processors_of(&matrix).unwrap();
        let mut machine = machine_with(processors, params.stating(sorted_words(processors)));
        let (sorted, placed) =
            Sorted::new(&mut machine, "sort", Network::OddEven, &matrix, &x).unwrap();
        let y = sorted.product(&mut machine, "product", placed).unwrap();
        near(&sorted.vector(&y), &matrix, &x);
    }
}

#[test]
fn systems_are_solved_under_all_delays() {
    every_delivery(20, |params| {
        let mut random = Random(params.seed);
        let matrix = grid(2 + random.below(4) as u32);
        let n = matrix.rows();
        let b = vector(n, &mut random);
        let cg = CgParams { tolerance: 1e-9, ..CgParams::default() };
        let check = |x: Vec<f64>, residual: f64| {
            let ax = matrix.product(&x).unwrap();
            let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|v| v * v).sum::<f64>().sqrt();
            let left = norm(&mut b.iter().zip(ax).map(|(b, ax)| b - ax));
            assert!(left <= 1.01e-9 * norm(&mut b.iter().copied()));
            assert!(residual <= 1e-9);
        };
        let blocks = Blocks::new(&matrix, &shuffled(n, &mut random)).unwrap();
        let words = cg_words(&blocks);
        let mut machine = machine_with(blocks.processors(), params.stating(words));
        let placed = blocks.place(&b).unwrap();
        let found = conjugate_gradients(&mut machine, "cg", &blocks, placed, &cg).unwrap();
        check(blocks.vector(&found.x), found.residual);

        let processors = Sorted::processors_of(&matrix).unwrap();
        let words = sorted_words(processors);
        let mut machine = machine_with(processors, params.stating(words));
        let (sorted, placed) =
            Sorted::new(&mut machine, "sort", Network::OddEven, &matrix, &b).unwrap();
        let mut machine = machine_with(processors, params.stating(cg_words(&sorted)));
        let found = conjugate_gradients(&mut machine, "cg", &sorted, placed, &cg).unwrap();
        check(sorted.vector(&found.x), found.residual);
    });
}

#[test]
fn what_cannot_be_solved() {
    let solve = |entries: &[(u32, u32, f64)], b: [f64; 2]| {
        let matrix = SparseMatrix::new(2, entries).unwrap();
        let blocks = Blocks::new(&matrix, &[1, 0]).unwrap();
        let mut machine = machine_with(blocks.processors(), MachineParams::default());
        let placed = blocks.place(&b).unwrap();
        conjugate_gradients(&mut machine, "cg", &blocks, placed, &CgParams::default())
            .map(|found| blocks.vector(&found.x))
    };
    let identity = [(0, 0, 1.0), (1, 1, 1.0)];
    assert_eq!(solve(&identity, [2.0, 3.0]), Ok(vec![2.0, 3.0]));
    assert_eq!(solve(&identity, [0.0; 2]), Ok(vec![0.0; 2]));
    let error = solve(&[(0, 0, 1.0), (1, 1, -1.0)], [1.0, 2.0]).unwrap_err();
    assert!(matches!(error, SparseError::Cg(_)), "{error}");
}

#[test]
fn orders_name_each_row_once() {
    let matrix = SparseMatrix::new(3, &[(0, 1, 1.0)]).unwrap();
    let of = |order: &[u32]| Blocks::new(&matrix, order).unwrap_err();
    assert_eq!(of(&[0, 1, 1]), SparseError::Order { row: 1, times: 2 });
    assert_eq!(of(&[0, 1]), SparseError::Order { row: 2, times: 0 });
    assert_eq!(of(&[0, 1, 3]), SparseError::Outside { row: 3, column: 3, rows: 3 });
}

/// Rows that follow the curve are all there, and entries of grids travel less than where rows lie anywhere.
#[test]
fn rows_follow_the_curve() {
    let mut random = Random(3);
    let matrices =
        [grid(1), grid(30), scattered(40, 30, &mut random), scattered(1, 0, &mut random)];
    for matrix in matrices {
        let n = matrix.rows();
        let scrambled = Blocks::new(&matrix, &shuffled(n, &mut random)).unwrap();
        let curve =
            crate::curve::CurveKind::Hilbert.fitting(scrambled.processors() as u64).unwrap();
        let side = n.isqrt().max(1);
        let points: Vec<[f64; 3]> =
            (0..n).map(|i| [(i % side) as f64, (i / side) as f64, 0.0]).collect();
        let energy = |blocks: &Blocks| {
            let mut machine = machine_with(blocks.processors(), MachineParams::default());
            let x = blocks.place(&vec![1.0; n]).unwrap();
            blocks.product(&mut machine, "y", x).unwrap();
            machine.costs().energy
        };
        for points in [&points[..], &[]] {
            let blocks = Blocks::new(&matrix, &follow(&curve, &matrix, points)).unwrap();
            if n == 900 {
                assert!(2 * energy(&blocks) < energy(&scrambled));
            }
        }
    }
}
