//! A field inside of an element: linear in a triangle, bilinear in a quadrilateral.
//!
//! **Method.** A point of a quadrilateral is `a + u e + v f + u v g`; eliminating `u` leaves a
//! quadratic equation for `v`, of which the root nearest to the middle of 0 and 1 counts.

type Point = (f64, f64);

/// A field over the points of an element.
pub(super) enum Patch {
    /// The value at a point, and how it grows along both axes.
    Linear { at: Point, value: f64, slope: Point, ends: (f64, f64) },
    /// The corner `a`, the vectors `e`, `f`, `g`, and the values at the corners.
    Bilinear { a: Point, e: Point, f: Point, g: Point, values: [f64; 4] },
}

impl Patch {
    /// For three corners, or four in order.
    pub(super) fn new(corners: &[Point], values: &[f64]) -> Patch {
        match (corners, values) {
            (&[a, b, c, d], &[s, t, u, v]) => {
                let (e, f) = (minus(b, a), minus(d, a));
                Patch::Bilinear { a, e, f, g: minus(minus(c, b), f), values: [s, t, u, v] }
            }
            (&[at, b, c], &[value, s, t]) => {
                let (e, f) = (minus(b, at), minus(c, at));
                let area = cross(e, f);
                let (s, t) = (s - value, t - value);
                let slope = ((s * f.1 - t * e.1) / area, (t * e.0 - s * f.0) / area);
                let flat = !(slope.0.is_finite() && slope.1.is_finite());
                let ends = crate::scale::range(values.iter().copied());
                Patch::Linear { at, value, slope: if flat { (0.0, 0.0) } else { slope }, ends }
            }
            _ => unreachable!("elements have three or four corners, and a value at each"),
        }
    }

    /// The value at a point inside.
    pub(super) fn at(&self, point: Point) -> f64 {
        match *self {
            Patch::Linear { at, value, slope, ends } => {
                let h = minus(point, at);
                (value + slope.0 * h.0 + slope.1 * h.1).clamp(ends.0, ends.1)
            }
            Patch::Bilinear { a, e, f, g, values: [s, t, x, y] } => {
                let (u, v) = place(minus(point, a), e, f, g);
                let (low, high) = (s + (t - s) * u, y + (x - y) * u);
                low + (high - low) * v
            }
        }
    }
}

/// The `u` and `v` of the point `h`, from 0 to 1.
fn place(h: Point, e: Point, f: Point, g: Point) -> Point {
    let [k2, k1, k0] = [cross(g, f), cross(e, f) + cross(h, g), cross(h, e)];
    // The sum has no cancellation; one root comes from the other.
    let q = -0.5 * (k1 + k1.signum() * (k1 * k1 - 4.0 * k2 * k0).max(0.0).sqrt());
    let off = |root: &f64| if root.is_finite() { (root - 0.5).abs() } else { f64::INFINITY };
    let v = if off(&(k0 / q)) <= off(&(q / k2)) { k0 / q } else { q / k2 };
    let v = if v.is_finite() { v.clamp(0.0, 1.0) } else { 0.5 };
    let side = (e.0 + g.0 * v, e.1 + g.1 * v);
    let rest = (h.0 - f.0 * v, h.1 - f.1 * v);
    let u = if side.0.abs() > side.1.abs() { rest.0 / side.0 } else { rest.1 / side.1 };
    (if u.is_finite() { u.clamp(0.0, 1.0) } else { 0.5 }, v)
}

fn minus(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

fn cross(a: Point, b: Point) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_are_linear() {
        let field = |p: Point| 2.0 - 0.25 * p.0 + 0.5 * p.1;
        let corners = [(1.0, 2.0), (9.0, 3.0), (4.0, 8.0)];
        let patch = Patch::new(&corners, &corners.map(field));
        for point in [(4.0, 4.0), (5.0, 3.0), (4.0, 7.5)] {
            assert!((patch.at(point) - field(point)).abs() < 1e-14);
        }
        // A flat one has a value all the same, and none beyond its corners.
        let flat = Patch::new(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)], &[0.2, 0.4, 0.9]);
        assert!((0.2..=0.9).contains(&flat.at((1.5, 1.5))));
    }

    /// Points of given `u` and `v` in quadrilaterals of all forms, in both directions.
    #[test]
    fn quadrilaterals_are_bilinear() {
        for mut corners in [
            [(0.0, 0.0), (6.0, 0.0), (6.0, 4.0), (0.0, 4.0)],
            [(0.0, 0.0), (6.0, 1.0), (7.0, 5.0), (1.0, 4.0)],
            [(0.0, 0.0), (9.0, -2.0), (6.0, 7.0), (1.0, 4.0)],
            [(0.0, 0.0), (8.0, 0.0), (5.0, 3.0), (3.0, 3.0)],
            [(0.0, 0.0), (3.0, -3.0), (3.0, 5.0), (0.0, 8.0)],
        ] {
            for turn in 0..8 {
                corners.rotate_left(1);
                if turn == 4 {
                    corners.reverse();
                }
                let [a, b, c, d] = corners;
                let values = [0.1, 0.9, 0.3, 0.7];
                let patch = Patch::new(&corners, &values);
                for (u, v) in [(0.5, 0.5), (0.1, 0.8), (0.95, 0.02), (0.0, 1.0), (1.0, 0.3)] {
                    let mix = |w: [f64; 4]| {
                        let (low, high) = (w[0] + (w[1] - w[0]) * u, w[3] + (w[2] - w[3]) * u);
                        low + (high - low) * v
                    };
                    let point = (mix([a.0, b.0, c.0, d.0]), mix([a.1, b.1, c.1, d.1]));
                    let found = patch.at(point);
                    assert!((found - mix(values)).abs() < 1e-12, "{corners:?} {u} {v}: {found}");
                }
            }
        }
    }
}
