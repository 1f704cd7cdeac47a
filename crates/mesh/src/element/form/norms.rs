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
    check(submesh, components, values);
    let mut norm = Difference { components, values, exact, sum: 0.0 };
    visit(submesh, Rule::Fine, &mut norm)?;
    Ok(norm.sum.sqrt())
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
    check(submesh, components, values);
    let mut norm = Slope { components, values, gradient, sum: 0.0 };
    visit(submesh, Rule::Fine, &mut norm)?;
    Ok(norm.sum.sqrt())
}

fn check(submesh: &Submesh<'_>, components: usize, values: &[f64]) {
    assert_eq!(values.len(), submesh.nodes().len() * components, "a value per unknown");
}

struct Difference<'s, F> {
    components: usize,
    values: &'s [f64],
    exact: F,
    sum: f64,
}

impl<F: Fn(Point, usize) -> f64> Visitor for Difference<'_, F> {
    fn visit<const N: usize, const D: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        for sample in samples {
            for c in 0..self.components {
                let nodal = |&node: &u32| self.values[node as usize * self.components + c];
                let corners = at.corners.iter().zip(sample.values);
                let u: f64 = corners.map(|(node, shape)| shape * nodal(node)).sum();
                self.sum += sample.weight * (u - (self.exact)(sample.point, c)).powi(2);
            }
        }
        Ok(())
    }
}

struct Slope<'s, F> {
    components: usize,
    values: &'s [f64],
    gradient: F,
    sum: f64,
}

impl<F: Fn(Point, usize) -> Point> Visitor for Slope<'_, F> {
    fn visit<const N: usize, const D: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        for sample in samples {
            for c in 0..self.components {
                let exact = (self.gradient)(sample.point, c);
                for (i, exact) in exact.into_iter().enumerate().take(D) {
                    let nodal = |&node: &u32| self.values[node as usize * self.components + c];
                    let corners = at.corners.iter().zip(&sample.gradients);
                    let slope: f64 = corners.map(|(node, g)| g[i] * nodal(node)).sum();
                    self.sum += sample.weight * (slope - exact).powi(2);
                }
            }
        }
        Ok(())
    }
}
