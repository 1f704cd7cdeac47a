//! Symmetry, row sums and sizes of matrices; single elements under random affine maps.

use crate::discretisation::support::{KINDS, distorted, dot, product, unit};
use palmette_core::Mesh;
use palmette_core::mesh::{Cells, ElementKind, Point};
use palmette_mesh::element::{
    Assembler, Coefficient, Conditions, Form, Load, Plane, Submesh, Value, h1_error, l2_error,
};
use palmette_mesh::spmv::Csr;
use proptest::prelude::*;

fn free(mesh: &Mesh, d: usize, form: &Form) -> Csr {
    let (whole, conditions) = (Submesh::whole(mesh), Conditions::none(d).unwrap());
    Assembler::new(&whole, &conditions).unwrap().matrix(form).unwrap()
}

fn assert_symmetric(a: &Csr) {
    for row in 0..a.rows() {
        let (columns, values) = a.row(row);
        assert!(columns.is_sorted_by(|a, b| a < b));
        for (&column, &value) in columns.iter().zip(values) {
            let (mirror, entries) = a.row(column as usize);
            let place = mirror.binary_search(&(row as u32)).unwrap();
            assert_eq!(entries[place], value, "{row} {column}");
        }
    }
}

#[test]
fn symmetric_to_the_last_bit_and_row_sums_vanish() {
    for kind in KINDS {
        let mesh = distorted(kind, 4, 1);
        let d = usize::from(mesh.dimension());
        let k = Coefficient::from(Value::function(|p| 1.0 + p[0]));
        let elastic = Form::elasticity(k.clone(), 0.4, Plane::Strain);
        for (components, form) in
            [(1, Form::stiffness(k.clone())), (d, Form::stiffness(k)), (d, elastic)]
        {
            let a = free(&mesh, components, &form);
            assert_symmetric(&a);
            let sums = product(&a, &vec![1.0; a.rows()]);
            assert!(sums.iter().all(|sum| sum.abs() < 1e-13), "{kind}");
        }
        assert_symmetric(&free(&mesh, d, &(Form::mass(2.0) + 0.5 * Form::stiffness(1.0))));
    }
}

#[test]
fn masses_add_up_to_the_measure() {
    for kind in KINDS {
        let mesh = distorted(kind, 4, 2);
        for d in 1..=3 {
            let mass = free(&mesh, d, &Form::mass(3.0));
            let (whole, conditions) = (Submesh::whole(&mesh), Conditions::none(d).unwrap());
            let assembler = Assembler::new(&whole, &conditions).unwrap();
            let lumped = assembler.lumped(3.0).unwrap();
            assert!(lumped.iter().all(|&m| m > 0.0));
            for c in 0..d {
                let one: Vec<f64> =
                    (0..mass.rows()).map(|i| f64::from(u8::from(i % d == c))).collect();
                let rows = product(&mass, &one);
                assert!((dot(&rows, &one) - 3.0).abs() < 1e-13, "{kind}");
                assert!((dot(&lumped, &one) - 3.0).abs() < 1e-13, "{kind}");
                // Lumped masses are row sums; components do not mix.
                let wanted: Vec<f64> = lumped.iter().zip(&one).map(|(m, one)| m * one).collect();
                assert!(rows.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-15));
            }
        }
    }
}

/// `∫ (xy)²` and `∫ |∇(xy)|²` over the unit square, from matrices and from norms.
#[test]
fn quadratic_forms_are_integrals() {
    let mesh = unit("quadrilaterals", 6, |p| p);
    let u: Vec<f64> = mesh.points().iter().map(|p| p[0] * p[1]).collect();
    let mass = dot(&u, &product(&free(&mesh, 1, &Form::mass(1.0)), &u));
    assert!((mass - 1.0 / 9.0).abs() < 1e-15);
    let stiffness = dot(&u, &product(&free(&mesh, 1, &Form::stiffness(1.0)), &u));
    assert!((stiffness - 2.0 / 3.0).abs() < 1e-14);
    let whole = Submesh::whole(&mesh);
    assert!((l2_error(&whole, 1, &u, |_, _| 0.0).unwrap().powi(2) - mass).abs() < 1e-15);
    assert!((h1_error(&whole, 1, &u, |_, _| [0.0; 3]).unwrap().powi(2) - stiffness).abs() < 1e-14);
    assert!(h1_error(&whole, 1, &u, |p, _| [p[1], p[0], 9.0]).unwrap() < 1e-14);
}

/// A full block for each pair of nodes that share an element.
#[test]
fn entries_are_those_of_pairs_that_meet() {
    let mesh = distorted("mixed", 3, 4);
    let graph = palmette_mesh::element::node_graph(&mesh);
    for d in 1..=3 {
        let a = free(&mesh, d, &Form::mass(1.0));
        assert_eq!(a.entries(), d * d * (2 * graph.edge_count() + graph.len()));
        assert_eq!(a.rows(), d * graph.len());
    }
}

const CORNERS: [[f64; 3]; 8] = [
    [0., 0., 0.],
    [1., 0., 0.],
    [1., 1., 0.],
    [0., 1., 0.],
    [0., 0., 1.],
    [1., 0., 1.],
    [1., 1., 1.],
    [0., 1., 1.],
];

/// One element: the image of the reference element under `x ↦ m x + shift`, and its measure.
fn image(kind: ElementKind, m: [[f64; 3]; 3], shift: Point) -> Option<(Mesh, f64)> {
    let corners: &[usize] = match kind {
        ElementKind::Triangle => &[0, 1, 3],
        ElementKind::Quadrilateral => &[0, 1, 2, 3],
        ElementKind::Tetrahedron => &[0, 1, 3, 4],
        _ => &[0, 1, 2, 3, 4, 5, 6, 7],
    };
    let plane = kind.dimension() == 2;
    let at = |p: Point| {
        std::array::from_fn(|i| match (plane, i) {
            (true, 2) => shift[2],
            _ => shift[i] + (0..3).map(|k| m[i][k] * p[k]).sum::<f64>(),
        })
    };
    let points = corners.iter().map(|&c| at(CORNERS[c])).collect();
    let flat = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    let solid = (0..3)
        .map(|k| {
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            m[0][k] * (m[1][a] * m[2][b] - m[1][b] * m[2][a])
        })
        .sum::<f64>();
    let share = match kind {
        ElementKind::Triangle => 0.5,
        ElementKind::Tetrahedron => 1.0 / 6.0,
        _ => 1.0,
    };
    let measure = share * if plane { flat } else { solid }.abs();
    let nodes = (0..corners.len() as u32).collect();
    let mesh = Mesh::new(points, Cells::of_kind(kind, nodes, 0)).ok()?;
    (measure > 0.05).then_some((mesh, measure))
}

const ELEMENTS: [ElementKind; 4] = [
    ElementKind::Triangle,
    ElementKind::Quadrilateral,
    ElementKind::Tetrahedron,
    ElementKind::Hexahedron,
];

fn number() -> impl Strategy<Value = f64> {
    -2.0..2.0
}

fn matrix() -> impl Strategy<Value = [[f64; 3]; 3]> {
    prop::array::uniform3(prop::array::uniform3(number()))
}

proptest! {
    /// The energy of a linear displacement is that of its constant strain.
    #[test]
    fn energies_of_affine_images(
        m in matrix(), slope in matrix(), shift in prop::array::uniform3(number()),
        young in 0.1..5.0, poisson in -0.5..0.45, which in 0usize..4, stress: bool,
    ) {
        let Some((mesh, measure)) = image(ELEMENTS[which], m, shift) else { return Ok(()) };
        let d = usize::from(mesh.dimension());
        // Rounding: that of the terms, which cancel, and of the flatter images' gradients.
        let energy = |matrix: &Csr, u: &[f64]| {
            let row = |i: usize| matrix.row(i).0.iter().zip(matrix.row(i).1);
            let terms = (0..u.len()).flat_map(|i| row(i).map(move |(&j, a)| (i, j, a)));
            let size: f64 = terms.map(|(i, j, a)| (u[i] * a * u[j as usize]).abs()).sum();
            (dot(u, &product(matrix, u)), 1e-14 * (1.0 + size) * (1.0 + 16.0 / measure))
        };
        let close = |(a, bound): (f64, f64), b: f64| (a - b).abs() <= bound;
        let linear = |p: &Point, c: usize| (0..d).map(|i| slope[c][i] * p[i]).sum::<f64>();
        let u: Vec<f64> = mesh.points().iter().map(|p| linear(p, 0)).collect();
        let found = energy(&free(&mesh, 1, &Form::stiffness(young)), &u);
        let squares = |c: usize| (0..d).map(|i| slope[c][i] * slope[c][i]).sum::<f64>();
        let expected = young * measure * squares(0);
        prop_assert!(close(found, expected), "{found:?} {expected}");

        let u: Vec<f64> =
            mesh.points().iter().flat_map(|p| (0..d).map(move |c| linear(p, c))).collect();
        let plane = if stress && d == 2 { Plane::Stress } else { Plane::Strain };
        let form = Form::elasticity(young, poisson, plane);
        let found = energy(&free(&mesh, d, &form), &u);
        let strain = |i: usize, j: usize| (slope[i][j] + slope[j][i]) / 2.0;
        let all: f64 = (0..d * d).map(|k| strain(k / d, k % d).powi(2)).sum();
        let trace: f64 = (0..d).map(|i| strain(i, i)).sum();
        // Energy densities by textbook: the trace's part depends on what is across.
        let shear = young / (2.0 * (1.0 + poisson));
        let rest = if plane == Plane::Stress { 1.0 - poisson } else { 1.0 - 2.0 * poisson };
        let bulk = 2.0 * shear * poisson / rest;
        let density = bulk * trace * trace + 2.0 * shear * all;
        prop_assert!(close(found, measure * density), "{found:?} {}", measure * density);
    }

    /// Masses of simplices and parallelepipeds in closed form; a constant load is lumped.
    #[test]
    fn masses_of_affine_images(
        m in matrix(), shift in prop::array::uniform3(number()), which in 0usize..4,
    ) {
        let Some((mesh, measure)) = image(ELEMENTS[which], m, shift) else { return Ok(()) };
        let mass = free(&mesh, 1, &Form::mass(1.0));
        let n = mass.rows();
        for (a, b) in (0..n * n).map(|k| (k / n, k % n)) {
            let share = match ELEMENTS[which] {
                ElementKind::Triangle => if a == b { 1.0 / 6.0 } else { 1.0 / 12.0 },
                ElementKind::Tetrahedron => if a == b { 0.1 } else { 0.05 },
                // A third for every coordinate that corners share, a sixth for others.
                _ => (0..usize::from(mesh.dimension()))
                    .map(|i| if CORNERS[a][i] == CORNERS[b][i] { 1.0 / 3.0 } else { 1.0 / 6.0 })
                    .product(),
            };
            prop_assert!((mass.row(a).1[b] - measure * share).abs() < 1e-13 * (1.0 + measure));
        }
        let (whole, conditions) = (Submesh::whole(&mesh), Conditions::none(1).unwrap());
        let assembler = Assembler::new(&whole, &conditions).unwrap();
        let lumped = assembler.lumped(4.0).unwrap();
        prop_assert!(lumped.iter().all(|&x| x > 0.0));
        prop_assert_eq!(lumped, assembler.load(&Load::source(4.0)).unwrap());
    }
}
