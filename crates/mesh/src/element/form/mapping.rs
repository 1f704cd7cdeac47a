//! Maps reference elements to those of a mesh: quadrature points, weights and gradients of shape
//! functions.
//!
//! **Method.** The Jacobian at each quadrature point gives weight and gradients. All elements must
//! have the orientation of the first, with positive determinants at all points. **Cost.** Constant
//! per element.

use super::reference::{QuadraturePoint, Rule};
use super::{FormError, Submesh};
use palmette_core::Mesh;
use palmette_core::mesh::{ElementKind, Point};

/// How far the nodes of a plane element may be from a plane `z = const`, in widths.
const FLAT: f64 = 1e-10;

/// A point to integrate with in an element of `N` nodes and `D` dimensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample<const N: usize, const D: usize> {
    /// Its share of the element's measure; positive.
    pub(super) weight: f64,
    pub(super) point: Point,
    /// The shape functions.
    pub(super) values: [f64; N],
    /// Their gradients.
    pub(super) gradients: [[f64; D]; N],
}

/// What an element is when it is visited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visited<'a> {
    /// Its number in the mesh, from 0.
    pub(super) element: u32,
    /// The local numbers of its nodes.
    pub(super) corners: &'a [u32],
}

/// Something that is done for every element.
pub(super) trait Visitor {
    /// Whether an element with these corners matters.
    fn wants(&self, _corners: &[u32]) -> bool {
        true
    }

    fn visit<const N: usize, const D: usize>(
        &mut self,
        at: Visited<'_>,
        samples: &[Sample<N, D>],
    ) -> Result<(), FormError>;
}

/// Visits the elements of a submesh in their order.
pub(super) fn visit(
    submesh: &Submesh<'_>,
    rule: Rule,
    visitor: &mut impl Visitor,
) -> Result<(), FormError> {
    let mesh = submesh.mesh();
    let sense = sense(mesh)?;
    let mut triangle = Mapping::<3, 2>::new(rule, sense);
    let mut quadrilateral = Mapping::<4, 2>::new(rule, sense);
    let mut tetrahedron = Mapping::<4, 3>::new(rule, sense);
    let mut hexahedron = Mapping::<8, 3>::new(rule, sense);
    for (place, &element) in submesh.elements().iter().enumerate() {
        let at = Visited { element, corners: submesh.corners(place) };
        if !visitor.wants(at.corners) {
            continue;
        }
        let number = element as usize;
        match mesh.elements().kind(number) {
            ElementKind::Triangle => visitor.visit(at, triangle.map(mesh, number)?)?,
            ElementKind::Quadrilateral => visitor.visit(at, quadrilateral.map(mesh, number)?)?,
            ElementKind::Tetrahedron => visitor.visit(at, tetrahedron.map(mesh, number)?)?,
            ElementKind::Hexahedron => visitor.visit(at, hexahedron.map(mesh, number)?)?,
            kind => return Err(FormError::Kind { element: number + 1, kind }),
        }
    }
    Ok(())
}

/// The sign of determinants in the first element; all others must have it too.
fn sense(mesh: &Mesh) -> Result<f64, FormError> {
    if mesh.elements().is_empty() {
        return Ok(1.0);
    }
    let measure = match mesh.elements().kind(0) {
        ElementKind::Triangle => Mapping::<3, 2>::new(Rule::Matrix, 1.0).signed(mesh, 0),
        ElementKind::Quadrilateral => Mapping::<4, 2>::new(Rule::Matrix, 1.0).signed(mesh, 0),
        ElementKind::Tetrahedron => Mapping::<4, 3>::new(Rule::Matrix, 1.0).signed(mesh, 0),
        ElementKind::Hexahedron => Mapping::<8, 3>::new(Rule::Matrix, 1.0).signed(mesh, 0),
        kind => return Err(FormError::Kind { element: 1, kind }),
    };
    Ok(if measure < 0.0 { -1.0 } else { 1.0 })
}

/// Maps one kind of reference element.
struct Mapping<const N: usize, const D: usize> {
    places: Vec<QuadraturePoint<N, D>>,
    samples: Vec<Sample<N, D>>,
    sense: f64,
}

impl<const N: usize, const D: usize> Mapping<N, D> {
    fn new(rule: Rule, sense: f64) -> Mapping<N, D> {
        let places = QuadraturePoint::all(rule);
        let sample = |place: &QuadraturePoint<N, D>| Sample {
            weight: 0.0,
            point: [0.0; 3],
            values: place.values,
            gradients: [[0.0; D]; N],
        };
        let samples = places.iter().map(sample).collect();
        Mapping { places, samples, sense }
    }

    /// The samples of an element.
    fn map(&mut self, mesh: &Mesh, element: usize) -> Result<&[Sample<N, D>], FormError> {
        let corners = corners::<N>(mesh, element);
        if D == 2 {
            flat(mesh, element, &corners)?;
        }
        let (mut determinant, mut valid) = (0.0, true);
        for (q, (place, sample)) in self.places.iter().zip(&mut self.samples).enumerate() {
            if q == 0 || !QuadraturePoint::<N, D>::SIMPLEX {
                let (signed, inverse) = invert(&jacobian(&corners, &place.gradients));
                determinant = signed * self.sense;
                valid &= determinant > 0.0 && determinant.is_finite();
                for (gradient, slope) in sample.gradients.iter_mut().zip(&place.gradients) {
                    for (i, entry) in gradient.iter_mut().enumerate() {
                        *entry = (0..D).map(|k| inverse[k][i] * slope[k]).sum();
                    }
                }
            }
            sample.weight = place.weight * determinant;
            for (i, x) in sample.point.iter_mut().enumerate() {
                *x = (0..N).map(|a| place.values[a] * corners[a][i]).sum();
            }
        }
        if QuadraturePoint::<N, D>::SIMPLEX {
            let gradients = self.samples[0].gradients;
            self.samples[1..].iter_mut().for_each(|sample| sample.gradients = gradients);
        }
        if valid { Ok(&self.samples) } else { Err(self.inverted(mesh, element)) }
    }

    /// Determinants of an element at all places, in the given sense.
    fn determinants(&self, mesh: &Mesh, element: usize) -> impl Iterator<Item = f64> {
        let corners = corners::<N>(mesh, element);
        let at =
            move |place: &QuadraturePoint<N, D>| invert(&jacobian(&corners, &place.gradients)).0;
        self.places.iter().map(move |place| self.sense * at(place))
    }

    /// The measure of an element, with its sign.
    fn signed(&self, mesh: &Mesh, element: usize) -> f64 {
        let weights = self.places.iter().map(|place| place.weight);
        weights.zip(self.determinants(mesh, element)).map(|(w, det)| w * det).sum()
    }

    #[cold]
    fn inverted(&self, mesh: &Mesh, element: usize) -> FormError {
        FormError::Inverted {
            element: element + 1,
            kind: mesh.elements().kind(element),
            measure: if D == 2 { "area" } else { "volume" },
            value: self.signed(mesh, element),
            least: self.determinants(mesh, element).fold(f64::INFINITY, f64::min),
        }
    }
}

#[inline]
fn corners<const N: usize>(mesh: &Mesh, element: usize) -> [Point; N] {
    let nodes = &mesh.elements().nodes(element)[..N];
    let mut corners = [[0.0; 3]; N];
    for (corner, &node) in corners.iter_mut().zip(nodes) {
        *corner = mesh.points()[node as usize];
    }
    corners
}

/// A plane element lies in a plane `z = const`, but for rounding.
#[inline]
fn flat<const N: usize>(
    mesh: &Mesh,
    element: usize,
    corners: &[Point; N],
) -> Result<(), FormError> {
    let first = corners[0];
    if corners.iter().all(|p| p[2] == first[2]) {
        return Ok(());
    }
    let ends = |axis: usize| {
        let along = corners.iter().map(|p| p[axis]);
        [along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max)]
    };
    let [x, y, z] = [0, 1, 2].map(ends);
    if z[1] - z[0] <= FLAT * (x[1] - x[0]).max(y[1] - y[0]) {
        return Ok(());
    }
    Err(FormError::Space { element: element + 1, kind: mesh.elements().kind(element), z })
}

/// Row `i`, column `k`: how coordinate `i` changes along reference coordinate `k`. Edges from
/// the first corner keep small elements far from the origin exact.
#[inline]
fn jacobian<const N: usize, const D: usize>(
    corners: &[Point; N],
    gradients: &[[f64; D]; N],
) -> [[f64; D]; D] {
    let mut matrix = [[0.0; D]; D];
    for (i, row) in matrix.iter_mut().enumerate() {
        for (k, entry) in row.iter_mut().enumerate() {
            *entry = (1..N).map(|a| (corners[a][i] - corners[0][i]) * gradients[a][k]).sum();
        }
    }
    matrix
}

/// The determinant and the inverse of a matrix of order 2 or 3.
#[inline]
fn invert<const D: usize>(m: &[[f64; D]; D]) -> (f64, [[f64; D]; D]) {
    // The entry of the adjugate in row `i` and column `k`, indices going around.
    let minor = |i: usize, k: usize| match D {
        2 => (if i == k { 1.0 } else { -1.0 }) * m[1 - k][1 - i],
        _ => {
            let (r, s, c, d) = ((k + 1) % 3, (k + 2) % 3, (i + 1) % 3, (i + 2) % 3);
            m[r][c] * m[s][d] - m[r][d] * m[s][c]
        }
    };
    let determinant = (0..D).map(|k| m[0][k] * minor(k, 0)).sum::<f64>();
    let scale = 1.0 / determinant;
    let mut inverse = [[0.0; D]; D];
    for (i, row) in inverse.iter_mut().enumerate() {
        for (k, entry) in row.iter_mut().enumerate() {
            *entry = minor(i, k) * scale;
        }
    }
    (determinant, inverse)
}
