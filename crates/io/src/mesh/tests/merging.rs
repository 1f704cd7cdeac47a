//! Nodes at the same place.

use super::*;

/// A square that is cut along its diagonal: nodes 4 and 5 are the other side of 2 and 3.
const CUT: &str = "6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 -0 0\n5 0 1 0\n6 1 1 0\n";

#[test]
fn nodes_at_the_same_place_stay_apart_or_are_merged() {
    let text = v2(CUT, "3\n1 1 2 5 5 4 5\n2 2 2 7 1 1 2 3\n3 2 2 7 1 4 6 5\n");
    let file = good(&text);
    assert_eq!((file.found.coincident, file.found.merged, &file.tags), (2, 0, &None));
    assert_eq!(file.mesh.elements().nodes(1), [3, 5, 4]);
    let merge = MeshReadParams { merge: true, ..MeshReadParams::default() };
    let merged = |text: &str| read_mesh_bytes("m", text.as_bytes(), &merge);
    let file = merged(&text).expect("a mesh");
    assert_eq!((file.found.coincident, file.found.merged), (0, 2));
    assert_eq!(file.tags, Some(vec![1, 2, 3, 6]));
    assert_eq!(file.mesh.points()[3], [1.0, 1.0, 0.0]);
    let nodes: Vec<&[u32]> = file.mesh.elements().iter().collect();
    assert_eq!(nodes, [[0, 1, 2], [1, 3, 2]]);
    assert_eq!((file.mesh.boundary().nodes(0), file.mesh.boundary().tag(0)), (&[1, 2][..], 5));
    // Nothing to merge, nothing changed.
    let plain = v2(NODES, ELEMENTS);
    assert_eq!(merged(&plain).expect("a mesh"), good(&plain));
    // A quadrilateral with a side of no length has an area, but only three places.
    let slit = v2(CUT, "1\n8 3 0 1 2 4 3\n");
    assert_eq!(good(&slit).found.coincident, 2);
    let error = merged(&slit).expect_err("two nodes of an element at a place").to_string();
    assert_eq!(
        error,
        "m, line 15: expected elements with nodes at different places, in order to merge nodes, \
         found element 8, whose nodes 2 and 4 coincide"
    );
}

#[test]
fn points_of_another_file_are_merged_too() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    let read = |merge| {
        let params = MeshReadParams { points: Some(points.to_vec()), merge, format: None };
        read_mesh_bytes("m", b"2\n1 2 3\n4 5 3\n", &params).expect("a mesh")
    };
    assert_eq!((read(false).found.coincident, read(false).mesh.points().len()), (1, 5));
    let file = read(true);
    assert_eq!((file.found.merged, file.tags), (1, Some(vec![1, 2, 3, 5])));
    assert_eq!(file.mesh.elements().nodes(1), [1, 3, 2]);
}
