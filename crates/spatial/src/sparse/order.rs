//! An order of rows that keeps those with common entries close on the grid.
//!
//! **Problem.** A matrix, a curve, and perhaps a point for each row; out comes an order for
//! [`Blocks`](super::Blocks).
//!
//! **Method.** *Follow the curve*: the machine's addresses are halved, and the rows, in the direction in which
//! the halves lie beside each other on the grid, so that each half gets the rows that fill it; then the
//! halves again. Unlike in the order of a curve through the points themselves, rows on both sides of a cut
//! end beside each other also where points are denser in some places.
//! *Without points* they are made up: steps from two pairs of vertices that are far apart give two
//! coordinates, which are then averaged with those of neighbours a few times.
//!
//! **Cost.** On the host: O(m + n log² n) time; 16 bytes per processor and 40 per row.
//!
//! **Determinism.** No randomness. Ties go to the row with the smaller number.
//!
//! **When not to use.** For matrices that are far from planar nothing is close.

use super::SparseMatrix;
use crate::Cell;
use crate::curve::Curve;
use palmette_core::NONE;
use palmette_core::mesh::Point;
use std::collections::VecDeque;

/// How often made-up coordinates are averaged.
const AVERAGED: usize = 5;

/// An order of rows for blocks along a curve; without points, `points` is empty. Of points in space
/// the two axes count along which they extend most.
///
/// # Panics
/// When there are points for another number of rows, or the curve is shorter than the blocks.
pub fn follow(curve: &Curve, matrix: &SparseMatrix, points: &[Point]) -> Vec<u32> {
    let neighbours = Neighbours::new(matrix);
    let flat = match points.is_empty() {
        true => made_up(&neighbours),
        false => flat(points),
    };
    assert_eq!(flat.len(), matrix.rows(), "a point for every row");
    // How many addresses the rows before it take, by row in the order so far.
    let sizes: Vec<usize> =
        (0..matrix.rows()).map(|row| 1 + neighbours.of(row as u32).len()).collect();
    let centres = Centres::new(curve, sizes.iter().sum());
    let mut order: Vec<u32> = (0..matrix.rows() as u32).collect();
    // Pieces of the order and the addresses that they fill.
    let mut pieces = vec![(0..order.len(), 0..centres.addresses())];
    while let Some((rows, addresses)) = pieces.pop() {
        if rows.len() < 2 || addresses.len() < 2 {
            continue;
        }
        let middle = middle(&addresses);
        let (before, after) =
            (centres.of(addresses.start..middle), centres.of(middle..addresses.end));
        let way = [after[0] - before[0], after[1] - before[1]];
        let along = |&row: &u32| {
            let [x, y] = flat[row as usize];
            x * way[0] + y * way[1]
        };
        let own = &mut order[rows.clone()];
        own.sort_unstable_by(|a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
        // A row goes where most of it fits; both sides get one.
        let (room, mut filled, mut first) = (middle - addresses.start, 0, 0);
        while first + 1 < own.len()
            && (first == 0 || filled + sizes[own[first] as usize] / 2 <= room)
        {
            filled += sizes[own[first] as usize];
            first += 1;
        }
        let (cut, boundary) = (rows.start + first, addresses.start + filled);
        let boundary = boundary.min(addresses.end);
        pieces.push((rows.start..cut, addresses.start..boundary));
        pieces.push((cut..rows.end, boundary..addresses.end));
    }
    order
}

/// The multiple of the largest power of two within some addresses: there a block of the curve ends.
fn middle(addresses: &std::ops::Range<usize>) -> usize {
    let last = addresses.end - 1;
    let bit = (addresses.start ^ last).checked_ilog2().unwrap_or(0);
    last >> bit << bit
}

/// Where stretches of the curve lie.
struct Centres {
    sums: Vec<[u64; 2]>,
}

impl Centres {
    fn new(curve: &Curve, addresses: usize) -> Centres {
        let mut cells = vec![Cell::default(); addresses];
        curve.cells(0, &mut cells);
        let mut sum = [0; 2];
        let mut sums = Vec::with_capacity(addresses + 1);
        sums.push(sum);
        for cell in cells {
            sum = [sum[0] + u64::from(cell.x), sum[1] + u64::from(cell.y)];
            sums.push(sum);
        }
        Centres { sums }
    }

    fn addresses(&self) -> usize {
        self.sums.len() - 1
    }

    fn of(&self, addresses: std::ops::Range<usize>) -> [f64; 2] {
        let count = addresses.len().max(1) as f64;
        let (first, last) = (self.sums[addresses.start], self.sums[addresses.end]);
        std::array::from_fn(|axis| (last[axis] - first[axis]) as f64 / count)
    }
}

/// Rows with an entry in common, in either triangle, without the row itself.
struct Neighbours {
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Neighbours {
    fn new(matrix: &SparseMatrix) -> Neighbours {
        let n = matrix.rows();
        let pairs = || {
            let off = matrix.all().filter(|&(i, j, _)| i != j);
            off.flat_map(|(i, j, _)| {
                let alone = matrix.entry(j, i).is_none();
                [Some((i, j)), alone.then_some((j, i))].into_iter().flatten()
            })
        };
        let mut starts = vec![0; n + 1];
        pairs().for_each(|(i, _)| starts[i as usize + 1] += 1);
        (0..n).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = starts.clone();
        let mut rows = vec![NONE; starts[n]];
        pairs().for_each(|(i, j)| {
            rows[next[i as usize]] = j;
            next[i as usize] += 1;
        });
        Neighbours { starts, rows }
    }

    fn of(&self, row: u32) -> &[u32] {
        &self.rows[self.starts[row as usize]..self.starts[row as usize + 1]]
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Writes steps from a row to all that can be reached; returns these, the farthest last.
    fn walk(&self, from: u32, steps: &mut [u32]) -> Vec<u32> {
        let mut reached = vec![from];
        let mut queue = VecDeque::from([from]);
        steps[from as usize] = 0;
        while let Some(row) = queue.pop_front() {
            for &next in self.of(row) {
                if steps[next as usize] == NONE {
                    steps[next as usize] = steps[row as usize] + 1;
                    reached.push(next);
                    queue.push_back(next);
                }
            }
        }
        reached
    }
}

/// The two axes along which points extend most.
fn flat(points: &[Point]) -> Vec<[f64; 2]> {
    let extent = |axis: usize| {
        let along = || points.iter().map(|point| point[axis]);
        along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
    };
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| extent(b).total_cmp(&extent(a)));
    let mut two = [axes[0], axes[1]];
    two.sort_unstable();
    points.iter().map(|point| two.map(|axis| point[axis])).collect()
}

/// Coordinates for rows that have none; components lie side by side.
fn made_up(neighbours: &Neighbours) -> Vec<[f64; 2]> {
    let n = neighbours.len();
    let mut place = vec![[0.0; 2]; n];
    let mut steps: [Vec<u32>; 5] = std::array::from_fn(|_| vec![NONE; n]);
    let mut left = 0.0;
    for row in 0..n as u32 {
        if steps[0][row as usize] != NONE {
            continue;
        }
        let component = neighbours.walk(row, &mut steps[0]);
        // A pair that is far apart, and a second pair far from both.
        let far = |steps: &[Vec<u32>]| {
            let least = |row: u32| steps.iter().map(|steps| steps[row as usize]).min();
            component.iter().copied().max_by_key(|&row| (least(row), std::cmp::Reverse(row)))
        };
        let mut corner = far(&steps[..1]);
        for k in 1..5 {
            neighbours.walk(corner.unwrap_or(row), &mut steps[k]);
            corner = far(&steps[1..=k]);
        }
        let difference = |row: u32, a: usize| {
            f64::from(steps[a][row as usize]) - f64::from(steps[a + 1][row as usize])
        };
        let leftmost = component.iter().map(|&row| difference(row, 1)).fold(f64::MAX, f64::min);
        let mut right = left;
        for &row in &component {
            let x = left + difference(row, 1) - leftmost;
            place[row as usize] = [x, difference(row, 3)];
            right = f64::max(right, x);
        }
        left = right + 1.0;
    }
    for _ in 0..AVERAGED {
        place = (0..n as u32).map(|row| averaged(neighbours, &place, row)).collect();
    }
    place
}

fn averaged(neighbours: &Neighbours, place: &[[f64; 2]], row: u32) -> [f64; 2] {
    let near = neighbours.of(row);
    let count = (near.len() + 1) as f64;
    std::array::from_fn(|axis| {
        let others: f64 = near.iter().map(|&other| place[other as usize][axis]).sum();
        (place[row as usize][axis] + others) / count
    })
}
