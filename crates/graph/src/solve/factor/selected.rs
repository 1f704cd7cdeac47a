//! The entries of the inverse where the factor has entries.
//!
//! **Problem.** A factor `L Lᵀ` with supernodes; the entries of its inverse `Z` on the diagonal and
//! at the edges of the graph.
//!
//! **Method.** Supernodes from the last to the first, the equations of Takahashi in blocks. Let `J`
//! be the columns of one, `T` the rows below, and `Y = L(T,J) L(J,J)⁻¹`. Then
//! `Z(T,J) = −Z(T,T) Y` and `Z(J,J) = L(J,J)⁻ᵀ L(J,J)⁻¹ − Yᵀ Z(T,J)`. `Z(T,T)` is part of the parent's
//! dense block, which stays on a stack until its children have been.
//!
//! **Cost.** About the operations of the factorization, and the blocks along a way from the root
//! to a leaf of the tree of supernodes ([`stack_entries`]).
//!
//! **Determinism.** One thread.
//!
//! **Reference.** Takahashi, Fagan, Chin, *Formation of a sparse bus impedance matrix*, 1973; Lin and
//! others, *SelInv*, 2011.

use super::numeric::PATIENCE;
use super::symbolic::Supernodes;
use palmette_core::NONE;

/// The dense block of a supernode: all of its rows and columns, column after column.
struct Block {
    supernode: u32,
    rows: usize,
    values: Vec<f64>,
}

/// The most entries that blocks on the stack have together.
pub(super) fn stack_entries(nodes: &Supernodes) -> u64 {
    let size = |s: usize| {
        let rows = nodes.columns(s).len() + nodes.tails[s + 1] - nodes.tails[s];
        (rows * rows) as u64
    };
    // By supernode, what the stack has with it on top.
    let mut heights = vec![0u64; nodes.len()];
    for s in (0..nodes.len()).rev() {
        let parent = nodes.parents[s];
        let below = if parent == NONE { 0 } else { heights[parent as usize] };
        heights[s] = below + size(s);
    }
    heights.into_iter().max().unwrap_or(0)
}

/// Calls `found(row, column, entry)` for each entry of the inverse that `wanted` names by its
/// column: rows not above it. False if it was stopped.
pub(super) fn select(
    nodes: &Supernodes,
    values: &[f64],
    mut found: impl FnMut(usize, &dyn Fn(u32) -> Option<f64>),
    stop: impl Fn() -> bool,
) -> bool {
    let mut stack: Vec<Block> = Vec::new();
    let mut spare: Vec<Vec<f64>> = Vec::new();
    // By row, its place in the current block, from 1.
    let mut place = vec![0u32; nodes.begins[nodes.len()] as usize];
    let mut local = Vec::new();
    let mut patience = PATIENCE;
    for s in (0..nodes.len()).rev() {
        let (columns, tail) = (nodes.columns(s), nodes.tail(s));
        let (width, below) = (columns.len(), tail.len());
        let rows = width + below;
        let work = width * rows * rows;
        if work > patience {
            if stop() {
                return false;
            }
            patience = PATIENCE.max(work);
        }
        patience -= work;
        while stack.last().is_some_and(|block| block.supernode != nodes.parents[s]) {
            spare.extend(stack.pop().map(|block| block.values));
        }
        let mut block = spare.pop().unwrap_or_default();
        block.clear();
        block.resize(rows * rows, 0.0);
        if let Some(parent) = stack.last() {
            places_in(nodes, parent.supernode as usize, tail, &mut local);
            for (j, &column) in local.iter().enumerate() {
                let from = &parent.values[column * parent.rows..][..parent.rows];
                let to = &mut block[(width + j) * rows + width..][..below];
                to.iter_mut().zip(&local).for_each(|(to, &row)| *to = from[row]);
            }
        }
        let panel = &values[nodes.values[s]..nodes.values[s + 1]];
        fill(panel, width, below, &mut block);
        for (k, row) in columns.clone().zip(1..) {
            place[k] = row;
        }
        for (&row, at) in tail.iter().zip(width as u32 + 1..) {
            place[row as usize] = at;
        }
        for (k, column) in columns.clone().enumerate() {
            let entries = &block[k * rows..][..rows];
            found(column, &|row| {
                let at = place[row as usize].checked_sub(1)?;
                Some(entries[at as usize])
            });
        }
        columns.for_each(|k| place[k] = 0);
        tail.iter().for_each(|&row| place[row as usize] = 0);
        if s > 0 && nodes.parents[s - 1] as usize == s {
            stack.push(Block { supernode: s as u32, rows, values: block });
        } else {
            spare.push(block);
        }
    }
    true
}

/// Where rows are in the block of a supernode that has them all.
fn places_in(nodes: &Supernodes, s: usize, rows: &[u32], to: &mut Vec<usize>) {
    let (columns, tail) = (nodes.columns(s), nodes.tail(s));
    to.clear();
    let mut at = 0;
    for &row in rows {
        if columns.contains(&(row as usize)) {
            to.push(row as usize - columns.start);
            continue;
        }
        while tail[at] != row {
            at += 1;
        }
        to.push(columns.len() + at);
    }
}

/// Fills the first columns and rows of a block, whose rest is there.
fn fill(panel: &[f64], width: usize, below: usize, block: &mut [f64]) {
    let rows = width + below;
    // Y, from the last column to the first; diagonals are stored as reciprocals.
    let mut y = vec![0.0; width * below];
    for j in (0..width).rev() {
        let column = &panel[j * rows..][..rows];
        let (own, later) = y[j * below..].split_at_mut(below);
        own.copy_from_slice(&column[width..]);
        for (k, later) in (j + 1..width).zip(later.chunks_exact(below.max(1))) {
            let factor = column[k];
            own.iter_mut().zip(later).for_each(|(own, later)| *own -= factor * later);
        }
        own.iter_mut().for_each(|own| *own *= column[j]);
    }
    // Z(T,J), and the same across the diagonal.
    let (first, rest) = block.split_at_mut(width * rows);
    for j in 0..width {
        let to = &mut first[j * rows + width..][..below];
        let y = &y[j * below..][..below];
        let (fours, ones) = y.as_chunks::<4>();
        let column = |k: usize| &rest[k * rows + width..][..below];
        for (k, y) in fours.iter().enumerate() {
            let columns: [&[f64]; 4] = std::array::from_fn(|l| column(4 * k + l));
            for (i, to) in to.iter_mut().enumerate() {
                let first = columns[0][i] * y[0] + columns[1][i] * y[1];
                *to -= first + (columns[2][i] * y[2] + columns[3][i] * y[3]);
            }
        }
        for (k, &y) in (4 * fours.len()..).zip(ones) {
            to.iter_mut().zip(column(k)).for_each(|(to, z)| *to -= z * y);
        }
    }
    // The inverse of the square on top, and its product with itself.
    let mut inverse = vec![0.0; width * width];
    for j in 0..width {
        inverse[j * width + j] = panel[j * rows + j];
        for i in j + 1..width {
            let sum: f64 = (j..i).map(|k| panel[k * rows + i] * inverse[j * width + k]).sum();
            inverse[j * width + i] = -sum * panel[i * rows + i];
        }
    }
    for j in 0..width {
        for i in j..width {
            let (a, b) = (&inverse[i * width..][i..width], &inverse[j * width..][i..width]);
            let mut entry: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            let (y, z) = (&y[i * below..][..below], &first[j * rows + width..][..below]);
            entry -= y.iter().zip(z).map(|(y, z)| y * z).sum::<f64>();
            first[j * rows + i] = entry;
            first[i * rows + j] = entry;
        }
        for i in 0..below {
            rest[i * rows + j] = first[j * rows + width + i];
        }
    }
}
