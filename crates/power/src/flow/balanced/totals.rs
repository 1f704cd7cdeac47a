//! Where power goes, and how far the worst bus is from its load.
//!
//! **Method.** One pass over the buses of a component while they are in the caches, with the sums
//! of eight buses side by side.

use super::compensation::sources;
use super::{Demand, Network, State};
use crate::flow::wide::{Work, wide};
use palmette_core::feeder::Complex;
use std::ops::Range;

/// Buses whose sums are kept apart.
const SIDE: usize = 8;

/// Where power goes, in MVA (`p + jq`, MW and Mvar).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Totals {
    /// What all sources give.
    pub sources_mva: Complex,
    /// What generators that hold voltages give.
    pub generators_mva: Complex,
    /// What loads take at their voltages.
    pub loads_mva: Complex,
    /// What shunts take.
    pub shunts_mva: Complex,
    /// What branches take, their charging included.
    pub losses_mva: Complex,
    /// How far sources and generators are from loads, shunts and losses, as a part of all power
    /// that is drawn.
    pub balance: f64,
}

/// Sums over buses, component by component while they are in the caches. Each part is added up for
/// itself, so that the balance is a check and not a definition.
#[derive(Default)]
pub(super) struct Sums {
    loads: Complex,
    series: Complex,
    ground: Complex,
    /// All power that is drawn.
    size: f64,
    /// The square of how far the power of the worst bus is from the one given, per unit, at voltages
    /// of about 1.
    worst: f64,
}

impl Sums {
    /// Adds the buses of an interval.
    pub(super) fn add(
        &mut self,
        network: &Network<'_>,
        demand: &Demand<'_>,
        state: &State,
        range: Range<u32>,
    ) {
        wide(Adding { sums: self, network, demand, state, range });
    }

    /// Where power goes, and how far that of the worst bus is from the one given, per unit.
    pub(super) fn totals(
        self,
        network: &Network<'_>,
        demand: &Demand<'_>,
        state: &State,
    ) -> (f64, Totals) {
        let Sums { mut loads, mut series, ground, mut size, worst } = self;
        let (mut given, base) = (Complex::default(), network.feeder.base_mva);
        for (root, e) in sources(network) {
            let power = e * state.i[root as usize].conj();
            given += power;
            size += power.norm();
        }
        for &(at, s) in &demand.current {
            loads += s * state.v[at as usize].norm();
        }
        for &(branch, current) in &state.loops {
            series += network.feeder.branches.z[branch as usize] * current.norm_sqr();
        }
        let held = &network.feeder.generators;
        let mut generators = Complex::default();
        for &(number, q, _) in &state.generators {
            let power = Complex::new(held.p_mw[number as usize] / base, q);
            generators += power;
            size += power.norm();
        }
        let mut shunts = Complex::default();
        for (&bus, &y) in network.feeder.shunts.bus.iter().zip(&network.feeder.shunts.y) {
            let k = network.position(bus);
            shunts += y.conj() * state.v[k].norm_sqr() / network.turn(k).norm_sqr();
        }
        let losses = series + ground - shunts;
        let off = (given + generators - loads - shunts - losses).norm();
        let totals = Totals {
            sources_mva: given * base,
            generators_mva: generators * base,
            loads_mva: loads * base,
            shunts_mva: shunts * base,
            losses_mva: losses * base,
            balance: if size > 0.0 { off / size } else { 0.0 },
        };
        (worst.sqrt(), totals)
    }
}

struct Adding<'b, 'a> {
    sums: &'b mut Sums,
    network: &'b Network<'a>,
    demand: &'b Demand<'b>,
    state: &'b State,
    range: Range<u32>,
}

impl Work for Adding<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Adding { sums, network, demand, state, range } = self;
        let range = range.start as usize..range.end as usize;
        let (v, i) = (&state.v[range.clone()], &state.i[range.clone()]);
        let (z, own) = (&network.z[range.clone()], &network.y[range.clone()]);
        let (y, s) = (&demand.y[range.clone()], &demand.s[range.clone()]);
        let (parents, all) = (&network.topology.tree.parents()[range], &state.v[..]);
        // Eight sums of each kind side by side.
        let mut side = Side::default();
        let arrays = [v, i, z, own, y, s];
        let [vs, is, zs, owns, ys, ss] = arrays.map(|values| values.as_chunks::<SIDE>().0);
        let (rows, rest) = parents.as_chunks::<SIDE>();
        for (k, parents) in rows.iter().enumerate() {
            let up = parents.map(|parent| all[parent as usize]);
            side.add(&up, [&vs[k], &is[k], &zs[k], &owns[k], &ys[k], &ss[k]]);
        }
        // Zeros add nothing; a source's voltage is never off.
        let mut up = [Complex::default(); SIDE];
        let [v, i, z, own, y, s] = arrays.map(|values| {
            let mut filled = [Complex::default(); SIDE];
            let rest = values.as_chunks::<SIDE>().1;
            filled[..rest.len()].copy_from_slice(rest);
            filled
        });
        for (k, &parent) in rest.iter().enumerate() {
            up[k] = all.get(parent as usize).copied().unwrap_or(v[k]);
        }
        side.add(&up, [&v, &i, &z, &own, &y, &s]);
        let of = |sums: [f64; SIDE]| sums.iter().sum::<f64>();
        sums.loads += Complex::new(of(side.p), of(side.q));
        sums.ground += Complex::new(of(side.g), of(side.b));
        sums.series += Complex::new(of(side.r), of(side.x));
        sums.size += of(side.size);
        sums.worst = side.worst.into_iter().fold(sums.worst, larger);
    }
}

/// Sums over buses side by side.
#[derive(Default)]
struct Side {
    p: [f64; SIDE],
    q: [f64; SIDE],
    g: [f64; SIDE],
    b: [f64; SIDE],
    r: [f64; SIDE],
    x: [f64; SIDE],
    size: [f64; SIDE],
    worst: [f64; SIDE],
}

impl Side {
    /// Adds some buses, whose parents have the voltages `up`; `of` has voltages, currents,
    /// impedances, the network's own admittances, those with loads, powers. A voltage that is off
    /// makes a power off by that part of it.
    #[inline(always)]
    fn add(&mut self, up: &[Complex; SIDE], of: [&[Complex; SIDE]; 6]) {
        let [v, i, z, own, y, s] = of;
        for k in 0..SIDE {
            let square = v[k].re * v[k].re + v[k].im * v[k].im;
            let current = i[k].re * i[k].re + i[k].im * i[k].im;
            let power = s[k].re * s[k].re + s[k].im * s[k].im;
            self.p[k] += s[k].re + (y[k].re - own[k].re) * square;
            self.q[k] += s[k].im - (y[k].im - own[k].im) * square;
            self.g[k] += own[k].re * square;
            self.b[k] -= own[k].im * square;
            self.r[k] += z[k].re * current;
            self.x[k] += z[k].im * current;
            self.size[k] += power.sqrt();
            let re = up[k].re - (z[k].re * i[k].re - z[k].im * i[k].im) - v[k].re;
            let im = up[k].im - (z[k].re * i[k].im + z[k].im * i[k].re) - v[k].im;
            let draws = power + (y[k].re * y[k].re + y[k].im * y[k].im);
            self.worst[k] = larger(self.worst[k], (re * re + im * im) * draws);
        }
    }
}

#[inline(always)]
fn larger(most: f64, one: f64) -> f64 {
    if one > most { one } else { most }
}
