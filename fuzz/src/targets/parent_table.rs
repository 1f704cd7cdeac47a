//! Any bytes as a parent table: no panic, and what parses is written and read back
//! the same.

use palmette_core::TreeParams;
use palmette_io::{Format, ReadParams, ValueType, read_tree_bytes, write_parent_table};

pub(crate) fn check(data: &[u8]) {
    let plain = ReadParams { format: Some(Format::Csv), lengths: true, ..ReadParams::default() };
    let wide = ReadParams {
        columns: vec![(2.into(), ValueType::F64.into())],
        self_root: true,
        ..plain.clone()
    };
    for params in [plain, wide] {
        let Ok(file) = read_tree_bytes("fuzz", data, &params) else { continue };
        // Cycles are errors, not panics.
        let _ = file.tree(TreeParams { forest: true, ..TreeParams::default() });
        for v in 0..file.len() as u32 {
            let _ = file.line_of(v);
        }
        let mut text = Vec::new();
        // A column named like the vertex or the parent would be taken for it.
        let columns: Vec<_> = file
            .columns
            .iter()
            .map(|c| palmette_io::Column { name: "w".into(), values: c.values.clone() })
            .collect();
        write_parent_table(
            &mut text,
            b',',
            &file.parents,
            &file.labels,
            file.lengths.as_deref(),
            &columns,
        )
        .expect("a vector takes all");
        let columns_again = columns.iter().map(|_| ("w".into(), ValueType::F64.into())).collect();
        let params = ReadParams { columns: columns_again, self_root: false, ..params };
        let again = read_tree_bytes("again", &text, &params).expect("what is written can be read");
        assert_eq!(again.parents, file.parents);
        assert_eq!(again.labels, file.labels);
        assert_eq!(again.lengths, file.lengths);
        assert_eq!(again.columns, columns);
    }
}
