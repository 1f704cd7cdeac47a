//! `palmette tree draw`.

use super::{Place, refused};

const APES: &[u8] = b"((Homo:6,Pan:6)Hominini:2,(Gorilla:8,'x<y & \"z\"':1):0.5);";

#[test]
fn trees_are_drawn_marked_and_coloured() {
    let place = Place::new(&[
        ("apes.nwk", APES),
        ("where.csv", b"tip,place\nHomo,land\nPan,trees\nGorilla,land\n"),
        ("mass.tsv", b"Homo\t70\nPan\t50\n"),
    ]);
    for (line, parts) in [
        ("", &["Gorilla", "x&lt;y &amp; &quot;z&quot;", "branch length"][..]),
        ("--layout circular --unit Myr", &["rotate(", "Myr"]),
        ("--no-lengths", &["(edges)"]),
        ("--colour where.csv", &["place:", "land", "none, or several"]),
        ("--colour mass.tsv", &["mass", "mean of the tips below"]),
        ("--colour length --highlight Hominini=ours", &[">ours", "wash"]),
        ("--highlight Homo+Gorilla", &["Homo+Gorilla"]),
        ("--collapse Hominini", &["Hominini · 2 tips", "collapsed clade"]),
        ("--rows 2", &["drawn as"]),
    ] {
        place.stdout(&format!("tree draw apes.nwk {line} --svg t.svg --png t.png"));
        let svg = place.read("t.svg");
        roxmltree::Document::parse(&svg).unwrap();
        for part in parts {
            assert!(svg.contains(part), "{line}: {part}");
        }
    }
    let record = place.stdout("tree draw apes.nwk --collapse Hominini --svg t.svg --json");
    for part in ["\"tips\":4", "\"rows\":3", "\"clades\":1", "\"groups\":0", "\"single_tips\":2"] {
        assert!(record.contains(part), "{part} in {record}");
    }
}

#[test]
fn other_viewers_get_their_files() {
    let place = Place::new(&[
        ("apes.nwk", APES),
        ("where.csv", b"tip,place\nHomo,land\nPan,trees\nGorilla,land\n"),
        ("mass.csv", b"tip,mass\nHomo,70\nHominini,60\n"),
    ]);
    place.stdout("tree draw apes.nwk --colour where.csv --itol strip.txt --taxonium t.jsonl");
    let strip = place.read("strip.txt");
    assert!(strip.starts_with("DATASET_COLORSTRIP\nSEPARATOR TAB\nDATASET_LABEL\tplace\n"));
    assert!(strip.contains("LEGEND_LABELS\tland\ttrees\n"));
    let (_, data) = strip.split_once("DATA\n").unwrap();
    assert_eq!(data, "Homo\t#0072b2\tland\nPan\t#d55e00\ttrees\nGorilla\t#0072b2\tland\n");
    let lines = place.read("t.jsonl");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 8);
    assert!(lines[0].contains("\"total_nodes\":7"));
    // In the order of rows: Homo, Hominini, Pan, the root, ….
    for (line, parts) in [
        (
            1,
            &["\"name\":\"Homo\"", "\"node_id\":0", "\"parent_id\":1", "\"meta_place\":\"land\""][..],
        ),
        (2, &["\"name\":\"Hominini\"", "\"num_tips\":2", "\"parent_id\":3", "\"is_tip\":false"]),
        (4, &["\"node_id\":3", "\"parent_id\":3", "\"x_dist\":0.0"]),
    ] {
        for part in parts {
            assert!(lines[line].contains(part), "{part} in {}", lines[line]);
        }
    }
    place.stdout("tree draw apes.nwk --colour mass.csv --itol bars.txt --taxonium t.jsonl.gz");
    let bars = place.read("bars.txt");
    assert!(
        bars.starts_with("DATASET_SIMPLEBAR\n") && bars.ends_with("DATA\nHomo\t70\n"),
        "{bars}"
    );
    place.stdout("tree draw apes.nwk --colour length --itol lengths.txt");
    assert!(place.read("lengths.txt").contains("Homo|Pan\t2\nHomo\t6\n"));
}

#[test]
fn pages_hold_the_tree() {
    let place = Place::new(&[("apes.nwk", APES)]);
    place.stdout("tree draw apes.nwk --colour length --html t.html");
    let page = place.read("t.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("\"vertices\":7"));
}

#[test]
fn wrong_drawings_are_refused() {
    let place = Place::new(&[
        ("apes.nwk", APES),
        ("plain.nwk", b"((a,b),c);"),
        ("odd.csv", b"Homo,1\nBonobo,2\n"),
        ("twice.csv", b"Homo,1\nHomo,2\n"),
    ]);
    for (line, parts) in [
        ("apes.nwk", &["--svg FILE"][..]),
        ("apes.nwk --svg t.svg --colour odd.csv", &["odd.csv, line 2", "Bonobo"]),
        ("apes.nwk --svg t.svg --colour twice.csv", &["line 1 already gives one"]),
        ("apes.nwk --svg t.svg --colour support", &["--colour support", "has none"]),
        ("plain.nwk --svg t.svg --colour length", &["--colour length", "has none"]),
        ("apes.nwk --svg t.svg --colour length --no-lengths", &["leave out --no-lengths"]),
        ("apes.nwk --svg t.svg --highlight Bonobo", &["Bonobo"]),
        ("apes.nwk --svg t.svg --collapse Homo", &["this is a tip"]),
        ("apes.nwk --svg t.svg --dots 90", &["no support"]),
        ("apes.nwk --svg t.svg --rows 1", &["--rows"]),
        ("apes.nwk --svg t.svg --layout round", &["round"]),
        ("apes.nwk --itol t.txt", &["--colour"]),
        ("apes.nwk --html t.png", &["html"]),
        ("apes.nwk --taxonium t.json", &["jsonl"]),
    ] {
        refused(&place, &format!("tree draw {line}"), parts);
    }
}
