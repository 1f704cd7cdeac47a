//! Loops of three phases.
//!
//! **Method.** As for one phase, each branch that closes a loop carries an unknown current, here one
//! per phase, and the equation `A V_f − V_t = Z J`. How voltages answer to a current of 1 A is found
//! by a sweep without loads, for each unknown: matrices of transformers have no inverse that would
//! let impedances to common ancestors do it.
//!
//! **Cost.** Three sweeps per loop, and a dense system of six real unknowns per loop.

use super::network::{Branch, PhaseNetwork, branch_kind, branch_name, transformer};
use super::sweep::{product, symmetric, transposed};
use super::{Three, ZERO};
use crate::flow::FlowError;
use crate::flow::dense::Factors;
use palmette_core::NONE;
use palmette_core::feeder::{Complex, Phases, Symmetric};

/// The most loops of one feeder.
const MOST: usize = 500;

/// A branch that closes a loop.
pub(super) struct Loop {
    pub(super) branch: u32,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) a: [[f64; 3]; 3],
    z: Symmetric<Complex>,
    phases: Phases,
}

/// Currents of all loops.
pub(super) struct Compensation {
    pub(super) loops: Vec<Loop>,
    /// The currents towards `to`.
    pub(super) j: Vec<Three>,
    /// Loop and phase by unknown.
    pub(super) unknowns: Vec<(usize, usize)>,
    factors: Factors,
}

impl Compensation {
    /// The system of all loops; none where there are none.
    pub(super) fn new(network: &PhaseNetwork<'_>) -> Result<Option<Compensation>, FlowError> {
        let all = &network.topology.loops;
        if all.is_empty() {
            return Ok(None);
        }
        if all.len() > MOST {
            return Err(FlowError::TooMeshed { unknowns: 6 * all.len(), most: 6 * MOST });
        }
        let loops = all.iter().map(|&k| Loop::new(network, k)).collect::<Result<Vec<_>, _>>()?;
        let unknowns: Vec<(usize, usize)> = loops
            .iter()
            .enumerate()
            .flat_map(|(l, one)| one.phases.iter().map(move |phase| (l, phase)))
            .collect();
        let m = unknowns.len();
        // Complex entries as real blocks of two by two.
        let mut matrix = vec![0.0; 4 * m * m];
        for (column, &(l, phase)) in unknowns.iter().enumerate() {
            let mut unit = ZERO;
            unit[phase] = Complex::new(1.0, 0.0);
            let mut i = vec![ZERO; network.z.len()];
            loops[l].draw(&unit, &mut i);
            let v = answer(network, i);
            for (row, &(of, phase)) in unknowns.iter().enumerate() {
                let one = &loops[of];
                let mut entry = -one.open(&v)[phase];
                if of == l {
                    entry += symmetric(&one.z, &unit)[phase];
                }
                let at = |i: usize, j: usize| (2 * row + i) * 2 * m + 2 * column + j;
                matrix[at(0, 0)] = entry.re;
                matrix[at(0, 1)] = -entry.im;
                matrix[at(1, 0)] = entry.im;
                matrix[at(1, 1)] = entry.re;
            }
        }
        let bus = || network.name(loops[0].from);
        let factors =
            Factors::new(2 * m, matrix).ok_or_else(|| FlowError::Singular { bus: bus() })?;
        Ok(Some(Compensation { j: vec![ZERO; loops.len()], loops, unknowns, factors }))
    }

    /// Puts into `i` what loops draw.
    pub(super) fn draw(&self, i: &mut [Three]) {
        self.loops.iter().zip(&self.j).for_each(|(one, j)| one.draw(j, i));
    }

    /// The magnitudes of the inverse of the system, by rows of unknowns.
    pub(super) fn inverse(&self) -> Vec<f64> {
        let m = self.unknowns.len();
        let mut inverse = vec![0.0; m * m];
        for column in 0..m {
            let mut unit = vec![0.0; 2 * m];
            unit[2 * column] = 1.0;
            self.factors.solve(&mut unit);
            for (row, x) in unit.chunks_exact(2).enumerate() {
                inverse[row * m + column] = x[0].hypot(x[1]);
            }
        }
        inverse
    }

    /// The currents of all loops when nothing else draws any, from the forest's voltages.
    pub(super) fn idle(&self, v: &[Three]) -> Vec<Three> {
        let open: Vec<Three> = self.loops.iter().map(|one| one.open(v)).collect();
        let parts = |&(l, phase): &(usize, usize)| [open[l][phase].re, open[l][phase].im];
        let mut x: Vec<f64> = self.unknowns.iter().flat_map(parts).collect();
        self.factors.solve(&mut x);
        let mut j = vec![ZERO; self.loops.len()];
        for (&(l, phase), x) in self.unknowns.iter().zip(x.chunks_exact(2)) {
            j[l][phase] = Complex::new(x[0], x[1]);
        }
        j
    }

    /// Moves the currents after a sweep; how far the worst equation is from being met, per unit.
    pub(super) fn update(&mut self, network: &PhaseNetwork<'_>, v: &[Three]) -> f64 {
        let missing: Vec<Three> = self
            .loops
            .iter()
            .zip(&self.j)
            .map(|(one, j)| {
                let (open, drop) = (one.open(v), symmetric(&one.z, j));
                std::array::from_fn(|phase| open[phase] - drop[phase])
            })
            .collect();
        let mut worst = 0.0f64;
        let mut step = Vec::with_capacity(2 * self.unknowns.len());
        for &(l, phase) in &self.unknowns {
            let left = missing[l][phase];
            let part = left.norm() * network.scale[self.loops[l].to].sqrt();
            worst = if part <= worst { worst } else { part };
            step.extend([left.re, left.im]);
        }
        self.factors.solve(&mut step);
        for (&(l, phase), step) in self.unknowns.iter().zip(step.chunks_exact(2)) {
            self.j[l][phase] += Complex::new(step[0], step[1]);
        }
        worst
    }
}

impl Loop {
    fn new(network: &PhaseNetwork<'_>, branch: u32) -> Result<Loop, FlowError> {
        let feeder = network.feeder;
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let kind = branch_kind(feeder, branch as usize);
        let (a, z, phases) = match kind {
            Branch::Line(k) => (identity, feeder.lines.z[k], feeder.lines.phases.get(k)),
            Branch::Transformer(k) => {
                let (a, [x, y, z]) = transformer(feeder, k, true)?;
                let zero = Complex::default();
                (a, [x, zero, y, zero, zero, z], feeder.transformers.phases.get(k))
            }
            // The topology leaves out branches with impedance before those without.
            Branch::Switch(_) => {
                let (kind, name) = branch_name(feeder, kind);
                return Err(FlowError::ThreePhaseLoop { kind, name });
            }
        };
        let (from, to) = (network.from[branch as usize], network.to[branch as usize]);
        let (from, to) = (network.position(from), network.position(to));
        Ok(Loop { branch, from, to, a, z, phases })
    }

    pub(super) fn draw(&self, j: &Three, i: &mut [Three]) {
        let back = transposed(&self.a, j);
        for phase in 0..3 {
            i[self.from][phase] += back[phase];
            i[self.to][phase] -= j[phase];
        }
    }

    /// What drives its current: `A V_f − V_t`.
    fn open(&self, v: &[Three]) -> Three {
        let near = product(&self.a, &v[self.from]);
        std::array::from_fn(|phase| near[phase] - v[self.to][phase])
    }
}

/// The change of voltages by currents drawn, without loads.
pub(super) fn answer(network: &PhaseNetwork<'_>, mut i: Vec<Three>) -> Vec<Three> {
    let parents = network.topology.tree.parents();
    let ratio = |k: usize| match network.ratio[k] {
        0 => None,
        at => Some(&network.ratios[at as usize]),
    };
    for (k, &parent) in parents.iter().enumerate().rev() {
        if parent != NONE {
            let sum = ratio(k).map_or(i[k], |a| transposed(a, &i[k]));
            (0..3).for_each(|phase| i[parent as usize][phase] += sum[phase]);
        }
    }
    let mut v = vec![ZERO; i.len()];
    for (k, &parent) in parents.iter().enumerate() {
        if parent != NONE {
            let up = v[parent as usize];
            let (up, drop) =
                (ratio(k).map_or(up, |a| product(a, &up)), symmetric(&network.z[k], &i[k]));
            v[k] = std::array::from_fn(|phase| up[phase] - drop[phase]);
        }
    }
    v
}
