//! Products along paths, with operators that do not commute and have no inverses.

use super::*;

const PRIME: u64 = 1_000_000_007;

/// Affine maps x ↦ ax + b modulo a prime, the left one applied first. A map with
/// a = 0 has no inverse.
#[derive(Clone, Copy)]
pub(super) struct Affine;
impl Monoid for Affine {
    type Elem = (u64, u64);
    fn identity(&self) -> (u64, u64) {
        (1, 0)
    }
    fn combine(&self, (a, b): (u64, u64), (c, d): (u64, u64)) -> (u64, u64) {
        (a * c % PRIME, (b * c + d) % PRIME)
    }
}

/// 2×2 matrices modulo 2^64.
#[derive(Clone, Copy)]
struct Matrices;
impl Monoid for Matrices {
    type Elem = [u64; 4];
    fn identity(&self) -> [u64; 4] {
        [1, 0, 0, 1]
    }
    fn combine(&self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        let dot = |i: usize, j: usize| {
            a[2 * i].wrapping_mul(b[j]).wrapping_add(a[2 * i + 1].wrapping_mul(b[2 + j]))
        };
        [dot(0, 0), dot(0, 1), dot(1, 0), dot(1, 1)]
    }
}

fn check_products<M: Monoid + Copy>(tree: &Tree, values: &[M::Elem], op: M, pairs: &[(u32, u32)])
where
    M::Elem: PartialEq + std::fmt::Debug,
{
    let fold = |walk: &[u32]| {
        walk.iter().fold(op.identity(), |product, &i| op.combine(product, values[i as usize]))
    };
    let heavy = HeavyPaths::new(tree);
    let vertices = PathAggregate::new(&heavy, values, op).unwrap();
    let edges = PathAggregate::on_edges(&heavy, values, op).unwrap();
    let (mut by_vertices, mut by_edges) = (Vec::new(), Vec::new());
    for &(u, v) in pairs {
        let walk = naive_walk(tree, u, v);
        by_vertices.push(walk.as_ref().map(|(walk, _)| fold(walk)));
        by_edges.push(walk.map(|(mut walk, lca)| {
            walk.remove(lca);
            fold(&walk)
        }));
        assert_eq!(vertices.product(u, v), *by_vertices.last().unwrap());
        assert_eq!(edges.product(u, v), *by_edges.last().unwrap());
    }
    assert_eq!(vertices.batch(pairs), by_vertices);
    assert_eq!(edges.batch(pairs), by_edges);
}

fn affine_values(n: usize, random: &mut Random) -> Vec<(u64, u64)> {
    let mut value = || {
        let a = if random.below(20) == 0 { 0 } else { random.below(PRIME) };
        (a, random.below(PRIME))
    };
    (0..n).map(|_| value()).collect()
}

#[test]
fn products_agree_with_walking() {
    for_every_shape(|tree, random| {
        let pairs = pairs_of(tree, random);
        check_products(tree, &affine_values(tree.len(), random), Affine, &pairs);
        let matrices: Vec<[u64; 4]> =
            (0..tree.len()).map(|_| [(); 4].map(|()| random.below(1 << 60))).collect();
        check_products(tree, &matrices, Matrices, &pairs);
    });
}

#[test]
fn products_on_every_range_of_long_paths() {
    // Lengths around multiples of the block size and odd numbers of blocks.
    for n in [15, 16, 17, 31, 33, 48, 80, 112, 127, 160, 179] {
        let tree = &shapes(n, 3)[2];
        let values = affine_values(tree.len(), &mut Random(u64::from(n)));
        let pairs: Vec<_> = (0..n).flat_map(|u| (0..n).map(move |v| (u, v))).collect();
        check_products(tree, &values, Affine, &pairs);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn products_of_any_forest(tree in any_forest(), seed: u64) {
        let mut random = Random(seed);
        let pairs = pairs_of(&tree, &mut random);
        check_products(&tree, &affine_values(tree.len(), &mut random), Affine, &pairs);
    }
}
