//! One run on a machine: where its messages went, and how fast its tree shrank.
//!
//! **Method.** Above, the loads of all links as [`LinkLoads`] draws them; below, a bar per round of
//! contraction. Without link loads a sentence stands in their place.
//!
//! **Cost.** Linear; the picture has at most 100 bars besides the links or bins of the map.

mod rounds;

use crate::board::start;
use crate::chart::{Frame, MARGIN};
use crate::link_loads::{Drawing, LinkLoads};
use crate::svg::Anchor;
use crate::text;

/// The width without link loads, which have their own.
const WIDTH: f64 = 760.0;
/// The baseline of the upper panel's name.
const PANEL: f64 = 73.0;
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
        let (right, end) = drawing.as_ref().map_or((WIDTH - MARGIN, PANEL), Drawing::end);
        let head = end + GAP;
        let bottom = if self.rounds.is_empty() { head + 20.0 } else { head + HEAD + BARS + 42.0 };
        let of_rounds = rounds::facts(self.rounds);
        let links = drawing.as_ref().map_or(MISSING.to_string(), Drawing::description);
        let description = format!("{links} Below, the rounds of contraction: {of_rounds}.");
        let mut svg = start((right, bottom), (self.title, "", self.subtitle), &description);
        if let (Some(drawing), Some(loads)) = (&drawing, &self.loads) {
            let room = right - MARGIN;
            let name = text::fit(loads.title, 14.3, room);
            svg.text((MARGIN, PANEL), Anchor::Start, "panel", &name, loads.title);
            let after = if name.is_empty() { 0.0 } else { text::width(&name, 14.3) + 10.0 };
            let gap = if loads.subtitle.is_empty() { "" } else { " · " };
            let words = format!("{}{gap}{}", drawing.facts, loads.subtitle);
            let note = text::fit(&words, 11.0, room - after);
            svg.text((MARGIN + after, PANEL), Anchor::Start, "note", &note, &words);
            drawing.draw(&mut svg);
        } else {
            svg.text((MARGIN, PANEL), Anchor::Start, "note", MISSING, "");
        }
        svg.text((MARGIN, head), Anchor::Start, "panel", "Rounds of contraction", "");
        svg.text((MARGIN, head + 18.0), Anchor::Start, "note", &of_rounds, "");
        if !self.rounds.is_empty() {
            let top = head + HEAD;
            let frame = Frame { left: MARGIN + 42.0, top, right, bottom: top + BARS };
            rounds::draw(&mut svg, frame, self.rounds);
        }
        svg.finish()
    }
}
