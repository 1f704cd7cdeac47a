//! **Problem.** Nodes at exactly the same place.
//!
//! **Method.** Nodes are sorted by a hash of their coordinates, then by these; equal ones
//! are neighbours then.
//!
//! **Cost.** `n log n`, on all threads; 16 bytes a node.
//!
//! **Determinism.** The answer does not depend on the hash.

use palmette_core::mesh::Point;
use rayon::prelude::*;

/// How many nodes lie at the place of an earlier one, and the first that does with the first
/// node at its place.
pub(super) fn coincident(points: &[Point]) -> (usize, Option<(u32, u32)>) {
    let mut keys: Vec<(u64, u32)> =
        points.par_iter().enumerate().map(|(i, p)| (hash(bits(p)), i as u32)).collect();
    let place = |i: u32| bits(&points[i as usize]);
    keys.par_sort_unstable_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| place(a.1).cmp(&place(b.1))).then(a.1.cmp(&b.1))
    });
    let (mut count, mut first_at, mut found) = (0, 0, None::<(u32, u32)>);
    for i in 1..keys.len() {
        if keys[i].0 != keys[i - 1].0 || place(keys[i].1) != place(keys[i - 1].1) {
            first_at = i;
            continue;
        }
        count += 1;
        if found.is_none_or(|pair| keys[i].1 < pair.1) {
            found = Some((keys[first_at].1, keys[i].1));
        }
    }
    (count, found)
}

/// Equal numbers have equal bits: -0 is 0.
fn bits(p: &Point) -> [u64; 3] {
    p.map(|x| (x + 0.0).to_bits())
}

fn hash(bits: [u64; 3]) -> u64 {
    bits.iter().fold(0, |hash: u64, &x| {
        (hash.rotate_left(23) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}

#[cfg(test)]
mod tests {
    use super::coincident;

    #[test]
    fn pairs_are_found() {
        assert_eq!(coincident(&[]), (0, None));
        let p = |x: f64, z: f64| [x, 2.0, z];
        let points =
            [p(1.0, 0.0), p(3.0, 0.0), p(2.0, 0.0), p(3.0, -0.0), p(1.0, 0.0), p(1.0, 0.0)];
        assert_eq!(coincident(&points), (3, Some((1, 3))));
        assert_eq!(coincident(&points[..3]), (0, None));
        let same = vec![[1.5; 3]; 100_000];
        assert_eq!(coincident(&same), (99_999, Some((0, 1))));
    }
}
