//! Any bytes as a Medit or SU2 mesh: no panic, and what parses reads back the same from
//! Gmsh's form.

use palmette_io::{MeshFormat, MeshReadParams, read_mesh_bytes, write_gmsh};

pub(crate) fn check(data: &[u8]) {
    for format in [MeshFormat::Medit, MeshFormat::Su2] {
        let params = MeshReadParams { format: Some(format), ..MeshReadParams::default() };
        let Ok(file) = read_mesh_bytes("fuzz", data, &params) else { continue };
        let mut text = Vec::new();
        if write_gmsh(&mut text, &file.mesh, file.tags.as_deref()).is_err() {
            let quoted = |name: &str| name.contains(['"', '\n', '\r']);
            assert!(file.mesh.groups().iter().any(|group| quoted(&group.name)));
            continue;
        }
        let gmsh = MeshReadParams { format: Some(MeshFormat::Gmsh), ..params };
        let again = read_mesh_bytes("again", &text, &gmsh).expect("what is written can be read");
        assert_eq!(again.mesh.points(), file.mesh.points());
        assert_eq!(again.mesh.elements().all_nodes(), file.mesh.elements().all_nodes());
    }
}
