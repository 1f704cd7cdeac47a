//! Measures against their definitions, and against the answers of other programs.

use super::*;
use palmette_core::TreeParams;
use palmette_core::generate::{GenerateParams, Shape as Made, lengths};
use palmette_io::{ReadParams, TreeFile, read_tree_bytes};
use palmette_tree::lca::{Distances, Lca};
use std::path::{Path, PathBuf};

fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.exists() {
        eprintln!("skipped: {} is missing", path.display());
    }
    path.exists().then_some(path)
}

fn read(bytes: &[u8]) -> (TreeFile, Tree, Vec<f64>) {
    let params = ReadParams { lengths: true, ..ReadParams::default() };
    let file = read_tree_bytes("t.nwk", bytes, &params).unwrap();
    let tree = file.tree(TreeParams::default()).unwrap();
    let lengths = tree.to_positions(file.lengths.as_deref().unwrap()).unwrap();
    (file, tree, lengths)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

#[test]
fn measures_of_other_programs() {
    let Some(path) = shared("phylo/measures/tree60.nwk") else { return };
    let (_, tree, lengths) = read(&std::fs::read(path).unwrap());
    let shape = Shape::new(&tree, Some(&lengths));
    assert_eq!((shape.tips, shape.inner, shape.binary), (60, 59, true));
    assert_eq!((shape.sackin, shape.colless, shape.cherries), (460, Some(220), 22));
    assert!(near(shape.b1, 32.44243534243534));
    assert!(near(shape.sackin_mean(), 7.666666666666667));
    assert!(near(shape.colless_normalised().unwrap(), 0.12857977790765635));
    let found = shape.lengths.unwrap();
    assert!(near(found.total, 8.406458) && near(found.inner, 4.39347));
    assert!(near(found.treeness(), 0.5226303396745692));
    assert!(near(found.farthest, 1.294949) && near(found.nearest, 0.216173));
    assert!(near(found.mean, 0.5980582833333334));
    assert_eq!((found.ultrametric, found.gamma), (false, None));
}

#[test]
fn a_multifurcating_tree_has_no_colless() {
    let Some(path) = shared("trees/wol-10575.nwk") else { return };
    let (_, tree, lengths) = read(&std::fs::read(path).unwrap());
    let shape = Shape::new(&tree, Some(&lengths));
    assert_eq!((shape.tips, shape.inner, shape.sackin), (10575, 10028, 269714));
    assert_eq!((shape.binary, shape.colless, shape.cherries), (false, None, 2966));
    assert!(near(shape.b1, 5001.415017743413));
    assert!(near(shape.lengths.unwrap().total, 1226.3994629718));
}

#[test]
fn gamma_is_that_of_the_definition() {
    // Branchings at 0, 1 and 2, the present at 4: g = 1, 1, 2 for 2, 3 and 4 lineages.
    let (_, tree, lengths) = read(b"(((a:2,b:2):1,c:3):1,d:4);");
    let found = Shape::new(&tree, Some(&lengths)).lengths.unwrap();
    // T(2), T(3), T(4) = 2, 5, 13: ((2 + 5) / 2 − 13 / 2) / (13 √(1 / 24)).
    let expected = -3.0 / (13.0 * (1.0f64 / 24.0).sqrt());
    assert!(found.ultrametric && near(found.gamma.unwrap(), expected));
}

#[test]
fn lineages_of_other_programs() {
    let Some(path) = shared("phylo/measures/tree60.nwk") else { return };
    let Some(expected) = shared("phylo/measures/ltt.tsv") else { return };
    let (_, tree, lengths) = read(&std::fs::read(path).unwrap());
    let rows = lineages_through_time(&tree, &lengths);
    let text = std::fs::read_to_string(expected).unwrap();
    let expected: Vec<(f64, i64)> = text
        .lines()
        .skip(1)
        .map(|line| line.split_once('\t').unwrap())
        .map(|(d, k)| (d.parse().unwrap(), k.parse().unwrap()))
        .collect();
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(expected) {
        assert!((row.0 - expected.0).abs() < 1e-6 && row.1 == expected.1, "{row:?} {expected:?}");
    }
}

#[test]
fn no_tip_is_left_out_of_the_clock() {
    let Some(path) = shared("phylo/measures/tree60.nwk") else { return };
    let Some(dates) = shared("phylo/measures/dates.csv") else { return };
    let (file, tree, lengths) = read(&std::fs::read(path).unwrap());
    let distances = root_distances(&tree, &lengths);
    let dates = std::fs::read_to_string(dates).unwrap();
    let points: Vec<(f64, f64)> = dates
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(name, date)| {
            let vertex = file.vertex(name).unwrap();
            (date.parse().unwrap(), distances[tree.positions()[vertex as usize] as usize])
        })
        .collect();
    let line = Regression::new(&points).unwrap();
    assert!(near(line.slope, 0.015390998530094728) && near(line.intercept, -30.735398767222694));
    assert!(near(line.r_squared, 0.9255896493263104) && near(line.residual, 0.2820112211830811));
    assert!(near(line.root_date(), 1996.9723671355275));
}

#[test]
fn rows_are_what_pairs_are() {
    for (shape, seed) in [("phylogeny:300", 1), ("random:500", 2), ("path:200", 3), ("star:50", 4)]
    {
        let (shape, n) = Made::with_size(shape).unwrap();
        let params = GenerateParams { shape, n: Some(n), seed, shuffle: false };
        let parents = params.generate().unwrap();
        let tree = Tree::from_parents(&parents).unwrap();
        let depths = root_distances(&tree, &tree.to_positions(&lengths(&parents, seed)).unwrap());
        let index = Lca::new(&tree);
        let between = Distances::new(&index, &depths).unwrap();
        let mut chosen: Vec<u32> = (0..n as u32).filter(|i| i % 3 == 0).collect();
        for turn in 0..2 {
            let rows = TipDistances::new(&tree, &chosen, depths.clone());
            let mut row = vec![0.0; rows.len()];
            for (k, &i) in chosen.iter().enumerate() {
                rows.row(k, &mut row);
                let pairs: Vec<(u32, u32)> = chosen.iter().map(|&j| (i, j)).collect();
                assert_eq!(row, between.batch(&pairs), "turn {turn}");
            }
            chosen.reverse();
            chosen.swap(1, 5);
        }
    }
}
