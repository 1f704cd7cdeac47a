//! A map of a large grid: values at processors, joined in bins.
//!
//! **Cost.** Constant time per value; the picture has one path per colour, with one rectangle
//! for each run of equal colours in a row of bins, at most 16,384 in all.

use super::Board;
use super::fields::{Fields, runs};
use super::heat::Heat;
use crate::svg::Svg;

/// Sums and counts of values by bin.
pub(crate) struct Bins {
    board: Board,
    across: usize,
    sums: Vec<f64>,
    counts: Vec<u64>,
}

impl Bins {
    pub(crate) fn new(board: &Board) -> Self {
        let across = board.columns.div_ceil(board.bin.0) as usize;
        let count = across * board.rows.div_ceil(board.bin.1) as usize;
        Bins { board: *board, across, sums: vec![0.0; count], counts: vec![0; count] }
    }

    /// Counts a value at a processor.
    #[inline]
    pub(crate) fn add(&mut self, (x, y): (u32, u32), value: u64) {
        let (bx, by) = self.board.bin;
        let bin = (y / by) as usize * self.across + (x / bx) as usize;
        self.sums[bin] += value as f64;
        self.counts[bin] += 1;
    }

    /// The mean of every bin, row by row; none where nothing was counted.
    pub(crate) fn means(&self) -> impl Iterator<Item = Option<f64>> + Clone {
        let mean = |(&sum, &count): (&f64, &u64)| (count > 0).then(|| sum / count as f64);
        self.sums.iter().zip(&self.counts).map(mean)
    }

    /// The colours on the board; bins in which nothing was counted stay free.
    pub(crate) fn draw(&self, svg: &mut Svg, heat: &Heat) {
        let board = &self.board;
        // The last bins of a row and of a column end with the grid.
        let edge = |i: usize, bin: u32, end: u32| (i as f64 * f64::from(bin)).min(end.into());
        let x = |i: usize| board.x(edge(i, board.bin.0, board.columns));
        let y = |j: usize| board.y(edge(j, board.bin.1, board.rows));
        let colours: Vec<Option<Option<usize>>> =
            self.means().map(|mean| mean.map(|m| heat.step(m))).collect();
        let mut fields = Fields::default();
        for (j, row) in colours.chunks(self.across.max(1)).enumerate() {
            for (step, i, end) in runs(row, false) {
                fields.push(step, (x(i), y(j)), (x(end) - x(i), y(j + 1) - y(j)));
            }
        }
        fields.draw(svg);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_by_bin() {
        let board = Board::new(300, 2);
        assert_eq!(board.bin, (3, 2));
        let mut bins = Bins::new(&board);
        for (cell, value) in [((0, 0), 1), ((2, 1), 3), ((3, 0), 10), ((299, 1), 7)] {
            bins.add(cell, value);
        }
        let means: Vec<Option<f64>> = bins.means().collect();
        assert_eq!(means.len(), 100);
        assert_eq!(
            (means[0], means[1], means[2], means[99]),
            (Some(2.0), Some(10.0), None, Some(7.0))
        );
    }
}
