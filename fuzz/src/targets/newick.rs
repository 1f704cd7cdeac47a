//! Any bytes as Newick: no panic, and what parses is written and read back the same.

use palmette_core::TreeParams;
use palmette_io::{
    AnnotationStyle, Format, ReadParams, TreeChoice, TreeFile, read_tree_bytes, write_tree,
};

pub(crate) fn check(data: &[u8]) {
    both_ways(Format::Newick, data);
}

/// Reads a file of trees, writes it as Newick and NEXUS, and reads these.
pub(crate) fn both_ways(format: Format, data: &[u8]) {
    let params = ReadParams {
        format: Some(format),
        lengths: true,
        missing_length: Some(0.0),
        annotations: true,
        tree: TreeChoice::All,
        ..ReadParams::default()
    };
    let bare = ReadParams { lengths: false, labels: false, annotations: false, ..params.clone() };
    let shape = read_tree_bytes("fuzz", data, &bare);
    let Ok(file) = read_tree_bytes("fuzz", data, &params) else { return };
    assert_eq!(shape.expect("what parses with lengths parses without").parents, file.parents);
    let tree = file
        .tree(TreeParams { forest: true, ..TreeParams::default() })
        .expect("nested trees are acyclic");
    assert_eq!(tree.parents(), file.parents, "vertices are in preorder");
    for format in [Format::Newick, Format::Nexus] {
        let (mut text, mut whole) = (Vec::new(), true);
        if write_tree(&mut text, format, &tree, &file.parts(), AnnotationStyle::Beast).is_err() {
            // Keys and texts that comments cannot hold.
            text.clear();
            whole = false;
            write_tree(&mut text, format, &tree, &file.parts(), AnnotationStyle::None)
                .expect("a vector takes all");
        }
        let params = ReadParams { format: Some(format), ..params.clone() };
        let again = read_tree_bytes("again", &text, &params).expect("what is written can be read");
        compare(&again, &file, whole);
    }
}

fn compare(again: &TreeFile, file: &TreeFile, whole: bool) {
    assert_eq!(again.parents, file.parents);
    assert_eq!(again.labels, file.labels);
    let zeros = vec![0.0; file.len()];
    assert_eq!(again.lengths.as_ref().unwrap_or(&zeros), file.lengths.as_ref().unwrap_or(&zeros));
    // A key `support` that is none is written beside one that is.
    if whole && file.annotations.iter().all(|one| one.name != "support") {
        let sorted = |file: &TreeFile| {
            let mut all = file.annotations.clone();
            all.sort_by(|a, b| a.name.cmp(&b.name));
            all
        };
        assert_eq!(sorted(again), sorted(file));
        let bits = |file: &TreeFile| {
            file.support.as_ref().map(|all| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
        };
        assert_eq!(bits(again), bits(file));
    }
}
