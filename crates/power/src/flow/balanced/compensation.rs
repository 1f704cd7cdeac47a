//! Loops and generators that hold voltages, as unknown currents that compensate.
//!
//! **Problem.** Sweeps know trees and given powers. A branch that closes a loop carries a current
//! that makes the voltages of its ends fit; a generator gives the reactive power that makes its
//! voltage the given one.
//!
//! **Method.** Each unknown number `x` draws `c x` at one or two buses and has an equation that is
//! linear in voltages, `Re(Σ w V) + …`, up to how far it is met: a loop has two (real and
//! imaginary part of `α V_f − β V_t − z J`), a generator one (`V_set − |V|`). With
//! `R(u, v)`, the impedance from the root to the lowest common ancestor (none across roots),
//! entry `Re(w R c)` of a dense matrix says how much an equation changes by an unknown. After
//! each sweep the unknowns are moved by its inverse times what is missing: one factorisation in all,
//! no inner iteration. A generator at a limit of its reactive power leaves the system, and returns
//! when its voltage asks for it.
//!
//! **Cost.** `U²` queries of ancestors and `U³/3` once for `U` unknowns, `U²` per sweep.
//!
//! **Reference.** D. Shirmohammadi et al., 1988.

use super::Network;
use crate::flow::FlowError;
use crate::flow::dense::Factors;
use palmette_core::NONE;
use palmette_core::feeder::Complex;
use palmette_tree::lca::Lca;

/// The most unknown numbers of one part: a matrix of 200 MB.
const MOST: usize = 5000;

/// A linear form: positions with their factors.
type Terms = [(u32, Complex); 2];

/// One loop or generator.
#[derive(Debug, Clone)]
pub(in crate::flow) enum Unknown {
    /// A branch that closes a loop: `α V_f − β V_t = z J`, which draws `conj α J` at `f` and
    /// `−conj β J` at `t`.
    Loop {
        /// The branch.
        branch: u32,
        /// Positions of its ends.
        ends: [u32; 2],
        /// `α` and `−β`.
        weights: [Complex; 2],
        /// Its impedance.
        z: Complex,
    },
    /// A generator.
    Generator {
        /// Its number.
        number: u32,
        /// Its position.
        at: u32,
        /// The direction of the source's voltage.
        direction: Complex,
        /// Its voltage in the frame without ratios.
        v_set: f64,
        /// Active power, per unit.
        p: f64,
        /// Limits of reactive power, per unit.
        q: [f64; 2],
    },
}

impl Unknown {
    /// The positions that it touches.
    pub(super) fn positions(&self) -> impl Iterator<Item = u32> + use<> {
        let ends = match *self {
            Unknown::Loop { ends, .. } => ends,
            Unknown::Generator { at, .. } => [at, at],
        };
        ends.into_iter()
    }

    /// Its equations, as weights of voltages, and what one unit of each of its numbers draws.
    fn rows(&self) -> Vec<(Terms, Terms)> {
        let j = Complex::new(0.0, 1.0);
        match *self {
            Unknown::Loop { ends: [f, t], weights: [a, b], .. } => vec![
                ([(f, a), (t, b)], [(f, a.conj()), (t, b.conj())]),
                ([(f, -j * a), (t, -j * b)], [(f, j * a.conj()), (t, j * b.conj())]),
            ],
            Unknown::Generator { at, direction, v_set, .. } => {
                let nothing = (at, Complex::default());
                vec![([(at, -direction.conj()), nothing], [(at, j * direction / v_set), nothing])]
            }
        }
    }
}

/// All loops and generators of a network.
pub(super) fn unknowns(network: &Network<'_>) -> Vec<Unknown> {
    let branches = &network.feeder.branches;
    let mut all = Vec::new();
    for &branch in &network.topology.loops {
        let k = branch as usize;
        let (f, t) = (network.position(branches.from[k]), network.position(branches.to[k]));
        let weights = [(network.turn(f) * branches.ratio.get(k)).inv(), -network.turn(t).inv()];
        let ends = [f as u32, t as u32];
        all.push(Unknown::Loop { branch, ends, weights, z: branches.z[k] });
    }
    let held = &network.feeder.generators;
    let base = network.feeder.base_mva;
    let source = sources(network);
    for (number, &bus) in held.bus.iter().enumerate() {
        let at = network.position(bus);
        let before = source.partition_point(|source| source.0 as usize <= at);
        let Some((root, e)) = before.checked_sub(1).map(|root| source[root]) else { continue };
        if at >= network.topology.tree.end(root) as usize {
            // Without supply.
            continue;
        }
        all.push(Unknown::Generator {
            number: number as u32,
            at: at as u32,
            direction: e / e.norm(),
            v_set: held.v_set[number] * network.turn(at).norm(),
            p: held.p_mw[number] / base,
            q: held.q_mvar.get(number).map(|limit| limit / base),
        });
    }
    all
}

/// Roots that are sources, in ascending order of positions, with their voltages.
pub(in crate::flow) fn sources(network: &Network<'_>) -> Vec<(u32, Complex)> {
    let all = &network.feeder.sources;
    let mut found: Vec<(u32, Complex)> =
        all.bus.iter().zip(&all.v).map(|(&bus, &v)| (network.position(bus) as u32, v)).collect();
    found.sort_by_key(|source| source.0);
    found
}

/// The dense system of a part, and its unknowns.
pub(super) struct Compensation<'a> {
    unknowns: &'a [Unknown],
    /// By unknown, its first number among `x`.
    first: Vec<usize>,
    /// Currents of loops, reactive powers of generators.
    pub(super) x: Vec<f64>,
    matrix: Vec<f64>,
    /// Numbers that are free to move, and the factors of their part of the matrix.
    free: Vec<bool>,
    factors: Factors,
    /// How often generators may still reach or leave a limit.
    changes: usize,
}

/// Impedances from the root.
pub(super) struct Depths {
    pub(super) lca: Lca,
    z: Vec<Complex>,
}

impl Depths {
    pub(super) fn new(network: &Network<'_>) -> Depths {
        let tree = &network.topology.tree;
        let mut z = network.z.clone();
        for (k, &parent) in tree.parents().iter().enumerate() {
            z[k] = if parent == NONE { Complex::default() } else { z[k] + z[parent as usize] };
        }
        Depths { lca: Lca::new(tree), z }
    }

    /// Impedances from the root to the lowest common ancestors of a position with all others.
    pub(super) fn row(&self, network: &Network<'_>, of: usize) -> Vec<Complex> {
        let parents = network.topology.tree.parents();
        let mut row = vec![Complex::default(); parents.len()];
        let mut above = vec![of];
        while let Some(&parent) = above.last().map(|&at| &parents[at]).filter(|&&p| p != NONE) {
            above.push(parent as usize);
        }
        above.iter().for_each(|&at| row[at] = self.z[at]);
        let mut next = above.iter().rev().peekable();
        for (k, &parent) in parents.iter().enumerate() {
            if next.next_if(|&&at| at == k).is_none() && parent != NONE {
                row[k] = row[parent as usize];
            }
        }
        row
    }

    fn common(&self, u: u32, v: u32) -> Complex {
        self.lca.query(u, v).map_or_else(Complex::default, |top| self.z[top as usize])
    }
}

impl<'a> Compensation<'a> {
    pub(super) fn new(
        network: &Network<'_>,
        unknowns: &'a [Unknown],
        depths: &Depths,
    ) -> Result<Compensation<'a>, FlowError> {
        let mut first = Vec::with_capacity(unknowns.len());
        let mut rows = Vec::new();
        for unknown in unknowns {
            first.push(rows.len());
            rows.extend(unknown.rows());
        }
        let m = rows.len();
        if m > MOST {
            return Err(FlowError::TooMeshed { unknowns: m, most: MOST });
        }
        let mut matrix = vec![0.0; m * m];
        for (i, (weights, _)) in rows.iter().enumerate() {
            for (j, (_, drawn)) in rows.iter().enumerate() {
                for &(u, w) in weights {
                    for &(v, c) in drawn {
                        matrix[i * m + j] += (w * depths.common(u, v) * c).re;
                    }
                }
            }
        }
        for (unknown, &at) in unknowns.iter().zip(&first) {
            if let Unknown::Loop { z, .. } = unknown {
                let mut add =
                    |i: usize, j: usize, value: f64| matrix[(at + i) * m + at + j] += value;
                add(0, 0, z.re);
                add(0, 1, -z.im);
                add(1, 0, z.im);
                add(1, 1, z.re);
            }
        }
        let free = vec![true; m];
        let factors = factor(&matrix, &free);
        let factors = factors.ok_or_else(|| FlowError::Singular {
            bus: network.name(unknowns[0].positions().next().unwrap_or(0) as usize),
        })?;
        let changes = 4 * unknowns.len();
        Ok(Compensation { unknowns, first, x: vec![0.0; m], matrix, free, factors, changes })
    }

    /// Solves its system in place, of all numbers.
    pub(super) fn solve(&self, b: &mut [f64]) {
        self.factors.solve(b);
    }

    /// Sets the numbers that are free to move.
    pub(super) fn set(&mut self, mut next: impl FnMut() -> f64) {
        for (x, &free) in self.x.iter_mut().zip(&self.free) {
            let value = next();
            *x = if free { value } else { *x };
        }
    }

    /// Puts into `i` what loops and generators draw.
    pub(super) fn draw(&self, v: &[Complex], i: &mut [Complex]) {
        for (unknown, &at) in self.unknowns.iter().zip(&self.first) {
            match *unknown {
                Unknown::Loop { ends: [f, t], weights: [a, b], .. } => {
                    let current = Complex::new(self.x[at], self.x[at + 1]);
                    i[f as usize] += a.conj() * current;
                    i[t as usize] += b.conj() * current;
                }
                Unknown::Generator { at: bus, p, .. } => {
                    let power = Complex::new(p, self.x[at]);
                    i[bus as usize] -= (power / v[bus as usize]).conj();
                }
            }
        }
    }

    /// Moves the unknowns after a sweep; how far the worst equation is from being met.
    pub(super) fn update(&mut self, v: &[Complex]) -> f64 {
        let mut missing = vec![0.0; self.x.len()];
        for (unknown, &at) in self.unknowns.iter().zip(&self.first) {
            match *unknown {
                Unknown::Loop { ends: [f, t], weights: [a, b], z, .. } => {
                    let current = Complex::new(self.x[at], self.x[at + 1]);
                    let left = a * v[f as usize] + b * v[t as usize] - z * current;
                    (missing[at], missing[at + 1]) = (left.re, left.im);
                }
                Unknown::Generator { at: bus, v_set, .. } => {
                    missing[at] = v_set - v[bus as usize].norm();
                }
            }
        }
        let worst = |missing: &[f64], free: &[bool]| {
            let of = missing.iter().zip(free).filter(|entry| *entry.1);
            of.fold(0.0f64, |most, (left, _)| if left.abs() <= most { most } else { left.abs() })
        };
        let before = worst(&missing, &self.free);
        if before < 1e-3 {
            self.return_from_limits(&missing);
        }
        let error = worst(&missing, &self.free);
        loop {
            let mut step: Vec<f64> = chosen(&missing, &self.free);
            self.factors.solve(&mut step);
            let mut steps = step.into_iter();
            let mut next = self.x.clone();
            for (x, _) in next.iter_mut().zip(&self.free).filter(|entry| *entry.1) {
                *x += steps.next().unwrap_or(0.0);
            }
            if before >= 1e-3 || !self.clamp(&mut next) {
                self.x = next;
                return error;
            }
        }
    }

    /// Lets generators move again whose voltage says that they need not stay at their limit.
    fn return_from_limits(&mut self, missing: &[f64]) {
        let mut changed = false;
        for (unknown, &at) in self.unknowns.iter().zip(&self.first) {
            if let Unknown::Generator { q: [low, high], .. } = *unknown {
                let back = (self.x[at] >= high && missing[at] < 0.0)
                    || (self.x[at] <= low && missing[at] > 0.0);
                if !self.free[at] && back && self.changes > 0 {
                    self.changes -= 1;
                    self.free[at] = true;
                    changed = true;
                }
            }
        }
        if changed && let Some(factors) = factor(&self.matrix, &self.free) {
            self.factors = factors;
        }
    }

    /// Fixes generators that would exceed a limit there; whether there was one.
    fn clamp(&mut self, next: &mut [f64]) -> bool {
        let mut changed = false;
        for (unknown, &at) in self.unknowns.iter().zip(&self.first) {
            if let Unknown::Generator { q: [low, high], .. } = *unknown {
                let limited = next[at].clamp(low, high);
                if self.free[at] && limited != next[at] {
                    self.x[at] = limited;
                    self.free[at] = false;
                    changed = true;
                }
            }
        }
        if changed && let Some(factors) = factor(&self.matrix, &self.free) {
            self.factors = factors;
        }
        changed
    }

    /// Adds the current of each loop, and the reactive power of each generator with whether it is
    /// at a limit.
    pub(super) fn report(
        &self,
        loops: &mut Vec<(u32, Complex)>,
        generators: &mut Vec<(u32, f64, bool)>,
    ) {
        for (unknown, &at) in self.unknowns.iter().zip(&self.first) {
            match *unknown {
                Unknown::Loop { branch, .. } => {
                    loops.push((branch, Complex::new(self.x[at], self.x[at + 1])));
                }
                Unknown::Generator { number, .. } => {
                    generators.push((number, self.x[at], !self.free[at]));
                }
            }
        }
    }
}

/// The entries whose number is free.
fn chosen(values: &[f64], free: &[bool]) -> Vec<f64> {
    values.iter().zip(free).filter(|entry| *entry.1).map(|entry| *entry.0).collect()
}

fn factor(matrix: &[f64], free: &[bool]) -> Option<Factors> {
    let rows = matrix.chunks_exact(free.len().max(1)).zip(free).filter(|row| *row.1);
    let part: Vec<f64> = rows.flat_map(|(row, _)| chosen(row, free)).collect();
    Factors::new(free.iter().filter(|&&free| free).count(), part)
}
