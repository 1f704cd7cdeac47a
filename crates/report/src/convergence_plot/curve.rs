//! A curve in pixels, thinned to what is visible.
//!
//! **Method.** Of the points in a column of pixels only the first, the last, the highest and the
//! lowest are kept. **Cost.** Linear; at most four points per column.

use super::{ConvergenceCurve, ENDS};
use crate::colour;
use crate::scale::{Scale, Spread};

/// The lines of a curve and its end.
#[derive(Debug)]
pub(super) struct Drawn {
    /// Lines between residuals that cannot be drawn.
    pub(super) pieces: Vec<Vec<(f64, f64)>>,
    /// The last iteration that can be drawn, and its pixel.
    pub(super) end: Option<(usize, (f64, f64))>,
}

/// A residual that has a place, on a logarithmic axis if need be on the lower edge.
pub(super) fn can_be_drawn(residual: f64, spread: Spread) -> bool {
    residual.is_finite() && (residual >= 0.0 || spread == Spread::Linear)
}

/// The class of the line of a curve's bound.
pub(super) fn bound_class(series: usize) -> String {
    format!("line thin l{} d2", series % colour::SERIES)
}

/// The class of a curve's line.
pub(super) fn class(series: usize) -> String {
    format!("line l{} {}", series % colour::SERIES, colour::dashes(series))
}

impl Drawn {
    pub(super) fn new(curve: &ConvergenceCurve, x: &Scale, y: &Scale) -> Self {
        let residuals = &curve.residuals;
        let at = |i: usize| {
            // A logarithm of 0 goes to the scale's lower end.
            let place = match residuals[i] {
                residual if residual == 0.0 || y.spread() == Spread::Linear => residual,
                residual => residual.clamp(ENDS.0, ENDS.1),
            };
            (x.at(curve.iteration(i) as f64), y.at(place))
        };
        // A logarithmic axis has no iteration 0.
        let has_place = |i: &usize| x.spread() == Spread::Linear || curve.iteration(*i) > 0;
        let drawn = |residual: f64| can_be_drawn(residual, y.spread());
        let end = residuals.iter().rposition(|&r| drawn(r)).map(|i| (i, at(i)));
        let mut pieces = Vec::new();
        // With one iteration there is no curve to see.
        if curve.has_line() {
            let mut start = 0;
            for run in residuals.chunk_by(|&a, &b| drawn(a) == drawn(b)) {
                let points = (start..start + run.len()).filter(has_place).map(at);
                if drawn(run[0]) {
                    pieces.push(thinned(points));
                }
                start += run.len();
            }
        }
        pieces.retain(|piece| piece.len() > 1);
        Drawn { pieces, end }
    }
}

/// The first, the last, the highest and the lowest of the points in each column of pixels, in
/// their order.
fn thinned(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    let mut column: Vec<(f64, f64)> = Vec::new();
    for point in points {
        if column.last().is_some_and(|last| last.0.floor() != point.0.floor()) {
            kept.append(&mut column);
        }
        column.push(point);
        // One more than is kept: the first, two ends and the last; then one of the inner
        // ones goes.
        if column.len() == 5 {
            let inner = 1..4;
            let y = |i: &usize| column[*i].1;
            let high = inner.clone().min_by(|a, b| y(a).total_cmp(&y(b)));
            let low = inner.clone().max_by(|a, b| y(a).total_cmp(&y(b)));
            let dropped = inner.clone().find(|&i| Some(i) != high && Some(i) != low);
            column.remove(dropped.unwrap_or(2));
        }
    }
    kept.append(&mut column);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_keep_their_ends_and_extremes() {
        let ys = [5.0, 4.0, 9.0, 3.0, 1.0, 7.0, 2.0, 6.0];
        let points = ys.iter().enumerate().map(|(i, &y)| (3.0 + i as f64 / 10.0, y));
        let kept: Vec<f64> = thinned(points.chain([(4.5, 8.0)])).iter().map(|p| p.1).collect();
        assert_eq!(kept, [5.0, 9.0, 1.0, 6.0, 8.0]);
    }

    #[test]
    fn thinning_keeps_every_column_as_high() {
        let mut state = 1u64;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64
        };
        let points: Vec<(f64, f64)> =
            (0..50_000).map(|i| (f64::from(i) / 130.0, noise())).collect();
        let kept = thinned(points.iter().copied());
        assert!(kept.len() <= 4 * 386, "{}", kept.len());
        let column = |list: &[(f64, f64)], c: f64| -> [f64; 4] {
            let ys: Vec<f64> = list.iter().filter(|p| p.0.floor() == c).map(|p| p.1).collect();
            let (low, high) = crate::scale::range(ys.iter().copied());
            [ys[0], low, high, ys[ys.len() - 1]]
        };
        for c in 0..385 {
            assert_eq!(column(&points, f64::from(c)), column(&kept, f64::from(c)), "{c}");
        }
    }

    #[test]
    fn lines_end_where_nothing_can_be_drawn() {
        let residuals = vec![1.0, 0.1, f64::NAN, 0.01, 0.001, f64::INFINITY, 0.5];
        let curve = ConvergenceCurve { residuals, ..ConvergenceCurve::default() };
        let x = Scale::new(Spread::Linear, (0.0, 6.0), (0.0, 600.0));
        let y = Scale::new(Spread::Log, (1e-3, 1.0), (300.0, 0.0));
        let drawn = Drawn::new(&curve, &x, &y);
        assert_eq!(drawn.pieces.len(), 2);
        assert_eq!(drawn.end.map(|e| e.0), Some(6));
    }
}
