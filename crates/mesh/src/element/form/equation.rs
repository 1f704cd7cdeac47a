//! Bilinear forms (stiffness, mass, elasticity) and their sums, which matrices are assembled from.

use super::local::Law;
use super::{Coefficient, FormError};
use palmette_core::Mesh;
use std::ops::{Add, Mul};

/// What a plane mesh is a cut through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plane {
    /// A long body: no strain across the plane. In three dimensions, the full law.
    #[default]
    Strain,
    /// A thin plate: no stress across the plane. Plane meshes only.
    Stress,
}

/// A bilinear form, or a sum of several with factors.
///
/// ```
/// use palmette_mesh::element::Form;
/// // A step of length 0.01 of backward Euler for the heat equation.
/// let step = Form::mass(1.0) + 0.01 * Form::stiffness(4.0);
/// # let _ = step;
/// ```
#[derive(Debug, Clone)]
pub struct Form {
    terms: Vec<(f64, Term)>,
}

#[derive(Debug, Clone)]
enum Term {
    Stiffness(Coefficient),
    Mass(Coefficient),
    Elasticity { young: Coefficient, poisson: Coefficient, plane: Plane },
}

impl Form {
    /// `∫ k ∇u·∇v`, for each component.
    pub fn stiffness(k: impl Into<Coefficient>) -> Form {
        Form { terms: vec![(1.0, Term::Stiffness(k.into()))] }
    }

    /// `∫ c u·v`, consistent.
    pub fn mass(c: impl Into<Coefficient>) -> Form {
        Form { terms: vec![(1.0, Term::Mass(c.into()))] }
    }

    /// `∫ σ(u) : ε(v)` for an isotropic linear material with Young's modulus and Poisson's
    /// ratio; as many components as dimensions.
    pub fn elasticity(
        young: impl Into<Coefficient>,
        poisson: impl Into<Coefficient>,
        plane: Plane,
    ) -> Form {
        let (young, poisson) = (young.into(), poisson.into());
        Form { terms: vec![(1.0, Term::Elasticity { young, poisson, plane })] }
    }

    /// The form for a mesh with so many components per node.
    pub(super) fn resolve(
        &self,
        mesh: &Mesh,
        components: usize,
    ) -> Result<Vec<(f64, Law<'_>)>, FormError> {
        let mut laws = Vec::with_capacity(self.terms.len());
        for (factor, term) in &self.terms {
            if !factor.is_finite() {
                return Err(FormError::Factor(*factor));
            }
            laws.push((*factor, term.resolve(mesh, components)?));
        }
        Ok(laws)
    }
}

impl Term {
    fn resolve(&self, mesh: &Mesh, components: usize) -> Result<Law<'_>, FormError> {
        let expected = usize::from(mesh.dimension());
        match self {
            Term::Stiffness(k) => Ok(Law::Stiffness(k.resolve(mesh)?)),
            Term::Mass(c) => Ok(Law::Mass(c.resolve(mesh)?)),
            Term::Elasticity { .. } if components != expected && expected > 0 => {
                let what = "components per node of an elastic body";
                Err(FormError::Count { what, expected, found: components })
            }
            Term::Elasticity { plane: Plane::Stress, .. } if expected == 3 => {
                Err(FormError::PlaneStress)
            }
            Term::Elasticity { young, poisson, plane } => {
                let (young, poisson) = (young.resolve(mesh)?, poisson.resolve(mesh)?);
                Ok(Law::Elasticity { young, poisson, plane: *plane })
            }
        }
    }
}

impl Add for Form {
    type Output = Form;

    fn add(mut self, other: Form) -> Form {
        self.terms.extend(other.terms);
        self
    }
}

impl Mul<Form> for f64 {
    type Output = Form;

    fn mul(self, mut form: Form) -> Form {
        form.terms.iter_mut().for_each(|term| term.0 *= self);
        form
    }
}
