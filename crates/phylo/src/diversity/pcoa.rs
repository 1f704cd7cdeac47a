//! Principal coordinates of distances: places in few dimensions that are as far apart as they can be.
//!
//! **Problem.** Input: distances of all pairs of samples. Output: coordinates by axis whose squares
//! add up to the eigenvalues of B = −½JD²J, largest first (J takes the mean away), and the share of
//! each.
//!
//! **Method.** Subspace iteration: a block of random vectors, multiplied by B and made orthogonal
//! again, turns to the largest eigenvectors; B seen within the block (Rayleigh–Ritz) gives them apart.
//! It ends when the residuals of the wanted ones are small, or after a number of rounds that is stated. Up to
//! 1000 samples the eigenvalues are found once more, all of them (`spectrum.rs`): distances that no
//! space has, as UniFrac's may be, make some negative.
//!
//! **Cost.** n² additions per vector and round; 16 bytes per ordered pair. 4n³/3 for all
//! eigenvalues.
//!
//! **Determinism.** Seeded; a thread has whole rows. Of each axis the coordinate of the largest size is
//! positive: signs have no meaning.
//!
//! **Reference.** Gower, *Some distance properties of latent root and vector methods*, 1966; Halko,
//! Martinsson and Tropp, 2011.

use super::spectrum::{jacobi, spectrum};
use super::{Condensed, DiversityError};
use palmette_core::DEFAULT_SEED;
use rayon::prelude::*;

/// Up to so many samples all eigenvalues are found.
pub(super) const ALL: usize = 1000;
/// Vectors beyond the wanted ones: the larger the block, the fewer rounds.
const SPARE: usize = 12;

/// How many axes, and how exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PcoaParams {
    /// Axes to find.
    pub axes: usize,
    /// Where the random vectors come from.
    pub seed: u64,
    /// The residual of an eigenvalue over the largest one.
    pub tolerance: f64,
    /// Rounds at most.
    pub rounds: usize,
}

impl Default for PcoaParams {
    fn default() -> PcoaParams {
        PcoaParams { axes: 10, seed: DEFAULT_SEED, tolerance: 1e-9, rounds: 2000 }
    }
}

/// Places of samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Pcoa {
    /// By axis, the coordinate of each sample. Only positive eigenvalues have an axis.
    pub axes: Vec<Vec<f64>>,
    /// By axis, its eigenvalue: the sum of the squares of its coordinates.
    pub eigenvalues: Vec<f64>,
    /// By axis, its share of the total.
    pub proportions: Vec<f64>,
    /// The sum of the positive eigenvalues; up to rounding that of all, where `negative` is unknown.
    pub total: f64,
    /// How many eigenvalues are negative, and their sum; known for up to 1000 samples.
    pub negative: Option<(usize, f64)>,
    /// The largest residual of an axis over the largest eigenvalue.
    pub residual: f64,
}

/// The principal coordinates of samples; see the module.
///
/// ```
/// use palmette_phylo::diversity::{Condensed, PcoaParams, pcoa};
/// // Three places on a line: 0, 3 and 4.
/// let found = pcoa(&Condensed::new(3, vec![3.0, 4.0, 1.0]), PcoaParams::default())?;
/// assert_eq!(found.axes.len(), 1);
/// assert!((found.axes[0][0] - found.axes[0][1]).abs() - 3.0 < 1e-9);
/// assert!((found.proportions[0] - 1.0).abs() < 1e-9);
/// # Ok::<(), palmette_phylo::diversity::DiversityError>(())
/// ```
///
/// # Errors
/// Fewer than two samples, or a distance that is not finite.
pub fn pcoa(distances: &Condensed, params: PcoaParams) -> Result<Pcoa, DiversityError> {
    let n = distances.len();
    if n < 2 {
        return Err(DiversityError::FewSamples { samples: n });
    }
    let matrix = centred(distances)?;
    let trace: f64 = (0..n).map(|i| matrix[i * n + i]).sum();
    let wanted = params.axes.clamp(1, n - 1);
    let block = (wanted + SPARE).min(n);
    let (values, vectors, residual) = subspace(&matrix, n, block, wanted, &params);
    let all = (n <= ALL).then(|| spectrum(matrix.clone(), n));
    let largest = values.iter().copied().fold(0.0f64, f64::max);
    let negligible = 1e-12 * largest * n as f64;
    let negative = all.as_ref().map(|all| {
        let below = all.iter().filter(|&&value| value < -negligible);
        (below.clone().count(), below.sum())
    });
    let total = match &all {
        Some(all) => all.iter().filter(|&&value| value > 0.0).sum(),
        None => trace,
    };
    let mut found = Pcoa {
        axes: Vec::new(),
        eigenvalues: Vec::new(),
        proportions: Vec::new(),
        total,
        negative,
        residual,
    };
    let kept = values.iter().zip(vectors).filter(|(value, _)| **value > negligible);
    for (&value, mut axis) in kept.take(wanted) {
        let far =
            axis.iter().copied().fold(0.0f64, |far, x| if x.abs() > far.abs() { x } else { far });
        let scale = if far < 0.0 { -value.sqrt() } else { value.sqrt() };
        axis.iter_mut().for_each(|x| *x *= scale);
        found.axes.push(axis);
        found.eigenvalues.push(value);
        found.proportions.push(if total > 0.0 { value / total } else { 0.0 });
    }
    Ok(found)
}

/// B, by rows.
fn centred(distances: &Condensed) -> Result<Vec<f64>, DiversityError> {
    let n = distances.len();
    let mut matrix = vec![0.0; n * n];
    for first in 0..n {
        for second in 0..n {
            let distance = distances.get(first, second);
            if !distance.is_finite() {
                return Err(DiversityError::NotFinite { first, second, distance });
            }
            matrix[first * n + second] = -0.5 * distance * distance;
        }
    }
    let means: Vec<f64> =
        matrix.chunks_exact(n).map(|row| row.iter().sum::<f64>() / n as f64).collect();
    let mean = means.iter().sum::<f64>() / n as f64;
    for (row, own) in matrix.chunks_exact_mut(n).zip(&means) {
        row.iter_mut().zip(&means).for_each(|(x, other)| *x += mean - own - other);
    }
    Ok(matrix)
}

/// The largest eigenvalues, their vectors, and the largest residual of the first `wanted`.
fn subspace(
    matrix: &[f64],
    n: usize,
    block: usize,
    wanted: usize,
    params: &PcoaParams,
) -> (Vec<f64>, Vec<Vec<f64>>, f64) {
    let mut random = params.seed;
    let mut next = || {
        random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (random ^ (random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut vectors: Vec<Vec<f64>> = (0..block).map(|_| (0..n).map(|_| next()).collect()).collect();
    orthogonalise(&mut vectors);
    let mut round = 0;
    loop {
        let images = product(matrix, n, &vectors);
        let mut small = vec![0.0; block * block];
        for i in 0..block {
            for j in 0..block {
                small[i * block + j] = dot(&vectors[i], &images[j]);
            }
        }
        let (values, turns) = jacobi(&mut small, block);
        // By eigenvalue, largest first.
        let mut order: Vec<usize> = (0..block).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let turned = |of: &[Vec<f64>], k: usize| -> Vec<f64> {
            let mut sum = vec![0.0; n];
            for (i, vector) in of.iter().enumerate() {
                let part = turns[i * block + k];
                sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += part * x);
            }
            sum
        };
        let ritz: Vec<Vec<f64>> = order.iter().map(|&k| turned(&vectors, k)).collect();
        let after: Vec<Vec<f64>> = order.iter().map(|&k| turned(&images, k)).collect();
        let sorted: Vec<f64> = order.iter().map(|&k| values[k]).collect();
        let largest = sorted.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        let residual = (0..wanted).filter(|&k| sorted[k] > 0.0).map(|k| {
            let apart = after[k].iter().zip(&ritz[k]).map(|(b, x)| b - sorted[k] * x);
            apart.map(|x| x * x).sum::<f64>().sqrt()
        });
        let residual = residual.fold(0.0f64, f64::max) / largest.max(f64::MIN_POSITIVE);
        round += 1;
        if residual <= params.tolerance || round >= params.rounds || largest == 0.0 {
            return (sorted, ritz, residual);
        }
        vectors = after;
        orthogonalise(&mut vectors);
    }
}

/// B times each vector.
fn product(matrix: &[f64], n: usize, vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<f64>> = matrix
        .par_chunks_exact(n)
        .map(|row| vectors.iter().map(|vector| dot(row, vector)).collect())
        .collect();
    (0..vectors.len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}

/// In eight sums side by side.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// Gram and Schmidt, twice; a vector that depends on those before it becomes a unit vector.
fn orthogonalise(vectors: &mut [Vec<f64>]) {
    for k in 0..vectors.len() {
        let (before, rest) = vectors.split_at_mut(k);
        let own = &mut rest[0];
        let mut unit = 0;
        loop {
            let size = dot(own, own).sqrt();
            for _ in 0..2 {
                for other in before.iter() {
                    let part = dot(own, other);
                    own.iter_mut().zip(other).for_each(|(x, y)| *x -= part * y);
                }
            }
            let left = dot(own, own).sqrt();
            if left > 1e-10 * size && left > 0.0 {
                own.iter_mut().for_each(|x| *x /= left);
                break;
            }
            if unit == own.len() {
                // There are no more dimensions.
                own.fill(0.0);
                break;
            }
            own.fill(0.0);
            own[unit] = 1.0;
            unit += 1;
        }
    }
}
