//! Where a mesh ends: the sides that only one element has, the faces of cracks among them.

use super::lines::Pieces;
use super::{Shape, nodes};
use crate::inset::Rect;

/// The sides of one element only. Cost: `m log m` for `m` elements.
pub(crate) fn outline(frame: Rect, shapes: &[Shape], at: impl Fn(u32) -> (f64, f64)) -> Pieces {
    let mut sides: Vec<(u32, u32)> = Vec::with_capacity(4 * shapes.len());
    for nodes in shapes.iter().map(nodes) {
        for (i, &a) in nodes.iter().enumerate() {
            let b = nodes[(i + 1) % nodes.len()];
            sides.push((a.min(b), a.max(b)));
        }
    }
    sides.sort_unstable();
    let mut pieces = Pieces::new(frame);
    for run in sides.chunk_by(|a, b| a == b).filter(|run| run.len() == 1) {
        pieces.push(at(run[0].0), at(run[0].1));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::NONE;

    #[test]
    fn inner_sides_are_left_out() {
        let places = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (8.0, 2.0), (4.0, 4.0)];
        let frame = Rect { low: (0.0, 0.0), high: (8.0, 8.0) };
        let at = |node: u32| places[node as usize];
        let whole = outline(frame, &[[0, 1, 2, 3], [1, 4, 2, NONE]], at);
        assert_eq!(whole.len(), 5);
        assert_eq!(whole.joined().len(), 1);
        // Node 5 lies where node 2 is: a crack along their sides.
        assert_eq!(outline(frame, &[[0, 1, 2, 3], [1, 4, 5, NONE]], at).len(), 7);
    }
}
