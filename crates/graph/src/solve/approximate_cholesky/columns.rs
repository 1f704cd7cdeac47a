//! The factor: unit lower triangular columns and a diagonal, `M = L D Lᵀ`.
//!
//! **Form.** The column of a vertex that went with neighbours of weights `w`, together
//! `W`, has the fractions `w / W` (with a minus sign that is left out) below its 1, and
//! `W` on the diagonal. Fractions are multiples of 2⁻²⁴, so that `f32` holds them
//! exactly, and add up to exactly 1: constants stay in the null space, however small the
//! other eigenvalues are.
//!
//! **Cost.** 8 bytes per entry and 16 per column; a solve reads all twice.

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
    /// More than every number in entries and than that of columns.
    reach: usize,
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
            reach: columns,
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
                self.reach = self.reach.max(neighbour.id as usize + 1);
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
        self.reach = self.reach.max(order.len());
        self.entries.shrink_to_fit();
        for (id, _) in &mut self.entries {
            *id = position.get(*id as usize).copied().unwrap_or(*id);
        }
    }

    /// The number of entries below the diagonal.
    pub(super) fn entries(&self) -> usize {
        self.entries.len()
    }

    /// The memory that columns take.
    pub(super) fn bytes(&self) -> usize {
        8 * (self.entries.capacity() + self.offsets.capacity() + self.inverse.capacity())
    }

    /// `y ← L⁻¹ y`; `y` has more places than there are columns where vertices are fixed,
    /// and these collect what flows to them.
    pub(super) fn forward(&self, y: &mut [f64]) {
        assert!(y.len() >= self.reach, "a place for every number");
        let mut rest = &self.entries[..];
        for (v, range) in self.offsets.windows(2).enumerate() {
            let column;
            (column, rest) = rest.split_at(range[1] - range[0]);
            let flow = y[v];
            for &(u, fraction) in column {
                // SAFETY: every number in entries is below `reach`, which `y` has.
                *unsafe { y.get_unchecked_mut(u as usize) } += f64::from(fraction) * flow;
            }
        }
    }

    /// `y ← L⁻ᵀ D⁻¹ y`; what fixed vertices have is given.
    pub(super) fn backward(&self, y: &mut [f64]) {
        assert!(y.len() >= self.reach, "a place for every number");
        let mut rest = &self.entries[..];
        for (v, range) in self.offsets.windows(2).enumerate().rev() {
            let column;
            (rest, column) = rest.split_at(rest.len() - (range[1] - range[0]));
            let mut sum = y[v] * self.inverse[v];
            for &(u, fraction) in column {
                // SAFETY: as above.
                sum += f64::from(fraction) * unsafe { y.get_unchecked(u as usize) };
            }
            y[v] = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(weights: &[f64], silent: usize) -> Columns {
        let mut columns = Columns::with_capacity(1);
        let mut sum = 0.0;
        let (mut neighbours, mut sums) = (Vec::new(), Vec::new());
        for (id, &weight) in weights.iter().enumerate() {
            neighbours.push(Neighbour { id: id as u32 + 1, copies: 1, weight });
            sum += weight;
            sums.push(sum);
        }
        columns.push(&neighbours, &sums, 4.0, silent);
        columns
    }

    #[test]
    fn fractions_add_up_to_one() {
        let many = vec![0.3; 100_000];
        let uneven: Vec<f64> = (0..60).map(|i| 1.7f64.powi(i)).collect();
        for weights in [&[2.0][..], &[1.0, 3.0], &[1e-12, 1e-9, 1.0, 1.0, 1e9], &many, &uneven] {
            let columns = column(weights, usize::MAX);
            let total: f64 = weights.iter().sum();
            let sum: f64 = columns.entries.iter().map(|e| f64::from(e.1)).sum();
            assert_eq!(sum, 1.0);
            for &(id, fraction) in &columns.entries {
                let exact = weights[id as usize - 1] / total;
                assert!((f64::from(fraction) - exact).abs() <= 1.0 / GRAINS, "{fraction} {exact}");
            }
            assert!((columns.inverse[0] * total - 4.0).abs() < 1e-6);
        }
    }

    #[test]
    fn silent_neighbours_have_no_entries() {
        let columns = column(&[1.0, 1.0, 2.0], 3);
        assert_eq!(columns.entries, [(1, 0.25), (2, 0.25)]);
        assert_eq!((columns.inverse[0], columns.entries()), (1.0, 2));
        assert_eq!(column(&[], 3).inverse, [0.0]);
    }

    #[test]
    fn solves_undo_products() {
        // A path 0 - 1 - 2 with weights 2 and 4, and the last vertex fixed.
        let mut columns = Columns::with_capacity(2);
        for (id, weight) in [(1, 2.0), (2, 4.0)] {
            columns.push(&[Neighbour { id, copies: 1, weight }], &[weight], 1.0, usize::MAX);
        }
        columns.renumber(&[0, 1]);
        let mut y = [1.0, 0.0, 0.0];
        columns.forward(&mut y);
        assert_eq!(y, [1.0, 1.0, 1.0]);
        y[2] = 10.0;
        columns.backward(&mut y);
        assert_eq!(y, [10.75, 10.25, 10.0]);
    }
}
