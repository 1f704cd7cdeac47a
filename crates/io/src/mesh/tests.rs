//! What meshes of small Gmsh files are, and every message about bad ones.

mod merging;
mod others;

use super::*;
use palmette_core::mesh::{ElementKind, Group};

fn read(text: impl AsRef<[u8]>) -> Result<MeshFile, IoError> {
    read_mesh_bytes("m", text.as_ref(), &MeshReadParams::default())
}

fn good(text: impl AsRef<[u8]>) -> MeshFile {
    read(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The message without the file's name.
fn refused(text: impl AsRef<[u8]>) -> String {
    let error = read(text).map(|file| file.mesh).expect_err("a bad file").to_string();
    error.strip_prefix("m, ").expect("the file's name").to_string()
}

const NODES: &str = "4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n";
const ELEMENTS: &str = "2\n1 2 2 7 1 1 2 3\n2 2 2 7 1 1 3 4\n";

/// A file of version 2.2 with the content of two sections.
fn v2(nodes: &str, elements: &str) -> String {
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{nodes}$EndNodes\n\
         $Elements\n{elements}$EndElements\n"
    )
}

/// The same square in version 4.1: sparse, unordered tags, a side and a corner in groups.
const V4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n\
    $PhysicalNames\n2\n2 7 \"the plate\"\n1 5 \"\"\n$EndPhysicalNames\n\
    $Entities\n1 1 1 0\n1 0 0 0 1 4\n1 0 0 0 1 0 0 1 -5 2 1 -2\n3 0 0 0 1 1 0 2 7 8 1 1\n\
    $EndEntities\n\
    $Nodes\n2 4 10 900000\n1 1 1 2\n900000\n10\n0 0 0 0\n1 0 0 1\n2 3 0 2\n40\n30\n1 1 0\n0 1 0\n\
    $EndNodes\n\
    $Periodic\n1\nanything $ at all\n$EndPeriodic\n\
    $Elements\n3 4 1 9\n0 1 15 1\n9 900000\n1 1 1 1\n8 900000 10\n\
    2 3 2 2\n1 900000 10 40\n2 900000 40 30\n$EndElements\n";

/// The same in version 4.0, whose points are boxes, with parameters on the side.
const V40: &str = "$MeshFormat\n4 0 8\n$EndMeshFormat\n\
    $PhysicalNames\n2\n2 7 \"the plate\"\n1 5 \"\"\n$EndPhysicalNames\n\
    $Entities\n1 1 1 0\n1 0 0 0 0 0 0 1 4\n1 0 0 0 1 0 0 1 -5 2 1 -2\n\
    3 0 0 0 1 1 0 2 7 8 1 1\n$EndEntities\n\
    $Nodes\n2 4\n1 1 1 2\n900000 0 0 0 0.25\n10 1 0 0 0.5\n3 2 0 2\n40 1 1 0\n30 0 1 0\n\
    $EndNodes\n\
    $Periodic\n1\nanything $ at all\n$EndPeriodic\n\
    $Elements\n3 4\n1 0 15 1\n9 900000\n1 1 1 1\n8 900000 10\n\
    3 2 2 2\n1 900000 10 40\n2 900000 40 30\n$EndElements\n";

#[test]
fn texts_of_all_versions() {
    let two = good(v2(NODES, ELEMENTS));
    let four = good(V4);
    assert_eq!(good(V40), four);
    assert_eq!(good(V40.replace("4 0 8", "4.0 0 8")), four);
    for file in [&two, &four] {
        assert_eq!(file.format, MeshFormat::Gmsh);
        assert_eq!(file.mesh.points()[2], [1.0, 1.0, 0.0]);
        let nodes: Vec<&[u32]> = file.mesh.elements().iter().collect();
        assert_eq!(nodes, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!((file.mesh.elements().tag(1), file.found.elements), (7, 2));
    }
    assert_eq!((two.tags, two.found.boundary), (None, 0));
    assert_eq!(four.tags, Some(vec![900_000, 10, 40, 30]));
    let counts = MeshCounts { elements: 2, boundary: 2, skipped: 1, ..MeshCounts::default() };
    assert_eq!(four.found, counts);
    let boundary = four.mesh.boundary();
    assert_eq!((boundary.kind(0), boundary.nodes(0)), (ElementKind::Line, &[0, 1][..]));
    assert_eq!((boundary.tag(0), boundary.tag(1)), (5, 4));
    let plate = Group { dimension: 2, tag: 7, name: "the plate".to_string() };
    assert_eq!((four.mesh.groups().len(), &four.mesh.groups()[0]), (2, &plate));
}

#[test]
fn what_is_legal_besides() {
    // Blank lines, CRLF, several numbers per line, two sections, numbers of no order, no tags.
    let text = "$Comments\n$Nodes\n$EndComments\r\n$MeshFormat\r\n2 0 8\r\n$EndMeshFormat\r\n\r\n\
        $Nodes\r\n2\r\n7 0 0 +0 5 1 0\r\n0\r\n$EndNodes\r\n$Nodes\n2\n3 1 1e0 0\n9 5 5 5\n$EndNodes\n\
        $Elements\n1\n1 2 0 7 5 3\n$EndElements\n$Elements\n1\n1 15 1 2 9\n$EndElements";
    let file = good(text);
    assert_eq!(file.tags, Some(vec![7, 5, 3, 9]));
    assert_eq!((file.found.isolated, file.found.boundary), (1, 1));
}

/// The square as binary data of a version and either byte order.
fn binary(version: u8, big: bool, size_bytes: usize) -> Vec<u8> {
    let put = |out: &mut Vec<u8>, mut bytes: Vec<u8>| {
        if big {
            bytes.reverse();
        }
        out.extend(bytes);
    };
    let int = |out: &mut Vec<u8>, x: i32| put(out, x.to_le_bytes().to_vec());
    let size = |out: &mut Vec<u8>, x: u64| put(out, x.to_le_bytes()[..size_bytes].to_vec());
    let point = |out: &mut Vec<u8>, x: [f64; 2]| {
        [x[0], x[1], 0.0].iter().for_each(|x| put(out, x.to_le_bytes().to_vec()));
    };
    let points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let (number, data_size) = match version {
        22 => ("2.2", 8),
        40 => ("4", 8),
        _ => ("4.1", size_bytes),
    };
    let mut out = format!("$MeshFormat\n{number} 1 {data_size}\n").into_bytes();
    int(&mut out, 1);
    out.extend(b"\n$EndMeshFormat\n");
    if version == 22 {
        out.extend(b"$Nodes\n4\n");
        for (i, &p) in points.iter().enumerate() {
            int(&mut out, i as i32 + 1);
            point(&mut out, p);
        }
        out.extend(b"\n$EndNodes\n$Elements\n2\n");
        [2, 2, 1].iter().for_each(|&x| int(&mut out, x));
        [1, 7, 1, 2, 3, 2, 7, 1, 3, 4].iter().for_each(|&x| int(&mut out, x));
    } else {
        // A point, whose bounds are a box in version 4.0, and the square.
        out.extend(b"$Entities\n");
        [1, 0, 1, 0].iter().for_each(|&x| size(&mut out, x));
        int(&mut out, 1);
        (0..if version == 40 { 2 } else { 1 }).for_each(|_| point(&mut out, points[0]));
        size(&mut out, 0);
        int(&mut out, 3);
        point(&mut out, [0.0, 0.0]);
        point(&mut out, [1.0, 1.0]);
        size(&mut out, 1);
        int(&mut out, 7);
        size(&mut out, 0);
        out.extend(b"\n$EndEntities\n$Nodes\n");
        let blocks = |out: &mut Vec<u8>, count: u64, kind: i32| {
            let (head, extra): ([i32; 2], &[u64]) =
                if version == 40 { ([3, 2], &[]) } else { ([2, 3], &[1, count]) };
            [1, count].iter().chain(extra).for_each(|&x| size(out, x));
            head.iter().for_each(|&x| int(out, x));
            int(out, kind);
            size(out, count);
        };
        // Numbers of nodes and elements are narrow in version 4.0.
        let number = |out: &mut Vec<u8>, x: u64| match version {
            40 => int(out, x as i32),
            _ => size(out, x),
        };
        blocks(&mut out, 4, 0);
        if version == 40 {
            for (&p, tag) in points.iter().zip(1..) {
                number(&mut out, tag);
                point(&mut out, p);
            }
        } else {
            (1..=4).for_each(|tag| number(&mut out, tag));
            points.iter().for_each(|&p| point(&mut out, p));
        }
        out.extend(b"\n$EndNodes\n$Elements\n");
        blocks(&mut out, 2, 2);
        [1, 1, 2, 3, 2, 1, 3, 4].iter().for_each(|&x| number(&mut out, x));
    }
    out.extend(b"\n$EndElements\n");
    out
}

#[test]
fn binary_data_of_both_byte_orders() {
    let text = good(v2(NODES, ELEMENTS)).mesh;
    for big in [false, true] {
        for (version, size) in [(22, 4), (40, 8), (41, 8), (41, 4)] {
            assert_eq!(good(binary(version, big, size)).mesh, text, "{version} {big} {size}");
        }
    }
}

/// A file cut anywhere is refused; no byte of a header makes us allocate much or panic.
#[test]
fn truncated_and_damaged_files() {
    let mut files = vec![v2(NODES, ELEMENTS).into_bytes()];
    files.extend([V40, V4].map(|text| text.as_bytes().to_vec()));
    files.extend([
        binary(22, false, 4),
        binary(22, true, 4),
        binary(40, false, 8),
        binary(40, true, 8),
        binary(41, false, 8),
        binary(41, true, 4),
    ]);
    for file in files {
        let whole = file.trim_ascii_end().len();
        for length in 0..whole {
            assert!(read(&file[..length]).is_err(), "{length} of {whole}");
        }
        for at in 0..whole {
            for byte in [0, 0xff, b'9', b'$'] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                let _ = read(&damaged);
            }
        }
    }
}

#[test]
fn bad_headers() {
    let format = |line: &str| refused(format!("$MeshFormat\n{line}\n$EndMeshFormat\n"));
    for (line, message) in [
        ("4.2 0 8", "line 2: expected version 2.2, 4.0 or 4.1 of the format, found `4.2`"),
        ("4 0 4", "line 2: expected a data size of 8 bytes, found `4`"),
        ("1.0 0 8", "line 2: expected version 2.2, 4.0 or 4.1 of the format, found `1.0`"),
        ("2.2 0", "line 2: expected `version file-type data-size`, found `2.2 0`"),
        ("2.2 2 8", "line 2: expected the file type 0 (text) or 1 (binary), found `2`"),
        ("2.2 0 4", "line 2: expected a data size of 8 bytes, found `4`"),
        (
            "2.2 1 8",
            "byte 20: expected the integer 1 in four bytes of either order, found [24, 45, 6e, 64]",
        ),
        ("2.2 0 8", "line 3: expected elements of dimension 2 or 3, found none"),
    ] {
        assert_eq!(format(line), message);
    }
    for (text, message) in [
        ("", "line 1: expected a Gmsh, METIS, Medit or SU2 mesh, found an empty file"),
        ("solid cube\n", "line 1: expected a Gmsh, METIS, Medit or SU2 mesh, found `solid cube`"),
        ("$NOD\n1\n", "line 1: expected version 2.2, 4.0 or 4.1 of the format, found version 1"),
        ("$Nodes\n", "line 1: expected `$EndNodes`, found the end of the file"),
        ("$A\n$EndA\n", "line 2: expected the section `$MeshFormat`, found the end of the file"),
        (
            "$MeshFormat\n2.2 0 8\n$EndNodes\n",
            "line 3: expected `$EndMeshFormat`, found `$EndNodes`",
        ),
    ] {
        assert_eq!(refused(text), message);
    }
    let latin = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\n\xe9\n$EndComments\n";
    assert_eq!(refused(latin), "line 5: expected UTF-8 text, found byte 0xe9 at offset 45");
    let garbage = v2(NODES, ELEMENTS) + "more\n";
    assert_eq!(refused(garbage), "line 16: expected the start of a section, `$…`, found `more`");
    let open = v2(NODES, ELEMENTS) + "$Periodic\n1 2 3\n";
    assert_eq!(refused(open), "line 17: expected `$EndPeriodic`, found the end of the file");
}

#[test]
fn bad_nodes() {
    for (nodes, message) in [
        ("x\n", "line 5: expected the number of nodes, found `x`"),
        ("5\n1 0 0 0\n", "line 7: expected the number of a node, found `$EndNodes`"),
        ("99999999999\n", "line 6: expected the number of a node, found `$EndNodes`"),
        ("1\n1 0 0 0\n2 1 0 0\n", "line 7: expected `$EndNodes`, found `2`"),
        ("1\n-1 0 0 0\n", "line 6: expected the number of a node, found `-1`"),
        ("1\n1 0 0x 0\n", "line 6: expected a finite coordinate, found `0x`"),
        ("2\n1 0 0 0\n2 nan 0 0\n", "line 7: expected a finite coordinate, found `nan`"),
        ("2\n1 0 0 0\n2 0 -inf 0\n", "line 7: expected a finite coordinate, found `-inf`"),
        ("2\n1 0 0 0\n2 0 1e999 0\n", "line 7: expected a finite coordinate, found `1e999`"),
        (
            "3\n1 0 0 0\n2 1 0 0\n1 1 1 0\n",
            "line 8: expected a number not used before, found 1 again, already used in line 6",
        ),
    ] {
        assert_eq!(refused(v2(nodes, "1\n1 2 0 1 2 3\n")), message);
    }
}

#[test]
fn bad_elements() {
    let first_order = "a first-order point, line, triangle, quadrilateral, tetrahedron, \
                       hexahedron, prism or pyramid";
    for (elements, message) in [
        ("2\n1 2 0 1 2 3\n", "line 14: expected the number of an element, found `$EndElements`"),
        ("1\n1 2 0 1 2 3\n2 2 0 1 3 4\n", "line 14: expected `$EndElements`, found `2`"),
        ("1\n1 2 0 1 2\n", "line 14: expected the number of a node, found `$EndElements`"),
        (
            "1\n6 2 0 1 2 5\n",
            "line 13: expected the nodes of element 6, a triangle, found node 5, which does not \
            exist",
        ),
        (
            "1\n6 2 0 1 2 2\n",
            "line 13: expected elements of distinct nodes, found element 6, which names node 2 twice",
        ),
        (
            "1\n6 1 0 1 2\n",
            "line 14: expected elements of dimension 2 or 3, found only lines and points",
        ),
        ("1\n6 15 0 1\n", "line 14: expected elements of dimension 2 or 3, found only points"),
        ("0\n", "line 13: expected elements of dimension 2 or 3, found none"),
        ("1\n6 2 9 1 1 1\n", "line 14: expected a tag of an element, found `$EndElements`"),
    ] {
        assert_eq!(refused(v2(NODES, elements)), message);
    }
    for (number, found) in [
        (9, "a second-order triangle, which is not supported"),
        (11, "a second-order tetrahedron, which is not supported"),
        (26, "a third-order line, which is not supported"),
        (99, "which is not known"),
    ] {
        let message = refused(v2(NODES, &format!("2\n1 2 0 1 2 3\n8 {number} 0 1 2 3 4 5 6\n")));
        let found = format!("element 8 of type {number}, {found}");
        assert_eq!(message, format!("line 14: expected {first_order}, found {found}"));
    }
    let flat = v2("4\n1 0 0 0\n2 1 1 0\n3 3 3 0\n4 0 1 0\n", "2\n8 2 0 1 2 4\n9 2 0 1 2 3\n");
    let expected = "expected elements with a finite area that is not 0";
    assert_eq!(
        refused(flat),
        format!("line 14: {expected}, found element 9, a triangle of area 0e0")
    );
}

#[test]
fn bad_blocks() {
    let changed = |from: &str, to: &str| {
        assert_eq!(V4.matches(from).count(), 1, "{from}");
        refused(V4.replace(from, to))
    };
    for (from, to, message) in [
        (
            "2 4 10 900000",
            "2 5 10 900000",
            "line 16: expected the number of nodes in all blocks, 4, found 5",
        ),
        (
            "3 4 1 9",
            "3 2 1 9",
            "line 33: expected the number of elements in all blocks, 4, found 2",
        ),
        ("1 1 1 2", "4 1 1 2", "line 17: expected the dimension of a block, 0 to 3, found 4"),
        (
            "2 3 2 2",
            "3 3 2 2",
            "line 38: expected elements of dimension 3 in a block of it, found a triangle",
        ),
        ("2 3 2 2", "2 3 2 3", "line 41: expected the number of an element, found `$EndElements`"),
        (
            "2 7 \"the",
            "2 7 the",
            "line 6: expected `dimension tag \"name\"`, found `2 7 the plate\"`",
        ),
        ("1 1 1 0\n", "1 1 1 1\n", "line 14: expected the tag of an entity, found `$EndEntities`"),
    ] {
        assert_eq!(changed(from, to), message);
    }
    assert!(changed("2 3 2 2", "2 3 9 2").contains("found type 9, a second-order triangle"));
}

#[test]
fn bad_binary_data() {
    let place = |file: &[u8], text: &[u8]| memchr::memmem::find(file, text).expect("a section");
    let two = binary(22, false, 4);
    let nodes = place(&two, b"$Nodes\n4\n") + 9;
    let mut nan = two.clone();
    nan[nodes + 4..nodes + 12].copy_from_slice(&f64::NAN.to_le_bytes());
    assert_eq!(
        refused(&nan),
        format!("byte {}: expected a finite coordinate, found NaN", nodes + 4)
    );
    let elements = place(&two, b"$Elements\n2\n") + 12;
    let mut many = two.clone();
    many[elements + 4] = 3;
    let at = elements + 4;
    assert_eq!(
        refused(&many),
        format!("byte {at}: expected from 1 to 2 elements in a block, found 3")
    );
    let mut absent = two.clone();
    absent[elements + 12 + 8] = 9;
    let message = refused(&absent);
    let found = "the nodes of element 1, a triangle, found node 9, which does not exist";
    assert_eq!(message, format!("byte {}: expected {found}", elements + 20));
    let cut = &two[..elements + 20];
    let message = refused(cut);
    assert_eq!(
        message,
        format!("byte {}: expected the number of a node, found the end of the file", cut.len())
    );
    let mut order = two;
    order[20..24].copy_from_slice(&[0, 0, 1, 0]);
    assert!(refused(&order).starts_with("byte 20: expected the integer 1 in four bytes"));
}
