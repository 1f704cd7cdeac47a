//! Comparing trees, measures, clocks.

use crate::{Place, refused};
use serde_json::Value;

fn place() -> Place {
    Place::new(&[
        ("a.nwk", b"((a:1,b:1)x:0.5,c:0.25,d:1);"),
        ("b.nwk", b"(((a:1,b:1):0.5,c:0.25):0.125,d:0.875);"),
        ("other.nwk", b"((a:1,c:1):0.5,b:0.25,e:1);"),
        ("three.nwk", b"((a,b),c,(d,e));((a,b),d,(c,e));((a,b),(c,(d,e)));"),
        ("rooted.nwk", b"[&R] ((a,b),(c,d));[&R] (((a,b),c),d);"),
        ("mixed.nwk", b"[&R] ((a,b),(c,d));[&U] (((a,b),c),d);"),
        ("dates.csv", b"name,date\na,2001\nb,2001\nc,2000\nd,2000.5\n"),
    ])
}

fn result(place: &Place, line: &str) -> Value {
    let text = place.stdout(&format!("{line} --json"));
    let record: Value = serde_json::from_str(&text).expect("a record");
    record["result"].clone()
}

#[test]
fn a_tip_at_a_binary_root_changes_nothing() {
    let result = result(&place(), "tree compare a.nwk b.nwk");
    assert_eq!(
        (&result["rf"], &result["wrf"], &result["kf"]),
        (&0.into(), &0.0.into(), &0.0.into())
    );
    assert_eq!(result["shared_splits"], 1);
}

#[test]
fn other_tips_are_named_and_counted() {
    let place = place();
    let parts = ["lacks 1 tip of a.nwk: d; it has 1 tip that a.nwk lacks: e", "--shared"];
    refused(&place, "tree compare a.nwk other.nwk", &parts);
    let found = result(&place, "tree compare a.nwk other.nwk --shared");
    assert_eq!((&found["tips"], &found["rf"]), (&3.into(), &0.into()));
}

#[test]
fn many_trees() {
    let place = place();
    assert_eq!(
        place.stdout("tree compare three.nwk --matrix"),
        ",0,1,2\n0,0,2,0\n1,2,0,2\n2,0,2,0\n"
    );
    assert_eq!(
        place.stdout("tree compare three.nwk --consensus majority"),
        "(a,b,(c,(d,e)66.67)100);\n"
    );
    assert_eq!(place.stdout("tree compare three.nwk --consensus strict"), "(a,b,(c,d,e)100);\n");
}

#[test]
fn quartets() {
    let place = place();
    let found = result(&place, "tree compare a.nwk other.nwk --shared --quartets");
    assert_eq!((&found["quartet"], &found["quartets"]), (&0.into(), &0.into()));
    // ab|cd, ab|ce, ab|de, ac|de, bc|de against ab|cd, ab|ce, ab|de, ad|ce, bd|ce.
    let matrix = place.stdout("tree compare three.nwk --matrix --distance quartet");
    assert_eq!(matrix, ",0,1,2\n0,0,2,0\n1,2,0,2\n2,0,2,0\n");
    refused(&place, "tree compare three.nwk --matrix --quartets", &["--quartets"]);
}

#[test]
fn files_say_whether_trees_are_rooted() {
    let place = place();
    let rf = |line: &str| {
        let found = place.run(&format!("tree compare {line} --json"));
        let record: Value = serde_json::from_slice(&found.stdout).expect("a record");
        let notes = String::from_utf8_lossy(&found.stderr).into_owned();
        (record["result"]["rf"].clone(), record["parameters"]["rooting"].clone(), notes)
    };
    let (rooted, how, notes) = rf("rooted.nwk");
    assert_eq!((rooted, how), (2.into(), "rooted".into()));
    assert!(notes.contains("all trees are rooted") && notes.contains("--unrooted"), "{notes}");
    let (unrooted, how, notes) = rf("rooted.nwk --unrooted");
    assert_eq!((unrooted, how, &notes[..]), (0.into(), "unrooted".into(), ""));
    let (mixed, how, notes) = rf("mixed.nwk");
    assert_eq!((mixed, how), (0.into(), "unrooted".into()));
    assert!(notes.contains("but not all"), "{notes}");
}

#[test]
fn a_matrix_is_drawn() {
    let place = place();
    place.stdout("tree compare three.nwk --matrix -o rf.csv --svg rf.svg");
    assert!(place.read("rf.svg").contains("Robinson–Foulds distance"));
    refused(&place, "tree compare a.nwk b.nwk --svg rf2.svg", &["--matrix"]);
}

#[test]
fn distances_of_tips() {
    assert_eq!(
        place().stdout("tree distance a.nwk --matrix --of d,a,b"),
        ",d,a,b\nd,0,2.5,2.5\na,2.5,0,2\nb,2.5,2,0\n"
    );
}

#[test]
fn clocks_and_measures() {
    let place = place();
    assert_eq!(result(&place, "tree clock a.nwk --dates dates.csv")["dated"], 4);
    let found = result(&place, "tree measures b.nwk");
    assert_eq!((&found["sackin"], &found["colless"]), (&9.into(), &3.into()));
    assert!(result(&place, "tree measures a.nwk").get("colless").is_none());
}
