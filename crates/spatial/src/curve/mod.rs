//! Space-filling curves: an order of the cells of a grid in which neighbours in the
//! order are near in the plane.
//!
//! **Problem.** Input: a curve and its grid, an index or a cell. Output: the cell of
//! the index, the index of the cell; single, for many at once, for consecutive indices.
//!
//! **Method.** Most curves are automata that read digits from the most significant
//! ([`Hilbert`](CurveKind::Hilbert), [`Moore`](CurveKind::Moore), βΩ): tables made at
//! compile time take four levels per lookup. Peano's curve and the H-index have
//! more structure, so that all levels are found independently. The generalised
//! Hilbert curve descends through its parts. Nothing is kept but the kind and the grid.
//!
//! **Cost.** O(log side) for one index or cell, with 4 (Peano: 3) levels per step; O(1) per cell
//! for consecutive indices. For the worst case of distance / √(difference of indices) over all
//! pairs: Hilbert, Moore and βΩ tend to 3 (Hilbert: distance ≤ 3√j − 2), the H-index to 2√2, Peano
//! to √(10 + 2/3); the generalised Hilbert curve has about 3 when its grid is near a square;
//! Z-order and rows have no bound.
//!
//! **Reference.** R. Niedermeier, K. Reinhardt, P. Sanders, "Towards optimal locality in
//! mesh-indexings", 2002; J.-M. Wierum, "Definition of a new circular space-filling
//! curve: βΩ-indexing", 2002; M. Bader, "Space-Filling Curves", 2013.

mod bits;
mod error;
mod gilbert;
mod h_index;
mod kind;
mod peano;
mod quad;
mod rows;
mod states;
#[cfg(test)]
mod tests;
mod walk;

pub use error::CurveError;
pub use kind::CurveKind;

use crate::cell::{Cell, Grid};
use walk::Walk;

/// How many items of a batch are checked before they are converted.
const CHECKED: usize = 512;

/// A curve on a grid: a one-to-one map between indices and cells.
///
/// It is small, and its maps are pure: batches can be split among threads at will.
///
/// ```
/// use palmette_spatial::{Cell, curve::CurveKind};
///
/// let curve = CurveKind::Hilbert.fitting(10)?;
/// assert_eq!(curve.grid().to_string(), "4x4");
/// assert_eq!(curve.cell(15), Cell { x: 3, y: 0 });
/// assert_eq!(curve.index(Cell { x: 3, y: 0 }), 15);
///
/// let mut cells = [Cell::default(); 4];
/// curve.cells(2, &mut cells);
/// assert!(cells.windows(2).all(|pair| pair[0].distance(pair[1]) == 1));
/// # Ok::<(), palmette_spatial::curve::CurveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Curve {
    kind: CurveKind,
    grid: Grid,
}

/// Evaluates an expression with the engine of a curve, once for each type of engine.
macro_rules! with_engine {
    ($curve:expr, $engine:ident => $body:expr) => {{
        let Grid { width, height } = $curve.grid;
        let order = width.trailing_zeros();
        match $curve.kind {
            CurveKind::Hilbert => with_engine!(quad::hilbert(order), $engine, $body),
            CurveKind::Moore => with_engine!(quad::moore(order), $engine, $body),
            CurveKind::Z => with_engine!(bits::Z, $engine, $body),
            CurveKind::Peano => with_engine!(peano::Peano, $engine, $body),
            CurveKind::BetaOmega => with_engine!(quad::beta_omega(order), $engine, $body),
            CurveKind::BetaOmegaClosed => {
                with_engine!(quad::beta_omega_closed(order), $engine, $body)
            }
            CurveKind::HIndex => with_engine!(h_index::HIndex::new(order), $engine, $body),
            CurveKind::Gilbert => {
                with_engine!(gilbert::Gilbert { width, height }, $engine, $body)
            }
            CurveKind::RowMajor => with_engine!(rows::Rows::<false> { width }, $engine, $body),
            CurveKind::Serpentine => with_engine!(rows::Rows::<true> { width }, $engine, $body),
        }
    }};
    ($value:expr, $engine:ident, $body:expr) => {{
        let $engine = $value;
        $body
    }};
}

impl Curve {
    /// Which curve.
    #[inline]
    pub fn kind(&self) -> CurveKind {
        self.kind
    }

    /// The grid it fills.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The number of cells.
    #[inline]
    pub fn len(&self) -> u64 {
        self.grid.len()
    }

    /// Never: every curve has a cell.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.grid.is_empty()
    }

    /// The cell of an index.
    ///
    /// # Panics
    /// When the index is not less than [`len`](Curve::len).
    #[inline]
    pub fn cell(&self, index: u64) -> Cell {
        self.check_index(index);
        with_engine!(self, engine => engine.cell(index))
    }

    /// The index of a cell.
    ///
    /// # Panics
    /// When the cell is outside the [`grid`](Curve::grid).
    #[inline]
    pub fn index(&self, cell: Cell) -> u64 {
        self.check_cell(cell);
        with_engine!(self, engine => engine.index(cell))
    }

    /// The cells of the consecutive indices from `first` on.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn cells(&self, first: u64, out: &mut [Cell]) {
        if let Some(more) = (out.len() as u64).checked_sub(1) {
            self.check_index(first.saturating_add(more));
            with_engine!(self, engine => engine.cells(first, out));
        }
    }

    /// The cells of some indices.
    ///
    /// # Panics
    /// When the slices differ in length, or as [`cell`](Curve::cell) does.
    pub fn cells_at(&self, indices: &[u64], out: &mut [Cell]) {
        assert_eq!(indices.len(), out.len(), "one cell for each index");
        for (indices, out) in indices.chunks(CHECKED).zip(out.chunks_mut(CHECKED)) {
            self.check_index(indices.iter().fold(0, |most, &index| most.max(index)));
            with_engine!(self, engine => engine.cells_at(indices, out));
        }
    }

    /// The indices of some cells.
    ///
    /// # Panics
    /// When the slices differ in length, or as [`index`](Curve::index) does.
    pub fn indices_at(&self, cells: &[Cell], out: &mut [u64]) {
        assert_eq!(cells.len(), out.len(), "one index for each cell");
        for (cells, out) in cells.chunks(CHECKED).zip(out.chunks_mut(CHECKED)) {
            if !cells.iter().fold(true, |inside, &cell| inside & self.grid.contains(cell)) {
                cells.iter().for_each(|&cell| self.check_cell(cell));
            }
            with_engine!(self, engine => engine.indices_at(cells, out));
        }
    }

    #[inline]
    fn check_index(&self, index: u64) {
        assert!(index < self.len(), "index {index} on a curve of {} cells", self.len());
    }

    #[inline]
    fn check_cell(&self, Cell { x, y }: Cell) {
        assert!(self.grid.contains(Cell { x, y }), "cell ({x}, {y}) on a grid of {}", self.grid);
    }
}
