//! Where the vertices of a drawing lie: rows down, sized by tips.

use super::selection::{Drawn, Kind};
use palmette_core::NONE;

/// Pixels of a tip's row.
const ROW: f64 = 16.0;

/// The rows of a drawing, by drawn vertex; in pixels from the top.
pub(crate) struct Rows {
    /// The middle; of an inner vertex between its first and its last child.
    pub(crate) middle: Vec<f64>,
    /// Where its rows begin and end.
    pub(crate) span: Vec<(f64, f64)>,
    /// The middles of the first and the last child.
    pub(crate) ends: Vec<(f64, f64)>,
    pub(crate) height: f64,
}

impl Rows {
    /// The largest clade has so many pixels more than a tip.
    pub(crate) fn new(drawn: &[Drawn], more: f64) -> Rows {
        let n = drawn.len();
        let is_leaf = |d: &&Drawn| d.kind != Kind::Inner;
        let most = drawn.iter().filter(is_leaf).map(|d| d.tips).max().unwrap_or(1).max(2) as f64;
        let height = |d: &Drawn| match d.kind {
            Kind::Inner => 0.0,
            Kind::Tip => ROW,
            _ => ROW + more * (d.tips as f64 / most).sqrt(),
        };
        let total: f64 = drawn.iter().map(height).sum();
        let (mut middle, mut span) = (vec![0.0; n], vec![(f64::INFINITY, f64::NEG_INFINITY); n]);
        let mut ends = span.clone();
        let mut bottom = total;
        for (i, d) in drawn.iter().enumerate().rev() {
            if d.kind == Kind::Inner {
                middle[i] = (ends[i].0 + ends[i].1) / 2.0;
            } else {
                let own = height(d);
                span[i] = (bottom - own, bottom);
                middle[i] = bottom - own / 2.0;
                bottom -= own;
            }
            if d.parent != NONE {
                let p = d.parent as usize;
                span[p] = (span[p].0.min(span[i].0), span[p].1.max(span[i].1));
                ends[p] = (ends[p].0.min(middle[i]), ends[p].1.max(middle[i]));
            }
        }
        Rows { middle, span, ends, height: total.max(ROW) }
    }
}
