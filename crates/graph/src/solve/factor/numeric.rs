//! The numbers of a factor with supernodes: the multifrontal method.
//!
//! **Problem.** A matrix and its [`Supernodes`]; out come the values of the factor.
//!
//! **Method.** Supernodes in postorder. The *front* of one is a dense matrix: its own columns,
//! which are stored in the factor, and a triangle for the rows below. Into it go the entries of
//! the matrix and the triangles of its children, whose rows are among its own. Its columns are
//! [factored](super::dense), and what they take from the triangle is left for the parent.
//! Triangles lie on two stacks, one for each parity of the depth in the tree: children are
//! read from one while their parent writes on the other.
//!
//! **Cost.** The operations of the factorization, nearly all in dense products. The
//! stacks take memory beside the factor; [`stacks`] says how much.
//!
//! **Determinism.** One thread; children are added in their order.
//!
//! **Reference.** Duff and Reid, *The multifrontal solution of indefinite sparse symmetric
//! linear equations*, 1983; Liu, *The multifrontal method for sparse matrix solution*, 1992.

use super::Ended;
use super::dense::{BLOCK, BadPivot, Dense, LARGE, Target, triangle};
use super::kernel::Isa;
use super::matrix::Matrix;
use super::symbolic::Supernodes;
use crate::order::elimination::Pattern;
use palmette_core::NONE;
use palmette_core::memory::huge_zeroed;
use std::ops::Range;

/// Multiplications between two looks at whether to stop.
pub(super) const PATIENCE: usize = 1 << 26;

/// Entries that fit in the second cache.
const NEAR: usize = 1 << 16;

/// Where triangles lie.
#[derive(Debug)]
pub(super) struct Stacks {
    /// By supernode, which stack its triangle is on.
    parity: Vec<bool>,
    /// By supernode, its children.
    children: Vec<u32>,
    /// The most entries on each.
    heights: [usize; 2],
}

impl Stacks {
    /// Bytes of both stacks.
    pub(super) fn bytes(&self) -> u64 {
        (self.heights[0] + self.heights[1]) as u64 * 8
    }
}

/// Which stacks the triangles go on, and how high these get.
pub(super) fn stacks(nodes: &Supernodes) -> Stacks {
    let count = nodes.len();
    let (mut parity, mut children) = (vec![false; count], vec![0; count]);
    for s in (0..count).rev() {
        if nodes.parents[s] != NONE {
            parity[s] = !parity[nodes.parents[s] as usize];
            children[nodes.parents[s] as usize] += 1;
        }
    }
    let (mut heights, mut top) = ([0; 2], [0; 2]);
    let mut live: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
    for s in 0..count {
        let (own, other) = (usize::from(parity[s]), usize::from(!parity[s]));
        let size = triangle(nodes.tails[s + 1] - nodes.tails[s]);
        if nodes.parents[s] != NONE {
            live[own].push(size);
            top[own] += size;
            heights[own] = heights[own].max(top[own]);
        }
        for _ in 0..children[s] {
            top[other] -= live[other].pop().expect("children come first");
        }
    }
    Stacks { parity, children, heights }
}

/// A stack of triangles.
struct Stack {
    values: Vec<f64>,
    /// Supernodes and where their triangles start.
    items: Vec<(u32, usize)>,
    top: usize,
}

impl Stack {
    fn push(&mut self, s: usize, size: usize) -> &mut [f64] {
        let start = self.top;
        self.items.push((s as u32, start));
        self.top += size;
        &mut self.values[start..self.top]
    }

    fn pop(&mut self, count: usize) {
        let left = self.items.len() - count;
        if let Some(&(_, start)) = self.items.get(left) {
            self.top = start;
        }
        self.items.truncate(left);
    }
}

/// The values of the factor.
pub(super) fn factor(
    matrix: &Matrix<'_>,
    nodes: &Supernodes,
    stacks: &Stacks,
    isa: Isa,
    stop: impl Fn() -> bool,
) -> Result<Vec<f64>, Ended> {
    let mut values = vec![0.0; nodes.entries()];
    let stack = |height| Stack { values: huge_zeroed(height), items: Vec::new(), top: 0 };
    let [mut even, mut odd] = stacks.heights.map(stack);
    let mut dense = Dense::new(isa);
    let mut place = vec![0u32; matrix.size()];
    let mut local = Vec::new();
    let mut patience = PATIENCE;
    for s in 0..nodes.len() {
        let (columns, tail) = (nodes.columns(s), nodes.tail(s));
        let (width, below) = (columns.len(), tail.len());
        let rows = width + below;
        let work = width * rows * rows;
        if work > patience {
            if stop() {
                return Err(Ended::Stopped);
            }
            patience = PATIENCE.max(work);
        }
        patience -= work;
        let begin = columns.start;
        for (i, &row) in tail.iter().enumerate() {
            place[row as usize] = (width + i) as u32;
        }
        for k in columns.clone() {
            place[k] = (k - begin) as u32;
        }
        let panel = &mut values[nodes.values[s]..nodes.values[s + 1]];
        for (k, column) in columns.zip(panel.chunks_exact_mut(rows)) {
            column[k - begin] = 1.0;
            let k = k as u32;
            for (i, weight) in matrix.weighted(k).filter(|&(i, _)| i > k && i != NONE) {
                column[place[i as usize] as usize] = matrix.entry(weight, i, k);
            }
        }
        let (own, other) =
            if stacks.parity[s] { (&mut odd, &mut even) } else { (&mut even, &mut odd) };
        let children = stacks.children[s] as usize;
        let from = other.items.len() - children;
        local.clear();
        for &(child, start) in &other.items[from..] {
            let first = local.len();
            local.extend(nodes.tail(child as usize).iter().map(|&row| place[row as usize]));
            add_to_panel(panel, rows, width, &other.values[start..], &local[first..]);
        }
        dense
            .factor(panel, rows, rows, width)
            .map_err(|BadPivot(k)| Ended::Pivot { place: begin + k })?;
        if below > 0 {
            let update = own.push(s, triangle(below));
            let mut left = 0;
            for part in parts(below, width) {
                // The triangle without its first columns is a triangle.
                let (target, n) = (Target::Triangle(below - left), part.min(below - left));
                let update = &mut update[triangle(below) - triangle(below - left)..];
                let lower = &panel[width + left..];
                dense.subtract(update, target, lower, rows, [below - left, n, width], true);
                let mut first = 0;
                for &(child, start) in &other.items[from..] {
                    let size = nodes.tail(child as usize).len();
                    let local = &local[first..first + size];
                    let columns = width + left..width + left + n;
                    add_to_triangle(update, below - left, columns, &other.values[start..], local);
                    first += size;
                }
                left += n;
            }
        }
        other.pop(children);
    }
    Ok(values)
}

/// The columns to make at a time, of a triangle with `below` rows: as many as are still near when
/// children are added. All where operands are copied, which is to be done once.
fn parts(below: usize, width: usize) -> impl Iterator<Item = usize> {
    let near = if below * width < LARGE { (NEAR / below / BLOCK).max(1) * BLOCK } else { below };
    std::iter::repeat_n(near, below.div_ceil(near))
}

/// Adds the columns of a child's triangle that are among a panel's. `local` has the rows of the
/// panel that its rows are.
fn add_to_panel(panel: &mut [f64], rows: usize, width: usize, child: &[f64], local: &[u32]) {
    let source = Target::Triangle(local.len());
    for (j, &column) in local.iter().enumerate().take_while(|c| (*c.1 as usize) < width) {
        let start = source.column(j).0;
        let entries = &child[(start + j as isize) as usize..][..local.len() - j];
        add(&mut panel[column as usize * rows..][..rows], 0, entries, &local[j..]);
    }
}

/// Adds other columns of a child's triangle to one with `below` rows and columns, the first of
/// which is the first of `columns`.
fn add_to_triangle(
    to: &mut [f64],
    below: usize,
    columns: Range<usize>,
    child: &[f64],
    local: &[u32],
) {
    let (source, target) = (Target::Triangle(local.len()), Target::Triangle(below));
    let place = |bound: usize| local.partition_point(|&row| (row as usize) < bound);
    for j in place(columns.start)..place(columns.end) {
        let start = source.column(j).0;
        let entries = &child[(start + j as isize) as usize..][..local.len() - j];
        let row = local[j] as usize;
        let column = row - columns.start;
        let (start, _) = target.column(column);
        let to = &mut to[(start + column as isize) as usize..][..below - column];
        add(to, row, entries, &local[j..]);
    }
}

/// Adds entries of the rows `local`, where `to` starts with row `first`.
fn add(to: &mut [f64], first: usize, entries: &[f64], local: &[u32]) {
    let (start, last) = (local[0] as usize, local[local.len() - 1] as usize);
    if last - start + 1 == local.len() {
        for (to, entry) in to[start - first..=last - first].iter_mut().zip(entries) {
            *to += entry;
        }
        return;
    }
    for (&row, entry) in local.iter().zip(entries) {
        to[row as usize - first] += entry;
    }
}
