//! Meshes of files that Gmsh wrote, those of the shared data, and those written and read back.

use crate::zoo::zoo;
use palmette_core::mesh::{Cells, ElementKind, Group};
use palmette_io::{
    Field, FieldValues, Fields, MeshFile, MeshFormat, MeshReadParams, VtkForm,
    read_all_points_bytes, read_bytes, read_mesh, read_mesh_bytes, write_gmsh, write_metis_mesh,
    write_pvd, write_vtk, write_vtu,
};
use std::path::PathBuf;

fn data(name: &str) -> MeshFile {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    read_mesh(path, &MeshReadParams::default()).unwrap()
}

/// A file of the shared data, if it is there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is missing", path.display());
    None
}

/// The unit cube in tetrahedra, with its bottom and one edge, as Gmsh 4.15 writes it. It writes
/// MSH 4.0 as text only; the binary files of that version are the texts, packed as the source
/// of Gmsh 4.0 reads them.
#[test]
fn files_of_gmsh() {
    let text = data("solid_22_text.msh");
    assert_eq!(text.mesh.dimension(), 3);
    let names: Vec<(u8, i32, &str)> =
        text.mesh.groups().iter().map(|g| (g.dimension, g.tag, g.name.as_str())).collect();
    assert_eq!(names, [(1, 9, "edge"), (2, 3, "bottom"), (3, 7, "the body")]);
    let volume: f64 = (0..text.mesh.elements().len()).map(|e| text.mesh.measure(e)).sum();
    assert!((volume - 1.0).abs() < 1e-12, "{volume}");
    let boundary = text.mesh.boundary();
    for i in 0..boundary.len() {
        let group = if boundary.kind(i) == ElementKind::Line { 9 } else { 3 };
        assert_eq!(boundary.tag(i), group);
        assert!(boundary.nodes(i).iter().all(|&v| text.mesh.points()[v as usize][2] == 0.0));
    }
    assert!((0..text.mesh.elements().len()).all(|e| text.mesh.elements().tag(e) == 7));
    for name in [
        "solid_22_binary.msh",
        "solid_40_text.msh",
        "solid_40_binary.msh",
        "solid_41_text.msh",
        "solid_41_binary.msh",
    ] {
        let other = data(name);
        assert_eq!(other.mesh.groups(), text.mesh.groups(), "{name}");
        assert_eq!(other.mesh.elements(), text.mesh.elements(), "{name}");
        assert_eq!(other.mesh.boundary(), text.mesh.boundary(), "{name}");
        for (p, q) in other.mesh.points().iter().zip(text.mesh.points()) {
            // Texts have 16 digits.
            assert!((0..3).all(|i| (p[i] - q[i]).abs() < 1e-14), "{name}");
        }
    }
}

/// Elements of a part carry the groups of what it is a part of.
#[test]
fn a_partitioned_file_of_gmsh() {
    let whole = data("solid_41_text.msh");
    for name in ["parted_40_text.msh", "parted_40_binary.msh", "parted_41_text.msh"] {
        let parted = data(name);
        assert_eq!(parted.mesh.elements().len(), whole.mesh.elements().len());
        assert!((0..parted.mesh.elements().len()).all(|e| parted.mesh.elements().tag(e) == 7));
    }
}

/// Nodes on curves and surfaces have one and two parameters after their coordinates.
#[test]
fn a_file_of_gmsh_with_parameters() {
    let [old, new] = ["cylinder_40_text.msh", "cylinder_41_binary.msh"].map(data);
    assert_eq!(old.mesh.elements(), new.mesh.elements());
    assert_eq!(old.mesh.boundary(), new.mesh.boundary());
    for (p, q) in old.mesh.points().iter().zip(new.mesh.points()) {
        assert!((0..3).all(|i| (p[i] - q[i]).abs() < 1e-14), "{p:?} {q:?}");
        assert!(p[0].hypot(p[1]) < 0.5 + 1e-12 && (0.0..=1.0).contains(&p[2]), "{p:?}");
    }
}

#[test]
fn shared_meshes() {
    for (name, nodes, elements) in [
        ("4elt", 15_606, 30_269),
        ("airfoil1", 4253, 8034),
        ("crackplate", 5165, 10_121),
        ("penny_small", 20_121, 123_416),
    ] {
        let Some(path) = shared(&format!("meshes/{name}.mesh")) else { return };
        let xyz = read_bytes(&path.with_extension("xyz")).unwrap();
        let points = read_all_points_bytes("xyz", &xyz).unwrap();
        let params = MeshReadParams { points: Some(points), ..MeshReadParams::default() };
        let file = read_mesh(&path, &params).unwrap();
        // The faces of the crack are doubled.
        assert_eq!(file.found.coincident > 0, name == "crackplate");
        assert_eq!((file.mesh.points().len(), file.mesh.elements().len()), (nodes, elements));
        assert_eq!((file.format, file.found.isolated), (MeshFormat::Metis, 0));
    }
    let Some(path) = shared("meshes/crackplate.msh") else { return };
    let file = read_mesh(&path, &MeshReadParams::default()).unwrap();
    assert_eq!((file.mesh.points().len(), file.mesh.elements().len()), (5165, 10_121));
    assert_eq!((file.found.boundary, file.found.coincident), (0, 65));
    let params = MeshReadParams { merge: true, ..MeshReadParams::default() };
    let merged = read_mesh(path, &params).unwrap();
    assert_eq!((merged.mesh.points().len(), merged.mesh.elements().len()), (5100, 10_121));
    assert_eq!((merged.found.coincident, merged.found.merged), (0, 65));
    // Every element has its corners where they were.
    let corners = |file: &MeshFile, e: usize| -> Vec<[f64; 3]> {
        file.mesh.elements().nodes(e).iter().map(|&v| file.mesh.points()[v as usize]).collect()
    };
    assert!((0..10_121).all(|e| corners(&file, e) == corners(&merged, e)));
}

#[test]
fn written_meshes_read_back_the_same() {
    let mesh = zoo();
    let mut text = Vec::new();
    write_gmsh(&mut text, &mesh, None).unwrap();
    let file = read_mesh_bytes("zoo.msh", &text, &MeshReadParams::default()).unwrap();
    assert_eq!((&file.mesh, &file.tags), (&mesh, &None));
    let tags: Vec<u64> = (0..13).map(|i| 1 << (i * 4 % 50)).collect();
    text.clear();
    write_gmsh(&mut text, &mesh, Some(&tags)).unwrap();
    let file = read_mesh_bytes("zoo.msh", &text, &MeshReadParams::default()).unwrap();
    assert_eq!((&file.mesh, file.tags), (&mesh, Some(tags)));
    assert!(write_gmsh(&mut text, &mesh, Some(&[1])).is_err());
    text.clear();
    write_metis_mesh(&mut text, &mesh).unwrap();
    let points = Some(mesh.points().to_vec());
    let params = MeshReadParams { points, ..MeshReadParams::default() };
    let file = read_mesh_bytes("zoo.mesh", &text, &params).unwrap();
    let untagged: Vec<&[u32]> = mesh.elements().iter().collect();
    assert_eq!(file.mesh.elements().iter().collect::<Vec<_>>(), untagged);
}

#[test]
fn names_and_fields_that_do_not_fit() {
    let mesh = zoo();
    let quoted = Group { dimension: 3, tag: 1, name: "a\"b".to_string() };
    let quoted = mesh.clone().with_groups(Cells::default(), vec![quoted]).unwrap();
    assert!(write_gmsh(&mut Vec::new(), &quoted, None).is_err());
    let field = |name, values| Field { name, values };
    let refused = |fields: Fields<'_>| {
        let xml = write_vtu(&mut Vec::new(), &mesh, &fields).unwrap_err().to_string();
        let legacy = write_vtk(&mut Vec::new(), &mesh, &fields, VtkForm::Text).unwrap_err();
        assert_eq!(xml, legacy.to_string());
        xml
    };
    let part = field("part", FieldValues::I32(&[0, 1, 2]));
    let wrong = refused(Fields { cells: &[part], points: &[] });
    assert_eq!(wrong, "field part has 3 numbers for 4 elements");
    let flow = |components| field("flow", FieldValues::Vectors { values: &[0.5; 26], components });
    let wrong = refused(Fields { cells: &[], points: &[flow(3)] });
    assert_eq!(wrong, "field flow has 26 numbers for 13 nodes of 3");
    for components in [0, 4] {
        let wrong = refused(Fields { cells: &[], points: &[flow(components)] });
        assert_eq!(wrong, format!("field flow has {components} components; 1 to 3 are supported"));
    }
    assert!(write_vtu(&mut Vec::new(), &mesh, &Fields { cells: &[], points: &[flow(2)] }).is_ok());
    let heat = field("heat", FieldValues::F64(&[0.5; 13]));
    let wrong = refused(Fields { cells: &[], points: &[heat, heat] });
    assert_eq!(wrong, "field `heat`: the name is already used");
}

#[test]
fn series_are_lists_of_files() {
    let files: Vec<(f64, String)> = [(0.0, "a_0.vtu"), (0.1 + 0.2, "a & b/<1>.vtu"), (1e-7, "\"")]
        .map(|(time, file)| (time, file.to_string()))
        .into();
    let mut list = Vec::new();
    write_pvd(&mut list, &files).unwrap();
    let text = String::from_utf8(list).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(document.root_element().attribute("type"), Some("Collection"));
    let steps = document.descendants().filter(|n| n.has_tag_name("DataSet"));
    let found: Vec<(f64, String)> = steps
        .map(|n| {
            let attribute = |name| n.attribute(name).unwrap();
            (attribute("timestep").parse().unwrap(), attribute("file").to_string())
        })
        .collect();
    assert_eq!(found, files);
    for (time, file) in [(f64::NAN, "a"), (f64::INFINITY, "a"), (0.0, ""), (0.0, "a\nb")] {
        let error = write_pvd(&mut Vec::new(), &[(time, file.to_string())]).unwrap_err();
        assert!(error.to_string().starts_with("step 0 of the series: "), "{error}");
    }
}
