//! Markers of series: seven shapes, filled for the first seven series and hollow for the next.
//!
//! The box around a sign is centred on its point.

use crate::colour::{self, SERIES};
use crate::svg::{Svg, through};

/// Corners around the point, in pixels; the first sign is a disc. Triangles are whole, of the
/// others each quarter turn has these corners.
const SHAPES: [&[(f64, f64)]; SERIES - 1] = [
    &[(-3.6, -3.6)],
    &[(0.0, -4.2), (4.8, 4.2), (-4.8, 4.2)],
    &[(0.0, -5.0)],
    &[(0.0, 4.2), (4.8, -4.2), (-4.8, -4.2)],
    &[(0.0, -1.9), (2.3, -4.2), (4.2, -2.3)],
    &[(-1.5, -4.8), (1.5, -4.8), (1.5, -1.5)],
];

fn corners(shape: usize) -> Vec<(f64, f64)> {
    let turns = if [1, 3].contains(&shape) { 1 } else { 4 };
    let turned = |&(x, y): &(f64, f64), turn| (0..turn).fold((x, y), |(x, y), _| (-y, x));
    (0..turns).flat_map(|turn| SHAPES[shape].iter().map(move |at| turned(at, turn))).collect()
}

/// The class of the line that joins a series' points.
pub(crate) fn line_class(series: usize) -> String {
    format!("line thin {}", colour::stroke(series))
}

/// The sign of a measured series at a point.
pub(crate) fn draw(svg: &mut Svg, series: usize, at: (f64, f64), hint: &str) {
    let class = if series < SERIES {
        format!("point {}", colour::fill(series))
    } else {
        format!("hollow l{}", series % SERIES)
    };
    match (series % SERIES).checked_sub(1) {
        None => svg.disc(at, 3.9, &class, "", hint),
        Some(shape) => {
            let around = corners(shape).into_iter().map(|(x, y)| (at.0 + x, at.1 + y));
            svg.path(&(through(around) + "z"), &class, hint);
        }
    }
}

/// The sign of a baseline.
pub(crate) fn draw_baseline(svg: &mut Svg, at: (f64, f64), hint: &str) {
    svg.disc(at, 3.4, "hollow grey", "", hint);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::range;

    #[test]
    fn signs_are_centred_and_small() {
        for shape in (0..SHAPES.len()).map(corners) {
            for side in [range(shape.iter().map(|p| p.0)), range(shape.iter().map(|p| p.1))] {
                assert_eq!(side.0, -side.1);
                assert!(side.1 <= 5.0);
            }
        }
    }
}
