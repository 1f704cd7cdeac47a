//! The fold that keeps only what is live: for scores, which are noted on the way.
//!
//! **Method.** From the last position to the first, the values that wait for their parent form a
//! stack: when a vertex's turn comes, its children are on top of it, the first one topmost. The vertex
//! takes their place.
//!
//! **Cost.** One pass over the leaves' data, 4 bytes per vertex of structure, and a stack that is as
//! long as the largest number of waiting values: a few rows per level where the larger child comes
//! last, at worst (a caterpillar whose leaves come last) a row per leaf.

use super::Fold;
use palmette_core::vector::{Wide, widest};
use palmette_core::{Tree, parallel};
use std::ops::Range;

/// What is left of a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Live<W, N> {
    /// The rows of the roots, in their order.
    pub roots: Vec<W>,
    /// What was noted on the way.
    pub note: N,
}

/// The values of the roots, and what was noted, of every block.
pub fn live<F: Fold>(tree: &Tree, op: &F, blocks: Range<usize>) -> Vec<Live<F::Word, F::Note>> {
    let children = tree.child_counts();
    let children = &children[..];
    parallel::map(blocks.len(), 1, |k| {
        widest(Sweep { tree, children, op, block: blocks.start + k })
    })
}

/// The sweep of one block.
struct Sweep<'a, F> {
    tree: &'a Tree,
    children: &'a [u32],
    op: &'a F,
    block: usize,
}

impl<F: Fold> Wide for Sweep<'_, F> {
    type Output = Live<F::Word, F::Note>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Sweep { tree, children, op, block } = self;
        let width = op.value_words();
        // From the bottom of the stack on; what is above `top` is room.
        let mut stack: Vec<F::Word> = Vec::new();
        let mut top = 0;
        let mut sum = vec![F::Word::default(); op.sum_words()];
        let mut value = vec![F::Word::default(); width];
        let mut note = op.note(block);
        for i in (0..tree.len()).rev() {
            let vertex = i as u32;
            let count = children[i] as usize;
            if count == 0 {
                if stack.len() < top + width {
                    stack.resize((2 * top).max(64 * width), F::Word::default());
                }
                op.leaf(block, vertex, &mut stack[top..top + width]);
                top += width;
                continue;
            }
            let bottom = top - count * width;
            let rows = &stack[bottom..top];
            let quick = count == 2 && {
                let (second, first) = rows.split_at(width);
                op.pair(block, vertex, [first, second], &mut value, &mut note)
            };
            if !quick {
                op.clear(&mut sum);
                let mut child = vertex + 1;
                for row in rows.rchunks_exact(width) {
                    op.gather(block, child, row, &mut sum);
                    child = tree.end(child);
                }
                op.finish(block, vertex, &sum, &mut value, &mut note);
            }
            top = bottom + width;
            stack[bottom..top].copy_from_slice(&value);
        }
        // The first root is on top.
        let roots = stack[..top].rchunks_exact(width).flatten().copied().collect();
        Live { roots, note }
    }
}
