//! One backward and one forward sweep.
//!
//! **Problem.** Voltages and what loads draw; out come the voltages that follow from the currents,
//! and the largest change.
//!
//! **Method.** Backward (a leaffix): from the last position to the first, the current that a bus
//! draws is added to what its children have left in its place, and the sum to its parent's place.
//! Forward (a rootfix): the drop is taken off the parent's voltage, and the current's place is
//! cleared for the next sweep. Preorder makes both one pass over the arrays, each in place.
//! Along a line each bus waits for the one before, through memory: two parts that do not touch are
//! swept side by side, and one computes while the other waits.
//!
//! **Cost.** About 150 bytes per bus of memory traffic, one division.

use crate::flow::recent::Change;
use crate::flow::wide::{Work, wide};
use palmette_core::feeder::Complex;
use std::ops::Range;

/// The arrays of a sweep, by position.
#[derive(Clone, Copy)]
pub(in crate::flow) struct Arrays<'a> {
    pub(in crate::flow) parent: &'a [u32],
    pub(in crate::flow) z: &'a [Complex],
    pub(in crate::flow) y: &'a [Complex],
    pub(in crate::flow) s: &'a [Complex],
}

/// What a bus draws by constant power and admittance.
#[inline(always)]
pub(in crate::flow) fn drawn(s: Complex, y: Complex, v: Complex) -> Complex {
    let w = 1.0 / (v.re * v.re + v.im * v.im);
    // conj(s / v) = conj(s) v / |v|²
    let (a, b) = (s.re * w + y.re, y.im - s.im * w);
    Complex::new(a * v.re - b * v.im, a * v.im + b * v.re)
}

/// Currents of branches from voltages, on top of what lies in `i`.
pub(in crate::flow) fn backward(
    arrays: &Arrays<'_>,
    range: &Range<u32>,
    v: &[Complex],
    i: &mut [Complex],
) {
    wide(Backward(arrays, range, v, i));
}

#[inline(always)]
fn backward_loop(arrays: &Arrays<'_>, range: &Range<u32>, v: &[Complex], i: &mut [Complex]) {
    let (first, mut end) = (range.start as usize, range.end as usize);
    if end - first >= BLOCK {
        draw_block(arrays, end - BLOCK, v, i);
    }
    while end - first >= BLOCK {
        end -= BLOCK;
        if end - first >= BLOCK {
            draw_block(arrays, end - BLOCK, v, i);
        }
        for k in (end..end + BLOCK).rev() {
            pass_on(arrays.parent, k, i);
        }
    }
    for k in (first..end).rev() {
        i[k] += drawn(arrays.s[k], arrays.y[k], v[k]);
        pass_on(arrays.parent, k, i);
    }
}

/// Buses whose currents are computed side by side.
const BLOCK: usize = 8;

/// Adds what the buses from a position on draw to their branches.
#[inline(always)]
fn draw_block(arrays: &Arrays<'_>, at: usize, v: &[Complex], i: &mut [Complex]) {
    let range = at..at + BLOCK;
    let (s, y, v) = (&arrays.s[range.clone()], &arrays.y[range.clone()], &v[range.clone()]);
    let mut block = [Complex::default(); BLOCK];
    for k in 0..BLOCK {
        block[k] = drawn(s[k], y[k], v[k]);
    }
    for (i, drawn) in i[range].iter_mut().zip(block) {
        *i += drawn;
    }
}

/// Adds the current of a branch to that of the branch before it.
#[inline(always)]
fn pass_on(parent: &[u32], at: usize, i: &mut [Complex]) {
    let sum = i[at];
    i[parent[at] as usize] += sum;
}

/// Voltages from currents, which are cleared, with their changes; the square of the largest.
pub(in crate::flow) fn forward(
    arrays: &Arrays<'_>,
    range: &Range<u32>,
    v: &mut [Complex],
    i: &mut [Complex],
    changes: &mut [Change],
) -> f64 {
    wide(Forward(arrays, range, v, i, changes))
}

#[inline(always)]
fn forward_loop(
    arrays: &Arrays<'_>,
    range: &Range<u32>,
    v: &mut [Complex],
    i: &mut [Complex],
    changes: &mut [Change],
) -> f64 {
    let range = range.start as usize..range.end as usize;
    let first = range.start;
    let mut most = 0.0f64;
    let rows = arrays.parent[range.clone()].iter().zip(&arrays.z[range.clone()]).zip(&mut i[range]);
    for (k, (((&parent, &z), i), kept)) in rows.zip(changes).enumerate() {
        let up = v[parent as usize];
        let c = std::mem::take(i);
        let new =
            Complex::new(up.re - (z.re * c.re - z.im * c.im), up.im - (z.re * c.im + z.im * c.re));
        let old = &mut v[first + k];
        let change = new - *old;
        *old = new;
        *kept = [change.re, change.im];
        let square = change.re * change.re + change.im * change.im;
        // Written so that a square that is no number stays.
        most = if square <= most { most } else { square };
    }
    most
}

/// Two parts: each as it would be alone, but for the order in which sources get their currents.
pub(in crate::flow) fn backward_both(
    arrays: &Arrays<'_>,
    both: [&Range<u32>; 2],
    v: &[Complex],
    i: &mut [Complex],
) {
    wide(BackwardBoth(arrays, both, v, i));
}

#[inline(always)]
fn backward_both_loop(
    arrays: &Arrays<'_>,
    both: [&Range<u32>; 2],
    v: &[Complex],
    i: &mut [Complex],
) {
    let blocks = both[0].len().min(both[1].len()) / BLOCK;
    let [mut a, mut b] = both.map(|range| range.end as usize);
    if blocks > 0 {
        draw_block(arrays, a - BLOCK, v, i);
        draw_block(arrays, b - BLOCK, v, i);
    }
    for left in (0..blocks).rev() {
        (a, b) = (a - BLOCK, b - BLOCK);
        if left > 0 {
            draw_block(arrays, a - BLOCK, v, i);
            draw_block(arrays, b - BLOCK, v, i);
        }
        for k in (0..BLOCK).rev() {
            pass_on(arrays.parent, a + k, i);
            pass_on(arrays.parent, b + k, i);
        }
    }
    for (range, rest) in both.into_iter().zip([a, b]) {
        backward_loop(arrays, &(range.start..rest as u32), v, i);
    }
}

/// Two parts, each as it would be alone, with their changes; the square of the largest of both.
pub(in crate::flow) fn forward_both(
    arrays: &Arrays<'_>,
    both: [&Range<u32>; 2],
    v: &mut [Complex],
    i: &mut [Complex],
    changes: [&mut [Change]; 2],
) -> f64 {
    wide(ForwardBoth(arrays, both, v, i, changes))
}

#[inline(always)]
fn forward_both_loop(
    arrays: &Arrays<'_>,
    both: [&Range<u32>; 2],
    v: &mut [Complex],
    i: &mut [Complex],
    [f, g]: [&mut [Change]; 2],
) -> f64 {
    let same = both[0].len().min(both[1].len());
    let [a, b] = both.map(|range| range.start as usize..range.start as usize + same);
    let rows = |range: &Range<usize>| {
        arrays.parent[range.clone()].iter().zip(&arrays.z[range.clone()]).enumerate()
    };
    let mut one = |at: usize, parent: u32, z: Complex, kept: &mut Change| {
        let c = std::mem::take(&mut i[at]);
        let up = v[parent as usize];
        let new =
            Complex::new(up.re - (z.re * c.re - z.im * c.im), up.im - (z.re * c.im + z.im * c.re));
        let change = new - v[at];
        v[at] = new;
        *kept = [change.re, change.im];
        change.re * change.re + change.im * change.im
    };
    let larger = |most: f64, square: f64| if square <= most { most } else { square };
    let (mut most, mut other) = (0.0f64, 0.0f64);
    let ((f, f_rest), (g, g_rest)) = (f.split_at_mut(same), g.split_at_mut(same));
    let kept = f.iter_mut().zip(g);
    for (((k, (&p, &z)), (_, (&q, &y))), (f, g)) in rows(&a).zip(rows(&b)).zip(kept) {
        most = larger(most, one(a.start + k, p, z, f));
        other = larger(other, one(b.start + k, q, y, g));
    }
    most = larger(most, other);
    for ((range, rest), kept) in both.into_iter().zip([a.end, b.end]).zip([f_rest, g_rest]) {
        most = larger(most, forward_loop(arrays, &(rest as u32..range.end), v, i, kept));
    }
    most
}

struct BackwardBoth<'b, 'a>(&'b Arrays<'a>, [&'b Range<u32>; 2], &'b [Complex], &'b mut [Complex]);

impl Work for BackwardBoth<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        backward_both_loop(self.0, self.1, self.2, self.3);
    }
}

struct ForwardBoth<'b, 'a>(
    &'b Arrays<'a>,
    [&'b Range<u32>; 2],
    &'b mut [Complex],
    &'b mut [Complex],
    [&'b mut [Change]; 2],
);

impl Work for ForwardBoth<'_, '_> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        forward_both_loop(self.0, self.1, self.2, self.3, self.4)
    }
}

struct Backward<'b, 'a>(&'b Arrays<'a>, &'b Range<u32>, &'b [Complex], &'b mut [Complex]);

impl Work for Backward<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        backward_loop(self.0, self.1, self.2, self.3);
    }
}

struct Forward<'b, 'a>(
    &'b Arrays<'a>,
    &'b Range<u32>,
    &'b mut [Complex],
    &'b mut [Complex],
    &'b mut [Change],
);

impl Work for Forward<'_, '_> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        forward_loop(self.0, self.1, self.2, self.3, self.4)
    }
}
