//! Sweeps of eight cases in the lanes of vector instructions.
//!
//! **Method.** The loops of `balanced/sweep.rs` over arrays of eight numbers, which compilers turn
//! into vector instructions: real and imaginary parts lie apart. The same code is compiled for what
//! the processor has.
//!
//! **Determinism.** No operation is fused, so that all processors give the same bits.

use crate::flow::balanced::Arrays;
use crate::flow::wide::{Work, wide};
use palmette_core::feeder::Complex;
use std::ops::Range;

/// Cases that are solved side by side.
pub(super) const LANES: usize = 8;

/// One number per lane.
pub(super) type Lane = [f64; LANES];

/// One complex number per lane.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Pair {
    pub(super) re: Lane,
    pub(super) im: Lane,
}

impl Pair {
    pub(super) fn same(value: Complex) -> Pair {
        Pair { re: [value.re; LANES], im: [value.im; LANES] }
    }

    pub(super) fn get(&self, lane: usize) -> Complex {
        Complex::new(self.re[lane], self.im[lane])
    }

    pub(super) fn set(&mut self, lane: usize, value: Complex) {
        (self.re[lane], self.im[lane]) = (value.re, value.im);
    }

    pub(super) fn add(&mut self, lane: usize, value: Complex) {
        self.re[lane] += value.re;
        self.im[lane] += value.im;
    }
}

/// Currents of branches from voltages, on top of what lies in `i`.
#[inline(always)]
fn backward_lanes(
    arrays: &Arrays<'_>,
    range: Range<usize>,
    s: &[Pair],
    v: &[Pair],
    i: &mut [Pair],
) {
    let first = range.start;
    let rows = arrays.parent[range.clone()].iter().zip(&arrays.y[range.clone()]);
    let rows = rows.zip(&s[range.clone()]).zip(&v[range]).enumerate().rev();
    for (k, (((&parent, y), s), v)) in rows {
        let mut sum = i[first + k];
        for l in 0..LANES {
            let w = 1.0 / (v.re[l] * v.re[l] + v.im[l] * v.im[l]);
            let (a, b) = (s.re[l] * w + y.re, y.im - s.im[l] * w);
            sum.re[l] += a * v.re[l] - b * v.im[l];
            sum.im[l] += a * v.im[l] + b * v.re[l];
        }
        i[first + k] = sum;
        let up = &mut i[parent as usize];
        for l in 0..LANES {
            up.re[l] += sum.re[l];
            up.im[l] += sum.im[l];
        }
    }
}

/// By lane, no bits where it moves and all where it rests.
pub(super) type Rests = [u64; LANES];

/// Voltages from currents, which are cleared; by lane, the square of the largest change. Lanes at
/// rest keep their voltages: chosen by bits, which costs little, and nothing where `SOME` is false.
#[inline(always)]
fn forward_lanes<const SOME: bool>(
    arrays: &Arrays<'_>,
    range: Range<usize>,
    v: &mut [Pair],
    i: &mut [Pair],
    rests: &Rests,
) -> Lane {
    let chosen = |new: f64, old: f64, rests: u64| match SOME {
        true => f64::from_bits((new.to_bits() & !rests) | (old.to_bits() & rests)),
        false => new,
    };
    let first = range.start;
    let mut most = [0.0; LANES];
    let rows = arrays.parent[range.clone()].iter().zip(&arrays.z[range.clone()]).zip(&mut i[range]);
    for (k, ((&parent, z), i)) in rows.enumerate() {
        let up = v[parent as usize];
        let old = &mut v[first + k];
        for l in 0..LANES {
            let re = up.re[l] - (z.re * i.re[l] - z.im * i.im[l]);
            let im = up.im[l] - (z.re * i.im[l] + z.im * i.re[l]);
            let re = chosen(re, old.re[l], rests[l]);
            let im = chosen(im, old.im[l], rests[l]);
            let (dre, dim) = (re - old.re[l], im - old.im[l]);
            let square = dre * dre + dim * dim;
            most[l] = if square <= most[l] { most[l] } else { square };
            (old.re[l], old.im[l]) = (re, im);
        }
        // Field by field: as a whole it would go through the stack.
        i.re = [0.0; LANES];
        i.im = [0.0; LANES];
    }
    most
}

/// Constants of one bus and of the branch to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Constants {
    /// One over the square of the product of ratios: it makes voltages those of the bus.
    pub(super) unturn: f64,
    /// Admittances at both ends of the branch.
    pub(super) y_up: Complex,
    pub(super) y_down: Complex,
    /// Squares of one over the rated currents at both ends.
    pub(super) rated_up: f64,
    pub(super) rated_down: f64,
    /// The admittance of shunts.
    pub(super) shunt: Complex,
}

/// By lane: extremes with their positions, and sums over buses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tally {
    pub(super) low: Lane,
    pub(super) low_at: Lane,
    pub(super) high: Lane,
    pub(super) high_at: Lane,
    pub(super) loading: Lane,
    pub(super) loading_at: Lane,
    /// Constant power of loads.
    pub(super) loads: Pair,
    /// What impedances, shunts, and all admittances to ground take.
    pub(super) series: Pair,
    pub(super) shunts: Pair,
    pub(super) ground: Pair,
    pub(super) size: Lane,
}

const NOTHING: Pair = Pair { re: [0.0; LANES], im: [0.0; LANES] };

impl Tally {
    pub(super) const NONE: Tally = Tally {
        low: [f64::INFINITY; LANES],
        low_at: [0.0; LANES],
        high: [0.0; LANES],
        high_at: [0.0; LANES],
        loading: [0.0; LANES],
        loading_at: [0.0; LANES],
        loads: NOTHING,
        series: NOTHING,
        shunts: NOTHING,
        ground: NOTHING,
        size: [0.0; LANES],
    };
}

/// Squares of a bus's extreme voltages and of its branch's highest loading, over lanes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) loading: f64,
}

/// The square of a branch's loading in a lane. Currents at its ends are the series one and half of
/// the charging.
#[inline(always)]
fn loading(c: &Constants, up: &Pair, v: &Pair, i: &Pair, l: usize) -> f64 {
    let near = (
        i.re[l] + (c.y_up.re * up.re[l] - c.y_up.im * up.im[l]),
        i.im[l] + (c.y_up.re * up.im[l] + c.y_up.im * up.re[l]),
    );
    let far = (
        i.re[l] - (c.y_down.re * v.re[l] - c.y_down.im * v.im[l]),
        i.im[l] - (c.y_down.re * v.im[l] + c.y_down.im * v.re[l]),
    );
    let near = (near.0 * near.0 + near.1 * near.1) * c.rated_up;
    let far = (far.0 * far.0 + far.1 * far.1) * c.rated_down;
    if near > far { near } else { far }
}

/// Goes over the final voltages and currents of the positions of a source, its own included.
#[inline(always)]
fn tally_lanes(
    arrays: &Arrays<'_>,
    constants: &[Constants],
    range: Range<usize>,
    lanes: &Lanes,
    seen: &mut [Seen],
    tally: &mut Tally,
) {
    // A copy, which stays in registers.
    let mut own = *tally;
    for k in range {
        let (s, v, i) = (&lanes.s[k], &lanes.v[k], &lanes.i[k]);
        let (c, z, y) = (&constants[k], arrays.z[k], arrays.y[k]);
        // A source has no branch above it, and all its constants are 0.
        let up = lanes.v.get(arrays.parent[k] as usize).unwrap_or(v);
        let at = k as f64;
        let (mut volt, mut load) = ([0.0; LANES], [0.0; LANES]);
        for l in 0..LANES {
            let square = v.re[l] * v.re[l] + v.im[l] * v.im[l];
            let here = square * c.unturn;
            volt[l] = here;
            own.low_at[l] = if here < own.low[l] { at } else { own.low_at[l] };
            own.low[l] = if here < own.low[l] { here } else { own.low[l] };
            own.high_at[l] = if here > own.high[l] { at } else { own.high_at[l] };
            own.high[l] = if here > own.high[l] { here } else { own.high[l] };
            let current = i.re[l] * i.re[l] + i.im[l] * i.im[l];
            own.series.re[l] += z.re * current;
            own.series.im[l] += z.im * current;
            own.shunts.re[l] += c.shunt.re * square;
            own.shunts.im[l] -= c.shunt.im * square;
            own.ground.re[l] += y.re * square;
            own.ground.im[l] -= y.im * square;
            own.loads.re[l] += s.re[l];
            own.loads.im[l] += s.im[l];
            own.size[l] += s.re[l].abs() + s.im[l].abs();
            let loading = loading(c, up, v, i, l);
            load[l] = loading;
            own.loading_at[l] = if loading > own.loading[l] { at } else { own.loading_at[l] };
            own.loading[l] = if loading > own.loading[l] { loading } else { own.loading[l] };
        }
        seen[k] = Seen { low: least(&volt), high: most(&volt), loading: most(&load) };
    }
    *tally = own;
}

/// The least number of all lanes. Lanes without a power flow are no numbers, which no comparison lets
/// through.
#[inline(always)]
fn least(lane: &Lane) -> f64 {
    let (mut four, mut two) = ([f64::INFINITY; 4], [0.0; 2]);
    for l in 0..4 {
        let (a, b) = (lane[l], lane[l + 4]);
        four[l] = if a < four[l] { a } else { four[l] };
        four[l] = if b < four[l] { b } else { four[l] };
    }
    for l in 0..2 {
        two[l] = if four[l + 2] < four[l] { four[l + 2] } else { four[l] };
    }
    if two[1] < two[0] { two[1] } else { two[0] }
}

/// The largest of all lanes, not below 0.
#[inline(always)]
fn most(lane: &Lane) -> f64 {
    let (mut four, mut two) = ([0.0; 4], [0.0; 2]);
    for l in 0..4 {
        let (a, b) = (lane[l], lane[l + 4]);
        four[l] = if a > four[l] { a } else { four[l] };
        four[l] = if b > four[l] { b } else { four[l] };
    }
    for l in 0..2 {
        two[l] = if four[l + 2] > four[l] { four[l + 2] } else { four[l] };
    }
    if two[1] > two[0] { two[1] } else { two[0] }
}

/// Squares of a bus's voltages and of its branch's loading, by lane.
pub(super) fn values(
    arrays: &Arrays<'_>,
    constants: &[Constants],
    k: usize,
    lanes: &Lanes,
) -> [Lane; 2] {
    let (v, i, c) = (&lanes.v[k], &lanes.i[k], &constants[k]);
    let up = lanes.v.get(arrays.parent[k] as usize).unwrap_or(v);
    let volt = std::array::from_fn(|l| (v.re[l] * v.re[l] + v.im[l] * v.im[l]) * c.unturn);
    [volt, std::array::from_fn(|l| loading(c, up, v, i, l))]
}

/// Powers, voltages and currents of all lanes, by position.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    pub(super) s: Vec<Pair>,
    pub(super) v: Vec<Pair>,
    pub(super) i: Vec<Pair>,
}

pub(super) fn backward(arrays: &Arrays<'_>, range: Range<usize>, lanes: &mut Lanes) {
    wide(Backward(arrays, range, lanes));
}

pub(super) fn forward(
    arrays: &Arrays<'_>,
    range: Range<usize>,
    lanes: &mut Lanes,
    rests: &Rests,
) -> Lane {
    match rests.iter().any(|&rests| rests != 0) {
        true => wide(Forward::<true>(arrays, range, lanes, rests)),
        false => wide(Forward::<false>(arrays, range, lanes, rests)),
    }
}

/// Goes over the final voltages and currents of the positions of a source, its own included.
pub(super) fn tally(
    arrays: &Arrays<'_>,
    constants: &[Constants],
    range: Range<usize>,
    lanes: &Lanes,
    seen: &mut [Seen],
    tally: &mut Tally,
) {
    wide(TallyUp { arrays, constants, range, lanes, seen, tally });
}

struct Backward<'b, 'a>(&'b Arrays<'a>, Range<usize>, &'b mut Lanes);

impl Work for Backward<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Lanes { s, v, i } = self.2;
        backward_lanes(self.0, self.1, s, v, i);
    }
}

struct Forward<'b, 'a, const SOME: bool>(&'b Arrays<'a>, Range<usize>, &'b mut Lanes, &'b Rests);

impl<const SOME: bool> Work for Forward<'_, '_, SOME> {
    type Output = Lane;
    #[inline(always)]
    fn run(self) -> Lane {
        let Lanes { v, i, .. } = self.2;
        forward_lanes::<SOME>(self.0, self.1, v, i, self.3)
    }
}

struct TallyUp<'b, 'a> {
    arrays: &'b Arrays<'a>,
    constants: &'b [Constants],
    range: Range<usize>,
    lanes: &'b Lanes,
    seen: &'b mut [Seen],
    tally: &'b mut Tally,
}

impl Work for TallyUp<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        tally_lanes(self.arrays, self.constants, self.range, self.lanes, self.seen, self.tally);
    }
}
