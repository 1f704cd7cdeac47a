//! Small dense products in registers, for the instructions that the machine has.
//!
//! **Problem.** `C ← C − A Bᵀ` for as many columns of `C` as registers hold.
//!
//! **Method.** A tile of `C` stays in registers while the columns of `A` and `B` pass by. Edges
//! are masked, so that nothing has to be padded.
//!
//! **Determinism.** Each entry of `C` is `c ← c − a b` over the columns in order, with one
//! rounding each (fused): AVX-512, AVX2 and ARM give the same bits, and so does every way
//! to cut matrices into tiles. Processors without fused operations round twice and give other
//! last bits; to emulate one fused operation would take dozens of theirs.
//!
//! **Unsafe code.** What it buys: vectors that the compiler does not find on its own. The
//! safe twin is [`portable`]; tests compare bits.

use std::sync::LazyLock;

/// The instructions to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Isa {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

/// Whether [`Isa::Portable`] code has fused operations.
pub(super) const FUSED: bool =
    cfg!(any(target_feature = "fma", target_arch = "aarch64", target_arch = "riscv64"));

/// `C ← C − A Bᵀ`, or `C ← −A Bᵀ` where `fresh`. `A` has `m` rows in groups of [`Isa::rows`],
/// `step` apart; `B` has `n` rows, at most [`Isa::columns`]. All are stored by columns.
#[derive(Clone, Copy)]
pub(super) struct Product<'a> {
    pub(super) a: &'a [f64],
    pub(super) step: usize,
    pub(super) a_stride: usize,
    pub(super) b: &'a [f64],
    pub(super) b_stride: usize,
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) fresh: bool,
}

impl Isa {
    /// The best that this machine has.
    pub(super) fn best() -> Isa {
        static BEST: LazyLock<Isa> = LazyLock::new(|| Isa::all()[0]);
        *BEST
    }

    /// All that this machine has, best first.
    pub(super) fn all() -> Vec<Isa> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            if is_x86_feature_detected!("avx512f") {
                all.push(Isa::Avx512);
            }
            all.push(Isa::Avx2);
        }
        all.push(Isa::Portable);
        all
    }

    /// Rows of a tile.
    pub(super) fn rows(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512::ROWS,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => avx2::ROWS,
            Isa::Portable => portable::ROWS,
        }
    }

    /// Columns of a tile.
    pub(super) fn columns(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512::COLUMNS,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => avx2::COLUMNS,
            Isa::Portable => portable::COLUMNS,
        }
    }

    /// Subtracts a product from the first `m` rows of `n` columns that are `stride` apart.
    pub(super) fn subtract(self, product: &Product<'_>, c: &mut [f64], stride: usize) {
        let &Product { a, step, a_stride, b, b_stride, m, n, k, .. } = product;
        assert!(m > 0 && (1..=self.columns()).contains(&n) && k > 0 && step >= self.rows());
        let groups = (m - 1) / self.rows();
        assert!(groups * step + (k - 1) * a_stride + m - groups * self.rows() <= a.len());
        assert!((k - 1) * b_stride + n <= b.len());
        assert!((n == 1 || stride >= m) && (n - 1) * stride + m <= c.len());
        match self {
            // SAFETY: such a value is made only where the processor has the instructions. The
            // assertions say that all rows and columns of the three matrices are in their slices.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { avx512::subtract(product, c.as_mut_ptr(), stride) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { avx2::subtract(product, c.as_mut_ptr(), stride) },
            Isa::Portable => portable::subtract(product, c, stride),
        }
    }
}

/// Tiles of `$vectors` vectors by `$columns`, in terms of `Vector`, `Mask`, `LANES` and the
/// operations beside the use of the macro.
#[cfg(target_arch = "x86_64")]
macro_rules! tiles {
    ($features:literal, $vectors:literal, $columns:literal, [$($n:literal)*]) => {
        pub(super) const ROWS: usize = $vectors * LANES;
        pub(super) const COLUMNS: usize = $columns;

        /// # Safety
        /// The instructions are there, and the slices and `c` have all rows and columns.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn subtract(product: &Product<'_>, c: *mut f64, stride: usize) {
            // SAFETY: as of this function; `n` is one of the numbers.
            unsafe {
                match product.n {
                    $($n => groups::<$n>(product, c, stride),)*
                    _ => unreachable!("asserted by the caller"),
                }
            }
        }

        /// # Safety
        /// As [`subtract`].
        #[target_feature(enable = $features)]
        unsafe fn groups<const N: usize>(product: &Product<'_>, mut c: *mut f64, stride: usize) {
            let mut a = product.a.as_ptr();
            let mut left = product.m;
            // SAFETY: groups of rows lie in the slice; the last one is masked.
            unsafe {
                while left > ROWS {
                    tile::<$vectors, N>(product, a, c, stride, mask(LANES));
                    a = a.add(product.step);
                    c = c.add(ROWS);
                    left -= ROWS;
                }
                let last = mask((left - 1) % LANES + 1);
                match left.div_ceil(LANES) {
                    1 => tile::<1, N>(product, a, c, stride, last),
                    2 => tile::<2, N>(product, a, c, stride, last),
                    _ => tile::<$vectors, N>(product, a, c, stride, last),
                }
            }
        }

        /// # Safety
        /// As [`subtract`], for `V` vectors of rows, the last of them masked.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn tile<const V: usize, const N: usize>(
            product: &Product<'_>,
            mut a: *const f64,
            c: *mut f64,
            stride: usize,
            last: Mask,
        ) {
            let mut b = product.b.as_ptr();
            let mut sums = [[zero(); V]; N];
            // SAFETY: as of this function.
            unsafe {
                if !product.fresh {
                    for (j, column) in sums.iter_mut().enumerate() {
                        let c = c.add(j * stride);
                        for (v, sum) in column.iter_mut().enumerate() {
                            let c = c.add(v * LANES);
                            *sum = if v + 1 < V { load(c) } else { load_some(c, last) };
                        }
                    }
                }
                for _ in 0..product.k {
                    let mut rows = [zero(); V];
                    for (v, rows) in rows.iter_mut().enumerate() {
                        let a = a.add(v * LANES);
                        *rows = if v + 1 < V { load(a) } else { load_some(a, last) };
                    }
                    for (j, column) in sums.iter_mut().enumerate() {
                        let factor = spread(*b.add(j));
                        for (sum, rows) in column.iter_mut().zip(rows) {
                            *sum = minus_product(rows, factor, *sum);
                        }
                    }
                    a = a.wrapping_add(product.a_stride);
                    b = b.wrapping_add(product.b_stride);
                }
                for (j, column) in sums.iter().enumerate() {
                    let c = c.add(j * stride);
                    for (v, &sum) in column.iter().enumerate() {
                        let c = c.add(v * LANES);
                        if v + 1 < V { store(c, sum) } else { store_some(c, last, sum) }
                    }
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::Product;
    use std::arch::x86_64::{
        __m512d as Vector, __mmask8 as Mask, _mm512_fnmadd_pd as minus_product,
        _mm512_loadu_pd as load, _mm512_mask_storeu_pd as store_some, _mm512_maskz_loadu_pd,
        _mm512_set1_pd as spread, _mm512_setzero_pd as zero, _mm512_storeu_pd as store,
    };

    const LANES: usize = 8;
    tiles!("avx512f", 3, 8, [1 2 3 4 5 6 7 8]);

    /// The first lanes.
    fn mask(lanes: usize) -> Mask {
        0xff >> (LANES - lanes)
    }

    /// # Safety
    /// The lanes of the mask can be read.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn load_some(from: *const f64, mask: Mask) -> Vector {
        // SAFETY: other lanes are not read.
        unsafe { _mm512_maskz_loadu_pd(mask, from) }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Product;
    use std::arch::x86_64::{
        __m256i as Mask, _mm256_cmpgt_epi64, _mm256_fnmadd_pd as minus_product,
        _mm256_loadu_pd as load, _mm256_maskload_pd as load_some,
        _mm256_maskstore_pd as store_some, _mm256_set1_epi64x, _mm256_set1_pd as spread,
        _mm256_setr_epi64x, _mm256_setzero_pd as zero, _mm256_storeu_pd as store,
    };

    const LANES: usize = 4;
    tiles!("avx2,fma", 3, 4, [1 2 3 4]);

    /// The first lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn mask(lanes: usize) -> Mask {
        _mm256_cmpgt_epi64(_mm256_set1_epi64x(lanes as i64), _mm256_setr_epi64x(0, 1, 2, 3))
    }
}

/// `c − a b`, with one rounding if `FUSED`.
#[inline(always)]
pub(super) fn minus<const FUSED: bool>(c: f64, a: f64, b: f64) -> f64 {
    if FUSED { (-a).mul_add(b, c) } else { c - a * b }
}

/// Any machine: loops that the compiler finds vectors in.
mod portable {
    use super::{FUSED, Product, minus};

    pub(super) const ROWS: usize = if cfg!(target_arch = "x86_64") { 4 } else { 8 };
    pub(super) const COLUMNS: usize = 4;

    pub(super) fn subtract(product: &Product<'_>, c: &mut [f64], stride: usize) {
        for group in 0..product.m.div_ceil(ROWS) {
            let rows = (product.m - group * ROWS).min(ROWS);
            let (a, c) = (&product.a[group * product.step..], &mut c[group * ROWS..]);
            if rows == ROWS && product.n == COLUMNS {
                tile(product, a, c, stride);
            } else {
                edge(product, a, c, stride, rows);
            }
        }
    }

    fn tile(product: &Product<'_>, a: &[f64], c: &mut [f64], stride: usize) {
        let mut sums = [[0.0; ROWS]; COLUMNS];
        if !product.fresh {
            for (j, sums) in sums.iter_mut().enumerate() {
                sums.copy_from_slice(&c[j * stride..][..ROWS]);
            }
        }
        for k in 0..product.k {
            let a: &[f64; ROWS] = a[k * product.a_stride..].first_chunk().expect("a full tile");
            let b = &product.b[k * product.b_stride..];
            let b: &[f64; COLUMNS] = b.first_chunk().expect("a full tile");
            for (sums, b) in sums.iter_mut().zip(b) {
                for (sum, a) in sums.iter_mut().zip(a) {
                    *sum = minus::<FUSED>(*sum, *a, *b);
                }
            }
        }
        for (j, sums) in sums.iter().enumerate() {
            c[j * stride..][..ROWS].copy_from_slice(sums);
        }
    }

    fn edge(product: &Product<'_>, a: &[f64], c: &mut [f64], stride: usize, rows: usize) {
        for j in 0..product.n {
            for i in 0..rows {
                let c = &mut c[j * stride + i];
                let mut sum = if product.fresh { 0.0 } else { *c };
                for k in 0..product.k {
                    let (a, b) = (a[k * product.a_stride + i], product.b[k * product.b_stride + j]);
                    sum = minus::<FUSED>(sum, a, b);
                }
                *c = sum;
            }
        }
    }
}
