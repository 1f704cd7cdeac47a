//! Loads: sources in the elements, fluxes and tractions through the boundary.
//!
//! **Method.** Sources are integrated where the element is. A boundary element may have all its
//! nodes in several submeshes, and none of them knows of the others; so each submesh runs over
//! all boundary elements of the group and keeps what its own nodes get. No part is counted
//! twice, and the owner's value does not depend on the parts.
//!
//! **Cost.** Linear in the submesh; for a flux, in the boundary of the whole mesh.

use super::coefficient::Resolved;
use super::mapping::{Sample, Visited, Visitor, visit};
use super::reference::{QuadraturePoint, Rule};
use super::submesh::Numbers;
use super::{Assembler, Coefficient, FormError, Value, groups};
use palmette_core::Mesh;
use palmette_core::mesh::{ElementKind, Point};
use std::ops::Add;

/// A linear form: sources and fluxes, added up.
///
/// ```
/// use palmette_mesh::element::{Load, Value};
/// let heat = Load::source(1.0) + Load::flux("top", Value::function(|p| p[0]));
/// let weight_and_pull = Load::sources([0.0, -9.81]) + Load::traction("right", [1.0, 0.0]);
/// # let _ = (heat, weight_and_pull);
/// ```
#[derive(Debug, Clone)]
pub struct Load {
    terms: Vec<Term>,
}

#[derive(Debug, Clone)]
enum Term {
    Source(Vec<Coefficient>),
    Flux { group: String, values: Vec<Value> },
}

impl Load {
    /// `∫ f v` over the elements, for one component.
    pub fn source(f: impl Into<Coefficient>) -> Load {
        Load::sources([f])
    }

    /// `∫ f·v` over the elements, a coefficient per component.
    pub fn sources<C: Into<Coefficient>>(f: impl IntoIterator<Item = C>) -> Load {
        Load { terms: vec![Term::Source(f.into_iter().map(Into::into).collect())] }
    }

    /// `∫ g v` over the boundary elements of a physical group, for one component: what flows
    /// in. The lines of plane meshes, the faces of solid ones.
    pub fn flux(group: impl Into<String>, g: impl Into<Value>) -> Load {
        Load::traction(group, [g])
    }

    /// `∫ g·v` over the boundary elements of a physical group, a value per component: the force per
    /// length or area.
    pub fn traction<V: Into<Value>>(
        group: impl Into<String>,
        g: impl IntoIterator<Item = V>,
    ) -> Load {
        let values = g.into_iter().map(Into::into).collect();
        Load { terms: vec![Term::Flux { group: group.into(), values }] }
    }
}

impl Add for Load {
    type Output = Load;

    fn add(mut self, other: Load) -> Load {
        self.terms.extend(other.terms);
        self
    }
}

/// The integrals of a load against all shape functions of a submesh.
pub(super) fn integrate(assembler: &Assembler<'_>, load: &Load) -> Result<Vec<f64>, FormError> {
    let mut sums = assembler.zeros();
    let mesh = assembler.submesh().mesh();
    let expected = assembler.components();
    for term in &load.terms {
        let (what, found) = match term {
            Term::Source(f) => ("components of a source", f.len()),
            Term::Flux { values, .. } => ("components of a flux", values.len()),
        };
        if found != expected {
            return Err(FormError::Count { what, expected, found });
        }
        match term {
            Term::Source(f) => {
                let f = f.iter().map(|f| f.resolve(mesh)).collect::<Result<_, _>>()?;
                let mut source = Source { mesh, f, sums: &mut sums };
                visit(assembler.submesh(), Rule::Matrix, &mut source)?;
            }
            Term::Flux { group, values } => add_flux(assembler, group, values, &mut sums)?,
        }
    }
    Ok(sums)
}

struct Source<'s> {
    mesh: &'s Mesh,
    f: Vec<Resolved<'s>>,
    sums: &'s mut [f64],
}

impl Visitor for Source<'_> {
    fn visit<const N: usize, const D: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError> {
        let d = self.f.len();
        for (c, f) in self.f.iter().enumerate() {
            let f = f.of(self.mesh, at.element)?;
            for sample in samples {
                let weight = sample.weight * f.at(sample.point, "a source")?;
                for (&node, value) in at.corners.iter().zip(sample.values) {
                    self.sums[node as usize * d + c] += weight * value;
                }
            }
        }
        Ok(())
    }
}

fn add_flux(
    assembler: &Assembler<'_>,
    name: &str,
    values: &[Value],
    sums: &mut [f64],
) -> Result<(), FormError> {
    let mesh = assembler.submesh().mesh();
    let expected = mesh.dimension().saturating_sub(1);
    let mut marks = groups::find(mesh, name)?;
    marks.retain(|mark| mark.0 == expected);
    let mut faces = Faces { assembler, numbers: assembler.submesh().numbers(), values, sums };
    let mut empty = true;
    for (cells, cell) in groups::cells(mesh, &marks) {
        empty = false;
        let nodes = cells.nodes(cell);
        match cells.kind(cell) {
            ElementKind::Line => faces.add::<2, 1>(nodes)?,
            ElementKind::Triangle => faces.add::<3, 2>(nodes)?,
            _ => faces.add::<4, 2>(nodes)?,
        }
    }
    if empty {
        let (name, what) = (name.to_string(), "a flux");
        return Err(FormError::GroupDimension { name, what, expected });
    }
    Ok(())
}

/// Integrates over boundary elements.
struct Faces<'s> {
    assembler: &'s Assembler<'s>,
    numbers: Numbers,
    values: &'s [Value],
    sums: &'s mut [f64],
}

impl Faces<'_> {
    /// Adds what the owned nodes of a boundary element get.
    fn add<const N: usize, const D: usize>(&mut self, nodes: &[u32]) -> Result<(), FormError> {
        let submesh = self.assembler.submesh();
        let owned = |&node: &u32| self.numbers.of(node).filter(|&i| submesh.owned()[i as usize]);
        let local: [Option<u32>; N] = std::array::from_fn(|a| owned(&nodes[a]));
        if local.iter().all(Option::is_none) {
            return Ok(());
        }
        let corners: [Point; N] =
            std::array::from_fn(|a| submesh.mesh().points()[nodes[a] as usize]);
        for place in QuadraturePoint::<N, D>::all(Rule::Matrix) {
            let weight = place.weight * stretch(&corners, &place.gradients);
            let point = std::array::from_fn(|i| {
                (0..N).map(|a| place.values[a] * corners[a][i]).sum::<f64>()
            });
            for (c, value) in self.values.iter().enumerate() {
                let value = weight * value.at(point, "a flux")?;
                for (local, shape) in local.iter().zip(place.values) {
                    let Some(local) = local else { continue };
                    self.sums[*local as usize * self.values.len() + c] += value * shape;
                }
            }
        }
        Ok(())
    }
}

/// How much longer or wider a boundary element in space is than its reference element.
fn stretch<const N: usize, const D: usize>(corners: &[Point; N], gradients: &[[f64; D]; N]) -> f64 {
    let along = |k: usize| -> Point {
        std::array::from_fn(|i| (0..N).map(|a| corners[a][i] * gradients[a][k]).sum())
    };
    let norm = |v: Point| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if D == 1 {
        return norm(along(0));
    }
    let (s, t) = (along(0), along(1));
    norm([s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]])
}
