//! The graphs of the shared meshes are those that METIS's `m2gmetis` makes of them.

use palmette_core::Mesh;
use palmette_io::{
    GraphReadParams, MeshReadParams, read_all_points_bytes, read_bytes, read_graph, read_mesh,
};
use palmette_mesh::element::{dual_graph, node_graph};
use std::path::{Path, PathBuf};

/// A file of the shared data, if it is there.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/meshes");
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is missing", path.display());
    None
}

fn mesh(path: &Path) -> Mesh {
    let xyz = read_bytes(&path.with_extension("xyz")).unwrap();
    let points = read_all_points_bytes("xyz", &xyz).unwrap();
    // The faces of one of the cracks are doubled.
    let params = MeshReadParams { points: Some(points), ..MeshReadParams::default() };
    read_mesh(path, &params).unwrap().mesh
}

#[test]
fn graphs_of_nodes() {
    for name in ["4elt", "airfoil1", "crackplate", "penny_small"] {
        let Some(path) = shared(&format!("{name}.mesh")) else { return };
        let expected = read_graph(path.with_extension("graph"), &GraphReadParams::default());
        assert!(node_graph(&mesh(&path)) == expected.unwrap().graph, "{name}");
    }
}

/// Every inner edge of a plane mesh is one of the dual graph: by Euler's formula.
#[test]
fn graphs_of_elements() {
    for name in ["airfoil1", "crackplate"] {
        let Some(path) = shared(&format!("{name}.mesh")) else { return };
        let mesh = mesh(&path);
        let (edges, triangles) = (node_graph(&mesh).edge_count(), mesh.elements().len());
        // Sides of triangles are inner edges twice and outer ones once.
        assert_eq!(dual_graph(&mesh).edge_count(), 3 * triangles - edges, "{name}");
        assert_eq!(dual_graph(&mesh).components().count(), 1);
    }
}
