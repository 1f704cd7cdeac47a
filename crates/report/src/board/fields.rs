//! Rectangles gathered by colour, so that a picture has one path per colour.

use crate::colour::HEAT_STEPS;
use crate::svg::{Svg, decimal};

/// The last is for zeros apart.
#[derive(Debug, Default)]
pub(crate) struct Fields([String; HEAT_STEPS + 1]);

impl Fields {
    /// A rectangle in the colour of a step; none is a zero apart.
    pub(crate) fn push(&mut self, step: Option<usize>, corner: (f64, f64), size: (f64, f64)) {
        self.0[step.unwrap_or(HEAT_STEPS)].push_str(&rectangle(corner, size));
    }

    pub(crate) fn draw(&self, svg: &mut Svg) {
        for (step, path) in self.0.iter().enumerate().filter(|p| !p.1.is_empty()) {
            let class = if step == HEAT_STEPS { "zero" } else { &format!("heat h{step}") };
            svg.path(path, class, "");
        }
    }
}

/// Runs of equal colours in a row, with their beginnings and ends; those of none are left out.
pub(crate) fn runs<C: PartialEq + Copy>(
    row: &[Option<C>],
    is_single: bool,
) -> impl Iterator<Item = (C, usize, usize)> {
    let mut end = 0;
    row.chunk_by(move |a, b| a == b && !is_single).filter_map(move |run| {
        end += run.len();
        run[0].map(|colour| (colour, end - run.len(), end))
    })
}

/// The path of a rectangle from its top left.
pub(crate) fn rectangle(corner: (f64, f64), size: (f64, f64)) -> String {
    let [x, y, w, h] = [corner.0, corner.1, size.0, size.1].map(decimal);
    format!("M{x} {y}h{w}v{h}h-{w}z")
}
