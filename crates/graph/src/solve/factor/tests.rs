//! The factor against dense matrices, on every kind of instructions and in both layouts.

use super::columns::Columns;
use super::dense::{BadPivot, Dense, Target, triangle};
use super::kernel::{FUSED, Isa, minus};
use super::matrix::Matrix;
use super::{
    Ended, Factor, FactorLimits, Layout, Numbers, SMALLEST_PIVOT, Way, analyse, numeric, small,
};
use crate::Laplacian;
use crate::order::minimum_degree::{self, Rows};
use crate::solve::SolveError;
use palmette_core::graph::generate::{Weights, generate};
use palmette_core::random::{Purpose, Random};
use palmette_core::{Cancel, Graph, LinOp};
use proptest::prelude::*;
use std::cell::Cell;

fn made(shape: &str, weights: Weights) -> Graph {
    generate(shape.parse().unwrap(), weights, 1).unwrap().graph
}

fn vector(n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed, Purpose::Weights);
    (0..n).map(|_| random.unit() * 2.0 - 1.0).collect()
}

/// Every kind of instructions and layout.
fn ways() -> Vec<Way> {
    let layouts = [Some(false), Some(true)];
    Isa::all().iter().flat_map(|&isa| layouts.map(|supernodes| Way { isa, supernodes })).collect()
}

fn minus_on(isa: Isa, c: f64, a: f64, b: f64) -> f64 {
    if FUSED || isa != Isa::Portable { minus::<true>(c, a, b) } else { minus::<false>(c, a, b) }
}

#[test]
fn products_have_the_bits_of_plain_loops() {
    // From one entry to several copied parts, with edges on all sides.
    let sizes = [(1, 1, 1), (7, 3, 2), (24, 8, 5), (25, 9, 1), (50, 49, 3), (97, 97, 40)];
    for isa in Isa::all() {
        for (m, n, k) in sizes.into_iter().chain([(130, 60, 260), (170, 31, 200)]) {
            let stride = m + 3;
            let a = vector(stride * k, 1);
            for (fresh, wide) in [(true, false), (false, true), (true, true), (false, false)] {
                // A triangle has as many columns as rows.
                let (target, n) =
                    if wide { (Target::Panel(m), n) } else { (Target::Triangle(m), m) };
                let mut c = vector(if wide { m * n } else { triangle(m) }, 2);
                let before = c.clone();
                Dense::new(isa).subtract(&mut c, target, &a, stride, [m, n, k], fresh);
                for j in 0..n {
                    for i in j..m {
                        let at = (target.column(j).0 + i as isize) as usize;
                        let start = if fresh { 0.0 } else { before[at] };
                        let product = |c, l| minus_on(isa, c, a[l * stride + i], a[l * stride + j]);
                        let expected: f64 = (0..k).fold(start, product);
                        assert_eq!(c[at].to_bits(), expected.to_bits(), "{isa:?} {m} {n} {k}");
                    }
                }
            }
        }
    }
}

/// Column by column, by definition; one over the pivots' roots on the diagonal.
fn cholesky(isa: Isa, a: &mut [f64], m: usize, n: usize) -> Result<(), BadPivot> {
    for j in 0..n {
        for i in j..m {
            let product = |c, l| minus_on(isa, c, a[l * m + i], a[l * m + j]);
            let entry = (0..j).fold(a[j * m + i], product);
            a[j * m + i] = match i == j {
                true => 1.0 / small::checked(entry).ok_or(BadPivot(j))?.sqrt(),
                false => entry * a[j * m + j],
            };
        }
    }
    Ok(())
}

#[test]
fn panels_have_the_bits_of_plain_loops() {
    for isa in Isa::all() {
        for (m, n) in [(1, 1), (3, 2), (8, 8), (9, 9), (40, 17), (100, 64), (333, 130)] {
            let mut panel: Vec<f64> = vector(m * n, 3).iter().map(|x| x / m as f64).collect();
            (0..n).for_each(|j| panel[j * m + j] = 1.0);
            let mut expected = panel.clone();
            cholesky(isa, &mut expected, m, n).unwrap();
            Dense::new(isa).factor(&mut panel, m, m, n).unwrap();
            for j in 0..n {
                let below = j * m + j..(j + 1) * m;
                assert_eq!(panel[below.clone()], expected[below], "{isa:?} {m} {n} {j}");
            }
            panel[n / 2 * (m + 1)] = f64::NAN;
            let bad = Dense::new(isa).factor(&mut panel, m, m, n);
            assert_eq!(bad, Err(BadPivot(n / 2)));
            // Small pivots, and negative ones, are raised.
            let mut one = [-1.0, 2.0];
            Dense::new(isa).factor(&mut one, 2, 2, 1).unwrap();
            assert_eq!(one[0], 1.0 / SMALLEST_PIVOT.sqrt());
        }
    }
}

/// The factor as a dense matrix by columns, with the pivots' roots on the diagonal.
fn dense_factor(factor: &Factor) -> Vec<Vec<f64>> {
    let n = factor.vertices.len();
    let mut dense = vec![vec![0.0; n]; n];
    match &factor.numbers {
        Numbers::Columns(columns) => columns.each(|i, j, value| dense[j][i] = value),
        Numbers::Supernodes(nodes, values) => {
            for s in 0..nodes.len() {
                let rows: Vec<usize> =
                    nodes.columns(s).chain(nodes.tail(s).iter().map(|&row| row as usize)).collect();
                let panel = &values[nodes.values[s]..nodes.values[s + 1]];
                for (j, column) in nodes.columns(s).zip(panel.chunks(rows.len())) {
                    for (&i, &value) in rows.iter().zip(column).filter(|(i, _)| **i >= j) {
                        dense[j][i] = value;
                    }
                }
            }
        }
    }
    (0..n).for_each(|j| dense[j][j] = 1.0 / dense[j][j]);
    dense
}

/// Compares a factor with the matrix that it should be a factor of, entry by entry, and its
/// solutions with the product. The diagonal is 1, and so are the rows of the factor: errors
/// are absolute.
fn check(graph: &Graph, ground: Option<&[f64]>, way: Way) {
    let laplacian = Laplacian::new(graph, ground);
    let factor = Factor::with(&laplacian, &Default::default(), None, way).unwrap();
    let n = factor.vertices.len();
    let l = dense_factor(&factor);
    let (v, scale) = (&factor.vertices, &factor.scales);
    let entry = |i: usize, j: usize| match i == j {
        true => 1.0,
        false => -graph.weight(v[i], v[j]).unwrap_or(0.0) * scale[i] * scale[j],
    };
    let most = 4e-16 * (n as f64 + 10.0);
    for i in 0..n {
        for j in 0..=i {
            let product: f64 = (0..=j).map(|k| l[k][i] * l[k][j]).sum();
            assert!((product - entry(i, j)).abs() <= most, "{way:?} {i} {j} {product}");
        }
    }
    let (x, mut y) = (vector(graph.len(), 5), vec![0.0; graph.len()]);
    factor.apply(&x, &mut y);
    let z: Vec<f64> = (0..n).map(|k| y[v[k] as usize] / scale[k]).collect();
    let size: f64 = z.iter().map(|z| z.abs()).sum();
    for i in 0..n {
        let product: f64 = (0..n).map(|j| entry(i, j) * z[j]).sum();
        let apart = product - x[v[i] as usize] * scale[i];
        assert!(apart.abs() <= most * (size + 1.0), "{way:?} {i} {apart:e} {size}");
    }
    for u in (0..graph.len() as u32).filter(|u| !v.contains(u)) {
        assert_eq!(y[u as usize], 0.0, "held");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_graphs(
        (n, edges) in (1usize..60).prop_flat_map(|n| {
            let ends = (0..n as u32, 0..n as u32, -6.5..6.5f64);
            (Just(n), proptest::collection::vec(ends, 0..3 * n))
        }),
        grounded in proptest::collection::vec((0..60usize, -3.0..3.0f64), 0..4),
    ) {
        let mut edges: Vec<_> = edges.iter().filter(|e| e.0 != e.1).copied().collect();
        edges.iter_mut().for_each(|e| *e = (e.0.min(e.1), e.0.max(e.1), e.2));
        edges.sort_by_key(|e| (e.0, e.1));
        edges.dedup_by_key(|e| (e.0, e.1));
        // Up to 13 digits the factor is exact. Beyond 15 it is a preconditioner.
        for stretch in [0.0, 1.0, 10.0] {
            let weigh = |exponent: f64| 10f64.powf(exponent * stretch);
            let edges: Vec<_> = edges.iter().map(|e| (e.0, e.1, weigh(e.2))).collect();
            let graph = Graph::from_edges(n, &edges).unwrap();
            let mut ground = vec![0.0; n];
            grounded.iter().filter(|g| g.0 < n).for_each(|g| ground[g.0] = weigh(g.1));
            let ground = (!grounded.is_empty()).then_some(&ground[..]);
            for way in ways() {
                if stretch <= 1.0 {
                    check(&graph, ground, way);
                } else {
                    let laplacian = Laplacian::new(&graph, ground);
                    let factor = Factor::with(&laplacian, &Default::default(), None, way).unwrap();
                    let l = dense_factor(&factor);
                    prop_assert!((0..l.len()).all(|k| l[k][k] >= 3e-8), "{:?}", way);
                    prop_assert!(l.iter().flatten().all(|l| l.is_finite()), "{:?}", way);
                }
            }
        }
    }
}

#[test]
fn graphs_of_all_shapes() {
    let shapes = ["path:40", "star:50", "star:300", "clique:70", "grid:12x11", "grid:5x6x7"];
    for shape in shapes.into_iter().chain(["random:200:7", "road:150"]) {
        let graph = made(shape, Weights::LogUniform(1e-6, 1e6));
        let ground: Vec<f64> = (0..graph.len()).map(|v| f64::from(v % 5 == 3)).collect();
        for way in ways() {
            check(&graph, None, way);
            check(&graph, Some(&ground), way);
        }
    }
}

fn residual(laplacian: &Laplacian<'_>, factor: &Factor) -> f64 {
    let mut b = vector(laplacian.size(), 6);
    laplacian.balance(&mut b);
    let (mut x, mut y) = (vec![0.0; b.len()], vec![0.0; b.len()]);
    factor.apply(&b, &mut x);
    laplacian.apply(&x, &mut y);
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let apart: Vec<f64> = y.iter().zip(&b).map(|(y, b)| y - b).collect();
    norm(&apart) / norm(&b)
}

#[test]
fn several_at_once_have_the_bits_of_one_by_one() {
    fn check<const L: usize>(factor: &Factor, n: usize) {
        let many: Vec<Vec<f64>> = (0..L as u64).map(|seed| vector(n, seed)).collect();
        let x: Vec<[f64; L]> = (0..n).map(|v| std::array::from_fn(|l| many[l][v])).collect();
        let mut y = vec![[0.0; L]; n];
        factor.apply_lanes(&x, &mut y);
        for (lane, one) in many.iter().enumerate() {
            let mut alone = vec![0.0; n];
            factor.apply(one, &mut alone);
            assert!(y.iter().zip(&alone).all(|(y, alone)| y[lane].to_bits() == alone.to_bits()));
        }
    }
    for shape in ["grid:23x31", "grid:8x8x8", "geometric:900:12", "path:50"] {
        let graph = made(shape, Weights::LogUniform(0.01, 100.0));
        let laplacian = Laplacian::new(&graph, None);
        for way in ways() {
            let factor =
                Factor::with(&laplacian, &FactorLimits::default(), None, way).expect("it fits");
            check::<1>(&factor, graph.len());
            check::<3>(&factor, graph.len());
            check::<8>(&factor, graph.len());
        }
    }
}

#[test]
fn large_graphs_have_small_residuals() {
    // Deep trees, and fronts of many blocks; the second number bounds the residual.
    let shapes = [("path:100000", 1e-7), ("star:100000", 1e-12), ("clique:300", 1e-12)];
    for (shape, most) in shapes.into_iter().chain([("grid:90x90", 1e-11), ("grid:14x14x14", 1e-12)])
    {
        let graph = made(shape, Weights::LogUniform(0.1, 10.0));
        let laplacian = Laplacian::new(&graph, None);
        let mut before: [Option<Vec<u64>>; 2] = [None, None];
        for way in ways() {
            let factor = Factor::with(&laplacian, &Default::default(), None, way).unwrap();
            assert!(residual(&laplacian, &factor) < most, "{shape} {way:?}");
            // The same bits wherever operations are fused.
            if FUSED || way.isa != Isa::Portable {
                let mut y = vec![0.0; graph.len()];
                factor.apply(&vector(graph.len(), 7), &mut y);
                let bits: Vec<u64> = y.iter().map(|y| y.to_bits()).collect();
                let same =
                    before[usize::from(way.supernodes == Some(true))].get_or_insert(bits.clone());
                assert!(*same == bits, "{shape} {way:?}");
            }
        }
    }
}

#[test]
fn fill_is_that_of_the_reference() {
    // What another implementation of the same order, with other relaxed supernodes, gave.
    let expected = [
        ("path:1000", 1996),
        ("star:1000", 999),
        ("grid:30x30", 10_273),
        ("random:300:6", 7_823),
        ("grid:10x10x10", 31_709),
        ("grid:100x100", 208_002),
        ("random:3000:6", 1_193_017),
    ];
    for (shape, most) in expected {
        let graph = made(shape, Weights::LogUniform(0.1, 10.0));
        let factor = Factor::new(&Laplacian::new(&graph, None), None, None).unwrap();
        assert!(factor.entries() <= most, "{shape} {}", factor.entries());
    }
}

#[test]
fn large_factors_are_dissected() {
    let graph = made("grid:32x32x32", Weights::Unit);
    let entries = |matrix: &Matrix<'_>| {
        let parents = crate::order::elimination::elimination_tree(matrix);
        let counts = crate::order::elimination::column_counts(matrix, &parents);
        counts.iter().map(|&count| u64::from(count)).sum::<u64>()
    };
    // By minimum degree 7.7 million.
    let (matrix, _) = analysed(&graph, true);
    assert!(entries(&matrix) < 6_500_000, "{}", entries(&matrix));
    // Where dissection cannot come near the limit nobody waits for it.
    let limits = super::FactorLimits { work: Some(1_000_000), ..Default::default() };
    let refused = Factor::within(&Laplacian::new(&graph, None), &limits, None);
    assert!(matches!(refused, Err(SolveError::Work { .. })));
}

fn analysed(graph: &Graph, supernodes: bool) -> (Matrix<'_>, Layout) {
    let laplacian = Laplacian::new(graph, None);
    let vertices = super::free_vertices(&laplacian);
    let mut matrix = Matrix::new(graph, laplacian.diagonal(), vertices);
    let layout = analyse(
        &mut matrix,
        &super::FactorLimits { memory: Some(u64::MAX), ..Default::default() },
        None,
        Some(supernodes),
    )
    .unwrap();
    (matrix, layout)
}

fn numbers(matrix: &Matrix<'_>, layout: &Layout, stop: impl Fn() -> bool) -> Result<(), Ended> {
    match layout {
        Layout::Columns(parents, counts) => Columns::new(matrix, parents, counts, stop).map(drop),
        Layout::Supernodes(nodes, stacks) => {
            numeric::factor(matrix, nodes, stacks, Isa::best(), stop).map(drop)
        }
    }
}

#[test]
fn work_stops_when_it_is_told_to() {
    let graph = made("grid:18x18x18", Weights::Unit);
    for supernodes in [false, true] {
        let (matrix, layout) = analysed(&graph, supernodes);
        let looks = Cell::new(0);
        let stop_after = |most: usize| {
            let looks = &looks;
            looks.set(0);
            move || {
                looks.set(looks.get() + 1);
                looks.get() > most
            }
        };
        assert_eq!(numbers(&matrix, &layout, stop_after(usize::MAX)), Ok(()));
        let all = looks.get();
        assert!(all > 1, "{all}");
        assert_eq!(numbers(&matrix, &layout, stop_after(1)), Err(Ended::Stopped));
        assert_eq!(looks.get(), 2);
    }
    let entries = graph.all_neighbours().len();
    let fill = |row: usize, list: &mut Vec<i32>| {
        list.extend(graph.neighbours(row as u32).iter().map(|&u| u as i32));
    };
    assert!(minimum_degree::order(Rows::plain(graph.len(), entries), fill, || true).is_none());
    let cancel = Cancel::new();
    cancel.raise();
    assert!(Factor::new(&Laplacian::new(&graph, None), None, Some(&cancel)).is_err());
}

#[test]
fn a_pivot_that_is_no_number_is_named() {
    let graph = made("grid:9x9", Weights::Unit);
    for supernodes in [false, true] {
        let (mut matrix, layout) = analysed(&graph, supernodes);
        for scale in [f64::NAN, f64::INFINITY] {
            matrix.scales[30] = scale;
            match numbers(&matrix, &layout, || false) {
                Err(Ended::Pivot { place }) => assert!(place >= 30, "{place}"),
                other => panic!("{other:?}"),
            }
        }
    }
}
