//! One backward and one forward sweep of three phases; as for one (`balanced/sweep.rs`), with small
//! matrices instead of numbers.
//!
//! **Cost.** Three divisions and nine complex products per bus; about 430 bytes of memory traffic.

use super::network::{PhaseDemand, PhaseNetwork};
use super::{Three, ZERO};
use crate::flow::balanced::drawn;
use crate::flow::recent::Change;
use crate::flow::wide::{Work, wide};
use palmette_core::feeder::{Complex, Symmetric};
use std::ops::Range;

/// Puts into `i` what elements between phases and the like draw.
pub(super) fn draw_elements(
    network: &PhaseNetwork<'_>,
    demand: &PhaseDemand,
    range: &Range<u32>,
    v: &[Three],
    i: &mut [Three],
) {
    let first = demand.elements.partition_point(|element| element.at < range.start);
    for element in demand.elements[first..].iter().take_while(|element| element.at < range.end) {
        let at = element.at as usize;
        let current = element.through(element.across(&v[at]));
        i[at][element.between[0] as usize] += current;
        if element.between[1] < 3 {
            i[at][element.between[1] as usize] -= current;
        }
    }
    let first = network.mutual.partition_point(|entry| entry.0 < range.start);
    for &(at, [ab, ac, bc]) in
        network.mutual[first..].iter().take_while(|entry| entry.0 < range.end)
    {
        let (at, [a, b, c]) = (at as usize, v[at as usize]);
        i[at][0] += ab * b + ac * c;
        i[at][1] += ab * a + bc * c;
        i[at][2] += ac * a + bc * b;
    }
}

/// Currents of branches from voltages, on top of what lies in `i`.
pub(super) fn backward(
    network: &PhaseNetwork<'_>,
    demand: &PhaseDemand,
    range: &Range<u32>,
    v: &[Three],
    i: &mut [Three],
) {
    wide(Backward { network, demand, range, v, i });
}

#[inline(always)]
fn backward_loop(
    network: &PhaseNetwork<'_>,
    demand: &PhaseDemand,
    range: &Range<u32>,
    v: &[Three],
    i: &mut [Three],
) {
    let (first, range) = (range.start as usize, range.start as usize..range.end as usize);
    let parents = &network.topology.tree.parents()[range.clone()];
    let rows = parents.iter().zip(&network.ratio[range.clone()]).zip(&demand.s[range.clone()]);
    let rows = rows.zip(&demand.y[range.clone()]).zip(&v[range]).enumerate().rev();
    for (k, ((((&parent, &ratio), s), y), v)) in rows {
        let mut sum = i[first + k];
        for phase in 0..3 {
            sum[phase] += drawn(s[phase], y[phase], v[phase]);
        }
        i[first + k] = sum;
        if ratio != 0 {
            sum = transposed(&network.ratios[ratio as usize], &sum);
        }
        let up = &mut i[parent as usize];
        for phase in 0..3 {
            up[phase] += sum[phase];
        }
    }
}

/// Voltages from currents, which are cleared, with their changes (three per bus); the square of the
/// largest, per unit.
pub(super) fn forward(
    network: &PhaseNetwork<'_>,
    range: &Range<u32>,
    v: &mut [Three],
    i: &mut [Three],
    changes: &mut [Change],
) -> f64 {
    wide(Forward { network, range, v, i, changes })
}

#[inline(always)]
fn forward_loop(
    network: &PhaseNetwork<'_>,
    range: &Range<u32>,
    v: &mut [Three],
    i: &mut [Three],
    changes: &mut [Change],
) -> f64 {
    let (first, range) = (range.start as usize, range.start as usize..range.end as usize);
    let mut most = 0.0f64;
    let parents = &network.topology.tree.parents()[range.clone()];
    let rows = parents.iter().zip(&network.ratio[range.clone()]).zip(&network.z[range.clone()]);
    let rows = rows.zip(&network.scale[range.clone()]).zip(&mut i[range]);
    let rows = rows.zip(changes.as_chunks_mut::<3>().0);
    for (k, (((((&parent, &ratio), z), &scale), i), kept)) in rows.enumerate() {
        let mut up = v[parent as usize];
        if ratio != 0 {
            up = product(&network.ratios[ratio as usize], &up);
        }
        let drop = symmetric(z, &std::mem::replace(i, ZERO));
        let old = &mut v[first + k];
        let mut square = 0.0f64;
        for phase in 0..3 {
            let new = up[phase] - drop[phase];
            let change = new - old[phase];
            square = square.max(change.norm_sqr());
            old[phase] = new;
            kept[phase] = [change.re, change.im];
        }
        let square = square * scale;
        most = if square <= most { most } else { square };
    }
    most
}

/// `Z i` of a symmetric matrix.
#[inline(always)]
pub(super) fn symmetric(z: &Symmetric<Complex>, i: &Three) -> Three {
    let [aa, ab, bb, ac, bc, cc] = *z;
    let [a, b, c] = *i;
    [aa * a + ab * b + ac * c, ab * a + bb * b + bc * c, ac * a + bc * b + cc * c]
}

/// `A v`.
#[inline(always)]
pub(super) fn product(a: &[[f64; 3]; 3], v: &Three) -> Three {
    a.map(|row| v[0] * row[0] + v[1] * row[1] + v[2] * row[2])
}

/// `Aᵀ i`.
#[inline(always)]
pub(super) fn transposed(a: &[[f64; 3]; 3], i: &Three) -> Three {
    std::array::from_fn(|column| i[0] * a[0][column] + i[1] * a[1][column] + i[2] * a[2][column])
}

struct Backward<'b, 'a> {
    network: &'b PhaseNetwork<'a>,
    demand: &'b PhaseDemand,
    range: &'b Range<u32>,
    v: &'b [Three],
    i: &'b mut [Three],
}

impl Work for Backward<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        backward_loop(self.network, self.demand, self.range, self.v, self.i);
    }
}

struct Forward<'b, 'a> {
    network: &'b PhaseNetwork<'a>,
    range: &'b Range<u32>,
    v: &'b mut [Three],
    i: &'b mut [Three],
    changes: &'b mut [Change],
}

impl Work for Forward<'_, '_> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        forward_loop(self.network, self.range, self.v, self.i, self.changes)
    }
}
