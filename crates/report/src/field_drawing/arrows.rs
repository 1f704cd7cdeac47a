//! Draws plane vectors as arrows, thinned so that they do not overlap.

use super::patch::Patch;
use super::{Shape, four, nodes};
use crate::graph_drawing::places::Places;
use crate::spans::spans;
use crate::svg::{Svg, through};

/// About the pixels of the sides of rectangles that have an arrow each.
const APART: f64 = 32.0;
/// Pixels of the longest arrow; shorter ones than the least are not drawn.
const LONGEST: f64 = 28.0;
const LEAST: f64 = 2.0;

/// Draws the field at the middles of rectangles, arrows in proportion to it. `vectors` has two
/// components per node, and no vector is longer than `longest`, which is not 0.
pub(super) fn draw(
    svg: &mut Svg,
    places: &Places,
    shapes: &[Shape],
    vectors: &[f64],
    longest: f64,
) {
    let (corner, size) = places.drawn();
    let count = |pixels: f64| (pixels / APART).round().max(1.0);
    let (columns, rows) = (count(size.0), count(size.1));
    let (wide, high) = (size.0 / columns, size.1 / rows);
    let mut data = String::new();
    for nodes in shapes.iter().map(nodes) {
        let place = |(x, y): (f64, f64)| ((x - corner.0) / wide, (y - corner.1) / high);
        let corners = &four(nodes, |node| place(places.at(node)))[..nodes.len()];
        spans(corners, (columns as usize, rows as usize), |row, range| {
            let along = [0, 1].map(|component| {
                let value = |node: u32| vectors[2 * node as usize + component] / longest;
                let values = four(nodes, value);
                // A vector that is not finite has no direction.
                let finite = values.iter().all(|value| value.is_finite());
                finite.then(|| Patch::new(corners, &values[..nodes.len()]))
            });
            let [Some(x), Some(y)] = along else { return };
            for column in range {
                let middle = (column as f64 + 0.5, row as f64 + 0.5);
                let at = (corner.0 + middle.0 * wide, corner.1 + middle.1 * high);
                arrow(&mut data, at, (LONGEST * x.at(middle), -LONGEST * y.at(middle)));
            }
        });
    }
    if !data.is_empty() {
        svg.path(&data, "arrow under-arrow", "");
        svg.path(&data, "arrow", "");
    }
}

/// A shaft whose middle is at a point, and a head of two lines.
fn arrow(data: &mut String, at: (f64, f64), (x, y): (f64, f64)) {
    if x.hypot(y) < LEAST {
        return;
    }
    let tip = (at.0 + x / 2.0, at.1 + y / 2.0);
    let one = (tip.0 - 0.35 * x + 0.2 * y, tip.1 - 0.35 * y - 0.2 * x);
    let other = (tip.0 - 0.35 * x - 0.2 * y, tip.1 - 0.35 * y + 0.2 * x);
    *data += &through([(at.0 - x / 2.0, at.1 - y / 2.0), tip]);
    *data += &through([one, tip, other]);
}
