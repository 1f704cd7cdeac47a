//! Maps coordinates to pixels, with one scale for both directions.

use crate::board::keys::Keys;
use crate::inset::Rect;
use crate::paper::{INSIDE, MARGIN};
use crate::scale::range;

/// Pixels between a drawing and its key.
const GAP: f64 = 12.0;
/// A side of fewer pixels gets free room.
const MIN_SIDE: f64 = 80.0;
/// Free pixels around the outermost points, for wide lines and discs.
const ROOM: f64 = 6.0;
/// How far one unit of depth goes to the left and down: half its length, at 30 degrees.
const DEPTH: (f64, f64) = (0.433_012_701_892_219_3, 0.25);

/// Classes of style for pale edges, the tree and recovered edges, from sparse to dense.
pub(crate) const WIDTHS: [[&str; 3]; 3] = [
    ["strand pale fine", "strand l0 bold", "strand l1 heavy"],
    ["strand pale slim", "strand l0 fine", "strand l1 bold"],
    ["strand pale hair", "strand l0 slim", "strand l1 fine"],
];

/// The pixels of all points.
pub(crate) struct Places {
    /// None for points that have a coordinate that is not finite.
    pixels: Vec<Option<(f64, f64)>>,
    count: usize,
    size: (f64, f64),
    /// The upper left corner.
    corner: (f64, f64),
    /// Free pixels left of the points and above them.
    before: (f64, f64),
    /// Points differ in z.
    pub(crate) is_deep: bool,
}

impl Places {
    pub(crate) fn new(points: &[[f64; 3]], top: f64) -> Self {
        Places::within(points, top, INSIDE)
    }

    /// Places in a drawing of at most this width and height, free room included.
    pub(crate) fn within(points: &[[f64; 3]], top: f64, room: f64) -> Self {
        let finite = |p: &&[f64; 3]| p.iter().all(|c| c.is_finite());
        let (low, high) = range(points.iter().filter(finite).map(|p| p[2]));
        let is_deep = low < high;
        // Numbers up to 1, so that differences cannot overflow.
        let most = points.iter().filter(finite).flatten().fold(0.0, |m: f64, c| m.max(c.abs()));
        let unit = if most > 0.0 { most } else { 1.0 };
        let flat = |p: &[f64; 3]| {
            let [x, y, z] = p.map(|c| c / unit);
            // A common z would only shift the picture.
            let z = if is_deep { z } else { 0.0 };
            finite(&p).then_some((x - DEPTH.0 * z, y - DEPTH.1 * z))
        };
        let mut pixels: Vec<Option<(f64, f64)>> = points.iter().map(flat).collect();
        let x = range(pixels.iter().flatten().map(|p| p.0));
        let y = range(pixels.iter().flatten().map(|p| p.1));
        let longest = (x.1 - x.0).max(y.1 - y.0);
        let side = room - 2.0 * ROOM;
        let scale = if longest > 0.0 { side / longest } else { 0.0 };
        let drawn = ((x.1 - x.0) * scale, (y.1 - y.0) * scale);
        let size = (drawn.0.max(MIN_SIDE) + 2.0 * ROOM, drawn.1.max(MIN_SIDE) + 2.0 * ROOM);
        // What is smaller than its room lies in the middle.
        let before = ((size.0 - drawn.0) / 2.0, (size.1 - drawn.1) / 2.0);
        for p in pixels.iter_mut().flatten() {
            *p = (MARGIN + before.0 + (p.0 - x.0) * scale, top + before.1 + (y.1 - p.1) * scale);
        }
        let count = pixels.iter().flatten().count();
        Places { pixels, count, size, corner: (MARGIN, top), before, is_deep }
    }

    /// The pixels of all points that have a place.
    pub(crate) fn all(&self) -> impl Iterator<Item = (f64, f64)> {
        self.pixels.iter().flatten().copied()
    }

    /// The same points elsewhere, of which `count` lie in a rectangle of this corner and size.
    pub(crate) fn moved(
        &self,
        to: impl Fn((f64, f64)) -> (f64, f64),
        corner: (f64, f64),
        size: (f64, f64),
        count: usize,
    ) -> Places {
        let pixels = self.pixels.iter().map(|p| p.map(&to)).collect();
        Places { pixels, count, size, corner, before: (0.0, 0.0), is_deep: self.is_deep }
    }

    /// All of the drawing, with free room.
    pub(crate) fn rect(&self) -> Rect {
        Rect { low: self.corner, high: (self.right(), self.bottom()) }
    }

    /// The rectangle of the points: its upper left corner and its size.
    pub(crate) fn drawn(&self) -> ((f64, f64), (f64, f64)) {
        let (corner, before) = (self.corner, self.before);
        let size = (self.size.0 - 2.0 * before.0, self.size.1 - 2.0 * before.1);
        ((corner.0 + before.0, corner.1 + before.1), size)
    }

    /// Moves everything to the right, for what stands left of it, and down.
    pub(crate) fn move_by(&mut self, (right, down): (f64, f64)) {
        let moved = |p: &mut (f64, f64)| *p = (p.0 + right, p.1 + down);
        self.pixels.iter_mut().flatten().chain([&mut self.corner]).for_each(moved);
    }

    /// The key says how depth is drawn, where there is any.
    pub(crate) fn explain(&self, keys: &mut Keys) {
        if self.is_deep {
            keys.remark(
                "oblique projection: z points towards the reader, down left, at half length",
            );
        }
    }

    /// Whether a vertex has a place.
    pub(crate) fn has(&self, vertex: u32) -> bool {
        self.pixels[vertex as usize].is_some()
    }

    /// The pixel of a vertex that has a place.
    pub(crate) fn at(&self, vertex: u32) -> (f64, f64) {
        self.pixels[vertex as usize].expect("vertices without coordinates are not drawn")
    }

    /// The number of vertices that have a place.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn right(&self) -> f64 {
        self.corner.0 + self.size.0
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.corner.1 + self.size.1
    }

    /// Where what explains the drawing begins.
    pub(crate) fn below(&self) -> (f64, f64) {
        (MARGIN, self.bottom() + GAP)
    }

    /// About how many pixels neighbours would be apart if points were spread evenly.
    pub(crate) fn apart(&self) -> f64 {
        (self.size.0 * self.size.1 / self.count.max(1) as f64).sqrt()
    }

    /// The classes of style of pale edges, the tree and recovered edges.
    pub(crate) fn widths(&self) -> [&'static str; 3] {
        let apart = self.apart();
        WIDTHS[usize::from(apart < 10.0) + usize::from(apart < 5.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_equal_and_y_goes_up() {
        let places = Places::new(&[[0.0, 0.0, 5.0], [4.0, 0.0, 5.0], [4.0, 2.0, 5.0]], 0.0);
        let [a, b, c] = [0, 1, 2].map(|v| places.at(v));
        assert!(!places.is_deep);
        let side = INSIDE - 2.0 * ROOM;
        assert!((b.0 - a.0 - side).abs() < 1e-9 && a.1 == b.1);
        assert!((b.1 - c.1 - side / 2.0).abs() < 1e-9 && b.0 == c.0);
    }

    #[test]
    fn depth_goes_to_the_lower_left() {
        let places = Places::new(&[[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], 0.0);
        let [o, z, x] = [0, 1, 2].map(|v| places.at(v));
        assert!(places.is_deep && z.0 < o.0 && z.1 > o.1);
        let long = |p: (f64, f64)| (p.0 - o.0).hypot(p.1 - o.1);
        assert!((long(z) / long(x) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn degenerate_points_have_places() {
        let far = [[f64::MAX, -f64::MAX, f64::MAX], [-f64::MAX, f64::MAX, -f64::MAX]];
        let near = [[5e-324, 0.0, 0.0], [0.0; 3]];
        let same = [[3.0, 4.0, 5.0]; 4];
        let line = [[0.0, 7.0, 0.0], [1e9, 7.0, 0.0]];
        for points in [&far[..], &near, &same, &line, &same[..1]] {
            let places = Places::new(points, 10.0);
            for (x, y) in (0..points.len() as u32).map(|v| places.at(v)) {
                assert!(x >= MARGIN && x <= places.right(), "{points:?}: {x}");
                assert!(y >= 10.0 && y <= places.bottom(), "{points:?}: {y}");
            }
        }
        let places = Places::new(&[[f64::NAN, 0.0, 0.0], [1.0, f64::INFINITY, 0.0]], 0.0);
        assert_eq!((places.count(), places.has(0), places.has(1)), (0, false, false));
    }
}
