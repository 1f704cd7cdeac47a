//! Lines of equal value.
//!
//! **Method.** In a triangle they are straight, between two sides. A quadrilateral that is many
//! pixels wide is cut into small ones along its coordinates; each has a line between two of
//! its sides, or two lines, around the corners that differ from its middle.

use super::lines::Pieces;
use super::{Shape, nodes};
use crate::inset::Rect;

/// So many pieces are too many for lines that can be told apart.
const MOST: usize = 2_000_000;
/// Pixels of the sides of pieces of a quadrilateral.
const FINE: f64 = 6.0;

type Point = (f64, f64);

/// By level, the pieces of its lines in a frame; none when they are too many. Levels ascend, and `at`
/// gives the pixel of a node.
pub(super) fn isolines(
    levels: &[f64],
    frame: Rect,
    at: impl Fn(u32) -> Point,
    shapes: &[Shape],
    shares: &[f64],
) -> Option<Vec<Pieces>> {
    let mut found: Vec<Pieces> = levels.iter().map(|_| Pieces::new(frame)).collect();
    let mut count = 0;
    for nodes in shapes.iter().map(nodes) {
        let value = |node: u32| shares[node as usize];
        if nodes.iter().any(|&node| value(node).is_nan()) {
            continue;
        }
        let (low, high) = crate::scale::range(nodes.iter().map(|&node| value(node)));
        let met = levels.partition_point(|&l| l <= low)..levels.partition_point(|&l| l <= high);
        if met.is_empty() {
            continue;
        }
        let cells = cut(nodes, &at, &value);
        for level in met {
            let pieces = &mut found[level];
            let before = pieces.len();
            cells.iter().for_each(|cell| march(pieces, cell, levels[level]));
            count += pieces.len() - before;
        }
        if count > MOST {
            return None;
        }
    }
    Some(found)
}

/// Corners in order and their values.
type Cell = Vec<(Point, f64)>;

/// A triangle as it is, a quadrilateral in pieces of a few pixels.
fn cut(nodes: &[u32], at: &impl Fn(u32) -> Point, value: &impl Fn(u32) -> f64) -> Vec<Cell> {
    let corners: Cell = nodes.iter().map(|&node| (at(node), value(node))).collect();
    let &[a, b, c, d] = &corners[..] else { return vec![corners] };
    let long = |(a, _): (Point, f64), (b, _): (Point, f64)| (a.0 - b.0).hypot(a.1 - b.1);
    let count = |one: f64, other: f64| (one.max(other) / FINE).ceil().clamp(1.0, 128.0) as usize;
    let (columns, rows) = (count(long(a, b), long(c, d)), count(long(b, c), long(d, a)));
    let corner = |i: usize, j: usize| {
        let (u, v) = (i as f64 / columns as f64, j as f64 / rows as f64);
        let low = mix(a, b, u);
        mix(low, mix(d, c, u), v)
    };
    let mut cells = Vec::with_capacity(columns * rows);
    for j in 0..rows {
        for i in 0..columns {
            let around = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
            cells.push(around.map(|(i, j)| corner(i, j)).to_vec());
        }
    }
    cells
}

fn mix(a: (Point, f64), b: (Point, f64), part: f64) -> (Point, f64) {
    let mix = |a: f64, b: f64| if part == 1.0 { b } else { a + (b - a) * part };
    ((mix(a.0.0, b.0.0), mix(a.0.1, b.0.1)), mix(a.1, b.1))
}

/// The lines of a cell at a level.
fn march(pieces: &mut Pieces, cell: &Cell, level: f64) {
    let above = |i: usize| cell[i % cell.len()].1 >= level;
    let mut met = [(0.0, 0.0); 4];
    let mut count = 0;
    for i in 0..cell.len() {
        if above(i) != above(i + 1) {
            let (from, to) = (cell[i], cell[(i + 1) % cell.len()]);
            met[count] = mix(from, to, ((level - from.1) / (to.1 - from.1)).clamp(0.0, 1.0)).0;
            count += 1;
        }
    }
    if count == 4 {
        // Lines around corners 1 and 3 when 0 and 2 are joined through the middle.
        let middle = cell.iter().map(|corner| corner.1).sum::<f64>() / 4.0;
        let first = usize::from((middle >= level) != above(0));
        pieces.push(met[first], met[first + 1]);
        pieces.push(met[first + 2], met[(first + 3) % 4]);
    } else if count == 2 {
        pieces.push(met[0], met[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::NONE;

    const PLACES: [Point; 4] = [(0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0)];

    fn of(shapes: &[Shape], shares: &[f64], level: f64) -> Vec<Vec<Point>> {
        let frame = Rect { low: (0.0, 0.0), high: (60.0, 60.0) };
        let found = isolines(&[level], frame, |node| PLACES[node as usize], shapes, shares);
        found.expect("few pieces")[0].joined()
    }

    #[test]
    fn lines_of_triangles_are_straight() {
        let shapes = [[0, 1, 2, NONE], [0, 2, 3, NONE]];
        let lines = of(&shapes, &[0.0, 1.0, 1.0, 0.0], 0.25);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].iter().all(|p| (p.0 - 15.0).abs() < 1e-3), "{lines:?}");
        let length = (lines[0][0].1 - lines[0][lines[0].len() - 1].1).abs();
        assert!((length - 60.0).abs() < 1e-3);
        let rest = of(&shapes, &[0.0, f64::NAN, 1.0, 0.0], 0.25);
        // Nothing in the triangle below the diagonal.
        assert!(rest.len() == 1 && rest.iter().flatten().all(|p| p.0 <= p.1), "{rest:?}");
    }

    /// `u v = 0.3` is a hyperbola; two of them beside the saddle of `u + v - 2 u v`.
    #[test]
    fn lines_of_quadrilaterals_are_bent() {
        let share = |p: &Point| p.0 / 60.0 * (p.1 / 60.0);
        let lines = of(&[[0, 1, 2, 3]], &[0.0, 0.0, 1.0, 0.0], 0.3);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].len() > 5);
        assert!(lines[0].iter().all(|p| (share(p) - 0.3).abs() < 5e-3), "{lines:?}");
        for (level, corner) in [(0.4, 0.0), (0.6, 60.0)] {
            let lines = of(&[[0, 1, 2, 3]], &[0.0, 1.0, 0.0, 1.0], level);
            assert_eq!(lines.len(), 2, "{level}");
            // Around the corners of 0 below the saddle, of 1 above it.
            let near = |line: &Vec<Point>| line.iter().any(|p| p.0.min(60.0 - p.0) < 1e-3);
            assert!(lines.iter().all(near) && lines.iter().flatten().any(|p| p.1 == corner));
        }
    }
}
