//! From distances and rows to places on the sheet: straight, or around a circle.

use crate::scale::Scale;
use crate::svg::{Anchor, decimal, through};
use std::f64::consts::{PI, TAU};

/// Where a text stands: its baseline, its turn in degrees, and where it is held.
pub(super) type TextPlace = ((f64, f64), f64, Anchor);

/// Distances go right, rows down; or distances go out, rows around.
pub(super) enum Plane {
    Straight {
        x: Scale,
        top: f64,
    },
    Round {
        radius: Scale,
        centre: (f64, f64),
        /// Radians per pixel of rows.
        turn: f64,
        /// Where names stand.
        rim: f64,
    },
}

/// The gap between the last row and the first, in radians.
pub(super) const GAP: f64 = 0.12;

impl Plane {
    /// A circle for rows of this height in all.
    pub(super) fn round(radius: Scale, centre: (f64, f64), rows: f64, rim: f64) -> Plane {
        Plane::Round { radius, centre, turn: (TAU - GAP) / rows, rim }
    }

    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        match self {
            Plane::Straight { x: scale, top } => (scale.at(x), top + y),
            Plane::Round { radius, .. } => self.polar(radius.at(x), y),
        }
    }

    /// The angle of a row: the first is at the top, and rows go clockwise.
    fn angle(&self, y: f64) -> f64 {
        match self {
            Plane::Straight { .. } => 0.0,
            Plane::Round { turn, .. } => -PI / 2.0 + GAP / 2.0 + y * turn,
        }
    }

    fn polar(&self, r: f64, y: f64) -> (f64, f64) {
        let Plane::Round { centre, .. } = self else { return (0.0, 0.0) };
        let angle = self.angle(y);
        (centre.0 + r * angle.cos(), centre.1 + r * angle.sin())
    }

    /// From one row to another at a distance, in SVG's commands after the start.
    fn arc(&self, r: f64, from: f64, to: f64) -> String {
        let (x, y) = self.polar(r, to);
        let wide = self.angle(to) - self.angle(from);
        let (large, sweep) = (u8::from(wide.abs() > PI), u8::from(wide > 0.0));
        let [r, x, y] = [r, x, y].map(decimal);
        format!("A{r} {r} 0 {large} {sweep} {x} {y}")
    }

    /// A branch: from its parent's distance to its own.
    pub(super) fn along(&self, from: f64, to: f64, y: f64) -> String {
        through([self.at(from, y), self.at(to, y)])
    }

    /// What joins the branches of children.
    pub(super) fn across(&self, x: f64, from: f64, to: f64) -> String {
        match self {
            Plane::Straight { .. } => through([self.at(x, from), self.at(x, to)]),
            Plane::Round { radius, .. } => {
                through([self.at(x, from)]) + &self.arc(radius.at(x), from, to)
            }
        }
    }

    /// A clade from its vertex to its farthest tip at one side, to its nearest at the other.
    pub(super) fn triangle(
        &self,
        x: f64,
        y: f64,
        reach: (f64, f64),
        (top, bottom): (f64, f64),
    ) -> String {
        through([self.at(x, y), self.at(reach.1, top), self.at(reach.0, bottom)]) + "z"
    }

    /// The area from a distance on to the edge of what is drawn.
    pub(super) fn wash(&self, x: f64, (top, bottom): (f64, f64), edge: f64) -> String {
        match self {
            Plane::Straight { x: scale, top: above } => {
                let (left, above, below) = (scale.at(x), above + top, *above + bottom);
                through([(left, above), (edge, above), (edge, below), (left, below)]) + "z"
            }
            Plane::Round { radius, .. } => {
                let r = radius.at(x);
                let inner = through([self.polar(r, top)]) + &self.arc(r, top, bottom);
                let (a, b) = self.polar(edge, bottom);
                let out = format!("L{} {}", decimal(a), decimal(b));
                inner + &out + &self.arc(edge, bottom, top) + "z"
            }
        }
    }

    /// Where the name of a row stands whose tip, or farthest tip, is at a distance.
    pub(super) fn name(&self, x: f64, y: f64, size: f64) -> TextPlace {
        match self {
            Plane::Straight { .. } => {
                let (x, y) = self.at(x, y);
                ((x + 6.0, y + 0.36 * size), 0.0, Anchor::Start)
            }
            Plane::Round { rim, .. } => {
                let angle = self.angle(y);
                let left = angle.cos() < 0.0;
                // The baseline lies beside the middle of the row.
                let down = if left { -0.36 * size } else { 0.36 * size };
                let (x, y) = self.polar(*rim, y);
                let at = (x - down * angle.sin(), y + down * angle.cos());
                let (turn, anchor) = match left {
                    true => (angle.to_degrees() + 180.0, Anchor::End),
                    false => (angle.to_degrees(), Anchor::Start),
                };
                (at, turn, anchor)
            }
        }
    }

    /// The line from a tip to its name, where it is far.
    pub(super) fn leader(&self, x: f64, y: f64) -> Option<String> {
        let Plane::Round { rim, radius, .. } = self else { return None };
        (rim - radius.at(x) > 9.0)
            .then(|| through([self.polar(radius.at(x) + 3.0, y), self.polar(rim - 3.0, y)]))
    }

    /// Pixels that a row of this height has for its name.
    pub(super) fn room(&self, height: f64) -> f64 {
        match self {
            Plane::Straight { .. } => height,
            Plane::Round { turn, rim, .. } => height * turn * rim,
        }
    }
}
