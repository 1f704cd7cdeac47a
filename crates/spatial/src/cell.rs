//! Places on the grid.

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
