//! The links of a machine, as lines and stubs.

use super::{Grid, PlacementDrawing, STUB};
use crate::board::heat::Heat;
use crate::number::counted;
use crate::svg::Svg;

/// The widest line, in cells, and the narrowest, in pixels.
const WIDEST: f64 = 0.13;
const NARROWEST: f64 = 0.3;

/// Above this many links they are not named one by one.
const MAX_HINTS: usize = 4096;

/// Pixels of a line.
pub(super) fn width(load: u64, most: u64, cell: f64) -> f64 {
    (WIDEST * cell * load as f64 / most.max(1) as f64).max(NARROWEST)
}

/// A directed link.
struct Link {
    from: u32,
    to: u32,
    load: u64,
    /// One step on paper: columns and rows; both for links between layers.
    step: (f64, f64),
    /// Whether it is drawn as a stub at both ends.
    stub: bool,
}

/// All links.
pub(super) struct Links {
    links: Vec<Link>,
    /// The largest load.
    pub(super) most: u64,
    /// The sum of all loads.
    pub(super) total: u64,
    /// Whether some go around the torus on paper.
    pub(super) wrapped: bool,
}

impl Links {
    pub(super) fn new(drawing: &PlacementDrawing<'_>, grid: &Grid) -> Links {
        let dimensions = drawing.sides.len();
        let mut links = Vec::new();
        let mut wrapped = false;
        for from in 0..grid.len() as u32 {
            let at = grid.coordinates(from);
            for direction in 0..2 * dimensions {
                // Machines of fewer dimensions lack the first ones of the paper.
                let axis = 3 - dimensions + direction / 2;
                let side = [grid.layers, grid.rows, grid.columns][axis];
                let up = direction % 2 == 0;
                let border = if up { at[axis] + 1 == side } else { at[axis] == 0 };
                if border && !(drawing.torus && side > 2) {
                    continue;
                }
                let mut end = at;
                end[axis] = (at[axis] + if up { 1 } else { side - 1 }) % side;
                let sign = if up { 1.0 } else { -1.0 };
                let step = [(sign, -sign), (0.0, sign), (sign, 0.0)][axis];
                let to = (end[0] * grid.rows + end[1]) * grid.columns + end[2];
                let load = drawing.loads[from as usize * 2 * dimensions + direction];
                wrapped |= border && axis > 0;
                links.push(Link { from, to, load, step, stub: border || axis == 0 });
            }
        }
        let most = links.iter().map(|link| link.load).max().unwrap_or(0);
        let total = links.iter().map(|link| link.load).sum();
        Links { links, most, total, wrapped }
    }

    pub(super) fn loads(&self) -> impl Iterator<Item = f64> + Clone + '_ {
        self.links.iter().map(|link| link.load as f64)
    }

    pub(super) fn draw(&self, svg: &mut Svg, grid: &Grid, heat: &Heat) {
        for link in &self.links {
            let class = match heat.step(link.load as f64) {
                Some(step) if link.load > 0 => format!("edge h{step}"),
                _ => "strand pale".to_string(),
            };
            let (from, to) = (link.from, link.to);
            let hint = match self.links.len() {
                ..=MAX_HINTS => {
                    format!("from {from} to {to}: {}", counted(link.load, "value", "values"))
                }
                _ => String::new(),
            };
            let wide = width(link.load, self.most, grid.cell);
            for (start, end) in link.pieces(grid) {
                svg.wide_line(&[start, end], wide, &class, &hint);
            }
        }
    }
}

impl Link {
    /// The lines of a link: one between its ends, or a stub at each.
    fn pieces(&self, grid: &Grid) -> Vec<((f64, f64), (f64, f64))> {
        let cell = grid.cell;
        let (dx, dy) = self.step;
        // To the right of those who travel; y goes down.
        let aside = (-dy * 0.09 * cell, dx * 0.09 * cell);
        let near = 0.25 * cell;
        let along = |(x, y): (f64, f64), far: f64| (x + aside.0 + dx * far, y + aside.1 + dy * far);
        let (from, to) = (grid.at(self.from), grid.at(self.to));
        if !self.stub {
            return vec![(along(from, near), along(to, -near))];
        }
        let far = if dx != 0.0 && dy != 0.0 { 0.42 * cell } else { (0.5 + STUB) * cell - 2.0 };
        let mut pieces = vec![(along(from, near), along(from, far))];
        if dx == 0.0 || dy == 0.0 {
            pieces.push((along(to, -far), along(to, -near)));
        }
        pieces
    }
}
