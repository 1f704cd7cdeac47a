//! A proof, in a few passes, that the answer exists and is the only one near the voltages without load.
//!
//! **Problem.** Do sweeps converge, and to the solution that is meant?
//!
//! **Method.** In the frame without ratios let `V⁰` be the voltages without load (those of the source
//! in a radial network) and `e` their magnitudes. Solutions are fixed points of `V = V⁰ − Z I(V)`, where
//! `Z` has the loops in it. With `w = |s_P|/e² + |s_I|/(2e) + ¾|y|` for constant power, constant
//! current and admittance, let `D` bound `|Z| (e w)` and `ξ = max D/e`. In the balls
//! `|V − V⁰| ≤ ½e` currents are at most `2 e w`, so that the map moves no voltage further than `2ξe` from
//! `V⁰`; and it shrinks distances, in units of `e`, by `4ξ` or more. For `ξ < ¼` the balls are mapped into
//! themselves and contracted: one solution lies in them (Banach), and sweeps from `V⁰` converge to it.
//! Without loops `D` is a leaffix of `e w` and a rootfix of `|z|` times that. With them it has two more
//! parts: the drops at both ends of a loop, up to their lowest common ancestor, drive at most
//! `|M⁻¹|` times as much current through the loops (`compensation.rs`), whose own drops are added.
//! In small meshes the entries of `Z` are computed, row by row, and nothing is lost.
//! Whether the solution that sweeps found lies in the balls is looked at.
//! Generators that hold voltages count with the reactive power that was found for them, as loads
//! of which no factor is taken.
//!
//! **Cost.** One leaffix and one rootfix of numbers; with loops two of each, and the inverse of their
//! system.
//!
//! **Reference.** For constant power in radial networks: arXiv 1702.03310 and 1605.08511.
//!
//! **When not to use.** With more than 500 loops in a part nothing is claimed.

use super::compensation::{Compensation, Depths, Unknown, sources};
use super::components::Component;
use super::{Demand, Network, State};
use palmette_core::NONE;
use palmette_core::feeder::Complex;

/// What is proved about a power flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// `ξ`: below ¼ a solution exists that is the only one within half of the voltages without load.
    pub xi: f64,
    /// The largest factor of the loads for which that is proved; 0 if none is. Nothing where
    /// generators hold voltages: what they give differs with the loads.
    pub factor: Option<f64>,
    /// Whether the solution that was found is the one that `ξ` speaks of.
    pub near: bool,
    /// How many generators hold voltages: the proof takes their reactive power as given.
    pub generators: usize,
}

impl Certificate {
    /// Below this, a solution is certain.
    pub const LIMIT: f64 = 0.25;
    /// The most loops of a part of a network with a certificate.
    pub const LOOPS: usize = 500;

    /// Whether it proves anything about the solution.
    pub fn holds(&self) -> bool {
        self.xi < Self::LIMIT && self.near
    }
}

/// Operations for a certificate of a mesh with all entries of `Z`.
const EXACT: usize = 20_000_000;

/// The magnitude, without the care for tiny numbers that `norm` takes.
fn size(x: Complex) -> f64 {
    x.norm_sqr().sqrt()
}

/// The certificate of a solution; none with too many loops.
pub(super) fn certificate(
    network: &Network<'_>,
    demand: &Demand<'_>,
    factor: f64,
    state: &State,
) -> Option<Certificate> {
    let tree = &network.topology.tree;
    let n = tree.len();
    let roots = sources(network);
    let loops = Loops::all(network)?;
    let idle = loops.as_ref().map(|loops| loops.idle(network, &roots));
    // Of loads, which grow with their factor, and of the rest; in units of `e`.
    let mut loads = vec![0.0; n];
    let mut rest = vec![0.0; n];
    for &(root, v) in &roots {
        let same = size(v);
        for k in root as usize..tree.end(root) as usize {
            let e = idle.as_ref().map_or(same, |idle| size(idle[k]));
            let own = network.y[k];
            rest[k] = 0.75 * size(own) * e;
            loads[k] = size(demand.s[k]) / e + 0.75 * size(demand.y[k] - own) * e;
        }
        for &(at, s) in &demand.current[demand.current.partition_point(|one| one.0 < root)..] {
            if at >= tree.end(root) {
                break;
            }
            loads[at as usize] += 0.5 * size(s);
        }
    }
    let mut generators = 0;
    for unknown in network.components.iter().flat_map(|part| &part.unknowns) {
        if let Unknown::Generator { number, at, p, .. } = *unknown {
            generators += 1;
            let given = state.generators.binary_search_by_key(&number, |given| given.0);
            let q = given.map_or(f64::INFINITY, |place| state.generators[place].1);
            let e = idle.as_ref().map_or(roots_voltage(&roots, at), |idle| size(idle[at as usize]));
            rest[at as usize] += p.hypot(q) / e;
        }
    }
    match &loops {
        Some(loops) if loops.work(n) <= EXACT => loops.exact(network, [&mut loads, &mut rest]),
        loops => {
            drops(network, loops.as_ref(), &mut loads);
            drops(network, loops.as_ref(), &mut rest);
        }
    }
    let (mut xi, mut most, mut near) = (0.0f64, f64::INFINITY, true);
    for &(root, v) in &roots {
        for k in root as usize + 1..tree.end(root) as usize {
            let v = idle.as_ref().map_or(v, |idle| idle[k]);
            let e = size(v);
            let (load, other) = (loads[k] / e, rest[k] / e);
            // Written so that what is no number proves nothing.
            xi = if load + other <= xi { xi } else { load + other };
            if load > 0.0 {
                most = most.min((Certificate::LIMIT - other).max(0.0) / load);
            }
            near &= (state.v[k] - v).norm_sqr() <= 0.25 * e * e;
        }
    }
    let xi = if xi.is_nan() { f64::INFINITY } else { xi };
    let factor = (generators == 0).then_some(most * factor.abs());
    Some(Certificate { xi, factor, near, generators })
}

/// The magnitude of the voltage of the source that a position hangs on.
fn roots_voltage(roots: &[(u32, Complex)], at: u32) -> f64 {
    let after = roots.partition_point(|root| root.0 <= at);
    after.checked_sub(1).map_or(0.0, |root| size(roots[root].1))
}

/// Bounds of what currents drop, in the place of the currents.
fn drops(network: &Network<'_>, loops: Option<&Loops<'_>>, currents: &mut [f64]) {
    let mut round = vec![0.0; if loops.is_some() { currents.len() } else { 0 }];
    trees(network, currents);
    if let Some(loops) = loops {
        loops.carry(currents, &mut round);
        trees(network, &mut round);
        currents.iter_mut().zip(&round).for_each(|(drop, more)| *drop += more);
    }
}

/// A leaffix of currents, and a rootfix of what they drop.
fn trees(network: &Network<'_>, of: &mut [f64]) {
    let parents = network.topology.tree.parents();
    for k in (0..of.len()).rev() {
        if parents[k] != NONE {
            of[parents[k] as usize] += of[k];
        }
    }
    for (k, &parent) in parents.iter().enumerate() {
        of[k] = if parent == NONE { 0.0 } else { of[parent as usize] + size(network.z[k]) * of[k] };
    }
}

/// Branches that close loops, part by part.
struct Loops<'a> {
    depths: Depths,
    parts: Vec<Part<'a>>,
}

struct Part<'a> {
    loops: Vec<&'a Unknown>,
    /// The inverse of their system, by rows.
    inverse: Vec<Complex>,
}

impl<'a> Loops<'a> {
    /// Nothing where there are none; no answer where a part has too many.
    fn all(network: &'a Network<'_>) -> Option<Option<Loops<'a>>> {
        let is_loop = |unknown: &&Unknown| matches!(unknown, Unknown::Loop { .. });
        let of = |part: &'a Component| part.unknowns.iter().filter(is_loop);
        if network.components.iter().all(|part| of(part).next().is_none()) {
            return Some(None);
        }
        let depths = Depths::new(network);
        let mut parts = Vec::new();
        for part in &network.components {
            let count = of(part).count();
            if count == 0 {
                continue;
            }
            if count > Certificate::LOOPS {
                return None;
            }
            let own: Vec<Unknown> = of(part).cloned().collect();
            let system = Compensation::new(network, &own, &depths).ok()?;
            let mut inverse = vec![Complex::default(); count * count];
            for column in 0..count {
                let mut unit = vec![0.0; 2 * count];
                unit[2 * column] = 1.0;
                system.solve(&mut unit);
                for (row, x) in unit.chunks_exact(2).enumerate() {
                    inverse[row * count + column] = Complex::new(x[0], x[1]);
                }
            }
            parts.push(Part { loops: of(part).collect(), inverse });
        }
        Some(Some(Loops { depths, parts }))
    }

    /// Voltages without load: sources drive currents through loops where their voltages or the
    /// products of ratios differ.
    fn idle(&self, network: &Network<'_>, roots: &[(u32, Complex)]) -> Vec<Complex> {
        let tree = &network.topology.tree;
        let mut v = vec![Complex::default(); tree.len()];
        for &(root, e) in roots {
            v[root as usize..tree.end(root) as usize].fill(e);
        }
        let mut i = vec![Complex::default(); tree.len()];
        for part in &self.parts {
            let ends = || part.loops.iter().map(|one| ends(one));
            let open = |([f, t], [a, b]): ([usize; 2], [Complex; 2])| a * v[f] + b * v[t];
            let open: Vec<Complex> = ends().map(open).collect();
            let count = part.loops.len();
            for (row, ([f, t], [a, b])) in part.inverse.chunks_exact(count).zip(ends()) {
                let current: Complex = row.iter().zip(&open).map(|(m, open)| m * open).sum();
                i[f] += a.conj() * current;
                i[t] += b.conj() * current;
            }
        }
        for (k, &parent) in tree.parents().iter().enumerate().rev() {
            if parent != NONE {
                let sum = i[k];
                i[parent as usize] += sum;
            }
        }
        for (k, &parent) in tree.parents().iter().enumerate() {
            if parent != NONE {
                v[k] = v[parent as usize] - network.z[k] * i[k];
            }
        }
        v
    }

    fn all_loops(&self) -> impl Iterator<Item = &Unknown> {
        self.parts.iter().flat_map(|part| part.loops.iter().copied())
    }

    /// Operations of [`Loops::exact`].
    fn work(&self, n: usize) -> usize {
        let loops: usize = self.parts.iter().map(|part| part.loops.len()).sum();
        n.saturating_mul(n).saturating_mul(loops + 2)
    }

    /// `|Z| w` in the place of both `w`: with `R` of the forest, `Q = w R` at the ends of loops and
    /// their draws `P`, `Z = R − Pᵀ M⁻¹ Q`.
    fn exact(&self, network: &Network<'_>, weights: [&mut Vec<f64>; 2]) {
        let rows: Vec<Vec<Complex>> = self
            .all_loops()
            .map(|one| {
                let ([f, t], [a, b]) = ends(one);
                let (f, t) = (self.depths.row(network, f), self.depths.row(network, t));
                f.iter().zip(&t).map(|(f, t)| a * f + b * t).collect()
            })
            .collect();
        let given: [Vec<f64>; 2] = [weights[0].clone(), weights[1].clone()];
        let [one, two] = weights;
        for (at, (one, two)) in one.iter_mut().zip(two).enumerate() {
            let mut row = self.depths.row(network, at);
            let mut first = 0;
            for part in &self.parts {
                let count = part.loops.len();
                let draws: Vec<Complex> = part
                    .loops
                    .iter()
                    .map(|one| {
                        let ([f, t], [a, b]) = ends(one);
                        row[f] * a.conj() + row[t] * b.conj()
                    })
                    .collect();
                let factors: Vec<Complex> = (0..count)
                    .map(|column| {
                        (0..count).map(|l| draws[l] * part.inverse[l * count + column]).sum()
                    })
                    .collect();
                // The draws are of the forest's row, which other parts have not changed here.
                for (factor, q) in factors.iter().zip(&rows[first..first + count]) {
                    row.iter_mut().zip(q).for_each(|(z, q)| *z -= factor * q);
                }
                first += count;
            }
            let weighed = |given: &[f64]| row.iter().zip(given).map(|(z, w)| size(*z) * w).sum();
            (*one, *two) = (weighed(&given[0]), weighed(&given[1]));
        }
    }

    /// Adds bounds of the currents that drops of the forest drive through loops.
    fn carry(&self, drops: &[f64], into: &mut [f64]) {
        for part in &self.parts {
            let count = part.loops.len();
            let tops: Vec<Option<u32>> = part
                .loops
                .iter()
                .map(|one| {
                    let [f, t] = ends(one).0;
                    self.depths.lca.query(f as u32, t as u32)
                })
                .collect();
            // What lies above the common ancestor drives a current by the difference of the weights.
            let driven = |(one, top): (&&Unknown, &Option<u32>)| {
                let ([f, t], [a, b]) = ends(one);
                let common = top.map_or(0.0, |top| drops[top as usize]);
                let (f, t) = (drops[f] - common, drops[t] - common);
                size(a) * f + size(b) * t + size(a + b) * common
            };
            let driven: Vec<f64> = part.loops.iter().zip(&tops).map(driven).collect();
            let rows = part.inverse.chunks_exact(count).zip(part.loops.iter().zip(&tops));
            for (row, (one, top)) in rows {
                let current: f64 = row.iter().zip(&driven).map(|(m, b)| size(*m) * b).sum();
                let ([f, t], [a, b]) = ends(one);
                into[f] += size(a) * current;
                into[t] += size(b) * current;
                if let Some(top) = top {
                    into[*top as usize] += (size(a + b) - size(a) - size(b)) * current;
                }
            }
        }
    }
}

/// The positions of a loop's ends, and their weights.
fn ends(one: &Unknown) -> ([usize; 2], [Complex; 2]) {
    match *one {
        Unknown::Loop { ends, weights, .. } => (ends.map(|end| end as usize), weights),
        Unknown::Generator { at, .. } => ([at as usize; 2], [Complex::default(); 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::FlowParams;
    use crate::generate::{FeederShape, feeder};
    use palmette_core::feeder::{BranchKind, Ends};

    /// What two passes bound is above what the entries of `Z` say, and not far in a ring or two.
    #[test]
    fn bounds_are_above_entries() {
        for loops in 1..5u32 {
            let mut made = feeder(&FeederShape { buses: 60, ..FeederShape::default() }).unwrap();
            let all = &mut made.branches;
            for k in 0..loops {
                all.names.push(&format!("loop{k}"));
                all.kind.push(BranchKind::Line);
                all.from.push(7 + 5 * k);
                all.to.push(50 - 9 * k);
                all.z.push(Complex::new(0.01, 0.02));
                all.y.push(Complex::default());
                all.ratio.push(Complex::new(1.0, 0.0));
                all.ends.push(Ends::CLOSED);
                all.length_km.push(1.0);
                all.rated_a.push([f64::INFINITY; 2]);
            }
            let network = Network::new(&made, &FlowParams::default(), None).unwrap();
            let found = Loops::all(&network).unwrap().unwrap();
            let (mut bounds, mut exact) = (vec![1.0; 60], vec![1.0; 60]);
            drops(&network, Some(&found), &mut bounds);
            found.exact(&network, [&mut exact, &mut vec![1.0; 60]]);
            let most = |values: &[f64]| values.iter().fold(0.0f64, |most, x| most.max(*x));
            assert!(most(&exact) > 0.0);
            for (bound, exact) in bounds.iter().zip(&exact) {
                assert!(*bound >= exact * (1.0 - 1e-9), "{bound} {exact}");
            }
            assert!(most(&bounds) < 50.0 * most(&exact), "{loops}");
        }
    }
}
