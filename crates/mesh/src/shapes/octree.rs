//! A cube cut into eight, again and again where it must be fine, and the tetrahedra in it.
//!
//! **Method.** Cells are split until none is too large, then until cells that share a face
//! or an edge differ by one level at most. Nodes are the corners of cells, their centres,
//! and the centres of faces on the surface. A face between two cells is the middle of a
//! double pyramid between their centres, cut into tetrahedra around the line from centre to
//! centre; that line crosses the smaller cell's face inside, at its centre or at a third of
//! its diagonal. An edge whose middle is the corner of a smaller cell is cut in two. So
//! tetrahedra fill every cell, neighbours agree, and none is flat.
//!
//! **Cost.** `n log n` for n cells. Sorting runs on all threads.
//!
//! **Reference.** Labelle and Shewchuk, *Isosurface stuffing*, 2007, for tetrahedra between
//! the centres of a balanced octree.

use palmette_core::NONE;
use palmette_core::mesh::Point;
use rayon::prelude::*;
use std::collections::VecDeque;

/// A place on the lattice of `SIDE + 1` points per side.
type Coordinates = [u32; 3];

/// The side of the whole cube in steps of the lattice. Cells have at least two, so that
/// centres and middles are on the lattice too.
const SIDE: u32 = 1 << 20;

struct Cell {
    low: Coordinates,
    size: u32,
    /// The first of eight, `NONE` in a leaf.
    children: u32,
}

impl Cell {
    fn middle(&self) -> Coordinates {
        self.low.map(|x| x + self.size / 2)
    }
}

/// A balanced octree.
pub(super) struct Octree {
    cells: Vec<Cell>,
    /// The corners of all leaves, packed, in ascending order.
    corners: Vec<u64>,
}

impl Octree {
    /// The tree whose leaves are at most as large as `size` says at their middles. The
    /// cube's side is 1.
    pub(super) fn new(size: impl Fn(Point) -> f64) -> Octree {
        let root = Cell { low: [0; 3], size: SIDE, children: NONE };
        let mut tree = Octree { cells: vec![root], corners: Vec::new() };
        let mut next = 0;
        while let Some(cell) = tree.cells.get(next) {
            let own = f64::from(cell.size) / f64::from(SIDE);
            if cell.size > 2 && own > size(point(cell.middle())) {
                tree.split(next);
            }
            next += 1;
        }
        tree.balance();
        let corner = |cell: &Cell, i: u32| {
            packed([0, 1, 2].map(|axis| cell.low[axis] + cell.size * (i >> axis & 1)))
        };
        let leaves: Vec<&Cell> = tree.leaves().collect();
        let mut corners: Vec<u64> =
            leaves.par_iter().flat_map_iter(|&cell| (0..8).map(move |i| corner(cell, i))).collect();
        corners.par_sort_unstable();
        corners.dedup();
        tree.corners = corners;
        tree
    }

    fn leaves(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.children == NONE)
    }

    fn split(&mut self, cell: usize) {
        let Cell { low, size, .. } = self.cells[cell];
        self.cells[cell].children = self.cells.len() as u32;
        self.cells.extend((0..8).map(|i| Cell {
            low: [0, 1, 2].map(|axis| low[axis] + size / 2 * (i >> axis & 1)),
            size: size / 2,
            children: NONE,
        }));
    }

    /// Splits leaves that are more than twice as large as one at their side or edge.
    fn balance(&mut self) {
        let steps =
            || (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z])));
        let near: Vec<[i64; 3]> = steps()
            .filter(|step| (1..=2).contains(&step.iter().filter(|&&s| s != 0).count()))
            .collect();
        let mut waiting: VecDeque<usize> = (0..self.cells.len()).collect();
        while let Some(cell) = waiting.pop_front() {
            if self.cells[cell].children != NONE {
                continue;
            }
            for &step in &near {
                let Some(other) = self.beside(cell, step) else { continue };
                if self.cells[other].size > 2 * self.cells[cell].size {
                    let first = self.cells.len();
                    self.split(other);
                    waiting.extend(first..first + 8);
                    // What is beside may still be too large.
                    waiting.push_back(cell);
                }
            }
        }
    }

    /// The leaf, or a cell of the same size, a step of a cell's size away from its middle.
    fn beside(&self, cell: usize, step: [i64; 3]) -> Option<usize> {
        let Cell { size, .. } = self.cells[cell];
        let mut place = self.cells[cell].middle();
        for (x, s) in place.iter_mut().zip(step) {
            let moved = i64::from(*x) + s * i64::from(size);
            *x = u32::try_from(moved).ok().filter(|&x| x < SIDE)?;
        }
        let mut found = 0;
        while self.cells[found].children != NONE && self.cells[found].size > size {
            let Cell { low, size, children } = self.cells[found];
            let upper = |axis: usize| usize::from(place[axis] >= low[axis] + size / 2) << axis;
            found = children as usize + (upper(0) | upper(1) | upper(2));
        }
        Some(found)
    }

    /// The number of nodes that [`Octree::tetrahedra`] makes.
    pub(super) fn nodes(&self) -> usize {
        let at_surface = |cell: &Cell| {
            cell.low
                .iter()
                .map(|&x| usize::from(x == 0) + usize::from(x + cell.size == SIDE))
                .sum::<usize>()
        };
        self.corners.len() + self.leaves().map(|cell| 1 + at_surface(cell)).sum::<usize>()
    }

    /// The nodes, in a cube of side 1, and the tetrahedra between them.
    pub(super) fn tetrahedra(&self) -> (Vec<Point>, Vec<u32>) {
        let mut points: Vec<Point> = self.corners.iter().map(|&key| point(unpacked(key))).collect();
        let mut centre = vec![NONE; self.cells.len()];
        for (i, cell) in self.cells.iter().enumerate().filter(|(_, c)| c.children == NONE) {
            centre[i] = points.len() as u32;
            points.push(point(cell.middle()));
        }
        let mut nodes = Vec::with_capacity(48 * points.len());
        for cell in (0..self.cells.len()).filter(|&c| centre[c] != NONE) {
            for side in 0..6 {
                let step: [i64; 3] = std::array::from_fn(|axis| {
                    if axis != side / 2 { 0 } else { 1 - 2 * (side as i64 % 2) }
                });
                let other = match self.beside(cell, step) {
                    None => {
                        points.push(point(self.face_middle(cell, side)));
                        points.len() as u32 - 1
                    }
                    // A face is the smaller cell's, or that of the first of two equal ones.
                    Some(other) => {
                        let equal = self.cells[other].size == self.cells[cell].size;
                        if centre[other] == NONE || equal && other < cell {
                            continue;
                        }
                        centre[other]
                    }
                };
                self.around(cell, side, |a, b| nodes.extend([a, b, centre[cell], other]));
            }
        }
        (points, nodes)
    }

    fn face_middle(&self, cell: usize, side: usize) -> Coordinates {
        let mut middle = self.cells[cell].middle();
        let half = self.cells[cell].size / 2;
        let x = &mut middle[side / 2];
        *x = if side.is_multiple_of(2) { *x + half } else { *x - half };
        middle
    }

    /// Walks around a side of a cell, against the clock if seen from outside, along pieces of
    /// edges.
    fn around(&self, cell: usize, side: usize, mut piece: impl FnMut(u32, u32)) {
        let half = self.cells[cell].size / 2;
        let middle = self.face_middle(cell, side);
        // The two other axes, exchanged on the lower side.
        let (mut right, mut up) = ((side / 2 + 1) % 3, (side / 2 + 2) % 3);
        if side % 2 == 1 {
            (right, up) = (up, right);
        }
        let at = |x: i32, y: i32| {
            let mut place = middle;
            place[right] = place[right].wrapping_add_signed(x * half as i32);
            place[up] = place[up].wrapping_add_signed(y * half as i32);
            self.corners.binary_search(&packed(place)).ok().map(|i| i as u32)
        };
        let ring = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];
        let nodes: Vec<u32> = ring.iter().filter_map(|&(x, y)| at(x, y)).collect();
        for i in 0..nodes.len() {
            piece(nodes[i], nodes[(i + 1) % nodes.len()]);
        }
    }
}

fn packed([x, y, z]: Coordinates) -> u64 {
    u64::from(z) << 42 | u64::from(y) << 21 | u64::from(x)
}

fn unpacked(key: u64) -> Coordinates {
    [key, key >> 21, key >> 42].map(|x| (x & ((1 << 21) - 1)) as u32)
}

fn point(place: Coordinates) -> Point {
    place.map(|x| f64::from(x) / f64::from(SIDE))
}
