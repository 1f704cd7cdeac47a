//! A tree of any size: how many vertices lie on each level, and how many have how many
//! children.
//!
//! **Cost.** Linear in the numbers given; the picture has at most 500 steps and one dot per number
//! of children.

mod answer;
mod degrees;
mod levels;

use crate::chart::Frame;
use crate::number::{counted, percent, thousands};
use crate::paper::{INSIDE, MARGIN, PANEL, WIDTH, heading};
use crate::svg::{Anchor, Svg};
use crate::text;
pub use answer::TreeAnswer;

/// The top of the first panel's frame, the height of a frame, and from one to the next.
const TOP: f64 = 116.0;
const FRAME: f64 = 190.0;
const APART: f64 = 296.0;

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
            format!("{note}. Above: vertices by depth. Below: vertices by number of children.");
        if let Some(answer) = answer {
            description += &format!(" Then {} by depth, and its distribution.", answer.name);
        }
        let panel = |number: u8| {
            let top = TOP + APART * f64::from(number);
            Frame { left: MARGIN + 44.0, top, right: WIDTH - MARGIN, bottom: top + FRAME }
        };
        let last = panel(if answer.is_some() { 3 } else { 1 });
        let mut svg = Svg::new(WIDTH, last.bottom + 48.0, self.title, &description);
        heading(&mut svg, self.title, &[&note]);
        name_panel(&mut svg, panel(0), "Level profile");
        levels::draw(&mut svg, panel(0), self.levels);
        name_panel(&mut svg, panel(1), "Degree distribution");
        degrees::draw(&mut svg, panel(1), self.degrees);
        if let Some(answer) = answer {
            answer.draw(&mut svg, panel(2), panel(3));
        }
        svg.finish()
    }
}

/// The name of a panel, above its frame and the caption of its vertical axis.
fn name_panel(svg: &mut Svg, frame: Frame, name: &str) {
    let fitted = text::fit(name, PANEL, INSIDE);
    svg.text((MARGIN, frame.top - 38.0), Anchor::Start, "panel", &fitted, name);
}
