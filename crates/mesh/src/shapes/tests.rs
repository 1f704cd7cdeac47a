use super::*;
use crate::element::{dual_graph, node_graph};
use palmette_core::mesh::{ElementKind, Point};
use std::collections::{BTreeMap, BTreeSet};

fn made(shape: &str) -> Mesh {
    generate(shape.parse().unwrap(), 1).unwrap()
}

fn point(mesh: &Mesh, node: u32) -> Point {
    mesh.points()[node as usize]
}

fn length(mesh: &Mesh, a: u32, b: u32) -> f64 {
    let (p, q) = (point(mesh, a), point(mesh, b));
    (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt()
}

fn total(mesh: &Mesh) -> f64 {
    (0..mesh.elements().len()).map(|e| mesh.measure(e)).sum()
}

/// Twice the area of a triangle, or six times the volume of a tetrahedron, with its sign.
fn signed(mesh: &Mesh, nodes: &[u32]) -> f64 {
    let p: Vec<Point> = nodes.iter().map(|&node| point(mesh, node)).collect();
    let d = |i: usize| [p[i][0] - p[0][0], p[i][1] - p[0][1], p[i][2] - p[0][2]];
    let (a, b) = (d(1), d(2));
    let normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let c = if p.len() == 3 { [0.0, 0.0, 1.0] } else { d(3) };
    (0..3).map(|i| normal[i] * c[i]).sum()
}

/// All elements are oriented alike and fill the volume, and those that share a face are two.
/// Returns the faces that only one element has.
fn surface(mesh: &Mesh, volume: f64) -> Vec<Vec<u32>> {
    assert!((total(mesh) - volume).abs() < 1e-9 * volume, "{}", total(mesh));
    assert!(mesh.elements().iter().all(|nodes| signed(mesh, nodes) > 0.0));
    let mut faces = BTreeMap::<Vec<u32>, usize>::new();
    for (e, nodes) in mesh.elements().iter().enumerate() {
        for face in mesh.elements().kind(e).faces() {
            let mut face: Vec<u32> = face.iter().map(|&i| nodes[i as usize]).collect();
            face.sort_unstable();
            *faces.entry(face).or_default() += 1;
        }
    }
    assert!(faces.values().all(|&count| count <= 2));
    faces.into_iter().filter(|face| face.1 == 1).map(|face| face.0).collect()
}

#[test]
fn shapes_are_read_as_written() {
    for text in [
        "grid:3x4",
        "triangles:1x1",
        "box:1x2x3",
        "tetrahedra:4x5x6",
        "delaunay:10",
        "crack-plate:5000",
        "crack-plate:700:doubled",
        "penny-crack:20000",
    ] {
        assert_eq!(text.parse::<MeshShape>().unwrap().to_string(), text);
    }
    assert_eq!("crack-plate".parse(), "crack-plate:5000".parse::<MeshShape>());
    assert_eq!("penny-crack".parse(), "penny-crack:20000".parse::<MeshShape>());
    for (text, says) in [
        ("", "one of grid:ROWSxCOLUMNS, triangles:ROWSxCOLUMNS, "),
        ("grid", "grid:ROWSxCOLUMNS"),
        ("grid:3", "grid:ROWSxCOLUMNS"),
        ("grid:3x4x5", "grid:ROWSxCOLUMNS"),
        ("box:3x4", "box:XxYxZ"),
        ("delaunay:x", "delaunay:N"),
        ("crack-plate:9:on", "crack-plate[:N[:doubled]]"),
    ] {
        let error = text.parse::<MeshShape>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("unknown shape `{text}`; expected {says}")), "{error}");
    }
}

#[test]
fn too_few_and_too_many() {
    let refused = |text: &str| generate(text.parse().unwrap(), 1).unwrap_err().to_string();
    for text in ["grid:0x4", "triangles:9x0", "box:1x0x9", "delaunay:2", "crack-plate:299"] {
        let error = refused(text);
        assert!(error.starts_with(&format!("{text} is too small")), "{error}");
    }
    for text in ["grid:70000x70000", "delaunay:9999999999", "box:9999999x9999999x9999999"] {
        assert!(refused(text).contains("nodes; at most"), "{text}");
    }
    assert!(crack_plate(&CrackPlateParams { nodes: 3, doubled: false }).is_err());
    assert!(penny_crack(&PennyCrackParams { nodes: 3 }).is_err());
}

#[test]
fn squares_and_cubes() {
    for (shape, nodes, elements, measure) in [
        ("grid:3x5", 24, 15, 15.0),
        ("triangles:3x5", 24, 30, 15.0),
        ("box:2x3x4", 60, 24, 24.0),
        ("tetrahedra:2x3x4", 60, 144, 24.0),
    ] {
        let mesh = made(shape);
        assert_eq!((mesh.points().len(), mesh.elements().len()), (nodes, elements), "{shape}");
        assert!((total(&mesh) - measure).abs() < 1e-12 * measure, "{shape}");
    }
    assert_eq!(surface(&made("triangles:3x5"), 15.0).len(), 16);
    // Two triangles per square of the surface.
    assert_eq!(surface(&made("tetrahedra:2x3x4"), 24.0).len(), 2 * 2 * (2 * 3 + 3 * 4 + 2 * 4));
    assert_eq!(dual_graph(&made("box:2x3x4")).edge_count(), 12 + 16 + 18);
}

#[test]
fn random_points() {
    let mesh = made("delaunay:2000");
    assert_eq!(mesh, made("delaunay:2000"));
    assert_ne!(mesh, generate(MeshShape::Delaunay { n: 2000 }, 2).unwrap());
    // Euler's formula: what is not inside is on the surface.
    let hull = surface(&mesh, total(&mesh));
    assert_eq!(mesh.elements().len(), 2 * 2000 - 2 - hull.len());
    assert!(total(&mesh) > 0.98 && node_graph(&mesh).components().count() == 1);
}

fn least_angle(mesh: &Mesh) -> f64 {
    let angle = |t: &[u32], i: usize| {
        let side = |a: usize, b: usize| length(mesh, t[a % 3], t[b % 3]);
        let (a, b, c) = (side(i, i + 1), side(i, i + 2), side(i + 1, i + 2));
        ((a * a + b * b - c * c) / (2.0 * a * b)).acos().to_degrees()
    };
    let angles = mesh.elements().iter().flat_map(|t| (0..3).map(move |i| angle(t, i)));
    angles.fold(180.0, f64::min)
}

fn lengths(mesh: &Mesh) -> (f64, f64) {
    let graph = node_graph(mesh);
    let lengths = graph.edges().map(|(a, b, _)| length(mesh, a, b));
    lengths.fold((f64::INFINITY, 0.0), |(least, most), x| (x.min(least), x.max(most)))
}

#[test]
fn the_cracked_plate() {
    for (nodes, least) in [(300, 20.0), (777, 22.0), (5000, 30.0), (30_000, 24.0)] {
        let mesh = crack_plate(&CrackPlateParams { nodes, doubled: false }).unwrap();
        let count = mesh.points().len();
        assert!(count.abs_diff(nodes) < nodes / 20, "{count} nodes for {nodes}");
        let angle = least_angle(&mesh);
        assert!(angle > least, "{nodes}: {angle}°");
        let (shortest, longest) = lengths(&mesh);
        assert!(longest / shortest > 200.0, "{nodes}: from {shortest} to {longest}");
        let sides: BTreeSet<Vec<u32>> = surface(&mesh, 4.0).into_iter().collect();
        assert!(sides.iter().flatten().all(|&v| point(&mesh, v).iter().any(|x| x.abs() == 1.0)));
    }
}

#[test]
fn groups_of_the_cracked_plate() {
    let mesh = made("crack-plate:2000");
    let names: Vec<&str> = mesh.groups().iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["plate", "crack", "bottom", "right", "top", "left", "tip"]);
    let tag = |name: &str| mesh.groups().iter().find(|g| g.name == name).map(|g| g.tag);
    let sides: BTreeSet<Vec<u32>> = surface(&mesh, 4.0).into_iter().collect();
    let graph = node_graph(&mesh);
    let (mut outline, mut along) = (0, 0.0);
    for (i, nodes) in mesh.boundary().iter().enumerate() {
        let group = Some(mesh.boundary().tag(i));
        let all = |holds: fn(Point) -> bool| nodes.iter().all(|&v| holds(point(&mesh, v)));
        match mesh.boundary().kind(i) {
            ElementKind::Point => assert!(group == tag("tip") && all(|p| p == [0.0; 3])),
            _ if group == tag("crack") => {
                assert!(all(|p| p[1] == 0.0 && p[0] <= 0.0));
                assert!(graph.weight(nodes[0], nodes[1]).is_some());
                along += length(&mesh, nodes[0], nodes[1]);
            }
            _ => {
                let mut side = nodes.to_vec();
                side.sort_unstable();
                assert!(sides.contains(&side));
                assert!(group != tag("top") || all(|p| p[1] == 1.0));
                assert!(group != tag("left") || all(|p| p[0] == -1.0));
                outline += 1;
            }
        }
    }
    assert_eq!(outline, sides.len());
    assert!((along - 1.0).abs() < 1e-12, "{along}");
}

#[test]
fn two_faces_of_the_crack() {
    let (single, double) = (made("crack-plate:2000"), made("crack-plate:2000:doubled"));
    let crack = |mesh: &Mesh, name: &str| {
        let tag = mesh.groups().iter().find(|g| g.name == name).unwrap().tag;
        let lines = (0..mesh.boundary().len()).filter(|&i| mesh.boundary().tag(i) == tag);
        lines.map(|i| mesh.boundary().nodes(i).to_vec()).collect::<Vec<_>>()
    };
    let lines = crack(&single, "crack").len();
    // Each line has a node of its own on either face; the tip is shared.
    assert_eq!(double.points().len(), single.points().len() + lines);
    assert_eq!(dual_graph(&double).edge_count(), dual_graph(&single).edge_count() - lines);
    assert_eq!(surface(&double, 4.0).len(), surface(&single, 4.0).len() + 2 * lines);
    let (upper, lower) = (crack(&double, "crack"), crack(&double, "lower crack"));
    assert_eq!((upper.len(), lower.len()), (lines, lines));
    let above = |nodes: &[u32]| nodes.iter().map(|&v| point(&double, v)[1]).sum::<f64>() > 0.0;
    let of = |faces: &[Vec<u32>]| -> BTreeSet<u32> { faces.iter().flatten().copied().collect() };
    let tip = *of(&upper).intersection(&of(&lower)).next().unwrap();
    assert_eq!(of(&upper).intersection(&of(&lower)).count(), 1);
    assert_eq!(point(&double, tip), [0.0; 3]);
    for nodes in double.elements().iter().chain(double.boundary().iter().filter(|n| n.len() == 2)) {
        let far = if above(nodes) { of(&lower) } else { of(&upper) };
        let flat = nodes.iter().all(|&v| point(&double, v)[1] == 0.0);
        assert!(flat || nodes.iter().all(|&v| v == tip || !far.contains(&v)));
    }
}

#[test]
fn the_penny_crack() {
    for nodes in [8000, 20_000, 45_000] {
        let mesh = penny_crack(&PennyCrackParams { nodes }).unwrap();
        let count = mesh.points().len();
        assert!(count.abs_diff(nodes) < nodes / 10, "{count} nodes for {nodes}");
        for face in surface(&mesh, 8.0) {
            let on = |axis: usize, x: f64| face.iter().all(|&v| point(&mesh, v)[axis] == x);
            assert!((0..3).any(|axis| on(axis, 1.0) || on(axis, -1.0)));
        }
        let (shortest, longest) = lengths(&mesh);
        assert!(longest / shortest > 20.0, "{nodes}: from {shortest} to {longest}");
        // The finest elements are at the front, the coarsest at a corner of the cube.
        let corner = mesh.points().iter().position(|p| *p == [1.0; 3]).unwrap() as u32;
        let graph = node_graph(&mesh);
        let shortest_at = |v: u32| {
            graph.neighbours(v).iter().map(|&u| length(&mesh, u, v)).fold(f64::INFINITY, f64::min)
        };
        let front = (0..count as u32).map(|v| (v, point(&mesh, v)));
        let at_front = front.filter(|(_, p)| (p[0].hypot(p[1]) - 0.4).hypot(p[2]) < 0.01);
        let mut at_front: Vec<f64> = at_front.map(|(v, _)| shortest_at(v)).collect();
        at_front.sort_by(f64::total_cmp);
        let middle = at_front[at_front.len() / 2];
        assert!(shortest_at(corner) > 20.0 * middle, "{nodes}: {middle}");
    }
}
