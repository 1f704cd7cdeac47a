//! Any bytes as pairs, sets and updates: no panic, and what parses is written and read back
//! the same.

use palmette_io::{
    Cells, Labels, read_pairs_bytes, read_sets_bytes, read_updates_bytes, write_table,
};

pub(crate) fn check(data: &[u8]) {
    for labels in [
        Labels::numbers(9),
        Labels::texts(["a", "b", "", "b", "u", "\"\n"]),
        Labels::integers(vec![7, 3, 5]),
    ] {
        let _ = read_sets_bytes("fuzz", data, &labels);
        let _ = read_updates_bytes("fuzz", data, &labels);
        let Ok(pairs) = read_pairs_bytes("fuzz", data, &labels) else { continue };
        let (first, second): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
        let columns = [("left", Cells::Vertices(&first)), ("right", Cells::Vertices(&second))];
        let mut text = Vec::new();
        write_table(&mut text, b',', &labels, &columns).expect("a vector takes all");
        assert_eq!(
            read_pairs_bytes("again", &text, &labels).expect("what is written can be read"),
            pairs
        );
    }
}
