//! The number of vertices on each level.
//!
//! More than 500 levels are joined into bins of equal width, which the axis states. A bin
//! shows its mean as an area and its largest level as a line, so that no peak is lost.

use crate::chart::bins::Bins;
use crate::chart::{Frame, whole};
use crate::number::thousands;
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};

const MAX_BINS: usize = 500;

/// Logarithmic when the largest bin towers over the middle one: a linear axis would press
/// most levels flat.
fn spread_of(bins: &Bins) -> Spread {
    let mut sorted = bins.mean.clone();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    let (smallest, largest) = range(bins.mean.iter().copied());
    if smallest > 0.0 && largest > 50.0 * middle { Spread::Log } else { Spread::Linear }
}

pub(super) fn draw(svg: &mut Svg, frame: Frame, levels: &[u64]) {
    let bins = Bins::new(levels, MAX_BINS);
    let spread = spread_of(&bins);
    let most = range(bins.largest.iter().copied()).1;
    let name = match bins.width {
        1 => "vertices per level".to_string(),
        width => format!("vertices per level, in bins of {} levels", thousands(width as u64)),
    };
    let y = frame.draw_counts(svg, &name, spread, most);
    let end = levels.len().max(1) as f64 - 0.5;
    let x = Scale::new(Spread::Linear, (-0.5, end), frame.horizontal());
    let steps = |heights: &[f64]| -> Vec<(f64, f64)> {
        let edge = |bin: usize| x.at(((bin * bins.width) as f64 - 0.5).min(end));
        let ends = |(i, &h): (usize, &f64)| [(edge(i), y.at(h)), (edge(i + 1), y.at(h))];
        heights.iter().enumerate().flat_map(ends).collect()
    };
    let mean = steps(&bins.mean);
    if spread == Spread::Linear {
        let mut area = vec![(frame.left, frame.bottom)];
        area.extend(&mean);
        area.push((frame.right, frame.bottom));
        svg.polygon(&area, "area f0");
    }
    if bins.mean != bins.largest {
        svg.polyline(&steps(&bins.largest), "line thin l1");
        draw_key(svg, frame);
    }
    svg.polyline(&mean, "line l0");
    frame.draw_x(svg, &x, &whole(frame.x_ticks(&x)), "depth (edges from the root)");
}

/// What the two lines are, right of the panel's name.
fn draw_key(svg: &mut Svg, frame: Frame) {
    for (i, (name, x)) in
        [("mean of bin", 206.0), ("largest level of bin", 92.0)].iter().enumerate()
    {
        let left = frame.right - x - 50.0;
        let y = frame.top - 38.0;
        svg.line((left, y - 4.0), (left + 18.0, y - 4.0), &format!("line l{i}"));
        svg.text((left + 24.0, y), Anchor::Start, "note", name, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hump_is_linear_and_a_broom_is_not() {
        let hump: Vec<u64> = (1..100).map(|i| i * (100 - i)).collect();
        assert_eq!(spread_of(&Bins::new(&hump, MAX_BINS)), Spread::Linear);
        let mut broom = vec![1u64; 50];
        broom.push(1_000_000);
        assert_eq!(spread_of(&Bins::new(&broom, MAX_BINS)), Spread::Log);
    }
}
