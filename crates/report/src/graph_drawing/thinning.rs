//! Chooses which edges to draw when there are too many: an even random sample.

use palmette_core::random::{Purpose, Random};

/// How many of each list are drawn when `most` are drawn in all: later lists come first.
pub(crate) fn shares(counts: [usize; 3], most: usize) -> [usize; 3] {
    let mut left = most;
    let mut shares = [0; 3];
    for (share, count) in shares.iter_mut().zip(counts).rev() {
        *share = count.min(left);
        left -= *share;
    }
    shares
}

/// `most` of the list, all subsets of that size alike, in the order of the list.
///
/// Not every k-th one: edges of a mesh come in patterns, and a step could meet those of one
/// direction only. Each one is taken with the chance that as many as are still wanted are
/// found in what is left (Knuth, *Seminumerical Algorithms*, Algorithm S).
pub(crate) fn sample<T: Copy>(list: &[T], most: usize) -> Vec<T> {
    if most >= list.len() {
        return list.to_vec();
    }
    let mut random = Random::new(0, Purpose::Samples);
    let mut found = Vec::with_capacity(most);
    for (i, &item) in list.iter().enumerate() {
        let left = (list.len() - i) as u64;
        if random.below_wide(left) < (most - found.len()) as u64 {
            found.push(item);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recovered_edges_are_thinned_last() {
        assert_eq!(shares([5, 3, 2], 20), [5, 3, 2]);
        assert_eq!(shares([5, 3, 2], 6), [1, 3, 2]);
        assert_eq!(shares([5, 3, 2], 4), [0, 2, 2]);
        assert_eq!(shares([5, 3, 2], 1), [0, 0, 1]);
    }

    #[test]
    fn samples_are_exact_and_even() {
        let list: Vec<u32> = (0..100_000).collect();
        for most in [0, 1, 777, 99_999, 100_000, 200_000] {
            let found = sample(&list, most);
            assert_eq!(found.len(), most.min(list.len()));
            assert!(found.windows(2).all(|w| w[0] < w[1]));
        }
        let found = sample(&list, 10_000);
        let odd = found.iter().filter(|&&i| i % 2 == 1).count();
        let early = found.iter().filter(|&&i| i < 50_000).count();
        // Ten standard deviations of a fair coin.
        assert!(odd.abs_diff(5_000) < 500 && early.abs_diff(5_000) < 500, "{odd} {early}");
    }
}
