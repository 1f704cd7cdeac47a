//! Fluxes against exact integrals; what conditions make of matrices and right-hand sides.

use crate::discretisation::support::{KINDS, apart, distorted, dot, product};
use palmette_core::Mesh;
use palmette_core::mesh::{Cells, ElementKind, Group};
use palmette_mesh::element::{
    Assembler, Coefficient, Conditions, Fix, Form, FormError, Load, Submesh, Value,
};

/// With shape functions that reproduce linear functions, loads of linear fluxes have the right
/// integrals against them.
#[test]
fn linear_fluxes_have_the_exact_moments() {
    for kind in KINDS {
        let mesh = distorted(kind, 3, 8);
        let (whole, free) = (Submesh::whole(&mesh), Conditions::none(1).unwrap());
        let assembler = Assembler::new(&whole, &free).unwrap();
        let load = Load::flux("top", Value::function(|p| 1.0 + 3.0 * p[0]));
        let f = assembler.load(&load).unwrap();
        // Over y = 1: ∫ 1 + 3x, ∫ (1 + 3x) x, ∫ (1 + 3x) y.
        let moment = |of: fn([f64; 3]) -> f64| {
            let values: Vec<f64> = mesh.points().iter().map(|&p| of(p)).collect();
            dot(&values, &f)
        };
        assert!((moment(|_| 1.0) - 2.5).abs() < 1e-14, "{kind}");
        assert!((moment(|p| p[0]) - 1.5).abs() < 1e-14, "{kind}");
        assert!((moment(|p| p[1]) - 2.5).abs() < 1e-14, "{kind}");
        let on_top = |i: usize| mesh.points()[i][1] == 1.0;
        assert!((0..f.len()).all(|i| (f[i] != 0.0) == on_top(i)), "{kind}");
    }
}

/// Gauss: what flows through the boundary comes from inside.
#[test]
fn sources_and_fluxes_balance() {
    for kind in KINDS {
        let mesh = distorted(kind, 3, 9);
        let (whole, free) = (Submesh::whole(&mesh), Conditions::none(1).unwrap());
        let assembler = Assembler::new(&whole, &free).unwrap();
        // The field (x², …) has divergence 2x and flux 1 through the right side only.
        let source = Load::source(Value::function(|p| -2.0 * p[0]));
        let f = assembler.load(&(source + Load::flux("right", 1.0))).unwrap();
        assert!(f.iter().sum::<f64>().abs() < 1e-14, "{kind}");
    }
}

#[test]
fn tractions_and_sources_by_component() {
    let mesh = distorted("hexahedra", 2, 1);
    let (whole, free) = (Submesh::whole(&mesh), Conditions::none(3).unwrap());
    let assembler = Assembler::new(&whole, &free).unwrap();
    let pull = Load::traction("front", [1.0, 2.0, 3.0]) + Load::sources([10.0, 20.0, 30.0]);
    let f = assembler.load(&pull).unwrap();
    for c in 0..3 {
        let sum: f64 = f.iter().skip(c).step_by(3).sum();
        assert!((sum - 11.0 * (c as f64 + 1.0)).abs() < 1e-13);
    }
}

/// Rows and columns of fixed unknowns are those of the identity; the right-hand side is
/// `F − A g` of the free matrix.
#[test]
fn fixed_unknowns_are_taken_out() {
    for kind in KINDS {
        let mesh = distorted(kind, 3, 6);
        let d = usize::from(mesh.dimension());
        let last = d - 1;
        let fixes = [
            Fix::new("left", Value::function(|p| 1.0 + p[1])),
            Fix::new("top", 5.0).component(last),
        ];
        let conditions = Conditions::new(&mesh, d, &fixes).unwrap();
        let (whole, none) = (Submesh::whole(&mesh), Conditions::none(d).unwrap());
        let (fixed, free) =
            (Assembler::new(&whole, &conditions).unwrap(), Assembler::new(&whole, &none).unwrap());
        let known = |unknown: usize| {
            let p = mesh.points()[unknown / d];
            // The later condition counts where both apply.
            if p[1] == 1.0 && unknown % d == last {
                return Some(5.0);
            }
            (p[0] == 0.0).then_some(1.0 + p[1])
        };
        let form = Form::mass(0.5) + 2.0 * Form::stiffness(1.0);
        let (a, all) = (fixed.matrix(&form).unwrap(), free.matrix(&form).unwrap());
        assert_eq!((a.offsets(), a.columns()), (all.offsets(), all.columns()));
        for row in 0..a.rows() {
            assert_eq!(fixed.fixed()[row], known(row).is_some());
            assert_eq!(fixed.fixed_values()[row], known(row).unwrap_or(0.0));
            for (k, &column) in a.row(row).0.iter().enumerate() {
                let column = column as usize;
                let expected = match known(row).is_some() || known(column).is_some() {
                    true => f64::from(u8::from(row == column)),
                    false => all.row(row).1[k],
                };
                assert_eq!(a.row(row).1[k], expected);
            }
        }
        let load = free.load(&Load::sources(vec![3.0; d])).unwrap();
        let lifted = product(&all, fixed.fixed_values());
        let at = |i: usize| known(i).unwrap_or(load[i] - lifted[i]);
        let expected: Vec<f64> = (0..a.rows()).map(at).collect();
        assert!(apart(&fixed.rhs(&form, load).unwrap(), &expected) < 1e-13, "{kind}");
        let (lumped, plain) = (fixed.lumped(2.0).unwrap(), free.lumped(2.0).unwrap());
        let diagonal = |i: usize| if known(i).is_some() { 1.0 } else { plain[i] };
        assert!((0..a.rows()).all(|i| lumped[i] == diagonal(i)));
    }
}

/// A square of two materials, a point in a group, and a group without a name.
fn two_materials() -> Mesh {
    let points =
        vec![[0., 0., 2.], [1., 0., 2.], [2., 0., 2.], [0., 1., 2.], [1., 1., 2.], [2., 1., 2.]];
    let mut elements = Cells::default();
    elements.push(ElementKind::Quadrilateral, &[0, 1, 4, 3], 1);
    elements.push(ElementKind::Quadrilateral, &[1, 2, 5, 4], 2);
    let mut boundary = Cells::default();
    boundary.push(ElementKind::Line, &[2, 5], 9);
    boundary.push(ElementKind::Point, &[4], 3);
    let group = |dimension, tag, name: &str| Group { dimension, tag, name: name.to_string() };
    let groups =
        vec![group(2, 1, "steel"), group(2, 2, "copper"), group(0, 3, "tip"), group(1, 4, "void")];
    Mesh::new(points, elements).unwrap().with_groups(boundary, groups).unwrap()
}

#[test]
fn conditions_at_points_elements_and_groups_without_a_name() {
    let mesh = two_materials();
    let nodes = |name: &str| {
        let all = Conditions::new(&mesh, 1, &[Fix::new(name, 1.0)]).unwrap();
        let mut nodes: Vec<u32> = all.iter().map(|known| known.0).collect();
        nodes.sort_unstable();
        nodes
    };
    assert_eq!(nodes("tip"), [4]);
    assert_eq!(nodes("steel"), [0, 1, 3, 4]);
    assert_eq!(nodes("9"), [2, 5]);
    let wrong = |name: &str| Conditions::new(&mesh, 1, &[Fix::new(name, 1.0)]).unwrap_err();
    assert_eq!(wrong("void"), FormError::EmptyGroup { name: "void".to_string() });
    assert_eq!(
        wrong("lead").to_string(),
        "no physical group `lead`; the mesh has steel, copper, tip, void, 9"
    );
}

#[test]
fn coefficients_by_group() {
    let mesh = two_materials();
    let (whole, free) = (Submesh::whole(&mesh), Conditions::none(1).unwrap());
    let assembler = Assembler::new(&whole, &free).unwrap();
    let total = |c: Coefficient| assembler.lumped(c).map(|m| m.iter().sum::<f64>());
    let steel = || Coefficient::groups([("steel", 50.0)]);
    assert_eq!(total(steel().or_else(1.0)), Ok(51.0));
    assert_eq!(total(Coefficient::groups([("steel", 2.0), ("copper", 3.0)])), Ok(5.0));
    let by_place = [("copper", Value::function(|p| p[0] + p[2]))];
    assert!((total(Coefficient::groups(by_place).or_else(0.0)).unwrap() - 3.5).abs() < 1e-15);
    assert_eq!(
        total(steel()).unwrap_err().to_string(),
        "element 2 is in group `copper`; the coefficient is given for steel only"
    );
    let tip = total(Coefficient::groups([("tip", 1.0)]).or_else(1.0)).unwrap_err();
    assert_eq!(
        tip.to_string(),
        "the physical group `tip` has no elements of dimension 2, which a coefficient needs"
    );
}
