//! Loads of the grid's links when messages go along their row first, then along
//! their column.
//!
//! **Method.** A way along a row is two entries of a difference array: +1 where it
//! begins, -1 where it ends; likewise along a column. Prefix sums give the loads in
//! the end. Four directions of 16 bits, 8 bytes per cell, at most three cells touched per message.
//! Messages of different sizes have arrays of their own, so that words are counted, too.
//! An entry that would not fit goes to a map, which few entries ever need. Only the rectangle that
//! the processors lie in is kept: no message leaves it.

use crate::{Cell, Grid, Window};
use std::collections::HashMap;

const RIGHT: usize = 0;
const LEFT: usize = 1;
const DOWN: usize = 2;
const UP: usize = 3;

/// A cell in 32 bits, counted from the corner of the window that the processors lie in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) x: u16,
    pub(super) y: u16,
}

impl Place {
    #[inline(always)]
    pub(super) fn distance(self, other: Place) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }
}

impl From<Cell> for Place {
    /// The cell must lie in a window of at most 65536 per side.
    fn from(cell: Cell) -> Place {
        Place { x: cell.x as u16, y: cell.y as u16 }
    }
}

impl From<Place> for Cell {
    #[inline(always)]
    fn from(place: Place) -> Cell {
        Cell { x: place.x.into(), y: place.y.into() }
    }
}

/// Difference arrays of one worker, for messages of one size.
#[derive(Debug, Clone)]
pub(crate) struct LinkCounters {
    window: Window,
    /// The words of a message.
    words: u32,
    change: Vec<[i16; 4]>,
    /// What did not fit, by cell and direction.
    beyond: HashMap<(usize, usize), i64>,
}

impl LinkCounters {
    /// For messages of so many words.
    pub(crate) fn new(window: Window, words: u32) -> LinkCounters {
        let change = vec![[0; 4]; window.size.len() as usize];
        LinkCounters { window, words, change, beyond: HashMap::new() }
    }

    /// Takes counters for messages of so many words from those that no worker uses.
    pub(super) fn take(unused: &mut Vec<LinkCounters>, words: u32) -> Option<LinkCounters> {
        let at = unused.iter().position(|counters| counters.words == words)?;
        Some(unused.swap_remove(at))
    }

    /// Counts a message between cells of the window.
    #[inline(always)]
    pub(crate) fn count_cells(&mut self, from: Cell, to: Cell) {
        self.count_inside(self.window.inside(from), self.window.inside(to));
    }

    /// Counts a message between places, which are counted from the window's corner.
    #[inline(always)]
    pub(super) fn count(&mut self, from: Place, to: Place) {
        self.count_inside(from.into(), to.into());
    }

    #[inline(always)]
    fn count_inside(&mut self, from: Cell, to: Cell) {
        let width = self.window.size.width as usize;
        let (row, column) = (from.y as usize * width, to.x as usize);
        if from.x != to.x {
            let way = if from.x < to.x { RIGHT } else { LEFT };
            self.add(row + from.x.min(to.x) as usize, row + from.x.max(to.x) as usize, way);
        }
        if from.y != to.y {
            let (corner, end) = (row + column, to.y as usize * width + column);
            let way = if from.y < to.y { DOWN } else { UP };
            self.add(corner.min(end), corner.max(end), way);
        }
    }

    #[inline(always)]
    fn add(&mut self, begin: usize, end: usize, way: usize) {
        self.change_by(begin, way, 1);
        self.change_by(end, way, -1);
    }

    #[inline(always)]
    fn change_by(&mut self, at: usize, way: usize, by: i16) {
        let change = &mut self.change[at][way];
        match change.checked_add(by) {
            Some(sum) => *change = sum,
            None => self.move_beyond(at, way, by),
        }
    }

    #[cold]
    fn move_beyond(&mut self, at: usize, way: usize, by: i16) {
        let sum = i64::from(std::mem::take(&mut self.change[at][way])) + i64::from(by);
        *self.beyond.entry((at, way)).or_default() += sum;
    }
}

/// The number of messages that each link carried, one number per direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkLoads {
    grid: Grid,
    /// Loads are zero outside.
    window: Window,
    loads: Vec<[i64; 4]>,
}

impl LinkLoads {
    /// Messages by link.
    pub(crate) fn of(grid: Grid, window: Window, workers: &[LinkCounters]) -> LinkLoads {
        LinkLoads::weighted(grid, window, workers, |_| 1)
    }

    /// Words by link.
    pub(super) fn in_words(grid: Grid, window: Window, workers: &[LinkCounters]) -> LinkLoads {
        LinkLoads::weighted(grid, window, workers, i64::from)
    }

    /// Messages by link, each of which counts for what its words say.
    fn weighted(
        grid: Grid,
        window: Window,
        workers: &[LinkCounters],
        weight: fn(u32) -> i64,
    ) -> LinkLoads {
        let width = window.size.width as usize;
        let mut loads = vec![[0i64; 4]; window.size.len() as usize];
        for counters in workers {
            let weight = weight(counters.words);
            for (load, change) in loads.iter_mut().zip(&counters.change) {
                for way in 0..4 {
                    load[way] += weight * i64::from(change[way]);
                }
            }
            for (&(at, way), &more) in &counters.beyond {
                loads[at][way] += weight * more;
            }
        }
        for i in 0..loads.len() {
            if !i.is_multiple_of(width) {
                let before = loads[i - 1];
                loads[i][RIGHT] += before[RIGHT];
                loads[i][LEFT] += before[LEFT];
            }
            if i >= width {
                let above = loads[i - width];
                loads[i][DOWN] += above[DOWN];
                loads[i][UP] += above[UP];
            }
        }
        LinkLoads { grid, window, loads }
    }

    /// The grid.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The largest load of a link.
    pub fn max(&self) -> u64 {
        self.loads.iter().flatten().copied().max().unwrap_or(0) as u64
    }

    /// The number of links (each direction is one) that carried a message.
    pub fn used(&self) -> u64 {
        self.loads.iter().flatten().filter(|&&load| load > 0).count() as u64
    }

    /// The sum of all loads: the energy.
    pub fn total(&self) -> u64 {
        self.loads.iter().flatten().map(|&load| load as u64).sum()
    }

    /// Loads of the links between a cell and its right neighbour: rightwards and
    /// leftwards; zeros in the last column.
    pub fn right_of(&self, cell: Cell) -> (u64, u64) {
        let load = self.at(cell);
        (load[RIGHT] as u64, load[LEFT] as u64)
    }

    /// Loads of the links between a cell and the one below: downwards and upwards;
    /// zeros in the last row.
    pub fn below(&self, cell: Cell) -> (u64, u64) {
        let load = self.at(cell);
        (load[DOWN] as u64, load[UP] as u64)
    }

    fn at(&self, cell: Cell) -> [i64; 4] {
        let Window { corner, size } = self.window;
        let (x, y) = (cell.x.wrapping_sub(corner.x), cell.y.wrapping_sub(corner.y));
        match size.contains(Cell { x, y }) {
            true => self.loads[y as usize * size.width as usize + x as usize],
            false => [0; 4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(size: Grid) -> Window {
        Window { corner: Cell::default(), size }
    }

    /// Walks every message link by link.
    fn walked(grid: Grid, messages: &[(Cell, Cell)]) -> Vec<[i64; 4]> {
        let mut loads = vec![[0; 4]; grid.len() as usize];
        for &(from, to) in messages {
            let mut at = from;
            while at != to {
                let (next, way) = match (at.x.cmp(&to.x), at.y.cmp(&to.y)) {
                    (std::cmp::Ordering::Less, _) => (Cell { x: at.x + 1, ..at }, RIGHT),
                    (std::cmp::Ordering::Greater, _) => (Cell { x: at.x - 1, ..at }, LEFT),
                    (_, std::cmp::Ordering::Less) => (Cell { y: at.y + 1, ..at }, DOWN),
                    _ => (Cell { y: at.y - 1, ..at }, UP),
                };
                let low = Cell { x: at.x.min(next.x), y: at.y.min(next.y) };
                loads[(low.y * grid.width + low.x) as usize][way] += 1;
                at = next;
            }
        }
        loads
    }

    #[test]
    fn difference_arrays_equal_a_walk() {
        let grid = Grid { width: 7, height: 5 };
        let cell = |i: u32| Cell { x: i % 7, y: i / 7 };
        let messages: Vec<_> =
            (0..400u32).map(|i| (cell(i * 11 % 35), cell(i * i * 13 % 35))).collect();
        let mut workers = vec![LinkCounters::new(whole(grid), 1); 2];
        for (i, &(from, to)) in messages.iter().enumerate() {
            workers[i % 2].count_cells(from, to);
        }
        let loads = LinkLoads::of(grid, whole(grid), &workers);
        assert_eq!(loads.loads, walked(grid, &messages));
        let energy: u64 = messages.iter().map(|(a, b)| a.distance(*b)).sum();
        assert_eq!(loads.total(), energy);
        assert!(loads.used() > 0 && loads.max() <= energy);
    }

    #[test]
    fn loads_beyond_16_bits() {
        let grid = Grid { width: 3, height: 2 };
        let window = Window { corner: Cell { x: 0, y: 0 }, size: grid };
        let mut counters = LinkCounters::new(window, 1);
        let (from, to) = (Cell { x: 0, y: 0 }, Cell { x: 2, y: 1 });
        for _ in 0..100_000 {
            counters.count_cells(from, to);
            counters.count_cells(to, from);
        }
        let loads = LinkLoads::of(Grid { width: 9, height: 9 }, window, &[counters]);
        assert_eq!((loads.max(), loads.used(), loads.total()), (100_000, 6, 600_000));
        assert_eq!(loads.right_of(from), (100_000, 0));
        assert_eq!(loads.below(Cell { x: 2, y: 0 }), (100_000, 0));
        assert_eq!(loads.below(from), (0, 100_000));
        assert_eq!(loads.below(Cell { x: 7, y: 7 }), (0, 0));
    }
}
