//! What graphs of small files are, and every message about bad ones.

mod circuits;
mod netlists;

use super::*;
use crate::Lookup;

fn read(name: &str, text: impl AsRef<[u8]>) -> Result<GraphFile, IoError> {
    read_graph_bytes(name, text.as_ref(), &GraphReadParams::default())
}

fn good(name: &str, text: &str) -> GraphFile {
    match read(name, text) {
        Ok(file) => file,
        Err(error) => panic!("{error} in {text:?}"),
    }
}

/// The message without the file's name.
fn refused(name: &str, text: impl AsRef<[u8]>) -> String {
    let error = read(name, &text).map(|file| file.graph).expect_err("a bad file").to_string();
    error.strip_prefix(&format!("{name}, ")).expect("the file's name").to_string()
}

fn edges(file: &GraphFile) -> Vec<(u32, u32, f64)> {
    file.graph.edges().collect()
}

fn matrix(kind: &str, body: &str) -> String {
    format!("%%MatrixMarket matrix coordinate {kind}\n{body}")
}

#[test]
fn matrices_of_weights() {
    let general = matrix("real general", "% c\n\n3 3 5\n2 1 0.5\n1 2 0.5\n3 3 7\n2 3 2\n3 2 2\n");
    let symmetric = matrix("Real SYMMETRIC", "3 3 3\r\n1 2 5e-1\r\n  3\t3 7 \r\n03 2 +2");
    let bare = "3 3 5\n2 1 0.5\n1 2 0.5\n3 3 7\n2 3 2\n3 2 2\n";
    for text in [&general, &symmetric, bare] {
        let file = good("m.mtx", text);
        assert_eq!(edges(&file), [(0, 1, 0.5), (1, 2, 2.0)]);
        assert_eq!((file.form, file.found.diagonal), (GraphForm::Adjacency, 1));
        assert_eq!((file.format, file.ground), (GraphFormat::MatrixMarket, None));
    }
    let pattern = good("m.mtx", &matrix("pattern symmetric", "2 2 2\n2 1\n1 1\n"));
    assert_eq!((edges(&pattern), pattern.found.diagonal), (vec![(0, 1, 1.0)], 1));
    let diagonal = good("m.mtx", &matrix("pattern symmetric", "2 2 1\n1 1\n"));
    assert_eq!(diagonal.form, GraphForm::Adjacency);
    assert_eq!(edges(&good("m.mtx", "2 2 2\n2 1\n1 2\n")), [(0, 1, 1.0)]);
    assert_eq!(good("m.mtx", "4 4 0\n").graph.len(), 4);
}

#[test]
fn duplicates_are_added_and_zeros_dropped() {
    let text = matrix("real symmetric", "3 3 5\n2 1 1\n1 2 2\n3 1 0\n3 2 4\n2 2 0\n");
    let file = good("m.mtx", &text);
    assert_eq!(edges(&file), [(0, 1, 3.0), (1, 2, 4.0)]);
    let counts = GraphCounts { entries: 5, duplicates: 1, zeros: 2, ..GraphCounts::default() };
    assert_eq!(file.found, counts);
    // Unsorted, and the two triangles say the same in other words.
    let text = matrix("integer general", "3 3 5\n3 1 2\n1 2 4\n1 3 1\n2 1 4\n1 3 1\n");
    let file = good("m.mtx", &text);
    assert_eq!(edges(&file), [(0, 1, 4.0), (0, 2, 2.0)]);
    assert_eq!(file.found, GraphCounts { entries: 5, duplicates: 1, ..GraphCounts::default() });
    // Columns of the upper triangle that do not ascend.
    let text = "3 3 4\n2 3 1\n1 3 2\n3 1 2\n3 2 1\n";
    assert_eq!(edges(&good("m.mtx", text)), [(0, 2, 2.0), (1, 2, 1.0)]);
}

#[test]
fn laplacians() {
    let body = "3 3 5\n1 1 2\n2 1 -2\n2 2 5\n3 2 -3\n3 3 3\n";
    let pure = good("m.mtx", &matrix("real symmetric", body));
    assert_eq!(edges(&pure), [(0, 1, 2.0), (1, 2, 3.0)]);
    assert_eq!((pure.form, &pure.ground), (GraphForm::Laplacian, &None));
    assert_eq!(pure.found.diagonal, 3);
    let rounded = body.replace("2 2 5\n", "2 2 4.999999\n");
    let rounded = good("m.mtx", &matrix("real symmetric", &rounded));
    assert_eq!(rounded.ground, None);
    assert!(rounded.rounding.is_some_and(|r| (r.rows, r.few_digits) == (1, true)));
    let grounded = body.replace("2 2 5\n", "2 2 5.5\n").replace("3 3 3\n", "3 3 2.9999999\n");
    let grounded = good("m.mtx", &matrix("real symmetric", &grounded));
    assert_eq!(grounded.ground, Some(vec![0.0, 0.5, 0.0]));
    let twice = body.replace("3 3 5", "3 3 6") + "2 2 0.5\n";
    let twice = good("m.mtx", &matrix("real symmetric", &twice));
    assert_eq!((twice.ground, twice.found.duplicates), (Some(vec![0.0, 0.5, 0.0]), 1));
    let general = "2 2 4\n1 1 1\n1 2 -1\n2 1 -1\n2 2 3\n";
    assert_eq!(good("m.mtx", general).ground, Some(vec![0.0, 2.0]));
    let alone = good("m.mtx", &matrix("real general", "3 3 2\n1 1 4\n3 3 1\n"));
    assert_eq!((alone.form, alone.graph.edge_count()), (GraphForm::Laplacian, 0));
    assert_eq!(alone.ground, Some(vec![4.0, 0.0, 1.0]));
}

#[test]
fn a_weak_ground_counts() {
    let body = "2 2 3\n1 1 1000000.5\n2 1 -1000000\n2 2 1000000\n";
    let file = good("m.mtx", &matrix("real symmetric", body));
    assert_eq!((file.ground, file.rounding), (Some(vec![0.5, 0.0]), None));
    let exact = good("m.mtx", &matrix("real symmetric", &body.replace(".5", "")));
    assert_eq!((exact.ground, exact.rounding), (None, None));
}

#[test]
fn bad_laplacians() {
    let bad = |body: &str| refused("m.mtx", matrix("real symmetric", body));
    let expected = "expected a diagonal entry of at least the sum of the others in its row, found";
    assert_eq!(
        bad("2 2 3\n1 1 1\n2 1 -1\n2 2 0.999\n"),
        format!("line 5: {expected} row 2, which is not diagonally dominant")
    );
    assert_eq!(
        bad("2 2 2\n1 1 1\n2 1 -1\n"),
        format!("line 4: {expected} row 2 without a diagonal entry")
    );
    assert_eq!(
        bad("1 1 1\n1 1 -3\n"),
        format!("line 3: {expected} row 1, which is not diagonally dominant")
    );
    assert!(bad("1 1 2\n1 1 1e308\n1 1 1e308\n").contains("row 1, which"));
    assert_eq!(
        bad("3 3 3\n1 1 1\n2 1 -1\n3 2 1\n"),
        "line 5: expected a negative number, as the entries off the diagonal before it, \
         found `3 2 1`"
    );
    assert_eq!(
        bad("3 3 2\n2 1 1\n3 2 -1\n"),
        "line 4: expected a positive number, as the entries off the diagonal before it, \
         found `3 2 -1`"
    );
}

#[test]
fn bad_matrices() {
    for (text, message) in [
        ("", "line 1: expected the sizes `rows columns entries`, found an empty file"),
        ("% c\n\n", "line 2: expected the sizes `rows columns entries`, found the end of the file"),
        ("3 3\n", "line 1: expected the sizes `rows columns entries`, found `3 3`"),
        ("3 -3 1\n", "line 1: expected the sizes `rows columns entries`, found `3 -3 1`"),
        ("3 4 1\n1 2 3\n", "line 1: expected a square matrix, found 3 × 4"),
        ("4294967295 4294967295 0\n", "line 1: expected at most 4294967294 rows, found 4294967295"),
        (
            "4000000000 4000000000 0\n",
            "line 1: expected at most 16778752 rows in a file of 24 bytes, found 4000000000",
        ),
        (
            "99999999999999999999 99999999999999999999 0\n",
            "line 1: expected the sizes `rows columns entries`, \
             found `99999999999999999999 99999999999999999999 0`",
        ),
        (
            "2 2 1000000000000000000\n2 1 1\n",
            "line 2: expected 1000000000000000000 entries, as line 1 says, found the end after 1",
        ),
        ("2 2 2\n2 1 1\n", "line 2: expected 2 entries, as line 1 says, found the end after 1"),
        (
            "2 2 2\n2 1 1\n\n1 2 1\n% c\n1 1 9\n",
            "line 6: expected the end after 2 entries, as line 1 says, found `1 1 9`",
        ),
        ("2 2 1\n0 1 1\n", "line 2: expected a row from 1 to 2, found `0`"),
        ("2 2 1\n\n1 3 1\n", "line 3: expected a column from 1 to 2, found `3`"),
        (
            "2 2 1\n1 99999999999999999999 1\n",
            "line 2: expected a column from 1 to 2, found `99999999999999999999`",
        ),
        ("2 2 1\n1.5 1 1\n", "line 2: expected a row from 1 to 2, found `1.5`"),
        ("2 2 1\n1\n", "line 2: expected `row column value`, found `1`"),
        ("2 2 2\n1 2 1\n2 1\n", "line 3: expected `row column value`, found `2 1`"),
        ("2 2 2\n1 2 1\n2 1 1 1\n", "line 3: expected `row column value`, found `2 1 1 1`"),
        ("2 2 2\n1 2\n2 1 1\n", "line 3: expected `row column`, found `2 1 1`"),
        (
            "2 2 2\n1 2 1e400\n2 1 1\n",
            "line 2: expected a number, finite and not subnormal, found `1e400`",
        ),
        (
            "2 2 2\n1 2 nan\n2 1 1\n",
            "line 2: expected a number, finite and not subnormal, found `nan`",
        ),
        (
            "2 2 2\n1 2 1\n2 1 -inf\n",
            "line 3: expected a number, finite and not subnormal, found `-inf`",
        ),
        (
            "2 2 2\n1 2 1\n2 1 1e-310\n",
            "line 3: expected a number, finite and not subnormal, found `1e-310`",
        ),
        ("2 2 2\n1 2 x\n2 1 1\n", "line 2: expected a number, finite and not subnormal, found `x`"),
        (
            "3 3 3\n1 2 1\n2 3 1\n2 1 1\n",
            "line 3: expected a symmetric matrix, the same number at (3, 2), found (2, 3) without it",
        ),
        (
            "2 2 2\n1 2 1\n2 1 1.5\n",
            "line 2: expected a symmetric matrix, the same number at (2, 1), \
             found 1 at (1, 2) and 1.5 there",
        ),
        (
            "2 2 4\n1 2 -1\n2 1 -1.5\n1 1 9\n2 2 9\n",
            "line 2: expected a symmetric matrix, the same number at (2, 1), \
             found -1 at (1, 2) and -1.5 there",
        ),
        (
            "2 2 4\n1 2 1e308\n2 1 1\n1 2 1e308\n2 1 1\n",
            "line 2: expected entries with a finite sum, found an infinite one",
        ),
    ] {
        assert_eq!(refused("m.mtx", text), message, "{text:?}");
    }
    let message = refused("m.mtx", b"2 2 1\n1 2 \xff\n");
    assert_eq!(message, "line 2: expected UTF-8 text, found byte 0xff at offset 10");
}

#[test]
fn bad_first_lines() {
    for (kind, message) in [
        ("complex general", "expected the field `real`, `integer` or `pattern`, found `complex`"),
        ("real hermitian", "expected the symmetry `general` or `symmetric`, found `hermitian`"),
        (
            "real skew-symmetric",
            "expected the symmetry `general` or `symmetric`, found `skew-symmetric`",
        ),
        ("real", "expected the symmetry `general` or `symmetric`, found the end of the line"),
        ("real general x", "expected the end of the line, found `x`"),
    ] {
        let message = format!("line 1: {message}");
        assert_eq!(refused("m.mtx", matrix(kind, "1 1 0\n")), message);
    }
    let array = "%%MatrixMarket matrix array real general\n1 1\n1\n";
    assert_eq!(refused("m.mtx", array), "line 1: expected the format `coordinate`, found `array`");
    let vector = "%%MatrixMarket vector\n";
    assert_eq!(refused("m.mtx", vector), "line 1: expected the object `matrix`, found `vector`");
    let integer = matrix("integer symmetric", "2 2 1\n2 1 1.5\n");
    assert_eq!(refused("m.mtx", integer), "line 3: expected an integer, found `1.5`");
    let sum = matrix("real symmetric", "2 2 2\n2 1 1e308\n1 2 1e308\n");
    assert!(refused("m.mtx", sum).starts_with("line 3: expected entries with a finite sum"));
}

#[test]
fn metis_graphs() {
    let plain = good("g.graph", "% c\n4 3\n2 3\n% d\n1 3\r\n1  2 \n\n");
    assert_eq!(edges(&plain), [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]);
    assert_eq!((plain.graph.len(), plain.format), (4, GraphFormat::Metis));
    for text in [
        "3 2 1\n2 5\n1 5 3 7\n2 7\n",
        "3 2 001\n2 5\n3 7.0 1 5\n2 7\n\n\n",
        "3 2 011 2\n8 8 2 5\n8 8 1 5 3 7\n8 8 2 7",
        "3 2 111\n4 8 2 5\n4 8 1 5 3 7\n4 8 2 7\n\n",
        "3 2 101\n4 2 5\n4 1 5 3 7\n4 2 7\n",
    ] {
        assert_eq!(edges(&good("g.graph", text)), [(0, 1, 5.0), (1, 2, 7.0)], "{text:?}");
    }
    let weights = good("g.graph", "2 1 10\n7 2\n7 1\n");
    assert_eq!(edges(&weights), [(0, 1, 1.0)]);
    assert_eq!((weights.vertex_weights, weights.found.constraints), (Some(vec![7, 7]), 1));
    let several = good("g.graph", "2 1 110 3\n9 7 1 1 2\n% c\n9 0 1 1 1\n");
    assert_eq!((several.vertex_weights, several.found.constraints), (Some(vec![7, 0]), 3));
    assert_eq!(several.further_weights, [[1, 1], [1, 1]]);
    assert_eq!(plain.vertex_weights, None);
    for m in [1, 2] {
        let looped = good("g.graph", &format!("2 {m}\n1 2\n1\n"));
        assert_eq!((looped.found.diagonal, edges(&looped)), (1, vec![(0, 1, 1.0)]));
    }
    let twice = good("g.graph", "2 2\n2 2\n1 1\n");
    assert_eq!((twice.found.duplicates, edges(&twice)), (2, vec![(0, 1, 2.0)]));
    for (name, text) in [("g.graph", "0 0\n"), ("m.mtx", "0 0 0")] {
        let error = read(name, text).map(|file| file.graph).expect_err("no vertices");
        assert_eq!(error.to_string(), format!("{name}: the graph has no vertices"));
    }
}

#[test]
fn bad_metis_graphs() {
    let header = "expected the header `vertices edges [format [constraints]]`, found";
    for (text, message) in [
        ("", format!("line 1: {header} an empty file")),
        ("% c\n", format!("line 1: {header} the end of the file")),
        ("3\n", format!("line 1: {header} `3`")),
        ("3 x\n", format!("line 1: {header} `3 x`")),
        ("1 2 3 4 5\n", format!("line 1: {header} `1 2 3 4 5`")),
        ("1 0 2\n\n", "line 1: expected a format of three digits 0 or 1, found `2`".into()),
        ("9999999999 1\n", "line 1: expected at most 4294967294 vertices, found 9999999999".into()),
        ("3 1\n2\n1\n", "line 3: expected a line for each of 3 vertices, found the end after 2".into()),
        ("2 1\n2\n1\n\n1\n", "line 5: expected the end after 2 vertices, found `1`".into()),
        ("2 1\n2\n% c\n3\n", "line 4: expected a neighbour from 1 to 2, found `3`".into()),
        ("2 1\n0\n1\n", "line 2: expected a neighbour from 1 to 2, found `0`".into()),
        ("2 1\n2x\n1\n", "line 2: expected a neighbour from 1 to 2, found `2x`".into()),
        ("2 1 1\n2 0\n1 0\n", "line 2: expected a positive, finite weight, found `0`".into()),
        ("2 1 1\n2 -1\n1 0\n", "line 2: expected a positive, finite weight, found `-1`".into()),
        ("2 1 1\n2 nan\n1 0\n", "line 2: expected a positive, finite weight, found `nan`".into()),
        ("2 1 1\n2\n1 1\n", "line 2: expected a positive, finite weight, found the end of the line".into()),
        ("2 1 10\n7 2\n\n", "line 3: expected 1 integer(s) of vertex 2 before its neighbours, found the end of the line".into()),
        ("2 1 10\n1.5 2\n1 1\n", "line 2: expected 1 integer(s) of vertex 1 before its neighbours, found `1.5`".into()),
        ("2 2\n2\n1\n", "line 1: expected the number of edges, half of the 2 neighbours listed, found 2".into()),
        (
            "4 2\n2\n1 3\n\n1\n",
            "line 3: expected each edge at both its ends with the same weight, \
             found 3 as a neighbour of 2, but not the reverse".into(),
        ),
        (
            "2 1 1\n2 5\n1 6\n",
            "line 2: expected each edge at both its ends with the same weight, \
             found weight 5 at 1 and 6 at 2".into(),
        ),
        (
            "2 2 1\n2 1e308 2 1e308\n1 1 1 1\n",
            "line 2: expected weights with a finite sum, found an infinite one between 1 and 2".into(),
        ),
    ] {
        assert_eq!(refused("g.graph", text), message, "{text:?}");
    }
}

#[test]
fn formats_are_found_by_content() {
    let by_content = |text: &str| read("f", text).map(|file| file.format).expect(text);
    assert_eq!(by_content("2 2 2\n2 1 3\n1 2 3\n"), GraphFormat::MatrixMarket);
    assert_eq!(by_content("2 1\n2\n1\n"), GraphFormat::Metis);
    assert_eq!(by_content("r1 a 0 1\n"), GraphFormat::Spice);
    let forced = GraphReadParams { format: Some(GraphFormat::Metis), ..Default::default() };
    assert!(read_graph_bytes("f.mtx", b"2 1\n2\n1\n", &forced).is_ok());
    assert!(read_graph("no/such/file.mtx", &forced).is_err());
}
