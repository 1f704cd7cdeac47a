//! The curves: their names, the grids they fill, and which of them are continuous or closed.

use super::{Curve, CurveError};
use crate::cell::Grid;
use palmette_core::named;

named! {
    /// Which curve.
    #[non_exhaustive]
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum CurveKind("curve") {
        /// Hilbert's curve, from the corner (0, 0) to the corner at the end of row 0.
        Hilbert = "hilbert",
        /// Moore's closed variant of Hilbert's curve.
        Moore = "moore",
        /// Z-order: the bits of x and y interleaved.
        Z = "z",
        /// Peano's curve in powers of three.
        Peano = "peano",
        /// Wierum's βΩ-curve, open.
        BetaOmega = "beta-omega",
        /// The βΩ-curve, closed.
        BetaOmegaClosed = "beta-omega-closed",
        /// The H-index, closed: the smallest worst-case distance of those here.
        HIndex = "h-index",
        /// The generalised Hilbert curve, for any rectangle.
        Gilbert = "gilbert",
        /// Row by row, each from the left.
        RowMajor = "row-major",
        /// Row by row, every other one backwards.
        Serpentine = "serpentine",
    }
}

/// The largest side of a power of two, and of three, in `u32`.
const MOST_BITS: u32 = 31;
const MOST_TRITS: u32 = 20;

/// What sides a curve's grids have.
enum Sides {
    PowersOfTwo,
    PowersOfThree,
    Any,
}

impl CurveKind {
    /// Whether consecutive cells share a side on every grid of this curve.
    ///
    /// Not so for [`Z`](CurveKind::Z) and [`RowMajor`](CurveKind::RowMajor), which jump,
    /// and not quite for [`Gilbert`](CurveKind::Gilbert): where the longer side is odd
    /// and the shorter one even and more than 2, exactly one step is diagonal, to a cell
    /// that shares a corner only; on all other grids its steps are unit steps.
    pub fn has_unit_steps(self) -> bool {
        !matches!(self, CurveKind::Z | CurveKind::RowMajor | CurveKind::Gilbert)
    }

    /// Whether the last cell shares a side with the first, on grids of four cells and more.
    pub fn is_closed(self) -> bool {
        matches!(self, CurveKind::Moore | CurveKind::BetaOmegaClosed | CurveKind::HIndex)
    }

    /// The curve on its smallest grid of at least so many cells, and at least one.
    ///
    /// Curves of any rectangle take the smallest width whose square suffices, and
    /// no more rows than needed.
    ///
    /// # Errors
    /// When no grid has so many cells.
    pub fn fitting(self, cells: u64) -> Result<Curve, CurveError> {
        let cells = cells.max(1);
        if cells > self.most_cells() {
            return Err(CurveError::TooMany { kind: self, cells });
        }
        let power = |base: u64| {
            let mut side = 1;
            while side * side < cells {
                side *= base;
            }
            (side, side)
        };
        let (width, height) = match self.sides() {
            Sides::PowersOfTwo => power(2),
            Sides::PowersOfThree => power(3),
            Sides::Any => {
                let root = cells.isqrt();
                let width = root + u64::from(root * root < cells);
                (width, cells.div_ceil(width))
            }
        };
        Ok(Curve { kind: self, grid: Grid { width: width as u32, height: height as u32 } })
    }

    /// The curve on a given grid.
    ///
    /// # Errors
    /// When the curve cannot fill it; the error says what it can fill.
    pub fn on(self, grid: Grid) -> Result<Curve, CurveError> {
        let fits = match self.sides() {
            Sides::PowersOfTwo => grid.width == grid.height && grid.width.is_power_of_two(),
            Sides::PowersOfThree => {
                grid.width == grid.height && 3u32.pow(MOST_TRITS).is_multiple_of(grid.width)
            }
            Sides::Any => !grid.is_empty(),
        };
        if fits {
            Ok(Curve { kind: self, grid })
        } else {
            Err(CurveError::Shape { kind: self, grid })
        }
    }

    fn sides(self) -> Sides {
        match self {
            CurveKind::Peano => Sides::PowersOfThree,
            CurveKind::Gilbert | CurveKind::RowMajor | CurveKind::Serpentine => Sides::Any,
            _ => Sides::PowersOfTwo,
        }
    }

    pub(super) fn fills(self) -> String {
        match self.sides() {
            Sides::PowersOfTwo => {
                format!("squares whose side is a power of two up to 2^{MOST_BITS}")
            }
            Sides::PowersOfThree => {
                format!("squares whose side is a power of three up to 3^{MOST_TRITS}")
            }
            Sides::Any => "rectangles of at least one cell".to_string(),
        }
    }

    pub(super) fn most_cells(self) -> u64 {
        let side = match self.sides() {
            Sides::PowersOfTwo => 1 << MOST_BITS,
            Sides::PowersOfThree => 3u64.pow(MOST_TRITS),
            Sides::Any => u64::from(u32::MAX),
        };
        side * side
    }
}
