//! Files that we write are read by meshio, and files that meshio writes are read by us.
//! `make test` installs it; without it this test says so and ends.

use crate::zoo::zoo;
use palmette_io::{
    Field, FieldValues, Fields, MeshReadParams, Output, VtkForm, read_mesh, write_gmsh, write_vtk,
    write_vtu,
};
use std::io;
use std::path::Path;
use std::process::Command;

fn save(path: &Path, write: impl FnOnce(&mut Output) -> io::Result<()>) {
    let mut out = Output::create(path).unwrap();
    out.write_with(write).unwrap();
    out.finish().unwrap();
}

#[test]
fn meshio_and_we_agree() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = here.join("../../.venv-test/bin/python");
    if !python.exists() {
        eprintln!("skipped: {} is missing; `make test` installs it", python.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mesh = zoo();
    let heat: Vec<f64> = (0..13).map(|i| f64::from(i) / 7.0).collect();
    let owner: Vec<i32> = (0..13).collect();
    let three: Vec<f64> = (0..39).map(|i| f64::from(i) / 3.0).collect();
    let vectors = |values, components| FieldValues::Vectors { values, components };
    let fields = Fields {
        cells: &[
            Field { name: "part", values: FieldValues::I32(&[3, -1, 2, i32::MAX]) },
            Field { name: "load <N>", values: FieldValues::F64(&[0.1, -1e300, 5e-324, 0.0]) },
            Field { name: "pull", values: vectors(&three[..8], 2) },
        ],
        points: &[
            Field { name: "heat", values: FieldValues::F64(&heat) },
            Field { name: "owner", values: FieldValues::I32(&owner) },
            Field { name: "one", values: vectors(&three[..13], 1) },
            Field { name: "two", values: vectors(&three[..26], 2) },
            Field { name: "three", values: vectors(&three, 3) },
        ],
    };
    save(&path("zoo.msh"), |out| write_gmsh(out, &mesh, None));
    save(&path("zoo.vtu"), |out| write_vtu(out, &mesh, &fields));
    save(&path("text.vtk"), |out| write_vtk(out, &mesh, &fields, VtkForm::Text));
    save(&path("binary.vtk"), |out| write_vtk(out, &mesh, &fields, VtkForm::Binary));
    let script = here.join("tests/peer.py");
    let output = Command::new(python).arg(script).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let versions = ["gmsh22", "gmsh40", "gmsh"];
    for name in versions.iter().flat_map(|v| [format!("{v}_text.msh"), format!("{v}_binary.msh")]) {
        let file = read_mesh(path(&name), &MeshReadParams::default()).unwrap();
        assert_eq!(file.mesh.points(), mesh.points(), "{name}");
        let nodes: Vec<&[u32]> = file.mesh.elements().iter().collect();
        assert_eq!(nodes, mesh.elements().iter().collect::<Vec<_>>(), "{name}");
        let boundary: Vec<&[u32]> = file.mesh.boundary().iter().collect();
        assert_eq!(boundary, mesh.boundary().iter().take(2).collect::<Vec<_>>(), "{name}");
        let mut names: Vec<&str> = file.mesh.groups().iter().map(|g| g.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["floor", "the body"], "{name}");
    }
}
