//! Markers of series: seven shapes, filled for the first seven series and hollow for the next.
//!
//! The box around a sign is centred on its point.

use std::fmt::Write;

use crate::colour::{self, SERIES};
use crate::svg::{Svg, decimal};

/// Corners around the point, in pixels; the first sign is a disc.
const SHAPES: [&[(f64, f64)]; SERIES - 1] = [
    &[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)],
    &[(0.0, -4.2), (4.8, 4.2), (-4.8, 4.2)],
    &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)],
    &[(0.0, 4.2), (4.8, -4.2), (-4.8, -4.2)],
    &[
        (0.0, -1.9),
        (2.3, -4.2),
        (4.2, -2.3),
        (1.9, 0.0),
        (4.2, 2.3),
        (2.3, 4.2),
        (0.0, 1.9),
        (-2.3, 4.2),
        (-4.2, 2.3),
        (-1.9, 0.0),
        (-4.2, -2.3),
        (-2.3, -4.2),
    ],
    &[
        (-1.5, -4.8),
        (1.5, -4.8),
        (1.5, -1.5),
        (4.8, -1.5),
        (4.8, 1.5),
        (1.5, 1.5),
        (1.5, 4.8),
        (-1.5, 4.8),
        (-1.5, 1.5),
        (-4.8, 1.5),
        (-4.8, -1.5),
        (-1.5, -1.5),
    ],
];

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
            let mut data = String::new();
            for (i, (x, y)) in SHAPES[shape].iter().enumerate() {
                let letter = if i == 0 { 'M' } else { 'L' };
                let _ = write!(data, "{letter}{} {}", decimal(at.0 + x), decimal(at.1 + y));
            }
            svg.path(&(data + "z"), &class, hint);
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
        for shape in SHAPES {
            for side in [range(shape.iter().map(|p| p.0)), range(shape.iter().map(|p| p.1))] {
                assert_eq!(side.0, -side.1);
                assert!(side.1 <= 5.0);
            }
        }
    }
}
