//! The dots of a raster that a polygon covers: those whose middles lie inside of it.
//!
//! A middle on a side belongs to the polygon right of it or below it. So polygons that share
//! sides cover each dot once, without a gap, and whatever the direction of their corners.

use std::ops::Range;

/// Gives the dots inside of a polygon of up to four corners to `span`, by row. Dot 0 of row 0
/// has its upper left corner at (0, 0) and its sides are 1.
pub(crate) fn spans(
    corners: &[(f64, f64)],
    (columns, rows): (usize, usize),
    mut span: impl FnMut(usize, Range<usize>),
) {
    let low = corners.iter().fold(f64::INFINITY, |low, c| low.min(c.1));
    let high = corners.iter().fold(f64::NEG_INFINITY, |high, c| high.max(c.1));
    for row in first(low, rows)..first(high, rows) {
        let middle = row as f64 + 0.5;
        let mut crossings = [0.0; 4];
        let mut count = 0;
        for (i, &one) in corners.iter().enumerate() {
            let other = corners[(i + 1) % corners.len()];
            if (one.1 <= middle) != (other.1 <= middle) {
                crossings[count] = crossing(one, other, middle);
                count += 1;
            }
        }
        crossings[..count].sort_unstable_by(f64::total_cmp);
        for pair in crossings[..count].chunks_exact(2) {
            let inside = first(pair[0], columns)..first(pair[1], columns);
            if !inside.is_empty() {
                span(row, inside);
            }
        }
    }
}

/// The first dot whose middle is not before this place.
fn first(place: f64, count: usize) -> usize {
    (place - 0.5).ceil().clamp(0.0, count as f64) as usize
}

/// Where a side meets the middle of a row: the same number for both polygons of the side.
fn crossing(one: (f64, f64), other: (f64, f64), middle: f64) -> f64 {
    let (top, bottom) = if one.1 < other.1 { (one, other) } else { (other, one) };
    top.0 + (middle - top.1) / (bottom.1 - top.1) * (bottom.0 - top.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(corners: &[(f64, f64)]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        spans(corners, (20, 10), |row, dots| found.extend(dots.map(|x| (x, row))));
        found
    }

    #[test]
    fn dots_inside_are_covered() {
        let square = covered(&[(1.0, 1.0), (5.0, 1.0), (5.0, 3.0), (1.0, 3.0)]);
        assert_eq!((square.len(), square[0], square[7]), (8, (1, 1), (4, 2)));
        // Of the triangle's rows 3, 2 and 1: middles on its long side are not its own.
        assert_eq!(covered(&[(10.0, 0.0), (14.0, 0.0), (10.0, 4.0)]).len(), 6);
        // What lies outside does no harm.
        let all = covered(&[(-9.0, -9.0), (900.0, -9.0), (900.0, 900.0), (-9.0, 900.0)]);
        assert_eq!(all.len(), 200);
        assert!(covered(&[(30.0, 0.0), (40.0, 0.0), (40.0, 9.0)]).is_empty());
        assert!(covered(&[(1.2, 1.2), (1.3, 1.2), (1.3, 1.3)]).is_empty());
    }

    #[test]
    fn neighbours_cover_each_dot_once() {
        // Triangles around an inner point, whose sides pass through many middles.
        let middle = (7.5, 4.5);
        let around = [(0.0, 0.0), (9.5, 0.0), (20.0, 0.0), (20.0, 10.0), (3.5, 10.0), (0.0, 10.0)];
        let mut all = Vec::new();
        for (i, &corner) in around.iter().enumerate() {
            let next = around[(i + 1) % around.len()];
            let turned = if i % 2 == 0 { [corner, next, middle] } else { [next, corner, middle] };
            all.extend(covered(&turned));
        }
        assert_eq!(all.len(), 200);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 200);
    }
}
