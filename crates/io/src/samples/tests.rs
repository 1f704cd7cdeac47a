use super::*;

fn known() -> Labels {
    Labels::texts(["a", "b", "c", "d e"])
}

fn read(name: &str, text: &str) -> Result<SampleTable, IoError> {
    read_samples_bytes(name, text.as_bytes(), None, &known())
}

fn fails(name: &str, text: &str) -> String {
    read(name, text).expect_err("wrong").to_string()
}

/// `(sample, tip, count)` by names.
fn entries(table: &SampleTable) -> Vec<(String, String, f64)> {
    let mut all = Vec::new();
    for i in 0..table.samples.len() {
        for k in table.starts[i]..table.starts[i + 1] {
            let tip = table.tips.label(table.entries[k]).into_owned();
            all.push((table.samples.label(i as u32).into_owned(), tip, table.counts[k]));
        }
    }
    all
}

const CLASSIC: &str = "# Constructed from biom file\n#OTU ID\tS1\tS2\ttaxonomy\n\
    a\t0.0\t2.0\tk__X; p__Y\nd e\t1e1\t0\t\"q\"\nzz\t0\t0.25\t\n";

#[test]
fn forms_of_text() {
    let known: Vec<(String, String, f64)> =
        [("S1", "d e", 10.0), ("S2", "a", 2.0), ("S2", "zz", 0.25)]
            .map(|(sample, tip, count)| (sample.into(), tip.into(), count))
            .into();
    let table = read("t.tsv", CLASSIC).expect("classic");
    assert_eq!(entries(&table), known);
    assert_eq!(table.left_out.as_deref(), Some("taxonomy"));
    for (name, text) in [
        ("t.csv", "tip,S1,S2\na,0,2\n\"d e\",10,0\nzz,0,.25\n"),
        ("t.csv", "sample,a,\"d e\",zz\r\nS1,0,10,0\r\nS2,2,0,0.25"),
        ("t.txt", "S1\tS2\na\t0\t2\n d e\t10\t0\nzz\t0\t0.25\n"),
        ("t.csv", "#SampleID;a;d e;zz\n#q2:types;x;y;z\nS1;0;10;0\n\nS2;2;0;0.25\n"),
    ] {
        assert_eq!(entries(&read(name, text).expect(text)), known, "{text}");
    }
    let asked =
        read_samples_bytes("t.csv", b"x,S1\nq,3\n", Some(TipSide::Columns), &super::tests::known());
    assert_eq!(entries(&asked.expect("asked for")), [("q".into(), "S1".into(), 3.0)]);
}

#[test]
fn zeros_are_skipped_and_nothing_else() {
    let width = 13;
    for at in 0..width {
        for zero in ["0", "0.0", "0.00"] {
            let cells: Vec<&str> = (0..width).map(|j| if j == at { "7" } else { zero }).collect();
            let heads: Vec<String> = (0..width).map(|j| format!("S{j}")).collect();
            let text = format!("tip,{}\na,{}\n", heads.join(","), cells.join(","));
            let table = read("t.csv", &text).expect("a table");
            assert_eq!(entries(&table), [(format!("S{at}"), "a".to_string(), 7.0)], "{text}");
        }
    }
    let error = fails("t.csv", "tip,S1,S2,S3,S4,S5\na,0,0,0,0\n");
    assert!(error.contains("line 2: expected 6 fields"), "{error}");
    let error = fails("t.csv", "tip,S1,S2,S3,S4,S5\na,0,0,0,0,0,0,0,0\n");
    assert!(error.contains("line 2: expected 6 fields"), "{error}");
}

#[test]
fn large_tables_are_cut_into_pieces() {
    let mut text = "tip,S1,S2,S3\n".to_string();
    for i in 0..200_000 {
        text += &format!("\"t{i}\",{},0,{}\n", i % 3, i % 7);
    }
    let table = read_samples_bytes("t.csv", text.as_bytes(), Some(TipSide::Rows), &known());
    let table = table.expect("a table");
    assert_eq!(table.tips.len(), 200_000);
    assert_eq!(table.starts, [0, 133_333, 133_333, 133_333 + 171_428]);
    assert_eq!(table.tips.label(table.entries[table.starts[2]]), "t1");
    text += "t,1,2,-3\n";
    let error = read_samples_bytes("t.csv", text.as_bytes(), Some(TipSide::Rows), &known());
    let error = error.expect_err("negative").to_string();
    let known = "t.csv, line 200002: expected a count of 0 or more in column 4 (`S3`), found `-3`";
    assert_eq!(error, known);
}

#[test]
fn bad_text_is_named() {
    for (text, part) in [
        ("", "line 1: expected a header"),
        ("tip,S1\n", "line 1: expected rows of counts"),
        ("tip\na\n", "expected a header with names"),
        ("tip,S1\na,-1\n", "line 2: expected a count of 0 or more in column 2 (`S1`), found `-1`"),
        (
            "tip,S1\na,nan\n",
            "line 2: expected a count of 0 or more in column 2 (`S1`), found `nan`",
        ),
        ("tip,S1\na,\n", "line 2: expected a count of 0 or more in column 2 (`S1`), found nothing"),
        ("tip,S1\na,x\n", "found `x`"),
        ("tip,S1,S1\na,1,2\n", "expected samples with different names, found two samples S1"),
        ("tip,S1\nx,1\n", "expected names of tips in the header or in the first column"),
        ("tip,a\nb,1\n", "expected tips in the header or in the first column, not in both"),
    ] {
        let error = fails("t.csv", text);
        assert!(error.starts_with("t.csv") && error.contains(part), "{text}: {error}");
    }
    // What Python writes is read in the tests of Python.
    let error = read_samples_bytes("t.biom", b"\x89HDF\r\n\x1a\n\0", None, &known());
    let error = error.expect_err("cut off").to_string();
    assert!(error.contains("byte 13: expected 2 bytes, in HDF5, found a file of 9"), "{error}");
}

const BIOM: &str = r#"{"id": null, "format": "Biological Observation Matrix 1.0.0", "matrix_type": "sparse",
 "shape": [3, 2], "data": [[0, 1, 2.0], [1, 0, 10], [2, 1, 0.25]],
 "rows": [{"id": "a", "metadata": {"taxonomy": ["k", "id"]}}, {"metadata": null, "id": "d e"}, {"id": "zz"}],
 "columns": [{"id": "S1"}, {"id": "S2", "metadata": null}]}"#;

#[test]
fn biom() {
    let classic = entries(&read("t.tsv", CLASSIC).expect("classic"));
    assert_eq!(entries(&read("t.biom", BIOM).expect("sparse")), classic);
    let lists = "[[0, 1, 2.0], [1, 0, 10], [2, 1, 0.25]]";
    let dense = BIOM.replace("sparse", "dense").replace(lists, "[[0, 2], [10, 0], [0, 0.25]]");
    assert_eq!(entries(&read("t.biom", &dense).expect("dense")), classic);
    let late = dense.replacen("\"matrix_type\": \"dense\",", "", 1);
    let late = late.replace("\"columns\"", "\"matrix_type\": \"dense\", \"columns\"");
    assert_eq!(entries(&read("t.biom", &late).expect("late")), classic);
    // Escapes in names, and numbers in other forms.
    let other = BIOM.replace("d e", "d\\u0020e").replace("2.0", "20e-1").replace("10]", "1e1 ]");
    assert_eq!(entries(&read("t.biom", &other).expect("other forms")), classic);
    for (from, to, part) in [
        (
            "10]",
            "-10]",
            "row 1: expected a count of 0 or more of `d e` in column 0 (`S1`), found -10",
        ),
        ("[1, 0, 10]", "[7, 0, 10]", "row 7: expected an entry within 3 rows and 2 columns"),
        ("[1, 0, 10]", "[1, 0]", "row 1: expected [row, column, count] in `data`, found 2 numbers"),
        ("[3, 2]", "[3, 3]", "expected the shape [3, 2] of rows and columns, found [3, 3]"),
        ("sparse", "spare", "matrix_type `spare`"),
        ("\"rows\"", "\"row\"", "expected the key `rows`"),
        ("\"id\": \"zz\"", "\"it\": 1", "expected an `id` in the object before this"),
        ("}]}", "}]", "expected `,` or the end of it, in BIOM 1.0 (JSON), found the end of"),
        ("[1, 0, 10]", "[1.5, 0, 10]", "row 1: expected whole numbers as row and column in `data`"),
        ("[1, 0, 10]", "[1, 0, 010]", "expected a number, in BIOM 1.0 (JSON), found `010`"),
        ("[1, 0, 10]", "[1, 0, NaN]", "expected a number, in BIOM 1.0 (JSON), found `NaN`"),
        ("[1, 0, 10]", "[1, 0, \"10\"]", "expected a number"),
        ("[1, 0, 10]", "[1, 0, 10", "expected a number, in BIOM 1.0 (JSON), found `[2`"),
        ("[\"k\", \"id\"]", "[\"k\", \"id\"", "line 3: expected a table in BIOM 1.0 (JSON)"),
        ("}]}", "}]} x", "expected nothing after the table"),
    ] {
        let error = fails("t.biom", &BIOM.replacen(from, to, 1));
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn metadata_by_sample() {
    let samples = Labels::texts(["S1", "S2", "S3"]);
    let text = b"#SampleID\tplace\tph\n#q2:types\tcategorical\tnumeric\nS2\tsea\t7\nother\tx\t1\nS1\tland\t5\n";
    let words = read_metadata_bytes("m.tsv", text, "place", &samples).expect("a table");
    assert_eq!(words, ["land", "sea", ""]);
    let error = |text: &[u8], column: &str| {
        read_metadata_bytes("m.tsv", text, column, &samples).expect_err("wrong").to_string()
    };
    assert!(error(text, "pace").contains("line 1: expected a column `pace`, found place, ph"));
    assert!(error(b"s\ta\nS1\tx\nS1\ty\n", "a").contains("line 3: expected one row per sample"));
    assert!(error(b"s\ta\nS1\n", "a").contains("line 2: expected 2 fields"));
    assert!(error(b"s\ta\nq\tx\n", "a").contains("names of samples in the first column"));
}
