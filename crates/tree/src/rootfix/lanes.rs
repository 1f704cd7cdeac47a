//! Products and scans of a row of elements, four stretches side by side.
//!
//! A plain scan waits for each combination before it can begin the next: four
//! cycles for a floating-point addition. Four stretches wait at the same time. The
//! stretches are quarters of the row, so the association depends on its length only.

use palmette_core::Monoid;
use std::ops::Range;

/// Below this length one stretch is enough.
const SHORT: usize = 64;

/// The product of `own(i)` over a range.
pub(super) fn product<M: Monoid>(
    op: &M,
    range: Range<usize>,
    own: impl Fn(usize) -> M::Elem,
) -> M::Elem {
    let quarter = range.len() / 4;
    let mut products = [op.identity(); 4];
    if range.len() >= SHORT {
        for i in 0..quarter {
            for (lane, product) in products.iter_mut().enumerate() {
                *product = op.combine(*product, own(range.start + lane * quarter + i));
            }
        }
    }
    let rest = if range.len() >= SHORT { range.start + 4 * quarter } else { range.start };
    let first = products.into_iter().reduce(|a, b| op.combine(a, b)).unwrap_or(op.identity());
    (rest..range.end).fold(first, |product, i| op.combine(product, own(i)))
}

/// Writes the products of `front` and all `own(i)` up to each place of `out`, which
/// begins at `start`; returns the last.
pub(super) fn scan<M: Monoid>(
    op: &M,
    front: M::Elem,
    start: usize,
    own: impl Fn(usize) -> M::Elem,
    out: &mut [M::Elem],
) -> M::Elem {
    let quarter = out.len() / 4;
    let (mut last, mut rest) = (front, 0);
    if out.len() >= SHORT {
        rest = 4 * quarter;
        let mut sums = [op.identity(); 4];
        for i in 0..quarter {
            for (lane, sum) in sums.iter_mut().enumerate().take(3) {
                *sum = op.combine(*sum, own(start + lane * quarter + i));
            }
        }
        let mut answers = [front; 4];
        for lane in 1..4 {
            answers[lane] = op.combine(answers[lane - 1], sums[lane - 1]);
        }
        let (row, _) = out.split_at_mut(rest);
        for i in 0..quarter {
            for (lane, answer) in answers.iter_mut().enumerate() {
                *answer = op.combine(*answer, own(start + lane * quarter + i));
                row[lane * quarter + i] = *answer;
            }
        }
        last = answers[3];
    }
    for (i, place) in out.iter_mut().enumerate().skip(rest) {
        last = op.combine(last, own(start + i));
        *place = last;
    }
    last
}
