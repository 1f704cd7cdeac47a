//! **Problem.** Nodes at exactly the same place, as the faces of a crack have them.
//!
//! **Method.** Nodes are put into as many boxes as there are nodes by a hash of their
//! coordinates; a box with several is sorted by these, so that equal ones are neighbours.
//!
//! **Cost.** Linear while coordinates differ, `n log n` at most; 24 bytes per node at most.
//!
//! **Determinism.** The answer does not depend on the hash.

use palmette_core::Lists;
use palmette_core::mesh::Point;
use rayon::prelude::*;

/// How many nodes lie at the place of an earlier one, as on the two faces of a crack.
///
/// ```
/// use palmette_io::coincident_nodes;
/// assert_eq!(coincident_nodes(&[[0.0; 3], [1.0; 3], [-0.0; 3], [0.0; 3]]), 2);
/// ```
pub fn coincident_nodes(points: &[Point]) -> usize {
    twins(points).len()
}

/// Every node that lies at the place of an earlier one, with the first node there; ascending.
pub(super) fn twins(points: &[Point]) -> Vec<(u32, u32)> {
    let boxes = points.len().next_power_of_two().max(2);
    let shift = 64 - boxes.trailing_zeros();
    let keys: Vec<u32> = points.par_iter().map(|p| (hash(bits(p)) >> shift) as u32).collect();
    let nodes = Lists::by_key(boxes, keys.iter().copied().zip(0..));
    let place = |i: u32| bits(&points[i as usize]);
    let (mut found, mut inside) = (Vec::new(), Vec::new());
    for of in (0..boxes as u32).map(|b| nodes.of(b)).filter(|of| of.len() > 1) {
        inside.clear();
        inside.extend_from_slice(of);
        // Nodes are in ascending order here, and stay so among equals.
        inside.sort_by_key(|&node| place(node));
        for equal in inside.chunk_by(|&a, &b| place(a) == place(b)) {
            found.extend(equal[1..].iter().map(|&node| (node, equal[0])));
        }
    }
    found.sort_unstable();
    found
}

/// Equal numbers have equal bits: -0 is 0.
fn bits(p: &Point) -> [u64; 3] {
    p.map(|x| (x + 0.0).to_bits())
}

/// The highest bits are the ones that depend on all others.
fn hash(bits: [u64; 3]) -> u64 {
    bits.iter().fold(0, |hash: u64, &x| {
        (hash ^ hash >> 32 ^ x ^ x >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

#[cfg(test)]
mod tests {
    use super::{bits, hash, twins};

    #[test]
    fn twins_are_found() {
        assert_eq!(twins(&[]), []);
        let p = |x: f64, z: f64| [x, 2.0, z];
        let points =
            [p(1.0, 0.0), p(3.0, 0.0), p(2.0, 0.0), p(3.0, -0.0), p(1.0, 0.0), p(1.0, 0.0)];
        assert_eq!(twins(&points), [(3, 1), (4, 0), (5, 0)]);
        assert_eq!(twins(&points[..3]), []);
        let same = vec![[1.5; 3]; 100_000];
        assert_eq!(twins(&same), (1..100_000).map(|node| (node, 0)).collect::<Vec<_>>());
    }

    /// Numbers with few bits, as of lattices, must not end in few boxes.
    #[test]
    fn lattices_are_spread() {
        let points: Vec<[f64; 3]> =
            (0..1 << 15).map(|i| [i % 32, i / 32 % 32, i >> 10].map(f64::from)).collect();
        assert_eq!(twins(&points), []);
        let mut boxes: Vec<u64> = points.iter().map(|p| hash(bits(p)) >> 49).collect();
        boxes.sort_unstable();
        let fullest = boxes.chunk_by(|a, b| a == b).map(<[u64]>::len).max();
        assert!(fullest < Some(64), "{fullest:?}");
    }
}
