//! Joins many short pieces to lines, and thins these to what is visible.

use crate::inset::Rect;
use crate::svg::through;
use std::f64::consts::PI;

/// Places are the same when they agree to a 1024th of a pixel.
const FINE: f64 = 1024.0;
/// Points that are left out are at most so many pixels off what is drawn.
const OFF: f64 = 0.1;

type GridPoint = (i32, i32);

/// Pieces inside of a frame that are not yet joined.
pub(crate) struct Pieces {
    frame: Rect,
    pieces: Vec<[GridPoint; 2]>,
}

impl Pieces {
    pub(crate) fn new(frame: Rect) -> Pieces {
        Pieces { frame, pieces: Vec::new() }
    }

    pub(crate) fn push(&mut self, from: (f64, f64), to: (f64, f64)) {
        let place = |p: (f64, f64)| ((p.0 * FINE).round() as i32, (p.1 * FINE).round() as i32);
        let [from, to] = self.frame.clip(vec![from, to])[..] else { return };
        let piece = [place(from), place(to)];
        if piece[0] != piece[1] {
            self.pieces.push(piece);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The lines, those with ends first. Cost: `n log n`.
    pub(crate) fn joined(&self) -> Vec<Vec<(f64, f64)>> {
        // Faces of a crack lie upon each other.
        let mut pieces: Vec<[GridPoint; 2]> =
            self.pieces.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        pieces.sort_unstable();
        pieces.dedup();
        let both = pieces.iter().zip(0u32..).flat_map(|(&[a, b], i)| [(a, i), (b, i)]);
        let mut ends: Vec<(GridPoint, u32)> = both.collect();
        ends.sort_unstable();
        let at = |place: GridPoint| ends.partition_point(|end| end.0 < place);
        // Where an odd number of pieces meet, a line ends.
        let runs = ends.chunk_by(|a, b| a.0 == b.0);
        let odd = runs.filter(|run| run.len() % 2 == 1).map(|run| run[0].0);
        let mut used = vec![false; pieces.len()];
        // By the first end at a place, how many of the ends there are known to be used.
        let mut passed = vec![0; ends.len()];
        let mut lines = Vec::new();
        for start in odd.chain(pieces.iter().map(|piece| piece[0])) {
            let mut line = vec![start];
            let mut here = start;
            loop {
                let first = at(here);
                let next = |passed: &usize| ends.get(first + passed).filter(|end| end.0 == here);
                while next(&passed[first]).is_some_and(|end| used[end.1 as usize]) {
                    passed[first] += 1;
                }
                let Some(&(_, piece)) = next(&passed[first]) else { break };
                used[piece as usize] = true;
                let [a, b] = pieces[piece as usize];
                here = if a == here { b } else { a };
                line.push(here);
            }
            if line.len() > 1 {
                lines.push(thinned(&line));
            }
        }
        lines
    }
}

/// The first, the last, and those between that a straight line would miss.
///
/// From the last point that is kept, the directions that pass all later ones closely enough
/// are a sector, which narrows; a point outside of it, or a turn back, ends the straight line.
///
/// **Reference.** Zhao and Saalfeld, *Linear-time sleeve-fitting polyline simplification
/// algorithms*, 1997.
fn thinned(line: &[GridPoint]) -> Vec<(f64, f64)> {
    let point = |place: &GridPoint| (f64::from(place.0) / FINE, f64::from(place.1) / FINE);
    let mut kept = vec![point(&line[0])];
    let (mut anchor, mut before) = (kept[0], kept[0]);
    let mut sector: Option<Sector> = None;
    for next in line[1..].iter().map(point) {
        if sector.as_ref().is_some_and(|sector| !sector.holds(anchor, next)) {
            kept.push(before);
            (anchor, sector) = (before, None);
        }
        sector = Sector::narrowed(sector, anchor, next);
        before = next;
    }
    kept.push(before);
    kept
}

/// Directions from an anchor: turns from the first of them, and how far the line went.
struct Sector {
    first: f64,
    turns: (f64, f64),
    far: f64,
}

impl Sector {
    /// Whether a line from the anchor to this point passes all before.
    fn holds(&self, anchor: (f64, f64), point: (f64, f64)) -> bool {
        let (x, y) = (point.0 - anchor.0, point.1 - anchor.1);
        let turn = turn(y.atan2(x) - self.first);
        x.hypot(y) >= self.far - OFF && self.turns.0 <= turn && turn <= self.turns.1
    }

    /// The sector after one more point; points beside the anchor limit nothing.
    fn narrowed(old: Option<Sector>, anchor: (f64, f64), point: (f64, f64)) -> Option<Sector> {
        let (x, y) = (point.0 - anchor.0, point.1 - anchor.1);
        let (direction, far) = (y.atan2(x), x.hypot(y));
        if far <= OFF {
            return old;
        }
        let open = (OFF / far).asin();
        let old = old.unwrap_or(Sector { first: direction, turns: (-open, open), far });
        let turn = turn(direction - old.first);
        let turns = (old.turns.0.max(turn - open), old.turns.1.min(turn + open));
        Some(Sector { turns, far: far.max(old.far), ..old })
    }
}

/// An angle between two directions, from -π to π.
fn turn(angle: f64) -> f64 {
    (angle + PI).rem_euclid(2.0 * PI) - PI
}

/// The commands of SVG that draw lines.
pub(super) fn path(lines: &[Vec<(f64, f64)>]) -> String {
    lines.iter().map(|line| through(line.iter().copied())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Rect = Rect { low: (0.0, 0.0), high: (600.0, 600.0) };

    #[test]
    fn pieces_are_joined() {
        let mut pieces = Pieces::new(PAPER);
        // A ring in no order, an open line that touches nothing, and a piece without length.
        for (a, b) in [((0., 0.), (5., 0.)), ((5., 5.), (0., 0.)), ((5., 0.), (5., 5.))] {
            pieces.push(a, b);
        }
        for (a, b) in [((20., 0.), (10., 0.)), ((20., 0.), (30., 3.)), ((8., 8.), (8., 8.))] {
            pieces.push(a, b);
        }
        let lines = pieces.joined();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], [(10., 0.), (20., 0.), (30., 3.)]);
        assert_eq!((lines[1].len(), lines[1][0]), (4, lines[1][3]));
        assert_eq!(path(&lines[..1]), "M10 0L20 0L30 3");
    }

    /// Equal pieces are one; where very many meet, none is looked at again and again.
    #[test]
    fn pieces_that_meet_at_one_place() {
        let mut pieces = Pieces::new(PAPER);
        let around = |i: u32| (f64::from(i % 600), f64::from(i / 600));
        (0..200_000).for_each(|i| pieces.push((300.5, 170.5), around(i)));
        (0..200_000).for_each(|i| pieces.push(around(i), (300.5, 170.5)));
        let lines = pieces.joined();
        // There and back, two at a time.
        assert_eq!(lines.len(), 100_000);
    }

    #[test]
    fn lines_are_thinned_closely() {
        let circle = |i: u32| {
            let angle = f64::from(i) / 5000.0 * 2.0 * PI;
            (200.0 + 100.0 * angle.cos(), 200.0 + 100.0 * angle.sin())
        };
        let mut pieces = Pieces::new(PAPER);
        (0..5000).for_each(|i| pieces.push(circle(i), circle(i + 1)));
        let line = &pieces.joined()[0];
        assert!(line.len() < 120 && line[0] == line[line.len() - 1], "{}", line.len());
        // What was left out is near the chords.
        for pair in line.windows(2) {
            let middle = ((pair[0].0 + pair[1].0) / 2.0, (pair[0].1 + pair[1].1) / 2.0);
            let off = 100.0 - (middle.0 - 200.0).hypot(middle.1 - 200.0);
            assert!(off < 0.12, "{off}");
        }
        // There and back again.
        let there = [0, 300, 900, 1500, 2048].map(|x| (x, x / 2));
        let back: Vec<GridPoint> = there.iter().chain(there.iter().rev()).copied().collect();
        assert_eq!(thinned(&back), [(0.0, 0.0), (2.0, 1.0), (0.0, 0.0)]);
    }
}
