//! Any bytes as Parquet and as Arrow: no panic, and what parses is written and read back the same.

use palmette_core::TreeParams;
use palmette_io::{
    Format, Labels, ReadParams, ValueType, read_pairs_bytes, read_tree_bytes, read_values_bytes,
    write_parent_columns,
};

pub(crate) fn check(data: &[u8]) {
    let labels = Labels::texts(["a", "b", "c"]);
    let _ = read_pairs_bytes("fuzz", data, &labels);
    for kind in [ValueType::I64, ValueType::U64, ValueType::F64, ValueType::F32] {
        let _ = read_values_bytes("fuzz", data, kind, None, &labels);
    }
    for format in [Format::Parquet, Format::Arrow] {
        let params = ReadParams {
            format: Some(format),
            lengths: true,
            self_root: true,
            ..Default::default()
        };
        let Ok(file) = read_tree_bytes("fuzz", data, &params) else { continue };
        let _ = file.tree(TreeParams { forest: true, ..TreeParams::default() });
        let mut bytes = Vec::new();
        let lengths = file.lengths.as_deref();
        write_parent_columns(&mut bytes, format, &file.parents, &file.labels, lengths, &[])
            .expect("a vector takes all");
        let again = read_tree_bytes("again", &bytes, &params).expect("what is written can be read");
        assert_eq!((again.parents, again.labels), (file.parents, file.labels));
    }
}
