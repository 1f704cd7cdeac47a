//! Loops over vectors, as few passes over memory as an iteration allows.
//!
//! **Determinism.** Vectors are cut into blocks of [`BLOCK`] entries; a block is added up in
//! eight lanes, lanes and blocks in their order. The same bits on any number of threads.

use rayon::prelude::*;

/// Entries that a thread takes at once.
pub(crate) const BLOCK: usize = 1 << 12;

const LANES: usize = 8;

/// Adds up what `term` makes of each place, lane by lane.
#[inline(always)]
fn lanes<const K: usize>(len: usize, mut term: impl FnMut(usize) -> [f64; K]) -> [f64; K] {
    let mut sums = [[0.0; LANES]; K];
    let whole = len / LANES * LANES;
    for i in (0..whole).step_by(LANES) {
        let terms: [[f64; K]; LANES] = std::array::from_fn(|lane| term(i + lane));
        for (k, sums) in sums.iter_mut().enumerate() {
            sums.iter_mut().zip(&terms).for_each(|(sum, terms)| *sum += terms[k]);
        }
    }
    let mut total = sums.map(|lanes| lanes.iter().sum::<f64>());
    for i in whole..len {
        let terms = term(i);
        for k in 0..K {
            total[k] += terms[k];
        }
    }
    total
}

/// Sums of blocks, in the order of blocks.
fn in_order<const K: usize>(blocks: impl IndexedParallelIterator<Item = [f64; K]>) -> [f64; K] {
    let blocks: Vec<[f64; K]> = blocks.collect();
    blocks.iter().fold([0.0; K], |total, block| std::array::from_fn(|k| total[k] + block[k]))
}

/// `a · b`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let blocks = a.par_chunks(BLOCK).zip(b.par_chunks(BLOCK));
    in_order(blocks.map(|(a, b)| {
        let b = &b[..a.len()];
        lanes(a.len(), |i| [a[i] * b[i]])
    }))[0]
}

/// `[a · b, Σ b]`.
pub(crate) fn dot_and_sum(a: &[f64], b: &[f64]) -> [f64; 2] {
    let blocks = a.par_chunks(BLOCK).zip(b.par_chunks(BLOCK));
    in_order(blocks.map(|(a, b)| {
        let b = &b[..a.len()];
        lanes(a.len(), |i| [a[i] * b[i], b[i]])
    }))
}

/// `[a · a, Σ a]`.
pub(crate) fn square_and_sum(a: &[f64]) -> [f64; 2] {
    in_order(a.par_chunks(BLOCK).map(|a| lanes(a.len(), |i| [a[i] * a[i], a[i]])))
}

/// `p = (z − shift) + β p`.
pub(crate) fn direction(p: &mut [f64], z: &[f64], shift: f64, beta: f64) {
    p.par_chunks_mut(BLOCK).zip(z.par_chunks(BLOCK)).for_each(|(p, z)| {
        for (p, z) in p.iter_mut().zip(z) {
            *p = (z - shift) + beta * *p;
        }
    });
}

/// `x += α p` and `r −= α q`; returns `[r · r, Σ r]`.
pub(crate) fn step(x: &mut [f64], r: &mut [f64], p: &[f64], q: &[f64], alpha: f64) -> [f64; 2] {
    let to = x.par_chunks_mut(BLOCK).zip(r.par_chunks_mut(BLOCK));
    let from = p.par_chunks(BLOCK).zip(q.par_chunks(BLOCK));
    in_order(to.zip(from).map(|((x, r), (p, q))| {
        let n = x.len();
        let (r, p, q) = (&mut r[..n], &p[..n], &q[..n]);
        lanes(n, |i| {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            [r[i] * r[i], r[i]]
        })
    }))
}

/// `x += d`.
pub(crate) fn add(x: &mut [f64], d: &[f64]) {
    x.par_chunks_mut(BLOCK).zip(d.par_chunks(BLOCK)).for_each(|(x, d)| {
        x.iter_mut().zip(d).for_each(|(x, d)| *x += d);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_do_what_they_say_for_all_lengths() {
        for n in [0, 1, 7, 8, 9, BLOCK - 1, BLOCK, 2 * BLOCK + 13] {
            // Whole numbers: sums are exact in any order.
            let a: Vec<f64> = (0..n).map(|i| (i % 7) as f64 - 3.0).collect();
            let b: Vec<f64> = (0..n).map(|i| (i % 5) as f64).collect();
            let product: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            assert_eq!(dot(&a, &b), product);
            assert_eq!(dot_and_sum(&a, &b), [product, b.iter().sum()]);
            assert_eq!(square_and_sum(&a), [dot(&a, &a), a.iter().sum()]);
            let mut p = a.clone();
            direction(&mut p, &b, 1.0, 2.0);
            assert!(p.iter().zip(a.iter().zip(&b)).all(|(p, (a, b))| *p == b - 1.0 + 2.0 * a));
            let (mut x, mut r) = (a.clone(), b.clone());
            let sums = step(&mut x, &mut r, &b, &a, 3.0);
            assert!(x.iter().zip(a.iter().zip(&b)).all(|(x, (a, b))| *x == a + 3.0 * b));
            assert!(r.iter().zip(a.iter().zip(&b)).all(|(r, (a, b))| *r == b - 3.0 * a));
            assert_eq!(sums, square_and_sum(&r));
            let mut x = a.clone();
            add(&mut x, &b);
            assert!(x.iter().zip(a.iter().zip(&b)).all(|(x, (a, b))| *x == a + b));
        }
    }
}
