//! Words that `palmette` and `palmette-mpi` share.

use palmette::io::ColumnKey;
use palmette_vocabulary::{ValueSource, bytes, shown_bytes, typed};
use std::path::PathBuf;

#[test]
fn sources_are_told_apart_by_their_names() {
    let column = |name: &str| ValueSource::Column(ColumnKey::from(name));
    let file = |path: &str| ValueSource::File(PathBuf::from(path));
    for (text, source) in [
        ("ones", ValueSource::Ones),
        ("weight", column("weight")),
        ("3", ValueSource::Column(ColumnKey::Index(3))),
        ("column:length", column("length")),
        ("column:3", column("3")),
        ("w.csv", file("w.csv")),
        ("W.NPY", file("W.NPY")),
        ("data/w", file("data/w")),
        ("file:weight", file("weight")),
    ] {
        assert_eq!(ValueSource::parse(text), source, "{text}");
    }
}

#[test]
fn sizes_of_memory() {
    for (text, expected) in [
        ("1000", 1000),
        ("2k", 2048),
        ("1.5M", 3 << 19),
        ("8G", 8 << 30),
        ("8GiB", 8 << 30),
        ("1TB", 1 << 40),
    ] {
        assert_eq!(bytes(text), Ok(expected), "{text}");
    }
    for text in ["", "G", "-1", "0", "many", "nan", "1e30"] {
        assert!(bytes(text).is_err(), "{text}");
    }
}

#[test]
fn sizes_read_back() {
    for (bytes_, text) in [(0, "0"), (1000, "1000"), (8 << 30, "8.0G"), (3 << 19, "1.5M")] {
        assert_eq!(shown_bytes(bytes_), text);
    }
}

#[test]
fn lines_can_be_typed_again() {
    let words = "mesh map --json a.msh --record r.json -q --machine torus:8x8 --record=s";
    let line = typed("palmette", words.split(' '));
    assert_eq!(line, "palmette mesh map a.msh --machine torus:8x8");
    let line = typed("palmette", ["tree", "info", "it's here.nwk", "", "*.csv"]);
    assert_eq!(line, r"palmette tree info 'it'\''s here.nwk' '' '*.csv'");
}
