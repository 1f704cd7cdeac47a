//! Tests of labels.

use super::*;

#[test]
fn the_smallest_representation_is_taken() {
    assert!(matches!(Labels::texts(["5", "6", "7"]).kind, Kind::Range { start: 5, len: 3 }));
    assert!(matches!(Labels::texts(["5", "7", "-6"]).kind, Kind::Integers(_)));
    assert!(matches!(Labels::texts(["5", "07"]).kind, Kind::Text(_)));
}

#[test]
fn labels_are_found() {
    for labels in [
        Labels::texts(["5", "6", "7"]),
        Labels::texts(["5", "700000000000", "-6"]),
        Labels::texts(["5", "7", "-6"]),
        Labels::texts(["a", "7", "é", "07", "5"]),
    ] {
        for v in 0..labels.len() as u32 {
            assert_eq!(labels.find(&labels.get(v)), Lookup::Vertex(v));
        }
        assert_eq!(labels.find("nobody"), Lookup::Unknown);
        assert_eq!(labels.find("8"), Lookup::Unknown);
        assert_eq!(labels.find("#1"), Lookup::Unknown);
        assert!(labels.are_unique());
    }
}

#[test]
fn shared_and_missing_labels() {
    let labels = Labels::texts(["a", "", "0.9", "0.9", ""]);
    assert_eq!(labels.find("0.9"), Lookup::Ambiguous(2, 3));
    assert_eq!(labels.get(4), "#4");
    assert_eq!(labels.find("#4"), Lookup::Vertex(4));
    assert_eq!(labels.find("#0"), Lookup::Unknown);
    assert_eq!(labels.find(""), Lookup::Unknown);
    assert!(!labels.are_unique() && !labels.are_names());
    // A shared label is not a name, and affects no other label.
    assert_eq!(
        (labels.get(0), labels.get(2), labels.get(3)),
        ("a".into(), "#2".into(), "#3".into())
    );
    assert_eq!((labels.label(2), labels.label(4)), ("0.9".into(), "".into()));
    assert_eq!(labels.find("#3"), Lookup::Vertex(3));
    let numbers = Labels::integers(vec![4, 9, 4]);
    assert_eq!(numbers.find("4"), Lookup::Ambiguous(0, 2));
    assert_eq!(
        (numbers.get(0), numbers.get(1), numbers.find("#2")),
        ("#0".into(), "9".into(), Lookup::Vertex(2))
    );
}

#[test]
fn names_are_unique_whatever_labels_are() {
    let labels = Labels::texts(["#1", "", "#0", "a", "a", "#9"]);
    let names: Vec<_> = (0..6).map(|v| labels.get(v).into_owned()).collect();
    assert_eq!(names, ["#0", "#1", "#2", "#3", "#4", "#5"]);
    for v in 0..6 {
        assert_eq!(labels.find(&labels.get(v)), Lookup::Vertex(v));
    }
    assert_eq!(labels.find("#9"), Lookup::Vertex(5));
    // Where no vertex is called by its number, a number after `#` is a label like others.
    let labels = Labels::texts(["#1", "a"]);
    assert_eq!((labels.get(0), labels.find("#1")), ("#1".into(), Lookup::Vertex(0)));
}

#[test]
fn ids_are_names_beside_labels() {
    let mut texts = Texts::default();
    ["cat", "", "cat", "dog"].iter().for_each(|text| texts.push(text));
    let labels = Labels::integers(vec![10, 11, 12, 14]).with_captions(texts);
    assert_eq!((labels.get(0), labels.label(0)), ("10".into(), "cat".into()));
    assert_eq!((labels.find("12"), labels.find("dog")), (Lookup::Vertex(2), Lookup::Vertex(3)));
    assert_eq!(labels.find("cat"), Lookup::Ambiguous(0, 2));
    assert!(labels.are_unique() && labels.have_ids() && !labels.is_labelled(1));
    assert_eq!(labels.clone(), labels);
}

#[test]
fn one_name_is_found_without_an_index() {
    let lists: [&[&str]; 5] =
        [&["a", "b"], &["a", "", "a"], &["#1", "b"], &["#1", "", "x"], &["7", "b", "7", "#0"]];
    for list in lists {
        let (alone, all) = (Labels::texts(list), Labels::texts(list));
        for v in 0..list.len() as u32 {
            assert_eq!(Labels::texts(list).get_alone(v), all.get(v), "{list:?} {v}");
            assert_eq!(alone.get_alone(v), all.get(v), "{list:?} {v}");
        }
    }
}
