//! An exact sparse Cholesky factor.
//!
//! **Problem.** `(L + D)⁻¹ r`, to rounding, for many `r`.
//!
//! **Method.** The heaviest vertex of each floating component is held at potential 0. The
//! others are scaled to a diagonal of ones, [ordered](crate::order) by approximate minimum degree
//! (where that leaves much to do, by nested dissection, if it leaves less), [analysed](symbolic) and factored: [supernode by supernode](numeric) when there is much
//! fill, [column by column](columns) otherwise. A pivot that rounding has left below 1e-15 is
//! set to 1e-15: with weights that differ by more than 15 digits the factor is then a
//! preconditioner and not the inverse, and conjugate gradients do the rest. The entries of the factor are
//! counted and compared with the limit on memory before anything is allocated for them.
//!
//! **Cost.** The fill decides: of order `n log n` entries on plane grids, `n^(4/3)` in space.
//! An application reads all entries twice.
//!
//! **Determinism.** One thread. All machines with fused multiplications give the same bits;
//! others differ from them in the last ones ([`kernel`]).
//!
//! **Reference.** Amestoy, Davis and Duff, *An approximate minimum degree ordering
//! algorithm*, 1996; Davis, *Direct methods for sparse linear systems*, 2006; Liu, *The
//! multifrontal method for sparse matrix solution*, 1992.
//!
//! **When not to use.** On large graphs of three and more dimensions, and on expanders.

mod columns;
mod dense;
mod kernel;
mod matrix;
mod numeric;
mod selected;
mod small;
mod solve;
mod symbolic;
#[cfg(test)]
mod tests;
mod wide;

use super::scratch::Scratch;
use super::{SolveError, SolveParams};
use crate::Laplacian;
use crate::order::elimination::{self, Pattern};
use crate::order::minimum_degree::{self, Rows};
use crate::order::{self, MOST_ENTRIES};
use columns::Columns;
use kernel::Isa;
use matrix::Matrix;
use numeric::Stacks;
use palmette_core::memory::available;
use palmette_core::random::DEFAULT_SEED;
use palmette_core::{Cancel, CgError, LinOp, NONE};
use std::time::Instant;
use symbolic::Supernodes;

/// The smallest pivot of a matrix with ones on its diagonal.
const SMALLEST_PIVOT: f64 = 1e-15;

/// An exact factor of a Laplacian.
#[derive(Debug)]
pub struct Factor {
    size: usize,
    /// By column of the factor, its vertex, without the vertices held at 0.
    vertices: Vec<u32>,
    /// By column, one over the root of the diagonal.
    scales: Vec<f64>,
    numbers: Numbers,
    isa: Isa,
    /// Seconds to order and analyse, and to factor.
    seconds: [f64; 2],
    scratch: Scratch,
}

/// Entries of the inverse.
#[derive(Debug)]
pub(super) struct Selected {
    /// By vertex; 0 where the potential is held.
    pub(super) diagonal: Vec<f64>,
    /// By edge.
    pub(super) across: Vec<f64>,
}

#[derive(Debug)]
enum Numbers {
    Columns(Columns),
    Supernodes(Supernodes, Vec<f64>),
}

/// What a factor may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FactorLimits {
    /// The most bytes for the factor and its making; by default three quarters of what is
    /// available.
    pub memory: Option<u64>,
    /// The most operations (a multiplication with an addition) for making it and for `solves`
    /// solves; by default any number.
    pub work: Option<u64>,
    /// Solves that count towards the work.
    pub solves: u64,
}

/// Operations that an entry of the factor is worth in a solve, which waits for memory: twice
/// read, while a core does several operations on entries that it has at hand.
const SOLVE_OPERATIONS: u64 = 10;

/// Operations per row above which nested dissection is tried: it takes about as long as half of that.
const DISSECTION: u64 = 120_000;
/// It does not save a greater part of the operations than all but one of so many.
const MOST_SAVED: u64 = 5;

/// How to factor.
#[derive(Debug, Clone, Copy)]
struct Way {
    isa: Isa,
    /// Whether by supernodes; by default where there is much fill.
    supernodes: Option<bool>,
}

impl Way {
    fn best() -> Self {
        Way { isa: Isa::best(), supernodes: None }
    }
}

/// What a factor will look like.
enum Layout {
    /// Parents in the elimination tree, and entries.
    Columns(Vec<u32>, Vec<u32>),
    Supernodes(Supernodes, Stacks),
}

/// Why there are no numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Stopped,
    /// The pivot of this column is not a positive number.
    Pivot {
        place: usize,
    },
}

impl Factor {
    /// Factors a Laplacian, in at most `memory` bytes for the factor and its making: by default
    /// three quarters of what is available. `cancel` is looked at between the stages (order,
    /// analysis, numbers), and now and then within order and numbers.
    ///
    /// # Errors
    /// [`SolveError::Memory`] or [`SolveError::Entries`] when the factor is too large,
    /// [`SolveError::Pivot`] when numbers overflow; cancelled.
    pub fn new(
        laplacian: &Laplacian<'_>,
        memory: Option<u64>,
        cancel: Option<&Cancel>,
    ) -> Result<Self, SolveError> {
        Self::within(laplacian, &FactorLimits { memory, ..Default::default() }, cancel)
    }

    /// As [`Factor::new`], with a limit on the work as well.
    ///
    /// # Errors
    /// [`SolveError::Work`], known after the order and before the numbers; as [`Factor::new`].
    pub fn within(
        laplacian: &Laplacian<'_>,
        limits: &FactorLimits,
        cancel: Option<&Cancel>,
    ) -> Result<Self, SolveError> {
        Self::with(laplacian, limits, cancel, Way::best())
    }

    fn with(
        laplacian: &Laplacian<'_>,
        limits: &FactorLimits,
        cancel: Option<&Cancel>,
        Way { isa, supernodes }: Way,
    ) -> Result<Self, SolveError> {
        let stop = || cancel.is_some_and(Cancel::is_raised);
        let start = Instant::now();
        let (graph, size) = (laplacian.graph(), laplacian.size());
        check_entries(graph.edge_count() as u64 * 12 / 5 + size as u64)?;
        let mut matrix = Matrix::new(graph, laplacian.diagonal(), free_vertices(laplacian));
        let layout = analyse(&mut matrix, limits, cancel, supernodes)?;
        let order_seconds = start.elapsed().as_secs_f64();
        check_cancel(cancel)?;
        let start = Instant::now();
        let numbers = match layout {
            Layout::Columns(parents, counts) => {
                Columns::new(&matrix, &parents, &counts, stop).map(Numbers::Columns)
            }
            Layout::Supernodes(nodes, stacks) => {
                numeric::factor(&matrix, &nodes, &stacks, isa, stop)
                    .map(|values| Numbers::Supernodes(nodes, values))
            }
        };
        let numbers = numbers.map_err(|ended| match ended {
            Ended::Stopped => cancelled(),
            Ended::Pivot { place } => SolveError::Pivot { vertex: matrix.vertices[place] as usize },
        })?;
        let seconds = [order_seconds, start.elapsed().as_secs_f64()];
        let Matrix { vertices, scales, .. } = matrix;
        let scratch = Scratch::new(vertices.len() + numbers.room());
        Ok(Factor { size, vertices, scales, numbers, isa, seconds, scratch })
    }

    /// Entries of the inverse, which holds one vertex of each floating component at potential 0.
    pub(super) fn selected(
        laplacian: &Laplacian<'_>,
        params: &SolveParams,
    ) -> Result<Selected, SolveError> {
        let cancel = params.cancel.as_ref();
        let limits = FactorLimits { memory: params.memory, work: params.work, solves: 0 };
        let way = Way { supernodes: Some(true), ..Way::best() };
        let factor = Factor::with(laplacian, &limits, cancel, way)?;
        let graph = laplacian.graph();
        let mut diagonal = vec![0.0; factor.size];
        let mut across = vec![0.0; graph.edge_count()];
        let Numbers::Supernodes(nodes, values) = &factor.numbers else {
            unreachable!("supernodes were asked for")
        };
        let bytes = selected::stack_entries(nodes) * 8 + 12 * graph.len() as u64;
        check_memory("the inverse", factor.entries() * 8 + bytes, allowed(params.memory))?;
        let mut places = vec![NONE; factor.size];
        for (place, &v) in factor.vertices.iter().enumerate() {
            places[v as usize] = place as u32;
        }
        // By vertex, the number of its first edge to a smaller one.
        let mut numbers = vec![0usize; factor.size + 1];
        for v in 0..factor.size as u32 {
            let smaller = graph.neighbours(v).partition_point(|&u| u < v);
            numbers[v as usize + 1] = numbers[v as usize] + smaller;
        }
        let record = |column: usize, entry: &dyn Fn(u32) -> Option<f64>| {
            let v = factor.vertices[column];
            let scale = factor.scales[column];
            diagonal[v as usize] = entry(column as u32).unwrap_or(0.0) * scale * scale;
            for (k, &u) in graph.neighbours(v).iter().enumerate() {
                let place = places[u as usize];
                if place == NONE || (place as usize) < column {
                    continue;
                }
                let number = match u < v {
                    true => numbers[v as usize] + k,
                    false => {
                        let at = graph.neighbours(u).binary_search(&v).expect("both ways");
                        numbers[u as usize] + at
                    }
                };
                let other = factor.scales[place as usize];
                across[number] = entry(place).unwrap_or(0.0) * scale * other;
            }
        };
        let stop = || cancel.is_some_and(Cancel::is_raised);
        match selected::select(nodes, values, record, stop) {
            true => Ok(Selected { diagonal, across }),
            false => Err(cancelled()),
        }
    }

    /// The number of entries that the factor stores, with its diagonal.
    pub fn entries(&self) -> u64 {
        match &self.numbers {
            Numbers::Columns(columns) => columns.entries(),
            Numbers::Supernodes(_, values) => values.len() as u64,
        }
    }

    /// As [`LinOp::apply`], for several right-hand sides: what is stored is read once for all of them.
    /// The same bits as one by one.
    ///
    /// # Panics
    /// When a length is not the size.
    pub fn apply_lanes<const L: usize>(&self, x: &[[f64; L]], y: &mut [[f64; L]]) {
        assert_eq!((x.len(), y.len()), (self.size, self.size), "an entry for each vertex");
        let places = || self.vertices.iter().zip(&self.scales);
        let mut z: Vec<[f64; L]> =
            places().map(|(&v, scale)| x[v as usize].map(|x| x * scale)).collect();
        match &self.numbers {
            Numbers::Columns(columns) => columns.solve_lanes(&mut z),
            Numbers::Supernodes(nodes, values) => {
                let mut tail = vec![[0.0; L]; self.numbers.room()];
                wide::solve(self.isa, nodes, values, &mut z, &mut tail);
            }
        }
        if z.len() < self.size {
            y.fill([0.0; L]);
        }
        for (z, (&v, scale)) in z.iter().zip(places()) {
            y[v as usize] = z.map(|z| z * scale);
        }
    }

    /// Seconds to order and analyse.
    pub fn order_seconds(&self) -> f64 {
        self.seconds[0]
    }

    /// Seconds to factor.
    pub fn factor_seconds(&self) -> f64 {
        self.seconds[1]
    }
}

impl LinOp for Factor {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        if self.vertices.len() < self.size {
            y.fill(0.0);
        }
        let mut scratch = self.scratch.take();
        let (z, room) = scratch.split_at_mut(self.vertices.len());
        let columns = || self.vertices.iter().zip(&self.scales);
        for (z, (&v, scale)) in z.iter_mut().zip(columns()) {
            *z = x[v as usize] * scale;
        }
        match &self.numbers {
            Numbers::Columns(columns) => columns.solve(z),
            Numbers::Supernodes(nodes, values) => solve::solve(self.isa, nodes, values, z, room),
        }
        for (z, (&v, scale)) in z.iter().zip(columns()) {
            y[v as usize] = z * scale;
        }
        self.scratch.give(scratch);
    }
}

impl Numbers {
    /// Numbers that a solution needs room for, beside itself.
    fn room(&self) -> usize {
        match self {
            Numbers::Columns(_) => 0,
            Numbers::Supernodes(nodes, _) => nodes.longest_tail(),
        }
    }
}

/// All vertices but the heaviest of each floating component.
fn free_vertices(laplacian: &Laplacian<'_>) -> Vec<u32> {
    let (components, diagonal) = (laplacian.components(), laplacian.diagonal());
    let held = components.heaviest(|v| diagonal[v as usize]);
    let free = |v: &u32| {
        let c = components.of[*v as usize] as usize;
        !laplacian.floating()[c] || held[c] != *v
    };
    (0..laplacian.size() as u32).filter(free).collect()
}

fn check_entries(entries: u64) -> Result<(), SolveError> {
    let most = MOST_ENTRIES;
    if entries > most { Err(SolveError::Entries { entries, most }) } else { Ok(()) }
}

/// The most bytes for a factor: three quarters of what is available where nobody says.
pub(super) fn allowed(memory: Option<u64>) -> u64 {
    memory.or_else(|| Some(available()? / 4 * 3)).unwrap_or(u64::MAX)
}

fn check_memory(what: &'static str, needed: u64, limit: u64) -> Result<(), SolveError> {
    if needed > limit { Err(SolveError::Memory { what, needed, limit }) } else { Ok(()) }
}

/// Operations of a factor with columns of so many entries, and of solves with it.
fn work(counts: &[u32], solves: u64) -> u64 {
    let column = |&count: &u32| {
        let count = u64::from(count);
        count * count / 2 + SOLVE_OPERATIONS * solves * count
    };
    counts.iter().map(column).fold(0, u64::saturating_add)
}

/// Ends work that was cancelled.
pub(super) fn check_cancel(cancel: Option<&Cancel>) -> Result<(), SolveError> {
    if cancel.is_some_and(Cancel::is_raised) { Err(cancelled()) } else { Ok(()) }
}

fn cancelled() -> SolveError {
    CgError::Cancelled { iterations: 0 }.into()
}

/// Orders the matrix, and lays out the factor.
fn analyse(
    matrix: &mut Matrix<'_>,
    limits: &FactorLimits,
    cancel: Option<&Cancel>,
    supernodes: Option<bool>,
) -> Result<Layout, SolveError> {
    let memory = allowed(limits.memory);
    check_cancel(cancel)?;
    let n = matrix.size();
    let (parents, counts) = ordered(matrix, limits, cancel)?;
    let entries = counts.iter().map(|&count| u64::from(count)).sum();
    check_entries(entries)?;
    check_memory("the factor", entries * 8, memory)?;
    if let Some(limit) = limits.work {
        let needed = work(&counts, limits.solves);
        if needed > limit {
            return Err(SolveError::Work { needed, limit });
        }
    }
    if !supernodes.unwrap_or_else(|| symbolic::is_supernodal(&counts)) {
        check_memory("the factor", columns::bytes(n, entries), memory)?;
        return Ok(Layout::Columns(parents, counts));
    }
    let mut nodes = Supernodes::new(&parents, &counts);
    let entries = nodes.entries() as u64;
    check_entries(entries)?;
    let stacks = numeric::stacks(&nodes);
    let bytes = entries * 8 + nodes.bytes() + stacks.bytes() + dense::copies(nodes.longest());
    check_memory("the factor", bytes, memory)?;
    nodes.fill_rows(matrix);
    Ok(Layout::Supernodes(nodes, stacks))
}

/// Puts the matrix in order, by minimum degree or, where that pays, by nested dissection. By column
/// its parent in the elimination tree and its entries.
fn ordered(
    matrix: &mut Matrix<'_>,
    limits: &FactorLimits,
    cancel: Option<&Cancel>,
) -> Result<(Vec<u32>, Vec<u32>), SolveError> {
    let memory = allowed(limits.memory);
    let (n, most) = (matrix.size(), matrix.graph.all_neighbours().len());
    check_memory("the order of elimination", minimum_degree::bytes(n, most), memory)?;
    let fill = |row: usize, list: &mut Vec<i32>| {
        let rows = matrix.neighbours(row as u32).filter(|&row| row != NONE);
        list.extend(rows.map(|row| row as i32));
    };
    let stop = || cancel.is_some_and(Cancel::is_raised);
    let by_degree =
        minimum_degree::order(Rows::plain(n, most), fill, stop).ok_or_else(cancelled)?;
    let counted = permuted(matrix, &by_degree);
    let found = work(&counted.1, limits.solves);
    let pays = found > DISSECTION * n as u64;
    let helps = limits.work.is_none_or(|limit| found / MOST_SAVED <= limit);
    if !pays || !helps || order::dissection_bytes(n, most) > memory {
        return Ok(counted);
    }
    check_cancel(cancel)?;
    let dissected = order::dissect(matrix, DEFAULT_SEED, &stop).ok_or_else(cancelled)?;
    let before = matrix.vertices.clone();
    let other = permuted(matrix, &dissected.order);
    if work(&other.1, limits.solves) < found {
        return Ok(other);
    }
    let back: Vec<u32> = before.iter().map(|&v| matrix.places[v as usize]).collect();
    matrix.permute(&back);
    Ok(counted)
}

/// Puts the matrix in this order, then in a postorder. Parents, and entries of columns.
fn permuted(matrix: &mut Matrix<'_>, order: &[u32]) -> (Vec<u32>, Vec<u32>) {
    matrix.permute(order);
    let mut parents = elimination::elimination_tree(matrix);
    if let Some(order) = elimination::postorder(&mut parents) {
        matrix.permute(&order);
    }
    let counts = elimination::column_counts(matrix, &parents);
    (parents, counts)
}
