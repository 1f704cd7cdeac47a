//! Any bytes as values: no panic, and what parses is written and read back the same.

use palmette_io::{Cells, Labels, ValueType, read_values_bytes, write_table};

pub(crate) fn check(data: &[u8]) {
    for labels in [Labels::numbers(2), Labels::texts(["a", "b"]), Labels::integers(vec![7, 3, 5])] {
        for kind in [ValueType::I64, ValueType::U64, ValueType::F64, ValueType::F32] {
            let _ = read_values_bytes("fuzz", data, kind, Some(&"b".into()), &labels);
            let Ok(values) = read_values_bytes("fuzz", data, kind, None, &labels) else { continue };
            let mut text = Vec::new();
            write_table(
                &mut text,
                b',',
                &labels,
                &[("vertex", Cells::EachVertex), ("value", (&values).into())],
            )
            .expect("a vector takes all");
            let again = read_values_bytes("again", &text, kind, None, &labels)
                .expect("what is written can be read");
            assert_eq!(again, values);
        }
    }
}
