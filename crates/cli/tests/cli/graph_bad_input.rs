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
