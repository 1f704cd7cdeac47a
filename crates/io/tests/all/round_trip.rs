//! What is written reads back the same, in every format and with strange labels.

use palmette_core::{NONE, Tree, TreeParams};
use palmette_io::{
    Cells, Column, Format, Labels, Lookup, Output, ReadParams, TreeChoice, ValueSlice, ValueType,
    Values, read_pairs_bytes, read_sets_bytes, read_tree, read_tree_bytes, read_values_bytes,
    write_edges, write_newick, write_npy_parents, write_npy_values, write_parent_table,
    write_table,
};
use proptest::prelude::*;
use std::path::Path;

/// A forest with unique labels: a third plain, a third numbers, a third anything.
fn forest() -> impl Strategy<Value = (Vec<u32>, Vec<String>)> {
    let label = prop_oneof![
        "[a-z]{1,3}",
        "-?[0-9]{1,4}",
        "[ -~\\n\\r\\t'\",;|#%_()\\[\\]:é\u{feff}]{1,6}",
        Just("NA".to_string()),
        Just("id".to_string()),
    ];
    let tree = prop::collection::vec((any::<u32>(), label), 1..40);
    (tree, any::<bool>()).prop_map(|(rows, shuffled)| {
        let n = rows.len() as u32;
        let mut seen = std::collections::HashSet::new();
        let labels: Vec<String> =
            rows.iter()
                .enumerate()
                .map(|(v, (_, label))| {
                    if seen.insert(label.clone()) { label.clone() } else { format!("{label}~{v}") }
                })
                .collect();
        let place = |v: u32| if shuffled { n - 1 - v } else { v };
        let mut parents = vec![NONE; rows.len()];
        for (v, (random, _)) in rows.iter().enumerate() {
            let above = random % (v as u32 + 1);
            parents[place(v as u32) as usize] = if above == v as u32 { NONE } else { place(above) };
        }
        (parents, labels)
    })
}

fn params(format: Format) -> ReadParams {
    ReadParams {
        format: Some(format),
        lengths: true,
        tree: TreeChoice::All,
        ..ReadParams::default()
    }
}

proptest! {
    #[test]
    fn tables((parents, texts) in forest(), separator in prop::sample::select(vec![b',', b'\t', b';'])) {
        let labels = Labels::texts(&texts);
        let n = parents.len();
        let lengths: Vec<f64> = (0..n).map(|v| (v as f64).sqrt() - 1.0).collect();
        let columns = [
            Column { name: "a b".into(), values: Values::I64((0..n as i64).map(|v| -v).collect()) },
            Column { name: "c,\"d".into(), values: Values::F32((0..n).map(|v| v as f32 / 3.0).collect()) },
        ];
        let mut text = Vec::new();
        write_parent_table(&mut text, separator, &parents, &labels, Some(&lengths), &columns).unwrap();
        let mut asked = params(Format::Csv);
        asked.columns = columns.iter().map(|c| (c.name.as_str().into(), c.values.value_type().into())).collect();
        let file = read_tree_bytes("t", &text, &asked).unwrap();
        prop_assert_eq!(&file.parents, &parents);
        prop_assert_eq!(&file.labels, &labels);
        prop_assert_eq!(file.lengths.unwrap(), lengths);
        prop_assert_eq!(&file.columns[..], &columns[..]);
        for (v, label) in texts.iter().enumerate() {
            prop_assert_eq!(labels.find(label), Lookup::Vertex(v as u32));
        }
    }

    #[test]
    fn newick((parents, texts) in forest()) {
        let labels = Labels::texts(&texts);
        let tree = Tree::with_params(&parents, TreeParams { forest: true, ..TreeParams::default() }).unwrap();
        let lengths: Vec<f64> = (0..parents.len()).map(|v| (v as f64 + 1.0).ln() + 1e-9).collect();
        let mut text = Vec::new();
        write_newick(&mut text, &tree, &labels, Some(&lengths)).unwrap();
        let file = read_tree_bytes("t", &text, &params(Format::Newick)).unwrap();
        prop_assert_eq!(&file.parents[..], tree.parents());
        prop_assert_eq!(file.lengths.unwrap(), tree.to_positions(&lengths).unwrap());
        for (position, &v) in tree.vertices().iter().enumerate() {
            prop_assert_eq!(file.labels.get(position as u32), &texts[v as usize][..]);
        }
    }

    #[test]
    fn edges((parents, texts) in forest()) {
        let labels = Labels::texts(&texts);
        let mut text = Vec::new();
        write_edges(&mut text, &parents, &labels).unwrap();
        let file = read_tree_bytes("t", &text, &params(Format::Edges)).unwrap();
        prop_assert_eq!(file.len(), texts.len());
        for (v, text) in texts.iter().enumerate() {
            let w = file.vertex(text).unwrap();
            let parent = file.parents[w as usize];
            let name = (parent != NONE).then(|| file.labels.get(parent).into_owned());
            prop_assert_eq!(name, (parents[v] != NONE).then(|| texts[parents[v] as usize].clone()));
        }
    }

    #[test]
    fn arrays((parents, _) in forest(), values in prop::collection::vec(any::<i64>(), 1..20)) {
        let mut bytes = Vec::new();
        write_npy_parents(&mut bytes, &parents).unwrap();
        prop_assert_eq!(read_tree_bytes("t.npy", &bytes, &ReadParams::default()).unwrap().parents, parents);
        let values = Values::I64(values);
        bytes.clear();
        write_npy_values(&mut bytes, &values).unwrap();
        let read = read_values_bytes("v", &bytes, ValueType::I64, None, &Labels::numbers(values.len())).unwrap();
        prop_assert_eq!(read, values);
    }

    #[test]
    fn results((_, texts) in forest()) {
        let labels = Labels::texts(&texts);
        let answers: Vec<f64> = (0..texts.len()).map(|v| v as f64 / 7.0).collect();
        let mut text = Vec::new();
        write_table(&mut text, b',', &labels, &[("vertex", Cells::EachVertex), ("sum", Cells::Numbers(ValueSlice::F64(&answers)))]).unwrap();
        let read = read_values_bytes("v.csv", &text, ValueType::F64, None, &labels).unwrap();
        prop_assert_eq!(read, Values::F64(answers));
    }
}

#[test]
fn files_and_compression() {
    let folder = tempfile::tempdir().unwrap();
    let parents: Vec<u32> = (0..5000u32).map(|v| if v == 0 { NONE } else { v / 2 }).collect();
    let labels = Labels::texts((0..5000).map(|v| format!("n{v}")));
    for name in ["t.csv", "t.tsv", "t.csv.gz", "t.csv.zst"] {
        let path = folder.path().join(name);
        let separator = if name.contains("tsv") { b'\t' } else { b',' };
        let mut out = Output::create(&path).unwrap();
        out.write_with(|out| write_parent_table(out, separator, &parents, &labels, None, &[]))
            .unwrap();
        assert!(!path.exists());
        out.finish().unwrap();
        let file = read_tree(&path, &ReadParams::default()).unwrap();
        assert_eq!((file.parents, file.labels), (parents.clone(), labels.clone()));
    }
    let pairs = b"u v\nn1 n2\nn3 n4\n";
    assert_eq!(read_pairs_bytes("pairs.txt", pairs, &labels).unwrap(), [(1, 2), (3, 4)]);
    let values = "weight\n".to_string() + &"2.5\n".repeat(5000);
    assert_eq!(
        read_values_bytes("values", values.as_bytes(), ValueType::F32, None, &labels).unwrap(),
        Values::F32(vec![2.5; 5000])
    );
    assert_eq!(read_sets_bytes("s", b"n1,n2,n3\nn4\n", &labels).unwrap(), [vec![1, 2, 3], vec![4]]);
}

#[test]
fn an_output_replaces_only_when_finished() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.txt");
    std::fs::write(&path, "old").unwrap();
    let mut out = Output::create(&path).unwrap();
    out.write_all(b"new").unwrap();
    drop(out);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let mut out = Output::create(&path).unwrap();
    out.write_all(b"new").unwrap();
    out.finish().unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = Output::create(folder.path().join("none/out")).err().unwrap().to_string();
    assert!(error.contains("none/out"), "{error}");
}

#[test]
fn the_web_of_life_has_10575_leaves() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/trees/wol-10575.nwk");
    if !path.exists() {
        println!("skipped: {} is missing", path.display());
        return;
    }
    let file = read_tree(&path, &ReadParams { lengths: true, ..ReadParams::default() }).unwrap();
    let tree = file.tree(TreeParams::default()).unwrap();
    assert_eq!(tree.leaves(), 10_575);
    assert!(tree.vertices().iter().enumerate().all(|(i, &v)| i as u32 == v));
    assert!(matches!(file.labels.find("G000830275"), Lookup::Vertex(_)));
    let mut text = Vec::new();
    write_newick(&mut text, &tree, &file.labels, file.lengths.as_deref()).unwrap();
    let again =
        read_tree_bytes("again.nwk", &text, &ReadParams { lengths: true, ..ReadParams::default() })
            .unwrap();
    assert_eq!(
        (again.parents, again.lengths, again.labels),
        (file.parents, file.lengths, file.labels)
    );
}
