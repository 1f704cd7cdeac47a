//! The legend below a plot: rows of a sign, a name and numbers in columns.

use crate::marker;
use crate::paper::SMALL;
use crate::svg::{Anchor, Svg};
use crate::text;

const ROW: f64 = 20.0;

/// What stands on the line of a row.
pub(crate) enum Sign {
    /// Only the line.
    None,
    Series(usize),
    Baseline,
}

/// A row: the class of its line, if it has one, its sign, name and numbers.
pub(crate) type Row = (Option<String>, Sign, String, Vec<String>);

/// A legend; lengths are in pixels.
#[derive(Default)]
pub(crate) struct Legend {
    /// The length of a line.
    pub(crate) line: f64,
    /// Where names begin, and the room that they have beside numbers.
    pub(crate) name: f64,
    pub(crate) room: f64,
    /// What stands over the names; may be empty.
    pub(crate) over: String,
    /// By column of numbers: how far behind the names it ends, its head and a hint.
    pub(crate) columns: Vec<(f64, &'static str, &'static str)>,
    pub(crate) rows: Vec<Row>,
}

impl Legend {
    pub(crate) fn height(&self) -> f64 {
        ROW * (self.rows.len() + 1) as f64 + 8.0
    }

    fn width(&self) -> f64 {
        self.name + self.room + self.columns.last().map_or(0.0, |column| column.0)
    }

    pub(crate) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        let (name, end) = (left + self.name, left + self.name + self.room);
        if self.rows.iter().any(|row| !row.3.is_empty()) {
            if !self.over.is_empty() {
                svg.text((name, top + 11.0), Anchor::Start, "note", &self.over, "");
            }
            for (at, head, hint) in &self.columns {
                svg.text((end + at, top + 11.0), Anchor::End, "note", head, hint);
            }
            svg.line((left, top + 18.0), (left + self.width(), top + 18.0), "grid");
        }
        for (i, (class, sign, words, numbers)) in self.rows.iter().enumerate() {
            let y = top + ROW * (i as f64 + 1.5) + 2.0;
            if let Some(class) = class {
                svg.line((left, y), (left + self.line, y), class);
            }
            let middle = (left + self.line / 2.0, y);
            match *sign {
                Sign::None => {}
                Sign::Series(series) => marker::draw(svg, series, middle, ""),
                Sign::Baseline => marker::draw_baseline(svg, middle, ""),
            }
            let room = if numbers.is_empty() { self.width() - self.name } else { self.room };
            let fitted = text::fit(words, SMALL, room);
            svg.text((name, y + 4.0), Anchor::Start, "", &fitted, words);
            for ((at, ..), number) in self.columns.iter().zip(numbers) {
                svg.text((end + at, y + 4.0), Anchor::End, "", number, "");
            }
        }
    }
}
