//! Weights as whole numbers of one unit.
//!
//! **Problem.** Cuts are compared exactly, so weights must be whole numbers; those of a graph are
//! doubles.
//!
//! **Method.** A minimum cut has no edge above the least degree, so weights are lowered to twice the
//! least degree first. The unit is then the largest power of two of which all
//! weights are multiples, and whole weights are divided by their greatest common divisor. Where
//! sums would not fit 57 bits that way, the unit is the smallest power of two with which they do,
//! and weights are rounded to multiples of it, no weight to 0.
//!
//! **Cost.** Linear.

use palmette_core::Graph;

/// Sums of weights stay below two to this power.
const BITS: i32 = 57;

/// What the weights of a graph are in whole numbers.
pub(super) struct Units {
    /// By arc, its weight.
    pub(super) weights: Vec<u64>,
    /// How far the weight of an edge may be from what stands for it; 0 without rounding.
    pub(super) rounding: f64,
}

impl Units {
    /// `least` is the least degree, or infinite where all weights matter.
    pub(super) fn of(graph: &Graph, least: f64) -> Units {
        let lowered = || graph.all_weights().iter().map(|w| w.min(2.0 * least));
        let step = lowered().map(lowest_bit).min().unwrap_or(0);
        let total: f64 = lowered().sum();
        // One more for the rounding of the sum.
        let top = highest_bit(total) + 1;
        if top - step <= BITS {
            let whole = |w: f64| (w * power(-step / 2)) * power(-step - (-step / 2));
            let mut weights: Vec<u64> = lowered().map(|w| whole(w) as u64).collect();
            let divisor = weights.iter().fold(0, |a, &b| if a == 1 { 1 } else { gcd(a, b) });
            if divisor > 1 {
                weights.iter_mut().for_each(|w| *w /= divisor);
            }
            return Units { weights, rounding: 0.0 };
        }
        let step = top - BITS + 1;
        let half = -step / 2;
        let whole = |w: f64| (w * power(half)) * power(-step - half);
        let weights = lowered().map(|w| (whole(w).round() as u64).max(1)).collect();
        Units { weights, rounding: power(step / 2) * power(step - step / 2) }
    }
}

/// Two to a power; halves of any difference of exponents are in range.
fn power(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

fn split(w: f64) -> (u64, i32) {
    let bits = w.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    }
}

fn lowest_bit(w: f64) -> i32 {
    let (mantissa, exponent) = split(w);
    exponent + mantissa.trailing_zeros() as i32
}

fn highest_bit(w: f64) -> i32 {
    let (mantissa, exponent) = split(w);
    exponent + 63 - mantissa.leading_zeros() as i32
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(weights: [f64; 2]) -> (Vec<u64>, f64) {
        let graph = Graph::from_edges(3, &[(0, 1, weights[0]), (1, 2, weights[1])]).unwrap();
        let units = Units::of(&graph, f64::INFINITY);
        (vec![units.weights[0], units.weights[3]], units.rounding)
    }

    #[test]
    fn whole_and_binary_fractions_are_exact() {
        assert_eq!(units([6.0, 9.0]), (vec![2, 3], 0.0));
        assert_eq!(units([0.75, 0.5]), (vec![3, 2], 0.0));
        assert_eq!(units([1e300, 2e300]), (vec![1, 2], 0.0));
        assert_eq!(units([3e-300, 1.5e-300]), (vec![2, 1], 0.0));
        assert_eq!(units([1.0, (1u64 << 50) as f64]), (vec![1, 1 << 50], 0.0));
    }

    #[test]
    fn others_are_rounded_and_none_vanishes() {
        let (found, rounding) = units([1e-30, 1e30]);
        assert_eq!(found[0], 1);
        assert!(found[1] > 1 << 52 && rounding > 0.0 && rounding < 1e15);
        let (found, rounding) = units([0.1 + 1e-10, 1e4 / 3.0]);
        assert!((found[0] as f64 * rounding - 0.1 - 1e-10).abs() <= rounding);
    }
}
