//! Parquet and Arrow: what is written reads back the same, and what is wrong is named. Files of other
//! libraries are read by the tests of crates/python.

use palmette_core::{NONE, TreeParams};
use palmette_io::{
    Cells, Column, ColumnKey, Format, Labels, Number, ReadParams, ValueParams, ValueSlice,
    ValueType, Values, read_pairs_bytes, read_tree_bytes, read_values_bytes, read_values_with,
    write_columns, write_parent_columns,
};
use proptest::prelude::*;

const FORMATS: [Format; 2] = [Format::Parquet, Format::Arrow];

fn written(
    format: Format,
    parents: &[u32],
    labels: &Labels,
    lengths: Option<&[f64]>,
    columns: &[Column],
) -> Vec<u8> {
    let mut out = Vec::new();
    write_parent_columns(&mut out, format, parents, labels, lengths, columns).unwrap();
    out
}

fn table(format: Format, labels: &Labels, columns: &[(&str, Cells<'_>)]) -> Vec<u8> {
    let mut out = Vec::new();
    write_columns(&mut out, format, labels, columns).unwrap();
    out
}

fn path(n: u32) -> Vec<u32> {
    (0..n).map(|v| if v == 0 { NONE } else { v - 1 }).collect()
}

/// More rows than a page and a group have, so that all are joined in order.
#[test]
fn many_pages_and_groups() {
    let n = (1 << 20) + (1 << 16) + 77;
    let parents: Vec<u32> = (0..n).map(|v| if v == 0 { NONE } else { v / 3 }).collect();
    let numbers = Labels::integers((0..i64::from(n)).map(|v| 7 * v - 1000).collect());
    let texts = Labels::texts((0..n).map(|v| format!("v{}", v % 1000 + 1000 * (v / 1000))));
    let single = (0..n).map(|v| v as f32 / 3.0).collect();
    let columns = [Column { name: "f32".into(), values: Values::F32(single) }];
    for format in FORMATS {
        for labels in [&numbers, &texts] {
            let bytes = written(format, &parents, labels, None, &columns);
            let asked = vec![(ColumnKey::from("f32"), ValueType::F32.into())];
            let params = ReadParams { columns: asked, ..ReadParams::default() };
            // Known by its content, whatever it is called.
            let file = read_tree_bytes("t", &bytes, &params).unwrap();
            assert!(file.parents == parents && file.labels == *labels);
            assert!(file.columns[..] == columns[..]);
        }
    }
}

proptest! {
    #[test]
    fn tables(
        rows in prop::collection::vec((any::<u32>(), "[a-zé\\n ]{1,14}", any::<i64>(), any::<f64>()), 1..60),
        numbers in any::<bool>(),
        format in prop::sample::select(FORMATS.to_vec()),
    ) {
        let n = rows.len() as u32;
        let parents: Vec<u32> =
            (0..n).map(|v| { let above = rows[v as usize].0 % (v + 1); if above == v { NONE } else { above } }).collect();
        let labels = match numbers {
            true => Labels::integers((0..i64::from(n)).map(|v| (v * 37) % 64 - 20).collect()),
            false => Labels::texts(rows.iter().enumerate().map(|(v, row)| format!("{}{v}", row.1))),
        };
        let lengths: Vec<f64> = rows.iter().map(|row| if row.3.is_nan() { 0.5 } else { row.3 }).collect();
        let columns = [
            Column { name: "a b".into(), values: Values::I64(rows.iter().map(|row| row.2).collect()) },
            Column { name: "".into(), values: Values::U64(rows.iter().map(|row| row.2 as u64).collect()) },
        ];
        let bytes = written(format, &parents, &labels, Some(&lengths), &columns);
        let asked = columns.iter().map(|c| (c.name.as_str().into(), c.values.value_type().into()));
        let params = ReadParams { lengths: true, columns: asked.collect(), ..ReadParams::default() };
        let file = read_tree_bytes("t", &bytes, &params).unwrap();
        prop_assert_eq!(&file.parents, &parents);
        prop_assert_eq!(&file.labels, &labels);
        prop_assert_eq!(file.lengths.as_ref(), Some(&lengths));
        prop_assert_eq!(&file.columns[..], &columns[..]);
        // Cut off anywhere, it is an error and never a panic.
        let cut = bytes.len() * rows[0].0 as usize % bytes.len();
        prop_assert!(read_tree_bytes("t.parquet", &bytes[..cut], &params).is_err());
    }

    /// Bytes that are wrong may go unnoticed, but nothing panics.
    #[test]
    fn damage(places in prop::collection::vec((any::<u32>(), any::<u8>()), 1..8), format in prop::sample::select(FORMATS.to_vec())) {
        let labels = Labels::texts((0..50).map(|v| format!("label {v}")));
        let mut bytes = written(format, &path(50), &labels, None, &[]);
        for (at, byte) in places {
            let at = at as usize % bytes.len();
            bytes[at] = byte;
        }
        let params = ReadParams { format: Some(format), ..ReadParams::default() };
        let _ = read_tree_bytes("t", &bytes, &params);
        let _ = read_values_bytes("v", &bytes, ValueType::F64, None, &labels);
    }
}

/// Labels that vertices lack or share come back as in a text.
#[test]
fn names_and_labels() {
    let labels = Labels::texts(["", "0.9", "0.9", "a"]);
    for format in FORMATS {
        let bytes = written(format, &[NONE, 0, 0, 1], &labels, None, &[]);
        let file = read_tree_bytes("t", &bytes, &ReadParams::default()).unwrap();
        for v in 0..4 {
            assert_eq!(file.labels.get(v), labels.get(v));
            assert_eq!(file.labels.label(v), labels.label(v));
        }
    }
}

#[test]
fn values_and_pairs() {
    let labels = Labels::texts(["a", "b", "c"]);
    let sums = Values::F64(vec![1.5, 2.5, 3.5]);
    for format in FORMATS {
        let columns = [("vertex", Cells::EachVertex), ("sum", Cells::from(&sums))];
        let bytes = table(format, &labels, &columns);
        assert_eq!(read_values_bytes("v", &bytes, ValueType::F64, None, &labels).unwrap(), sums);
        // In another order.
        let other = Labels::texts(["c", "a", "b"]);
        let found = read_values_bytes("v", &bytes, ValueType::F64, None, &other).unwrap();
        assert_eq!(found, Values::F64(vec![3.5, 1.5, 2.5]));
        // Some vertices have none, or null.
        let more = Labels::texts(["c", "a", "b", "d", "e"]);
        let error = read_values_bytes("v", &bytes, ValueType::F64, None, &more).unwrap_err();
        assert_eq!(error.to_string(), "v: no value for 2 of 5 vertices: `d`, `e`");
        let some = [true, false, true];
        let numbers = Cells::Numbers(ValueSlice::I64(&[7, 8, 9]));
        let columns = [("vertex", Cells::EachVertex), ("n", Cells::Where(&some, &numbers))];
        let bytes = table(format, &labels, &columns);
        let error = read_values_bytes("v", &bytes, ValueType::I64, None, &labels).unwrap_err();
        let text = "v, row 1: expected an integer that i64 holds in column `n`, found null";
        assert_eq!(error.to_string(), text);
        let params = ValueParams {
            number: ValueType::I64.into(),
            column: None,
            missing: Some("-1"),
            limit: Default::default(),
        };
        let found = read_values_with("v", &bytes, &params, &more).unwrap();
        assert_eq!(found, Values::I64(vec![9, 7, -1, -1, -1]));
        // One column goes by vertex.
        let bytes = table(format, &labels, &[("n", numbers)]);
        let found = read_values_bytes("v", &bytes, ValueType::F32, None, &labels).unwrap();
        assert_eq!(found, Values::F32(vec![7.0, 8.0, 9.0]));
        let bytes = table(
            format,
            &labels,
            &[
                ("u", Cells::Vertices(&[0, 1])),
                ("v", Cells::Vertices(&[2, 0])),
                ("lca", Cells::Vertices(&[NONE, 0])),
            ],
        );
        assert_eq!(read_pairs_bytes("p", &bytes, &labels).unwrap(), [(0, 2), (1, 0)]);
        let few = Labels::texts(["a", "b"]);
        let error = read_pairs_bytes("p", &bytes, &few).unwrap_err().to_string();
        let text =
            "p, row 0: expected the name of a vertex in column `v`, found `c`, which no vertex has";
        assert_eq!(error, text);
    }
}

/// Columns, those that are asked for, and what is said of them.
type Case<'a> = (&'a [(&'a str, Cells<'a>)], &'a [(&'a str, Number)], &'a str);

/// One message each, with the row and the column.
#[test]
fn what_is_wrong_is_named() {
    let texts = Labels::texts(["a", "b", "c"]);
    let each = ("id", Cells::EachVertex);
    let read = |format: Format, columns: &[(&str, Cells<'_>)], asked: &[(&str, Number)]| {
        let bytes = table(format, &texts, columns);
        let columns = asked.iter().map(|(name, number)| ((*name).into(), *number)).collect();
        let params = ReadParams { columns, ..ReadParams::default() };
        let file = read_tree_bytes("t", &bytes, &params);
        file.and_then(|file| file.tree(TreeParams::default())).unwrap_err().to_string()
    };
    let numbers = Cells::Numbers(ValueSlice::I64(&[1, 2, 3]));
    let again = Cells::Vertices(&[0, 1, 0]);
    let parent = ("parent", Cells::Vertices(&[NONE, 0, 1]));
    let cycle = ("parent", Cells::Vertices(&[NONE, 2, 1]));
    let own = ("parent", Cells::Vertices(&[NONE, 1, 1]));
    let reals = Cells::Numbers(ValueSlice::F64(&[1.0, f64::NAN, 3.0]));
    let f64s: Number = ValueType::F64.into();
    for format in FORMATS {
        let cases: [Case<'_>; 12] = [
            (
                &[("id", again), parent],
                &[],
                "t, row 2: expected a name of its own (row 0 already has it), found `a` again",
            ),
            (
                &[("id", Cells::Vertices(&[0, NONE, 1])), parent],
                &[],
                "t, row 1: expected the name of a vertex in column `id`, found null",
            ),
            (
                &[each, ("parent", numbers)],
                &[],
                "t: expected text in column `parent`, as in column `id`, found int64",
            ),
            (
                &[("id", numbers), parent],
                &[],
                "t: expected integers in column `parent`, as in column `id`, found text",
            ),
            (
                &[("id", reals), ("parent", numbers)],
                &[],
                "t: expected integers or text in column `id`, found float64",
            ),
            (
                &[("id", numbers), ("parent", Cells::Numbers(ValueSlice::I64(&[-1, 1, 9])))],
                &[],
                "t, row 2: expected the name of a parent, or null for a root, in column `parent`, \
             found `9`, which no row has in column `id`",
            ),
            (&[each, cycle], &[], "t: the parents form a cycle of 2 vertices: b → c → b"),
            (&[each, own], &[], "t: `b` (row 1) is its own parent"),
            (
                &[each, parent, ("x", reals)],
                &[("x", f64s)],
                "t, row 1: expected a number (not NaN) in column `x`, found NaN",
            ),
            (
                &[each, parent, ("x", numbers)],
                &[("mass", f64s)],
                "t: expected a column `mass`, found the 3 columns id, parent, x",
            ),
            (
                &[each, parent, ("x", again)],
                &[("x", f64s)],
                "t: expected a number (not NaN) in column `x`, found text",
            ),
            (
                &[each],
                &[],
                "t: expected columns for a vertex and its parent, found only the column id",
            ),
        ];
        for (columns, asked, message) in cases {
            assert_eq!(read(format, columns, asked), message, "{format}");
        }
        let roots = ("parent", Cells::Vertices(&[NONE, NONE, 1]));
        let text = "t: expected one root, found 2: `a` and `b` (row 1) have no parent";
        assert_eq!(read(format, &[each, roots], &[]), text);
    }
}

/// Two rows with integers for ids, parents of the type `null`, and columns of types that no tree has.
const TYPES: [(&str, &[u8]); 2] = [
    ("types.parquet", include_bytes!("../data/types.parquet")),
    ("types.arrow", include_bytes!("../data/types.arrow")),
];

/// What libraries write where no row has a parent.
#[test]
fn a_column_without_a_type_has_no_parents() {
    for (name, bytes) in TYPES {
        let file = read_tree_bytes(name, bytes, &ReadParams::default()).unwrap();
        assert_eq!((file.parents, file.labels.get(1)), (vec![NONE; 2], "8".into()), "{name}");
        // It has no values either, unless something stands for them.
        let columns = vec![(ColumnKey::from("parent"), ValueType::I64.into())];
        let params = ReadParams { columns, ..ReadParams::default() };
        let error = read_tree_bytes(name, bytes, &params).unwrap_err().to_string();
        let found = "row 0: expected an integer that i64 holds in column `parent`, found null";
        assert_eq!(error, format!("{name}, {found}"));
        let params = ReadParams { missing_value: Some("3".to_string()), ..params };
        let file = read_tree_bytes(name, bytes, &params).unwrap();
        assert_eq!(file.columns[0].values, Values::I64(vec![3, 3]));
    }
}

#[test]
fn types_that_no_tree_has_are_named() {
    for (name, bytes) in TYPES {
        let read = |column: &str| {
            let columns = vec![(ColumnKey::from(column), ValueType::F64.into())];
            let params = ReadParams { columns, ..ReadParams::default() };
            read_tree_bytes(name, bytes, &params)
        };
        for kind in ["decimal", "date", "time", "timestamp", "bool", "binary", "float16"] {
            let wanted = format!("expected a number (not NaN) in column `{kind}`, found {kind}");
            let error = read(kind).map(|_| ()).expect_err("it is refused").to_string();
            assert_eq!(error, format!("{name}: {wanted}"));
        }
        for kind in ["list", "struct"] {
            let error = read(kind).map(|_| ()).expect_err("it is refused").to_string();
            let wanted = format!("in column `{kind}`, found a nested type");
            assert!(error.contains(&wanted), "{name}: {error}");
        }
        assert_eq!(read("half").unwrap().columns[0].values, Values::F64(vec![1.5, 2.5]));
    }
}

#[test]
fn files_that_are_not_what_they_say() {
    let text = |name: &str, bytes: &[u8]| {
        read_tree_bytes(name, bytes, &ReadParams::default()).unwrap_err().to_string()
    };
    let bytes = written(Format::Parquet, &path(9), &Labels::numbers(9), None, &[]);
    let cut = bytes.len() - 3;
    assert_eq!(
        text("t.parquet", &bytes[..cut]),
        format!(
            "t.parquet, byte {cut}: expected the footer of a Parquet file (PAR1 at its end), \
                 found damaged or truncated data"
        )
    );
    let other = "t.parquet, byte 0: expected a Parquet file (PAR1), found other bytes";
    assert_eq!(text("t.parquet", b"id,parent\na,\n"), other);
    let other = "t.arrow, byte 0: expected an Arrow file (ARROW1) or stream, found other bytes";
    assert_eq!(text("t.arrow", b"id,parent\na,\n"), other);
    let old = "t.feather, byte 0: expected Arrow IPC (Feather version 2), found Feather version 1";
    assert_eq!(text("t.feather", b"FEA1...."), old);
}
