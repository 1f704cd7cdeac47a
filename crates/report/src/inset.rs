//! The dense part of a drawing, enlarged beside it.
//!
//! **Problem.** Points of a drawing: a mesh with a far boundary has most of them in a tiny part of
//! its frame, and shows one blob there.
//!
//! **Method.** The window of an eighth of the frame's side with the most points is *dense* if it
//! has at least half of them. It is cut to the range of nearly all of its points, and again as
//! long as an eighth of the cut has half of all points. Where points are far enough apart there
//! anyway ([`LEGIBLE`] pixels, more where they have numbers), or the cut would not grow much, the
//! drawing needs no inset. The cut is marked in the drawing and drawn again, larger, below the key.
//!
//! **Cost.** `n log n` for sorting coordinates.

use crate::board::keys::{Keys, Sign};
use crate::graph_drawing::places::Places;
use crate::number::{counted, thousands};
use crate::svg::Svg;

/// Cells along each side of the frame, and of a window.
const CELLS: usize = 64;
const WINDOW: usize = 8;
/// Fewer points are no blob.
const FEWEST: usize = 8;
/// Points so many pixels apart can be told from each other.
pub(crate) const LEGIBLE: f64 = 4.0;
/// The longer side of the enlarged part.
const SIDE: f64 = 300.0;
/// The part of the points of a window that may lie outside of the cut, at each end.
const STRAY: usize = 50;
/// Less is not worth an inset.
const LEAST_GROWTH: f64 = 3.0;
/// A frame of fewer pixels would hide what it marks.
const SMALLEST_FRAME: f64 = 14.0;
/// Pixels between the key and the enlarged part.
const GAP: f64 = 16.0;

/// A frame has the colour of no part and no edge.
const STYLE: &str = "\
.frame{fill:none;stroke:#1f2328;stroke-width:2}
@media (prefers-color-scheme:dark){.frame{stroke:#e6edf3}}
";

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    pub(crate) low: (f64, f64),
    pub(crate) high: (f64, f64),
}

impl Rect {
    /// A rectangle with this middle.
    pub(crate) fn around((x, y): (f64, f64), (wide, high): (f64, f64)) -> Rect {
        let (wide, high) = (wide / 2.0, high / 2.0);
        Rect { low: (x - wide, y - high), high: (x + wide, y + high) }
    }

    fn size(&self) -> (f64, f64) {
        (self.high.0 - self.low.0, self.high.1 - self.low.1)
    }

    /// The rectangle without so many pixels along its sides.
    pub(crate) fn shrunk(&self, by: f64) -> Rect {
        let Rect { low, high } = *self;
        Rect { low: (low.0 + by, low.1 + by), high: (high.0 - by, high.1 - by) }
    }

    pub(crate) fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.low.0..=self.high.0).contains(&x) && (self.low.1..=self.high.1).contains(&y)
    }

    pub(crate) fn meets(&self, other: &Rect) -> bool {
        self.low.0 < other.high.0
            && other.low.0 < self.high.0
            && self.low.1 < other.high.1
            && other.low.1 < self.high.1
    }

    /// What lies of a line or polygon in the rectangle: its corners, none if nothing does.
    ///
    /// Sides of the rectangle cut one after another (Sutherland and Hodgman, *Reentrant polygon
    /// clipping*, 1974); a line is a polygon of two corners, which are found twice.
    pub(crate) fn clip(&self, corners: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
        if corners.iter().all(|&corner| self.holds(corner)) {
            return corners;
        }
        let mut left = corners;
        for (axis, bound, sign) in [
            (0, self.low.0, 1.0),
            (0, self.high.0, -1.0),
            (1, self.low.1, 1.0),
            (1, self.high.1, -1.0),
        ] {
            let along = |p: (f64, f64)| if axis == 0 { p.0 } else { p.1 };
            let inside = |p: (f64, f64)| sign * (along(p) - bound) >= 0.0;
            let meet = |a: (f64, f64), b: (f64, f64)| {
                let part = (bound - along(a)) / (along(b) - along(a));
                let at = (a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1));
                if axis == 0 { (bound, at.1) } else { (at.0, bound) }
            };
            let mut kept = Vec::with_capacity(left.len() + 1);
            for (i, &to) in left.iter().enumerate() {
                let from = left[(i + left.len() - 1) % left.len()];
                // From the inside out, so that a line is cut at the same point on its way back.
                match (inside(from), inside(to)) {
                    (true, false) => kept.push(meet(from, to)),
                    (false, true) => kept.push(meet(to, from)),
                    _ => (),
                }
                if inside(to) {
                    kept.push(to);
                }
            }
            left = kept;
        }
        left.dedup();
        if left.len() > 1 && left.first() == left.last() {
            left.pop();
        }
        left
    }
}

/// A dense part of a drawing.
pub(crate) struct Inset {
    /// Where it lies in the drawing.
    from: Rect,
    /// Where it is drawn again.
    to: Rect,
    /// The points in it, and all points.
    count: usize,
    all: usize,
    growth: f64,
}

impl Inset {
    /// The part that needs one, if any does: points there are less than `legible` pixels apart.
    pub(crate) fn of(places: &Places, legible: f64) -> Option<Inset> {
        let all: Vec<(f64, f64)> = places.all().collect();
        let mut cut = dense(&all)?;
        let mut inside: Vec<(f64, f64)> = all.iter().copied().filter(|&p| cut.holds(p)).collect();
        while let Some(closer) = dense(&inside) {
            let still: Vec<(f64, f64)> =
                inside.iter().copied().filter(|&p| closer.holds(p)).collect();
            // An inset that shows few points would hide most of the blob.
            if 2 * still.len() < all.len() {
                break;
            }
            (cut, inside) = (closer, still);
        }
        let (width, height) = cut.size();
        let growth = SIDE / width.max(height);
        let apart = (width * height / inside.len().max(1) as f64).sqrt();
        if apart >= legible || growth < LEAST_GROWTH || !growth.is_finite() {
            return None;
        }
        let to = Rect { low: (0.0, 0.0), high: (width * growth, height * growth) };
        Some(Inset { from: cut, to, count: inside.len(), all: all.len(), growth })
    }

    /// Puts it below a key that begins here, which then says what the frame marks; where both end.
    pub(crate) fn put_below(
        inset: &mut Option<Inset>,
        keys: &mut Keys,
        (left, top): (f64, f64),
        what: [&str; 2],
    ) -> f64 {
        let Some(inset) = inset else { return top + keys.height() };
        inset.explain(keys, what);
        let (low, size) = ((left, top + keys.height() + GAP), inset.to.size());
        inset.to = Rect { low, high: (low.0 + size.0, low.1 + size.1) };
        inset.to.high.1
    }

    fn explain(&self, keys: &mut Keys, [one, many]: [&str; 2]) {
        let points = counted(self.all as u64, one, many);
        let times = match self.growth {
            growth if growth < 10.0 => format!("{growth:.1}"),
            growth => thousands(growth.round() as u64),
        };
        let some = thousands(self.count as u64);
        keys.push(
            Sign::Field("frame"),
            format!("{some} of {points}, drawn again below, {times} times larger"),
        );
    }

    /// Where it is drawn again.
    pub(crate) fn corner(&self) -> (f64, f64) {
        self.to.low
    }

    /// The places of all points, enlarged as it is; their rectangle is where it is drawn again.
    pub(crate) fn places(&self, places: &Places) -> Places {
        let (from, to, growth) = (self.from.low, self.to.low, self.growth);
        let moved = |(x, y)| (to.0 + (x - from.0) * growth, to.1 + (y - from.1) * growth);
        places.moved(moved, self.to.low, self.to.size(), self.count)
    }

    /// The frame that marks it in the drawing.
    pub(crate) fn mark(&self) -> Rect {
        let (width, height) = self.from.size();
        let middle = (self.from.low.0 + width / 2.0, self.from.low.1 + height / 2.0);
        Rect::around(middle, (width.max(SMALLEST_FRAME), height.max(SMALLEST_FRAME)))
    }

    /// Marks it in the drawing, and frames it where it is drawn again.
    pub(crate) fn draw_frames(&self, svg: &mut Svg) {
        let mark = self.mark();
        svg.add_style(STYLE.to_string());
        svg.rect(mark.low, mark.size(), "under", "");
        svg.rect(mark.low, mark.size(), "frame", "drawn again, larger");
        svg.rect(self.to.low, self.to.size(), "frame", "");
    }
}

/// The range of nearly all points of the densest window; none if it has less than half of them.
fn dense(points: &[(f64, f64)]) -> Option<Rect> {
    if points.len() < FEWEST {
        return None;
    }
    let x = crate::scale::range(points.iter().map(|p| p.0));
    let y = crate::scale::range(points.iter().map(|p| p.1));
    let side = (x.1 - x.0).max(y.1 - y.0);
    if side <= 0.0 {
        return None;
    }
    let cell = |(px, py): (f64, f64)| {
        let along = |from: f64| ((from / side * CELLS as f64) as usize).min(CELLS - 1);
        (along(px - x.0), along(py - y.0))
    };
    // Sums over all cells above and left.
    let mut sums = vec![[0usize; CELLS + 1]; CELLS + 1];
    for &point in points {
        let (column, row) = cell(point);
        sums[row + 1][column + 1] += 1;
    }
    for row in 1..=CELLS {
        for column in 1..=CELLS {
            sums[row][column] += sums[row - 1][column] + sums[row][column - 1];
            sums[row][column] -= sums[row - 1][column - 1];
        }
    }
    let starts = || 0..=CELLS - WINDOW;
    let windows = starts().flat_map(|row| starts().map(move |column| (row, column)));
    let count = |&(row, column): &(usize, usize)| {
        let (below, right) = (row + WINDOW, column + WINDOW);
        sums[below][right] + sums[row][column] - sums[row][right] - sums[below][column]
    };
    let best = windows.max_by_key(count)?;
    if 2 * count(&best) < points.len() {
        return None;
    }
    let within = |&point: &(f64, f64)| {
        let (column, row) = cell(point);
        (best.0..best.0 + WINDOW).contains(&row) && (best.1..best.1 + WINDOW).contains(&column)
    };
    let inside: Vec<(f64, f64)> = points.iter().copied().filter(within).collect();
    let nearly = |of: fn(&(f64, f64)) -> f64| {
        let mut all: Vec<f64> = inside.iter().map(of).collect();
        all.sort_unstable_by(f64::total_cmp);
        let stray = all.len() / STRAY;
        (all[stray], all[all.len() - 1 - stray])
    };
    let (x, y) = (nearly(|p| p.0), nearly(|p| p.1));
    // A strip gets some width, and everything some room.
    let longer = (x.1 - x.0).max(y.1 - y.0);
    let wide = |(low, high): (f64, f64)| {
        let room = (0.06 * longer).max((0.3 * longer - (high - low)) / 2.0);
        (low - room, high + room)
    };
    let (x, y) = (wide(x), wide(y));
    (longer > 0.0).then_some(Rect { low: (x.0, y.0), high: (x.1, y.1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` x `n` points on a square of this side, and four far corners.
    fn far(n: u32, side: f64) -> Vec<[f64; 3]> {
        let at = |i: u32| side * f64::from(i) / f64::from(n - 1);
        let near = (0..n * n).map(|i| [at(i % n), at(i / n), 0.0]);
        let corners = [[-50.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]];
        near.chain(corners.map(|[x, y]| [x, y, 0.0])).collect()
    }

    #[test]
    fn a_blob_is_found_and_even_points_are_not() {
        let inset = Inset::of(&Places::new(&far(30, 1.0), 0.0), LEGIBLE).expect("a blob");
        assert!(inset.count > 800 && inset.all == 904, "{} of {}", inset.count, inset.all);
        assert!((45.0..90.0).contains(&inset.growth), "{}", inset.growth);
        // The same number of points all over the frame, and points that are far apart.
        assert!(Inset::of(&Places::new(&far(30, 100.0), 0.0), LEGIBLE).is_none());
        assert!(Inset::of(&Places::new(&far(8, 12.0), 0.0), LEGIBLE).is_none());
        for few in [&far(30, 1.0)[..0], &far(30, 1.0)[..1], &[[1.0; 3]; 900]] {
            assert!(Inset::of(&Places::new(few, 0.0), LEGIBLE).is_none());
        }
    }

    #[test]
    fn a_blob_in_a_blob_is_found() {
        let inner = far(40, 1e-4);
        let points: Vec<[f64; 3]> = inner.into_iter().chain(far(20, 1.0)).collect();
        let inset = Inset::of(&Places::new(&points, 0.0), LEGIBLE).expect("a blob");
        assert!(inset.growth > 1e4, "{}", inset.growth);
    }

    #[test]
    fn shapes_are_cut_at_the_frame() {
        let frame = Rect { low: (0.0, 0.0), high: (10.0, 10.0) };
        let line = frame.clip(vec![(-5.0, 5.0), (20.0, 5.0)]);
        assert_eq!(line.len(), 2, "{line:?}");
        assert!(line.contains(&(0.0, 5.0)) && line.contains(&(10.0, 5.0)));
        assert_eq!(frame.clip(vec![(1.0, 1.0), (2.0, 2.0)]).len(), 2);
        assert!(frame.clip(vec![(-5.0, 5.0), (-1.0, 20.0)]).is_empty());
        for step in 0..64 {
            let angle = f64::from(step) * std::f64::consts::TAU / 64.0;
            let far = (5.3 + 97.1 * angle.cos(), 4.9 + 97.1 * angle.sin());
            assert_eq!(frame.clip(vec![(5.3, 4.9), far]).len(), 2, "{step}");
            assert_eq!(frame.clip(vec![far, (5.3, 4.9)]).len(), 2, "{step}");
        }
        let half = frame.clip(vec![(5.0, -5.0), (15.0, 5.0), (5.0, 15.0), (-5.0, 5.0)]);
        let area: f64 = (0..half.len())
            .map(|i| (half[i], half[(i + 1) % half.len()]))
            .map(|(a, b)| (a.0 * b.1 - b.0 * a.1) / 2.0)
            .sum();
        // A square on its corner around the frame: it covers all of it.
        assert!((area.abs() - 100.0).abs() < 1e-9, "{area} {half:?}");
        assert!(half.iter().all(|&p| frame.holds(p)));
    }
}
