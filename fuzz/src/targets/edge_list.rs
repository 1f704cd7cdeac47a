//! Any bytes as an edge list: no panic, and what parses is written and read back to
//! the same labels and parents.

use palmette_core::NONE;
use palmette_io::{Format, ReadParams, read_tree_bytes, write_edges};

pub(crate) fn check(data: &[u8]) {
    let params = ReadParams { format: Some(Format::Edges), ..ReadParams::default() };
    let Ok(file) = read_tree_bytes("fuzz", data, &params) else { return };
    for v in 0..file.len() as u32 {
        let _ = file.line_of(v);
    }
    let mut text = Vec::new();
    write_edges(&mut text, &file.parents, &file.labels).expect("a vector takes all");
    let again = read_tree_bytes("again", &text, &params).expect("what is written can be read");
    assert_eq!(again.len(), file.len());
    for v in 0..file.len() as u32 {
        let w = again.vertex(&file.labels.get(v)).expect("every label is there");
        let (p, q) = (file.parents[v as usize], again.parents[w as usize]);
        assert_eq!(p == NONE, q == NONE);
        assert!(p == NONE || file.labels.get(p) == again.labels.get(q));
    }
}
