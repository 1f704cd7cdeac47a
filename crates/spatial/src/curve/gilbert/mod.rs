//! The generalised Hilbert curve of any rectangle ("gilbert").
//!
//! **Problem.** Input: the sides of a rectangle, an index or a cell. Output: the other,
//! on a curve from the corner (0, 0) to the other end of the longer side there.
//!
//! **Method.** A long rectangle (more than 3 : 2) is cut into two, end to end. Any other
//! is cut into three, as Hilbert's is: up in the near half, along the far side, down
//! again. Cuts prefer even lengths, so that the parts end beside where the next begins.
//! Cells and indices descend through the parts; parts of at most 8 × 8 and single rows
//! are leaves, the former read from a table. Halves are rounded towards the start of
//! their part; the original rounds down in the plane, and so differs on some grids, from
//! 10 × 10 on. On squares of side 2^k the curve is Hilbert's.
//!
//! **Cost.** O(log width + log height) for one; consecutive cells keep a stack of the parts
//! to come and pay for each part once.
//!
//! **Reference.** J. Červený, "gilbert", github.com/jakubcerveny/gilbert.

mod part;

use super::walk::Walk;
use crate::cell::Cell;
use part::{Cut, LEAVES, Part};

/// The generalised Hilbert curve on a rectangle.
#[derive(Clone, Copy)]
pub(super) struct Gilbert {
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Where the axes of a part lie: its origin, whether the axis along is y, and whether
/// both axes run backwards (all bits set) or not (none).
#[derive(Clone, Copy)]
struct Frame {
    part: Part,
    origin: Cell,
    swapped: bool,
    backwards: u32,
}

impl Frame {
    #[inline]
    fn place(self, p: u32, q: u32) -> Cell {
        let (x, y) = if self.swapped { (q, p) } else { (p, q) };
        let turn = |d: u32| (d ^ self.backwards).wrapping_sub(self.backwards);
        Cell { x: self.origin.x.wrapping_add(turn(x)), y: self.origin.y.wrapping_add(turn(y)) }
    }

    /// The part that has an index, and its index there.
    #[inline]
    fn enter(self, index: u64) -> (Frame, u64) {
        let Part { along, across } = self.part;
        let at = |p, q, along, across| Frame {
            part: Part { along, across },
            origin: self.place(p, q),
            ..self
        };
        match self.part.cut() {
            Cut::Ends(near) => {
                let far = u64::from(near) * u64::from(across);
                if index < far {
                    (at(0, 0, near, across), index)
                } else {
                    (at(near, 0, along - near, across), index - far)
                }
            }
            Cut::Arch(near, up) => {
                let swapped = !self.swapped;
                let over = u64::from(near) * u64::from(up);
                let down = self.part.len() - u64::from(along - near) * u64::from(up);
                if index < over {
                    (Frame { swapped, ..at(0, 0, up, near) }, index)
                } else if index < down {
                    (at(0, up, along, across - up), index - over)
                } else {
                    let frame = at(along - 1, up - 1, up, along - near);
                    (Frame { swapped, backwards: !self.backwards, ..frame }, index - down)
                }
            }
        }
    }

    /// The place of an index in a leaf.
    #[inline]
    fn in_leaf(self, index: u64) -> Cell {
        let Part { along, across } = self.part;
        if across == 1 {
            self.place(index as u32, 0)
        } else if along == 1 {
            self.place(0, index as u32)
        } else {
            let place = LEAVES.to_place[along as usize - 1][across as usize - 1][index as usize];
            self.place(u32::from(place >> 4), u32::from(place & 15))
        }
    }

    #[inline]
    fn is_leaf(self) -> bool {
        self.part.is_small() || self.part.is_line()
    }
}

impl Gilbert {
    #[inline]
    fn whole(self) -> Frame {
        let swapped = self.height > self.width;
        let (along, across) =
            if swapped { (self.height, self.width) } else { (self.width, self.height) };
        Frame { part: Part { along, across }, origin: Cell { x: 0, y: 0 }, swapped, backwards: 0 }
    }
}

impl Walk for Gilbert {
    fn cell(self, mut index: u64) -> Cell {
        let mut frame = self.whole();
        while !frame.is_leaf() {
            (frame, index) = frame.enter(index);
        }
        frame.in_leaf(index)
    }

    fn index(self, cell: Cell) -> u64 {
        let frame = self.whole();
        let (mut part, mut index) = (frame.part, 0);
        let (mut p, mut q) = if frame.swapped { (cell.y, cell.x) } else { (cell.x, cell.y) };
        while !part.is_small() && !part.is_line() {
            let before;
            (part, p, q, before) = part.enter(p, q);
            index += before;
        }
        if part.is_line() {
            return index + u64::from(p + q);
        }
        let shape = &LEAVES.to_index[part.along as usize - 1][part.across as usize - 1];
        index + u64::from(shape[(p << 3 | q) as usize])
    }

    fn cells(self, first: u64, out: &mut [Cell]) {
        let mut to_come = vec![self.whole()];
        let (mut skip, mut out) = (first, out);
        while !out.is_empty() {
            let Some(frame) = to_come.pop() else { break };
            let mut end = frame.part.len();
            if frame.is_leaf() {
                let (cells, rest) = out.split_at_mut((out.len() as u64).min(end - skip) as usize);
                for (cell, index) in cells.iter_mut().zip(skip..) {
                    *cell = frame.in_leaf(index);
                }
                (skip, out) = (0, rest);
            } else {
                while end > skip {
                    let (part, index) = frame.enter(end - 1);
                    to_come.push(part);
                    end -= index + 1;
                }
                skip -= end;
            }
        }
    }
}
