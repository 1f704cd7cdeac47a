//! A few columns of a panel, eliminated one by one.
//!
//! The square on top is factored entry by entry; then eight rows at a time are divided by it.
//! The loops are written so that the compiler finds vectors in them, once for each kind of
//! instructions. The same operations in the same order as in [`kernel`](super::kernel).

use super::SMALLEST_PIVOT;
use super::dense::BadPivot;
use super::kernel::{FUSED, Isa, minus};

/// Columns at most.
pub(super) const MOST: usize = 8;

/// Rows at a time.
const ROWS: usize = 8;

/// Factors `columns` columns of `m` rows that are `stride` apart.
pub(super) fn factor(
    isa: Isa,
    panel: &mut [f64],
    stride: usize,
    m: usize,
    columns: usize,
) -> Result<(), BadPivot> {
    match isa {
        // SAFETY: such a value is made only where the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { factor_avx512(panel, stride, m, columns) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { factor_avx2(panel, stride, m, columns) },
        Isa::Portable => any_width::<FUSED>(panel, stride, m, columns),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn factor_avx512(p: &mut [f64], stride: usize, m: usize, n: usize) -> Result<(), BadPivot> {
    any_width::<true>(p, stride, m, n)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn factor_avx2(p: &mut [f64], stride: usize, m: usize, n: usize) -> Result<(), BadPivot> {
    any_width::<true>(p, stride, m, n)
}

#[inline(always)]
fn any_width<const FUSED: bool>(
    panel: &mut [f64],
    stride: usize,
    m: usize,
    columns: usize,
) -> Result<(), BadPivot> {
    match columns {
        1 => with_width::<FUSED, 1>(panel, stride, m),
        2 => with_width::<FUSED, 2>(panel, stride, m),
        3 => with_width::<FUSED, 3>(panel, stride, m),
        4 => with_width::<FUSED, 4>(panel, stride, m),
        5 => with_width::<FUSED, 5>(panel, stride, m),
        6 => with_width::<FUSED, 6>(panel, stride, m),
        7 => with_width::<FUSED, 7>(panel, stride, m),
        _ => with_width::<FUSED, MOST>(panel, stride, m),
    }
}

#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "the formulas' indices")]
fn with_width<const FUSED: bool, const N: usize>(
    panel: &mut [f64],
    stride: usize,
    m: usize,
) -> Result<(), BadPivot> {
    // The square, by rows.
    let mut square = [[0.0; N]; N];
    for (j, column) in panel.chunks(stride).take(N).enumerate() {
        for i in j..N {
            square[i][j] = column[i];
        }
    }
    for j in 0..N {
        let mut pivot = square[j][j];
        for k in 0..j {
            pivot = minus::<FUSED>(pivot, square[j][k], square[j][k]);
        }
        let inverse = 1.0 / checked(pivot).ok_or(BadPivot(j))?.sqrt();
        square[j][j] = inverse;
        for i in j + 1..N {
            let mut entry = square[i][j];
            for k in 0..j {
                entry = minus::<FUSED>(entry, square[i][k], square[j][k]);
            }
            square[i][j] = entry * inverse;
        }
    }
    for (j, column) in panel.chunks_mut(stride).take(N).enumerate() {
        for i in j..N {
            column[i] = square[i][j];
        }
    }
    let mut rows = N;
    while rows + ROWS <= m {
        let mut done = [[0.0; ROWS]; N];
        for j in 0..N {
            let column: &mut [f64; ROWS] =
                (&mut panel[j * stride + rows..][..ROWS]).try_into().expect("as many rows");
            let mut x = *column;
            for k in 0..j {
                for (x, done) in x.iter_mut().zip(done[k]) {
                    *x = minus::<FUSED>(*x, done, square[j][k]);
                }
            }
            for x in &mut x {
                *x *= square[j][j];
            }
            *column = x;
            done[j] = x;
        }
        rows += ROWS;
    }
    for i in rows..m {
        let mut done = [0.0; N];
        for j in 0..N {
            let mut x = panel[j * stride + i];
            for k in 0..j {
                x = minus::<FUSED>(x, done[k], square[j][k]);
            }
            done[j] = x * square[j][j];
            panel[j * stride + i] = done[j];
        }
    }
    Ok(())
}

/// A pivot, not too small; `None` when it is not a finite number.
#[inline(always)]
pub(super) fn checked(pivot: f64) -> Option<f64> {
    pivot.is_finite().then_some(pivot.max(SMALLEST_PIVOT))
}
