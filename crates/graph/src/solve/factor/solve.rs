//! Solutions with a factor that has supernodes.
//!
//! Four columns at a time, forward and then backward, so that each entry is read once per
//! direction and the vectors stay in registers or near. Rows below a supernode are first
//! gathered. Sums have eight parts, on every kind of instructions: the same bits on all
//! that have fused operations.

use super::kernel::{FUSED, Isa, minus};
use super::symbolic::Supernodes;

/// Columns at a time.
const FOUR: usize = 4;

/// Parts of a sum.
const PARTS: usize = 8;

/// Both triangles in place. `tail` has room for the rows below any supernode.
pub(super) fn solve(isa: Isa, nodes: &Supernodes, values: &[f64], z: &mut [f64], tail: &mut [f64]) {
    match isa {
        // SAFETY: such a value is made only where the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { solve_avx512(nodes, values, z, tail) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { solve_avx2(nodes, values, z, tail) },
        Isa::Portable => both::<FUSED>(nodes, values, z, tail),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn solve_avx512(nodes: &Supernodes, values: &[f64], z: &mut [f64], tail: &mut [f64]) {
    both::<true>(nodes, values, z, tail);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn solve_avx2(nodes: &Supernodes, values: &[f64], z: &mut [f64], tail: &mut [f64]) {
    both::<true>(nodes, values, z, tail);
}

#[inline(always)]
fn both<const FUSED: bool>(nodes: &Supernodes, values: &[f64], z: &mut [f64], tail: &mut [f64]) {
    for s in 0..nodes.len() {
        let (columns, rows) = (nodes.columns(s), nodes.tail(s));
        let panel = &values[nodes.values[s]..nodes.values[s + 1]];
        let tail = &mut tail[..rows.len()];
        tail.fill(0.0);
        forward::<FUSED>(panel, &mut z[columns], tail);
        for (&row, below) in rows.iter().zip(tail) {
            z[row as usize] += *below;
        }
    }
    for s in (0..nodes.len()).rev() {
        let (columns, rows) = (nodes.columns(s), nodes.tail(s));
        let panel = &values[nodes.values[s]..nodes.values[s + 1]];
        let tail = &mut tail[..rows.len()];
        for (below, &row) in tail.iter_mut().zip(rows) {
            *below = z[row as usize];
        }
        backward::<FUSED>(panel, &mut z[columns], tail);
    }
}

/// `own ← L⁻¹ own` for the square on top; `tail ← tail − L own` below it.
#[inline(always)]
fn forward<const FUSED: bool>(panel: &[f64], own: &mut [f64], tail: &mut [f64]) {
    let stride = own.len() + tail.len();
    let mut j = 0;
    while j + FOUR <= own.len() {
        forward_columns::<FUSED, FOUR>(&panel[j * stride..], stride, j, own, tail);
        j += FOUR;
    }
    let panel = &panel[j * stride..];
    match own.len() - j {
        1 => forward_columns::<FUSED, 1>(panel, stride, j, own, tail),
        2 => forward_columns::<FUSED, 2>(panel, stride, j, own, tail),
        3 => forward_columns::<FUSED, 3>(panel, stride, j, own, tail),
        _ => {}
    }
}

#[inline(always)]
fn forward_columns<const FUSED: bool, const N: usize>(
    panel: &[f64],
    stride: usize,
    from: usize,
    own: &mut [f64],
    tail: &mut [f64],
) {
    let columns: [&[f64]; N] = std::array::from_fn(|k| &panel[k * stride..][..stride]);
    let mut x = [0.0; N];
    for k in 0..N {
        let mut entry = own[from + k];
        for l in 0..k {
            entry = minus::<FUSED>(entry, columns[l][from + k], x[l]);
        }
        x[k] = entry * columns[k][from + k];
        own[from + k] = x[k];
    }
    let width = own.len();
    subtract::<FUSED, N>(columns.map(|column| &column[from + N..width]), x, &mut own[from + N..]);
    subtract::<FUSED, N>(columns.map(|column| &column[width..]), x, tail);
}

#[inline(always)]
fn subtract<const FUSED: bool, const N: usize>(columns: [&[f64]; N], x: [f64; N], to: &mut [f64]) {
    let columns = columns.map(|column| &column[..to.len()]);
    for (i, to) in to.iter_mut().enumerate() {
        for (column, x) in columns.iter().zip(x) {
            *to = minus::<FUSED>(*to, column[i], x);
        }
    }
}

/// `own ← L⁻ᵀ (own − Lᵀ tail)`.
#[inline(always)]
fn backward<const FUSED: bool>(panel: &[f64], own: &mut [f64], tail: &[f64]) {
    let stride = own.len() + tail.len();
    let whole = own.len() / FOUR * FOUR;
    let last = &panel[whole * stride..];
    match own.len() - whole {
        1 => backward_columns::<FUSED, 1>(last, stride, whole, own, tail),
        2 => backward_columns::<FUSED, 2>(last, stride, whole, own, tail),
        3 => backward_columns::<FUSED, 3>(last, stride, whole, own, tail),
        _ => {}
    }
    for j in (0..whole).step_by(FOUR).rev() {
        backward_columns::<FUSED, FOUR>(&panel[j * stride..], stride, j, own, tail);
    }
}

#[inline(always)]
fn backward_columns<const FUSED: bool, const N: usize>(
    panel: &[f64],
    stride: usize,
    from: usize,
    own: &mut [f64],
    tail: &[f64],
) {
    let columns: [&[f64]; N] = std::array::from_fn(|k| &panel[k * stride..][..stride]);
    let width = own.len();
    let mut sums = [[0.0; PARTS]; N];
    products::<FUSED, N>(
        columns.map(|column| &column[from + N..width]),
        &own[from + N..],
        &mut sums,
    );
    products::<FUSED, N>(columns.map(|column| &column[width..]), tail, &mut sums);
    for k in (0..N).rev() {
        // The parts hold the negative sum.
        let [a, b, c, d, e, f, g, h] = sums[k];
        let mut entry = own[from + k] + (((a + e) + (b + f)) + ((c + g) + (d + h)));
        for l in k + 1..N {
            entry = minus::<FUSED>(entry, columns[k][from + l], own[from + l]);
        }
        own[from + k] = entry * columns[k][from + k];
    }
}

/// Subtracts products with `x` from the parts of sums.
#[inline(always)]
fn products<const FUSED: bool, const N: usize>(
    columns: [&[f64]; N],
    x: &[f64],
    sums: &mut [[f64; PARTS]; N],
) {
    let (chunks, rest) = x.as_chunks::<PARTS>();
    let parts = columns.map(|column| column[..x.len()].as_chunks::<PARTS>());
    for (i, x) in chunks.iter().enumerate() {
        for (sums, (chunks, _)) in sums.iter_mut().zip(&parts) {
            for ((sum, entry), x) in sums.iter_mut().zip(chunks[i]).zip(x) {
                *sum = minus::<FUSED>(*sum, entry, *x);
            }
        }
    }
    for (sums, (_, entries)) in sums.iter_mut().zip(parts) {
        for ((sum, entry), x) in sums.iter_mut().zip(entries).zip(rest) {
            *sum = minus::<FUSED>(*sum, *entry, *x);
        }
    }
}
