use super::*;
use palmette_core::mesh::{Cells, ElementKind};
use palmette_core::{Graph, Mesh};
use std::collections::{BTreeMap, BTreeSet};

/// Both graphs by definition.
fn check(mesh: &Mesh) {
    let (mut near, mut faces) = (BTreeSet::new(), BTreeMap::<Vec<u32>, Vec<u32>>::new());
    for (e, nodes) in mesh.elements().iter().enumerate() {
        near.extend(nodes.iter().flat_map(|&a| nodes.iter().map(move |&b| (a, b))));
        for face in mesh.elements().kind(e).faces() {
            let mut face: Vec<u32> = face.iter().map(|&i| nodes[i as usize]).collect();
            face.sort_unstable();
            faces.entry(face).or_default().push(e as u32);
        }
    }
    let beside: BTreeSet<(u32, u32)> = faces
        .values()
        .flat_map(|shared| shared.iter().flat_map(|&a| shared.iter().map(move |&b| (a, b))))
        .collect();
    for (graph, expected, n) in [
        (node_graph(mesh), near, mesh.points().len()),
        (dual_graph(mesh), beside, mesh.elements().len()),
    ] {
        let expected: Vec<(u32, u32)> = expected.into_iter().filter(|(a, b)| a != b).collect();
        assert_eq!(graph.len(), n);
        assert_eq!(pairs(&graph), expected);
        assert!(graph.all_weights().iter().all(|&w| w == 1.0));
    }
}

fn pairs(graph: &Graph) -> Vec<(u32, u32)> {
    let row = |v: u32| graph.neighbours(v).iter().map(move |&u| (v, u));
    (0..graph.len() as u32).flat_map(row).collect()
}

#[test]
fn graphs_of_generated_meshes() {
    for shape in ["grid:3x5", "triangles:4x4", "box:2x3x4", "tetrahedra:3x2x2", "delaunay:400"] {
        check(&crate::shapes::generate(shape.parse().unwrap(), 5).unwrap());
    }
}

#[test]
fn all_kinds_in_one_mesh_and_a_node_alone() {
    // A cube with a prism at its side, a pyramid on top, and a tetrahedron at the pyramid.
    let points = [
        [0, 0, 0],
        [2, 0, 0],
        [2, 2, 0],
        [0, 2, 0],
        [0, 0, 2],
        [2, 0, 2],
        [2, 2, 2],
        [0, 2, 2],
        [3, 1, 0],
        [3, 1, 2],
        [9, 9, 9],
        [1, 1, 3],
        [1, -2, 3],
    ];
    let points = points.map(|p| p.map(f64::from)).to_vec();
    let mut cells = Cells::default();
    cells.push(ElementKind::Hexahedron, &[0, 1, 2, 3, 4, 5, 6, 7], 0);
    cells.push(ElementKind::Prism, &[1, 8, 2, 5, 9, 6], 0);
    cells.push(ElementKind::Pyramid, &[4, 5, 6, 7, 11], 0);
    cells.push(ElementKind::Tetrahedron, &[4, 5, 11, 12], 0);
    let mesh = Mesh::new(points, cells).unwrap();
    check(&mesh);
    assert_eq!(pairs(&dual_graph(&mesh)), [(0, 1), (0, 2), (1, 0), (2, 0), (2, 3), (3, 2)]);
    assert_eq!(node_graph(&mesh).degree(10), 0);
    assert_eq!(elements_of_nodes(&mesh).of(4), [0, 2, 3]);
    assert!(elements_of_nodes(&mesh).of(10).is_empty());
}

#[test]
fn three_pages_of_a_book_and_no_elements() {
    let points = vec![[0., 0., 0.], [0., 0., 1.], [1., 0., 0.], [0., 1., 0.], [-1., -1., 0.]];
    let mut cells = Cells::default();
    (2..5).for_each(|page| cells.push(ElementKind::Triangle, &[0, 1, page], 0));
    let book = Mesh::new(points, cells).unwrap();
    check(&book);
    assert_eq!(dual_graph(&book).edge_count(), 3);
    check(&Mesh::new(vec![[0.0; 3]; 2], Cells::default()).unwrap());
    check(&Mesh::new(Vec::new(), Cells::default()).unwrap());
}

/// A node that all elements use would take 10^10 steps if faces were listed at it.
#[test]
fn a_fan_is_linear() {
    let n = 200_000u32;
    let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(n);
    let rim = (0..n).map(|i| [angle(i).cos(), angle(i).sin(), 0.0]);
    let points: Vec<_> = std::iter::once([0.0; 3]).chain(rim).collect();
    let nodes: Vec<u32> = (0..n).flat_map(|i| [0, i + 1, (i + 1) % n + 1]).collect();
    let fan = Mesh::new(points, Cells::of_kind(ElementKind::Triangle, nodes, 0)).unwrap();
    let dual = dual_graph(&fan);
    assert!((0..n).all(|e| dual.degree(e) == 2));
    assert_eq!(node_graph(&fan).edge_count(), 2 * n as usize);
}
