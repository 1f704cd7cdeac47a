//! Meshes of the unit square and cube with groups, and a solver.

use palmette_core::Mesh;
use palmette_core::mesh::{Cells, ElementKind, Group, Point};
use palmette_core::random::{Purpose, Random};
use palmette_mesh::element::surface;
use palmette_mesh::shapes::{cubes, squares};
use palmette_mesh::spmv::Csr;

/// Groups of boundary elements by axis: at 0 and at 1.
pub(crate) const SIDES: [[&str; 2]; 3] = [["left", "right"], ["bottom", "top"], ["back", "front"]];

/// All kinds of meshes, and one of two kinds.
pub(crate) const KINDS: [&str; 5] =
    ["triangles", "quadrilaterals", "mixed", "tetrahedra", "hexahedra"];

/// The sides that a mesh has.
pub(crate) fn sides(mesh: &Mesh) -> impl Iterator<Item = &'static str> {
    SIDES.into_iter().take(mesh.dimension().into()).flatten()
}

/// The unit square or cube with `n` cells along each axis. Points inside are moved by `shift`.
/// Elements are in the group `body`.
pub(crate) fn unit(kind: &str, n: usize, mut shift: impl FnMut(Point) -> Point) -> Mesh {
    let plain = match kind {
        "triangles" => squares(n, n, true).unwrap(),
        "quadrilaterals" => squares(n, n, false).unwrap(),
        "mixed" => half_cut(&squares(n, n, false).unwrap()),
        "tetrahedra" => cubes([n; 3], true).unwrap(),
        _ => cubes([n; 3], false).unwrap(),
    };
    let d = usize::from(plain.dimension());
    let inside = |p: &Point| p[..d].iter().all(|&x| x > 0.0 && x < 1.0);
    let scaled = plain.points().iter().map(|p| p.map(|x| x / n as f64));
    let points: Vec<Point> = scaled.map(|p| if inside(&p) { shift(p) } else { p }).collect();
    with_sides(points, plain.elements())
}

/// The unit square or cube, inner points moved at random by up to a quarter of a cell.
pub(crate) fn distorted(kind: &str, n: usize, seed: u64) -> Mesh {
    let mut random = Random::new(seed, Purpose::Shape);
    // Six tetrahedra share a cube: a quarter would turn some of them over.
    let far = if kind == "tetrahedra" { 0.12 } else { 0.25 } / n as f64;
    let d = if kind == "tetrahedra" || kind == "hexahedra" { 3 } else { 2 };
    unit(kind, n, |p| {
        std::array::from_fn(|i| p[i] + if i < d { far * (2.0 * random.unit() - 1.0) } else { 0.0 })
    })
}

/// Every other square cut into two triangles.
fn half_cut(squares: &Mesh) -> Mesh {
    let mut cells = Cells::default();
    for (i, q) in squares.elements().iter().enumerate() {
        if i % 2 == 0 {
            cells.push(ElementKind::Quadrilateral, q, 0);
        } else {
            cells.push(ElementKind::Triangle, &[q[0], q[1], q[2]], 0);
            cells.push(ElementKind::Triangle, &[q[0], q[2], q[3]], 0);
        }
    }
    Mesh::new(squares.points().to_vec(), cells).unwrap()
}

fn with_sides(points: Vec<Point>, cells: &Cells) -> Mesh {
    let mut elements = Cells::default();
    (0..cells.len()).for_each(|e| elements.push(cells.kind(e), cells.nodes(e), 7));
    let mesh = Mesh::new(points, elements).unwrap();
    let d = mesh.dimension();
    let mut boundary = Cells::default();
    for face in surface(&mesh) {
        let nodes: Vec<u32> =
            face.nodes.into_iter().filter(|&v| v != palmette_core::NONE).collect();
        let kind = match (d, nodes.len()) {
            (2, _) => ElementKind::Line,
            (_, 3) => ElementKind::Triangle,
            _ => ElementKind::Quadrilateral,
        };
        let at = |axis: usize, x: f64| nodes.iter().all(|&v| mesh.points()[v as usize][axis] == x);
        let axis = (0..d.into()).find(|&axis| at(axis, 0.0) || at(axis, 1.0)).unwrap();
        let tag = 2 * axis as i32 + if at(axis, 0.0) { 1 } else { 2 };
        boundary.push(kind, &nodes, tag);
    }
    let named = sides(&mesh).zip(1..);
    let mut groups: Vec<Group> =
        named.map(|(name, tag)| Group { dimension: d - 1, tag, name: name.to_string() }).collect();
    groups.push(Group { dimension: d, tag: 7, name: "body".to_string() });
    mesh.with_groups(boundary, groups).unwrap()
}

pub(crate) fn product(a: &Csr, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; a.rows()];
    a.multiply(0..a.rows(), 1.0, x, false, &mut y);
    y
}

pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The largest absolute difference.
pub(crate) fn apart(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len());
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Conjugate gradients with the diagonal, until the residual is a millionth of a millionth.
pub(crate) fn solve(a: &Csr, b: &[f64]) -> Vec<f64> {
    let diagonal = a.diagonal();
    let scale = |r: &[f64]| -> Vec<f64> { r.iter().zip(&diagonal).map(|(r, d)| r / d).collect() };
    let (mut x, mut r) = (vec![0.0; b.len()], b.to_vec());
    let mut z = scale(&r);
    let (mut p, mut rho) = (z.clone(), dot(&r, &z));
    let first = rho;
    for _ in 0..20 * b.len() {
        if rho <= 1e-28 * first {
            return x;
        }
        let q = product(a, &p);
        let alpha = rho / dot(&p, &q);
        x.iter_mut().zip(&p).for_each(|(x, p)| *x += alpha * p);
        r.iter_mut().zip(&q).for_each(|(r, q)| *r -= alpha * q);
        z = scale(&r);
        let next = dot(&r, &z);
        p.iter_mut().zip(&z).for_each(|(p, z)| *p = z + next / rho * *p);
        rho = next;
    }
    panic!("no convergence: {rho:e} of {first:e}");
}
