//! Points in a plane, with names where they fit and colours by group.
//!
//! **Problem.** Places of samples on two axes; perhaps a group, or a number, of each.
//!
//! **Method.** Groups have the signs of series: seven colours that all readers tell apart, each with a
//! shape of its own, filled and then hollow. Beyond [`MAX_GROUPS`] the smallest groups are one, in
//! grey; so are points without a group. Numbers are colours of viridis. The legend stands below.
//! Names go beside their points, first come first served, where they hide no point and no other name
//! (`names.rs`); all of them are shown when the pointer rests on the point.
//!
//! **Cost.** Linear in the points; for up to 400 of them each pair of names is compared.

mod names;

use crate::chart::{AxisSpec, Frame};
use crate::colour::{PLOT_STYLE, SERIES, viridis};
use crate::legend::{Legend, Sign};
use crate::marker;
use crate::number::{counted, short};
use crate::paper::{INSIDE, MARGIN, WIDTH, heading};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};

/// Groups with a sign of their own.
pub const MAX_GROUPS: usize = 2 * SERIES;

const FRAME_HEIGHT: f64 = 380.0;
const TOP: f64 = 92.0;

/// What colours mean.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ScatterColours {
    /// Nothing: all points look the same.
    #[default]
    None,
    /// A group for each point; an empty word is none.
    Groups(Vec<String>),
    /// A number for each point; one that is not finite is none.
    Numbers(Vec<f64>),
}

/// Points on two axes.
///
/// ```
/// use palmette_report::{AxisSpec, Scatter, ScatterColours};
/// let picture = Scatter {
///     title: "Two samples".into(),
///     x: AxisSpec::linear("PC1"),
///     y: AxisSpec::linear("PC2"),
///     points: vec![(0.0, 1.0), (2.0, 0.5)],
///     names: vec!["sea".into(), "land".into()],
///     colour_by: "place".into(),
///     colours: ScatterColours::Groups(vec!["wet".into(), "dry".into()]),
///     ..Scatter::default()
/// };
/// assert!(picture.to_svg().contains(">wet</text>") || picture.to_svg().contains("wet<title>"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scatter {
    /// The heading.
    pub title: String,
    /// One line below the heading; may be empty.
    pub note: String,
    /// The horizontal axis.
    pub x: AxisSpec,
    /// The vertical axis.
    pub y: AxisSpec,
    /// The points. Those that are not finite are not drawn, and counted.
    pub points: Vec<(f64, f64)>,
    /// A name for each point.
    pub names: Vec<String>,
    /// What the colours are of; may be empty.
    pub colour_by: String,
    /// The colours.
    pub colours: ScatterColours,
}

/// Groups by size, and that of each point.
struct Groups {
    /// The name of each with the number of its points.
    named: Vec<(String, u64)>,
    /// Points of smaller groups, and of none.
    others: u64,
    without: u64,
    of: Vec<Option<usize>>,
}

impl Scatter {
    /// The picture.
    ///
    /// # Panics
    /// When there is not one name, and one colour, for each point.
    pub fn to_svg(&self) -> String {
        let n = self.points.len();
        assert_eq!(self.names.len(), n, "a name per point");
        let groups = self.groups();
        let legend = groups.as_ref().map(Groups::legend);
        let bottom = TOP + FRAME_HEIGHT;
        let frame = Frame { left: 58.0, top: TOP, right: WIDTH - MARGIN, bottom };
        let below = bottom + 46.0;
        let end = match (&legend, &self.colours) {
            (Some(legend), _) => below + 18.0 + legend.height(),
            (None, ScatterColours::Numbers(_)) => below + 56.0,
            _ => below,
        };
        let drawn = |&&(x, y): &&(f64, f64)| x.is_finite() && y.is_finite();
        let shown = || self.points.iter().filter(drawn);
        let x = padded(range(shown().map(|p| p.0)), (frame.left + 8.0, frame.right - 8.0));
        let y = padded(range(shown().map(|p| p.1)), (frame.bottom - 8.0, frame.top + 8.0));
        let hidden = n - shown().count();
        let height = end + if hidden > 0 { 24.0 } else { 8.0 };
        let mut svg = Svg::new(WIDTH, height, &self.title, &self.describe(&groups));
        svg.add_style(PLOT_STYLE.to_string());
        heading(&mut svg, &self.title, &[&self.note]);
        frame.draw_y(&mut svg, &y, &frame.y_ticks(&y), &self.y.caption());
        frame.draw_x(&mut svg, &x, &frame.x_ticks(&x), &self.x.caption());
        let places: Vec<Option<(f64, f64)>> =
            self.points.iter().map(|p| drawn(&p).then(|| (x.at(p.0), y.at(p.1)))).collect();
        let numbers = self.numbers();
        for (i, place) in places.iter().enumerate() {
            let Some(at) = *place else { continue };
            let hint = self.hint(i);
            match (&groups, &numbers) {
                (Some(groups), _) => match groups.of[i] {
                    Some(group) => marker::draw(&mut svg, group, at, &hint),
                    None => marker::draw_baseline(&mut svg, at, &hint),
                },
                (None, Some((values, (low, high)))) if values[i].is_finite() => {
                    let share = (values[i] - low) / (high - low);
                    svg.disc(at, 4.2, "point", &viridis(share), &hint);
                }
                (None, Some(_)) => marker::draw_baseline(&mut svg, at, &hint),
                (None, None) => marker::draw(&mut svg, 0, at, &hint),
            }
        }
        names::draw(&mut svg, &frame, &places, &self.names);
        if let Some(legend) = &legend {
            svg.text((MARGIN, below + 11.0), Anchor::Start, "note", &self.colour_by, "");
            legend.draw(&mut svg, (MARGIN, below));
        } else if let Some((_, (low, high))) = &numbers {
            svg.text((MARGIN, below + 11.0), Anchor::Start, "note", &self.colour_by, "");
            let stops: Vec<String> = (0..9).map(|k| viridis(f64::from(k) / 8.0)).collect();
            svg.gradient((MARGIN, below + 18.0), (220.0, 12.0), "colours", &stops);
            svg.text((MARGIN, below + 46.0), Anchor::Start, "tick", &short(*low), "");
            svg.text((MARGIN + 220.0, below + 46.0), Anchor::End, "tick", &short(*high), "");
        }
        if hidden > 0 {
            let text = counted(hidden as u64, "point is not finite", "points are not finite");
            svg.text((MARGIN, height - 8.0), Anchor::Start, "note", &text, "");
        }
        svg.finish()
    }

    fn hint(&self, i: usize) -> String {
        let (x, y) = self.points[i];
        let of = match &self.colours {
            ScatterColours::None => String::new(),
            ScatterColours::Groups(groups) => groups[i].clone(),
            ScatterColours::Numbers(numbers) => short(numbers[i]),
        };
        let of = if of.is_empty() { of } else { format!(", {of}") };
        format!("{}: {}, {}{of}", self.names[i], short(x), short(y))
    }

    fn numbers(&self) -> Option<(&[f64], (f64, f64))> {
        let ScatterColours::Numbers(values) = &self.colours else { return None };
        assert_eq!(values.len(), self.points.len(), "a number per point");
        let (low, high) = range(values.iter().copied());
        Some((values, (low, if high > low { high } else { low + 1.0 })))
    }

    fn groups(&self) -> Option<Groups> {
        let ScatterColours::Groups(words) = &self.colours else { return None };
        assert_eq!(words.len(), self.points.len(), "a group per point");
        let mut counts = std::collections::BTreeMap::<&str, u64>::new();
        words.iter().for_each(|word| *counts.entry(word).or_default() += 1);
        let without = counts.remove("").unwrap_or(0);
        let mut by_size: Vec<(&str, u64)> = counts.into_iter().collect();
        by_size.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let others = by_size.iter().skip(MAX_GROUPS).map(|group| group.1).sum();
        by_size.truncate(MAX_GROUPS);
        let number = |word: &String| by_size.iter().position(|group| group.0 == word);
        let of = words.iter().map(number).collect();
        let named = by_size.into_iter().map(|(name, count)| (name.to_string(), count)).collect();
        Some(Groups { named, others, without, of })
    }

    /// What the picture shows, for those who cannot see it.
    fn describe(&self, groups: &Option<Groups>) -> String {
        let points = counted(self.points.len() as u64, "point", "points");
        let groups = groups.as_ref().map_or(String::new(), |groups| {
            let each: Vec<String> =
                groups.named.iter().map(|(name, count)| format!("{name}: {count}")).collect();
            format!(" By {}: {}.", self.colour_by, each.join(", "))
        });
        format!("{points}: {} against {}.{groups}", self.y.caption(), self.x.caption())
    }
}

impl Groups {
    fn legend(&self) -> Legend {
        let mut rows: Vec<_> = self
            .named
            .iter()
            .enumerate()
            .map(|(k, (name, count))| {
                (None, Sign::Series(k), name.clone(), vec![count.to_string()])
            })
            .collect();
        for (count, words) in [(self.others, "other groups"), (self.without, "no group")] {
            if count > 0 {
                rows.push((None, Sign::Baseline, words.to_string(), vec![count.to_string()]));
            }
        }
        let columns = vec![(60.0, "points", "")];
        Legend { line: 14.0, name: 22.0, room: INSIDE - 82.0, over: String::new(), columns, rows }
    }
}

/// A scale with a little room at its ends.
fn padded((low, high): (f64, f64), pixels: (f64, f64)) -> Scale {
    let room = 0.04 * (high - low);
    Scale::new(Spread::Linear, (low - room, high + room), pixels)
}
