//! Large trees of extreme shapes, and wrong input.

use super::product::Affine;
use super::*;

#[test]
fn wrong_input_is_named() {
    let tree = Tree::from_parents(&[NONE, 0]).unwrap();
    let heavy = HeavyPaths::new(&tree);
    let short = PathAggregate::new(&heavy, &[(1, 0)], Affine).err();
    assert_eq!(short, Some(PathError::Count { what: "values", expected: 2, actual: 1 }));
    let missing = diameter_weighted(&tree, &[0.0]).unwrap_err();
    assert_eq!(missing.to_string(), "lengths: 1 entries for 2 vertices");
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let error = diameter_weighted(&tree, &[0.0, bad]).unwrap_err();
        assert!(matches!(error, PathError::EdgeLength { position: 1, .. }));
        assert!(diameter_weighted(&tree, &[bad, 0.0]).is_ok(), "a root has no edge above it");
    }
}

#[test]
fn a_million_vertices_in_a_path_and_a_star() {
    let (n, begun) = (1_000_000u32, std::time::Instant::now());
    let path: Vec<u32> = (0..n).map(|i| i.wrapping_sub(1)).collect();
    let star: Vec<u32> = (0..n).map(|i| if i == 0 { NONE } else { 0 }).collect();
    for (parents, is_path) in [(path, true), (star, false)] {
        let tree = Tree::from_parents(&parents).unwrap();
        let heavy = HeavyPaths::new(&tree);
        let aggregate = PathAggregate::new(&heavy, &vec![(1, 1); n as usize], Affine).unwrap();
        let mut random = Random(1);
        let mut any = || 1 + random.below(u64::from(n) - 1) as u32;
        let pairs: Vec<(u32, u32)> = (0..100_000).map(|_| (any(), any())).collect();
        let products = aggregate.batch(&pairs);
        for (&(u, v), product) in pairs.iter().zip(products) {
            let lca = if is_path || u == v { u.min(v) } else { 0 };
            let edges = if is_path { u.abs_diff(v) } else { 2 * u32::from(u != v) };
            assert_eq!(heavy.lca(u, v), Some(lca));
            assert_eq!(heavy.distance(u, v), Some(edges));
            assert_eq!(product, Some((1, u64::from(edges) + 1)));
            assert_eq!(heavy.kth_ancestor(u, if is_path { u } else { 1 }), Some(0));
        }
        assert_eq!(lca_of_set(&tree, [n - 1, 1]), Some(u32::from(is_path)));
        assert_eq!(centroids(&tree)[0].first, if is_path { n / 2 - 1 } else { 0 });
        let ends = if is_path { (0, n - 1) } else { (1, 2) };
        assert_eq!(diameter(&tree).unwrap().ends, ends);
        let decomposition =
            HeavyPaths::new(&Tree::from_parents(&centroid_decomposition(&tree)).unwrap());
        let height = (0..n).map(|i| decomposition.depth(i)).max();
        assert_eq!(height, Some(if is_path { n.ilog2() } else { 1 }));
    }
    assert!(begun.elapsed().as_secs() < 30, "took {:?}", begun.elapsed());
}
