//! The field as dots, and their file.
//!
//! **Method.** A dot has the value at its middle, in one of 254 colours; so a colour is off by
//! at most a 506th of the range. A palette with one byte per dot makes any field a small file.

use super::patch::Patch;
use super::{Shape, four, nodes};
use crate::colour::viridis_bytes;
use crate::spans::spans;

/// What a dot is outside of all elements.
const OUTSIDE: u8 = 0;
/// What it is in an element that has a value that is not finite.
const ODD: u8 = 1;
/// The first of the colours.
const FIRST: u8 = 2;
/// The colour of what is not finite, that of the class `f1`.
pub(super) const ODD_COLOUR: [u8; 3] = [213, 94, 0];

/// Dots in rows from the top, numbers of colours.
pub(super) struct Raster {
    pub(super) columns: usize,
    pub(super) rows: usize,
    dots: Vec<u8>,
}

impl Raster {
    /// A raster of so many dots over the rectangle from `corner` of this `size`. `at` gives the
    /// place of a node in the same units, `shares` its value from 0 to 1.
    pub(super) fn new(
        (columns, rows): (usize, usize),
        (corner, size): ((f64, f64), (f64, f64)),
        at: impl Fn(u32) -> (f64, f64),
        shapes: &[Shape],
        shares: &[f64],
    ) -> Raster {
        let mut dots = vec![OUTSIDE; columns * rows];
        let (wide, high) = (columns as f64 / size.0, rows as f64 / size.1);
        let place = |(x, y): (f64, f64)| ((x - corner.0) * wide, (y - corner.1) * high);
        for nodes in shapes.iter().map(nodes) {
            let count = nodes.len();
            let corners = four(nodes, |node| place(at(node)));
            let values = four(nodes, |node| shares[node as usize]);
            let odd = values.iter().any(|value| value.is_nan());
            let patch = Patch::new(&corners[..count], &values[..count]);
            spans(&corners[..count], (columns, rows), |row, range| {
                for column in range {
                    let middle = (column as f64 + 0.5, row as f64 + 0.5);
                    let number = if odd { ODD } else { colour_number(patch.at(middle)) };
                    dots[row * columns + column] = number;
                }
            });
        }
        Raster { columns, rows, dots }
    }

    /// The file.
    pub(super) fn to_png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.columns as u32, self.rows as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        let colours = (FIRST..=u8::MAX).map(|number| viridis_bytes(share_of(number)));
        let palette: Vec<[u8; 3]> = [[0; 3], ODD_COLOUR].into_iter().chain(colours).collect();
        encoder.set_palette(palette.as_flattened());
        // What is outside is transparent.
        encoder.set_trns(&[0][..]);
        encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&self.dots))
            .expect("writing to memory does not fail");
        bytes
    }
}

fn colour_number(share: f64) -> u8 {
    FIRST + (share * f64::from(u8::MAX - FIRST)).round() as u8
}

fn share_of(number: u8) -> f64 {
    f64::from(number - FIRST) / f64::from(u8::MAX - FIRST)
}
