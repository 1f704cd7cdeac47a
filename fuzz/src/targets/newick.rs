//! Any bytes as Newick: no panic, and what parses is written and read back the same.

use palmette_core::TreeParams;
use palmette_io::{Format, ReadParams, TreeChoice, read_tree_bytes, write_newick};

pub(crate) fn check(data: &[u8]) {
    let params = ReadParams {
        format: Some(Format::Newick),
        lengths: true,
        missing_length: Some(0.0),
        tree: TreeChoice::All,
        ..ReadParams::default()
    };
    let bare = ReadParams { lengths: false, labels: false, ..params.clone() };
    let shape = read_tree_bytes("fuzz", data, &bare);
    let Ok(file) = read_tree_bytes("fuzz", data, &params) else { return };
    assert_eq!(shape.expect("what parses with lengths parses without").parents, file.parents);
    let tree =
        file.tree(TreeParams { forest: true, ..TreeParams::default() }).expect("Newick is acyclic");
    assert_eq!(tree.parents(), file.parents, "vertices are in preorder");
    let mut text = Vec::new();
    write_newick(&mut text, &tree, &file.labels, file.lengths.as_deref())
        .expect("a vector takes all");
    let again = read_tree_bytes("again", &text, &params).expect("what is written can be read");
    assert_eq!(again.parents, file.parents);
    assert_eq!(again.labels, file.labels);
    let zeros = vec![0.0; file.len()];
    assert_eq!(again.lengths.as_ref().unwrap_or(&zeros), file.lengths.as_ref().unwrap_or(&zeros));
}
