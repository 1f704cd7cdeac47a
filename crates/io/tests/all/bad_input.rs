//! Every bad input is refused with a message that names the file, the place and
//! what was expected.

use palmette_core::TreeParams;
use palmette_io::{
    ColumnKey, Format, Labels, ReadParams, TreeChoice, ValueType, read_pairs_bytes,
    read_sets_bytes, read_tree, read_tree_bytes, read_values_bytes,
};

fn refused(name: &str, text: impl AsRef<[u8]>, params: &ReadParams, parts: &[&str]) {
    let error = match read_tree_bytes(name, text.as_ref(), params) {
        Err(error) => error.to_string(),
        Ok(file) => file.tree(TreeParams::default()).map(|_| ()).unwrap_err().to_string(),
    };
    for part in [&[name], parts].concat() {
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    }
}

#[test]
fn parent_tables() {
    let bad = |text: &str, parts: &[&str]| refused("t.csv", text, &ReadParams::default(), parts);
    bad("", &["line 1", "empty file"]);
    bad("# only\n\n", &["line 1", "empty file"]);
    bad("id,parent\n", &["line 2", "at least one row"]);
    bad("a,\nb,c\n", &["line 2", "`c`", "parent"]);
    bad("1,\n2,3\n", &["line 2", "`3`", "parent"]);
    bad("up,down\nx,\ny,x\n", &["line 1", "header"]);
    bad("a,\nb,a\na,b\n", &["line 3", "line 1", "`a`"]);
    bad("1,\n2,1\n\n2,1\n", &["line 4", "line 2", "`2`"]);
    bad("a,\n# c\nb\n", &["line 3", "2 fields", "1 field"]);
    bad("1,\n2,1,7\n", &["line 2", "2 fields", "3 fields"]);
    bad("a,\nb,b\n", &["line 2", "is its own parent", "`b`"]);
    bad("1,-1\n2,2\n", &["line 2", "is its own parent", "`2`"]);
    bad("x\ny\n", &["line 1", "vertex and its parent"]);
    bad("a,\n,a\n", &["line 2", "name of a vertex"]);
    bad("a,\n\"b,a\n", &["line 2", "closing quote"]);
    bad("a,\n\"b\"x,a\n", &["line 2", "separator"]);
    bad("a,b\nb,c\nc,a\nr,\n", &["line 1", "3 vertices", "a → b → c → a"]);
    bad("r,\ns,\n", &["line 1", "`r`", "`s`", "line 2", "have no parent"]);
    bad("1,2\n2,1\n", &["line 1", "1 → 2 → 1"]);
    refused("t.csv", b"a,\nb\xff,a\n", &ReadParams::default(), &["line 2", "UTF-8", "0xff"]);
}

#[test]
fn columns() {
    let params = |kind: ValueType| ReadParams {
        columns: vec![("w".into(), kind.into())],
        ..ReadParams::default()
    };
    let bad = |text: &str, kind, parts: &[&str]| refused("t.csv", text, &params(kind), parts);
    bad("id,parent,w\n1,,3\n2,1,x\n", ValueType::F64, &["line 3", "a number", "`w`", "`x`"]);
    bad("id,parent,w\n1,,3\n2,1,\n", ValueType::F64, &["line 3", "nothing"]);
    bad("id,parent,w\n1,,NaN\n", ValueType::F32, &["line 2", "not NaN", "`NaN`"]);
    bad("id,parent,w\n1,,nan\n", ValueType::F64, &["line 2", "not NaN"]);
    bad("id,parent,w\n1,,-3\n", ValueType::U64, &["line 2", "that u64 holds"]);
    bad("id,parent,w\n1,,1.5\n", ValueType::I64, &["line 2", "an integer"]);
    bad("id,parent,w\n1,,1e999\n", ValueType::F64, &["line 2", "a number"]);
    bad("id,parent,x\n1,,3\n", ValueType::F64, &["line 1", "column `w`", "id, parent, x"]);
    let index = ReadParams {
        columns: vec![(ColumnKey::Index(5), ValueType::F64.into())],
        ..ReadParams::default()
    };
    refused("t.csv", "id,parent\n1,\n", &index, &["line 1", "more than 5 columns"]);
    refused("t.nwk", "(a,b);", &index, &["a table"]);
    refused(
        "t.edges",
        "a b 3\n",
        &ReadParams { columns: vec![(2.into(), ValueType::F64.into())], ..ReadParams::default() },
        &["an edge list"],
    );
}

#[test]
fn newick() {
    let params = ReadParams { lengths: true, ..ReadParams::default() };
    let bad = |text: &str, parts: &[&str]| refused("t.nwk", text, &params, parts);
    bad("", &["line 1", "byte 0", "a tree"]);
    bad("((a,b);", &["line 1", "byte 6", "1 parenthesis open", "`;`"]);
    // A flood is not read to its end.
    let flood = "(".repeat(17 << 20) + ")";
    bad(&flood, &["line 1", "byte 16777217", "16777218 `(` so far, and 1 `)` in all"]);
    bad("((a,\nb", &["line 2", "byte 6", "2 parentheses open", "the end of the file"]);
    bad("(a,b));", &["byte 5", "closes no parenthesis"]);
    bad("(a,b)", &["byte 5", "`;`", "the end"]);
    bad("a,b;", &["byte 1", "`;`", "`,`"]);
    bad("(a b,c);", &["byte 3", "quotes"]);
    bad("(a,b)(c,d);", &["byte 5", "`(`"]);
    bad("(a:,b);", &["byte 3", "branch length", "`,`"]);
    bad("(a:x1,b);", &["byte 3", "number", "`x1`"]);
    bad("(a:nan,b:1);", &["byte 3", "finite"]);
    bad("(a:1x,b:1);", &["byte 4", "`x`"]);
    bad("(a:1,b);", &["byte 6", "a vertex without a branch length"]);
    bad("(a,'b);", &["byte 3", "closing quote"]);
    bad("(a,[b);", &["byte 3", "closing `]`"]);
    bad("(a,b)];", &["byte 5", "`]`"]);
    bad("(a,b);\n(c,d);", &["line 2", "byte 7", "expected one tree", "another"]);
    refused("t.nwk", b"(a,\n\xfe);", &params, &["line 2", "UTF-8"]);
    let third = ReadParams { tree: TreeChoice::Index(2), ..ReadParams::default() };
    refused("t.nwk", "a;b;", &third, &["index 2", "2 trees"]);
    let all = ReadParams { tree: TreeChoice::All, ..ReadParams::default() };
    refused("t.nwk", "a;\nb;", &all, &["line 1", "`a` and `b`", "line 2", "have no parent"]);
    // Lengths that nobody asked for are read all the same.
    for (text, part) in [("(a:,b);", "`,`"), ("(a:x,b:1);", "`x`"), ("(a:nan,b);", "`nan`")] {
        refused("t.nwk", text, &ReadParams::default(), &["byte 3", "branch length", part]);
    }
    refused("t.nwk", "(a:1.2.3,b:1);", &ReadParams::default(), &["byte 6"]);
}

#[test]
fn arrays_and_edges() {
    let array = |descr: &str, shape: &str, data: &[u8]| {
        let mut header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    };
    let bad = |bytes: &[u8], parts: &[&str]| refused("t.npy", bytes, &ReadParams::default(), parts);
    bad(b"", &["byte 0", "npy"]);
    bad(b"\x93NUMPY\x09\x00", &["byte 6", "version"]);
    bad(b"\x93NUMPY\x01\x00\xff\x00{'descr'", &["truncated"]);
    bad(&array("<i4", "(3,)", &[0; 8]), &["12 bytes", "truncated"]);
    bad(&array("<i4", "(1,)", &[0; 8]), &["4 bytes", "found 8"]);
    bad(&array("<i4", "(99999999999999999999,)", &[0; 8]), &["shape"]);
    bad(&array("<i4", "(4611686018427387904,4611686018427387904)", &[0; 8]), &["truncated"]);
    bad(&array("<c8", "(1,)", &[0; 8]), &["descr"]);
    bad(&array("<f8", "(1,)", &[0; 8]), &["integers"]);
    bad(&array("<i4", "(1,2)", &[0; 8]), &["one dimension"]);
    bad(&array("|i1", "(2,)", &[255, 7]), &["parent below 2", "7"]);
    bad(&array("|i1", "(2,)", &[255, 254]), &["parent below 2"]);
    bad(&array("|i1", "(2,)", &[255, 1]), &["is its own parent"]);
    bad(&array("|i1", "(0,)", &[]), &["parents"]);
    bad(&array("|i1", "(2,)", &[1, 0]), &["cycle"]);

    let bad = |text: &str, parts: &[&str]| refused("t.edges", text, &ReadParams::default(), parts);
    bad("a b\nc b\n", &["line 2", "line 1", "second parent", "`b`"]);
    bad("1 2\n# c\n3 2\n", &["line 3", "line 1", "second parent", "`2`"]);
    bad("1 1\n", &["line 1", "is its own parent"]);
    bad("1 2\n2\n", &["line 2", "2 fields"]);
    bad("a b\nb a\n", &["cycle", "line "]);
    bad("parent child\n", &["line 2", "at least one edge"]);
}

#[test]
fn formats_and_files() {
    refused("t.txt", "", &ReadParams::default(), &["line 1", "empty file"]);
    let nexus = "\n#Nexus\nbegin trees;\ntree t = (a,b);\nend;\n";
    for format in [Format::Csv, Format::Edges] {
        let params = ReadParams { format: Some(format), ..ReadParams::default() };
        refused("t", nexus, &params, &["line 2", "found NEXUS"]);
    }
    refused("t.txt", "word\n", &ReadParams::default(), &["line 1", "`word`", "Newick"]);
    let error = read_tree("no/such/file.csv", &ReadParams::default()).unwrap_err().to_string();
    assert!(error.contains("no/such/file.csv"), "{error}");
}

#[test]
fn values_pairs_sets() {
    let labels = Labels::texts(["a", "b", "c"]);
    let numbers = Labels::numbers(3);
    let bad = |text: &str, labels: &Labels, parts: &[&str]| {
        let error = read_values_bytes("v.csv", text.as_bytes(), ValueType::F64, None, labels)
            .unwrap_err()
            .to_string();
        for part in [&["v.csv"], parts].concat() {
            assert!(error.contains(part), "{part:?} is not in {error:?}");
        }
    };
    bad("", &labels, &["line 1", "empty"]);
    bad("a,1\nb,2\n", &labels, &["no value for 1 of 3 vertices: `c`"]);
    bad("a,1\nb,2\na,3\n", &labels, &["line 3", "line 1", "`a`"]);
    bad("0,1\n1,2\n1,3\n", &numbers, &["line 3", "line 2", "`1`"]);
    bad("a,1\nb,2\nd,3\n", &labels, &["line 3", "`d`"]);
    bad("0,1\n1,2\n7,3\n", &numbers, &["line 3", "`7`"]);
    bad("a,1\nb,x\nc,3\n", &labels, &["line 2", "`x`"]);
    bad("a,NA\nb,1\nc,3\n", &labels, &["line 1", "`NA`"]);
    bad("1\n2\n", &numbers, &["line 3", "3 values"]);
    bad("1\n2\n3\n4\n", &numbers, &["line 4", "more"]);
    bad("1\nnan\n3\n", &numbers, &["line 2", "NaN"]);
    bad("a,1\nb\n", &labels, &["line 2", "2 field(s)"]);

    let bad = |text: &str, labels: &Labels, parts: &[&str]| {
        let error = read_pairs_bytes("p.csv", text.as_bytes(), labels).unwrap_err().to_string();
        for part in [&["p.csv"], parts].concat() {
            assert!(error.contains(part), "{part:?} is not in {error:?}");
        }
    };
    bad("a,b\nb,x\n", &labels, &["line 2", "`x`", "no vertex"]);
    bad("x,a\na,b\n", &labels, &["line 1", "`x`", "no vertex"]);
    bad("x,1.5\na,b\n", &labels, &["line 1", "`x`", "no vertex"]);
    bad("x,y1\n", &labels, &["line 1", "`x`", "no vertex"]);
    bad("x,y\na,b,c\n", &labels, &["line 2", "2 fields as in the header"]);
    bad("a,b,c\n", &labels, &["line 1", "two names", "3 field(s)"]);
    bad("u,v\n0,1\n\n0,3\n", &numbers, &["line 4", "`3`"]);
    bad("0,1\n0,1,2\n", &numbers, &["line 2", "two names"]);
    bad("s,t\n", &Labels::texts(["s", "s", "t"]), &["line 1", "several", "`#0` and `#1`"]);
    let error = read_sets_bytes("s.txt", b"a b c\nb\nc q\n", &labels).unwrap_err().to_string();
    assert!(error.contains("s.txt, line 3") && error.contains("`q`"), "{error}");
}

#[test]
fn truncated_and_corrupt_compression() {
    use std::io::Write;
    let plain: String = (1..20_000).map(|v| format!("{v},{}\n", v - 1)).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"0,\n").unwrap();
    gzip.write_all(plain.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(&[b"0,\n", plain.as_bytes()].concat()[..], 3).unwrap();
    let params = ReadParams { format: Some(Format::Csv), ..ReadParams::default() };
    for (kind, data) in [("gzip", &gzip), ("zstd", &zstd)] {
        assert_eq!(read_tree_bytes("t", data, &params).unwrap().len(), 20_000);
        for cut in [data.len() - 1, data.len() / 2, 11] {
            refused("t", &data[..cut], &params, &[kind, "truncated"]);
        }
        let mut damaged = data.clone();
        damaged[data.len() / 2] ^= 0xff;
        assert!(read_tree_bytes("t", &damaged, &params).is_err());
    }
    let two = [gzip.clone(), {
        let mut second = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        second.write_all(b"20000,0\n").unwrap();
        second.finish().unwrap()
    }]
    .concat();
    assert_eq!(read_tree_bytes("t", &two, &params).unwrap().len(), 20_001);
}

#[test]
fn nexus() {
    let bad = |text: &str, parts: &[&str]| refused("t.nex", text, &ReadParams::default(), parts);
    bad("#NEXUS\n", &["line 2", "a tree", "a NEXUS file without trees"]);
    bad("#NEXUS\nbegin taxa;\nend;\n", &["line 4", "a tree"]);
    bad("#NEXUS\nbegin trees;\ntree t = (a,b;\nend;\n", &["line 3", "1 parenthesis open", "`;`"]);
    bad("#NEXUS\nbegin trees;\ntree t;\nend;\n", &["line 3", "`=` and a tree"]);
    bad("#NEXUS\nbegin trees;\ntranslate 1 a 2 b;\ntree t = (1,2);\n", &["line 3", "`,` or `;`"]);
    bad("#NEXUS\nbegin trees;\ntranslate 1 a, 1 b;\n", &["line 3", "`1` twice"]);
    bad("#NEXUS\nbegin trees;\ntranslate 1;\n", &["line 3", "a key and its label"]);
    bad("#NEXUS\nbegin taxa\n", &["`;` at the end of the command", "the end of the file"]);
    bad("#NEXUS\nbegin trees; tree a=(a,b); tree b=(a,b);", &["line 2", "another after it"]);
}
