//! The factor: unit lower triangular columns and a diagonal, `M = L D Lᵀ`.
//!
//! **Form.** The column of a vertex that went with neighbours of weights `w`, together
//! `W`, has the fractions `w / W` (with a minus sign that is left out) below its 1, and
//! `W` on the diagonal. Fractions are multiples of 2⁻²⁴, so that `f32` holds them
//! exactly, and add up to exactly 1: constants stay in the null space, however small the
//! other eigenvalues are.
//!
//! **Cost.** 8 bytes an entry and 16 a column; a solve reads all twice.

use super::sample::Neighbour;

/// Grains in 1; fractions are whole numbers of grains.
const GRAINS: f64 = (1u64 << 24) as f64;

/// Columns in the order of elimination.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    /// Where each column begins; one more for the end.
    offsets: Vec<usize>,
    entries: Vec<(u32, f32)>,
    /// By column, one over the diagonal; 0 where a component ends.
    inverse: Vec<f64>,
}

impl Columns {
    /// No columns, with room for some.
    pub(super) fn with_capacity(columns: usize) -> Self {
        let mut offsets = Vec::with_capacity(columns + 1);
        offsets.push(0);
        Columns {
            offsets,
            entries: Vec::with_capacity(4 * columns),
            inverse: Vec::with_capacity(columns),
        }
    }

    /// Adds the column of a vertex with these neighbours, the lightest first, except those
    /// from `silent` on. `sums` are running sums of their weights.
    ///
    /// Sums are rounded, not weights, so that errors of many neighbours do not pile up; as
    /// weights rise, who gets a whole grain has a fair share of it.
    pub(super) fn push(
        &mut self,
        neighbours: &[Neighbour],
        sums: &[f64],
        scale: f64,
        silent: usize,
    ) {
        let total = sums.last().copied().unwrap_or(0.0);
        let grains = GRAINS / total;
        let mut before = 0.0;
        for (neighbour, sum) in neighbours.iter().zip(sums) {
            let now = (sum * grains).round();
            let fraction = (now - before) * (1.0 / GRAINS);
            before = now;
            if fraction > 0.0 && (neighbour.id as usize) < silent {
                self.entries.push((neighbour.id, fraction as f32));
            }
        }
        self.offsets.push(self.entries.len());
        self.inverse.push(if neighbours.is_empty() { 0.0 } else { scale / total });
    }

    /// From vertices to positions in the order; larger numbers stay.
    pub(super) fn renumber(&mut self, order: &[u32]) {
        let mut position = vec![0; order.len()];
        for (p, &v) in order.iter().enumerate() {
            position[v as usize] = p as u32;
        }
        for (id, _) in &mut self.entries {
            *id = position.get(*id as usize).copied().unwrap_or(*id);
        }
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.inverse.len()
    }

    /// The number of entries below the diagonal.
    pub(super) fn entries(&self) -> usize {
        self.entries.len()
    }

    /// `y ← L⁻¹ y`; `y` has more places than there are columns where vertices are fixed,
    /// and these collect what flows to them.
    pub(super) fn forward(&self, y: &mut [f64]) {
        for (v, range) in self.offsets.windows(2).enumerate() {
            let flow = y[v];
            for &(u, fraction) in &self.entries[range[0]..range[1]] {
                y[u as usize] += f64::from(fraction) * flow;
            }
        }
    }

    /// `y ← L⁻ᵀ D⁻¹ y`; what fixed vertices have is given.
    pub(super) fn backward(&self, y: &mut [f64]) {
        for (v, range) in self.offsets.windows(2).enumerate().rev() {
            let mut sum = y[v] * self.inverse[v];
            for &(u, fraction) in &self.entries[range[0]..range[1]] {
                sum += f64::from(fraction) * y[u as usize];
            }
            y[v] = sum;
        }
    }
}
