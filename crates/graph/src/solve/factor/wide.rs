//! Solutions for several right-hand sides with a factor that has supernodes.
//!
//! **Method.** As in [`super::solve`], with right-hand sides side by side: an entry of the factor is
//! read once for all of them, and meets a row of the vectors in one instruction. Backward, sums of
//! two columns at a time stay in registers.
//!
//! **Determinism.** Each right-hand side sees the operations of [`super::solve`] in their order: the
//! same bits as one by one.
//!
//! **Unsafe code.** Vector instructions where the processor has them.

use super::kernel::{FUSED, Isa, minus};
use super::symbolic::Supernodes;

/// Columns of a block of [`super::solve`], at whose ends sums begin anew.
const FOUR: usize = 4;

/// Parts of a sum.
const PARTS: usize = 8;

type Row<const L: usize> = [f64; L];

/// Both triangles in place. `tail` has room for the rows below any supernode.
pub(super) fn solve<const L: usize>(
    isa: Isa,
    nodes: &Supernodes,
    values: &[f64],
    z: &mut [Row<L>],
    tail: &mut [Row<L>],
) {
    match isa {
        // SAFETY: such a value is made only where the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { solve_avx512(nodes, values, z, tail) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { solve_avx2(nodes, values, z, tail) },
        Isa::Portable => both::<FUSED, L>(nodes, values, z, tail),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn solve_avx512<const L: usize>(
    nodes: &Supernodes,
    values: &[f64],
    z: &mut [Row<L>],
    tail: &mut [Row<L>],
) {
    both::<true, L>(nodes, values, z, tail);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn solve_avx2<const L: usize>(
    nodes: &Supernodes,
    values: &[f64],
    z: &mut [Row<L>],
    tail: &mut [Row<L>],
) {
    both::<true, L>(nodes, values, z, tail);
}

#[inline(always)]
fn both<const FUSED: bool, const L: usize>(
    nodes: &Supernodes,
    values: &[f64],
    z: &mut [Row<L>],
    tail: &mut [Row<L>],
) {
    for s in 0..nodes.len() {
        let (columns, rows) = (nodes.columns(s), nodes.tail(s));
        let panel = &values[nodes.values[s]..nodes.values[s + 1]];
        let tail = &mut tail[..rows.len()];
        tail.fill([0.0; L]);
        forward::<FUSED, L>(panel, &mut z[columns], tail);
        for (&row, below) in rows.iter().zip(tail) {
            let to = &mut z[row as usize];
            for l in 0..L {
                to[l] += below[l];
            }
        }
    }
    for s in (0..nodes.len()).rev() {
        let (columns, rows) = (nodes.columns(s), nodes.tail(s));
        let panel = &values[nodes.values[s]..nodes.values[s + 1]];
        let tail = &mut tail[..rows.len()];
        for (below, &row) in tail.iter_mut().zip(rows) {
            *below = z[row as usize];
        }
        backward::<FUSED, L>(panel, &mut z[columns], tail);
    }
}

/// `to ← to − entry x`.
#[inline(always)]
fn take<const FUSED: bool, const L: usize>(to: &mut Row<L>, entry: f64, x: &Row<L>) {
    for l in 0..L {
        to[l] = minus::<FUSED>(to[l], entry, x[l]);
    }
}

/// `own ← L⁻¹ own` for the square on top; `tail ← tail − L own` below it.
#[inline(always)]
fn forward<const FUSED: bool, const L: usize>(
    panel: &[f64],
    own: &mut [Row<L>],
    tail: &mut [Row<L>],
) {
    let (width, stride) = (own.len(), own.len() + tail.len());
    let mut j = 0;
    while j < width {
        let count = FOUR.min(width - j);
        let panel = &panel[j * stride..];
        match count {
            1 => forward_columns::<FUSED, L, 1>(panel, stride, j, own, tail),
            2 => forward_columns::<FUSED, L, 2>(panel, stride, j, own, tail),
            3 => forward_columns::<FUSED, L, 3>(panel, stride, j, own, tail),
            _ => forward_columns::<FUSED, L, FOUR>(panel, stride, j, own, tail),
        }
        j += count;
    }
}

#[inline(always)]
fn forward_columns<const FUSED: bool, const L: usize, const N: usize>(
    panel: &[f64],
    stride: usize,
    from: usize,
    own: &mut [Row<L>],
    tail: &mut [Row<L>],
) {
    let columns: [&[f64]; N] = std::array::from_fn(|k| &panel[k * stride..][..stride]);
    let mut x = [[0.0; L]; N];
    for k in 0..N {
        let mut entry = own[from + k];
        for m in 0..k {
            let factor = columns[m][from + k];
            take::<FUSED, L>(&mut entry, factor, &x[m]);
        }
        x[k] = entry.map(|entry| entry * columns[k][from + k]);
        own[from + k] = x[k];
    }
    let width = own.len();
    subtract::<FUSED, L, N>(columns.map(|c| &c[from + N..width]), &x, &mut own[from + N..]);
    subtract::<FUSED, L, N>(columns.map(|c| &c[width..]), &x, tail);
}

#[inline(always)]
fn subtract<const FUSED: bool, const L: usize, const N: usize>(
    columns: [&[f64]; N],
    x: &[Row<L>; N],
    to: &mut [Row<L>],
) {
    let columns = columns.map(|column| &column[..to.len()]);
    for (i, to) in to.iter_mut().enumerate() {
        let mut row = *to;
        for k in 0..N {
            take::<FUSED, L>(&mut row, columns[k][i], &x[k]);
        }
        *to = row;
    }
}

/// `own ← L⁻ᵀ (own − Lᵀ tail)`.
#[inline(always)]
fn backward<const FUSED: bool, const L: usize>(panel: &[f64], own: &mut [Row<L>], tail: &[Row<L>]) {
    let (width, stride) = (own.len(), own.len() + tail.len());
    let whole = width / FOUR * FOUR;
    if whole < width {
        backward_columns::<FUSED, L>(&panel[whole * stride..], stride, whole..width, own, tail);
    }
    for j in (0..whole).step_by(FOUR).rev() {
        backward_columns::<FUSED, L>(&panel[j * stride..], stride, j..j + FOUR, own, tail);
    }
}

/// The columns of a block, the last one first; sums of rows behind the block come before those within.
#[inline(always)]
fn backward_columns<const FUSED: bool, const L: usize>(
    panel: &[f64],
    stride: usize,
    block: std::ops::Range<usize>,
    own: &mut [Row<L>],
    tail: &[Row<L>],
) {
    let (from, end, width) = (block.start, block.end, own.len());
    let mut sums = [[0.0; L]; FOUR];
    let mut k = end - from;
    while k > 0 {
        let two = usize::from(k >= 2) + 1;
        k -= two;
        let column = |c: usize| &panel[(k + c) * stride..][..stride];
        if two == 2 {
            let mut parts = [[[0.0; L]; PARTS]; 2];
            let columns = [column(0), column(1)];
            products::<FUSED, L, 2>(columns.map(|c| &c[end..width]), &own[end..], &mut parts);
            products::<FUSED, L, 2>(columns.map(|c| &c[width..]), tail, &mut parts);
            sums[k] = whole(&parts[0]);
            sums[k + 1] = whole(&parts[1]);
        } else {
            let mut parts = [[[0.0; L]; PARTS]; 1];
            let columns = [column(0)];
            products::<FUSED, L, 1>(columns.map(|c| &c[end..width]), &own[end..], &mut parts);
            products::<FUSED, L, 1>(columns.map(|c| &c[width..]), tail, &mut parts);
            sums[k] = whole(&parts[0]);
        }
    }
    for k in (0..end - from).rev() {
        let column = &panel[k * stride..][..stride];
        let mut entry = own[from + k];
        for l in 0..L {
            // The parts hold the negative sum.
            entry[l] += sums[k][l];
        }
        for m in k + 1..end - from {
            let other = own[from + m];
            take::<FUSED, L>(&mut entry, column[from + m], &other);
        }
        own[from + k] = entry.map(|entry| entry * column[from + k]);
    }
}

#[inline(always)]
fn whole<const L: usize>(parts: &[Row<L>; PARTS]) -> Row<L> {
    let [a, b, c, d, e, f, g, h] = parts;
    std::array::from_fn(|l| ((a[l] + e[l]) + (b[l] + f[l])) + ((c[l] + g[l]) + (d[l] + h[l])))
}

/// Subtracts products with `x` from the parts of sums.
#[inline(always)]
fn products<const FUSED: bool, const L: usize, const N: usize>(
    columns: [&[f64]; N],
    x: &[Row<L>],
    sums: &mut [[Row<L>; PARTS]; N],
) {
    let columns = columns.map(|column| &column[..x.len()]);
    let (chunks, rest) = x.as_chunks::<PARTS>();
    for (i, x) in chunks.iter().enumerate() {
        for k in 0..N {
            let entries = &columns[k][i * PARTS..(i + 1) * PARTS];
            for part in 0..PARTS {
                take::<FUSED, L>(&mut sums[k][part], entries[part], &x[part]);
            }
        }
    }
    let start = chunks.len() * PARTS;
    for k in 0..N {
        let entries = &columns[k][start..];
        for (part, x) in rest.iter().enumerate() {
            take::<FUSED, L>(&mut sums[k][part], entries[part], x);
        }
    }
}
