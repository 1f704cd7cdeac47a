//! The fold by its definition: a sum at every vertex.
//!
//! **Method.** Vertices from the last position to the first, which has children after it: each is
//! finished from its sum and gathered into the sum of its parent. Children reach their parent from the
//! last to the first, so they are kept until it is their parent's turn.
//!
//! **Cost.** A value and the sum of one vertex at a time; slow and obvious, for one block.

use super::Fold;
use palmette_core::Tree;

/// All values of a block by position, and what was noted.
pub fn sequential<F: Fold>(tree: &Tree, op: &F, block: usize) -> (Vec<F::Word>, F::Note) {
    let width = op.value_words();
    let mut rows = vec![F::Word::default(); tree.len() * width];
    let mut note = op.note(block);
    for i in (0..tree.len()).rev() {
        let vertex = i as u32;
        let mut value = vec![F::Word::default(); width];
        if tree.is_leaf(vertex) {
            op.leaf(block, vertex, &mut value);
        } else {
            let mut sum = vec![F::Word::default(); op.sum_words()];
            op.clear(&mut sum);
            for c in tree.children(vertex) {
                op.gather(block, c, &rows[c as usize * width..][..width], &mut sum);
            }
            op.finish(block, vertex, &sum, &mut value, &mut note);
        }
        rows[i * width..][..width].copy_from_slice(&value);
    }
    (rows, note)
}
