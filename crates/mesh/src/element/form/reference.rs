//! Reference elements: shape functions, and points to integrate with.
//!
//! Simplices are `x ≥ 0, Σ x ≤ 1`, the others unit squares and cubes; corners are in the order
//! of [`ElementKind`](palmette_core::mesh::ElementKind).
//!
//! | element | points | exact for |
//! |---|---|---|
//! | line, triangle, tetrahedron | 2, 3, 4 | polynomials of degree 2 |
//! | quadrilateral, hexahedron | 2 × 2, 2 × 2 × 2 | degree 3 in each coordinate |
//!
//! So with constant coefficients: all matrices of triangles and tetrahedra are exact, and the
//! masses of quadrilaterals and of parallelepipeds. Measures, row sums of masses and
//! integrals of gradients are exact for all, also for hexahedra with curved faces, which is
//! what patch tests need. The rest is right to the order of the elements. Lumped masses are
//! positive, since all points lie inside and shape functions are positive there.
//!
//! The fine rule has four Gauss points in each direction, in simplices collapsed towards a
//! corner: exact for degree 7 in each coordinate, 6 in triangles, 5 in tetrahedra.

/// Which points to integrate with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// As few as matrices need.
    Matrix,
    /// Many, to measure errors.
    Fine,
}

/// A point to integrate with, in an element of `N` nodes and `D` dimensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuadraturePoint<const N: usize, const D: usize> {
    pub(super) weight: f64,
    /// The shape functions.
    pub(super) values: [f64; N],
    /// Their gradients.
    pub(super) gradients: [[f64; D]; N],
}

/// The corners of a cube; the first four have a square's.
const CORNERS: [[u8; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

impl<const N: usize, const D: usize> QuadraturePoint<N, D> {
    /// Whether the element is a simplex: its gradients are constant.
    pub(super) const SIMPLEX: bool = N == D + 1;

    pub(super) fn all(rule: Rule) -> Vec<QuadraturePoint<N, D>> {
        match rule {
            Rule::Matrix if Self::SIMPLEX => Self::inner(),
            Rule::Matrix => {
                let half = 0.5 / 3.0_f64.sqrt();
                Self::product(&[(0.5 - half, 0.5), (0.5 + half, 0.5)])
            }
            Rule::Fine => Self::product(&gauss_of_four()),
        }
    }

    /// A point for each corner of a simplex, on the line from there to the middle.
    fn inner() -> Vec<QuadraturePoint<N, D>> {
        let far = (1.0 - 1.0 / (D as f64 + 2.0).sqrt()) / (D as f64 + 1.0);
        let near = 1.0 - D as f64 * far;
        let measure = 1.0 / (1..=D).product::<usize>() as f64;
        let point =
            |corner: usize| std::array::from_fn(|i| if i + 1 == corner { near } else { far });
        (0..N).map(|corner| Self::at(point(corner), measure / N as f64)).collect()
    }

    /// All combinations of points and weights on a line, collapsed for simplices.
    fn product(line: &[(f64, f64)]) -> Vec<QuadraturePoint<N, D>> {
        let combine = |number: usize| {
            let (mut weight, mut rest) = (1.0, 1.0);
            let point = std::array::from_fn(|i| {
                let (x, w) = line[number / line.len().pow(i as u32) % line.len()];
                if !Self::SIMPLEX {
                    weight *= w;
                    return x;
                }
                // What earlier coordinates leave is both the scale and the Jacobian.
                let scale = rest;
                weight *= w * scale;
                rest *= 1.0 - x;
                x * scale
            });
            Self::at(point, weight)
        };
        (0..line.len().pow(D as u32)).map(combine).collect()
    }

    fn at(point: [f64; D], weight: f64) -> QuadraturePoint<N, D> {
        let (mut values, mut gradients) = ([0.0; N], [[0.0; D]; N]);
        for (a, (value, gradient)) in values.iter_mut().zip(&mut gradients).enumerate() {
            if Self::SIMPLEX {
                *value = if a == 0 { 1.0 - point.iter().sum::<f64>() } else { point[a - 1] };
                *gradient = std::array::from_fn(|i| match a {
                    0 => -1.0,
                    _ => f64::from(u8::from(i + 1 == a)),
                });
                continue;
            }
            let upper = |i: usize| CORNERS[a][i] == 1;
            let factor = |i: usize| if upper(i) { point[i] } else { 1.0 - point[i] };
            *value = (0..D).map(factor).product();
            *gradient = std::array::from_fn(|i| {
                let others: f64 = (0..D).filter(|&j| j != i).map(factor).product();
                if upper(i) { others } else { -others }
            });
        }
        QuadraturePoint { weight, values, gradients }
    }
}

/// Points and weights on the unit line.
fn gauss_of_four() -> [(f64, f64); 4] {
    let spread = 2.0 / 7.0 * 1.2_f64.sqrt();
    let (near, far) = ((3.0 / 7.0 - spread).sqrt() / 2.0, (3.0 / 7.0 + spread).sqrt() / 2.0);
    let (heavy, light) = ((18.0 + 30.0_f64.sqrt()) / 72.0, (18.0 - 30.0_f64.sqrt()) / 72.0);
    [(0.5 - far, light), (0.5 - near, heavy), (0.5 + near, heavy), (0.5 + far, light)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `∫ Π x_i^{p_i}` over the reference element.
    fn exact<const D: usize>(simplex: bool, powers: [usize; D]) -> f64 {
        let factorial = |n: usize| (1..=n).product::<usize>() as f64;
        let total: usize = powers.iter().sum();
        if simplex {
            powers.iter().map(|&p| factorial(p)).product::<f64>() / factorial(total + D)
        } else {
            powers.iter().map(|&p| 1.0 / (p as f64 + 1.0)).product()
        }
    }

    /// All monomials up to a degree: of each coordinate, or of all together in simplices.
    fn check<const N: usize, const D: usize>(rule: Rule, degree: usize) {
        let simplex = QuadraturePoint::<N, D>::SIMPLEX;
        let places = QuadraturePoint::<N, D>::all(rule);
        let corner = |a: usize, i: usize| match simplex {
            true => f64::from(u8::from(i + 1 == a)),
            false => f64::from(CORNERS[a][i]),
        };
        for number in 0..(degree + 1).pow(D as u32) {
            let powers: [usize; D] =
                std::array::from_fn(|i| number / (degree + 1).pow(i as u32) % (degree + 1));
            if simplex && powers.iter().sum::<usize>() > degree {
                continue;
            }
            let sum: f64 = places
                .iter()
                .map(|place| {
                    // Coordinates by the shape functions: they reproduce them.
                    let x = |i: usize| (0..N).map(|a| place.values[a] * corner(a, i)).sum::<f64>();
                    place.weight * (0..D).map(|i| x(i).powi(powers[i] as i32)).product::<f64>()
                })
                .sum();
            let expected = exact(simplex, powers);
            assert!((sum - expected).abs() < 1e-15, "{N} {D} {powers:?}: {sum} {expected}");
        }
        for place in &places {
            assert!(place.weight > 0.0 && place.values.iter().all(|&value| value > 0.0));
            assert!((place.values.iter().sum::<f64>() - 1.0).abs() < 1e-15);
            for i in 0..D {
                for j in 0..D {
                    let slope: f64 = (0..N).map(|a| place.gradients[a][i] * corner(a, j)).sum();
                    assert!((slope - f64::from(u8::from(i == j))).abs() < 1e-15);
                }
            }
        }
    }

    #[test]
    fn rules_are_as_exact_as_stated() {
        check::<2, 1>(Rule::Matrix, 2);
        check::<3, 2>(Rule::Matrix, 2);
        check::<4, 3>(Rule::Matrix, 2);
        check::<4, 2>(Rule::Matrix, 3);
        check::<8, 3>(Rule::Matrix, 3);
        check::<3, 2>(Rule::Fine, 6);
        check::<4, 3>(Rule::Fine, 5);
        check::<4, 2>(Rule::Fine, 7);
        check::<8, 3>(Rule::Fine, 7);
    }
}
