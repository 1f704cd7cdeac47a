//! Random numbers whose stream never changes.
//!
//! **Method.** PCG-XSL-128/64 (MCG) from `rand_pcg`, whose values are part of that crate's
//! contract; the 128 bits of state come from the seed and the purpose by SplitMix64.
//! Bounded integers are Lemire's multiplication with rejection, hence exactly uniform.
//! Exponential variables are von Neumann's: comparisons and one addition, no logarithm,
//! so that a platform's mathematical library cannot change a bit of them.
//!
//! **Cost.** One draw an integer, nearly always; 4.3 draws an exponential on average.
//!
//! **Reference.** O'Neill, *PCG*, 2014; Lemire, *Fast random integer generation in an
//! interval*, 2019; von Neumann, *Various techniques used in connection with random
//! digits*, 1951.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

/// The default seed, in every library, on the command line and in Python.
pub const DEFAULT_SEED: u64 = 1;

/// What numbers are for: each purpose has a stream of its own under one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// The shape of a tree or graph.
    Shape = 1,
    /// A relabelling.
    Shuffle = 2,
    /// Lengths of branches.
    Lengths = 3,
    /// Weights of edges.
    Weights = 4,
    /// Vectors: right-hand sides, starts of iterations.
    Vectors = 5,
    /// Random elimination and other choices of a solver.
    Elimination = 6,
    /// Which pairs or vertices are looked at.
    Samples = 7,
    /// Choices of a partitioner.
    Partition = 8,
}

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// The stream of a seed for a purpose.
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        let mut state = seed ^ (purpose as u64).wrapping_mul(0xd1b5_4a32_d192_ed03);
        let high = split_mix(&mut state);
        let low = split_mix(&mut state);
        Random(Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)))
    }

    /// As [`Random::new`], one of many streams of the same purpose, by number.
    pub fn numbered(seed: u64, purpose: Purpose, number: u64) -> Self {
        let mut state = number;
        Random::new(seed ^ split_mix(&mut state), purpose)
    }

    /// Uniform in `0..bound`; `bound` is not 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        loop {
            let product = (self.0.next_u64() >> 32) * bound;
            let low = product & 0xffff_ffff;
            // 2^32 mod bound is below bound, so most draws never pay for the division.
            if low >= bound || low >= (1 << 32) % bound {
                return (product >> 32) as u32;
            }
        }
    }

    /// As [`Random::below`], for bounds of up to 64 bits.
    #[inline]
    pub fn below_wide(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// Uniform in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Exponential with mean 1.
    ///
    /// A falling run that starts at `x` has odd length with probability `e^-x`; each
    /// rejected run adds one to the whole part, which falls off as `e^-1`.
    pub fn exponential(&mut self) -> f64 {
        let mut whole = 0.0;
        loop {
            let first = self.unit();
            let mut last = first;
            let mut odd = true;
            loop {
                let next = self.unit();
                if next >= last {
                    break;
                }
                last = next;
                odd = !odd;
            }
            if odd {
                return whole + first;
            }
            whole += 1.0;
        }
    }

    /// Normal with mean 0 and variance 1, from two exponentials (von Neumann), hence also
    /// without a logarithm.
    pub fn normal(&mut self) -> f64 {
        loop {
            let x = self.exponential();
            if 2.0 * self.exponential() >= (x - 1.0) * (x - 1.0) {
                return if self.below(2) == 0 { x } else { -x };
            }
        }
    }

    /// Puts items into random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below_wide(i as u64 + 1) as usize);
        }
    }
}

/// Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(SPLIT_MIX_STEP);
    mixed(*state)
}

/// What the generator of [`mixed`] adds to its state for each number.
pub const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number whose bits all depend on all bits of `z`: how SplitMix64 turns its state into a number.
#[inline]
pub const fn mixed(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_fixed() {
        let mut random = Random::new(42, Purpose::Shape);
        let drawn: Vec<u32> = (0..4).map(|_| random.below(1000)).collect();
        assert_eq!(drawn, [77, 941, 893, 565]);
    }

    #[test]
    fn integers_are_uniform() {
        let mut random = Random::new(7, Purpose::Shuffle);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[random.below(6) as usize] += 1;
        }
        // The standard deviation is 91.
        assert!(seen.iter().all(|&s| s.abs_diff(10_000) < 450), "{seen:?}");
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn exponentials_have_the_right_tail() {
        let mut random = Random::new(3, Purpose::Lengths);
        let drawn: Vec<f64> = (0..100_000).map(|_| random.exponential()).collect();
        let mean = drawn.iter().sum::<f64>() / 1e5;
        let beyond_two = drawn.iter().filter(|&&x| x > 2.0).count() as f64 / 1e5;
        assert!((mean - 1.0).abs() < 0.02, "{mean}");
        assert!((beyond_two - (-2.0f64).exp()).abs() < 0.006, "{beyond_two}");
    }
}
