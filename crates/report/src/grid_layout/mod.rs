//! A tree laid out on a two-dimensional grid of processors.
//!
//! **Problem.** Every vertex has a cell; a message between two vertices costs as much energy
//! as their cells are apart, in steps along rows and columns. The picture shows how long the
//! edges to the parents are, where the long ones lie, and which lengths take the energy.
//!
//! **Method.** Up to 64 columns and rows every edge is drawn, coloured by the class of its
//! length. Larger grids, and those with more than two vertices per processor, become a map of bins;
//! a bin's colour is the mean length of the edges from its vertices to their parents, and the few
//! longest edges lie over it. Below both stands a table of the length classes.
//!
//! **Cost.** Linear time. The picture has at most two edges per processor, or 16,384 bins.

mod edges;
mod map;
mod whole;

use std::fmt::Write;

use crate::board::classes::Classes;
use crate::board::{Board, MAX_SIDE, place, some};
use crate::number::{counted, short, thousands};
use palmette_core::NONE;

const HEADS: [&str; 3] = ["length", "edges", "energy"];
const TABLE: &str = "Edges by length";
/// So few vertices are drawn even where many share a processor.
const MIN_MAP: u64 = 64;
/// Above this many vertices they are not named one by one.
const MAX_HINTS: usize = 1500;

/// A tree or forest on a grid. Slices are indexed by position, which may be in any order.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_report::GridLayout;
/// let picture = GridLayout {
///     title: "A path of four on four processors",
///     subtitle: "",
///     width: 2,
///     height: 2,
///     cells: &[(0, 0), (0, 1), (1, 1), (1, 0)],
///     parents: &[NONE, 0, 1, 2],
///     curve: None,
/// };
/// assert!(picture.to_svg().contains("energy of all edges 3 · mean edge 1 · longest 1"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridLayout<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// Column and row of every vertex, from the top left; `y` grows downwards. Vertices may
    /// share a cell.
    pub cells: &'a [(u32, u32)],
    /// The parent of every vertex; [`NONE`] for a root.
    pub parents: &'a [u32],
    /// Cells in the order of the curve along which vertices were placed. Drawn where edges
    /// are; a map of bins is too coarse for it.
    pub curve: Option<&'a [(u32, u32)]>,
}

impl GridLayout<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When the slices have different lengths, a cell lies outside the grid, or a parent is
    /// not a position.
    pub fn to_svg(&self) -> String {
        assert_eq!(self.cells.len(), self.parents.len(), "one cell and one parent per vertex");
        let board = Board::new(self.width, self.height);
        let most = (2 * board.len()).max(MIN_MAP);
        if self.width.max(self.height) <= MAX_SIDE && self.cells.len() as u64 <= most {
            whole::draw(self)
        } else {
            map::draw(self, &board)
        }
    }

    /// The lengths of all edges; `see` is told the child's cell and the length of each.
    fn lengths(&self, board: &Board, mut see: impl FnMut((u32, u32), u64)) -> Classes {
        let mut lengths = Classes::new();
        for (&cell, &parent) in self.cells.iter().zip(self.parents) {
            assert!(board.contains(cell), "a vertex at {} is not on the grid", place(cell));
            if parent != NONE {
                let length = length(cell, self.cells[parent as usize]);
                lengths.add(length);
                see(cell, length);
            }
        }
        lengths
    }

    fn roots(&self) -> Vec<usize> {
        let roots = self.parents.iter().enumerate().filter(|p| *p.1 == NONE);
        roots.map(|(i, _)| i).collect()
    }

    /// What the picture shows, for those who cannot see it.
    fn describe(&self, facts: &str, shown: &str, lengths: &Classes) -> String {
        format!(
            "A tree on a grid of processors, column 0 at the left, row 0 at the top: {facts}. \
             {shown}. {}.",
            lengths.describe(HEADS)
        )
    }

    fn facts(&self, board: &Board, lengths: &Classes, roots: &[usize]) -> String {
        let vertices = some(self.cells.len() as u64, "vertex", "vertices");
        let mut facts = format!("{vertices} · {}", board.size_text());
        if roots.len() > 1 {
            let _ = write!(facts, " · {}", counted(roots.len() as u64, "root", "roots"));
        }
        if lengths.count() > 0 {
            let _ = write!(
                facts,
                " · energy of all edges {} · mean edge {} · longest {}",
                thousands(lengths.sum()),
                short(lengths.mean()),
                thousands(lengths.largest)
            );
        }
        facts
    }

    fn hint(&self, i: usize) -> String {
        let at = place(self.cells[i]);
        match self.parents[i] {
            NONE => format!("root {i} at {at}"),
            parent => {
                let of = self.cells[parent as usize];
                let length = thousands(length(self.cells[i], of));
                format!("{i} at {at}, parent {parent} at {}, length {length}", place(of))
            }
        }
    }
}

/// Steps along rows and columns between two cells.
#[inline]
fn length(a: (u32, u32), b: (u32, u32)) -> u64 {
    u64::from(a.0.abs_diff(b.0)) + u64::from(a.1.abs_diff(b.1))
}
