//! What users of graphs get wrong: one line that says where, exit code 2, nothing left behind.

use crate::{Place, refused};
use std::io::Write;

const TRIANGLE: &[u8] =
    b"%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1\n3 1 2\n3 2 4\n";

/// A matrix of three rows with these lines.
fn matrix(lines: &str) -> Vec<u8> {
    let count = lines.lines().count();
    let mut text = b"%%MatrixMarket matrix coordinate real general\n".to_vec();
    text.extend(format!("3 3 {count}\n{lines}").as_bytes());
    text
}

fn truncated_gzip() -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&matrix(&"1 2 1\n2 1 1\n".repeat(500))).unwrap();
    let mut data = encoder.finish().unwrap();
    data.truncate(data.len() / 2);
    data
}

#[test]
fn bad_files_are_named_with_their_line() {
    let gz = truncated_gzip();
    let cases: &[(&str, &[u8], &[&str])] = &[
        ("zero.graph", b"2 1 001\n2 0\n1 0\n", &["line 2", "found `0`"]),
        ("minus.graph", b"2 1 001\n2 -3\n1 -3\n", &["line 2", "`-3`"]),
        ("mixed.mtx", &matrix("1 2 1\n2 1 1\n1 3 -2\n3 1 -2\n"), &["line 5", "positive"]),
        ("nan.mtx", &matrix("1 2 nan\n2 1 nan\n"), &["line 3", "`nan`"]),
        ("inf.mtx", &matrix("1 2 1\n2 1 inf\n"), &["line 4", "`inf`"]),
        ("tiny.mtx", &matrix("1 2 1e-320\n2 1 1e-320\n"), &["line 3", "`1e-320`"]),
        ("uneven.mtx", &matrix("1 2 1\n1 3 5\n2 1 1\n3 1 6\n"), &["line 4", "symmetric", "(3, 1)"]),
        ("missing.mtx", &matrix("1 2 1\n1 3 5\n2 1 1\n"), &["line 4", "symmetric", "(3, 1)"]),
        (
            "short.mtx",
            b"%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1\n",
            &["line 3", "3 entries, as line 2 says", "the end after 1"],
        ),
        (
            "long.mtx",
            b"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n2 1 1\n3 1 1\n",
            &["line 4", "the end after 1 entries"],
        ),
        ("range.mtx", &matrix("1 4 1\n4 1 1\n"), &["line 3", "a column from 1 to 3", "`4`"]),
        ("size.graph", b"3 2\n2\n1 3\n", &["size.graph, line"]),
        ("unknown.spice", b"* grid\nr1 a 0 1\nd1 a 0 m\n", &["line 3", "unknown kind", "`d1`"]),
        ("time.spice", b"* grid\nr1 a 0 1\nc1 a 0 -1p\n", &["line 3", "a capacitance", "`-1p`"]),
        (
            "subckt.spice",
            b"* s\n.subckt load p\nX1 p load\n.ends\nV1 vdd 0 1.8\nXa vdd load\n.end\n",
            &["line 3", "contain themselves", "`load`"],
        ),
        (
            "x.spice",
            b"* s\nr1 p 0 1\nX1 p load\n",
            &["line 3", "subcircuit that is defined", "`load`"],
        ),
        (
            "more.spice",
            b"* s\nr1 p 0 1\n.include x.inc\n",
            &["line 3", "a file that can be read", "`x.inc`"],
        ),
        ("param.spice", b"* s\n.param r={r+1}\nr1 p 0 1\n", &["line 2", "needs itself", "`r`"]),
        ("tran.spice", b"* s\nr1 p 0 1\n.ac dec 1 1 2\n", &["line 3", "analyses", "`.ac`"]),
        ("shunt.spice", b"* s\nr1 p 0 1\n.options rshunt=1e3\n", &["line 3", "`rshunt`"]),
        (
            "twice.spice",
            b"* s\nR1 p 0 1\nv1 p 0 1\nr1 p 0 1\n",
            &["line 4", "a new name", "`r1` again", "line 2"],
        ),
        ("minus.spice", b"* grid\nr1 a 0 -1\n", &["line 2", "a resistance", "`-1`"]),
        ("floats.spice", b"* grid\nr1 a 0 1\nr2 b c 1\ni1 b 0 1\n", &["line 3", "`b`", "floats"]),
        ("source.spice", b"* grid\nv1 a 0 1\nv2 a 0 2\n", &["line 3", "`a`", "2 V"]),
        ("empty.mtx", b"", &["line 1", "expected"]),
        ("empty.graph", b"", &["line 1", "expected"]),
        ("empty.spice", b"", &["line 1", "empty file"]),
        ("nothing", b"", &["line 1", "empty file"]),
        ("bytes.mtx", &[&matrix("1 2 1\n")[..], b"\xff"].concat(), &["line 4", "UTF-8", "0xff"]),
        ("cut.mtx.gz", &gz, &["gzip", "truncated"]),
    ];
    for (name, content, parts) in cases {
        let place = Place::new(&[(name, content)]);
        let start = format!("error: {name}");
        let named = [*parts, &[start.as_str()]].concat();
        refused(&place, &format!("graph info {name} --svg p.svg"), &named);
        refused(&place, &format!("graph sparsify {name} -o e.txt --svg p.svg"), &named);
        refused(&place, &format!("graph solve {name} -o x.csv --svg p.svg"), &named);
    }
}

#[test]
fn bad_arguments_are_refused() {
    let place = Place::new(&[
        ("g.mtx", TRIANGLE),
        ("none.mtx", b"%%MatrixMarket matrix coordinate real symmetric\n0 0 0\n"),
        ("b2.mtx", b"%%MatrixMarket matrix array real general\n2 1\n1\n-1\n"),
        ("b.csv", b"vertex,current\n1,1\n2,-1\n4,0\n"),
        ("nan.mtx", b"%%MatrixMarket matrix array real general\n3 1\n1\nnan\n0\n"),
        ("pairs.csv", b"u,v\n1,2\n3,4\n"),
        ("g.xyz", b"0 0\n1 0\n"),
        ("n.spice", b"v1 p 0 1\nr1 p a 1\ni1 a 0 1\n"),
    ]);
    let cases: &[(&str, &str)] = &[
        ("graph info nowhere.mtx", "nowhere.mtx: cannot read"),
        ("graph info g.mtx --format gml", "matrix-market, metis, spice"),
        ("graph info g.mtx --svg -", "--svg needs a file"),
        ("graph info g.mtx --format metis", "g.mtx, line"),
        ("graph generate cube:3", "unknown shape `cube`; expected one of grid:ROWSxCOLUMNS"),
        ("graph generate gird:60x60", "did you mean `grid:ROWSxCOLUMNS`?"),
        ("graph generate path:0", "a graph needs at least one vertex"),
        ("graph generate grid:4x0 -o p.mtx", "a graph needs at least one vertex"),
        ("graph generate path:3 --weights loguniform", "did you mean `log-uniform:LOW:HIGH`?"),
        ("graph generate path:3 --seed x", "expected a whole number"),
        ("graph info none.mtx", "none.mtx: the graph has no vertices"),
        ("graph sparsify none.mtx -o e.txt", "none.mtx: the graph has no vertices"),
        ("graph sparsify g.mtx --memory 1G", "--quality"),
        ("graph sparsify g.mtx --seed 3", "--quality"),
        ("graph sparsify g.mtx --beta-cap x", "expected a whole number"),
        ("graph solve g.mtx --rhs rando", "rando: cannot read"),
        ("graph solve g.mtx --rhs rando", "did you mean `random`?"),
        ("graph solve g.mtx --rhs random --tolerance x", "expected a number"),
        ("graph generate path:3 --weights heavy", "uniform:LOW:HIGH"),
        ("graph generate path:3 --output-xyz p.xyz -o p.mtx", "path:3 graphs have no coordinates"),
        ("graph generate path:3 -o p.csv", "p.csv: wrong extension; use mtx, graph"),
        ("graph generate path:9 --weights uniform:1:2 -o p.graph", "integer weights"),
        ("graph generate path:9999999999999 -o p.mtx", "at most"),
        ("graph generate grid:2x2 -o g --to matrix-market --output-xyz g", "name the same file"),
        ("graph sparsify g.mtx --budget -1", "a number of edges"),
        ("graph sparsify g.mtx --budget 200%", "at most 100%"),
        ("graph sparsify g.mtx --budget some", "found `some`"),
        ("graph sparsify g.mtx --rule best", "invalid value 'best'"),
        ("graph sparsify g.mtx --rule fegrass --engine linear", "apply to --rule contest only"),
        ("graph sparsify g.mtx --rule fegrass --beta-cap 3", "apply to --rule contest only"),
        ("graph sparsify g.mtx --engine quick", "invalid value 'quick'"),
        ("graph sparsify g.mtx --svg d.svg --xyz g.xyz", "g.xyz, line 3: expected 3 points"),
        ("graph sparsify g.mtx --svg a.svg -o a.svg", "name the same file"),
        ("graph sparsify g.mtx --json -o -", "prints the record on stdout"),
        ("graph sparsify g.mtx --quality --memory lots", "a number of bytes"),
        ("graph sparsify g.mtx --quality --memory 10", "a larger --memory may help"),
        ("graph sparsify g.mtx --svg s.svg -o nowhere/a.txt", "nowhere/a.txt: cannot write"),
        ("graph solve g.mtx", "g.mtx: no currents given; add --rhs FILE"),
        ("graph solve g.mtx --rhs b2.mtx", "b2.mtx, line 2: expected the sizes `3 columns`"),
        ("graph solve g.mtx --rhs b.csv", "b.csv, line 4"),
        ("graph solve g.mtx --rhs nan.mtx", "nan.mtx, line 4: expected a finite number"),
        ("graph solve - --rhs -", "only one input can come from stdin"),
        ("graph solve g.mtx --rhs b2.mtx -o nowhere/x.csv", "nowhere/x.csv: cannot write"),
        ("graph solve g.mtx --rhs b2.mtx --svg .", "--svg needs a file, but this is a directory"),
        ("graph solve n.spice --rhs random", "the netlist has its own currents"),
        ("graph solve g.mtx --rhs random --tolerance 0", "a number between 0 and 1"),
        ("graph solve g.mtx --rhs random --tolerance -1", "a number between 0 and 1"),
        (
            "graph solve g.mtx --rhs random --max-iterations 0",
            "<N>': the limit on iterations must be",
        ),
        ("graph solve g.mtx --rhs random --preconditioner best", "invalid value 'best'"),
        (
            "graph solve g.mtx --rhs random --preconditioner direct --memory 10",
            "a larger --memory may help",
        ),
        (
            "graph solve g.mtx --rhs random --preconditioner none --max-iterations 1",
            "a larger --tolerance or --max-iterations may help",
        ),
        ("graph resistance - --pairs -", "only one input can come from stdin"),
        ("graph resistance g.mtx 1 4 -o nowhere/r.csv", "nowhere/r.csv: cannot write"),
        ("graph resistance g.mtx 1 4 --json -o -", "prints the record on stdout"),
        ("graph resistance g.mtx", "no query given; name two vertices or pass --pairs FILE"),
        ("graph resistance g.mtx --pairs pairs.csv", "pairs.csv, line 3"),
        ("graph resistance g.mtx 1 4", "`4` does not name one vertex: vertices are 1 to 3"),
        ("graph resistance g.mtx 0 1", "`0` does not name one vertex: vertices are 1 to 3"),
        ("graph resistance n.spice a b", "`b` does not name one vertex: no node has this name"),
    ];
    for (line, part) in cases {
        refused(&place, line, &[part]);
    }
}

/// The verb has no --tolerance: its errors name none.
#[test]
fn quality_that_cannot_be_had() {
    let place = Place::new(&[]);
    place.stdout("graph generate grid:60x60 --weights log-uniform:1e-8:1e8 -o g.mtx --quiet");
    let line = "graph sparsify g.mtx --rule fegrass --quality -o e.txt";
    let output = place.run(line);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("above 1e-8: rounding")
            && message.contains("; drop --quality to get the edges without it"),
        "{message}"
    );
    assert!(!message.contains("--tolerance") && !message.contains("--max-iterations"), "{message}");
    assert_eq!(output.status.code(), Some(2));
    assert!(!place.path().join("e.txt").exists());
}

#[test]
fn an_old_answer_survives_a_failure() {
    let place = Place::new(&[("g.mtx", TRIANGLE), ("x.csv", b"precious\n")]);
    refused(&place, "graph solve g.mtx -o x.csv", &["no currents given"]);
    assert_eq!(place.read("x.csv"), "precious\n");
}

const LAND: &[u8] = b"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 -9999\n3 4 5\n";

/// A raster of the same shape with these rows.
fn layer(rows: &str) -> Vec<u8> {
    format!("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n{rows}").into_bytes()
}

#[test]
fn rasters_and_focal_points() {
    let header: &[u8] = b"ncols 3\nrows 2\n";
    let nan = layer("1 nan 3\n1 2 3\n");
    let minus = layer("1 2 3\n1 -2 3\n");
    let (lake, points) = (layer("1 -9999 4\n2 -9999 -9999\n"), layer("1 -9999 -9999\n2 -9999 3\n"));
    let (sources, far) = (layer("1 0 0\n0 0 0\n"), layer("-9999 -9999 -9999\n-9999 -9999 -9999\n"));
    let small: &[u8] = b"ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n";
    let files: &[(&str, &[u8])] = &[
        ("land.asc", LAND),
        ("header.asc", header),
        ("nan.asc", &nan),
        ("minus.asc", &minus),
        ("lake.asc", &lake),
        ("points.asc", &points),
        ("sources.asc", &sources),
        ("far.asc", &far),
        ("small.asc", small),
        ("outside.txt", b"1 0.5 0.5\n2 3.5 0.5\n"),
        ("pairs.csv", b"1,2\n1,9\n"),
        ("g.mtx", TRIANGLE),
        ("nodes.txt", b"1\n7\n"),
    ];
    let place = Place::new(files);
    let out = "-o out.asc --svg out.svg";
    for (line, part) in [
        ("graph info header.asc", "header.asc, line 2: expected one of ncols"),
        ("graph info nan.asc", "nan.asc, line 6: expected a finite number"),
        ("graph info minus.asc", "minus.asc, line 7: expected a resistance above 0, in column 2"),
        ("graph info g.mtx --neighbours 4", "--neighbours is for rasters"),
        (
            "graph resistance land.asc --points lake.asc -o r.csv",
            "lake.asc, line 6: expected points on cells with data",
        ),
        (
            &format!("graph current land.asc --points lake.asc {out}"),
            "found point 4 in row 1, column 3",
        ),
        (
            &format!("graph current land.asc --points outside.txt {out}"),
            "outside.txt, line 2: expected x from 0 to 3",
        ),
        (
            &format!("graph current land.asc --points small.asc {out}"),
            "small.asc, line 1: expected 2 rows of 3 cells",
        ),
        (
            &format!("graph current land.asc --points points.asc --pairs pairs.csv {out}"),
            "pairs.csv, line 2",
        ),
        (
            &format!("graph current land.asc --points points.asc --only 1,9 {out}"),
            "`9` does not name one vertex: no focal point has this number",
        ),
        (
            &format!("graph current land.asc --points points.asc --potentials v.asc {out}"),
            "choose it by --only or --pairs",
        ),
        (
            &format!(
                "graph current land.asc --points points.asc --mode all-to-one --resistances r.csv {out}"
            ),
            "sources have different potentials",
        ),
        (
            &format!("graph current land.asc --sources sources.asc --grounds far.asc {out}"),
            "row 1, column 1, but nothing that it can reach is grounded",
        ),
        ("graph current g.mtx --points nodes.txt -o c.csv", "nodes.txt, line 2"),
        ("graph current g.mtx --points nodes.txt -o c.asc", "not a raster"),
        ("graph generate grid:3x3 -o grid.asc", "only landscape:ROWSxCOLUMNS makes a raster"),
        ("graph generate landscape:9x9 --weights uniform:1:2 -o l.asc", "resistances of their own"),
    ] {
        refused(&place, line, &[part]);
    }
    // Left out when asked for.
    let line = "graph current land.asc --points lake.asc --skip-nodata --json -o out.asc";
    let record: serde_json::Value = serde_json::from_str(&place.stdout(line)).unwrap();
    assert_eq!(record["result"]["without_path"], 2);
}

#[test]
fn signed_matrices() {
    let good = matrix("1 1 3\n1 2 1\n2 1 1\n2 2 3\n2 3 -2\n3 2 -2\n3 3 2.5\n");
    let weak = matrix("1 1 3\n1 2 1\n2 1 1\n2 2 2.5\n2 3 -2\n3 2 -2\n3 3 2.5\n");
    let sided = matrix("1 1 3\n1 2 1\n2 1 1.5\n2 2 3\n3 3 2.5\n");
    let files: &[(&str, &[u8])] = &[
        ("good.mtx", &good),
        ("weak.mtx", &weak),
        ("sided.mtx", &sided),
        ("b.csv", b"vertex,current\n1,1\n2,0\n3,2\n"),
    ];
    let place = Place::new(files);
    refused(&place, "graph solve good.mtx --rhs b.csv -o x.csv", &["line 7", "positive number"]);
    refused(
        &place,
        "graph solve weak.mtx --signed --rhs b.csv -o x.csv",
        &["line 6", "row 2, which is not diagonally dominant"],
    );
    refused(
        &place,
        "graph solve sided.mtx --signed --rhs b.csv -o x.csv",
        &["line 4", "symmetric", "(2, 1)"],
    );
    place.stdout("graph solve good.mtx --signed --rhs b.csv --tolerance 1e-12 -o x.csv --quiet");
    let x: Vec<f64> = place
        .read("x.csv")
        .lines()
        .skip(1)
        .map(|l| l.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    for (row, b) in [([3.0, 1.0, 0.0], 1.0), ([1.0, 3.0, -2.0], 0.0), ([0.0, -2.0, 2.5], 2.0)] {
        let product: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
        assert!((product - b).abs() < 1e-9, "{product} {b}");
    }
}
