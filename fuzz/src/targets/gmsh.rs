//! Any bytes as a Gmsh mesh, text or binary: no panic, and what parses is written and read
//! back the same.

use palmette_io::{MeshFormat, MeshReadParams, coincident_nodes, read_mesh_bytes, write_gmsh};

pub(crate) fn check(data: &[u8]) {
    let params = MeshReadParams { format: Some(MeshFormat::Gmsh), ..MeshReadParams::default() };
    let merge = MeshReadParams { merge: true, ..params.clone() };
    if let Ok(file) = read_mesh_bytes("fuzz", data, &merge) {
        assert_eq!(coincident_nodes(file.mesh.points()), 0);
    }
    let Ok(file) = read_mesh_bytes("fuzz", data, &params) else { return };
    let mut text = Vec::new();
    if write_gmsh(&mut text, &file.mesh, file.tags.as_deref()).is_err() {
        let quoted = |name: &str| name.contains(['"', '\n', '\r']);
        assert!(file.mesh.groups().iter().any(|group| quoted(&group.name)));
        return;
    }
    let again = read_mesh_bytes("again", &text, &params).expect("what is written can be read");
    assert_eq!((again.mesh, again.tags), (file.mesh, file.tags));
}
