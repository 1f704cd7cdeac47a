//! Files of phylogenies against what independent tools read: `../shared/data/phylo/formats`.

use palmette_core::NONE;
use palmette_io::{
    AnnotationStyle, Format, IoError, ReadParams, Rooting, SupportLabels, TreeChoice, TreeFile,
    read_tree_bytes, write_tree,
};
use std::path::PathBuf;

/// The length of vertices that have none.
const MISSING: f64 = 12345.5;

/// A reference file; nothing, with a message, where the data are not there.
fn data(name: &str) -> Option<String> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/phylo/formats");
    let found = std::fs::read_to_string(folder.join(name)).ok();
    if found.is_none() {
        eprintln!("{name} is not here: not tested against other tools");
    }
    found
}

fn params() -> ReadParams {
    ReadParams {
        lengths: true,
        missing_length: Some(MISSING),
        annotations: true,
        support: SupportLabels::No,
        ..ReadParams::default()
    }
}

fn read(name: &str, params: &ReadParams) -> Option<Result<TreeFile, IoError>> {
    Some(read_tree_bytes(name, data(name)?.as_bytes(), params))
}

/// The rows of a reference table.
fn rows(name: &str) -> Vec<Vec<String>> {
    let text = data(name).unwrap_or_default();
    let row = |line: &str| {
        let (mut fields, mut quoted) = (vec![String::new()], false);
        let mut letters = line.chars().peekable();
        while let Some(c) = letters.next() {
            let last = fields.len() - 1;
            match c {
                '"' if quoted && letters.peek() == Some(&'"') => {
                    letters.next();
                    fields[last].push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                other => fields[last].push(other),
            }
        }
        fields
    };
    text.lines().skip(1).map(row).collect()
}

/// Compares parents, labels and lengths, which begin at a column.
fn same(file: &TreeFile, expected: &[Vec<String>], from: usize) {
    assert_eq!(file.len(), expected.len());
    for (v, row) in expected.iter().enumerate() {
        let parent = row[from].parse().unwrap_or(NONE);
        assert_eq!(
            (file.parents[v], &file.labels.label(v as u32)[..]),
            (parent, &row[from + 1][..])
        );
        let length = file.lengths.as_ref().map(|lengths| lengths[v]).filter(|&l| l != MISSING);
        let expected: Option<f64> = row[from + 2].parse().ok();
        // A root without a length has 0.
        assert_eq!(length.filter(|&l| parent != NONE || l != 0.0), expected, "{v}");
    }
}

#[test]
fn newick_with_all_that_is_allowed() {
    let Some(file) = read("tricky.nwk", &params()) else { return };
    let file = file.unwrap();
    same(&file, &rows("tricky.expected.csv"), 1);
    assert_eq!(file.comments, 3);
    through(&file);
}

#[test]
fn support() {
    let auto = ReadParams { support: SupportLabels::Auto, ..params() };
    let Some(file) = read("support.nwk", &auto) else { return };
    let file = file.unwrap();
    let support = file.support.clone().unwrap();
    for (v, row) in rows("support.expected.csv").iter().enumerate() {
        // What is not a number alone stays a label.
        let whole: Option<f64> = row[2].parse().ok();
        let label = if whole.is_some() { "" } else { &row[2] };
        assert_eq!(
            (file.labels.label(v as u32), support[v].is_nan()),
            (label.into(), whole.is_none())
        );
        assert!(whole.is_none_or(|whole| whole == support[v]));
    }
    assert_eq!(file.labels.get(2), "#2");
    assert_eq!(file.annotations[0].get(10), "100");
    through(&file);
}

#[test]
fn nhx() {
    let Some(file) = read("adh.nhx", &params()) else { return };
    let file = file.unwrap();
    let expected = rows("adh.expected.csv");
    same(&file, &expected, 1);
    let keys: Vec<&str> = file.annotations.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(keys, ["S", "E", "D", "B"]);
    for (v, row) in expected.iter().enumerate() {
        for (k, annotation) in file.annotations.iter().enumerate() {
            assert_eq!(annotation.get(v as u32), row[4 + k]);
        }
    }
    through(&file);
}

#[test]
fn nexus_of_beast() {
    let expected = rows("beast.expected.csv");
    let trees = rows("beast.trees.expected.csv");
    for (k, tree) in trees.iter().enumerate() {
        let one = ReadParams { tree: TreeChoice::Index(k), ..params() };
        let Some(file) = read("beast.nex", &one) else { return };
        let file = file.unwrap();
        let rows: Vec<Vec<String>> =
            expected.iter().filter(|row| row[0] == tree[0]).cloned().collect();
        same(&file, &rows, 3);
        let facts = &file.trees[0];
        let rooting = if tree[1] == "rooted" { Rooting::Rooted } else { Rooting::Unrooted };
        assert_eq!(
            (&facts.name, facts.rooting, facts.is_marked),
            (&tree[0], rooting, tree[2] == "yes")
        );
        through(&file);
    }
    let first = ReadParams { tree: TreeChoice::Index(0), ..params() };
    let file = read("beast.nex", &first).unwrap().unwrap();
    let text = |key: &str, v: u32| {
        file.annotations.iter().find(|a| a.name == key).map(|a| a.get(v).to_string()).unwrap()
    };
    assert_eq!(text("rate", 3), "0.5");
    assert_eq!((text("rate", 4), text("location", 4)), ("0.25".into(), "Paris, FR".into()));
    assert_eq!(text("location.set", 2), "{\"Paris, FR\",\"Rome\"}");
    assert_eq!(text("height_95%_HPD", 3), "{0.1,0.2}");
    assert_eq!(file.trees[0].annotations[0], ("lnP".to_string(), "-34291.617".to_string()));
    let marked = ReadParams { tree: TreeChoice::Marked, ..params() };
    assert_eq!(read("beast.nex", &marked).unwrap().unwrap().trees[0].name, "STATE_1000");
    let all = ReadParams { tree: TreeChoice::All, ..params() };
    let file = read("beast.nex", &all).unwrap().unwrap();
    assert_eq!(file.trees.len(), 3);
    through(&file);
    // Numbers among them are values.
    let columns = vec![("rate".into(), palmette_io::ValueType::F64.into())];
    let rate = ReadParams { columns, missing_value: Some("0".to_string()), ..first };
    let file = read("beast.nex", &rate).unwrap().unwrap();
    let palmette_io::Values::F64(values) = &file.columns[0].values else { panic!() };
    assert_eq!(values[..6], [0.0, 0.0, 0.0, 0.5, 0.25, 0.001]);
}

#[test]
fn phyloxml() {
    let auto = ReadParams { support: SupportLabels::Auto, ..params() };
    let Some(file) = read("example.phyloxml", &auto) else { return };
    let file = file.unwrap();
    let expected = rows("example.phyloxml.expected.csv");
    same(&file, &expected, 1);
    assert_eq!(file.support.as_ref().unwrap()[1], 89.0);
    assert_eq!(
        (file.trees[0].name.as_str(), file.trees[0].rooting),
        ("example & <quotes>", Rooting::Rooted)
    );
    for (key, column) in [
        ("probability", 5),
        ("taxonomy_id", 6),
        ("taxonomy_code", 7),
        ("scientific_name", 8),
        ("NOAA:depth", 9),
    ] {
        let found = file.annotations.iter().find(|a| a.name == key).unwrap();
        for (v, row) in expected.iter().enumerate() {
            assert_eq!(found.get(v as u32), row[column], "{key}");
        }
    }
}

#[test]
fn networks_are_refused() {
    if let Some(found) = read("network.enwk", &params()) {
        let error = found.unwrap_err();
        assert!(matches!(error, IoError::Network { .. }), "{error}");
    }
    let refused = |text: &str| read_tree_bytes("t.nwk", text.as_bytes(), &params()).unwrap_err();
    let error = refused("(A,\n((B,(C)X#H1),(X#H1,D)));").to_string();
    assert!(
        error.contains("line 2") && error.contains("network") && error.contains("`X#H1`"),
        "{error}"
    );
    assert!(read_tree_bytes("t.nwk", b"(A,((B,(C)'X#H1'),('X#H1',D)));", &params()).is_ok());
    assert!(read_tree_bytes("t.nwk", b"(A#H1,#2,#2);", &params()).is_ok());
}

#[test]
fn bad_nexus() {
    let refused = |text: &str, parts: &[&str]| {
        let error = read_tree_bytes("t.nex", text.as_bytes(), &params()).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    };
    refused("#NEXUS\nbegin taxa; taxlabels a b; end;\n", &["a NEXUS file without trees"]);
    refused("(a,b);", &["line 1", "#NEXUS"]);
    let taxa = "#NEXUS\nbegin taxa; dimensions ntax=2; taxlabels a 'b c'; end;\nbegin trees;\n";
    refused(&format!("{taxa}tree t = (a,x);\nend;"), &["line 4", "the tip `x` is no taxon"]);
    refused(&format!("{taxa}tree t = (a,'b c')[;\nend;"), &["line 4", "a closing `]`"]);
    refused(&format!("{taxa}[ [x]\ntree t = (a,'b c');\nend;"), &["line 4", "a closing `]`"]);
    // Case and underscores do not matter there, and numbers are those of taxa.
    let read = |tree: &str| {
        let text = format!("{taxa}tree t = {tree};\nend;");
        read_tree_bytes("t.nex", text.as_bytes(), &params()).unwrap()
    };
    assert_eq!(read("(A,b_c)").labels.label(2), "b_c");
    assert_eq!(read("(2,1)").labels.label(1), "b c");
    // Support is no key.
    let file = read_tree_bytes(
        "t.nex",
        b"#NEXUS\nbegin trees; translate 1 a, 2 b, 3 c; tree t = ((1,2)2,3); end;",
        &ReadParams::default(),
    );
    assert_eq!(file.unwrap().support.unwrap()[1], 2.0);
}

/// Writes a file in every format and reads it back.
fn through(file: &TreeFile) {
    let forest = palmette_core::TreeParams { forest: true, ..Default::default() };
    let tree = file.tree(forest).unwrap();
    for format in
        [Format::Newick, Format::Nexus, Format::Csv, Format::Tsv, Format::Parquet, Format::Arrow]
    {
        for style in [AnnotationStyle::Beast, AnnotationStyle::Nhx] {
            let mut bytes = Vec::new();
            write_tree(&mut bytes, format, &tree, &file.parts(), style).unwrap();
            let params = ReadParams {
                format: Some(format),
                tree: TreeChoice::All,
                support: SupportLabels::Auto,
                missing_length: None,
                ..params()
            };
            let text = String::from_utf8_lossy(&bytes);
            let again =
                read_tree_bytes("t", &bytes, &params).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(again.parents, file.parents, "{text}");
            assert_eq!(again.labels, file.labels, "{text}");
            assert_eq!(again.lengths, file.lengths, "{text}");
            assert_eq!(again.annotations, file.annotations, "{text}");
            let bits = |support: &Option<Vec<f64>>| {
                support.as_ref().map(|s| s.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
            };
            assert_eq!(bits(&again.support), bits(&file.support), "{text}");
            if matches!(format, Format::Newick | Format::Nexus) {
                let rooting =
                    |file: &TreeFile| file.trees.iter().map(|t| t.rooting).collect::<Vec<_>>();
                assert_eq!(rooting(&again), rooting(file), "{text}");
            }
        }
    }
}
