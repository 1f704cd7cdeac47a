//! The axes of a theorem's plot: both logarithmic, sizes in powers of two.

use crate::chart::{AxisSpec, Frame};
use crate::law::Law;
use crate::number::short;
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};

/// Pixels between two numbers of the horizontal axis.
const APART: f64 = 38.0;
/// How many pieces the curve of a law has.
const PIECES: i32 = 48;

/// Both scales. All points and the curve lie inside.
pub(super) struct Axes {
    pub(super) frame: Frame,
    pub(super) x: Scale,
    pub(super) y: Scale,
}

impl Axes {
    /// For points that are positive numbers, and the points of the law's curve.
    pub(super) fn new(frame: Frame, points: &[(f64, f64)], curve: &[(f64, f64)]) -> Self {
        let (low, high) = sizes(points);
        let room = (high / low).powf(0.03);
        let x = Scale::new(Spread::Log, (low / room, high * room), frame.horizontal());
        let y = range(points.iter().chain(curve).map(|p| p.1));
        Axes { frame, x, y: Scale::nice(Spread::Log, y, frame.vertical()) }
    }

    pub(super) fn at(&self, point: (f64, f64)) -> (f64, f64) {
        (self.x.at(point.0), self.y.at(point.1))
    }

    /// Grid lines, numbers and names.
    pub(super) fn draw(&self, svg: &mut Svg, quantity: &str) {
        let frame = &self.frame;
        let ticks = frame.y_ticks(&self.y);
        frame.draw_y(svg, &self.y, &ticks, &AxisSpec::log(quantity).caption());
        for tick in self.fine_ticks().filter(|t| !ticks.contains(t)) {
            let y = self.y.at(tick);
            svg.line((frame.left - 3.0, y), (frame.left, y), "axis");
        }
        self.draw_sizes(svg);
        let corners =
            [(frame.left, frame.top), (frame.left, frame.bottom), (frame.right, frame.bottom)];
        svg.polyline(&corners, "axis");
        frame.x_caption(svg, &AxisSpec::log("vertices n").caption());
    }

    /// Powers of two where there are some; the largest has its number.
    fn draw_sizes(&self, svg: &mut Svg) {
        let frame = &self.frame;
        let powers = self.x.powers(2.0);
        let (first, last) = (*powers.start(), *powers.end());
        if last <= first {
            for tick in self.x.even_ticks(4) {
                let x = self.x.at(tick);
                svg.line((x, frame.top), (x, frame.bottom), "grid");
                frame.x_tick(svg, x, &short(tick));
            }
            return;
        }
        let wide = self.x.at(2f64.powi(last)) - self.x.at(2f64.powi(first));
        let apart = wide / f64::from(last - first);
        let every = (APART / apart).ceil() as i32;
        for power in powers {
            let x = self.x.at(2f64.powi(power));
            if (last - power) % every == 0 {
                svg.line((x, frame.top), (x, frame.bottom + 4.0), "grid");
                svg.power((x, frame.bottom + 18.0), Anchor::Middle, "power", 2, power);
            } else if apart >= 3.0 {
                svg.line((x, frame.bottom), (x, frame.bottom + 3.0), "axis");
            }
        }
    }

    /// One to nine times the powers of ten; those alone where they are many.
    fn fine_ticks(&self) -> impl Iterator<Item = f64> + use<'_> {
        let powers = self.y.powers(10.0);
        let factors = if powers.clone().count() > 8 { 1..=1 } else { 1..=9 };
        let all = powers.start() - 1..=*powers.end();
        all.flat_map(move |p| factors.clone().map(move |f| f64::from(f) * 10f64.powi(p)))
            .filter(|&t| self.y.contains(t))
    }
}

/// The smallest and the largest size; one size alone lies between two others.
fn sizes(points: &[(f64, f64)]) -> (f64, f64) {
    let (low, high) = range(points.iter().map(|p| p.0));
    if low == high { (low / 2.0, high * 2.0) } else { (low, high) }
}

/// The points of a law's curve over the sizes of these points; from 2 on where the law begins
/// with 0, which has no place on a logarithmic axis.
pub(super) fn curve(law: Law, constant: f64, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (low, high) = sizes(points);
    let low = if law.at(1.0) == 0.0 { low.max(2.0) } else { low };
    let size = |i: i32| low * (high / low).powf(f64::from(i) / f64::from(PIECES));
    let points = (0..=PIECES).map(size).map(|n| (n, constant * law.at(n)));
    points.filter(|p| p.1 > 0.0 && p.1.is_finite()).collect()
}
