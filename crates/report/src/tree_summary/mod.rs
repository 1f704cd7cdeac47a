//! A tree of any size: how many vertices lie on each level, and how many have how many
//! children.
//!
//! **Cost.** Linear in the numbers given; the picture has at most 500 steps and one dot a
//! number of children.

mod degrees;
mod levels;

use crate::chart::{Frame, heading};
use crate::number::{counted, percent, thousands};
use crate::svg::{Anchor, Svg};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;

/// The figures of a tree or forest.
///
/// ```
/// use palmette_report::TreeSummary;
/// let star = TreeSummary { title: "star", leaves: 9, levels: &[1, 9], degrees: &[(0, 9), (9, 1)] };
/// assert!(star.to_svg().contains("10 vertices · height 1 · 9 leaves (90.0 %)"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeSummary<'a> {
    /// The heading.
    pub title: &'a str,
    /// The number of leaves.
    pub leaves: u64,
    /// The number of vertices on each level, the roots' first.
    pub levels: &'a [u64],
    /// Numbers of children and how many vertices have them, in any order.
    pub degrees: &'a [(u32, u64)],
}

impl TreeSummary<'_> {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let vertices: u64 = self.levels.iter().sum();
        let height = self.levels.len().saturating_sub(1);
        let note = format!(
            "{} · height {} · {} ({} %)",
            counted(vertices, "vertex", "vertices"),
            thousands(height as u64),
            counted(self.leaves, "leaf", "leaves"),
            percent(self.leaves, vertices)
        );
        let description =
            format!("{note}. Left: vertices by depth. Right: vertices by number of children.");
        let mut svg = Svg::new(WIDTH, HEIGHT, self.title, &description);
        heading(&mut svg, WIDTH, self.title, &note);
        let panel = |left: f64| Frame { left, top: 124.0, right: left + 385.0, bottom: 362.0 };
        for (frame, name) in [(panel(64.0), "Level profile"), (panel(554.0), "Degree distribution")]
        {
            svg.text((frame.left - 30.0, 84.0), Anchor::Start, "panel", name, "");
        }
        levels::draw(&mut svg, panel(64.0), self.levels);
        degrees::draw(&mut svg, panel(554.0), self.degrees);
        svg.finish()
    }
}
