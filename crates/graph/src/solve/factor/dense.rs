//! Dense parts of a sparse factor.
//!
//! **Problem.** A panel: the columns of a supernode, factored in place; and the product of its
//! lower part with itself, which is what it takes from the rest of the matrix.
//!
//! **Method.** A panel is cut in two: the left half is factored, its product is taken from the
//! right half, and that is factored; down to eight columns, which are eliminated one by one.
//! Products are cut into [tiles](super::kernel). The operands of large ones are first copied
//! in the order in which tiles read them.
//!
//! **Determinism.** The same bits however work is cut (see [`kernel`](super::kernel)).
//!
//! **Reference.** Goto and van de Geijn, *Anatomy of high-performance matrix multiplication*,
//! 2008; Toledo, *Locality of reference in LU decomposition*, 1997.

use super::kernel::{Isa, Product};
use super::small;

/// Columns of one block of a [triangle](Target::Triangle). A multiple of the rows and columns of
/// all tiles, so that no tile lies in two.
pub(super) const BLOCK: usize = 48;

/// Columns that are eliminated one by one.
const FEW: usize = small::MOST;

/// Entries of `A` from which on operands are copied: they no longer fit in the fast caches.
pub(super) const LARGE: usize = 1 << 15;

/// Columns and rows of the part of `A` that is copied at once; a multiple of tiles' rows.
const DEPTH: usize = 256;
const HEIGHT: usize = 144;

/// Bytes that copies take at most for panels with this many rows.
pub(super) fn copies(rows: usize) -> u64 {
    ((rows + HEIGHT + BLOCK) * DEPTH * 8) as u64
}

/// Where a product goes: the lower triangle and what is below.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// Columns that are this far apart.
    Panel(usize),
    /// A lower triangle with this many rows, in blocks of columns, each without the rows above
    /// its own.
    Triangle(usize),
}

impl Target {
    /// Where row 0 of a column would be (maybe before the start), and how far the next column of
    /// the same block is from there.
    pub(super) fn column(self, j: usize) -> (isize, usize) {
        match self {
            Target::Panel(stride) => ((j * stride) as isize, stride),
            Target::Triangle(rows) => {
                let above = j - j % BLOCK;
                let stride = rows - above;
                let before =
                    (above * rows) as isize - (above * above.saturating_sub(BLOCK) / 2) as isize;
                (before + ((j - above) * stride) as isize - above as isize, stride)
            }
        }
    }
}

/// The entries that a [`Target::Triangle`] takes.
pub(super) fn triangle(rows: usize) -> usize {
    let blocks = rows / BLOCK;
    let whole = BLOCK * (blocks * rows - BLOCK * (blocks * blocks.saturating_sub(1) / 2));
    let rest = rows - blocks * BLOCK;
    whole + rest * rest
}

/// Factors panels; keeps the memory for copies.
#[derive(Debug)]
pub(super) struct Dense {
    isa: Isa,
    a: Vec<f64>,
    b: Vec<f64>,
}

/// A pivot in this column is not a positive number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadPivot(pub(super) usize);

impl Dense {
    pub(super) fn new(isa: Isa) -> Self {
        Dense { isa, a: Vec::new(), b: Vec::new() }
    }

    /// Factors a panel of `m` rows and `columns` columns that are `stride` apart. One over each
    /// pivot's root is left on the diagonal; what is above it has no meaning.
    pub(super) fn factor(
        &mut self,
        panel: &mut [f64],
        stride: usize,
        m: usize,
        columns: usize,
    ) -> Result<(), BadPivot> {
        if columns <= FEW {
            return small::factor(self.isa, panel, stride, m, columns);
        }
        let half = (columns / 2).next_multiple_of(FEW);
        self.factor(panel, stride, m, half)?;
        let (left, right) = panel.split_at_mut(half * stride);
        let right = &mut right[half..];
        let (m, rest) = (m - half, columns - half);
        self.subtract(right, Target::Panel(stride), &left[half..], stride, [m, rest, half], false);
        self.factor(right, stride, m, rest).map_err(|BadPivot(k)| BadPivot(half + k))
    }

    /// Subtracts `A Bᵀ` from `m` rows and `n` columns, where `B` is the first `n` rows of `A`, and
    /// `A` has `k` columns. Of the part above the diagonal, some is made too.
    pub(super) fn subtract(
        &mut self,
        c: &mut [f64],
        target: Target,
        a: &[f64],
        stride: usize,
        [m, n, k]: [usize; 3],
        fresh: bool,
    ) {
        if m * k >= LARGE && n > 2 * self.isa.columns() {
            self.subtract_copied(c, target, a, stride, [m, n, k], fresh);
            return;
        }
        let (step, width) = (self.isa.rows(), self.isa.columns());
        for j in (0..n).step_by(width) {
            let (at, c_stride) = target.column(j);
            let (a_stride, b_stride, b) = (stride, stride, &a[j..]);
            let (m, n) = (m - j, width.min(n - j));
            let product = Product { a: b, step, a_stride, b, b_stride, m, n, k, fresh };
            self.isa.subtract(&product, &mut c[(at + j as isize) as usize..], c_stride);
        }
    }

    fn subtract_copied(
        &mut self,
        c: &mut [f64],
        target: Target,
        a: &[f64],
        stride: usize,
        [m, n, k]: [usize; 3],
        fresh: bool,
    ) {
        let (rows, width) = (self.isa.rows(), self.isa.columns());
        for first in (0..k).step_by(DEPTH) {
            let k = DEPTH.min(k - first);
            let a = &a[first * stride..];
            copy(&mut self.b, a, stride, [n, k], width);
            for top in (0..m).step_by(HEIGHT) {
                let height = HEIGHT.min(m - top);
                copy(&mut self.a, &a[top..], stride, [height, k], rows);
                for j in (0..n.min(top + height)).step_by(width) {
                    // From the tile on that the diagonal crosses.
                    let skip = j.saturating_sub(top) / rows * rows;
                    let (at, c_stride) = target.column(j);
                    let product = Product {
                        a: &self.a[skip * k..],
                        step: rows * k,
                        a_stride: rows,
                        b: &self.b[j * k..],
                        b_stride: width,
                        m: height - skip,
                        n: width.min(n - j),
                        k,
                        fresh: fresh && first == 0,
                    };
                    let at = at + (top + skip) as isize;
                    self.isa.subtract(&product, &mut c[at as usize..], c_stride);
                }
            }
        }
    }
}

/// Copies groups of `width` rows one after the other, each by columns.
fn copy(to: &mut Vec<f64>, a: &[f64], stride: usize, [m, k]: [usize; 2], width: usize) {
    let needed = m.next_multiple_of(width) * k;
    if to.len() < needed {
        to.resize(needed, 0.0);
    }
    for (group, to) in to.chunks_exact_mut(width * k).take(m.div_ceil(width)).enumerate() {
        let rows = width.min(m - group * width);
        for (column, to) in to.chunks_exact_mut(width).enumerate() {
            to[..rows].copy_from_slice(&a[column * stride + group * width..][..rows]);
        }
    }
}
