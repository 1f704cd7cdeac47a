//! How many vertices have how many children.
//!
//! Up to 20 children the horizontal axis is linear; beyond that it is logarithmic, and the
//! leaves, for which a logarithm has no place, get a slot of their own left of a gap.

use crate::chart::Frame;
use crate::number::{counted, short};
use crate::scale::{Scale, Spread, range};
use crate::svg::Svg;

const MAX_LINEAR: u32 = 20;
/// Width of the slot for 0 and of the gap after it.
const SLOT: f64 = 36.0;
const GAP: f64 = 14.0;

pub(super) fn draw(svg: &mut Svg, frame: Frame, degrees: &[(u32, u64)]) {
    let mut points: Vec<(u32, u64)> = degrees.iter().copied().filter(|d| d.1 > 0).collect();
    points.sort_unstable();
    let most = points.last().map_or(0, |d| d.0);
    let counts = || points.iter().map(|d| d.1 as f64);
    let spread = Spread::by_range(counts(), 100.0);
    let y = frame.draw_counts(svg, "vertices", spread, range(counts()).1);
    let x: Box<dyn Fn(u32) -> f64> = if most <= MAX_LINEAR {
        let scale = Scale::new(Spread::Linear, (-0.6, f64::from(most) + 0.6), frame.horizontal());
        let ticks: Vec<f64> = (0..=most).map(f64::from).collect();
        frame.draw_x(svg, &scale, &ticks, "children");
        Box::new(move |degree| scale.at(f64::from(degree)))
    } else {
        let first = frame.left + SLOT + GAP;
        let scale = Scale::new(Spread::Log, (0.85, f64::from(most) * 1.1), (first, frame.right));
        svg.line((frame.left, frame.bottom), (frame.left + SLOT, frame.bottom), "axis");
        svg.line((first, frame.bottom), (frame.right, frame.bottom), "axis");
        let zero = frame.left + SLOT / 2.0;
        frame.x_tick(svg, zero, "0");
        for tick in scale.ticks(6) {
            frame.x_tick(svg, scale.at(tick), &short(tick));
        }
        frame.x_caption(svg, "children, log scale; 0 shown apart");
        Box::new(move |degree| if degree == 0 { zero } else { scale.at(f64::from(degree)) })
    };
    draw_points(svg, frame, &points, spread, &*x, &y);
}

/// Bars where both axes are linear, dots on stems where they are few, dots otherwise.
fn draw_points(
    svg: &mut Svg,
    frame: Frame,
    points: &[(u32, u64)],
    spread: Spread,
    x: &dyn Fn(u32) -> f64,
    y: &Scale,
) {
    let most = points.last().map_or(0, |d| d.0);
    let bar = (0.7 * (x(1) - x(0))).clamp(2.0, 60.0);
    for &(degree, count) in points {
        let (cx, cy) = (x(degree), y.at(count as f64));
        let hint = format!(
            "{}: {}",
            counted(degree.into(), "child", "children"),
            counted(count, "vertex", "vertices")
        );
        if most <= MAX_LINEAR && spread == Spread::Linear {
            let corner = (cx - bar / 2.0, cy);
            svg.rect(corner, (bar, frame.bottom - cy), "f0", &hint);
            continue;
        }
        if points.len() <= 40 {
            svg.line((cx, frame.bottom), (cx, cy), "line thin l0");
        }
        svg.disc((cx, cy), if points.len() <= 40 { 4.0 } else { 2.5 }, "f0", "", &hint);
    }
}
