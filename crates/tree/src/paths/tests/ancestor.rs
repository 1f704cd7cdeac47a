//! Heavy paths, ancestors, LCAs of pairs and sets.

use super::*;

fn check_heavy(tree: &Tree) {
    let heavy = HeavyPaths::new(tree);
    let n = tree.len() as u32;
    assert_eq!((heavy.len(), heavy.is_empty()), (tree.len(), tree.is_empty()));
    assert_eq!((heavy.count(), heavy.paths().len()), (tree.leaves(), tree.leaves()));
    assert_eq!(heavy.paths().flatten().copied().collect::<Vec<_>>(), heavy.order());
    let mut seen = vec![false; tree.len()];
    for (number, path) in heavy.paths().enumerate() {
        for (k, &i) in path.iter().enumerate() {
            assert!(!std::mem::replace(&mut seen[i as usize], true));
            assert_eq!(heavy.path_of(i), number as u32);
            assert_eq!(heavy.head(i), path[0]);
            assert_eq!(heavy.rank(i), heavy.rank(path[0]) + k as u32);
            assert_eq!(heavy.heavy_child(i), path.get(k + 1).copied());
        }
    }
    assert!(seen.iter().all(|&s| s));
    for i in 0..n {
        let sizes = tree.sizes();
        let first_largest = tree
            .children(i)
            .reduce(|best, c| if sizes[c as usize] > sizes[best as usize] { c } else { best });
        assert_eq!(heavy.heavy_child(i), first_largest);
        assert_eq!(heavy.depth(i) as usize, ancestors(tree, i).len() - 1);
        let mut crossed: Vec<u32> = ancestors(tree, i).iter().map(|&a| heavy.path_of(a)).collect();
        crossed.dedup();
        assert!(crossed.len() <= n.ilog2() as usize + 1);
    }
}

#[test]
fn heavy_paths_partition_every_shape() {
    for_every_shape(|tree, _| check_heavy(tree));
}

#[test]
fn ancestors_agree_with_walking_up() {
    for_every_shape(|tree, _| {
        let heavy = HeavyPaths::new(tree);
        let mut pairs = Vec::new();
        for i in 0..tree.len() as u32 {
            let above = ancestors(tree, i);
            for k in 0..above.len() + 2 {
                assert_eq!(heavy.kth_ancestor(i, k as u32), above.get(k).copied());
                pairs.push((i, k as u32));
            }
            assert_eq!(heavy.kth_ancestor(i, u32::MAX), None);
        }
        let one_by_one: Vec<_> = pairs.iter().map(|&(i, k)| heavy.kth_ancestor(i, k)).collect();
        assert_eq!(heavy.ancestor_batch(&pairs), one_by_one);
    });
}

#[test]
fn lca_and_distance_agree_with_walking_up() {
    for_every_shape(|tree, random| {
        let heavy = HeavyPaths::new(tree);
        let pairs = pairs_of(tree, random);
        for &(u, v) in &pairs {
            assert_eq!(heavy.lca(u, v), naive_lca(tree, u, v));
            let edges = naive_walk(tree, u, v).map(|(walk, _)| walk.len() as u32 - 1);
            assert_eq!(heavy.distance(u, v), edges);
        }
    });
}

#[test]
fn lca_of_set_agrees_with_folding_pairs() {
    for_every_shape(|tree, random| {
        let heavy = HeavyPaths::new(tree);
        for size in 0..tree.len().min(12) as u64 {
            let set: Vec<u32> = (0..size).map(|_| random.below(tree.len() as u64) as u32).collect();
            let (mut rest, mut fold) = (set.iter().copied(), None);
            if let Some(first) = rest.next() {
                fold = rest.try_fold(first, |lca, i| naive_lca(tree, lca, i));
            }
            assert_eq!(lca_of_set(tree, set.iter().copied()), fold);
            assert_eq!(heavy.lca_of_set(set), fold);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn heavy_paths_of_any_forest(tree in any_forest()) {
        check_heavy(&tree);
    }
}
