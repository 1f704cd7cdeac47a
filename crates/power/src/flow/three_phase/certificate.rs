//! The certificate of three phases: a proof that a solution exists and is near.
//!
//! **Method.** As for one phase (`balanced/certificate.rs`), with bounds per phase. Let `V0` be the
//! voltages without currents and `e` their least magnitude at a bus. In the ball `|V − V0| ≤ ½e` of
//! each bus, bounds of all currents go through a leaffix and a rootfix with the absolute values of
//! all matrices; `α` is the largest drop over `½e`. The same passes with bounds of how currents
//! change give `β`, the factor by which a sweep shrinks distances in units of `e`. A solution exists,
//! is unique in the balls, and sweeps converge to it when `α ≤ 1` and `β < 1`: when
//! `ξ = ¼ max(α, β) < ¼`.
//!
//! **When not to use.** With loops nothing is claimed.

use super::Three;
use super::network::{PhaseDemand, PhaseNetwork};
use crate::flow::Certificate;
use palmette_core::NONE;

/// Bounds of currents, and of their change per `e` of voltage; by phase.
type Bounds = [[f64; 3]; 2];

/// The certificate of a radial feeder; none where it would be infinite.
pub(super) fn certificate(
    network: &PhaseNetwork<'_>,
    demand: &PhaseDemand,
    flat: &[Three],
    factor: f64,
) -> Option<Certificate> {
    let n = flat.len();
    let least = |k: usize| flat[k].iter().map(|v| v.norm()).fold(f64::INFINITY, f64::min);
    let mut loads: Vec<Bounds> = vec![[[0.0; 3]; 2]; n];
    let mut rest = loads.clone();
    for k in (0..n).filter(|&k| flat[k][0].norm_sqr() > 0.0) {
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
    for &(at, between) in &network.mutual {
        let (k, e) = (at as usize, least(at as usize));
        for (y, [a, b]) in between.iter().zip([[0, 1], [0, 2], [1, 2]]) {
            for (to, from) in [(a, b), (b, a)] {
                rest[k][0][to] += y.norm() * (flat[k][from].norm() + 0.5 * e);
                rest[k][1][to] += y.norm() * e;
            }
        }
    }
    for element in &demand.elements {
        let k = element.at as usize;
        let e = least(k);
        // Both ends may move by ½e.
        let apart = if element.between[1] < 3 { e } else { 0.5 * e };
        let v = element.across(&flat[k]).norm();
        let nearest = v - apart;
        if nearest <= 0.0 {
            return None;
        }
        let (s, i, y) = (element.power.norm(), element.current.norm(), element.y.norm());
        let bound = s / nearest + i + y * (v + apart);
        let change = 2.0 * apart * (s / (nearest * nearest) + i / nearest + y);
        for &phase in element.between.iter().filter(|&&phase| phase < 3) {
            loads[k][0][phase as usize] += bound;
            loads[k][1][phase as usize] += change;
        }
    }
    let (loads, rest) = (passes(network, loads), passes(network, rest));
    let (mut xi, mut most) = (0.0f64, f64::INFINITY);
    for k in (0..n).filter(|&k| network.topology.tree.parents()[k] != NONE) {
        let e = least(k);
        for which in 0..2 {
            // 4 ξ = drop / ½e, and change / e.
            let unit = if which == 0 { 2.0 * e } else { 4.0 * e };
            for phase in 0..3 {
                let (load, other) = (loads[k][which][phase] / unit, rest[k][which][phase] / unit);
                if (load + other).is_finite() {
                    xi = xi.max(load + other);
                }
                if load > 0.0 {
                    most = most.min((Certificate::LIMIT - other).max(0.0) / load);
                }
            }
        }
    }
    Some(Certificate { xi, factor: most * factor.abs() })
}

/// Leaffix of bounds of currents, then rootfix of bounds of drops.
fn passes(network: &PhaseNetwork<'_>, mut bounds: Vec<Bounds>) -> Vec<Bounds> {
    const PLACE: [[usize; 3]; 3] = [[0, 1, 3], [1, 2, 4], [3, 4, 5]];
    let parents = network.topology.tree.parents();
    let ratio = |k: usize| match network.ratio[k] {
        0 => None,
        at => Some(network.ratios[at as usize].map(|row| row.map(f64::abs))),
    };
    for (k, &parent) in parents.iter().enumerate().rev().filter(|entry| *entry.1 != NONE) {
        let up = bounds[k].map(|own| match ratio(k) {
            None => own,
            Some(a) => std::array::from_fn(|c| (0..3).map(|r| a[r][c] * own[r]).sum()),
        });
        for (above, up) in bounds[parent as usize].iter_mut().flatten().zip(up.iter().flatten()) {
            *above += up;
        }
    }
    for (k, &parent) in parents.iter().enumerate() {
        if parent == NONE {
            bounds[k] = [[0.0; 3]; 2];
            continue;
        }
        let z = network.z[k].map(|z| z.norm());
        let above = bounds[parent as usize].map(|above| match ratio(k) {
            None => above,
            Some(a) => a.map(|row| (0..3).map(|c| row[c] * above[c]).sum()),
        });
        for (own, above) in bounds[k].iter_mut().zip(above) {
            let drop = |row: usize| (0..3).map(|c| z[PLACE[row][c]] * own[c]).sum::<f64>();
            *own = std::array::from_fn(|row| above[row] + drop(row));
        }
    }
    bounds
}
