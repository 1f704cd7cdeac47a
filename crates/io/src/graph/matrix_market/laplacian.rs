//! The diagonal of a Laplacian.
//!
//! **Problem.** A matrix `L + D`, whose entries off the diagonal are the negatives of
//! weights, to the conductances `D` to ground: what the diagonal has in excess of the
//! weights in its row.
//! **Method.** The program that added up the diagonal rounded, so an excess of a few units in the
//! last place per entry of its row counts as none; differences themselves are compensated
//! sums, which add no rounding of ours. More than that is a conductance, however small. A
//! diagonal that is too small by more than that, but by at most `FEW_DIGITS` of itself,
//! shows that numbers were written with fewer digits than they had: then what exceeds by
//! about as much as that is rounding, too. [`Rounding`] says what was taken for it.

use crate::graph::Rounding;
use palmette_core::Graph;

/// Units in the last place of the diagonal that each addition may have rounded away.
const ULPS: f64 = 4.0;

/// By what part of itself a diagonal entry may be too small: numbers have six digits.
const FEW_DIGITS: f64 = 1e-6;

/// How many times further up than down rounding may have gone, at the worst of few rows.
const UP_TO_DOWN: f64 = 4.0;

/// What the diagonal says.
#[derive(Debug, PartialEq)]
pub(crate) struct Diagonal {
    /// By row, its conductance to ground; nothing where no row has one.
    pub(crate) ground: Option<Vec<f64>>,
    /// Entries that were added to an earlier one.
    pub(crate) repeated: usize,
    pub(crate) rounding: Option<Rounding>,
}

/// Reads the diagonal of a matrix whose triangles differ by at most so much of their entries.
/// An error is the row (from 0) in which it is too small or infinite.
pub(crate) fn diagonal(
    graph: &Graph,
    entries: &[(u32, f64)],
    asymmetry: f64,
) -> Result<Diagonal, u32> {
    let mut diagonal = vec![0.0; graph.len()];
    let mut counts = vec![0u32; graph.len()];
    for &(row, value) in entries {
        diagonal[row as usize] += value;
        counts[row as usize] += 1;
    }
    let repeated = entries.len() - counts.iter().filter(|count| **count > 0).count();
    // What the additions of a row may have rounded, and the other triangle may have had, as a
    // part of its diagonal.
    let own = |row: usize| {
        let additions = graph.weights(row as u32).len() + counts[row] as usize;
        ULPS * f64::EPSILON * additions as f64 + asymmetry
    };
    let mut excess = vec![0.0; graph.len()];
    let mut too_small = 0f64;
    for (row, place) in excess.iter_mut().enumerate() {
        let whole = diagonal[row];
        let more = less_all(whole, graph.weights(row as u32));
        let enough = whole.is_finite() && whole >= 0.0 && more >= -FEW_DIGITS * whole;
        if !enough {
            return Err(row as u32);
        }
        if more < -own(row) * whole {
            too_small = too_small.max(-more / whole);
        }
        *place = more;
    }
    let few_digits = too_small > 0.0;
    let mut rounding = Rounding { rows: 0, largest: 0.0, few_digits };
    for (row, place) in excess.iter_mut().enumerate() {
        let part = own(row).max((UP_TO_DOWN * too_small).min(FEW_DIGITS));
        if *place <= part * diagonal[row] {
            if *place != 0.0 {
                rounding.rows += 1;
                rounding.largest = rounding.largest.max(place.abs() / diagonal[row]);
            }
            *place = 0.0;
        }
    }
    let any = excess.iter().any(|conductance| *conductance > 0.0);
    let rounding = (rounding.rows > 0).then_some(rounding);
    Ok(Diagonal { ground: any.then_some(excess), repeated, rounding })
}

/// A number less all weights, rounded once: what each subtraction loses is added up beside.
fn less_all(whole: f64, weights: &[f64]) -> f64 {
    let (mut sum, mut lost) = (whole, 0.0);
    for &weight in weights {
        let next = sum - weight;
        lost += match sum.abs() >= weight {
            true => (sum - next) - weight,
            false => sum - (next + weight),
        };
        sum = next;
    }
    if lost.is_finite() { sum + lost } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The diagonal of a star with this weight in its middle and on its edges.
    fn star(middle: f64, weights: &[f64]) -> Result<Diagonal, u32> {
        let edges: Vec<_> = (1..).zip(weights).map(|(v, &w)| (0, v, w)).collect();
        let graph = Graph::from_edges(weights.len() + 1, &edges).expect("a star");
        let outside = (1..).zip(weights).map(|(v, &w)| (v, w));
        let entries: Vec<(u32, f64)> = std::iter::once((0, middle)).chain(outside).collect();
        diagonal(&graph, &entries, 0.0)
    }

    #[test]
    fn a_weak_ground_is_one() {
        let found = star(1_000_000.5, &[1e6]).expect("dominant");
        assert_eq!((found.ground, found.rounding), (Some(vec![0.5, 0.0]), None));
        // Far below what a row of doubles with six digits could show.
        let found = star(3.0 + 1e-12, &[1.0, 2.0]).expect("dominant");
        let ground = found.ground.expect("a ground");
        assert!((ground[0] - 1e-12).abs() < 1e-15 && found.rounding.is_none(), "{ground:?}");
    }

    #[test]
    fn sums_in_any_order_are_no_ground() {
        let weights: Vec<f64> = (1..200).map(|v| 1.0 / f64::from(v)).collect();
        let forwards: f64 = weights.iter().sum();
        let backwards: f64 = weights.iter().rev().sum();
        assert_ne!(forwards, backwards);
        for middle in [forwards, backwards] {
            let found = star(middle, &weights).expect("dominant");
            assert_eq!(found.ground, None);
            if let Some(rounding) = found.rounding {
                assert_eq!((rounding.rows, rounding.few_digits), (1, false));
                assert!(rounding.largest < 1e-14, "{rounding:?}");
            }
        }
        let rounded = [forwards, backwards].map(|middle| star(middle, &weights));
        assert!(rounded.iter().flatten().any(|found| found.rounding.is_some()));
    }

    #[test]
    fn few_digits_round_both_ways() {
        // Row 0 has too little, so that what row 1 has too much of is rounding as well.
        let graph = Graph::from_edges(3, &[(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0)]).expect("it");
        let found = |rest: [f64; 2]| {
            diagonal(&graph, &[(0, 2.0 - 2e-8), (1, rest[0]), (2, rest[1])], 0.0).expect("dominant")
        };
        let all = found([2.0 + 6e-8, 2.0]);
        assert_eq!(all.ground, None);
        let rounding = all.rounding.expect("it was rounded");
        assert_eq!((rounding.rows, rounding.few_digits), (2, true));
        assert!((rounding.largest - 3e-8).abs() < 1e-12, "{rounding:?}");
        // Much more is a conductance.
        let ground = found([2.0 + 6e-8, 2.001]).ground.expect("a ground");
        assert_eq!((ground[0], ground[1]), (0.0, 0.0));
        assert!((ground[2] - 1e-3).abs() < 1e-12);
        assert_eq!(star(3.0 - 1e-5, &[1.0, 2.0]), Err(0));
    }
}
