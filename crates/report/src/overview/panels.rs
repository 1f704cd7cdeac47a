//! The six drawings.

use super::{Overview, SIDE};
use crate::dendrogram::arrangement::Arrangement;
use crate::field_drawing::lines::Pieces;
use crate::field_drawing::outline::outline;
use crate::graph_drawing::places::Places;
use crate::inset::Rect;
use crate::mesh_drawing::colouring::Colours;
use crate::paper::MARGIN;
use crate::svg::Svg;
use palmette_core::NONE;
use std::fmt::Write;

/// Edges on the grid that are longer than so many steps stand out.
const LONG: u32 = 2;
/// The side of a processor, as a share of its cell.
const PROCESSOR: f64 = 0.66;

impl Overview<'_> {
    /// The places of nodes in a panel.
    fn places(&self, (left, top): (f64, f64)) -> Places {
        let mut places = Places::within(self.points, top, SIDE);
        let (wide, high) = (places.right() - MARGIN, places.bottom() - top);
        places.move_by((left - MARGIN + (SIDE - wide) / 2.0, (SIDE - high) / 2.0));
        places
    }

    /// Draws lines between nodes.
    fn draw_edges(&self, svg: &mut Svg, places: &Places, edges: &[(u32, u32)], class: &str) {
        let mut pieces = Pieces::new(places.rect());
        for &(a, b) in edges {
            pieces.push(places.at(a), places.at(b));
        }
        draw(svg, &compact(&pieces.joined(), ""), class, "");
    }

    pub(super) fn draw_mesh(&self, svg: &mut Svg, corner: (f64, f64)) {
        let places = self.places(corner);
        let mut sides = Vec::with_capacity(3 * self.shapes.len());
        for shape in self.shapes {
            let nodes: Vec<u32> = shape.iter().copied().filter(|&node| node != NONE).collect();
            let next = nodes.iter().cycle().skip(1);
            sides.extend(nodes.iter().zip(next).map(|(&a, &b)| (a.min(b), a.max(b))));
        }
        sides.sort_unstable();
        sides.dedup();
        self.draw_edges(svg, &places, &sides, "branch hair");
        let outline = outline(places.rect(), self.shapes, |node| places.at(node)).joined();
        draw(svg, &compact(&outline, ""), "branch fine", "");
    }

    /// The parts, and the machine with each on its processor.
    pub(super) fn draw_parts(&self, svg: &mut Svg, corner: (f64, f64), machine: (f64, f64)) {
        let places = self.places(corner);
        let colours = Colours::new(self.points.len(), self.shapes, self.parts);
        let count = self.parts.iter().filter(|&&p| p != NONE).max().map_or(0, |&p| p + 1);
        let mut shapes = vec![Vec::new(); count as usize];
        for (&shape, &part) in self.shapes.iter().zip(self.parts).filter(|p| *p.1 != NONE) {
            shapes[part as usize].push(shape);
        }
        for (part, shapes) in (0..).zip(&shapes) {
            let outline = outline(places.rect(), shapes, |node| places.at(node)).joined();
            let class = format!("{} whole", colours.class(part, false));
            draw(svg, &compact(&outline, "z"), &class, &format!("part {part}"));
        }
        svg.add_style(".whole{fill-rule:evenodd}\n".to_string());
        self.draw_machine(svg, machine, &colours);
    }

    fn draw_machine(&self, svg: &mut Svg, (left, top): (f64, f64), colours: &Colours) {
        let [rows, columns] = self.sides;
        let cell = SIDE / f64::from(rows.max(columns).max(1));
        let corner = (
            left + (SIDE - cell * f64::from(columns)) / 2.0,
            top + (SIDE - cell * f64::from(rows)) / 2.0,
        );
        // Links of a torus reach half a cell beyond the last processors.
        let beyond = if self.torus { 0.5 } else { 0.0 };
        let at = |column: f64, row: f64| (corner.0 + cell * column, corner.1 + cell * row);
        for row in 0..rows {
            let y = f64::from(row) + 0.5;
            let ends = (0.5 - beyond, f64::from(columns) - 0.5 + beyond);
            svg.line(at(ends.0, y), at(ends.1, y), "strand pale bold");
        }
        for column in 0..columns {
            let x = f64::from(column) + 0.5;
            let ends = (0.5 - beyond, f64::from(rows) - 0.5 + beyond);
            svg.line(at(x, ends.0), at(x, ends.1), "strand pale bold");
        }
        for (processor, &part) in (0u32..).zip(self.on) {
            let (row, column) = (processor / columns, processor % columns);
            let inner = (1.0 - PROCESSOR) / 2.0;
            let place = at(f64::from(column) + inner, f64::from(row) + inner);
            let side = cell * PROCESSOR;
            let (class, hint) = match part {
                NONE => ("zero".to_string(), format!("processor {processor} without a part")),
                _ => (colours.class(part, false), format!("processor {processor}: part {part}")),
            };
            svg.rect(place, (side, side), &class, &hint);
        }
    }

    pub(super) fn draw_skeleton(&self, svg: &mut Svg, corner: (f64, f64)) {
        let places = self.places(corner);
        self.draw_edges(svg, &places, self.tree, "strand l0 slim");
        self.draw_edges(svg, &places, self.recovered, "strand l1 bold");
    }

    /// Roots at the top, leaves in columns, depth downwards.
    pub(super) fn draw_tree(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        let tree = Arrangement::new(self.parents, None);
        let across = SIDE / tree.rows.max(1) as f64;
        let down = SIDE / f64::from(tree.height.max(1));
        let x = |row: f64| left + (row + 0.5) * across;
        let y = |depth: u32| top + f64::from(depth) * down;
        let mut pieces = Pieces::new(frame((left, top)));
        for (i, &parent) in self.parents.iter().enumerate() {
            let depth = tree.depth[i];
            if parent != NONE {
                pieces.push((x(tree.row[i]), y(depth - 1)), (x(tree.row[i]), y(depth)));
            }
            let (first, last) = tree.span[i];
            if first < last {
                pieces.push((x(first), y(depth)), (x(last), y(depth)));
            }
        }
        draw(svg, &compact(&pieces.joined(), ""), "strand l0 slim", "");
    }

    pub(super) fn draw_grid(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        let cell = SIDE / f64::from(self.grid[0].max(self.grid[1]).max(1));
        let at = |(column, row): (u32, u32)| {
            (left + (f64::from(column) + 0.5) * cell, top + (f64::from(row) + 0.5) * cell)
        };
        let mut pieces = [true, false].map(|_| Pieces::new(frame((left, top))));
        for (&own, &parent) in self.cells.iter().zip(self.parents).filter(|p| *p.1 != NONE) {
            let other = self.cells[parent as usize];
            let steps = own.0.abs_diff(other.0) + own.1.abs_diff(other.1);
            pieces[usize::from(steps > LONG)].push(at(own), at(other));
        }
        for (pieces, class) in pieces.iter().zip(["strand l0 slim", "strand l1 fine"]) {
            draw(svg, &compact(&pieces.joined(), ""), class, "");
        }
    }
}

fn frame((left, top): (f64, f64)) -> Rect {
    Rect { low: (left, top), high: (left + SIDE, top + SIDE) }
}

/// A path, if there is one.
fn draw(svg: &mut Svg, data: &str, class: &str, hint: &str) {
    if !data.is_empty() {
        svg.path(data, class, hint);
    }
}

/// Lines as commands of a path in tenths of a pixel, each from where the last ended; `end` closes
/// them.
fn compact(lines: &[Vec<(f64, f64)>], end: &str) -> String {
    let tenths = |value: f64| (10.0 * value).round() as i64;
    let number = |value: i64| match (value / 10, value % 10) {
        (whole, 0) => whole.to_string(),
        _ => (value as f64 / 10.0).to_string(),
    };
    let mut data = String::new();
    for line in lines {
        let mut last: Option<(i64, i64)> = None;
        for point in line.iter().map(|p| (tenths(p.0), tenths(p.1))) {
            let (letter, from) = last.map_or(('M', (0, 0)), |last| ('l', last));
            if last != Some(point) {
                let (x, y) = (number(point.0 - from.0), number(point.1 - from.1));
                let _ = write!(data, "{letter}{x} {y}");
            }
            last = Some(point);
        }
        data += end;
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compact_lines_do_not_drift() {
        let line: Vec<(f64, f64)> = (0..100).map(|i| (0.33 * f64::from(i), -0.06)).collect();
        let data = compact(&[line], "z");
        assert!(data.starts_with("M0 -0.1l0.3 0l0.4 0l0.3 0") && data.ends_with('z'), "{data}");
        let steps = data.trim_end_matches('z').split('l').skip(1);
        let sum: f64 =
            steps.map(|step| step.split(' ').next().unwrap().parse::<f64>().unwrap()).sum();
        assert!((sum - 32.7).abs() < 1e-9, "{sum}");
    }
}
