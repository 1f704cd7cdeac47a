//! The certificate of three phases: a proof that a solution exists and is near.
//!
//! **Method.** As for one phase (`balanced/certificate.rs`), with bounds per phase. Let `V⁰` be the
//! voltages without load and `e` their least magnitude at a bus. In the ball `|V − V⁰| ≤ ½e` of
//! each bus, bounds of all currents go through a leaffix and a rootfix with the absolute values of
//! all matrices; `α` is the largest drop over `½e`. The same passes with bounds of how currents
//! change give `β`, the factor by which a sweep shrinks distances in units of `e`. A solution exists,
//! is unique in the balls, and sweeps from `V⁰` converge to it when `α ≤ 1` and `β < 1`: when
//! `ξ = ¼ max(α, β) < ¼`. Loops add what their currents drop, as for one phase; what lies above
//! the lowest common ancestor of their ends is found by walking up.
//!
//! **When not to use.** With more than [`Certificate::LOOPS`] loops nothing is claimed.

use super::compensation::{Compensation, Loop, answer};
use super::network::{PhaseDemand, PhaseNetwork};
use super::{Three, ZERO};
use crate::flow::Certificate;
use palmette_core::NONE;
use palmette_core::feeder::{Complex, Symmetric};

/// Bounds of currents, and of their change per `e` of voltage; by phase.
type Bounds = [[f64; 3]; 2];
type Matrix = [[f64; 3]; 3];

const NOTHING: Bounds = [[0.0; 3]; 2];

/// The certificate of a solution; `flat` has the voltages of the forest without currents.
pub(super) fn certificate(
    network: &PhaseNetwork<'_>,
    demand: &PhaseDemand,
    flat: &[Three],
    found: &[Three],
    compensation: Option<&Compensation>,
    factor: f64,
) -> Option<Certificate> {
    let n = flat.len();
    if compensation.is_some_and(|all| all.loops.len() > Certificate::LOOPS) {
        return None;
    }
    let loops = compensation.map(|all| Loops::new(network, all));
    let idle = compensation.map(|all| idle(network, all, flat));
    let flat = idle.as_deref().unwrap_or(flat);
    let live = |k: &usize| flat[*k][0].norm_sqr() > 0.0;
    let least = |k: usize| flat[k].iter().map(|v| v.norm()).fold(f64::INFINITY, f64::min);
    let mut loads: Vec<Bounds> = vec![NOTHING; n];
    let mut rest = loads.clone();
    for k in (0..n).filter(live) {
        let e = least(k);
        for phase in 0..3 {
            let (v, own) = (flat[k][phase].norm(), network.y[k][phase]);
            let nearest = v - 0.5 * e;
            let s = demand.s[k][phase].norm();
            let added = (demand.y[k][phase] - own).norm();
            loads[k][0][phase] = s / nearest + added * (v + 0.5 * e);
            loads[k][1][phase] = s * e / (nearest * nearest) + added * e;
            rest[k][0][phase] = own.norm() * (v + 0.5 * e);
            rest[k][1][phase] = own.norm() * e;
        }
    }
    for &(at, between) in network.mutual.iter().filter(|one| live(&(one.0 as usize))) {
        let (k, e) = (at as usize, least(at as usize));
        for (y, [a, b]) in between.iter().zip([[0, 1], [0, 2], [1, 2]]) {
            for (to, from) in [(a, b), (b, a)] {
                rest[k][0][to] += y.norm() * (flat[k][from].norm() + 0.5 * e);
                rest[k][1][to] += y.norm() * e;
            }
        }
    }
    for element in demand.elements.iter().filter(|element| live(&(element.at as usize))) {
        let k = element.at as usize;
        let e = least(k);
        // Both ends may move by ½e.
        let apart = if element.between[1] < 3 { e } else { 0.5 * e };
        let v = element.across(&flat[k]).norm();
        let nearest = v - apart;
        if nearest <= 0.0 {
            let (xi, factor) = (f64::INFINITY, Some(0.0));
            return Some(Certificate { xi, factor, near: false, generators: 0 });
        }
        let (s, i, y) = (element.power.norm(), element.current.norm(), element.y.norm());
        let bound = s / nearest + i + y * (v + apart);
        let change = 2.0 * apart * (s / (nearest * nearest) + i / nearest + y);
        for &phase in element.between.iter().filter(|&&phase| phase < 3) {
            loads[k][0][phase as usize] += bound;
            loads[k][1][phase as usize] += change;
        }
    }
    let (loads, rest) =
        (drops(network, loops.as_ref(), loads), drops(network, loops.as_ref(), rest));
    let (mut xi, mut most, mut near) = (0.0f64, f64::INFINITY, true);
    let parents = network.topology.tree.parents();
    for k in (0..n).filter(live).filter(|&k| parents[k] != NONE) {
        let e = least(k);
        for which in 0..2 {
            // 4 ξ = drop / ½e, and change / e.
            let unit = if which == 0 { 2.0 * e } else { 4.0 * e };
            for phase in 0..3 {
                let (load, other) = (loads[k][which][phase] / unit, rest[k][which][phase] / unit);
                // Written so that what is no number proves nothing.
                xi = if load + other <= xi { xi } else { load + other };
                if load > 0.0 {
                    most = most.min((Certificate::LIMIT - other).max(0.0) / load);
                }
            }
        }
        let apart = |phase: usize| (found[k][phase] - flat[k][phase]).norm_sqr();
        near &= (0..3).all(|phase| apart(phase) <= 0.25 * e * e);
    }
    let xi = if xi.is_nan() { f64::INFINITY } else { xi };
    Some(Certificate { xi, factor: Some(most * factor.abs()), near, generators: 0 })
}

/// Voltages without load.
fn idle(network: &PhaseNetwork<'_>, all: &Compensation, flat: &[Three]) -> Vec<Three> {
    let mut i = vec![ZERO; flat.len()];
    for (one, j) in all.loops.iter().zip(all.idle(flat)) {
        one.draw(&j, &mut i);
    }
    let mut v = answer(network, i);
    for (v, flat) in v.iter_mut().zip(flat) {
        (0..3).for_each(|phase| v[phase] += flat[phase]);
    }
    v
}

/// The absolute values of the ratios of the branch to the parent.
fn ratio(network: &PhaseNetwork<'_>, k: usize) -> Option<Matrix> {
    match network.ratio[k] {
        0 => None,
        at => Some(absolute(&network.ratios[at as usize])),
    }
}

fn absolute(a: &Matrix) -> Matrix {
    a.map(|row| row.map(f64::abs))
}

fn times(a: &Matrix, x: &[f64; 3]) -> [f64; 3] {
    a.map(|row| (0..3).map(|c| row[c] * x[c]).sum())
}

fn transposed_times(a: &Matrix, x: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|c| (0..3).map(|r| a[r][c] * x[r]).sum())
}

fn sum(a: &Bounds, b: &Bounds) -> Bounds {
    std::array::from_fn(|which| std::array::from_fn(|p| a[which][p] + b[which][p]))
}

/// What a branch drops at bounds of its currents.
fn drop(z: &Symmetric<Complex>, currents: &Bounds) -> Bounds {
    const PLACE: [[usize; 3]; 3] = [[0, 1, 3], [1, 2, 4], [3, 4, 5]];
    let z = z.map(|z| z.norm());
    currents.map(|own| PLACE.map(|row| (0..3).map(|c| z[row[c]] * own[c]).sum()))
}

/// Bounds of what currents drop.
fn drops(
    network: &PhaseNetwork<'_>,
    loops: Option<&Loops<'_>>,
    mut currents: Vec<Bounds>,
) -> Vec<Bounds> {
    leaffix(network, &mut currents);
    let Some(loops) = loops else {
        rootfix(network, &mut currents);
        return currents;
    };
    let mut drops = currents.clone();
    rootfix(network, &mut drops);
    let mut round = loops.carry(network, &currents, &drops);
    leaffix(network, &mut round);
    rootfix(network, &mut round);
    drops.iter().zip(&round).map(|(a, b)| sum(a, b)).collect()
}

fn leaffix(network: &PhaseNetwork<'_>, bounds: &mut [Bounds]) {
    let parents = network.topology.tree.parents();
    for (k, &parent) in parents.iter().enumerate().rev().filter(|entry| *entry.1 != NONE) {
        let up = match ratio(network, k) {
            None => bounds[k],
            Some(a) => bounds[k].map(|own| transposed_times(&a, &own)),
        };
        bounds[parent as usize] = sum(&bounds[parent as usize], &up);
    }
}

fn rootfix(network: &PhaseNetwork<'_>, bounds: &mut [Bounds]) {
    for (k, &parent) in network.topology.tree.parents().iter().enumerate() {
        bounds[k] = match parent {
            NONE => NOTHING,
            parent => down(network, k, &bounds[parent as usize], &bounds[k]),
        };
    }
}

/// Drops at a bus from those at its parent.
fn down(network: &PhaseNetwork<'_>, k: usize, above: &Bounds, currents: &Bounds) -> Bounds {
    let above = match ratio(network, k) {
        None => *above,
        Some(a) => above.map(|above| times(&a, &above)),
    };
    sum(&above, &drop(&network.z[k], currents))
}

/// Branches that close loops.
struct Loops<'b> {
    all: &'b Compensation,
    /// By loop, its way over the lowest common ancestor of its ends.
    ways: Vec<Way>,
    /// The magnitudes of the inverse of the system, by rows of unknowns.
    inverse: Vec<f64>,
}

/// From the ends of a loop to the lowest common ancestor, which is in neither list; where there is
/// none, up to the sources.
struct Way {
    from: Vec<usize>,
    to: Vec<usize>,
    top: Option<usize>,
    /// How far the products of ratios on both sides differ.
    apart: Matrix,
}

impl Way {
    fn new(network: &PhaseNetwork<'_>, one: &Loop) -> Way {
        let parents = network.topology.tree.parents();
        let (mut from, mut to) = (Vec::new(), Vec::new());
        let (mut f, mut t) = (one.from as u32, one.to as u32);
        // Parents have smaller positions; NONE is the largest.
        while f != t {
            let (at, way) = match (f != NONE && f > t) || t == NONE {
                true => (&mut f, &mut from),
                false => (&mut t, &mut to),
            };
            way.push(*at as usize);
            *at = parents[*at as usize];
        }
        let down = |way: &[usize]| {
            let mut product = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            for &k in way.iter().rev().filter(|&&k| network.ratio[k] != 0) {
                product = matrix_product(&network.ratios[network.ratio[k] as usize], &product);
            }
            product
        };
        let (near, far) = (matrix_product(&one.a, &down(&from)), down(&to));
        let apart = std::array::from_fn(|r| std::array::from_fn(|c| near[r][c] - far[r][c]));
        let top = (f != NONE).then_some(f as usize);
        Way { from, to, top, apart: absolute(&apart) }
    }
}

fn matrix_product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| std::array::from_fn(|c| (0..3).map(|k| row[k] * b[k][c]).sum()))
}

impl<'b> Loops<'b> {
    fn new(network: &PhaseNetwork<'_>, all: &'b Compensation) -> Loops<'b> {
        let ways = all.loops.iter().map(|one| Way::new(network, one)).collect();
        Loops { all, ways, inverse: all.inverse() }
    }

    /// Bounds of the currents that drops of the forest drive through loops, by bus.
    fn carry(
        &self,
        network: &PhaseNetwork<'_>,
        currents: &[Bounds],
        drops: &[Bounds],
    ) -> Vec<Bounds> {
        let below = |way: &[usize]| {
            let on = |above: Bounds, &k: &usize| down(network, k, &above, &currents[k]);
            way.iter().rev().fold(NOTHING, on)
        };
        let driven: Vec<Bounds> = self
            .all
            .loops
            .iter()
            .zip(&self.ways)
            .map(|(one, way)| {
                let near = below(&way.from).map(|near| times(&absolute(&one.a), &near));
                let common = way.top.map_or(NOTHING, |top| drops[top]);
                let common = common.map(|common| times(&way.apart, &common));
                sum(&sum(&near, &below(&way.to)), &common)
            })
            .collect();
        let unknowns = &self.all.unknowns;
        let mut round = vec![NOTHING; self.all.loops.len()];
        for (row, &(l, phase)) in self.inverse.chunks_exact(unknowns.len()).zip(unknowns) {
            for (m, &(of, other)) in row.iter().zip(unknowns) {
                (0..2).for_each(|which| round[l][which][phase] += m * driven[of][which][other]);
            }
        }
        let mut into = vec![NOTHING; currents.len()];
        for ((one, way), j) in self.all.loops.iter().zip(&self.ways).zip(&round) {
            let near = j.map(|j| transposed_times(&absolute(&one.a), &j));
            into[one.from] = sum(&into[one.from], &near);
            into[one.to] = sum(&into[one.to], j);
            let Some(top) = way.top else { continue };
            let up = |way: &[usize], from: Bounds| {
                way.iter().fold(from, |own, &k| match ratio(network, k) {
                    None => own,
                    Some(a) => own.map(|own| transposed_times(&a, &own)),
                })
            };
            // Above, what comes up both ways is one current, of their difference.
            let arrive = sum(&up(&way.from, near), &up(&way.to, *j));
            let above = j.map(|j| transposed_times(&way.apart, &j));
            for which in 0..2 {
                for phase in 0..3 {
                    into[top][which][phase] += above[which][phase] - arrive[which][phase];
                }
            }
        }
        into
    }
}
