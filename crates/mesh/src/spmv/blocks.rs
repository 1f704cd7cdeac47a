//! Blocks of a vector, which threads work on in parallel without allocating.

use std::ops::Range;

/// Some rows of one piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Which of the pieces of this process.
    pub(super) piece: usize,
    /// Its rows.
    pub(super) rows: Range<usize>,
    /// Where these begin among all pieces of this process.
    pub(super) start: usize,
}

/// Runs `work` on every block with its stretch of `values`. Blocks ascend and do not overlap;
/// `values` begins at place `first`. Allocates nothing; halves run in parallel.
pub(super) fn for_each(
    blocks: &[Block],
    first: usize,
    values: &mut [f64],
    work: &(impl Fn(&Block, &mut [f64]) + Sync),
) {
    match blocks {
        [] => (),
        [block] => {
            let begin = block.start - first;
            work(block, &mut values[begin..begin + block.rows.len()]);
        }
        _ => {
            let (left, right) = blocks.split_at(blocks.len() / 2);
            let middle = right[0].start;
            let (before, after) = values.split_at_mut(middle - first);
            rayon::join(
                || for_each(left, first, before, work),
                || for_each(right, middle, after, work),
            );
        }
    }
}

/// Cuts rows into blocks of about `most` by a weight that ascends with rows.
pub(super) fn cut(
    piece: usize,
    start: usize,
    rows: Range<usize>,
    most: usize,
    weight: impl Fn(usize) -> usize,
    blocks: &mut Vec<Block>,
) {
    let mut next = rows.start;
    while next < rows.end {
        let limit = weight(next) + most;
        let mut end = next + 1;
        // Rows are few in a block, and this runs once.
        while end < rows.end && weight(end + 1) <= limit {
            end += 1;
        }
        blocks.push(Block { piece, rows: next..end, start: start + next });
        next = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_block() {
        let mut blocks = Vec::new();
        cut(0, 0, 3..20, 10, |row| 3 * row, &mut blocks);
        cut(1, 20, 0..1, 10, |row| 100 * row, &mut blocks);
        cut(2, 21, 0..0, 10, |row| row, &mut blocks);
        assert!(blocks.iter().all(|b| b.rows.len() <= 3));
        let mut seen = vec![0.0; 21];
        for_each(&blocks, 0, &mut seen, &|block, values| {
            values.iter_mut().zip(block.rows.clone()).for_each(|(v, row)| *v += 1.0 + row as f64);
        });
        assert!(seen[..3].iter().all(|&v| v == 0.0));
        assert!((3..20).all(|i| seen[i] == 1.0 + i as f64));
        assert_eq!(seen[20], 1.0);
    }
}
