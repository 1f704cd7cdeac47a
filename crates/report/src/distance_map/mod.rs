//! Distances of all pairs as a map of colours.
//!
//! **Problem.** A symmetric table of numbers, in the order of the rows to be drawn; which rows are near to each other?
//!
//! **Method.** A square of cells, one per pair, in the colours of viridis from 0 (dark) to the largest number. Beyond
//! [`MOST_CELLS`] rows a cell is the mean of several pairs. The cells are one image of a palette; up to
//! [`MOST_HINTS`] rows each has its numbers when the pointer rests on it. Names stand at the left where lines of
//! text fit, and are otherwise left out, which the note says. The scale stands below.
//!
//! **Cost.** Linear in the pairs; the picture has at most 160,000 cells.

use crate::base64::base64;
use crate::colour::{viridis, viridis_bytes};
use crate::number::{counted, short};
use crate::paper::{MARGIN, SMALL, WIDTH, heading};
use crate::svg::{Anchor, Svg};
use crate::text;

/// Rows with cells of their own.
const MOST_CELLS: usize = 400;
/// Rows whose cells say their numbers.
const MOST_HINTS: usize = 60;
/// Pixels of the image along a side, at least.
const FINE: usize = 800;
/// The room for names, and the height that one needs.
const NAMES: f64 = 108.0;
const LINE: f64 = 11.0;
const TOP: f64 = 76.0;

/// A map of distances.
///
/// ```
/// use palmette_report::DistanceMap;
/// let map = DistanceMap {
///     title: "Three trees".into(),
///     note: String::new(),
///     names: ["a", "b", "c"].map(String::from).to_vec(),
///     quantity: "splits".into(),
///     distance: &|i, j| i.abs_diff(j) as f64,
/// };
/// assert!(map.to_svg().contains(">a<"));
/// ```
pub struct DistanceMap<'a> {
    /// The heading.
    pub title: String,
    /// One line below the heading; may be empty.
    pub note: String,
    /// A name for each row.
    pub names: Vec<String>,
    /// What the colours are of.
    pub quantity: String,
    /// The number for two rows.
    pub distance: &'a (dyn Fn(usize, usize) -> f64 + 'a),
}

impl DistanceMap<'_> {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let n = self.names.len();
        let cells = n.min(MOST_CELLS);
        let means = self.means(cells);
        let finite = || means.iter().copied().filter(|x| x.is_finite());
        let most = finite().fold(0.0, f64::max);
        let with_names = n > 0 && (WIDTH - 2.0 * MARGIN - NAMES) / n as f64 >= LINE;
        let left = if with_names { MARGIN + NAMES } else { MARGIN };
        let side = WIDTH - MARGIN - left;
        let bottom = TOP + side;
        let odd = means.len() - finite().count();
        let height = bottom + if odd > 0 { 78.0 } else { 60.0 };
        let mut svg = Svg::new(WIDTH, height, &self.title, &self.describe(most));
        let notes = [&self.note[..], &self.about(cells, with_names)];
        heading(&mut svg, &self.title, &notes);
        if n > 0 {
            let bytes = image(&means, cells, most);
            let data = format!("data:image/png;base64,{}", base64(&bytes));
            svg.image((left, TOP), (side, side), &data);
        }
        let row = side / n.max(1) as f64;
        if with_names {
            for (i, name) in self.names.iter().enumerate() {
                let at = (left - 6.0, TOP + row * (i as f64 + 0.5) + 4.0);
                let fitted = text::fit(name, SMALL, NAMES - 8.0);
                svg.text(at, Anchor::End, "", &fitted, name);
            }
        }
        if n <= MOST_HINTS {
            self.hints(&mut svg, (left, TOP), row);
        }
        svg.text((MARGIN, bottom + 22.0), Anchor::Start, "note", &self.quantity, "");
        let stops: Vec<String> = (0..9).map(|k| viridis(f64::from(k) / 8.0)).collect();
        svg.gradient((MARGIN, bottom + 30.0), (220.0, 12.0), "colours", &stops);
        svg.text((MARGIN, bottom + 56.0), Anchor::Start, "tick", "0", "");
        svg.text((MARGIN + 220.0, bottom + 56.0), Anchor::End, "tick", &short(most), "");
        if odd > 0 {
            let words =
                counted(odd as u64, "cell is not finite: white", "cells are not finite: white");
            svg.text((MARGIN, bottom + 74.0), Anchor::Start, "note", &words, "");
        }
        svg.finish()
    }

    /// The mean distance by cell, row after row.
    fn means(&self, cells: usize) -> Vec<f64> {
        let n = self.names.len();
        let of = |k: usize| k * n / cells.max(1)..(k + 1) * n / cells.max(1);
        let mut means = Vec::with_capacity(cells * cells);
        for a in 0..cells {
            for b in 0..cells {
                let pairs = of(a).flat_map(|i| of(b).map(move |j| (i, j)));
                let (sum, count) = pairs.fold((0.0, 0.0), |(sum, count), (i, j)| {
                    (sum + (self.distance)(i, j), count + 1.0)
                });
                means.push(sum / count);
            }
        }
        means
    }

    /// Cells without a colour that say their numbers.
    fn hints(&self, svg: &mut Svg, (left, top): (f64, f64), row: f64) {
        for i in 0..self.names.len() {
            for j in 0..self.names.len() {
                let at = (left + row * j as f64, top + row * i as f64);
                let distance = short((self.distance)(i, j));
                let hint = format!("{}, {}: {distance}", self.names[i], self.names[j]);
                svg.filled_rect(at, (row, row), "transparent", &hint);
            }
        }
    }

    fn about(&self, cells: usize, with_names: bool) -> String {
        let n = self.names.len();
        let rows = counted(n as u64, "row", "rows");
        match (cells < n, with_names) {
            (true, _) => {
                format!("{rows}; a cell is the mean of about {} pairs", (n / cells).pow(2))
            }
            (false, false) if n > 0 => format!("{rows}, too many for their names"),
            _ => rows,
        }
    }

    fn describe(&self, most: f64) -> String {
        let rows = counted(self.names.len() as u64, "row", "rows");
        format!("{rows}: {} of each pair as a colour, from 0 to {}.", self.quantity, short(most))
    }
}

/// The cells as a file, each of several dots, so that none are blurred.
fn image(means: &[f64], cells: usize, most: f64) -> Vec<u8> {
    let dots = FINE.div_ceil(cells);
    let side = cells * dots;
    let number = |mean: f64| match mean.is_finite() {
        true if most > 0.0 => 1 + (mean.max(0.0) / most * 254.0).round() as u8,
        true => 1,
        false => 0,
    };
    let mut data = Vec::with_capacity(side * side);
    for row in means.chunks(cells.max(1)) {
        let line: Vec<u8> =
            row.iter().flat_map(|&mean| std::iter::repeat_n(number(mean), dots)).collect();
        (0..dots).for_each(|_| data.extend_from_slice(&line));
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side as u32, side as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    let colours = (0..=254).map(|k| viridis_bytes(f64::from(k) / 254.0));
    let palette: Vec<[u8; 3]> = std::iter::once([255; 3]).chain(colours).collect();
    encoder.set_palette(palette.as_flattened());
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&data))
        .expect("writing to memory does not fail");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(n: usize) -> String {
        let distance =
            |i: usize, j: usize| if n == 3 && i != j { f64::NAN } else { (i + j) as f64 };
        DistanceMap {
            title: "Map".into(),
            note: "note".into(),
            names: (0..n).map(|i| format!("row{i}")).collect(),
            quantity: "distance".into(),
            distance: &distance,
        }
        .to_svg()
    }

    #[test]
    fn names_where_they_fit() {
        assert!(map(20).contains("row19</text>") || map(20).contains("row19<title>"));
        assert!(!map(200).contains("row19<") && map(200).contains("too many for their names"));
        assert!(map(1000).contains("a cell is the mean of about 4 pairs"));
    }

    #[test]
    fn odd_tables() {
        assert!(map(0).contains("0 rows"));
        assert!(map(1).contains("1 row"));
        assert!(map(3).contains("cells are not finite"));
    }
}
