//! Where the vertices of a dendrogram lie, in rows down and in distances across.

use palmette_core::NONE;

use crate::scale::range;

pub(crate) struct Arrangement {
    /// Distance from the root, by branch length or by edges.
    pub(crate) x: Vec<f64>,
    /// Row, from the top; inner vertices lie between rows.
    pub(crate) row: Vec<f64>,
    /// The rows of the first and the last child; meaningless for a leaf.
    pub(crate) span: Vec<(f64, f64)>,
    pub(crate) depth: Vec<u32>,
    pub(crate) is_leaf: Vec<bool>,
    /// The number of leaves.
    pub(crate) rows: usize,
    /// The largest depth.
    pub(crate) height: u32,
}

impl Arrangement {
    pub(crate) fn new(parents: &[u32], lengths: Option<&[f64]>) -> Self {
        let n = parents.len();
        let mut depth = vec![0u32; n];
        let mut x = vec![0.0; n];
        let mut is_leaf = vec![true; n];
        for (i, &parent) in parents.iter().enumerate() {
            if parent != NONE {
                let p = parent as usize;
                assert!(p < i, "position {i} comes before its parent {p}");
                depth[i] = depth[p] + 1;
                let length = lengths.map_or(1.0, |l| if l[i].is_finite() { l[i] } else { 0.0 });
                x[i] = x[p] + length;
                is_leaf[p] = false;
            }
        }
        let rows = is_leaf.iter().filter(|&&leaf| leaf).count();
        let height = depth.iter().copied().max().unwrap_or(0);
        let (row, span) = rows_of(parents, &is_leaf, rows);
        Arrangement { x, row, span, depth, is_leaf, rows, height }
    }

    /// The distances shown; from the root on, unless a negative length leads left of it.
    pub(crate) fn range(&self) -> (f64, f64) {
        let (low, high) = range(self.x.iter().copied());
        if low == high { (low, low + 1.0) } else { (low, high) }
    }
}

/// Children come after their parents, so one pass from the end sees both ends of every span
/// before the vertex itself.
fn rows_of(parents: &[u32], is_leaf: &[bool], rows: usize) -> (Vec<f64>, Vec<(f64, f64)>) {
    let n = parents.len();
    let mut row = vec![0.0; n];
    let mut span = vec![(f64::INFINITY, f64::NEG_INFINITY); n];
    let mut next = rows as f64;
    for i in (0..n).rev() {
        if is_leaf[i] {
            next -= 1.0;
            row[i] = next;
        } else {
            row[i] = (span[i].0 + span[i].1) / 2.0;
        }
        if parents[i] != NONE {
            let of_parent = &mut span[parents[i] as usize];
            *of_parent = (of_parent.0.min(row[i]), of_parent.1.max(row[i]));
        }
    }
    (row, span)
}

/// The largest extent across at which every name still ends within `room`: a long name may begin
/// far left. Of every name where it begins, in distances, and its width.
pub(crate) fn widest(
    (low, high): (f64, f64),
    names: impl Iterator<Item = (f64, f64)>,
    room: f64,
) -> f64 {
    let extents = names.map(|(x, width)| (room - width) * (high - low) / (x - low));
    extents.filter(|e| *e >= 0.0).fold(room, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_vertices_lie_midway() {
        // 0 has children 1 (leaf), 2 (with leaves 3 and 4).
        let layout = Arrangement::new(&[NONE, 0, 0, 2, 2], Some(&[9.0, 1.0, 2.0, 0.5, f64::NAN]));
        assert_eq!(layout.row, [0.75, 0.0, 1.5, 1.0, 2.0]);
        assert_eq!(layout.x, [0.0, 1.0, 2.0, 2.5, 2.0]);
        assert_eq!((layout.rows, layout.height), (3, 2));
        assert_eq!(layout.span[2], (1.0, 2.0));
    }
}
