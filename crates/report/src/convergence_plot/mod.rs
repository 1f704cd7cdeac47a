//! How the residuals of iterative solvers fall.
//!
//! **Problem.** For each solver or preconditioner, the relative residual after every
//! iteration; and the tolerance at which solvers stop.
//!
//! **Method.** The residual has a logarithmic axis. A curve has its colour, its dashes and a
//! sign at its end; a solver that needs at most one iteration is that sign alone. Long curves
//! are thinned to the first, the last, the highest and the lowest point of each column of
//! pixels, so that the line looks the same at the picture's own size. A residual of 0 has no place on the axis:
//! it lies on the lower edge, a decade below all others.
//!
//! **Cost.** Linear in the residuals; the picture has at most four points a column of pixels
//! and curve.
//!
//! **Reference.** Jugel, Jerzak, Hackenbroich and Markl, *M4: a visualization-oriented time
//! series data aggregation*, 2014.

mod curve;
mod legend;
mod limit;

use self::curve::Drawn;
use self::legend::Legend;
use crate::chart::{AxisSpec, Frame, MARGIN, heading, whole};
use crate::colour::PLOT_STYLE;
use crate::marker;
use crate::number::{counted, short, thousands};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};

const WIDTH: f64 = 910.0;
const FRAME_HEIGHT: f64 = 330.0;
const TOP: f64 = 92.0;
/// Residuals beyond are drawn at these numbers, so that the axis does not overflow.
const ENDS: (f64, f64) = (1e-290, 1e290);

/// The residuals of one solver.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConvergenceCurve {
    /// The solver or its preconditioner.
    pub name: String,
    /// The relative residual after 0, 1, 2 … iterations.
    pub residuals: Vec<f64>,
}

/// Relative residuals over iterations.
///
/// Residuals that are negative or not finite cannot be drawn; the picture states how many
/// those are.
///
/// ```
/// use palmette_report::{ConvergenceCurve, ConvergencePlot};
/// let plot = ConvergencePlot {
///     title: "Two solvers".into(),
///     tolerance: Some(1e-6),
///     curves: vec![
///         ConvergenceCurve { name: "halves".into(), residuals: vec![1.0, 0.5, 0.25] },
///         ConvergenceCurve { name: "direct".into(), residuals: vec![1.0, 1e-15] },
///     ],
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
    /// The relative residual at which solvers stop.
    pub tolerance: Option<f64>,
    /// How iterations are spread. A logarithmic axis, for solvers that need very different
    /// numbers, begins at 1; so does what has no iteration.
    pub iterations: Spread,
    /// The curves; forty-nine can be told apart.
    pub curves: Vec<ConvergenceCurve>,
}

impl ConvergencePlot {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let legend = Legend::new(&self.curves);
        let right = WIDTH - MARGIN - legend::WIDTH - 26.0;
        let bottom = TOP + FRAME_HEIGHT.max(legend.height());
        let frame = Frame { left: 66.0, top: TOP, right, bottom };
        let (x, y) = self.scales(&frame);
        let drawn: Vec<Drawn> = self.curves.iter().map(|c| Drawn::new(c, &x, &y)).collect();

        let notes = self.notes();
        let height = bottom + 46.0 + 16.0 * notes.len() as f64;
        let mut svg = Svg::new(WIDTH, height, &self.title, &self.describe());
        svg.add_style(PLOT_STYLE.to_string());
        heading(&mut svg, WIDTH, &self.title, &self.note);
        let of = AxisSpec::log("relative residual");
        frame.draw_y(&mut svg, &y, &frame.y_ticks(&y), &of.caption());
        let over = AxisSpec { name: "iterations".into(), spread: self.iterations };
        frame.draw_x(&mut svg, &x, &whole(frame.x_ticks(&x)), &over.caption());
        let limit = self.limit();
        if let Some(limit) = limit {
            svg.line((frame.left, y.at(limit)), (frame.right, y.at(limit)), "limit");
        }
        for (i, drawn) in drawn.iter().enumerate() {
            for piece in &drawn.pieces {
                svg.polyline(piece, &curve::class(i));
            }
        }
        // Signs lie over all lines, so that none is hidden.
        for (i, (drawn, curve)) in drawn.iter().zip(&self.curves).enumerate() {
            if let Some((iteration, at)) = drawn.end {
                let residual = short(curve.residuals[iteration]);
                let steps = counted(iteration as u64, "iteration", "iterations");
                let hint = format!("{}: residual {residual} after {steps}", curve.name);
                marker::draw(&mut svg, i, at, &hint);
            }
        }
        if let Some(limit) = limit {
            limit::draw_name(&mut svg, &frame, y.at(limit), &tolerance(limit), &drawn);
        }
        legend.draw(&mut svg, (right + 26.0, TOP - 4.0));
        for (i, note) in notes.iter().enumerate() {
            let at = (MARGIN, bottom + 52.0 + 16.0 * i as f64);
            svg.text(at, Anchor::Start, "note", note, "");
        }
        svg.finish()
    }

    /// A tolerance that has a place.
    fn limit(&self) -> Option<f64> {
        self.tolerance.filter(|t| t.is_finite() && *t > 0.0)
    }

    fn residuals(&self) -> impl Iterator<Item = f64> + '_ {
        self.curves.iter().flat_map(|c| c.residuals.iter().copied())
    }

    fn scales(&self, frame: &Frame) -> (Scale, Scale) {
        let last = self.curves.iter().map(|c| c.residuals.len().saturating_sub(1)).max();
        let last = last.unwrap_or(0).max(1) as f64;
        let first = if self.iterations == Spread::Log { 1.0 } else { 0.0 };
        let last = if first > 0.0 { last.max(10.0) } else { last };
        let x = Scale::new(self.iterations, (first, last), (frame.left + 8.0, frame.right - 8.0));
        let positive = self.residuals().filter(|&r| r > 0.0 && r.is_finite());
        let (mut low, high) = range(positive.chain(self.limit()).map(|r| r.clamp(ENDS.0, ENDS.1)));
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
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let zeros = self.residuals().filter(|&r| r == 0.0).count() as u64;
        if zeros > 0 {
            let words = counted(zeros, "residual is", "residuals are");
            notes.push(format!("{words} 0 and drawn on the lower edge"));
        }
        let hidden = self.residuals().filter(|r| !curve::can_be_drawn(*r)).count() as u64;
        if hidden > 0 {
            let words = counted(hidden, "residual is", "residuals are");
            notes.push(format!("{words} negative or not finite and not drawn"));
        }
        notes
    }

    /// What the picture shows, for those who cannot see it.
    fn describe(&self) -> String {
        let curve = |c: &ConvergenceCurve| match c.residuals.last() {
            None => format!("{}: no residual", c.name),
            Some(&last) => {
                let steps = thousands(c.residuals.len() as u64 - 1);
                format!("{}: {} after {steps}", c.name, short(last))
            }
        };
        let curves: Vec<String> = self.curves.iter().map(curve).collect();
        let limit = self.limit().map_or(String::new(), |t| format!(" with the {}", tolerance(t)));
        format!("Relative residuals over iterations{limit}. {}.", curves.join("; "))
    }
}

fn tolerance(limit: f64) -> String {
    format!("tolerance {}", short(limit))
}
