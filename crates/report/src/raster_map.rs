//! A raster of numbers as a map.
//!
//! **Problem.** Rows of cells with numbers, some without data, and named places among them.
//!
//! **Method.** Cells are dots of one image in the colours of viridis; those without data are grey.
//! Beyond [`MOST_DOTS`] to a side a dot is the mean of several cells. The scale begins at 0 and is
//! linear, unless most cells have less than a twentieth of the largest number: then it is
//! logarithmic, over at most four powers of ten, and what lies below has the darkest colour, which
//! the key says. Places have discs in black and white, with names where there are few.
//!
//! **Cost.** Linear in the cells; the picture has at most 640,000 dots.

use crate::base64::base64;
use crate::colour::{viridis, viridis_bytes};
use crate::number::{counted, short, thousands};
use crate::paper::{INSIDE, MARGIN, WIDTH, heading};
use crate::svg::{Anchor, Svg};

/// Dots of a side, at most.
const MOST_DOTS: usize = 800;
/// Pixels of the image along its longer side, at least.
const FINE: usize = 800;
/// The height of a map, at most.
const TALL: f64 = 560.0;
/// Places that have names.
const MOST_NAMES: usize = 40;
const TOP: f64 = 76.0;
/// What cells without data look like.
const NO_DATA: [u8; 3] = [217, 217, 217];
const NO_DATA_TEXT: &str = "#d9d9d9";
/// Powers of ten of a logarithmic scale.
const POWERS: f64 = 4.0;

/// A map of a raster.
///
/// ```
/// use palmette_report::RasterMap;
/// let map = RasterMap {
///     title: "Currents",
///     subtitle: "",
///     quantity: "current",
///     columns: 2,
///     values: &[1.0, f64::NAN, 0.5, 0.0],
///     places: &[((0, 0), "7".into())],
/// };
/// assert!(map.to_svg().contains(">7<"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RasterMap<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// What the numbers are.
    pub quantity: &'a str,
    /// Cells of a row.
    pub columns: usize,
    /// Cells row by row from the top; NaN where there are no data.
    pub values: &'a [f64],
    /// Rows, columns and names of places.
    pub places: &'a [((usize, usize), String)],
}

/// From numbers to shares of the colours.
struct Colours {
    low: f64,
    high: f64,
    logarithmic: bool,
}

impl Colours {
    fn of(values: &[f64]) -> Colours {
        let mut finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
        let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let low = finite.iter().copied().fold(f64::INFINITY, f64::min);
        let half = finite.len() / 2;
        let median = match finite.is_empty() {
            true => 0.0,
            false => *finite.select_nth_unstable_by(half, f64::total_cmp).1,
        };
        if low < 0.0 || high <= 0.0 {
            let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
            return Colours { low, high, logarithmic: false };
        }
        let logarithmic = median < high / 20.0;
        let least = finite.iter().copied().filter(|x| *x > 0.0).fold(high, f64::min);
        let low = if logarithmic { least.max(high * 10f64.powf(-POWERS)) } else { 0.0 };
        let logarithmic = logarithmic && low < high;
        Colours { low: if logarithmic { low } else { 0.0 }, high, logarithmic }
    }

    fn share(&self, value: f64) -> f64 {
        let share = match self.logarithmic {
            true if value <= self.low => 0.0,
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        share.clamp(0.0, 1.0)
    }

    fn at(&self, share: f64) -> f64 {
        match self.logarithmic {
            true => self.low * (self.high / self.low).powf(share),
            false => self.low + (self.high - self.low) * share,
        }
    }
}

impl RasterMap<'_> {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let columns = self.columns.max(1);
        let rows = self.values.len() / columns;
        let cell = (INSIDE / columns as f64).min(TALL / rows.max(1) as f64);
        let (wide, tall) = (cell * columns as f64, cell * rows as f64);
        let left = (WIDTH - wide) / 2.0;
        let bottom = TOP + tall;
        let colours = Colours::of(self.values);
        let has_gaps = self.values.iter().any(|x| !x.is_finite());
        let height = bottom + if has_gaps { 84.0 } else { 64.0 };
        let describe = format!(
            "{} rows of {} cells: {} as a colour, from {} to {}.",
            thousands(rows as u64),
            thousands(columns as u64),
            self.quantity,
            short(colours.low),
            short(colours.high)
        );
        let mut svg = Svg::new(WIDTH, height, self.title, &describe);
        let step = columns.max(rows).div_ceil(MOST_DOTS).max(1);
        heading(&mut svg, self.title, &[self.subtitle, &self.about(rows, step)]);
        if rows > 0 {
            let data =
                format!("data:image/png;base64,{}", base64(&self.image(rows, step, &colours)));
            svg.image((left, TOP), (wide, tall), &data);
        }
        for ((row, column), name) in self.places {
            let at = (left + cell * (*column as f64 + 0.5), TOP + cell * (*row as f64 + 0.5));
            let radius = (cell * 0.8).clamp(3.0, 6.0);
            svg.disc(at, radius + 1.2, "", "#ffffff", name);
            svg.disc(at, radius, "", "#000000", name);
            svg.disc(at, radius - 1.6, "", "#ffffff", name);
            if self.places.len() <= MOST_NAMES {
                let (shift, anchor) = match at.0 > WIDTH - MARGIN - 40.0 {
                    true => (-radius - 4.0, Anchor::End),
                    false => (radius + 4.0, Anchor::Start),
                };
                svg.text((at.0 + shift, at.1 + 4.0), anchor, "halo", name, "");
            }
        }
        self.key(&mut svg, bottom, &colours, has_gaps);
        svg.finish()
    }

    fn key(&self, svg: &mut Svg, bottom: f64, colours: &Colours, has_gaps: bool) {
        let scale = if colours.logarithmic { ", logarithmic" } else { "" };
        let words = format!("{}{scale}", self.quantity);
        svg.text((MARGIN, bottom + 20.0), Anchor::Start, "note", &words, "");
        let stops: Vec<String> = (0..9).map(|k| viridis(f64::from(k) / 8.0)).collect();
        let bar = 300.0;
        svg.gradient((MARGIN, bottom + 28.0), (bar, 12.0), "colours", &stops);
        let lowest = self.values.iter().copied().fold(f64::INFINITY, f64::min);
        // Small numbers of logarithmic scales are long.
        let steps = if colours.logarithmic { 2 } else { 4 };
        for k in 0..=steps {
            let share = f64::from(k) / f64::from(steps);
            let below = k == 0 && colours.logarithmic && lowest < colours.low;
            let words = format!("{}{}", if below { "≤ " } else { "" }, short(colours.at(share)));
            let anchor = match k {
                0 => Anchor::Start,
                last if last == steps => Anchor::End,
                _ => Anchor::Middle,
            };
            svg.text((MARGIN + bar * share, bottom + 54.0), anchor, "tick", &words, "");
        }
        if has_gaps {
            svg.filled_rect((MARGIN, bottom + 64.0), (12.0, 12.0), NO_DATA_TEXT, "");
            svg.text((MARGIN + 18.0, bottom + 74.0), Anchor::Start, "note", "no data", "");
        }
    }

    fn about(&self, rows: usize, step: usize) -> String {
        let size = format!(
            "{} rows of {}",
            thousands(rows as u64),
            counted(self.columns as u64, "cell", "cells")
        );
        let places = match self.places.len() {
            0 => String::new(),
            count => format!("; {}", counted(count as u64, "focal place", "focal places")),
        };
        let dots = if step > 1 {
            format!("; a dot is the mean of {step} × {step} cells")
        } else {
            String::new()
        };
        format!("{size}{places}{dots}")
    }

    /// Dots as a file, each of several pixels, so that none are blurred.
    fn image(&self, rows: usize, step: usize, colours: &Colours) -> Vec<u8> {
        let columns = self.columns;
        let (wide, tall) = (columns.div_ceil(step), rows.div_ceil(step));
        let dots = (FINE / wide.max(tall)).max(1);
        let mean = |row: usize, column: usize| {
            let (mut sum, mut count) = (0.0, 0.0);
            for r in row * step..((row + 1) * step).min(rows) {
                let cells = &self.values[r * columns..(r + 1) * columns];
                let some = &cells[column * step..((column + 1) * step).min(columns)];
                for value in some.iter().filter(|x| x.is_finite()) {
                    sum += value;
                    count += 1.0;
                }
            }
            sum / count
        };
        let mut data = Vec::with_capacity(wide * tall * dots * dots);
        for row in 0..tall {
            let number = |column: usize| match mean(row, column) {
                value if value.is_nan() => 0,
                value => 1 + (colours.share(value) * 254.0).round() as u8,
            };
            let line: Vec<u8> =
                (0..wide).flat_map(|column| std::iter::repeat_n(number(column), dots)).collect();
            (0..dots).for_each(|_| data.extend_from_slice(&line));
        }
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, (wide * dots) as u32, (tall * dots) as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        let all = (0..=254).map(|k| viridis_bytes(f64::from(k) / 254.0));
        let palette: Vec<[u8; 3]> = std::iter::once(NO_DATA).chain(all).collect();
        encoder.set_palette(palette.as_flattened());
        encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&data))
            .expect("writing to memory does not fail");
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(columns: usize, values: &[f64], places: &[((usize, usize), String)]) -> String {
        RasterMap { title: "t", subtitle: "", quantity: "current", columns, values, places }
            .to_svg()
    }

    #[test]
    fn scales_say_what_they_are() {
        let even: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(!map(10, &even, &[]).contains("logarithmic"));
        let steep: Vec<f64> = (0..100).map(|k| 0.5f64.powi(k)).collect();
        let svg = map(10, &steep, &[]);
        assert!(svg.contains("logarithmic") && svg.contains("≤ "), "{svg}");
        assert!(map(2, &[1.0, f64::NAN], &[]).contains("no data"));
        assert!(!map(2, &[1.0, 0.5], &[]).contains("no data"));
    }

    #[test]
    fn odd_rasters() {
        for values in [&[][..], &[0.0], &[f64::NAN], &[-1.0, 2.0], &[3.0, 3.0]] {
            assert!(map(1, values, &[]).contains("</svg>"));
        }
        let large = vec![1.0; 2000 * 10];
        assert!(map(2000, &large, &[]).contains("the mean of 3 × 3 cells"));
        let places: Vec<_> = (0..60).map(|k| ((k, 0), format!("p{k}"))).collect();
        // Discs have their names as tips; few places have them written beside, too.
        let named = |places| map(1, &[1.0; 60], places).matches(">p7<").count();
        assert_eq!(named(&places[..9]), named(&places) + 1);
    }
}
