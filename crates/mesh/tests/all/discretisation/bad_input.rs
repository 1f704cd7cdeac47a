//! What is wrong is said, with numbers from 1.

use crate::discretisation::support::distorted;
use palmette_core::Mesh;
use palmette_core::mesh::{Cells, ElementKind, Point};
use palmette_mesh::element::{
    Assembler, Coefficient, Conditions, Fix, Form, FormError, Load, Plane, Submesh, Value,
};
use palmette_mesh::shapes::generate;
use palmette_mesh::spmv::Csr;

fn matrix(mesh: &Mesh, components: usize, form: &Form) -> Result<Csr, FormError> {
    let (whole, free) = (Submesh::whole(mesh), Conditions::none(components)?);
    Assembler::new(&whole, &free)?.matrix(form)
}

fn load(mesh: &Mesh, components: usize, load: &Load) -> String {
    let (whole, free) = (Submesh::whole(mesh), Conditions::none(components).unwrap());
    Assembler::new(&whole, &free).unwrap().load(load).unwrap_err().to_string()
}

fn stiffness(points: &[Point], cells: &[(ElementKind, &[u32])]) -> Result<Csr, FormError> {
    let mut elements = Cells::default();
    cells.iter().for_each(|(kind, nodes)| elements.push(*kind, nodes, 0));
    matrix(&Mesh::new(points.to_vec(), elements).unwrap(), 1, &Form::stiffness(1.0))
}

const SQUARE: [Point; 4] = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];

#[test]
fn inverted_elements() {
    use ElementKind::{Quadrilateral, Triangle};
    let error = stiffness(&SQUARE, &[(Triangle, &[0, 1, 2]), (Triangle, &[0, 3, 2])]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "element 2, a triangle, is inverted or folded: its area is -5e-1 and its Jacobian \
         determinant is as low as -1e0, relative to the orientation of element 1"
    );
    // An arrowhead has an area, but its map folds at the reentrant corner.
    let arrow = [[0., 0., 0.], [4., 0., 0.], [0.5, 0.5, 0.], [0., 4., 0.]];
    let error = stiffness(&arrow, &[(Quadrilateral, &[0, 1, 2, 3])]).unwrap_err();
    let FormError::Inverted { element, value, least, .. } = error else { panic!("{error}") };
    assert_eq!(element, 1);
    assert!((value - 2.0).abs() < 1e-14 && least < 0.0);
}

#[test]
fn inverted_solids() {
    use ElementKind::{Hexahedron, Tetrahedron};
    let top = SQUARE.map(|p| [p[0], p[1], 1.0]);
    let cube = [SQUARE, top].concat();
    let error = stiffness(&cube, &[(Tetrahedron, &[0, 1, 3, 4]), (Tetrahedron, &[6, 5, 2, 7])]);
    let FormError::Inverted { element: 2, measure: "volume", value, .. } = error.unwrap_err()
    else {
        panic!("expected element 2")
    };
    assert!((value + 1.0 / 6.0).abs() < 1e-15);
    // A corner pushed through the cube.
    let mut pushed = cube.clone();
    pushed[6] = [-1.0, -1.0, -1.0];
    let error = stiffness(&pushed, &[(Hexahedron, &[0, 1, 2, 3, 4, 5, 6, 7])]).unwrap_err();
    assert!(matches!(error, FormError::Inverted { element: 1, least, .. } if least < 0.0));
}

/// A mesh that runs around the other way as a whole is as good.
#[test]
fn either_sense_will_do() {
    for kind in ["triangles", "quadrilaterals", "tetrahedra", "hexahedra"] {
        let mesh = distorted(kind, 3, 3);
        let mirrored = mesh.points().iter().map(|p| [-p[0], p[1], p[2]]).collect();
        let mirrored = Mesh::new(mirrored, mesh.elements().clone()).unwrap();
        for form in [Form::stiffness(1.0), Form::mass(1.0)] {
            let (a, b) = (matrix(&mesh, 1, &form).unwrap(), matrix(&mirrored, 1, &form).unwrap());
            assert!(a.values().iter().zip(b.values()).all(|(a, b)| (a - b).abs() < 1e-15));
        }
    }
}

#[test]
fn generated_meshes_are_not_inverted() {
    for shape in ["crack-plate:500", "crack-plate:500:doubled", "penny-crack:8000", "delaunay:300"]
    {
        let mesh = generate(shape.parse().unwrap(), 1).unwrap();
        matrix(&mesh, 1, &Form::stiffness(1.0)).unwrap();
    }
}

#[test]
fn unsupported_elements_and_surfaces_in_space() {
    let roof = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.5], [0., 1., 0.5]];
    assert_eq!(
        stiffness(&roof, &[(ElementKind::Quadrilateral, &[0, 1, 2, 3])]).unwrap_err().to_string(),
        "element 1, a quadrilateral, does not lie in a plane z = const: z is 0 to 0.5; \
         surfaces in space are not supported"
    );
    // Upright: x and y alone would have no area.
    let wall = [[0., 0., 0.], [1., 0., 0.], [0., 0., 1.]];
    let error = stiffness(&wall, &[(ElementKind::Triangle, &[0, 1, 2])]).unwrap_err();
    assert!(matches!(error, FormError::Space { element: 1, .. }));
    // A plane elsewhere, and one with rounding, are fine.
    let raised = SQUARE.map(|p| [p[0], p[1], 7.0 + 1e-12 * p[0]]);
    assert!(stiffness(&raised, &[(ElementKind::Quadrilateral, &[0, 1, 2, 3])]).is_ok());
    let tent = [SQUARE.to_vec(), vec![[0.5, 0.5, 1.0]]].concat();
    assert_eq!(
        stiffness(&tent, &[(ElementKind::Pyramid, &[0, 1, 2, 3, 4])]).unwrap_err().to_string(),
        "element 1 is a pyramid; only triangles, quadrilaterals, tetrahedra and hexahedra are \
        supported"
    );
}

#[test]
fn wrong_coefficients() {
    let (plane, solid) = (distorted("triangles", 2, 0), distorted("tetrahedra", 2, 0));
    let said = |mesh: &Mesh, d: usize, form: Form| matrix(mesh, d, &form).unwrap_err().to_string();
    assert_eq!(
        said(&plane, 1, Form::stiffness(Coefficient::groups([("bdy", 1.0)]))),
        "no physical group `bdy`; did you mean `body`?"
    );
    let pole = Value::function(|p| if p[0] > 0.5 { f64::NAN } else { 1.0 });
    let text = said(&plane, 1, Form::mass(pole));
    assert!(text.starts_with("a coefficient of mass is NaN at (0."), "{text}");
    assert!(said(&plane, 1, f64::INFINITY * Form::mass(1.0)).contains("multiplied by inf"));
    let elastic = |poisson: f64, law: Plane| Form::elasticity(1.0, poisson, law);
    assert_eq!(
        said(&plane, 2, elastic(0.5, Plane::Strain)),
        "Poisson's ratio is 0.5; it must be above -1 and below 0.5"
    );
    assert!(matrix(&plane, 2, &elastic(0.5, Plane::Stress)).is_ok());
    assert_eq!(
        said(&plane, 1, elastic(0.3, Plane::Strain)),
        "components per node of an elastic body: 1; expected 2"
    );
    assert!(said(&solid, 3, elastic(0.3, Plane::Stress)).starts_with("plane stress needs"));
    assert!(Conditions::none(0).is_err() && Conditions::none(4).is_err());
}

#[test]
fn wrong_loads_and_conditions() {
    let mesh = distorted("quadrilaterals", 2, 0);
    assert!(load(&mesh, 1, &Load::flux("rigth", 1.0)).starts_with("no physical group `rigth`"));
    assert_eq!(
        load(&mesh, 1, &Load::flux("body", 1.0)),
        "the physical group `body` has no elements of dimension 1, which a flux needs"
    );
    assert_eq!(load(&mesh, 2, &Load::source(1.0)), "components of a source: 1; expected 2");
    assert_eq!(load(&mesh, 2, &Load::flux("top", 1.0)), "components of a flux: 1; expected 2");
    let beyond = Conditions::new(&mesh, 2, &[Fix::new("top", 0.0).component(2)]).unwrap_err();
    assert_eq!(beyond.to_string(), "group `top` has no component 2: nodes have 2, counted from 0");
    let pole = Fix::new("left", Value::function(|p| 1.0 / p[0]));
    let text = Conditions::new(&mesh, 1, &[pole]).unwrap_err().to_string();
    assert!(text.starts_with("a fixed value is inf at (0, "), "{text}");
}

#[test]
fn a_mesh_without_elements_has_an_empty_matrix() {
    let empty = Mesh::new(Vec::new(), Cells::default()).unwrap();
    assert_eq!(matrix(&empty, 1, &Form::stiffness(1.0)).unwrap().rows(), 0);
}

#[test]
#[should_panic(expected = "node 4 of element 1")]
fn a_missing_number_is_a_mistake() {
    let squares = generate("grid:1x2".parse().unwrap(), 1).unwrap();
    Submesh::new(&squares, &[1], &[1, 2, 5], &[true; 3]);
}
