//! What many ways to cut a net cost, counted at once.
//!
//! **Problem.** A net and several pairs of sides; out comes the weight of the edges that each
//! pair cuts.
//!
//! **Method.** A bit per try for each vertex. Two ends of an edge differ in the bits of the
//! tries that cut it, in most edges in none: one pass over the edges does for all tries.
//!
//! **Cost.** Linear in the size of the net; 4 bytes per vertex.
//!
//! **Determinism.** Whole numbers: the same on any number of threads.

use super::net::Net;
use super::split::Sides;
use rayon::prelude::*;

/// As many tries can be counted together.
pub(super) const MOST_TRIES: usize = 32;

/// Vertices that a thread looks at in one go.
const STRETCH: usize = 1 << 13;

/// The weight of cut edges, by try.
pub(super) fn cut_weights(net: &Net, tries: &[Sides]) -> Vec<u64> {
    assert!(tries.len() <= MOST_TRIES, "a bit per try");
    if let [only] = tries {
        return vec![net.cut(&only.numbers())];
    }
    let bits_of = |v: u32| {
        let bit = |(i, sides): (usize, &Sides)| u32::from(sides.is_second(v)) << i;
        tries.iter().enumerate().map(bit).sum::<u32>()
    };
    let bits: Vec<u32> =
        (0..net.len() as u32).into_par_iter().with_min_len(STRETCH).map(bits_of).collect();
    let stretch = |first: usize| {
        let mut weights = [0u64; MOST_TRIES];
        for v in first..(first + STRETCH).min(net.len()) {
            let own = bits[v];
            for &(w, weight) in net.row(v as u32) {
                let mut cut = own ^ bits[w as usize];
                while cut != 0 {
                    weights[cut.trailing_zeros() as usize] += u64::from(weight);
                    cut &= cut - 1;
                }
            }
        }
        weights
    };
    let starts: Vec<usize> = (0..net.len()).step_by(STRETCH).collect();
    let sum = starts
        .into_par_iter()
        .map(stretch)
        .reduce(|| [0; MOST_TRIES], |a, b| std::array::from_fn(|i| a[i] + b[i]));
    // Every edge is in two rows.
    sum[..tries.len()].iter().map(|twice| twice / 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::split::{Split, float_rank};
    use crate::shapes::generate;
    use palmette_core::random::{Purpose, Random};

    #[test]
    fn all_at_once_is_one_by_one() {
        let mesh = generate("triangles:120x130".parse().unwrap(), 1).unwrap();
        let graph = crate::element::node_graph(&mesh);
        let net = Net::new(&graph, mesh.points(), None);
        let mut random = Random::new(3, Purpose::Samples);
        let half = net.len() as i64 / 2;
        for tries in [1, 2, 31, MOST_TRIES] {
            let sides: Vec<Sides> = (0..tries)
                .map(|_| {
                    let [a, b] = [random.normal(), random.normal()];
                    let key = |p: &[f64; 3]| float_rank(a * p[0] + b * p[1]);
                    let keys: Vec<i64> = net.points.iter().map(key).collect();
                    Split::new(&net.weights, half, [1; 2]).sides(&keys)
                })
                .collect();
            let expected: Vec<u64> = sides.iter().map(|s| net.cut(&s.numbers())).collect();
            assert_eq!(cut_weights(&net, &sides), expected);
        }
    }
}
