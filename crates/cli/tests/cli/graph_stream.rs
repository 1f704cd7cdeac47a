//! `palmette graph stream`: skeletons that follow updates, and updates that cannot be done.

use crate::{Place, refused, succeeded};
use serde_json::Value;

/// The grid of nine by nine loses a row of links one by one, and gets chords.
fn place() -> Place {
    let mut text = String::from("op,u,v,weight\n");
    for v in 37..=44 {
        text += &format!("delete,{v},{}\n", v + 9);
    }
    for v in 1..=20 {
        text += &format!("insert,{v},{},0.5\n", 82 - v);
    }
    text += "weight,1,2,7\n";
    let place = Place::new(&[("updates.csv", text.as_bytes())]);
    place.stdout("graph generate grid:9x9 -o g.mtx");
    place
}

#[test]
fn a_skeleton_follows() {
    let place = place();
    let line = "graph stream g.mtx updates.csv -o kept.mtx --graph now.mtx --history h.csv \
                --svg s.svg --every 10 --json";
    let found: Value = serde_json::from_str(&place.stdout(line)).unwrap();
    let found = &found["result"];
    assert_eq!((&found["updates"], &found["edges"]), (&29.into(), &(144 - 8 + 20).into()));
    assert_eq!((&found["tree_edges"], &found["history"][3]["updates"]), (&80.into(), &29.into()));
    let recovered = found["recovered_edges"].as_u64().unwrap();
    assert!(found["condition"].as_f64().unwrap() >= 1.0);
    let history = place.read("h.csv");
    let rows: Vec<&str> = history.lines().collect();
    assert_eq!(rows[0], "updates,edges,density,condition,refreshes,seconds");
    assert_eq!(rows.len(), 5, "before all, after 10, 20 and 29");
    assert!(rows[1].starts_with("0,144,") && rows[4].starts_with("29,156,"));
    assert!(place.read("s.svg").contains("condition number"));
    // What is written is read.
    let kept: Value = serde_json::from_str(&place.stdout("graph info kept.mtx --json")).unwrap();
    assert_eq!(kept["result"]["edges"], 80 + recovered);
    assert_eq!(kept["result"]["components"], 1);
    let now: Value = serde_json::from_str(&place.stdout("graph info now.mtx --json")).unwrap();
    assert_eq!(now["result"]["edges"], 156);
    assert!(place.read("now.mtx").contains("\n2 1 7\n"));
    // The same on any number of threads, and from a pipe.
    let kept = place.read("kept.mtx");
    for threads in [1, 2] {
        let line = format!("graph stream g.mtx - -o other.mtx --threads {threads} --quiet");
        let output = place.run_with(&line, place.read("updates.csv").as_bytes());
        succeeded(&line, output);
        assert_eq!(place.read("other.mtx"), kept, "{threads} threads");
    }
}

#[test]
fn what_is_done_before_a_bad_update_stays() {
    let place = place();
    for (name, text) in [
        ("two.csv", "insert,1,81,1\ndelete,1,2\n"),
        ("three.csv", "insert,1,81,1\ndelete,1,2\ndelete,1,2\ndelete,2,3\n"),
        ("twice.csv", "insert,1,2,5\n"),
        ("zero.csv", "weight,1,2,0\n"),
        ("loop.csv", "insert,3,3,1\n"),
        ("short.csv", "insert,1,81,1\ninsert,1,80\n"),
        ("far.csv", "delete,1,82\n"),
    ] {
        std::fs::write(place.path().join(name), text).unwrap();
    }
    place.stdout("graph stream g.mtx two.csv -o two.mtx --quiet");
    for (name, words, written) in [
        ("three", "three.csv, line 3: there is no edge between 1 and 2; pass --upsert", true),
        (
            "twice",
            "twice.csv, line 1: the edge between 1 and 2 exists already; pass --upsert",
            true,
        ),
        ("zero", "zero.csv, line 1: the edge between 1 and 2 has weight 0; weights must be", true),
        ("loop", "loop.csv, line 1: an edge from 3 to itself", true),
        ("short", "short.csv, line 2: expected the ends of an edge and its weight, found 3", false),
        ("far", "far.csv, line 1: expected the name of a vertex, found `82`", false),
    ] {
        let line = format!("graph stream g.mtx {name}.csv -o {name}.mtx");
        let output = place.run(&line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(words), "{line}: {stderr}");
        assert_eq!(place.path().join(format!("{name}.mtx")).exists(), written, "{line}");
    }
    assert_eq!(place.read("three.mtx"), place.read("two.mtx"));
    place.stdout("graph stream g.mtx three.csv --upsert -o all.mtx --quiet");
    place.stdout("graph stream g.mtx twice.csv --upsert --graph twice.mtx --quiet");
    assert!(place.read("twice.mtx").contains("\n2 1 5\n"));
}

#[test]
fn what_does_not_fit() {
    let place = place();
    for (line, part) in [
        (
            "graph stream g.mtx updates.csv --share 2",
            "the share of edges kept must be a number from 0",
        ),
        ("graph stream g.mtx updates.csv --refresh=-1", "the refresh must be a number from 0"),
        ("graph stream g.mtx updates.csv --every 0", "--every"),
        ("graph stream g.mtx updates.csv --condition 0.5", "condition"),
        ("graph stream g.mtx g.mtx", "expected insert, delete or weight"),
        ("graph stream g.mtx", "<UPDATES>"),
        ("graph stream g.mtx missing.csv", "missing.csv"),
    ] {
        refused(&place, line, &[part]);
    }
}
