//! What the memory of this machine can do, measured in the same run.

use crate::timing::{pool, race, run};
use palmette_core::memory::{huge_vec, prefetch};
use rayon::prelude::*;

/// Bandwidth and random access, by number of threads.
pub struct Limits {
    /// The threads.
    pub threads: usize,
    /// Gigabytes per second read and written by `a[i] = b[i] + c[i]`.
    pub triad: f64,
    /// Nanoseconds for a random read of 4 bytes among 40 MB, many at a time.
    pub gather: f64,
    /// The same among 160 MB, 16 bytes each.
    pub gather_wide: f64,
}

/// Measures with some threads.
pub fn limits(threads: usize) -> Limits {
    let n = 10_000_000usize;
    let pool = pool(threads);
    let (b, c) = (huge_vec(n, 1i64), huge_vec(n, 2i64));
    let mut a = huge_vec(n, 0i64);
    let index: Vec<u32> = (0..n as u64)
        .map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as u32 % n as u32)
        .collect();
    let words = huge_vec(n, 1u32);
    let wide = huge_vec(n, [1u32; 4]);
    let triad = race(
        9,
        &mut [run(|| {
            pool.install(|| {
                let chunk = 1 << 16;
                let parts =
                    a.par_chunks_mut(chunk).zip(b.par_chunks(chunk)).zip(c.par_chunks(chunk));
                parts.for_each(|((a, b), c)| {
                    a.iter_mut().zip(b).zip(c).for_each(|((a, b), c)| *a = b + c);
                });
            });
        })],
    );
    let gather = race(
        5,
        &mut [
            run(|| {
                let sum: u64 = pool.install(|| gather(&index, &words, |&w| u64::from(w)));
                assert_eq!(sum, n as u64);
            }),
            run(|| {
                let sum: u64 = pool.install(|| gather(&index, &wide, |w| u64::from(w[3])));
                assert_eq!(sum, n as u64);
            }),
        ],
    );
    Limits {
        threads,
        triad: 24.0 * n as f64 / triad[0] / 1e9,
        gather: gather[0] / n as f64 * 1e9,
        gather_wide: gather[1] / n as f64 * 1e9,
    }
}

fn gather<T: Sync>(index: &[u32], from: &[T], word: impl Fn(&T) -> u64 + Sync) -> u64 {
    let part = |part: &[u32]| {
        part.iter().enumerate().fold(0, |sum, (k, &i)| {
            part.get(k + 32).inspect(|&&far| prefetch(from, far as usize));
            sum + word(&from[i as usize])
        })
    };
    index.par_chunks(1 << 16).map(part).sum()
}
