//! One run on a machine: where its messages went, and how fast its tree shrank.
//!
//! **Method.** Above, the loads of all links as [`LinkLoads`] draws them; below, a bar per round of
//! contraction. Without link loads a sentence stands in their place.
//!
//! **Cost.** Linear; the picture has at most 100 bars besides the links or bins of the map.

mod rounds;

use crate::board::start;
use crate::chart::Frame;
use crate::link_loads::{Drawing, LinkLoads};
use crate::paper::{self, INSIDE, MARGIN, NOTE_LINE, PANEL, WIDTH, paragraph};
use crate::svg::Anchor;
use crate::text;

/// The baseline of the upper panel's name.
const NAME: f64 = 81.0;
const MISSING: &str = "Link loads are not drawn: there are too many, or they were not counted.";
/// From the end of what stands above: to the panel's name, to its bars, and their height.
const GAP: f64 = 40.0;
const HEAD: f64 = 64.0;
const BARS: f64 = 170.0;

/// The figures of a run.
///
/// ```
/// use palmette_report::RunPicture;
/// let picture =
///     RunPicture { title: "treefix", subtitle: "", loads: None, rounds: &[8, 4, 2, 1] };
/// assert!(picture.to_svg().contains("4 rounds · 15 vertices contracted · most in round 1: 8"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunPicture<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// The messages over links, if they were counted; their title and subtitle head the panel.
    pub loads: Option<LinkLoads<'a>>,
    /// How many vertices were contracted in each round, from the first.
    pub rounds: &'a [u64],
}

impl RunPicture<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When the loads are not one per link.
    pub fn to_svg(&self) -> String {
        let drawing = self.loads.as_ref().map(Drawing::new);
        let end = drawing.as_ref().map_or(NAME, Drawing::end);
        let head = end + GAP;
        let of_rounds = rounds::facts(self.rounds);
        let lines = paper::lines(&of_rounds, INSIDE) as f64;
        let top = head + HEAD + NOTE_LINE * (lines - 1.0).max(0.0);
        let bottom = if self.rounds.is_empty() { head + 20.0 } else { top + BARS + 42.0 };
        let links = drawing.as_ref().map_or(MISSING.to_string(), Drawing::description);
        let description = format!("{links} Below, the rounds of contraction: {of_rounds}.");
        let facts = match (&drawing, &self.loads) {
            (Some(drawing), Some(loads)) if !loads.subtitle.is_empty() => {
                format!("{} · {}", drawing.facts, loads.subtitle)
            }
            (Some(drawing), _) => drawing.facts.clone(),
            _ => String::new(),
        };
        let mut svg = start(bottom, (self.title, self.subtitle, &facts), &description);
        if let (Some(drawing), Some(loads)) = (&drawing, &self.loads) {
            let name = text::fit(loads.title, PANEL, INSIDE);
            svg.text((MARGIN, NAME), Anchor::Start, "panel", &name, loads.title);
            drawing.draw(&mut svg);
        } else {
            paragraph(&mut svg, (MARGIN, NAME), MISSING, INSIDE);
        }
        svg.text((MARGIN, head), Anchor::Start, "panel", "Rounds of contraction", "");
        paragraph(&mut svg, (MARGIN, head + 18.0), &of_rounds, INSIDE);
        if !self.rounds.is_empty() {
            let (left, right) = (MARGIN + 46.0, WIDTH - MARGIN);
            rounds::draw(&mut svg, Frame { left, top, right, bottom: top + BARS }, self.rounds);
        }
        svg.finish()
    }
}
