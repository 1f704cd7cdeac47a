//! A quantity on the vertices of a tree of any size: its range on each level, and how many
//! vertices have which values.
//!
//! **Method.** Depths are joined into at most 120 bins, values into 40, equal in width or, where
//! all values are positive and span a factor of 50, in ratio; few whole numbers have a bar each.
//! Colours are those of a dendrogram: a level has the colour of its mean, a bar that of its values.
//!
//! **Cost.** Linear.

use super::name_panel;
use crate::chart::{AxisSpec, Frame, whole};
use crate::colour::viridis;
use crate::number::{counted, short, thousands};
use crate::scale::{Scale, Spread, range, step};
use crate::svg::Svg;

const MAX_LEVELS: f64 = 120.0;
const BARS: usize = 40;

/// A quantity by position, and the depth of each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeAnswer<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its value by position; what is not finite is counted only.
    pub values: &'a [f64],
    /// The number of edges to the root by position.
    pub depths: &'a [u32],
}

/// The values on some levels.
#[derive(Debug, Clone, Copy)]
struct Level {
    least: f64,
    most: f64,
    sum: f64,
    count: u64,
}

impl TreeAnswer<'_> {
    fn finite(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().copied().filter(|x| x.is_finite())
    }

    /// How many vertices have no finite value, in words.
    pub(super) fn without(&self) -> Option<String> {
        let without = self.values.iter().filter(|x| !x.is_finite()).count() as u64;
        (without > 0)
            .then(|| format!("{} without a finite value", counted(without, "vertex", "vertices")))
    }

    pub(super) fn draw(&self, svg: &mut Svg, depths: Frame, values: Frame) {
        let spread = Spread::by_range(self.finite(), 50.0);
        let unit = Scale::new(spread, range(self.finite()), (0.0, 1.0));
        name_panel(svg, depths, &format!("{} by depth", self.name));
        self.draw_levels(svg, depths, spread, &unit);
        name_panel(svg, values, &format!("Distribution of {}", self.name));
        self.draw_values(svg, values, spread, &unit);
    }

    /// From the least to the largest value of each level, coloured by the mean.
    fn draw_levels(&self, svg: &mut Svg, frame: Frame, spread: Spread, unit: &Scale) {
        let height = self.depths.iter().copied().max().unwrap_or(0) as f64;
        let width = step((height + 1.0) / MAX_LEVELS).ceil().max(1.0);
        let levels = self.levels(width);
        let y = Scale::nice(spread, range(self.finite()), frame.vertical());
        let end = height + 0.5;
        let x = Scale::new(Spread::Linear, (-0.5, end), frame.horizontal());
        let caption = AxisSpec {
            name: format!("{}: least to largest, coloured by the mean", self.name),
            spread,
        };
        frame.draw_y(svg, &y, &frame.y_ticks(&y), &caption.caption());
        for (k, level) in levels.iter().enumerate().filter(|(_, level)| level.count > 0) {
            let mean = level.sum / level.count as f64;
            let (from, to) = (k as f64 * width - 0.5, ((k + 1) as f64 * width - 0.5).min(end));
            let (top, bottom) = (y.at(level.most), y.at(level.least));
            let depth = match width > 1.0 {
                true => format!(
                    "depths {} to {}",
                    thousands((from + 0.5) as u64),
                    thousands((to - 0.5) as u64)
                ),
                false => format!("depth {k}"),
            };
            let hint = format!(
                "{depth}: {} to {}, mean {}, {}",
                short(level.least),
                short(level.most),
                short(mean),
                counted(level.count, "vertex", "vertices")
            );
            // A level with one value is a dash.
            let tall = (bottom - top).max(3.0);
            let corner = (x.at(from), (top + bottom - tall) / 2.0);
            let wide = (x.at(to) - x.at(from)).max(1.0);
            svg.filled_rect(corner, (wide, tall), &viridis(unit.at(mean)), &hint);
        }
        let caption = match width > 1.0 {
            true => format!(
                "depth (edges from the root), in bins of {} levels",
                thousands(width as u64)
            ),
            false => "depth (edges from the root)".to_string(),
        };
        frame.draw_x(svg, &x, &whole(frame.x_ticks(&x)), &caption);
    }

    fn levels(&self, width: f64) -> Vec<Level> {
        let none = Level { least: f64::INFINITY, most: f64::NEG_INFINITY, sum: 0.0, count: 0 };
        let mut levels = Vec::new();
        for (&value, &depth) in self.values.iter().zip(self.depths) {
            let bin = (f64::from(depth) / width) as usize;
            if bin >= levels.len() {
                levels.resize(bin + 1, none);
            }
            if value.is_finite() {
                let level = &mut levels[bin];
                (level.least, level.most) = (level.least.min(value), level.most.max(value));
                (level.sum, level.count) = (level.sum + value, level.count + 1);
            }
        }
        levels
    }

    /// How many vertices have values in each of even stretches, coloured by the values.
    fn draw_values(&self, svg: &mut Svg, frame: Frame, spread: Spread, unit: &Scale) {
        let (least, most) = range(self.finite());
        // Few whole numbers get a bar each.
        let few = spread == Spread::Linear
            && most - least < BARS as f64
            && self.finite().all(|x| x.fract() == 0.0);
        let (bars, ends) = match few {
            true => ((most - least) as usize + 1, (least - 0.5, most + 0.5)),
            false => (BARS, (least, most)),
        };
        let place = Scale::new(spread, ends, (0.0, bars as f64));
        let mut counts = vec![0u64; bars];
        for value in self.finite() {
            counts[(place.at(value) as usize).min(bars - 1)] += 1;
        }
        let present = || counts.iter().filter(|&&c| c > 0).map(|&c| c as f64);
        let tall = Spread::by_range(present(), 100.0);
        let y = frame.draw_counts(svg, "vertices", tall, range(present()).1);
        let x = Scale::new(spread, ends, frame.horizontal());
        let wide = (frame.right - frame.left) / bars as f64;
        for (k, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let bar = (wide - 0.5).min(60.0);
            let left = frame.left + (k as f64 + 0.5) * wide - bar / 2.0;
            let corner = (left, y.at(count as f64));
            let colour = match few {
                true => unit.at(least + k as f64),
                false => (k as f64 + 0.5) / bars as f64,
            };
            let hint = counted(count, "vertex", "vertices");
            svg.filled_rect(corner, (bar, frame.bottom - corner.1), &viridis(colour), &hint);
        }
        let caption = AxisSpec { name: self.name.to_string(), spread };
        let ticks = match (least == most, few) {
            (true, _) => vec![least],
            (_, true) => frame.x_ticks(&x).into_iter().filter(|t| t.fract() == 0.0).collect(),
            _ => frame.x_ticks(&x),
        };
        frame.draw_x(svg, &x, &ticks, &caption.caption());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeSummary;

    #[test]
    fn levels_and_values_are_counted_and_coloured() {
        let values: Vec<f64> = (0..1000).map(f64::from).chain([f64::NAN]).collect();
        let depths: Vec<u32> = (0..1001).map(|k| k / 10).collect();
        let answer = TreeAnswer { name: "sum <of> it", values: &values, depths: &depths };
        let levels = answer.levels(1.0);
        assert_eq!((levels.len(), levels[3].least, levels[3].most), (101, 30.0, 39.0));
        assert_eq!((levels[3].sum, levels[3].count, levels[100].count), (345.0, 10, 0));
        let summary =
            TreeSummary { title: "t", leaves: 1, levels: &[1, 1000], degrees: &[(0, 1001)] };
        let svg = summary.with_answer(&answer);
        assert!(svg.contains("Distribution of sum &lt;of&gt; it"), "{svg}");
        assert!(svg.contains("1 vertex without a finite value"), "{svg}");
        // Forty bars of 25 vertices, and a bar for each level with a value.
        assert_eq!(svg.matches("<title>25 vertices</title>").count(), 40);
        assert_eq!(svg.matches("<title>depth ").count(), 100);
        let fills: std::collections::HashSet<&str> =
            svg.split("fill=\"#").skip(1).map(|rest| &rest[..6]).collect();
        assert!(fills.len() > 100, "each level and each bar has its colour: {}", fills.len());
    }

    #[test]
    fn few_whole_numbers_get_a_bar_each() {
        let summary = TreeSummary { title: "t", leaves: 1, levels: &[4], degrees: &[(0, 4)] };
        let answer = TreeAnswer { name: "x", values: &[0.0, 7.0, 7.0, 3.0], depths: &[0; 4] };
        let svg = summary.with_answer(&answer);
        assert_eq!(svg.matches("<title>1 vertex</title>").count(), 2, "{svg}");
        assert_eq!(svg.matches("<title>2 vertices</title>").count(), 1, "{svg}");
    }

    #[test]
    fn one_value_and_none() {
        let summary = TreeSummary { title: "t", leaves: 1, levels: &[1, 2], degrees: &[(0, 3)] };
        for values in [[7.0; 3], [f64::NAN; 3], [-1.0, 0.0, 1e300]] {
            let answer = TreeAnswer { name: "x", values: &values, depths: &[0, 1, 1] };
            let svg = summary.with_answer(&answer);
            assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{svg}");
        }
    }
}
