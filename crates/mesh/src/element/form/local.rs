//! Matrices of single elements.
//!
//! **Method.** Sums over the points of integration. Gradients in simplices are constant, so
//! there coefficients are summed first. Only half of a matrix is computed: it is symmetric to
//! the last bit.

use super::coefficient::Resolved;
use super::mapping::Sample;
use super::reference::QuadraturePoint;
use super::{FormError, Plane};
use palmette_core::Mesh;

/// A term of a form on a mesh.
pub(super) enum Law<'a> {
    Stiffness(Resolved<'a>),
    Mass(Resolved<'a>),
    Elasticity { young: Resolved<'a>, poisson: Resolved<'a>, plane: Plane },
}

/// The matrix of one element: unknowns node by node, rows one after another.
pub(super) struct Local {
    order: usize,
    entries: Vec<f64>,
}

impl Local {
    pub(super) fn new() -> Local {
        // The largest is that of a hexahedron with three components.
        Local { order: 0, entries: vec![0.0; 24 * 24] }
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.order..][..self.order]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.order..][..self.order]
    }

    /// Becomes the matrix of an element with `C` components per node: the sum of some laws.
    #[inline]
    pub(super) fn set<const N: usize, const D: usize, const C: usize>(
        &mut self,
        laws: &[(f64, Law<'_>)],
        (mesh, element): (&Mesh, u32),
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        self.order = N * C;
        self.entries[..N * C * N * C].fill(0.0);
        for (factor, law) in laws {
            match law {
                Law::Stiffness(k) => {
                    let k = k.of(mesh, element)?;
                    let weights = |sample: &Sample<N, D>| {
                        Ok([sample.weight * k.at(sample.point, "a coefficient of stiffness")?])
                    };
                    self.add_scalar::<N, C>(*factor, &stiffness(samples, weights)?);
                }
                Law::Mass(c) => {
                    let c = c.of(mesh, element)?;
                    let weight = |sample: &Sample<N, D>| {
                        Ok(sample.weight * c.at(sample.point, "a coefficient of mass")?)
                    };
                    self.add_scalar::<N, C>(*factor, &mass(samples, weight)?);
                }
                Law::Elasticity { young, poisson, plane } => {
                    let (young, poisson) = (young.of(mesh, element)?, poisson.of(mesh, element)?);
                    let lame = |sample: &Sample<N, D>| {
                        let young = young.at(sample.point, "Young's modulus")?;
                        let poisson = poisson.at(sample.point, "Poisson's ratio")?;
                        let [first, shear] = lame(young, poisson, *plane)?;
                        Ok([factor * sample.weight * first, factor * sample.weight * shear])
                    };
                    self.add_elasticity(samples, lame)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a scalar matrix for each component. Only its upper half is read.
    #[inline]
    fn add_scalar<const N: usize, const C: usize>(&mut self, factor: f64, upper: &[[f64; N]; N]) {
        for (a, row) in upper.iter().enumerate() {
            for (b, value) in row.iter().enumerate().skip(a) {
                for c in 0..C {
                    self.add(N * C, [a * C + c, b * C + c], factor * value);
                }
            }
        }
    }

    #[inline]
    fn add_elasticity<const N: usize, const D: usize>(
        &mut self,
        samples: &[Sample<N, D>],
        lame: impl Fn(&Sample<N, D>) -> Result<[f64; 2], FormError>,
    ) -> Result<(), FormError> {
        by_gradient(samples, lame, |[first, shear], gradients| {
            for (a, ga) in gradients.iter().enumerate() {
                for (b, gb) in gradients.iter().enumerate().skip(a) {
                    let both = shear * dot(ga, gb);
                    for i in 0..D {
                        for j in (if a == b { i } else { 0 })..D {
                            let cross = first * (ga[i] * gb[j]) + shear * (ga[j] * gb[i]);
                            let value = if i == j { cross + both } else { cross };
                            self.add(N * D, [a * D + i, b * D + j], value);
                        }
                    }
                }
            }
        })
    }

    /// Adds to an entry and to its mirror image.
    #[inline]
    fn add(&mut self, order: usize, [i, j]: [usize; 2], value: f64) {
        self.entries[i * order + j] += value;
        if i != j {
            self.entries[j * order + i] += value;
        }
    }
}

/// The upper half of `∫ k ∇a·∇b`.
#[inline]
fn stiffness<const N: usize, const D: usize>(
    samples: &[Sample<N, D>],
    weights: impl Fn(&Sample<N, D>) -> Result<[f64; 1], FormError>,
) -> Result<[[f64; N]; N], FormError> {
    let mut upper = [[0.0; N]; N];
    by_gradient(samples, weights, |[weight], gradients| {
        for (a, row) in upper.iter_mut().enumerate() {
            for (b, entry) in row.iter_mut().enumerate().skip(a) {
                *entry += weight * dot(&gradients[a], &gradients[b]);
            }
        }
    })?;
    Ok(upper)
}

/// The upper half of `∫ c a b`.
#[inline]
fn mass<const N: usize, const D: usize>(
    samples: &[Sample<N, D>],
    weight: impl Fn(&Sample<N, D>) -> Result<f64, FormError>,
) -> Result<[[f64; N]; N], FormError> {
    let mut upper = [[0.0; N]; N];
    for sample in samples {
        let weight = weight(sample)?;
        for (a, row) in upper.iter_mut().enumerate() {
            for (b, entry) in row.iter_mut().enumerate().skip(a) {
                *entry += weight * sample.values[a] * sample.values[b];
            }
        }
    }
    Ok(upper)
}

/// Gives weights and gradients at all points; in simplices, all weights at once.
#[inline]
fn by_gradient<const N: usize, const D: usize, const V: usize>(
    samples: &[Sample<N, D>],
    weights: impl Fn(&Sample<N, D>) -> Result<[f64; V], FormError>,
    mut add: impl FnMut([f64; V], &[[f64; D]; N]),
) -> Result<(), FormError> {
    if !QuadraturePoint::<N, D>::SIMPLEX {
        for sample in samples {
            add(weights(sample)?, &sample.gradients);
        }
        return Ok(());
    }
    let mut sums = [0.0; V];
    for sample in samples {
        let weights = weights(sample)?;
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
    }
    add(sums, &samples[0].gradients);
    Ok(())
}

/// Lamé's parameters; the first one adapted to plane stress.
#[inline]
fn lame(young: f64, poisson: f64, plane: Plane) -> Result<[f64; 2], FormError> {
    let limit = if plane == Plane::Stress { 1.0 } else { 0.5 };
    if !(poisson > -1.0 && poisson < limit) {
        return Err(FormError::Poisson { value: poisson, limit });
    }
    let shear = young / (2.0 * (1.0 + poisson));
    let rest = if plane == Plane::Stress { 1.0 - poisson } else { 1.0 - 2.0 * poisson };
    Ok([young * poisson / ((1.0 + poisson) * rest), shear])
}

#[inline]
fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    (0..D).map(|i| a[i] * b[i]).sum()
}
