//! Edits of trees: what they print, what they refuse.

use crate::{Place, refused};

const TREE: &[u8] = b"(((a:1,b:2)x:3,c:4)y:5,(d:6,e:7)z:8)r;\n";

fn place() -> Place {
    Place::new(&[
        ("t.nwk", TREE),
        ("t.csv", b"id,parent,length\nr,,0\nx,r,3\na,x,1\nb,x,2\nc,r,4\n"),
        ("keep.txt", b"a\nd\n\ne\r\n"),
        ("names.csv", b"old,new\na,b\nb,a\n"),
        ("wrong.csv", b"a,b\nq,a\n"),
        ("twig.nwk", b"(p:1,q:1)w:0.5;"),
        ("bare.nwk", b"((a,b),c);"),
        ("poly.nwk", b"(a:1,b:1,c:1,d:1);"),
        ("twice.nwk", b"((a,b),(a,c));"),
        ("two.nwk", b"(a,b);(c,d);"),
        ("nan.nwk", b"((a:1,b:nan):1,c:1);"),
    ])
}

#[test]
fn edits() {
    let place = place();
    for (line, expected) in [
        ("subtree t.nwk --of a,b", "(a:1,b:2)x;\n"),
        ("subtree t.nwk --of z", "(d:6,e:7)z;\n"),
        ("prune t.nwk --keep @keep.txt", "(a:9,(d:6,e:7)z:8)r;\n"),
        ("prune t.nwk --drop b,c,d", "(a:9,e:15)r;\n"),
        ("prune t.nwk --drop b --unifurcations keep", "(((a:1)x:3,c:4)y:5,(d:6,e:7)z:8)r;\n"),
        ("prune t.nwk --keep x", "(a:1,b:2)x;\n"),
        (
            "prune t.nwk --keep-pattern [ab] --keep-pattern ? --ignore-missing",
            "(((a:1,b:2)x:3,c:4)y:5,(d:6,e:7)z:8)r;\n",
        ),
        ("prune t.nwk --keep a,b,nobody --ignore-missing", "(a:1,b:2)x;\n"),
        ("reroot t.nwk --outgroup c", "(c:2,((a:1,b:2)x:3,(d:6,e:7)z:13)y:2);\n"),
        ("reroot t.nwk --outgroup d,e --fraction 0", "((d:6,e:7)z:0,((a:1,b:2)x:3,c:4)y:13)r;\n"),
        ("reroot t.nwk --at a --fraction 0.25", "(a:0.25,(b:2,(c:4,(d:6,e:7)z:13)y:3)x:0.75);\n"),
        ("reroot t.nwk --midpoint", "((d:6,e:7)z:5.5,((a:1,b:2)x:3,c:4)y:7.5)r;\n"),
        ("reroot t.nwk --unroot", "((a:1,b:2)x:3,c:4,(d:6,e:7)z:13)r;\n"),
        ("ladderize t.nwk", "((d:6,e:7)z:8,(c:4,(a:1,b:2)x:3)y:5)r;\n"),
        ("sort poly.nwk", "(a:1,b:1,c:1,d:1);\n"),
        ("collapse t.nwk --shorter-than 4", "((a:4,b:5,c:4)y:5,(d:6,e:7)z:8)r;\n"),
        ("collapse t.nwk --shorter-than 4 --lengths drop", "((a:1,b:2,c:4)y:5,(d:6,e:7)z:8)r;\n"),
        ("resolve poly.nwk", "(((a:1,b:1):0,c:1):0,d:1);\n"),
        ("resolve poly.nwk --method balanced", "((a:1,b:1):0,(c:1,d:1):0);\n"),
        ("rename t.nwk --names names.csv", "(((b:1,a:2)x:3,c:4)y:5,(d:6,e:7)z:8)r;\n"),
        (
            "graft t.nwk --with twig.nwk --below z",
            "(((a:1,b:2)x:3,c:4)y:5,(d:6,e:7,(p:1,q:1)w:0.5)z:8)r;\n",
        ),
        (
            "graft t.nwk --with twig.nwk --above e",
            "(((a:1,b:2)x:3,c:4)y:5,(d:6,(e:3.5,(p:1,q:1)w:0.5):3.5)z:8)r;\n",
        ),
        ("prune t.csv --drop b", "id,parent,length\nr,,0\na,r,4\nc,r,4\n"),
        ("prune t.csv --drop b --to newick", "(a:4,c:4)r;\n"),
    ] {
        assert_eq!(place.stdout(&format!("tree {line}")), expected, "tree {line}");
    }
}

#[test]
fn records() {
    let place = place();
    let record = |line: &str| -> serde_json::Value {
        serde_json::from_str(&place.stdout(&format!("tree {line} --json"))).unwrap()
    };
    let result = &record("prune t.nwk --drop b -o out.nwk")["result"];
    for (key, value) in [("vertices_before", 9), ("tips_before", 5), ("vertices", 7), ("tips", 4)] {
        assert_eq!(result[key], value, "{key}");
    }
    assert_eq!(result["dropped"], 1);
    let result = &record("reroot t.nwk --midpoint")["result"];
    assert_eq!((&result["diameter"], &result["root_branch"]), (&25.0.into(), &"z".into()));
    assert_eq!((&result["diameter_from"], &result["diameter_to"]), (&"b".into(), &"e".into()));
    assert!(record("reroot t.nwk --min-variance")["result"]["variance"].as_f64().unwrap() > 0.0);
    assert_eq!(record("collapse t.nwk --shorter-than 4")["result"]["collapsed"], 1);
    assert_eq!(record("resolve poly.nwk")["result"]["added"], 2);
    assert_eq!(record("rename t.nwk --names names.csv")["result"]["renamed"], 2);
}

#[test]
fn what_cannot_be_edited() {
    let place = place();
    for (line, parts) in [
        ("prune t.nwk --keep a,q -o out.nwk", &["t.nwk", "`q`", "--ignore-missing"][..]),
        ("prune t.nwk --drop r", &["no tips are left"]),
        ("prune t.nwk --keep-pattern q*", &["q*", "--ignore-missing"]),
        ("prune t.nwk", &["--keep"]),
        ("prune t.nwk --keep a --drop b", &["--drop"]),
        ("prune twice.nwk --keep a", &["`a`", "several vertices"]),
        ("prune t.nwk --keep @none.txt", &["none.txt"]),
        ("reroot t.nwk --outgroup a,c -o out.nwk", &["no clade", "`b`"]),
        ("reroot t.nwk --outgroup r", &["all tips"]),
        ("reroot t.nwk --at r", &["`r`"]),
        ("reroot t.nwk --at a --fraction 2", &["0 to 1"]),
        ("reroot t.nwk", &["--midpoint"]),
        ("reroot bare.nwk --midpoint", &["no branch lengths"]),
        ("reroot two.nwk --unroot --tree all", &["2 roots", "--tree"]),
        ("collapse bare.nwk --shorter-than 1", &["no branch lengths"]),
        ("collapse t.nwk --support-below 50", &["no branch has support"]),
        ("rename t.nwk --names wrong.csv", &["`q`", "--ignore-missing"]),
        ("graft t.nwk --with bare.nwk --below a", &["bare.nwk has none"]),
        ("graft t.nwk --with twig.nwk --above r", &["`r`"]),
        ("subtree t.nwk --of nobody", &["`nobody`"]),
    ] {
        refused(&place, &format!("tree {line}"), parts);
    }
}

#[test]
fn the_output_is_a_tree_file() {
    let place = place();
    place.stdout("tree ladderize t.nwk -o ladder.csv");
    place.stdout("tree convert ladder.csv -o back.nwk");
    assert_eq!(place.read("back.nwk"), "((d:6,e:7)z:8,(c:4,(a:1,b:2)x:3)y:5)r;\n");
    // A root that only divided a branch takes its name with it, which is said.
    let output = place.run("tree reroot t.nwk --at a");
    assert!(String::from_utf8(output.stderr).unwrap().contains("`r`"));
}

/// An edit has no way to keep columns of a table that it does not know: it says so.
#[test]
fn columns_left_out_are_named() {
    let rows = b"id,parent,length,kg,note\nr,,0,1,x\na,r,1,2,y\nb,r,2,3,z\n";
    let place = Place::new(&[("t.csv", rows)]);
    for (line, expected) in [
        ("tree ladderize t.csv -o new.csv", Some("columns were left out: kg, note")),
        ("tree convert t.csv -o new.nwk", Some("columns were left out: kg, note")),
        ("tree convert t.csv --columns kg -o kept.csv", Some("columns were left out: note")),
        ("tree ladderize kept.csv -o new.csv", Some("columns were left out: kg")),
        ("tree ladderize new.csv -o again.csv", None),
    ] {
        let output = place.run(line);
        let notes = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}: {notes}");
        match expected {
            Some(note) => assert!(notes.contains(note), "{line}: {notes}"),
            None => assert!(!notes.contains("left out"), "{line}: {notes}"),
        }
    }
}
