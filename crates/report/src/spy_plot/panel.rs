//! One matrix: its cells, and where they lie on paper.

use super::{Kind, MAX_CELLS, SpyEdges};
use crate::board::fields::{Fields, rectangle, runs};
use crate::board::heat::Heat;
use crate::number::thousands;
use crate::paper::{INSIDE, MARGIN, PANEL, SMALL};
use crate::svg::{Anchor, Svg};
use crate::text;

const SIDE: f64 = 380.0;
/// The top of the first panel; room above each for its name, facts and numbers.
const TOP: f64 = 142.0;
const HEAD: f64 = 72.0;
/// Squares of more pixels are drawn apart from each other.
const APART: f64 = 4.0;
/// Free pixels between panels and what is below them.
pub(super) const LEGEND_GAP: f64 = 22.0;

/// Rows and columns that share a cell.
pub(super) fn rows_a_cell(vertices: usize) -> usize {
    vertices.div_ceil(MAX_CELLS).max(1)
}

/// Where a panel lies.
pub(super) struct PanelSlot {
    left: f64,
    top: f64,
}

impl PanelSlot {
    /// The panel at this place from the top.
    pub(super) fn new(vertices: usize, number: usize) -> Self {
        let names = text::width(&thousands(vertices as u64), SMALL).max(text::width("row", SMALL));
        let left = MARGIN + (names + 9.0).ceil().min(INSIDE - SIDE);
        PanelSlot { left, top: TOP + number as f64 * (SIDE + HEAD) }
    }

    fn right(&self) -> f64 {
        self.left + SIDE
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + SIDE
    }

    /// The frame, the first and the last numbers of rows and columns, and the names.
    pub(super) fn draw(&self, svg: &mut Svg, vertices: usize, title: &str, facts: &str) {
        let (left, top, right, bottom) = (self.left, self.top, self.right(), self.bottom());
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        svg.polyline(&corners, "axis");
        let name = text::fit(title, PANEL, INSIDE);
        svg.text((MARGIN, top - 46.0), Anchor::Start, "panel", &name, title);
        let fitted = text::fit(facts, SMALL, INSIDE);
        svg.text((MARGIN, top - 28.0), Anchor::Start, "note", &fitted, facts);
        svg.text((left + SIDE / 2.0, top - 8.0), Anchor::Middle, "note", "column", "");
        svg.text((left - 6.0, top + SIDE / 2.0 + 4.0), Anchor::End, "note", "row", "");
        if vertices > 0 {
            let last = thousands(vertices as u64);
            svg.text((left, top - 8.0), Anchor::Start, "tick", "0", "");
            svg.text((right, top - 8.0), Anchor::End, "tick", &last, "");
            svg.text((left - 6.0, top + 9.0), Anchor::End, "tick", "0", "");
            svg.text((left - 6.0, bottom), Anchor::End, "tick", &last, "");
        }
    }
}

/// The cells of a matrix, row by row.
pub(super) struct Cells {
    vertices: usize,
    side: usize,
    counts: Vec<u64>,
    /// The last kind of an entry in each cell.
    kinds: Vec<Kind>,
}

impl Cells {
    /// # Panics
    /// When an edge ends at no vertex.
    pub(super) fn new(vertices: usize, edges: SpyEdges<'_>) -> Self {
        let rows = rows_a_cell(vertices);
        let side = vertices.div_ceil(rows);
        let mut cells = Cells {
            vertices,
            side,
            counts: vec![0; side * side],
            kinds: vec![Kind::Plain; side * side],
        };
        for (kind, edges) in edges.kinds() {
            for &(a, b) in edges {
                let (a, b) = (a as usize, b as usize);
                assert!(a < vertices && b < vertices, "edge ({a}, {b}) of {vertices} vertices");
                if a == b {
                    continue;
                }
                let (a, b) = (a / rows, b / rows);
                for cell in [a * side + b, b * side + a] {
                    cells.counts[cell] += 1;
                    cells.kinds[cell] = kind;
                }
            }
        }
        cells
    }

    pub(super) fn counts(&self) -> impl Iterator<Item = f64> + Clone {
        self.counts.iter().map(|&count| count as f64)
    }

    /// Every entry in the colour of its kind.
    pub(super) fn draw_entries(&self, svg: &mut Svg, place: &PanelSlot) {
        let wide = SIDE / self.side.max(1) as f64;
        // Squares that touch are drawn as one.
        let gap = if wide > APART { (0.12 * wide).min(2.0) } else { 0.0 };
        let colour = |cell: usize| (self.counts[cell] > 0).then_some(self.kinds[cell]);
        let mut paths = [const { String::new() }; Kind::ALL.len()];
        self.runs(place, gap > 0.0, colour, |kind, corner, size| {
            let corner = (corner.0 + gap / 2.0, corner.1 + gap / 2.0);
            paths[kind as usize] += &rectangle(corner, (size.0 - gap, size.1 - gap));
        });
        for (kind, path) in Kind::ALL.into_iter().zip(&paths).filter(|p| !p.1.is_empty()) {
            svg.path(path, kind.look().0, "");
        }
    }

    /// Every cell in the colour of its number of entries.
    pub(super) fn draw_map(&self, svg: &mut Svg, place: &PanelSlot, heat: &Heat) {
        let mut fields = Fields::default();
        let colour = |cell: usize| {
            let count = self.counts[cell];
            (count > 0).then(|| heat.step(count as f64))
        };
        self.runs(place, false, colour, |step, corner, size| fields.push(step, corner, size));
        fields.draw(svg);
    }

    /// Rectangles of equal colours in a row: top left and size.
    fn runs<C: PartialEq + Copy>(
        &self,
        place: &PanelSlot,
        is_single: bool,
        colour: impl Fn(usize) -> Option<C>,
        mut see: impl FnMut(C, (f64, f64), (f64, f64)),
    ) {
        let rows = rows_a_cell(self.vertices);
        // The last cell of a row ends with the matrix.
        let edge = |i: usize| (i * rows).min(self.vertices) as f64 * SIDE / self.vertices as f64;
        for j in 0..self.side {
            let row: Vec<Option<C>> = (0..self.side).map(|i| colour(j * self.side + i)).collect();
            for (found, i, end) in runs(&row, is_single) {
                let corner = (place.left + edge(i), place.top + edge(j));
                see(found, corner, (edge(end) - edge(i), edge(j + 1) - edge(j)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_by_cell() {
        let cells = Cells::new(401, SpyEdges::All(&[(0, 1), (0, 400), (5, 5), (3, 2)]));
        assert_eq!((rows_a_cell(401), cells.side), (3, 134));
        let at = |row: usize, column: usize| cells.counts[row * 134 + column];
        // Both entries of (0, 1) lie in the first cell; the loop is left out.
        assert_eq!(
            [at(0, 0), at(0, 133), at(133, 0), at(0, 1), at(1, 0), at(1, 1)],
            [2, 1, 1, 1, 1, 0]
        );
        assert_eq!(cells.counts.iter().sum::<u64>(), 6);
    }

    #[test]
    fn recovered_edges_lie_on_top() {
        let edges = SpyEdges::Skeleton { tree: &[(0, 1), (1, 2)], recovered: &[(0, 2)] };
        let cells = Cells::new(3, edges);
        assert_eq!(cells.counts, [0, 1, 1, 1, 0, 1, 1, 1, 0]);
        assert_eq!([cells.kinds[1], cells.kinds[2]], [Kind::Tree, Kind::Recovered]);
    }
}
