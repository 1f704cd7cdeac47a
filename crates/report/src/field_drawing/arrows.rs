//! Vectors of the plane as arrows, few enough to be told apart.

use super::values::Values;
use crate::graph_drawing::places::Places;
use crate::svg::{Svg, decimal};
use std::fmt::Write;

/// Pixels of the squares that have an arrow each.
const APART: f64 = 32.0;
/// Pixels of the longest arrow; shorter ones than the least are not drawn.
const LONGEST: f64 = 28.0;
const LEAST: f64 = 2.0;

/// Draws an arrow at the node nearest to the middle of each square, as long as its vector is
/// in proportion. `vectors` has two components a node.
pub(super) fn draw(svg: &mut Svg, places: &Places, values: &Values, vectors: &[f64]) {
    let longest = values.range().1;
    let (corner, size) = places.drawn();
    let columns = (size.0 / APART).floor() as usize + 1;
    let rows = (size.1 / APART).floor() as usize + 1;
    // By square, the node and how far from the middle it is.
    let mut nearest = vec![(f64::INFINITY, 0u32); columns * rows];
    for node in values.finite() {
        let at = places.at(node);
        let place = ((at.0 - corner.0) / APART, (at.1 - corner.1) / APART);
        let (x, y) = ((place.0 as usize).min(columns - 1), (place.1 as usize).min(rows - 1));
        let far = (place.0 - x as f64 - 0.5).hypot(place.1 - y as f64 - 0.5);
        let square = &mut nearest[y * columns + x];
        if far < square.0 {
            *square = (far, node);
        }
    }
    let mut data = String::new();
    for (_, node) in nearest.into_iter().filter(|square| square.0.is_finite()) {
        let long = LONGEST * (values.at(node) / longest);
        let vector = &vectors[2 * node as usize..][..2];
        // By parts, as lengths may be beyond what can be squared.
        let along = [vector[0] / values.at(node), -vector[1] / values.at(node)];
        if long >= LEAST && along.iter().all(|x| x.is_finite()) {
            arrow(&mut data, places.at(node), (long * along[0], long * along[1]));
        }
    }
    if !data.is_empty() {
        svg.path(&data, "arrow under-arrow", "");
        svg.path(&data, "arrow", "");
    }
}

/// A shaft whose middle is at a point, and a head of two lines.
fn arrow(data: &mut String, at: (f64, f64), (x, y): (f64, f64)) {
    let tip = (at.0 + x / 2.0, at.1 + y / 2.0);
    let points = [
        (at.0 - x / 2.0, at.1 - y / 2.0),
        tip,
        (tip.0 - 0.35 * x + 0.2 * y, tip.1 - 0.35 * y - 0.2 * x),
        tip,
        (tip.0 - 0.35 * x - 0.2 * y, tip.1 - 0.35 * y + 0.2 * x),
    ];
    for ((x, y), letter) in points.into_iter().zip(['M', 'L', 'M', 'L', 'L']) {
        let _ = write!(data, "{letter}{} {}", decimal(x), decimal(y));
    }
}
