//! Cells of the grid, their distances, and rectangles of cells.

/// A place on the grid: column `x`, row `y`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

impl Cell {
    /// The Manhattan distance: the energy of one message between the two.
    #[inline]
    pub fn distance(self, other: Cell) -> u64 {
        u64::from(self.x.abs_diff(other.x)) + u64::from(self.y.abs_diff(other.y))
    }
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

impl Grid {
    /// The number of cells.
    #[inline]
    pub fn len(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Whether there are no cells.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether a cell lies inside.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }
}

impl std::fmt::Display for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// The smallest rectangle around some cells: what is kept for every cell is kept for
/// these only, however large the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// Its first column and row.
    pub(crate) corner: Cell,
    pub(crate) size: Grid,
}

impl Window {
    /// Beyond so many cells for every one that is used, and [`Window::FREE`] more, nothing
    /// is kept.
    const CELLS_A_USE: u64 = 64;
    const FREE: u64 = 1 << 22;

    /// Around no cells: the first one.
    pub(crate) fn around(cells: &[Cell]) -> Window {
        let mut low = Cell { x: u32::MAX, y: u32::MAX };
        let mut high = Cell::default();
        for cell in cells {
            low = Cell { x: low.x.min(cell.x), y: low.y.min(cell.y) };
            high = Cell { x: high.x.max(cell.x), y: high.y.max(cell.y) };
        }
        let corner = if cells.is_empty() { Cell::default() } else { low };
        let size = Grid { width: high.x - corner.x + 1, height: high.y - corner.y + 1 };
        Window { corner, size }
    }

    /// Widened by some cells on each side, but not beyond the grid.
    pub(crate) fn widened(self, margin: u32, grid: Grid) -> Window {
        let side = |low: u32, length: u32, end: u32| {
            let first = low.saturating_sub(margin);
            (first, low.saturating_add(length).saturating_add(margin).min(end) - first)
        };
        let (x, width) = side(self.corner.x, self.size.width, grid.width);
        let (y, height) = side(self.corner.y, self.size.height, grid.height);
        Window { corner: Cell { x, y }, size: Grid { width, height } }
    }

    /// Whether something can be kept for each of its cells when `uses` of them are used.
    pub(crate) fn is_dense(self, uses: usize) -> bool {
        self.size.len() <= Self::CELLS_A_USE * uses as u64 + Self::FREE
    }

    /// A cell of the window, counted from its corner.
    #[inline(always)]
    pub(crate) fn inside(self, cell: Cell) -> Cell {
        Cell { x: cell.x - self.corner.x, y: cell.y - self.corner.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows() {
        let cells = [Cell { x: 5, y: 2 }, Cell { x: 3, y: 9 }];
        let window = Window::around(&cells);
        assert_eq!(window.corner, Cell { x: 3, y: 2 });
        assert_eq!(window.size, Grid { width: 3, height: 8 });
        assert_eq!(window.inside(cells[0]), Cell { x: 2, y: 0 });
        let wide = window.widened(4, Grid { width: 8, height: 100 });
        assert_eq!(wide.corner, Cell { x: 0, y: 0 });
        assert_eq!(wide.size, Grid { width: 8, height: 14 });
        assert_eq!(Window::around(&[]).size.len(), 1);
        let all = Window::around(&[Cell::default(), Cell { x: 1 << 16, y: 1 << 16 }]);
        assert!(!all.is_dense(1000) && window.is_dense(0));
    }
}
