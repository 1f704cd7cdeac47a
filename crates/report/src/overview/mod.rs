//! The whole way of a mesh in six small panels: onto a machine, and by its skeleton onto a grid.
//!
//! **Problem.** A plane mesh; its parts, and the processors that they are on; its skeleton, the
//! spanning tree in that, and the cells of a grid that the tree's vertices are on.
//!
//! **Method.** Two columns with arrows: on the left mesh, parts and machine, on the right skeleton,
//! tree and grid. A processor has the colour of its part. Parts are drawn by their outlines, and
//! lines are joined and written with one decimal, so that the picture is small.
//!
//! **Cost.** `m log m` for `m` elements and edges.

mod panels;

use crate::colour::grid_style;
use crate::mesh_drawing::Shape;
use crate::paper::{INSIDE, MARGIN, NOTE_LINE, WIDTH, heading, paragraph};
use crate::svg::{Anchor, Svg};

/// Pixels between the columns, where an arrow leads from the first to the second.
const GAP: f64 = 34.0;
/// The side of a panel.
const SIDE: f64 = (INSIDE - GAP) / 2.0;
/// Where the names of the first panels begin, from there to the drawing, and room for the words
/// below it.
const TOP: f64 = 66.0;
const NAME: f64 = 24.0;
const WORDS: f64 = 12.0 + 2.0 * NOTE_LINE;
/// The room of an arrow between two panels.
const ARROW: f64 = 34.0;
const NAMES: [&str; 6] = ["1  Mesh", "2  Parts", "3  Machine", "4  Skeleton", "5  Tree", "6  Grid"];

/// Edges between points.
type Edges<'a> = &'a [(u32, u32)];

/// A mesh on its way to a machine and to a grid.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_report::Overview;
/// let picture = Overview {
///     title: "Two triangles",
///     subtitle: "",
///     facts: ["4 nodes", "2 parts", "a pair", "4 edges", "height 3", "2 × 2"].map(String::from),
///     points: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
///     shapes: &[[0, 1, 2, NONE], [0, 2, 3, NONE]],
///     parts: &[0, 1],
///     sides: [1, 2],
///     torus: false,
///     on: &[1, 0],
///     tree: &[(0, 1), (1, 2), (2, 3)],
///     recovered: &[(3, 0)],
///     parents: &[NONE, 0, 1, 2],
///     grid: [2, 2],
///     cells: &[(0, 0), (1, 0), (1, 1), (0, 1)],
/// };
/// assert!(picture.to_svg().contains("4  Skeleton"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Overview<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// What there is to say of each panel, in at most two short lines.
    pub facts: [String; 6],
    /// The nodes of a plane mesh; all finite.
    pub points: &'a [[f64; 3]],
    /// Its elements.
    pub shapes: &'a [Shape],
    /// By element, its part.
    pub parts: &'a [u32],
    /// Rows and columns of the machine.
    pub sides: [u32; 2],
    /// Whether its rows and columns are rings.
    pub torus: bool,
    /// By processor, row by row, its part or `NONE`.
    pub on: &'a [u32],
    /// The edges of the spanning tree, between nodes.
    pub tree: Edges<'a>,
    /// Further edges of the skeleton.
    pub recovered: Edges<'a>,
    /// The tree's parents in preorder.
    pub parents: &'a [u32],
    /// Columns and rows of the grid.
    pub grid: [u32; 2],
    /// Column and row of each position of the tree.
    pub cells: &'a [(u32, u32)],
}

impl Overview<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When there is not a part per element, a part or `NONE` per processor and a cell per
    /// position, or a number is none of a point.
    pub fn to_svg(&self) -> String {
        assert_eq!(self.parts.len(), self.shapes.len(), "a part per element");
        assert_eq!(self.on.len(), (self.sides[0] * self.sides[1]) as usize, "a part per processor");
        assert_eq!(self.cells.len(), self.parents.len(), "a cell per position");
        let apart = NAME + SIDE + WORDS + ARROW;
        let height = TOP + 3.0 * apart - ARROW + 4.0;
        let mut svg = Svg::new(WIDTH, height, self.title, &self.describe());
        svg.add_style(grid_style());
        heading(&mut svg, self.title, &[self.subtitle]);
        let corner = |panel: usize| {
            let (column, row) = (panel / 3, panel % 3);
            (MARGIN + column as f64 * (SIDE + GAP), TOP + row as f64 * apart)
        };
        for (panel, (name, facts)) in NAMES.iter().zip(&self.facts).enumerate() {
            let (left, top) = corner(panel);
            svg.text((left, top + 13.0), Anchor::Start, "panel", name, "");
            let below = (left, top + NAME + SIDE + 18.0);
            paragraph(&mut svg, below, facts, SIDE);
            if panel % 3 < 2 {
                let (x, y) = (left + SIDE / 2.0, top + apart - ARROW + 4.0);
                arrow(&mut svg, (x, y), (x, y + ARROW - 8.0));
            }
        }
        let from = (MARGIN + SIDE + 6.0, TOP + NAME + SIDE / 2.0);
        arrow(&mut svg, from, (from.0 + GAP - 12.0, from.1));
        let at = |panel: usize| (corner(panel).0, corner(panel).1 + NAME);
        self.draw_mesh(&mut svg, at(0));
        self.draw_parts(&mut svg, at(1), at(2));
        self.draw_skeleton(&mut svg, at(3));
        self.draw_tree(&mut svg, at(4));
        self.draw_grid(&mut svg, at(5));
        svg.finish()
    }

    /// The panels in words, for those who cannot see them.
    fn describe(&self) -> String {
        let panels: Vec<String> =
            NAMES.iter().zip(&self.facts).map(|(name, facts)| format!("{name}: {facts}")).collect();
        format!("Six panels, joined by arrows. {}.", panels.join("; "))
    }
}

/// A straight arrow, across or down.
fn arrow(svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
    let is_down = from.0 == to.0;
    let back = |along: f64, aside: f64| match is_down {
        true => (to.0 + aside, to.1 - along),
        false => (to.0 - along, to.1 + aside),
    };
    svg.polyline(&[from, back(6.0, 0.0)], "line branch");
    svg.polygon(&[to, back(9.0, -5.0), back(9.0, 5.0)], "vertex");
}
