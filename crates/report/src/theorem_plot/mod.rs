//! One theorem against its measurements.
//!
//! **Method.** Both axes are logarithmic. Measured points have a colour and a sign a series;
//! the law of the theorem is a dashed curve with the constant that fits all measured points.
//! A baseline is dotted and grey, and not part of the fit. The legend stands below the
//! frame, so that it covers no point, and says the constants of each series.
//!
//! **Cost.** Linear in the points.

mod axes;

use self::axes::Axes;
use crate::chart::{Frame, Series};
use crate::colour::PLOT_STYLE;
use crate::law::{Fit, Law};
use crate::legend::{Legend, Sign};
use crate::marker;
use crate::number::{constant, counted, powers, short, size};
use crate::paper::{MARGIN, WIDTH, heading};
use crate::svg::{Anchor, Svg, within_page};

const FRAME_HEIGHT: f64 = 300.0;

type Point = (f64, f64);
/// A measured point and its pixel.
type Placed = (Point, Point);

/// A quantity that a theorem bounds, measured over sizes.
///
/// Points that are not positive cannot be shown on logarithmic axes; the picture states
/// how many those are.
///
/// ```
/// use palmette_report::{Law, Series, TheoremPlot};
/// let plot = TheoremPlot {
///     name: "Theorem 5".into(),
///     claim: "list ranking takes O(n^1.5) energy".into(),
///     quantity: "energy".into(),
///     law: Law::ThreeHalves,
///     series: vec![Series { name: "path".into(), points: vec![(4.0, 16.0), (16.0, 128.0)] }],
///     baseline: None,
/// };
/// assert!(plot.to_svg().contains("2.00 n¹·⁵"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TheoremPlot {
    /// Such as `Theorem 5`.
    pub name: String,
    /// What the theorem says of the quantity; `n^1.5` is printed with raised digits.
    pub claim: String,
    /// What was measured.
    pub quantity: String,
    /// How the quantity grows if the theorem's bound is tight.
    pub law: Law,
    /// Points `(n, value)`, one series per shape; fourteen can be told apart.
    pub series: Vec<Series>,
    /// What the measurements are compared with, such as a PRAM simulation.
    pub baseline: Option<Series>,
}

impl TheoremPlot {
    /// The constants of the law over all measured points, without the baseline.
    pub fn fit(&self) -> Option<Fit> {
        self.law.fit(self.series.iter().flat_map(|s| s.points.iter().copied()))
    }

    /// The picture.
    pub fn to_svg(&self) -> String {
        self.draw(true)
    }

    /// The picture for a page that has the style sheet and says the words itself.
    pub(crate) fn to_inline(&self) -> String {
        within_page(&self.draw(false))
    }

    /// Name and quantity.
    pub(crate) fn heading(&self) -> String {
        if self.name.is_empty() {
            return self.quantity.clone();
        }
        format!("{}: {}", self.name, self.quantity)
    }

    /// The claim and the constants, in sentences.
    pub(crate) fn words(&self) -> String {
        let claim = self.claim();
        let point = if claim.is_empty() { "" } else { ". " };
        format!("{claim}{point}{}.", self.sentence())
    }

    /// The claim as the beginning of a sentence.
    fn claim(&self) -> String {
        let claim = powers(self.claim.trim_end_matches('.'));
        let mut letters = claim.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    }

    /// The constants, in words.
    fn sentence(&self) -> String {
        let Some(fit) = self.fit() else {
            return "No point can be compared with the law".to_string();
        };
        let most = self.series.iter().flat_map(|s| s.points.iter().map(move |&p| (s, p)));
        let most = most.filter_map(|(s, p)| Some((s, p.0, self.law.ratio(p)?)));
        let most = most.max_by(|a, b| a.2.total_cmp(&b.2));
        let place =
            most.map_or(String::new(), |(s, n, _)| format!(" ({}, n = {})", s.name, size(n)));
        format!(
            "Fit over {}: {}, the geometric mean of the ratios; largest ratio {}{place}",
            counted(fit.points as u64, "point", "points"),
            self.law.times(fit.constant),
            constant(fit.largest),
        )
    }

    fn draw(&self, is_headed: bool) -> String {
        let fit = self.fit();
        let legend = self.legend(fit);
        let top = if is_headed { 106.0 } else { 36.0 };
        let all = || self.series.iter().chain(&self.baseline).flat_map(|s| &s.points).copied();
        let shown: Vec<Point> = all().filter(can_be_drawn).collect();
        let height = if shown.is_empty() { 0.0 } else { FRAME_HEIGHT };
        let bottom = top + height;
        let frame = Frame { left: 54.0, top, right: WIDTH - MARGIN, bottom };
        let below = (MARGIN, if shown.is_empty() { bottom - 12.0 } else { bottom + 46.0 });

        let title = self.heading();
        let description = format!("{} {}.", self.words(), self.describe());
        let hidden = (all().count() - shown.len()) as u64;
        let has_note = hidden > 0 || shown.is_empty();
        let end = below.1 + legend.height();
        let height = end + if has_note { 26.0 } else { 8.0 };
        let mut svg = Svg::new(WIDTH, height, &title, &description);
        svg.add_style(PLOT_STYLE.to_string());
        if is_headed {
            heading(&mut svg, &title, &[&self.claim(), &self.sentence()]);
        }
        legend.draw(&mut svg, below);
        if !shown.is_empty() {
            self.draw_points(&mut svg, frame, &shown, fit);
        }
        let words = match hidden {
            0 => "no point was measured".to_string(),
            _ => counted(hidden, "point", "points") + " cannot be drawn on logarithmic axes",
        };
        if has_note {
            svg.text((MARGIN, end + 14.0), Anchor::Start, "note", &words, "");
        }
        svg.finish()
    }

    fn legend(&self, fit: Option<Fit>) -> Legend {
        let over = match self.law {
            Law::Constant => "constants".to_string(),
            law => format!("times {law}"),
        };
        let columns = vec![(58.0, "fit", "geometric mean"), (128.0, "most", "largest ratio")];
        let series = self.series.iter().enumerate().map(|(i, series)| {
            let fit = self.law.fit(series.points.iter().copied());
            let numbers =
                fit.map_or(Vec::new(), |fit| [fit.constant, fit.largest].map(constant).into());
            (Some(marker::line_class(i)), Sign::Series(i), series.name.clone(), numbers)
        });
        let row =
            |class: &str, sign, name: String| (Some(class.to_string()), sign, name, Vec::new());
        let law = fit.map(|fit| row("law", Sign::None, self.law.times(fit.constant)));
        let baseline =
            self.baseline.iter().map(|b| row("baseline", Sign::Baseline, b.name.clone()));
        let rows = series.chain(law).chain(baseline).collect();
        Legend { line: 24.0, name: 30.0, room: 240.0, over, columns, rows }
    }

    fn draw_points(&self, svg: &mut Svg, frame: Frame, shown: &[Point], fit: Option<Fit>) {
        let curve = fit.map_or(Vec::new(), |fit| axes::curve(self.law, fit.constant, shown));
        let axes = Axes::new(frame, shown, &curve);
        axes.draw(svg, &self.quantity);
        let pixels = |series: &Series| -> Vec<Placed> {
            let kept = series.points.iter().copied().filter(can_be_drawn);
            kept.map(|p| (p, axes.at(p))).collect()
        };
        let ends = |found: &[Placed]| found.iter().map(|p| p.1).collect::<Vec<Point>>();
        let hint = |series: &Series, p: Point| {
            let ratio = self.law.ratio(p).map(|ratio| format!(" = {}", self.law.times(ratio)));
            let value = format!("{} {}", self.quantity, short(p.1));
            format!("{}, n = {}: {value}{}", series.name, size(p.0), ratio.unwrap_or_default())
        };
        if let Some(baseline) = &self.baseline {
            let found = pixels(baseline);
            svg.polyline(&ends(&found), "baseline");
            found.iter().for_each(|&(p, at)| marker::draw_baseline(svg, at, &hint(baseline, p)));
        }
        let found: Vec<_> = self.series.iter().map(&pixels).collect();
        for (i, found) in found.iter().enumerate() {
            svg.polyline(&ends(found), &marker::line_class(i));
        }
        let curve: Vec<Point> = curve.into_iter().map(|p| axes.at(p)).collect();
        svg.polyline(&curve, "law");
        for (i, (series, found)) in self.series.iter().zip(&found).enumerate() {
            found.iter().for_each(|&(p, at)| marker::draw(svg, i, at, &hint(series, p)));
        }
    }

    /// What is on the axes, for those who cannot see it.
    fn describe(&self) -> String {
        let names: Vec<&str> =
            self.series.iter().chain(&self.baseline).map(|s| s.name.as_str()).collect();
        format!("{} against the number of vertices for {}", self.quantity, names.join(", "))
    }
}

/// Logarithmic axes have a place for positive numbers only.
fn can_be_drawn(&(n, value): &Point) -> bool {
    n > 0.0 && value > 0.0 && n.is_finite() && value.is_finite()
}
