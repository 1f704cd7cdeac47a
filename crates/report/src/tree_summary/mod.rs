//! A tree of any size: how many vertices lie on each level, and how many have how many
//! children.
//!
//! **Cost.** Linear in the numbers given; the picture has at most 500 steps and one dot per number
//! of children.

mod answer;
mod degrees;
mod levels;

use crate::chart::{Frame, heading};
use crate::number::{counted, percent, thousands};
use crate::svg::{Anchor, Svg};
pub use answer::TreeAnswer;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
/// Where the panels of an answer begin, below those of the tree.
const BELOW: f64 = 376.0;

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
        self.draw(None)
    }

    /// The picture with a quantity on the vertices below: by depth, and how it is distributed.
    pub fn with_answer(&self, answer: &TreeAnswer<'_>) -> String {
        self.draw(Some(answer))
    }

    fn draw(&self, answer: Option<&TreeAnswer<'_>>) -> String {
        let vertices: u64 = self.levels.iter().sum();
        let height = self.levels.len().saturating_sub(1);
        let mut note = format!(
            "{} · height {} · {} ({} %)",
            counted(vertices, "vertex", "vertices"),
            thousands(height as u64),
            counted(self.leaves, "leaf", "leaves"),
            percent(self.leaves, vertices)
        );
        if let Some(without) = answer.and_then(TreeAnswer::without) {
            note = format!("{note} · {without}");
        }
        let mut description =
            format!("{note}. Left: vertices by depth. Right: vertices by number of children.");
        if let Some(answer) = answer {
            description += &format!(" Below: {} by depth, and its distribution.", answer.name);
        }
        let height = HEIGHT + if answer.is_some() { BELOW } else { 0.0 };
        let mut svg = Svg::new(WIDTH, height, self.title, &description);
        heading(&mut svg, WIDTH, self.title, &note);
        let panel = |left: f64| Frame { left, top: 124.0, right: left + 385.0, bottom: 362.0 };
        for (frame, name) in [(panel(64.0), "Level profile"), (panel(554.0), "Degree distribution")]
        {
            svg.text((frame.left - 30.0, 84.0), Anchor::Start, "panel", name, "");
        }
        levels::draw(&mut svg, panel(64.0), self.levels);
        degrees::draw(&mut svg, panel(554.0), self.degrees);
        if let Some(answer) = answer {
            let below = |left: f64| Frame {
                top: panel(left).top + BELOW,
                bottom: panel(left).bottom + BELOW,
                ..panel(left)
            };
            answer.draw(&mut svg, below(64.0), below(554.0));
        }
        svg.finish()
    }
}
