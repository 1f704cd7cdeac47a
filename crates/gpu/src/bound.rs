//! What the errors of sums of f32 on a device do not exceed.
//!
//! **Problem.** Input: a tree, a float at every position, the engine's kind. Output: for every
//! sum a number that its error does not exceed on any conforming device.
//!
//! **Method.** WGSL rounds an addition to either neighbour, so that its relative error is below
//! u = 2^-23, and may take numbers below 2^-126 for zero. A sum of m values in any brackets has
//! at most m − 1 additions above each value, and 2m − 1 numbers that may vanish; with A the sum
//! of magnitudes its error is at most γ(m − 1) A + 4 m 2^-126, where γ(k) = k u / (1 − k u) is
//! taken for k u ≤ 1/2 and infinite beyond. That bounds levels and contraction.
//!
//! In the scan a value passes through at most 23 additions for each of its levels (7 along a
//! thread and 8 over a workgroup, once for the tile and once behind it, less what overlaps);
//! A is then everything before the place on the tour, opened and closed, and for a leaffix both
//! ends count, with one more addition.
//!
//! **Cost.** A sweep on the host, in f64.
//!
//! **Reference.** WGSL, *Floating point evaluation*; Higham, *Accuracy and Stability of Numerical
//! Algorithms*, section 4.2.

use crate::scan;
use palmette_core::Tree;
use palmette_core::operator::Sum;
use palmette_tree::{Direction, EulerTour, Scope};

/// Half of the numbers' distance would be rounding to nearest, which WGSL does not ask for.
const UNIT: f64 = f32::EPSILON as f64;

/// Additions that a value passes through in a level of the scan.
const STEPS: f64 = 23.0;

/// More than what sums of up to 2^31 magnitudes in f64 are short of.
const UP: f64 = 1.0 + 4.0 / (1 << 20) as f64;

/// Bounds on sums in any brackets, by position: those of `levels` and `contract`.
///
/// # Panics
/// When there is not a value for every position.
pub fn in_any_brackets(
    tree: &Tree,
    direction: Direction,
    values: &[f32],
    scope: Scope,
) -> Vec<f64> {
    let treefix = |x: Vec<f64>| {
        let mut sums = vec![0.0; x.len()];
        let pass = match direction {
            Direction::Rootfix => palmette_tree::rootfix::sequential,
            Direction::Leaffix => palmette_tree::leaffix::sequential,
        };
        pass(tree, &x, &Sum::<f64>::new(), scope, &mut sums);
        sums
    };
    let magnitudes = treefix(values.iter().map(|x| f64::from(x.abs())).collect());
    let counts = treefix(vec![1.0; values.len()]);
    magnitudes.into_iter().zip(counts).map(|(a, m)| bound(a, m - 1.0, m)).collect()
}

/// Bounds on sums by the scan over the Euler tour, by position: those of `euler`.
///
/// # Panics
/// When there is not a value for every position.
pub fn by_scan(tree: &Tree, direction: Direction, values: &[f32], scope: Scope) -> Vec<f64> {
    let tour = EulerTour::new(tree);
    let (open, close) = tour.arrays();
    let mut before = vec![0.0; 2 * values.len() + 1];
    for (i, x) in values.iter().enumerate() {
        let size = f64::from(x.abs());
        before[open[i] as usize + 1] = size;
        if direction == Direction::Rootfix {
            before[close[i] as usize + 1] = size;
        }
    }
    let mut sum = 0.0;
    for entry in &mut before {
        sum += *entry;
        *entry = sum;
    }
    let (mut levels, mut entries) = (1.0, 2 * values.len());
    while entries > scan::tile(size_of::<f32>()) {
        entries = entries.div_ceil(scan::tile(size_of::<f32>()));
        levels += 1.0;
    }
    let inclusive = usize::from(scope == Scope::Inclusive);
    let terms = 4.0 * values.len() as f64;
    let one = |i: usize| {
        let (opened, closed) = (open[i] as usize, close[i] as usize);
        match direction {
            Direction::Rootfix => bound(before[opened + inclusive], STEPS * levels, terms),
            Direction::Leaffix => {
                let magnitude = before[opened + 1 - inclusive] + before[closed];
                bound(magnitude, STEPS * levels + 1.0, terms)
            }
        }
    };
    (0..values.len()).map(one).collect()
}

/// The bound on a sum with these magnitudes, additions above a value, and terms.
fn bound(magnitude: f64, additions: f64, terms: f64) -> f64 {
    if magnitude == 0.0 {
        return 0.0;
    }
    let share = additions.max(0.0) * UNIT;
    let relative = if share <= 0.5 { share / (1.0 - share) } else { f64::INFINITY };
    let error = (relative * magnitude + 4.0 * terms * f64::from(f32::MIN_POSITIVE)) * UP;
    if (magnitude + error) * UP < f64::from(f32::MAX) { error } else { f64::INFINITY }
}
