//! Markers on a board, and their key.

use super::classes;
use crate::svg::{Anchor, Svg, through};
use crate::text;

/// Height of a line of a key.
const LINE: f64 = 20.0;
/// A remark of more pixels goes on in the next line.
const REMARK: f64 = 260.0;

/// What is drawn left of a line of a key.
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
    /// Nothing: the line goes on where the one above ended.
    More,
    /// Nothing: the line is a remark.
    Remark,
}

/// The lines of a key, from the top.
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
        let mut line = String::new();
        for word in words.split(' ') {
            let longer = if line.is_empty() { word.to_string() } else { format!("{line} {word}") };
            if text::width(&longer, 11.0) > REMARK && !line.is_empty() {
                self.push(Sign::Remark, std::mem::replace(&mut line, word.to_string()));
            } else {
                line = longer;
            }
        }
        self.push(Sign::Remark, line);
    }

    pub(crate) fn height(&self) -> f64 {
        LINE * self.0.len() as f64
    }

    /// The width that the words take, at most that of a table.
    pub(crate) fn width(&self) -> f64 {
        let words = self.0.iter().map(|(sign, words)| indent(*sign) + text::width(words, 11.0));
        words.fold(0.0, f64::max).min(classes::WIDTH)
    }

    pub(crate) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        for (i, (sign, words)) in self.0.iter().enumerate() {
            let y = top + LINE * (i as f64 + 0.5);
            let x = left + 9.0;
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
                Sign::More | Sign::Remark => {}
            }
            let at = left + indent(*sign);
            let fitted = text::fit(words, 11.0, left + classes::WIDTH - at);
            svg.text((at, y + 4.0), Anchor::Start, "note", &fitted, words);
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
