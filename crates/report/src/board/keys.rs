//! Markers on a board, and their key.

use crate::paper::{INSIDE, SMALL};
use crate::svg::{Anchor, Svg, through};
use crate::text;

/// Height of a line of a key.
const LINE: f64 = 20.0;
/// Pixels between entries of one line.
const GAP: f64 = 22.0;

/// What is drawn left of an entry of a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sign {
    Root,
    Vertex,
    Curve,
    /// A long edge on a map.
    Far,
    /// A link that is marked.
    Mark,
    /// A field with this class of style.
    Field(&'static str),
    /// A line with this class of style.
    Line(&'static str),
    /// A line of this width.
    Wide(f64),
    /// Where a field is greatest.
    Highest,
    /// Where it is least.
    Lowest,
    /// No mark: the entry is a remark, and starts a new line.
    Remark,
}

/// The entries of a key, from the top left; as many in a line as fit.
#[derive(Debug, Default)]
pub(crate) struct Keys(Vec<(Sign, String)>);

impl Keys {
    pub(crate) fn push(&mut self, sign: Sign, words: impl Into<String>) {
        self.0.push((sign, words.into()));
    }

    pub(crate) fn push_if(&mut self, is_used: bool, sign: Sign, words: &str) {
        if is_used {
            self.push(sign, words);
        }
    }

    /// A remark, on as many lines as it takes.
    pub(crate) fn remark(&mut self, words: &str) {
        for line in text::wrap(words, SMALL, INSIDE, usize::MAX) {
            self.push(Sign::Remark, line);
        }
    }

    /// By entry, the line in which it stands and where it begins there.
    fn places(&self) -> Vec<(usize, f64)> {
        let (mut line, mut at) = (0, 0.0);
        let mut places = Vec::with_capacity(self.0.len());
        for (sign, words) in &self.0 {
            let wide = indent(*sign) + text::width(words, SMALL);
            let is_full = at + wide > INSIDE || *sign == Sign::Remark;
            if is_full && at > 0.0 {
                (line, at) = (line + 1, 0.0);
            }
            places.push((line, at));
            // Nothing follows a remark.
            at = if *sign == Sign::Remark { INSIDE } else { at + wide + GAP };
        }
        places
    }

    pub(crate) fn height(&self) -> f64 {
        LINE * self.places().last().map_or(0.0, |(line, _)| *line as f64 + 1.0)
    }

    pub(crate) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        for ((sign, words), (line, at)) in self.0.iter().zip(self.places()) {
            let y = top + LINE * (line as f64 + 0.5);
            let x = left + at + 9.0;
            let (from, to) = ((x - 9.0, y), (x + 9.0, y));
            match *sign {
                Sign::Root => draw_root(svg, (x, y), 5.5, ""),
                Sign::Vertex => svg.disc((x, y), 3.0, "vertex", "", ""),
                Sign::Curve => svg.wide_line(&[from, to], 6.0, "curve", ""),
                Sign::Far => svg.line(from, to, "far"),
                Sign::Mark => draw_mark(svg, (x, y), 6.0),
                Sign::Field(class) => svg.rect((x - 7.0, y - 6.0), (14.0, 12.0), class, ""),
                Sign::Line(class) => svg.line(from, to, class),
                Sign::Wide(width) => svg.wide_line(&[from, to], width, "strand l0", ""),
                Sign::Highest => draw_peak(svg, (x, y), true, ""),
                Sign::Lowest => draw_peak(svg, (x, y), false, ""),
                Sign::Remark => {}
            }
            let at = at + indent(*sign);
            let fitted = text::fit(words, SMALL, INSIDE - at);
            svg.text((left + at, y + 4.0), Anchor::Start, "note", &fitted, words);
        }
    }
}

/// Where the words of a line begin.
fn indent(sign: Sign) -> f64 {
    if sign == Sign::Remark { 0.0 } else { 26.0 }
}

/// A root of a tree.
pub(crate) fn draw_root(svg: &mut Svg, at: (f64, f64), radius: f64, hint: &str) {
    svg.disc(at, radius, "f1 halo", "", hint);
}

/// A ring that is seen on every colour.
pub(crate) fn draw_mark(svg: &mut Svg, at: (f64, f64), radius: f64) {
    svg.disc(at, radius, "under", "", "");
    svg.disc(at, radius, "mark", "", "");
}

/// A triangle that points up at the greatest value, down at the least.
pub(crate) fn draw_peak(svg: &mut Svg, (x, y): (f64, f64), up: bool, hint: &str) {
    let tip = if up { -5.0 } else { 5.0 };
    let corners = [(x, y + tip), (x + 5.0, y - 0.7 * tip), (x - 5.0, y - 0.7 * tip)];
    svg.path(&(through(corners) + "z"), "peak", hint);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_entries_share_a_line() {
        let mut keys = Keys::default();
        assert_eq!(keys.height(), 0.0);
        keys.push(Sign::Root, "root");
        keys.push(Sign::Vertex, "vertex");
        keys.push(Sign::Curve, "a curve with so many words that it needs most of a line");
        keys.remark(&"many words ".repeat(20));
        keys.push(Sign::Mark, "mark");
        let lines: Vec<usize> = keys.places().into_iter().map(|place| place.0).collect();
        assert_eq!(lines, [0, 0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(keys.height(), 7.0 * LINE);
    }
}
