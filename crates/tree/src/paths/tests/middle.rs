//! Centroids and longest paths.

use super::*;

/// The pieces that are left of a component without one of its vertices.
fn pieces_without(tree: &Tree, members: &[u32], removed: u32) -> Vec<Vec<u32>> {
    let mut pieces: Vec<Vec<u32>> = Vec::new();
    let mut piece_of = std::collections::HashMap::new();
    // Members come in preorder, so that a parent is placed before its children.
    for &i in members.iter().filter(|&&i| i != removed) {
        let above = tree.parent(i).and_then(|p| piece_of.get(&p).copied());
        let piece = above.unwrap_or_else(|| {
            pieces.push(Vec::new());
            pieces.len() - 1
        });
        piece_of.insert(i, piece);
        pieces[piece].push(i);
    }
    pieces
}

fn naive_centroids(tree: &Tree, members: &[u32]) -> Vec<u32> {
    let balanced = |&c: &u32| {
        pieces_without(tree, members, c).iter().all(|piece| piece.len() <= members.len() / 2)
    };
    members.iter().copied().filter(balanced).collect()
}

#[test]
fn centroids_halve_their_components() {
    for_every_shape(|tree, _| {
        let found = centroids(tree);
        assert_eq!(found.len(), tree.roots());
        for (root, c) in tree.root_positions().zip(found) {
            let members: Vec<u32> = (root..tree.end(root)).collect();
            let both: Vec<u32> = std::iter::once(c.first).chain(c.second).collect();
            assert_eq!(both, naive_centroids(tree, &members));
        }
    });
}

#[test]
fn decomposition_removes_a_centroid_of_every_piece() {
    for_every_shape(|tree, _| {
        let decomposition = centroid_decomposition(tree);
        let mut pieces: Vec<(Vec<u32>, u32)> =
            tree.root_positions().map(|r| ((r..tree.end(r)).collect(), NONE)).collect();
        let mut seen = 0;
        while let Some((members, outer)) = pieces.pop() {
            let centroid = naive_centroids(tree, &members)[0];
            assert_eq!(decomposition[centroid as usize], outer);
            seen += 1;
            let left = pieces_without(tree, &members, centroid);
            pieces.extend(left.into_iter().map(|piece| (piece, centroid)));
        }
        assert_eq!(seen, tree.len());
    });
}

/// The longest path by trying all pairs, the first one on ties. The walk from an
/// earlier position to a later one ends with the edge above the later one.
fn naive_diameter(tree: &Tree, root: u32, lengths: &[f64]) -> LongestPath<f64> {
    let mut best = LongestPath { ends: (root, root), length: 0.0 };
    let mut distance = vec![vec![0.0; tree.len()]; tree.len()];
    for v in root + 1..tree.end(root) {
        let (above, at) = (tree.parent(v).unwrap() as usize, v as usize);
        for u in root..v {
            let length = distance[u as usize][above] + lengths[at];
            (distance[u as usize][at], distance[at][u as usize]) = (length, length);
        }
    }
    for u in root..tree.end(root) {
        for v in u..tree.end(root) {
            if distance[u as usize][v as usize] > best.length {
                best = LongestPath { ends: (u, v), length: distance[u as usize][v as usize] };
            }
        }
    }
    best
}

#[test]
fn diameters_agree_with_all_pairs() {
    for_every_shape(|tree, random| {
        let ones = vec![1.0; tree.len()];
        // Small integers are exact, tie often and are sometimes 0.
        let lengths: Vec<f64> = (0..tree.len()).map(|_| random.below(4) as f64).collect();
        let by = |lengths: &[f64]| -> Vec<_> {
            tree.root_positions().map(|r| naive_diameter(tree, r, lengths)).collect()
        };
        let edges: Vec<_> = diameters(tree)
            .into_iter()
            .map(|d| LongestPath { ends: d.ends, length: f64::from(d.length) })
            .collect();
        assert_eq!(edges, by(&ones));
        let weighted = diameters_weighted(tree, &lengths).unwrap();
        assert_eq!(weighted, by(&lengths));
        let longest = weighted.iter().map(|d| d.length).fold(0.0, f64::max);
        let first = weighted.iter().copied().find(|d| d.length == longest);
        assert_eq!(diameter_weighted(tree, &lengths).unwrap(), first);
        let most = diameters(tree).iter().map(|d| d.length).max();
        assert_eq!(diameter(tree).map(|d| d.length), most);
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn decomposition_is_logarithmic(tree in any_forest()) {
        let decomposition = forest(&centroid_decomposition(&tree), SiblingOrder::AsGiven);
        let height = decomposition.depths().into_iter().max().unwrap_or(0);
        prop_assert!(height <= tree.len().max(1).ilog2());
        prop_assert_eq!(decomposition.roots(), tree.roots());
    }

    #[test]
    fn no_vertex_is_farther_than_the_diameter(tree in any_forest()) {
        let heavy = HeavyPaths::new(&tree);
        for path in diameters(&tree) {
            let (a, b) = path.ends;
            prop_assert_eq!(heavy.distance(a, b), Some(path.length));
            // In a tree the end of a longest path is farthest from its other end.
            let far = (0..tree.len() as u32).filter_map(|v| heavy.distance(a, v)).max();
            prop_assert_eq!(far, Some(path.length));
        }
    }
}
