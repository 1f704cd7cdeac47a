//! What vertices are called: whatever labels a tree has, what one verb writes the others take.

use crate::{Place, refused, succeeded};
use std::process::Output;

/// Two inner vertices share a label, the root has none.
const SHARED: &[u8] = b"((a:1,b:1)0.9:1,(c:1,d:1)0.9:1);\n";

/// Labels that are shared, missing, numbers, or need quotes.
const LABELS: [&str; 27] = [
    "", "", "", "a", "a", "b", "0.9", "0.9", "100", "1", "0", "-1", "id", "name", "parent", "u",
    "v", "vertex", "lca", "depth", "#1", "'it''s'", "'a b'", "'x,y'", "'\"q\"'", "'# c'", "'é\n'",
];

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A random tree in Newick, some with lengths.
fn newick(random: &mut Random, inner: usize) -> String {
    let lengths = random.below(2) == 0;
    let mut text = tree(random, inner, lengths);
    if lengths {
        text.truncate(text.rfind(':').unwrap());
    }
    text + ";\n"
}

fn tree(random: &mut Random, inner: usize, lengths: bool) -> String {
    let label = LABELS[random.below(LABELS.len())];
    let length =
        if lengths { format!(":{}", random.below(100) as f64 / 8.0) } else { String::new() };
    if inner == 0 {
        return format!("{label}{length}");
    }
    let children = 1 + random.below(3);
    let mut left = inner - 1;
    let parts: Vec<String> = (0..children)
        .map(|k| {
            let own = if k + 1 == children { left } else { random.below(left + 1) };
            left -= own;
            tree(random, own, lengths)
        })
        .collect();
    format!("({}){label}{length}", parts.join(","))
}

#[test]
fn labels_that_repeat_touch_no_others() {
    let place = Place::new(&[("s.nwk", SHARED)]);
    place.stdout("tree convert s.nwk --support no -o d.csv");
    assert_eq!(
        place.read("d.csv"),
        "id,parent,label,length\n\"#0\",,,0\n\"#1\",\"#0\",0.9,1\na,\"#1\",a,1\nb,\"#1\",b,1\n\
         \"#4\",\"#0\",0.9,1\nc,\"#4\",c,1\nd,\"#4\",d,1\n"
    );
    // As names they have quotes, as support none.
    let quoted = "((a:1,b:1)'0.9':1,(c:1,d:1)'0.9':1);\n";
    assert_eq!(place.stdout("tree convert d.csv --to newick"), quoted);
    place.stdout("tree convert s.nwk -o d.csv");
    assert_eq!(
        place.read("d.csv"),
        "id,parent,label,length,support\n\"#0\",,,0,\n\"#1\",\"#0\",,1,0.9\na,\"#1\",a,1,\n\
         b,\"#1\",b,1,\n\"#4\",\"#0\",,1,0.9\nc,\"#4\",c,1,\nd,\"#4\",d,1,\n"
    );
    assert_eq!(place.stdout("tree convert d.csv --to newick").as_bytes(), SHARED);
    place.stdout("tree rootfix s.nwk --op depth -o dd.csv");
    assert_eq!(
        place.stdout("tree leaffix s.nwk --op max --values file:dd.csv"),
        "vertex,max\n\"#0\",2\n\"#1\",2\na,2\nb,2\n\"#4\",2\nc,2\nd,2\n"
    );
    assert_eq!(place.stdout("tree lca s.nwk a b"), "u,v,lca\na,b,\"#1\"\n");
    assert_eq!(place.stdout("tree lca s.nwk #1 c"), "u,v,lca\n\"#1\",c,\"#0\"\n");
    refused(
        &place,
        "tree lca s.nwk 0.9 a --support no",
        &[
            "`0.9` does not name one vertex: several",
            "called \
        `#1`",
            "and `#4`",
        ],
    );
    assert_eq!(place.stdout("tree lca d.csv a b"), "u,v,lca\na,b,\"#1\"\n");
}

/// Runs a command with a file in quotes that the line cannot have.
pub(crate) fn quiet(place: &Place, line: &str) -> (Output, String) {
    let output = place.run(line);
    let notes = String::from_utf8(output.stderr.clone()).unwrap();
    (output, notes)
}

#[test]
fn trees_come_back_from_every_format_or_a_note_says_what_is_lost() {
    let mut random = Random(7);
    for round in 0..12 {
        let text = newick(&mut random, 1 + round);
        let place = Place::new(&[("t.nwk", text.as_bytes())]);
        let original = place.stdout("tree convert t.nwk --to newick");
        let names = [
            "o.csv",
            "o.tsv",
            "o.nwk",
            "o.nex",
            "o.csv.gz",
            "o.edges",
            "o.npy",
            "o.parquet",
            "o.arrow",
        ];
        for name in names {
            let (output, notes) = quiet(&place, &format!("tree convert t.nwk -o {name}"));
            assert_eq!(output.status.code(), Some(0), "{text} {name}: {notes}");
            let back = place.stdout(&format!("tree convert {name} --to newick"));
            assert!(back == original || notes.contains("cannot store"), "{name}: {text}{back}");
            let whole = !name.ends_with("edges") && !name.ends_with("npy");
            assert!(!whole || (back == original && notes.is_empty()), "{name}: {text}{back}");
            // Shapes survive everywhere.
            let shape = |file: &str| {
                let info = place.stdout(&format!("tree info {file} --json"));
                let result: serde_json::Value = serde_json::from_str(&info).unwrap();
                ["vertices", "leaves", "height", "max_children"]
                    .map(|key| result["result"][key].clone())
            };
            assert_eq!(shape(name), shape("t.nwk"), "{name}: {text}");
        }
    }
}

#[test]
fn what_one_verb_writes_the_others_take() {
    let mut random = Random(11);
    for round in 0..8 {
        let text = newick(&mut random, 2 + round);
        let place = Place::new(&[("t.nwk", text.as_bytes())]);
        let writers = [
            "rootfix t.nwk --op depth",
            "leaffix t.nwk --op sum",
            "leaffix t.nwk --op height",
            "order t.nwk",
            "order t.nwk --order light-first",
        ];
        for writer in writers {
            for file in ["v.csv", "v.tsv", "v.npy", "v.parquet", "v.feather"] {
                place.stdout(&format!("tree {writer} -o {file}"));
                // The values of one vertex alone: nothing but what was written.
                let same =
                    place.stdout(&format!("tree leaffix t.nwk --op max --values {file} -o -"));
                let again = place.stdout(&format!(
                    "tree leaffix t.nwk --op max --values {file} --engine contract"
                ));
                assert_eq!(same, again, "{writer} {file}: {text}");
            }
            let by_table = place.stdout("tree rootfix t.nwk --values v.csv");
            assert_eq!(
                by_table,
                place.stdout("tree rootfix t.nwk --values v.npy"),
                "{writer}: {text}"
            );
        }
        // Ends of paths: each vertex with the next, by names, from a table of ours.
        let table = place.stdout("tree rootfix t.nwk --op depth -o -");
        let rows = rows_of(&table);
        let names: Vec<&String> = rows.iter().skip(1).map(|row| &row[0]).collect();
        let pairs = names.iter().zip(names.iter().skip(1));
        let pairs: String = pairs.map(|(u, v)| format!("{},{}\n", quoted(u), quoted(v))).collect();
        std::fs::write(place.path().join("p.csv"), &pairs).unwrap();
        let answers = place.stdout("tree lca t.nwk --pairs p.csv");
        for (verb, file) in [("lca", "q.csv"), ("distance", "q.csv"), ("path --op count", "q.tsv")]
        {
            let (verb, options) = verb.split_once(' ').unwrap_or((verb, ""));
            place.stdout(&format!("tree {verb} t.nwk {options} --pairs p.csv -o {file}"));
            assert_eq!(
                place.stdout(&format!("tree lca t.nwk --pairs {file}")),
                answers,
                "{verb}: {text}"
            );
        }
        // A table of ancestors is a tree again, and so is what was converted.
        place.stdout("tree path t.nwk --ancestor 1 -o up.csv");
        place.stdout("tree convert t.nwk -o t.csv");
        let depths = place.stdout("tree rootfix t.nwk --op depth");
        assert_eq!(place.stdout("tree rootfix up.csv --op depth"), depths, "{text}");
        assert_eq!(place.stdout("tree rootfix t.csv --op depth"), depths, "{text}");
        assert_eq!(place.stdout("tree lca t.csv --pairs p.csv"), answers, "{text}");
    }
}

/// Rows of a comma-separated text, quotes undone.
fn rows_of(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut inside) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if inside && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => inside = !inside,
            ',' if !inside => row.push(std::mem::take(&mut field)),
            '\n' if !inside => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    rows
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[test]
fn a_first_row_is_a_header_only_if_that_is_sure() {
    let place = Place::new(&[
        ("words.edges", b"person id\nperson name\nname first\n"),
        ("typo.csv", b"name,frist\nfirst,\nlast,first\n"),
        ("either.csv", b"id,parent\nparent,\nb,parent\n"),
        ("header.edges", b"source target\na b\na c\n"),
    ]);
    let vertices = |line: &str| {
        let info = place.stdout(&format!("tree info {line} --json"));
        let record: serde_json::Value = serde_json::from_str(&info).unwrap();
        record["result"]["vertices"].as_u64().unwrap()
    };
    assert_eq!(vertices("words.edges"), 4);
    place.stdout("tree convert words.edges -o again.edges");
    assert_eq!(vertices("again.edges"), 4);
    assert_eq!(vertices("header.edges"), 3);
    for name in ["typo.csv", "either.csv"] {
        let parts = [
            name,
            "line 1",
            "could be a header or a row",
            "--header true or --header \
            false",
        ];
        refused(&place, &format!("tree info {name}"), &parts);
        assert_eq!(vertices(&format!("{name} --header true")), 2);
    }
    assert_eq!(vertices("either.csv --header false"), 3);
}

#[test]
fn distances_say_what_they_count() {
    let place = Place::new(&[
        ("s.nwk", SHARED),
        ("plain.nwk", b"((a,b),c);\n"),
        ("part.nwk", b"((a:1,b):2,c:3);\n"),
    ]);
    for (line, expected) in [
        ("tree distance s.nwk a c", "u,v,length\na,c,4\n"),
        ("tree distance s.nwk a c --lengths", "u,v,length\na,c,4\n"),
        ("tree distance s.nwk a c --edges", "u,v,edges\na,c,4\n"),
        ("tree distance plain.nwk a c", "u,v,edges\na,c,3\n"),
        ("tree distance part.nwk a c --edges", "u,v,edges\na,c,3\n"),
        ("tree distance part.nwk a b --missing-length 0.5", "u,v,length\na,b,1.5\n"),
    ] {
        assert_eq!(place.stdout(line), expected, "{line}");
    }
    let record = place.stdout("tree distance s.nwk a b --json");
    assert!(record.contains("\"distance\":\"length\""), "{record}");
    refused(&place, "tree distance part.nwk a c", &["line 1", "--missing-length LENGTH"]);
    refused(&place, "tree distance plain.nwk a c --lengths", &["has no branch lengths"]);
    refused(&place, "tree distance s.nwk a c --lengths --edges", &["cannot be used with"]);
}

#[test]
fn files_that_are_something_else_are_named() {
    let nexus = b"#NEXUS\nbegin trees;\ntree a = (a,b);\nend;\n";
    let place = Place::new(&[("n.tre", nexus), ("n.txt", nexus), ("b.nwk", b"(A:1,\nB:x);\n")]);
    for line in ["tree lca n.tre a b", "tree lca n.txt a b", "tree lca n.txt --format newick a b"] {
        assert!(place.stdout(line).contains("#0"), "{line}");
    }
    refused(&place, "tree info n.txt --format csv", &["line 1", "found NEXUS"]);
    for line in ["tree info b.nwk", "tree lca b.nwk A B", "tree rootfix b.nwk --op depth"] {
        refused(&place, line, &["b.nwk, line 2", "a finite number as the branch length", "`x`"]);
    }
}

#[test]
fn pairs_and_values_say_what_is_missing() {
    let place = Place::new(&[
        ("s.nwk", SHARED),
        ("p.csv", b"taxon_one,taxon_two\na,b\nc,d\n"),
        ("typo.csv", b"a,nobody\nc,d\n"),
        ("lone.csv", b"no,body\n"),
        ("v.csv", b"tip,w\na,1\nb,2\n"),
        ("t.csv", b"id,parent,w\nr,,1\ns,r,\n"),
    ]);
    let output = place.run("tree lca s.nwk --pairs p.csv");
    let notes = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(succeeded("lca", output), "u,v,lca\na,b,\"#1\"\nc,d,\"#4\"\n");
    assert!(
        notes.contains("p.csv: the first row, `taxon_one, taxon_two`, names no vertex"),
        "{notes}"
    );
    refused(&place, "tree lca s.nwk --pairs typo.csv", &["typo.csv, line 1", "`nobody`"]);
    refused(&place, "tree lca s.nwk --pairs lone.csv", &["lone.csv, line 1", "`no`"]);
    refused(
        &place,
        "tree leaffix s.nwk --values v.csv",
        &["v.csv: ", "no value for 5 of 7 vertices: `#0`, `#1`, `#4` …", "--missing-value"],
    );
    assert_eq!(
        place.stdout("tree leaffix s.nwk --values v.csv --missing-value 0"),
        "vertex,sum\n\"#0\",3\n\"#1\",3\na,1\nb,2\n\"#4\",0\nc,0\nd,0\n"
    );
    assert_eq!(
        place.stdout("tree leaffix t.csv --values w --missing-value 0.5"),
        "vertex,sum\nr,1.5\ns,0.5\n"
    );
    refused(&place, "tree leaffix s.nwk --missing-value 0", &["with a column or a file"]);
    refused(&place, "tree leaffix t.csv --values w --missing-value x", &["expected a number"]);
}

#[test]
fn messages_and_summaries_quote_little_of_a_file() {
    let columns: Vec<String> = (0..20_000).map(|k| format!("c{k}")).collect();
    let wide = format!("{}\n{}\n", columns.join(","), vec!["1"; 20_000].join(","));
    let long = format!("({0},b){0}r;\n", "x".repeat(100_000));
    let twice = format!("({0},{0})r;\n", "y".repeat(100_000));
    let files = [("wide.csv", wide), ("long.nwk", long), ("twice.nwk", twice)];
    let place = Place::new(&files.each_ref().map(|(name, text)| (*name, text.as_bytes())));
    for line in ["tree leaffix wide.csv --values nope", "tree info wide.csv", "tree info long.csv"]
    {
        let output = place.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stderr.len() < 600, "{line}: {}", output.stderr.len());
    }
    let name = "y".repeat(100_000);
    let output = place.run(&format!("tree lca twice.nwk {name} r"));
    assert!(output.status.code() == Some(2) && output.stderr.len() < 600);
    let summary = place.stdout("tree info long.nwk");
    assert!(summary.len() < 3000, "{}", summary.len());
}

#[test]
fn tips_and_values_of_tips() {
    let place = Place::new(&[
        ("t.nwk", b"((a:1,b:2)x:1,c:4);"),
        ("v.csv", b"tip,mass\na,1\nb,2\nc,5\n"),
        ("some.csv", b"tip,mass\na,1\nc,5\n"),
        ("p.csv", b"from_tip,to_tip\na,c\n"),
    ]);
    assert_eq!(
        place.stdout("tree rootfix t.nwk --op depth --lengths --tips"),
        "vertex,depth\na,2\nb,3\nc,4\n"
    );
    assert_eq!(place.stdout("tree order t.nwk --tips"), "vertex,position\na,2\nb,3\nc,4\n");
    let (output, notes) = quiet(&place, "tree leaffix t.nwk --values v.csv");
    assert_eq!(output.stdout, b"vertex,sum\n\"#0\",8\nx,3\na,1\nb,2\nc,5\n");
    assert!(notes.contains("the 2 inner vertices have the identity of sum"), "{notes}");
    let minimum = place.stdout("tree leaffix t.nwk --values v.csv --op min -q");
    assert_eq!(minimum, "vertex,min\n\"#0\",1\nx,1\na,1\nb,2\nc,5\n");
    refused(&place, "tree leaffix t.nwk --values some.csv", &["no value for 3 of 5", "`b`"]);
    assert_eq!(place.stdout("tree distance t.nwk --pairs p.csv -q"), "u,v,length\na,c,6\n");
}
