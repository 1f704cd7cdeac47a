//! Patch tests: what is linear is reproduced on any mesh, to rounding.

use crate::discretisation::support::{KINDS, apart, distorted, product, sides, solve};
use palmette_core::Mesh;
use palmette_core::mesh::Point;
use palmette_mesh::element::{
    Assembler, Coefficient, Conditions, Fix, Form, Load, Plane, Submesh, Value,
};

/// Fixes all sides as a function of point and component says.
fn all_sides(mesh: &Mesh, d: usize, u: fn(Point, usize) -> f64) -> Conditions {
    let fix = |side: &str, c: usize| Fix::new(side, Value::function(move |p| u(p, c))).component(c);
    let fixes: Vec<Fix> = sides(mesh).flat_map(|side| (0..d).map(move |c| fix(side, c))).collect();
    Conditions::new(mesh, d, &fixes).unwrap()
}

fn nodal(mesh: &Mesh, d: usize, u: impl Fn(Point, usize) -> f64) -> Vec<f64> {
    mesh.points().iter().flat_map(|&p| (0..d).map(|c| u(p, c)).collect::<Vec<_>>()).collect()
}

/// The residual is rounding only, and so is the distance of the answer.
fn check(mesh: &Mesh, conditions: &Conditions, form: &Form, load: &Load, u: &[f64], size: f64) {
    let whole = Submesh::whole(mesh);
    let assembler = Assembler::new(&whole, conditions).unwrap();
    let a = assembler.matrix(form).unwrap();
    let b = assembler.rhs(form, assembler.load(load).unwrap()).unwrap();
    assert!(apart(&product(&a, u), &b) < 1e-14 * size, "{:e}", apart(&product(&a, u), &b));
    let found = solve(&a, &b);
    assert!(apart(&found, u) < 1e-13, "{:e}", apart(&found, u));
}

fn no_load(d: usize) -> Load {
    Load::sources(vec![0.0; d])
}

#[test]
fn linear_potentials() {
    let u = |p: Point, _: usize| 0.3 + p[0] - 0.7 * p[1] + 0.4 * p[2];
    for kind in KINDS {
        for seed in 0..3 {
            let mesh = distorted(kind, 5, seed);
            let conditions = all_sides(&mesh, 1, u);
            let form = Form::stiffness(2.5);
            check(&mesh, &conditions, &form, &no_load(1), &nodal(&mesh, 1, u), 10.0);
        }
    }
}

#[test]
fn linear_displacements() {
    let u = |p: Point, c: usize| match c {
        0 => 0.1 + 0.4 * p[0] - 0.2 * p[1] + 0.3 * p[2],
        1 => 0.7 * p[0] + 0.5 * p[1] - 0.1 * p[2],
        _ => -0.2 * p[0] + 0.3 * p[1] + 0.6 * p[2],
    };
    for kind in KINDS {
        let mesh = distorted(kind, 4, 11);
        let d = usize::from(mesh.dimension());
        let conditions = all_sides(&mesh, d, u);
        for plane in [Plane::Strain, Plane::Stress] {
            if d == 3 && plane == Plane::Stress {
                continue;
            }
            let form = Form::elasticity(3.0, 0.3, plane);
            check(&mesh, &conditions, &form, &no_load(d), &nodal(&mesh, d, u), 20.0);
        }
    }
}

/// Symmetry at three sides, a pull at the fourth, the others free: a bar in tension.
#[test]
fn a_bar_in_tension() {
    let (young, poisson) = (2.0, 0.3);
    for kind in KINDS {
        let mesh = distorted(kind, 4, 3);
        let d = usize::from(mesh.dimension());
        let low = ["left", "bottom", "back"].into_iter().take(d).enumerate();
        let fixes: Vec<Fix> = low.map(|(c, side)| Fix::new(side, 0.0).component(c)).collect();
        let conditions = Conditions::new(&mesh, d, &fixes).unwrap();
        let load = Load::traction("right", [1.0, 0.0, 0.0].into_iter().take(d));
        let thin = [1.0 / young, -poisson / young];
        let long = [(1.0 - poisson * poisson) / young, -poisson * (1.0 + poisson) / young];
        let laws = [(Plane::Strain, if d == 3 { thin } else { long }), (Plane::Stress, thin)];
        for (plane, [along, across]) in laws.into_iter().take(4 - d) {
            let u = |p: Point, c: usize| if c == 0 { along * p[0] } else { across * p[c] };
            let form = Form::elasticity(young, poisson, plane);
            check(&mesh, &conditions, &form, &load, &nodal(&mesh, d, u), 20.0);
        }
    }
}

#[test]
fn rigid_motions_give_no_force() {
    for kind in KINDS {
        let mesh = distorted(kind, 4, 5);
        let d = usize::from(mesh.dimension());
        let whole = Submesh::whole(&mesh);
        let free = Conditions::none(d).unwrap();
        let assembler = Assembler::new(&whole, &free).unwrap();
        let young = Coefficient::from(Value::function(|p| 1.0 + p[0] * p[1]));
        let a = assembler.matrix(&Form::elasticity(young, 0.25, Plane::Strain)).unwrap();
        for shift in 0..d {
            let u = nodal(&mesh, d, |_, c| f64::from(u8::from(c == shift)));
            assert!(product(&a, &u).iter().all(|f| f.abs() < 1e-14), "{kind}");
        }
        for (i, j) in [(0, 1), (1, 2), (2, 0)].into_iter().take(if d == 2 { 1 } else { 3 }) {
            let turn = |p: Point, c: usize| match c {
                c if c == i => -p[j],
                c if c == j => p[i],
                _ => 0.0,
            };
            let force = product(&a, &nodal(&mesh, d, turn));
            assert!(force.iter().all(|f| f.abs() < 1e-14), "{kind}");
        }
    }
}
