use super::*;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::{NONE, Tree, TreeParams};

/// Walks up from both vertices; shares nothing with the index.
fn walk(parents: &[u32], u: u32, v: u32) -> (u32, u32) {
    let path = |mut x: u32| {
        let mut path = vec![x];
        while parents[x as usize] != NONE {
            x = parents[x as usize];
            path.push(x);
        }
        path
    };
    let (a, b) = (path(u), path(v));
    for (i, x) in a.iter().enumerate() {
        if let Some(j) = b.iter().position(|y| y == x) {
            return (*x, (i + j) as u32);
        }
    }
    (NONE, NONE)
}

fn check(parents: &[u32], pairs: &[(u32, u32)]) {
    let forest = TreeParams { forest: true, ..Default::default() };
    let tree = Tree::with_params(parents, forest).unwrap();
    let by_vertex = Lca::by_vertex(&tree);
    let by_position = Lca::new(&tree);
    let expected: Vec<(u32, u32)> = pairs.iter().map(|&(u, v)| walk(parents, u, v)).collect();
    let (lca, hops): (Vec<u32>, Vec<u32>) = expected.into_iter().unzip();
    assert_eq!(by_vertex.batch(pairs), lca);
    assert_eq!(by_vertex.edge_distances(pairs), hops);
    let position = |v: u32| tree.positions().get(v as usize).copied().unwrap_or(NONE);
    let moved: Vec<(u32, u32)> = pairs.iter().map(|&(u, v)| (position(u), position(v))).collect();
    let there: Vec<u32> = lca.iter().map(|&l| position(l)).collect();
    assert_eq!(by_position.batch(&moved), there);
    for (&(u, v), &l) in pairs.iter().zip(&lca) {
        assert_eq!(by_vertex.query(u, v), (l != NONE).then_some(l));
    }
    let depths: Vec<f64> = (0..tree.len() as u32).map(|v| f64::from(by_vertex.depth(v))).collect();
    let lengths = Distances::new(&by_vertex, &depths).unwrap().batch(pairs);
    for (length, hops) in lengths.into_iter().zip(hops) {
        assert!(if hops == NONE { length.is_nan() } else { length == f64::from(hops) });
    }
}

#[test]
fn all_pairs_of_small_trees_and_forests() {
    for n in 1..40 {
        let pairs: Vec<(u32, u32)> =
            (0..n as u32 * n as u32).map(|k| (k / n as u32, k % n as u32)).collect();
        for shape in Shape::FREE {
            let mut parents = shuffle(&generate(shape, n, 3).unwrap(), n as u64);
            check(&parents, &pairs);
            parents[n / 2] = NONE;
            check(&parents, &pairs);
        }
    }
}

#[test]
fn random_pairs_of_larger_trees() {
    for n in [1000usize, 70_000, 200_000] {
        for shape in [Shape::Random, Shape::Binary, Shape::Star, Shape::Preferential, Shape::Bst] {
            let parents = shuffle(&generate(shape, n, 5).unwrap(), 8);
            let pick = |k: u64| (k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as u32 % n as u32;
            let pairs: Vec<(u32, u32)> =
                (0..2000).map(|k| (pick(2 * k), pick(2 * k + 1))).collect();
            check(&parents, &pairs);
        }
    }
}

#[test]
fn nothing_to_ask() {
    let index = Lca::new(&Tree::from_parents(&[]).unwrap());
    assert!(index.is_empty() && index.batch(&[]).is_empty());
}
