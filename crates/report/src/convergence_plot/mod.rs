//! How the residuals of iterative solvers fall.
//!
//! **Problem.** For each solver or preconditioner, the relative residual after every
//! iteration; and the tolerance at which solvers stop. Or any other quantity that a loop
//! watches, with a bound of its own for each loop.
//!
//! **Method.** The residual has a logarithmic axis, a quantity with negative numbers a linear
//! one. A curve has its colour, its dashes and a
//! sign at its end; a solver that needs at most one iteration is that sign alone. Long curves
//! are thinned to the first, the last, the highest and the lowest point of each column of
//! pixels, so that the line looks the same at the picture's own size. A residual of 0 has
//! no place on a logarithmic axis: it lies on the lower edge, a decade below all others.
//!
//! **Cost.** Linear in the residuals; the picture has at most four points per column of pixels
//! and curve.
//!
//! **Reference.** Jugel, Jerzak, Hackenbroich and Markl, *M4: a visualization-oriented time
//! series data aggregation*, 2014.

mod curve;
mod limit;

use self::curve::Drawn;
use crate::chart::{AxisSpec, Frame, whole};
use crate::colour::PLOT_STYLE;
use crate::legend::{Legend, Sign};
use crate::marker;
use crate::number::{counted, short, thousands};
use crate::paper::{INSIDE, MARGIN, WIDTH, heading};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};

/// The frame's height; the legend stands below it.
const FRAME_HEIGHT: f64 = 300.0;
const TOP: f64 = 92.0;
/// Residuals beyond are drawn at these numbers, so that the axis does not overflow.
const ENDS: (f64, f64) = (1e-290, 1e290);

/// The residuals of one solver.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConvergenceCurve {
    /// The solver or its preconditioner.
    pub name: String,
    /// The relative residual, or what else the plot shows, after 0, 1, 2 … iterations.
    pub residuals: Vec<f64>,
    /// The iterations of these residuals, ascending, if they are not 0, 1, 2 ….
    pub iterations: Option<Vec<u64>>,
    /// Where this curve is to end; a dotted line.
    pub bound: Option<f64>,
}

impl ConvergenceCurve {
    fn iteration(&self, i: usize) -> u64 {
        self.iterations.as_ref().map_or(i as u64, |iterations| iterations[i])
    }

    fn last_iteration(&self) -> u64 {
        self.residuals.len().checked_sub(1).map_or(0, |last| self.iteration(last))
    }

    /// One iteration is a sign without a line.
    fn has_line(&self) -> bool {
        self.residuals.len() > 2
    }

    /// A bound that has a place.
    fn limit(&self) -> Option<f64> {
        self.bound.filter(|bound| bound.is_finite())
    }
}

/// Relative residuals, or another quantity, over iterations.
///
/// Numbers that are not finite cannot be drawn; the picture states how many those are.
///
/// ```
/// use palmette_report::{ConvergenceCurve, ConvergencePlot};
/// let curve = |name: &str, residuals: &[f64]| ConvergenceCurve {
///     name: name.into(),
///     residuals: residuals.into(),
///     ..ConvergenceCurve::default()
/// };
/// let plot = ConvergencePlot {
///     title: "Two solvers".into(),
///     tolerance: Some(1e-6),
///     curves: vec![curve("halves", &[1.0, 0.5, 0.25]), curve("direct", &[1.0, 1e-15])],
///     ..ConvergencePlot::default()
/// };
/// assert!(plot.to_svg().contains("tolerance 10⁻⁶"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConvergencePlot {
    /// The heading.
    pub title: String,
    /// One line below the heading; may be empty.
    pub note: String,
    /// What residuals are; a relative residual if empty.
    pub quantity: String,
    /// The relative residual at which all solvers stop.
    pub tolerance: Option<f64>,
    /// How iterations are spread. A logarithmic axis, for solvers that need very different
    /// numbers, begins at 1; so does what has no iteration.
    pub iterations: Spread,
    /// The curves; forty-nine can be told apart.
    pub curves: Vec<ConvergenceCurve>,
}

impl ConvergencePlot {
    /// The picture.
    ///
    /// # Panics
    /// When a curve names its iterations, but not one for each residual.
    pub fn to_svg(&self) -> String {
        for curve in &self.curves {
            let count = curve.iterations.as_ref().map_or(curve.residuals.len(), Vec::len);
            assert_eq!(count, curve.residuals.len(), "an iteration per residual");
        }
        let legend = self.legend();
        let bottom = TOP + FRAME_HEIGHT;
        let frame = Frame { left: 58.0, top: TOP, right: WIDTH - MARGIN, bottom };
        let below = (MARGIN, bottom + 46.0);
        let end = below.1 + legend.height();
        let (x, y) = self.scales(&frame);
        let drawn: Vec<Drawn> = self.curves.iter().map(|c| Drawn::new(c, &x, &y)).collect();

        let notes = self.notes(y.spread());
        let height = end + 8.0 + 17.0 * notes.len() as f64;
        let mut svg = Svg::new(WIDTH, height, &self.title, &self.describe());
        svg.add_style(PLOT_STYLE.to_string());
        heading(&mut svg, &self.title, &[&self.note]);
        let of = AxisSpec { name: self.quantity().to_string(), spread: y.spread() };
        frame.draw_y(&mut svg, &y, &frame.y_ticks(&y), &of.caption());
        let over = AxisSpec { name: "iterations".into(), spread: self.iterations };
        frame.draw_x(&mut svg, &x, &whole(frame.x_ticks(&x)), &over.caption());
        let limit = self.limit();
        if let Some(limit) = limit {
            svg.line((frame.left, y.at(limit)), (frame.right, y.at(limit)), "limit");
        }
        for (i, bound) in self.curves.iter().enumerate().filter_map(|(i, c)| Some((i, c.limit()?)))
        {
            if y.spread() == Spread::Linear || bound > 0.0 {
                let at = y.at(bound);
                svg.polyline(&[(frame.left, at), (frame.right, at)], &curve::bound_class(i));
            }
        }
        for (i, drawn) in drawn.iter().enumerate() {
            for piece in &drawn.pieces {
                svg.polyline(piece, &curve::class(i));
            }
        }
        // Signs lie over all lines, so that none is hidden.
        for (i, (drawn, curve)) in drawn.iter().zip(&self.curves).enumerate() {
            if let Some((last, at)) = drawn.end {
                let residual = short(curve.residuals[last]);
                let steps = counted(curve.iteration(last), "iteration", "iterations");
                let word = self.words()[0];
                let hint = format!("{}: {word} {residual} after {steps}", curve.name);
                marker::draw(&mut svg, i, at, &hint);
            }
        }
        if let Some(limit) = limit {
            limit::draw_name(&mut svg, &frame, y.at(limit), &tolerance(limit), &drawn);
        }
        legend.draw(&mut svg, below);
        if self.curves.is_empty() {
            svg.text((below.0, below.1 + 11.0), Anchor::Start, "note", "no curve", "");
        }
        for (i, note) in notes.iter().enumerate() {
            let at = (MARGIN, end + 14.0 + 17.0 * i as f64);
            svg.text(at, Anchor::Start, "note", note, "");
        }
        svg.finish()
    }

    /// A row per curve; bounds have a column if there are any.
    fn legend(&self) -> Legend {
        let mut columns = vec![(62.0, "iterations", ""), (150.0, self.words()[0], "the last one")];
        if self.curves.iter().any(|curve| curve.limit().is_some()) {
            columns.push((238.0, "bound", "dotted lines"));
        }
        let rows = self.curves.iter().enumerate().map(|(i, curve)| {
            let numbers = match curve.residuals.last() {
                Some(&last) => [thousands(curve.last_iteration()), short(last)],
                None => ["none".to_string(), "–".to_string()],
            };
            let numbers = numbers.into_iter().chain(curve.limit().map(short)).collect();
            let class = curve.has_line().then(|| curve::class(i));
            (class, Sign::Series(i), curve.name.clone(), numbers)
        });
        let rows = rows.collect();
        let room = INSIDE - 48.0 - columns[columns.len() - 1].0;
        Legend { line: 40.0, name: 48.0, room, over: String::new(), columns, rows }
    }

    /// A tolerance that has a place.
    fn limit(&self) -> Option<f64> {
        self.tolerance.filter(|t| t.is_finite() && *t > 0.0)
    }

    fn quantity(&self) -> &str {
        if self.quantity.is_empty() { "relative residual" } else { &self.quantity }
    }

    /// What one and several numbers are called.
    fn words(&self) -> [&'static str; 2] {
        if self.quantity.is_empty() { ["residual", "residuals"] } else { ["value", "values"] }
    }

    fn residuals(&self) -> impl Iterator<Item = f64> + '_ {
        self.curves.iter().flat_map(|c| c.residuals.iter().copied())
    }

    fn scales(&self, frame: &Frame) -> (Scale, Scale) {
        let last = self.curves.iter().map(ConvergenceCurve::last_iteration).max();
        let last = last.unwrap_or(0).max(1) as f64;
        let first = if self.iterations == Spread::Log { 1.0 } else { 0.0 };
        let last = if first > 0.0 { last.max(10.0) } else { last };
        let x = Scale::new(self.iterations, (first, last), (frame.left + 8.0, frame.right - 8.0));
        let bounds = || self.curves.iter().filter_map(|c| c.limit()).chain(self.limit());
        if self.residuals().any(|r| r < 0.0 && r.is_finite()) {
            let ends = range(self.residuals().chain(bounds()));
            return (x, Scale::nice(Spread::Linear, ends, frame.vertical()));
        }
        let positive = self.residuals().chain(bounds()).filter(|&r| r > 0.0 && r.is_finite());
        let (mut low, high) = range(positive.map(|r| r.clamp(ENDS.0, ENDS.1)));
        if low == 0.0 {
            // Nothing but zeros, or nothing at all.
            return (x, Scale::nice(Spread::Log, (0.1, 1.0), frame.vertical()));
        }
        if self.residuals().any(|r| r == 0.0) {
            low /= 10.0;
        }
        (x, Scale::nice(Spread::Log, (low, high), frame.vertical()))
    }

    /// What cannot be seen from the curves.
    fn notes(&self, spread: Spread) -> Vec<String> {
        let mut notes = Vec::new();
        let [one, many] = self.words();
        let counted =
            |count, end| counted(count, &format!("{one} is {end}"), &format!("{many} are {end}"));
        let zeros = self.residuals().filter(|&r| r == 0.0).count() as u64;
        if zeros > 0 && spread == Spread::Log {
            notes.push(counted(zeros, "0 and drawn at the bottom"));
        }
        let hidden = self.residuals().filter(|r| !curve::can_be_drawn(*r, spread)).count() as u64;
        if hidden > 0 {
            notes.push(counted(hidden, "not finite and not drawn"));
        }
        notes
    }

    /// What the picture shows, for those who cannot see it.
    fn describe(&self) -> String {
        let curve = |c: &ConvergenceCurve| match c.residuals.last() {
            None => format!("{}: no residual", c.name),
            Some(&last) => {
                let steps = thousands(c.last_iteration());
                format!("{}: {} after {steps}", c.name, short(last))
            }
        };
        let curves: Vec<String> = self.curves.iter().map(curve).collect();
        let limit = self.limit().map_or(String::new(), |t| format!(" with the {}", tolerance(t)));
        let what = self.quantity();
        format!("The {what} over iterations{limit}. {}.", curves.join("; "))
    }
}

fn tolerance(limit: f64) -> String {
    format!("tolerance {}", short(limit))
}
