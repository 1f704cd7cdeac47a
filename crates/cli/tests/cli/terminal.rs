//! Nothing that a terminal acts on comes from names, labels or files, and little of a long one.

use crate::Place;

/// What a command that fails says when these words are added to it.
fn said(place: &Place, line: &str, added: &[&str]) -> String {
    let output = place.command(line).args(added).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}");
    String::from_utf8(output.stderr).unwrap()
}

/// Colours, a cleared screen, a deletion, a change of direction.
const ODD: &str = "a\u{1b}[31mb\u{9b}2J\u{7f}\u{202e}c";

#[test]
fn nothing_reaches_the_terminal_as_a_command() {
    let place = Place::new(&[]);
    let sizes = said(&place, "spatial sweep --program lca --sizes", &[&format!("{ODD}\nx")]);
    assert!(sizes.ends_with("found `a·[31mb·2J··c·x`\n"), "{sizes}");
    let name = said(&place, "tree info", &[&format!("{ODD}\nx.csv")]);
    assert!(name.starts_with("error: a·[31mb·2J··c·x.csv: cannot read"), "{name}");
    // The compiler shows lines of the program: their tabs stay.
    let text = format!("u =\tload(1) {ODD}\r\n");
    std::fs::write(place.path().join("p.pal"), text).unwrap();
    place.stdout("mesh generate triangles:2x2 -o m.msh -q");
    let shown = said(&place, "mesh run m.msh --program p.pal -o out", &[]);
    assert!(shown.contains("\n  u =\tload(1) a") && shown.contains("·c\n"), "{shown}");
    let acts = |c: char| c != '\n' && c != '\t' && (c.is_control() || c == '\u{202e}');
    assert!(!shown.contains(acts), "{shown:?}");
}

#[test]
fn labels_are_cut() {
    let place = Place::new(&[]);
    let sizes = |text: &str| said(&place, "spatial sweep --program lca --sizes", &[text]);
    let (whole, long) = ("ü".repeat(80), "ü".repeat(81));
    assert!(sizes(&whole).ends_with(&format!("found `{whole}`\n")));
    assert!(sizes(&long).ends_with(&format!("found `{whole}…`\n")));
    // A lone backquote quotes nothing.
    let lone = format!("it's a ` {long}.csv");
    let error = said(&place, "tree info", &[&lone]);
    assert!(error.starts_with(&format!("error: {lone}: cannot read")), "{error}");
    // A line has at most 2000 characters.
    let error = said(&place, "", &[&"x".repeat(3000)]);
    assert_eq!(error.chars().count(), "error: ".len() + 2000 + "…\n".chars().count());
}
