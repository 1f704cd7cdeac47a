//! What each reader accepts.

use palmette_core::{NONE, TreeParams};
use palmette_io::{
    Format, Labels, Lookup, ReadParams, SupportLabels, TreeChoice, TreeFile, ValueType, Values,
    read_pairs_bytes, read_tree_bytes, read_values_bytes, write_parent_table,
};

fn read(name: &str, text: &str) -> TreeFile {
    read_tree_bytes(name, text.as_bytes(), &ReadParams::default()).unwrap()
}

fn labels(file: &TreeFile) -> Vec<String> {
    (0..file.len() as u32).map(|v| file.labels.get(v).into_owned()).collect()
}

#[test]
fn tables_of_every_shape() {
    for text in [
        "1,\n2,1\n3,1\n",
        "1,-1\n2,1\n3,1",
        "id,parent\n1,NA\n2,1\n3,1\n",
        "parent;id\nnull;1\n1;2\n1;3\n",
        "\u{feff}taxid\tname\tparent_id\n1\troot\tNone\n2\tx\t1\n3\ty\t1\n",
        "# note\r\n\r\n1, \r\n 2 , 1\r\n\r\n3,1\r\n",
        "\"1\",\"\"\n\"2\",\"1\"\n3,1\n",
        "1\t|\t\t|\n2\t|\t1\t|\n3\t|\t1\t|\n",
        "what,up\n1,\n2,1\n3,1\n",
        "1 NA\n2 1\n3 1\n",
    ] {
        let params = ReadParams { format: Some(Format::Csv), ..ReadParams::default() };
        let file = read_tree_bytes("t", text.as_bytes(), &params).unwrap();
        assert_eq!(file.parents, [NONE, 0, 0], "{text:?}");
        assert_eq!(labels(&file), ["1", "2", "3"], "{text:?}");
    }
    let file = read("t.csv", "b,a\na,\n\"it, \"\"c\"\"\nx\",b\nd,a\n");
    assert_eq!(file.parents, [1, NONE, 0, 1]);
    assert_eq!(labels(&file)[2], "it, \"c\"\nx");
    assert_eq!((file.line_of(2), file.line_of(3)), (Some(3), Some(5)));
}

#[test]
fn lines_are_kept_across_gaps_and_pieces() {
    let mut text = String::from("id,parent\n");
    for v in 0..300_000u32 {
        if v % 1000 == 7 {
            text.push_str("# gap\n\n");
        }
        text.push_str(&if v == 0 { "0,\n".to_string() } else { format!("{v},{}\n", v - 1) });
    }
    let file = read("t.csv", &text);
    for v in [0u32, 6, 7, 8, 1006, 1007, 299_999] {
        assert_eq!(file.line_of(v), Some(u64::from(2 + v + (v + 993) / 1000 * 2)), "vertex {v}");
    }
}

#[test]
fn a_label_beats_a_word_for_no_parent() {
    let file = read("t.csv", "r,\nNA,r\nx,NA\n");
    assert_eq!(file.parents, [NONE, 0, 1]);
    let file = read("t.csv", "-1,\n0,-1\n");
    assert_eq!(file.parents, [NONE, 0]);
}

#[test]
fn own_parents_can_be_roots() {
    let params = ReadParams { self_root: true, ..ReadParams::default() };
    for (name, text) in
        [("t.csv", "1,1\n2,1\n"), ("t.csv", "a,a\nb,a\n"), ("t.edges", "1 1\n1 2\n")]
    {
        assert_eq!(read_tree_bytes(name, text.as_bytes(), &params).unwrap().parents, [NONE, 0]);
    }
}

#[test]
fn columns_and_lengths() {
    let params = ReadParams {
        columns: vec![("w".into(), ValueType::F64.into()), (3.into(), ValueType::I64.into())],
        lengths: true,
        ..ReadParams::default()
    };
    for quoted in ["", "\""] {
        let text = format!("id,parent,length,k,w\n1,,0,+5,{quoted}1e2{quoted}\n2,1,.5,-6,inf\n");
        let file = read_tree_bytes("t.csv", text.as_bytes(), &params).unwrap();
        assert_eq!(file.lengths, Some(vec![0.0, 0.5]));
        assert_eq!(file.columns[0].values, Values::F64(vec![100.0, f64::INFINITY]));
        assert_eq!(file.columns[1].values, Values::I64(vec![5, -6]));
    }
}

#[test]
fn edge_lists() {
    let file = read("t.edges", "% c\nr a 0.5\nr\tb 0.1\na c 3\n");
    assert_eq!(labels(&file), ["r", "a", "b", "c"]);
    assert_eq!(file.parents, [NONE, 0, 0, 1]);
    assert_eq!((file.line_of(0), file.line_of(3)), (None, Some(4)));
    let file = read("t.edges", "2 0\n2 1\n");
    assert_eq!(file.parents, [2, 2, NONE]);
    let file = read("t.csv", "child,parent\nb,a\nc,a\n");
    assert_eq!(labels(&file), ["a", "b", "c"]);
    assert_eq!(read("t.txt", "a b\n").parents, [NONE, 0]);
}

#[test]
fn newick_of_every_shape() {
    let text = "[&R] ((a_1:1e-2[x],'it''s (b;)':-2.5)0.9:1,\n ,'','c' [n[est]ed] :[&r=1] 3)root;\n";
    let file = read_tree_bytes(
        "t.nwk",
        text.as_bytes(),
        &ReadParams { lengths: true, missing_length: Some(7.0), ..ReadParams::default() },
    )
    .unwrap();
    assert_eq!(file.parents, [NONE, 0, 1, 1, 0, 0, 0]);
    assert_eq!(labels(&file), ["root", "0.9", "a_1", "it's (b;)", "#4", "#5", "c"]);
    assert_eq!(file.lengths, Some(vec![0.0, 1.0, 0.01, -2.5, 7.0, 7.0, 3.0]));
    assert_eq!((file.vertex("#5").unwrap(), file.comments), (5, 3));
    assert_eq!((file.line_of(3), file.line_of(4)), (Some(1), Some(2)));
    assert_eq!(read("t.nwk", "O'Brien;").labels.get(0), "O'Brien");
    assert_eq!(read("t.nwk", ";").len(), 1);
    let none =
        read_tree_bytes("t.nwk", b"(a,b);", &ReadParams { lengths: true, ..ReadParams::default() })
            .unwrap();
    assert_eq!(none.lengths, None);
    let labels_only = ReadParams { support: SupportLabels::No, ..ReadParams::default() };
    let shared = read_tree_bytes("t", b"((a,b)0.9,(c,d)0.9);", &labels_only).unwrap();
    assert!(shared.vertex("0.9").unwrap_err().to_string().contains("several"));
    let mut table = Vec::new();
    write_parent_table(&mut table, b',', &shared.parents, &shared.labels, None, &[]).unwrap();
    assert!(
        String::from_utf8(table)
            .unwrap()
            .starts_with("id,parent,label\n\"#0\",,\n\"#1\",\"#0\",0.9\na,\"#1\",a\n")
    );
}

#[test]
fn several_newick_trees() {
    let choose = |tree| ReadParams { tree, ..ReadParams::default() };
    let text = b"(a,b);\n(c,d,e);\nf;";
    let second = read_tree_bytes("t.nwk", text, &choose(TreeChoice::Index(1))).unwrap();
    assert_eq!((labels(&second)[1].as_str(), second.len(), second.line_of(0)), ("c", 4, Some(2)));
    let all = read_tree_bytes("t.nwk", text, &choose(TreeChoice::All)).unwrap();
    assert_eq!(all.tree(TreeParams { forest: true, ..TreeParams::default() }).unwrap().roots(), 3);
}

#[test]
fn ten_million_nested_parentheses() {
    let n = 10_000_000;
    let text = [vec![b'('; n], vec![b')'; n], vec![b';']].concat();
    let file = read_tree_bytes("deep.nwk", &text, &ReadParams::default()).unwrap();
    assert_eq!(file.len(), n + 1);
    assert_eq!(file.parents[n], n as u32 - 1);
    let open =
        read_tree_bytes("deep.nwk", &text[..n], &ReadParams::default()).unwrap_err().to_string();
    assert!(open.contains("10000000 parentheses"), "{open}");
}

#[test]
fn arrays_of_every_type() {
    let array = |descr: &str, version: u8, data: Vec<u8>| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (3,), }}\n");
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        [bytes, header.into_bytes(), data].concat()
    };
    let cases = [
        array("|i1", 1, vec![255, 0, 1]),
        array("<i2", 2, [-1i16, 0, 1].iter().flat_map(|x| x.to_le_bytes()).collect()),
        array(">i4", 3, [-1i32, 0, 1].iter().flat_map(|x| x.to_be_bytes()).collect()),
        array("<i8", 1, [-1i64, 0, 1].iter().flat_map(|x| x.to_le_bytes()).collect()),
        array("<u4", 1, [u32::MAX, 0, 1].iter().flat_map(|x| x.to_le_bytes()).collect()),
        array(">u8", 1, [u64::MAX, 0, 1].iter().flat_map(|x| x.to_be_bytes()).collect()),
        array("<u8", 1, [u64::from(u32::MAX), 0, 1].iter().flat_map(|x| x.to_le_bytes()).collect()),
    ];
    for bytes in cases {
        assert_eq!(
            read_tree_bytes("t", &bytes, &ReadParams::default()).unwrap().parents,
            [NONE, 0, 1]
        );
    }
}

#[test]
fn values_and_pairs_in_any_order() {
    let names = Labels::texts(["a", "b"]);
    let numbers = Labels::integers(vec![10, 20]);
    let value = |text: &str, labels| {
        read_values_bytes("v.csv", text.as_bytes(), ValueType::I64, None, labels).unwrap()
    };
    for (text, labels) in [
        ("b,2\na,1\n", &names),
        ("id,x,value\nb,9,2\na,9,1\n", &names),
        ("20,2\n10,1\n", &numbers),
        ("vertex,w\n20,2\n10,1\n", &numbers),
        ("1\n2\n", &names),
        ("w\n1\n2\n", &numbers),
    ] {
        assert_eq!(value(text, labels), Values::I64(vec![1, 2]), "{text:?}");
    }
    for (text, labels) in [
        ("a,b\n", &names),
        ("u\tv\na\tb\n", &names),
        ("10 20\n", &numbers),
        ("left;right\n10;20", &numbers),
    ] {
        assert_eq!(read_pairs_bytes("p", text.as_bytes(), labels).unwrap(), [(0, 1)], "{text:?}");
    }
    assert_eq!(names.find("a"), Lookup::Vertex(0));
}

#[test]
fn names_may_begin_with_a_hash() {
    let text = b"# a comment\nr #1\n#! another\nr a\n#\n#1 b\n## and one more\n";
    let file = read_tree_bytes("t.edges", text, &ReadParams::default()).unwrap();
    assert_eq!(file.len(), 4);
    let table = b"id,parent\nr,\nb,r\n#FF0000,r\n#00FF00,b\n";
    assert_eq!(read_tree_bytes("t.csv", table, &ReadParams::default()).unwrap().len(), 4);
}

#[test]
fn nexus_trees_are_newick_trees() {
    let text = "#NEXUS\n[one; comment]\nBegin DATA;\n matrix 'a;b' (x,y) [;] z\n;\nEnd;\n\
        begin trees;\n\ttranslate 1 Homo, 2 'Pan ''p''',\n 3 third,;\n\
        tree * first = [&R] ((1:1,2:2)both:0.5,4:3)root;\n\
        UTREE second=(2,3);\nendblock;\n\
        BEGIN TREES; tree third = (1,2); END;\n";
    let read = |tree| {
        let params =
            ReadParams { tree, lengths: true, missing_length: Some(0.0), ..Default::default() };
        read_tree_bytes("t.txt", text.as_bytes(), &params)
    };
    let file = read(TreeChoice::Index(0)).unwrap();
    assert_eq!(file.parents, [NONE, 0, 1, 1, 0]);
    assert_eq!(labels(&file), ["root", "both", "Homo", "Pan 'p'", "4"]);
    assert_eq!(file.lengths, Some(vec![0.0, 0.5, 1.0, 2.0, 3.0]));
    assert_eq!(file.line_of(0), Some(10));
    let second = read(TreeChoice::Index(1)).unwrap();
    assert_eq!(
        (second.labels.label(1), second.labels.label(2)),
        ("Pan 'p'".into(), "third".into())
    );
    // The next block has no translation.
    let third = read(TreeChoice::Index(2)).unwrap();
    assert_eq!((third.labels.label(1), third.labels.label(2)), ("1".into(), "2".into()));
    assert_eq!(read(TreeChoice::All).unwrap().len(), 11);
    assert!(read(TreeChoice::Only).unwrap_err().to_string().contains("line 11"));
    assert!(read(TreeChoice::Index(3)).is_err());
}
