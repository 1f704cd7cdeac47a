//! A small tree, drawn whole.
//!
//! **Problem.** A forest in preorder with labels, and perhaps branch lengths and a value per
//! vertex; a picture with the roots at the left and every leaf on a row of its own.
//!
//! **Method.** Leaves take rows in preorder; an inner vertex lies midway between its first
//! and its last child. Across, a vertex lies at its distance from the root by branch length
//! (with a scale bar) or by edges (with an axis). Subtrees occupy disjoint runs of rows, so
//! nothing crosses, and right of a leaf its row is free for the label.
//!
//! **Cost.** Linear; the picture grows by a row of at least 14 pixels per leaf.
//!
//! **When not to use.** Beyond [`MAX_LEAVES`] leaves use [`TreeSummary`](crate::TreeSummary).

pub(crate) mod arrangement;
pub(crate) mod legend;

use std::fmt::Write;

use crate::inset::Rect;
use crate::number::{counted, short};
use crate::paper::{MARGIN, SMALL, WIDTH, heading};
use crate::scale::{Scale, Spread};
use crate::svg::{Anchor, Svg};
use crate::text;
use arrangement::{Arrangement, widest};
use legend::ValueColours;
use palmette_core::NONE;

/// About as many leaves as a reader can still follow.
pub const MAX_LEAVES: usize = 300;

const LABEL_ROOM: f64 = 170.0;
/// Inner vertices are named when there are no more than this.
const MAX_INNER_NAMES: usize = 60;
/// Up to this many leaves rows are high.
const MAX_HIGH_ROWS: usize = 80;

/// A tree to draw. Slices are indexed by position in preorder.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_report::Dendrogram;
/// let names = ["", "Gorilla", "", "Homo", "Pan"];
/// let picture = Dendrogram {
///     title: "Great apes",
///     parents: &[NONE, 0, 0, 2, 2],
///     labels: &|position| names[position as usize].to_string(),
///     lengths: Some(&[0.0, 9.0, 2.5, 6.5, 6.5]),
///     values: None,
/// };
/// assert!(picture.to_svg().starts_with("<svg"));
/// ```
pub struct Dendrogram<'a> {
    /// The heading.
    pub title: &'a str,
    /// The parent of every position, which comes before it; [`NONE`] for a root.
    pub parents: &'a [u32],
    /// The name of a position; may be empty.
    pub labels: &'a dyn Fn(u32) -> String,
    /// The length of the edge to the parent; what is not finite counts as 0.
    pub lengths: Option<&'a [f64]>,
    /// A quantity's name and its value by position, shown as colours; NaN for none.
    pub values: Option<(&'a str, &'a [f64])>,
}

impl Dendrogram<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When the slices have different lengths or the parents are not in preorder.
    pub fn to_svg(&self) -> String {
        let n = self.parents.len();
        assert!(self.lengths.is_none_or(|l| l.len() == n), "one length per position");
        assert!(self.values.is_none_or(|v| v.1.len() == n), "one value per position");
        let layout = Arrangement::new(self.parents, self.lengths);
        let row = if layout.rows <= MAX_HIGH_ROWS { 18.0 } else { 14.0 };
        let labels: Vec<String> = (0..n as u32).map(self.labels).collect();
        let fitted = |i: usize| text::fit(&labels[i], SMALL, LABEL_ROOM);
        let left = MARGIN + 12.0;
        let leaves = (0..n).filter(|&i| layout.is_leaf[i]);
        let ends = leaves.map(|i| (layout.x[i], text::width(&fitted(i), SMALL)));
        let right = left + widest(layout.range(), ends, WIDTH - MARGIN - 9.0 - left);
        let top = 66.0;
        let bottom = top + row * layout.rows.max(1) as f64;
        let x = Scale::new(Spread::Linear, layout.range(), (left, right));
        let place = |i: usize| (x.at(layout.x[i]), top + row * (layout.row[i] + 0.5));
        let colours = self.values.map(|(name, values)| ValueColours::new(name, values));
        let height = bottom + 56.0 + if colours.is_some() { 62.0 } else { 0.0 };

        let note = self.note(&layout);
        let mut svg = Svg::new(WIDTH, height, self.title, &self.description(&note));
        heading(&mut svg, self.title, &[&note]);
        self.draw_branches(&mut svg, &layout, row, &place);
        // In low rows a name above a branch would touch the row before.
        let name_inner = n - layout.rows <= MAX_INNER_NAMES && layout.rows <= MAX_HIGH_ROWS;
        let radius = self.radius(&layout, right - left);
        let baseline = |(x, y): (f64, f64)| (x + 8.0, y + SMALL * 0.36);
        let leaves = (0..n).filter(|&i| layout.is_leaf[i]);
        let mut taken: Vec<Rect> =
            leaves.map(|i| text::area(baseline(place(i)), &fitted(i), SMALL)).collect();
        for (i, label) in labels.iter().enumerate() {
            let at = place(i);
            let hint = self.hint(i, label, &layout);
            match &colours {
                Some(colours) => match colours.of(i) {
                    Some(fill) => svg.disc(at, radius, "ring", &fill, &hint),
                    None => svg.disc(at, radius, "ring missing", "", &hint),
                },
                None => svg.disc(at, radius, "vertex", "", &hint),
            }
            if layout.is_leaf[i] {
                svg.text(baseline(at), Anchor::Start, "", &fitted(i), label);
            } else if name_inner && self.parents[i] != NONE {
                // Only where the branch is long enough to carry the name, which hides no other.
                let wide = text::width(label, SMALL);
                let room = at.0 - place(self.parents[i] as usize).0 - radius - 6.0;
                let above = (at.0 - radius - 2.0, at.1 - 3.0);
                let own = text::area((above.0 - wide, above.1), label, SMALL);
                if wide <= room && !taken.iter().any(|other| own.meets(other)) {
                    svg.text(above, Anchor::End, "inner", label, "");
                    taken.push(own);
                }
            }
        }
        legend::draw_distance(&mut svg, &x, &layout, self.lengths.is_some(), bottom + 14.0);
        if let Some(colours) = &colours {
            colours.draw(&mut svg, (MARGIN, bottom + 62.0));
        }
        svg.finish()
    }

    fn draw_branches(
        &self,
        svg: &mut Svg,
        layout: &Arrangement,
        row: f64,
        place: &dyn Fn(usize) -> (f64, f64),
    ) {
        for (i, &parent) in self.parents.iter().enumerate() {
            let at = place(i);
            if parent == NONE {
                svg.line((at.0 - 10.0, at.1), at, "branch");
            } else {
                svg.line((place(parent as usize).0, at.1), at, "branch");
            }
            let (first, last) = layout.span[i];
            if first < last {
                let to_y = |r: f64| at.1 + (r - layout.row[i]) * row;
                svg.line((at.0, to_y(first)), (at.0, to_y(last)), "branch");
            }
        }
    }

    /// Smaller where vertices crowd along a path.
    fn radius(&self, layout: &Arrangement, room: f64) -> f64 {
        let apart = room / f64::from(layout.height.max(1));
        let full = if self.values.is_some() { 4.0 } else { 2.2 };
        (apart / 3.0).clamp(full / 3.0, full)
    }

    fn note(&self, layout: &Arrangement) -> String {
        let roots = self.parents.iter().filter(|&&p| p == NONE).count();
        let mut note = counted(self.parents.len() as u64, "vertex", "vertices");
        let _ = write!(note, " · {}", counted(layout.rows as u64, "leaf", "leaves"));
        let _ = write!(note, " · height {}", layout.height);
        if roots != 1 {
            let _ = write!(note, " · {roots} roots");
        }
        note
    }

    fn description(&self, note: &str) -> String {
        let across = if self.lengths.is_some() { "branch length" } else { "depth" };
        let colour = self.values.map_or(String::new(), |v| format!(" Colours show {}.", v.0));
        format!("Dendrogram by {across}, roots at the left: {note}.{colour}")
    }

    fn hint(&self, i: usize, label: &str, layout: &Arrangement) -> String {
        let mut hint = if label.is_empty() { format!("position {i}") } else { label.to_string() };
        let _ = write!(hint, " · depth {}", layout.depth[i]);
        if let (Some(lengths), true) = (self.lengths, self.parents[i] != NONE) {
            let _ = write!(hint, " · branch length {}", short(lengths[i]));
        }
        if let Some((name, values)) = self.values {
            let _ = write!(hint, " · {name} {}", short(values[i]));
        }
        hint
    }
}
