//! How far nodal values are from a function that is known.
//!
//! Integrals have enough points that their own error does not show; see `reference.rs`. The
//! squares of the norms of submeshes add up to that of the mesh.

use super::mapping::{Sample, Visited, Visitor, visit};
use super::reference::Rule;
use super::{FormError, Submesh};
use palmette_core::mesh::Point;

/// `‖u − exact‖` in L2: the root of the integral of the squared difference, all components
/// together. `exact(p, c)` is component `c` at the point `p`.
///
/// ```
/// use palmette_mesh::element::{Submesh, l2_error};
/// use palmette_mesh::shapes::generate;
/// let squares = generate("grid:3x3".parse()?, 1)?;
/// let u: Vec<f64> = squares.points().iter().map(|p| p[0] * p[1]).collect();
/// let error = l2_error(&Submesh::whole(&squares), 1, &u, |p, _| p[0] * p[1])?;
/// assert!(error < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Elements that are not supported or inverted.
///
/// # Panics
/// When there is another number of values than of unknowns.
pub fn l2_error(
    submesh: &Submesh<'_>,
    components: usize,
    values: &[f64],
    exact: impl Fn(Point, usize) -> f64,
) -> Result<f64, FormError> {
    norm(submesh, components, values, Exact::Values(&exact))
}

/// `‖∇u − gradient‖` in L2, the seminorm of H1. `gradient(p, c)` is that of component `c` at the
/// point `p`; in the plane, its third coordinate is not read.
///
/// # Errors
/// Elements that are not supported or inverted.
///
/// # Panics
/// When there is another number of values than of unknowns.
pub fn h1_error(
    submesh: &Submesh<'_>,
    components: usize,
    values: &[f64],
    gradient: impl Fn(Point, usize) -> Point,
) -> Result<f64, FormError> {
    norm(submesh, components, values, Exact::Gradients(&gradient))
}

/// A known answer, by point and component.
enum Exact<'s> {
    Values(&'s dyn Fn(Point, usize) -> f64),
    Gradients(&'s dyn Fn(Point, usize) -> Point),
}

fn norm(
    submesh: &Submesh<'_>,
    components: usize,
    values: &[f64],
    exact: Exact<'_>,
) -> Result<f64, FormError> {
    assert_eq!(values.len(), submesh.nodes().len() * components, "a value per unknown");
    let mut difference = Difference { components, values, exact, sum: 0.0 };
    visit(submesh, Rule::Fine, &mut difference)?;
    Ok(difference.sum.sqrt())
}

struct Difference<'s> {
    components: usize,
    values: &'s [f64],
    exact: Exact<'s>,
    sum: f64,
}

impl Visitor for Difference<'_> {
    fn visit<const N: usize, const D: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        for sample in samples {
            for c in 0..self.components {
                let nodal = |a: usize| self.values[at.corners[a] as usize * self.components + c];
                let sum = |shape: &dyn Fn(usize) -> f64| -> f64 {
                    (0..N).map(|a| shape(a) * nodal(a)).sum()
                };
                match self.exact {
                    Exact::Values(exact) => {
                        let u = sum(&|a| sample.values[a]);
                        self.sum += sample.weight * (u - exact(sample.point, c)).powi(2);
                    }
                    Exact::Gradients(exact) => {
                        let exact = exact(sample.point, c);
                        for (i, exact) in exact.into_iter().enumerate().take(D) {
                            let slope = sum(&|a| sample.gradients[a][i]);
                            self.sum += sample.weight * (slope - exact).powi(2);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
