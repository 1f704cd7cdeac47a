//! The same for METIS, Medit and SU2.

use super::*;

fn metis(text: &str, points: &[[f64; 3]]) -> Result<MeshFile, String> {
    let params = MeshReadParams { points: Some(points.to_vec()), ..MeshReadParams::default() };
    read_mesh_bytes("m", text.as_bytes(), &params).map_err(|error| error.to_string())
}

#[test]
fn metis_meshes() {
    let square = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [9.0, 9.0, 0.0]];
    let file = metis("% c\n2\n1 2 3\n\n 1\t3 4 \r\n\n", &square).unwrap();
    assert_eq!(file.mesh.elements().nodes(1), [0, 2, 3]);
    assert_eq!((file.found.isolated, file.tags, file.format), (1, None, MeshFormat::Metis));
    let weighted = metis("1 2\n7 8 1 2 3 4", &square).unwrap();
    assert_eq!(weighted.mesh.elements().kind(0), ElementKind::Quadrilateral);
    assert_eq!((file.found.weights, weighted.found.weights), (0, 2));
    let mut solid = square;
    solid[3][2] = 1.0;
    let solid = metis("1\n1 2 3 4", &solid).unwrap();
    assert_eq!(solid.mesh.elements().kind(0), ElementKind::Tetrahedron);
    for (text, message) in [
        ("2\n1 2 3\n", "m, line 2: expected 2 elements, as line 1 says, found the end after 1"),
        ("1\n1 2 3\n% c\n1 3 4\n", "m, line 4: expected the end after 1 elements, found `1 3 4`"),
        (
            "1\n1 2 6\n",
            "m, line 2: expected the nodes of element 1, a triangle, found node 6, which does not \
            exist",
        ),
        (
            "1\n0 1 2\n",
            "m, line 2: expected the nodes of element 1, a triangle, found node 0, which does not \
            exist",
        ),
        ("1\n1 2\n", "m, line 2: expected the nodes of an element: 3, 4, 5, 6 or 8, found 2"),
        ("1 5\n1 2 3\n", "m, line 2: expected the nodes of an element: 3, 4, 5, 6 or 8, found 0"),
        ("1\n1 2 x\n", "m, line 2: expected the number of a node, found `x`"),
        ("1\n1 2 3.5\n", "m, line 2: expected the number of a node, found `3.5`"),
        (
            "2\n1 2 3 4 5\n1 2 3\n",
            "m, line 3: expected elements of dimension 3, as in line 2, found a triangle, of \
            dimension 2",
        ),
        ("0\n", "m, line 1: expected elements of dimension 2 or 3, found none"),
    ] {
        assert_eq!(metis(text, &square).unwrap_err(), message);
    }
    let none = read("1\n1 2 3\n").map(|file| file.mesh).unwrap_err();
    assert_eq!(none.to_string(), "m: no coordinates for this METIS mesh");
    let points = Some(square.to_vec());
    let params = MeshReadParams { format: Some(MeshFormat::Gmsh), points, merge: false };
    let own = read_mesh_bytes("m", b"$MeshFormat\n", &params).map(|file| file.mesh).unwrap_err();
    assert_eq!(own.to_string(), "m: this mesh already has coordinates");
    let params =
        MeshReadParams { format: Some(MeshFormat::Metis), points: Some(Vec::new()), merge: false };
    let error = read_mesh_bytes("m", b"1 2 3\n", &params).unwrap_err().to_string();
    assert_eq!(error, "m, line 1: expected the header `elements [weights]`, found `1 2 3`");
}

#[test]
fn formats_have_names() {
    for format in [MeshFormat::Gmsh, MeshFormat::Metis, MeshFormat::Medit, MeshFormat::Su2] {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert!("msh".parse::<MeshFormat>().is_err());
}

#[test]
fn medit_meshes() {
    let text = "MeshVersionFormatted 2\nDimension 2 # plane\nVertices\n4\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n\
        Corners 2\n1 2\nEdges 1\n1 2 5\nTriangles\n2\n1 2 3 7\n1 3 4 -7\nEnd\n";
    let file = good(text);
    assert_eq!((file.format, file.found.skipped), (MeshFormat::Medit, 1));
    assert_eq!((file.mesh.elements().nodes(1), file.mesh.elements().tag(1)), (&[0, 2, 3][..], -7));
    assert_eq!((file.mesh.boundary().nodes(0), file.mesh.boundary().tag(0)), (&[0, 1][..], 5));
    for (from, to, message) in [
        ("Dimension 2", "Dimension 4", "line 2: expected the dimension, 2 or 3, found 4"),
        ("1 0 1", "1 nan 1", "line 6: expected a finite coordinate, found `nan`"),
        (
            "1 2 3 7",
            "1 2 9 7",
            "line 15: expected the nodes of element 1, a triangle, found node 9, which does not \
            exist",
        ),
        ("\n2\n1 2 3 7", "\n3\n1 2 3 7", "line 17: expected the number of a vertex, found `End`"),
    ] {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        assert_eq!(refused(text.replace(from, to)), message);
    }
    assert!(
        refused("MeshVersionFormatted 1\n3\n").contains("line 2: expected a keyword, found `3`")
    );
}

#[test]
fn su2_meshes() {
    let text = "% c\nNDIME= 2\nNELEM= 2\n5 0 1 2 0\n5 0 2 3\nNPOIN= 4 4\n0 0 0\n1 0 1\n1 1\n0 1 3\n\
        NMARK= 1\nMARKER_TAG= wall\nMARKER_ELEMS= 1\n3 0 1\nFFD_NBOX= 0\n";
    let file = good(text);
    assert_eq!((file.format, file.found.skipped), (MeshFormat::Su2, 1));
    assert_eq!(
        (file.mesh.elements().nodes(1), file.tags),
        (&[0, 2, 3][..], Some(vec![0, 1, 2, 3]))
    );
    let wall = Group { dimension: 1, tag: 1, name: "wall".to_string() };
    assert_eq!((file.mesh.groups(), file.mesh.boundary().tag(0)), (&[wall][..], 1));
    for (from, to, message) in [
        ("NDIME= 2", "NDIME= 5", "line 1: expected `NDIME=` 2 or 3, found 5"),
        ("NELEM= 2", "NELEM= x", "line 3: expected a number for NELEM, found `x`"),
        (
            "5 0 2 3",
            "5 0 2 4",
            "line 5: expected the nodes of element 1, a triangle, found node 4, which does not \
            exist",
        ),
        ("5 0 2 3", "5 0 2", "line 5: expected the number of a node, found nothing more"),
        (
            "5 0 2 3",
            "22 0 2 3",
            "line 5: expected VTK's type of a first-order element: 1, 3, 5, 9, 10, 12, 13 or 14, found 22",
        ),
        ("1 1\n", "1\n", "line 9: expected a finite coordinate, found nothing more"),
        (
            "_ELEMS= 1",
            "_ELEMS= 9",
            "line 15: expected 9 lines for MARKER_ELEMS, found the end after 2",
        ),
        ("NMARK= 1", "NMARK", "line 11: expected `KEY= value`, found `NMARK`"),
    ] {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        assert_eq!(refused(text.replace(from, to)), message);
    }
}
