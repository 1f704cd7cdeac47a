//! Lines from many short pieces: joined end to end, and thinned to what can be seen.

use crate::svg::decimal;
use std::fmt::Write;

/// Places are the same when they agree to a 1024th of a pixel.
const FINE: f64 = 1024.0;
/// Points of a line that are nearer than so many pixels are left out.
const NEAR: f64 = 0.6;

type Place = (i32, i32);

/// Pieces that are not yet joined.
#[derive(Default)]
pub(super) struct Pieces(Vec<[Place; 2]>);

impl Pieces {
    pub(super) fn push(&mut self, from: (f64, f64), to: (f64, f64)) {
        let place = |p: (f64, f64)| ((p.0 * FINE).round() as i32, (p.1 * FINE).round() as i32);
        let piece = [place(from), place(to)];
        if piece[0] != piece[1] {
            self.0.push(piece);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The lines, those with ends first. Cost: `n log n`.
    pub(super) fn joined(&self) -> Vec<Vec<(f64, f64)>> {
        let both = self.0.iter().zip(0u32..).flat_map(|(&[a, b], i)| [(a, i), (b, i)]);
        let mut ends: Vec<(Place, u32)> = both.collect();
        ends.sort_unstable();
        let at = |place: Place| ends.partition_point(|end| end.0 < place);
        // Where an odd number of pieces meet, a line ends.
        let runs = ends.chunk_by(|a, b| a.0 == b.0);
        let odd = runs.filter(|run| run.len() % 2 == 1).map(|run| run[0].0);
        let mut used = vec![false; self.0.len()];
        let mut lines = Vec::new();
        for start in odd.chain(self.0.iter().map(|piece| piece[0])) {
            let mut line = vec![start];
            let mut here = start;
            loop {
                let mut meeting = ends[at(here)..].iter().take_while(|end| end.0 == here);
                let Some(&(_, piece)) = meeting.find(|end| !used[end.1 as usize]) else { break };
                used[piece as usize] = true;
                let [a, b] = self.0[piece as usize];
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

/// The first, the last, and those between that are not near the one before.
fn thinned(line: &[Place]) -> Vec<(f64, f64)> {
    let point = |place: &Place| (f64::from(place.0) / FINE, f64::from(place.1) / FINE);
    let (first, last) = (point(&line[0]), point(&line[line.len() - 1]));
    let mut kept = vec![first];
    let mut before = first;
    for next in line[1..line.len() - 1].iter().map(point) {
        if (next.0 - before.0).hypot(next.1 - before.1) >= NEAR {
            kept.push(next);
            before = next;
        }
    }
    kept.push(last);
    kept
}

/// The commands of SVG that draw lines.
pub(super) fn path(lines: &[Vec<(f64, f64)>]) -> String {
    let mut data = String::new();
    for line in lines {
        for (i, &(x, y)) in line.iter().enumerate() {
            let letter = if i == 0 { 'M' } else { 'L' };
            let _ = write!(data, "{letter}{} {}", decimal(x), decimal(y));
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_joined() {
        let mut pieces = Pieces::default();
        // A ring in no order, an open line that touches nothing, and a piece without length.
        for (a, b) in [((0., 0.), (5., 0.)), ((5., 5.), (0., 0.)), ((5., 0.), (5., 5.))] {
            pieces.push(a, b);
        }
        for (a, b) in [((20., 0.), (10., 0.)), ((20., 0.), (30., 0.)), ((8., 8.), (8., 8.))] {
            pieces.push(a, b);
        }
        let lines = pieces.joined();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], [(10., 0.), (20., 0.), (30., 0.)]);
        assert_eq!((lines[1].len(), lines[1][0]), (4, lines[1][3]));
        assert_eq!(path(&lines[..1]), "M10 0L20 0L30 0");
    }

    #[test]
    fn near_points_are_left_out() {
        let mut pieces = Pieces::default();
        (0..10_000).for_each(|i| {
            let x = f64::from(i) / 64.0;
            pieces.push((x, x), (x + 1.0 / 64.0, x + 1.0 / 64.0));
        });
        let lines = pieces.joined();
        assert_eq!(lines.len(), 1);
        let line = &lines[0];
        assert!(line.len() < 400 && line[0] == (0.0, 0.0), "{}", line.len());
        assert_eq!(line[line.len() - 1], (156.25, 156.25));
    }
}
