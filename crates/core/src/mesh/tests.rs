use super::*;

fn unit(kind: ElementKind) -> Mesh {
    let points: Vec<Point> = match kind {
        ElementKind::Tetrahedron => vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
        ElementKind::Prism => {
            let bottom = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
            bottom.into_iter().chain(bottom.map(|p| [p[0], p[1], 1.])).collect()
        }
        ElementKind::Pyramid => {
            vec![[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.]]
        }
        ElementKind::Triangle => vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]],
        _ => {
            let bottom = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
            bottom.into_iter().chain(bottom.map(|p| [p[0], p[1], 1.])).take(kind.nodes()).collect()
        }
    };
    let nodes: Vec<u32> = (0..kind.nodes() as u32).collect();
    let mut elements = Cells::default();
    elements.push(kind, &nodes, 7);
    Mesh::new(points, elements).unwrap()
}

#[test]
fn measures_of_unit_shapes() {
    let expected = [
        (ElementKind::Triangle, 0.5),
        (ElementKind::Quadrilateral, 1.0),
        (ElementKind::Tetrahedron, 1.0 / 6.0),
        (ElementKind::Hexahedron, 1.0),
        (ElementKind::Prism, 0.5),
        (ElementKind::Pyramid, 1.0 / 3.0),
    ];
    for (kind, measure) in expected {
        let mesh = unit(kind);
        assert!((mesh.measure(0) - measure).abs() < 1e-15, "{kind}: {}", mesh.measure(0));
        assert_eq!(mesh.dimension(), kind.dimension());
        assert_eq!(mesh.elements().tag(0), 7);
    }
}

#[test]
fn every_edge_of_a_solid_is_walked_once_each_way() {
    for kind in [
        ElementKind::Tetrahedron,
        ElementKind::Hexahedron,
        ElementKind::Prism,
        ElementKind::Pyramid,
    ] {
        let mut walked = Vec::new();
        for face in kind.faces() {
            for i in 0..face.len() {
                walked.push((face[i], face[(i + 1) % face.len()]));
            }
        }
        for &(a, b) in &walked {
            assert_eq!(walked.iter().filter(|&&e| e == (a, b)).count(), 1, "{kind} {a}–{b}");
            assert!(walked.contains(&(b, a)), "{kind} {a}–{b}");
        }
    }
}

fn triangle_at(points: [Point; 3], nodes: [u32; 3]) -> Result<Mesh, MeshError> {
    let mut elements = Cells::default();
    elements.push(ElementKind::Triangle, &nodes, 0);
    Mesh::new(points.to_vec(), elements)
}

#[test]
fn what_is_no_mesh() {
    let good = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
    let absent = triangle_at(good, [0, 1, 3]);
    assert_eq!(absent, Err(MeshError::NodeOutOfRange { element: 0, node: 3, nodes: 3 }));
    assert_eq!(triangle_at(good, [0, 1, 1]), Err(MeshError::NodeTwice { element: 0, node: 1 }));
    let nan = triangle_at([[0., 0., 0.], [1., f64::NAN, 0.], [0., 1., 0.]], [0, 1, 2]);
    assert!(matches!(nan, Err(MeshError::Coordinate { node: 1, .. })));
    for third in [[0.5, 0.5, 0.], [0.1, 0.1, 0.], [0.3, 0.3, 0.]] {
        let flat = triangle_at([[0., 0., 0.], [1., 1., 0.], third], [0, 1, 2]);
        assert!(matches!(flat, Err(MeshError::Flat { element: 0, .. })), "{flat:?}");
    }
    let thin = triangle_at([[0., 0., 0.], [1., 0., 0.], [0.5, 1e-9, 0.]], [0, 1, 2]);
    assert!(thin.is_ok());
}

#[test]
fn cells_are_joined_and_made_at_once() {
    let mut one_by_one = Cells::with_capacity(3, 10);
    one_by_one.push(ElementKind::Quadrilateral, &[0, 1, 2, 3], 4);
    one_by_one.push(ElementKind::Triangle, &[4, 5, 6], 9);
    one_by_one.push(ElementKind::Triangle, &[6, 5, 7], 9);
    let mut joined = Cells::of_kind(ElementKind::Quadrilateral, vec![0, 1, 2, 3], 4);
    joined.append(&Cells::of_kind(ElementKind::Triangle, vec![4, 5, 6, 6, 5, 7], 9));
    joined.append(&Cells::default());
    assert_eq!(joined, one_by_one);
}

#[test]
fn an_area_beyond_the_largest_number_is_refused() {
    let huge = triangle_at([[0., 0., 0.], [1e200, 0., 0.], [0., 1e200, 0.]], [0, 1, 2]);
    assert!(matches!(huge, Err(MeshError::Flat { value: f64::INFINITY, .. })), "{huge:?}");
}
