//! From every format to every other and back: what a format holds comes back, whatever labels
//! are, and what it does not hold is said.

use palmette_core::{NONE, Tree, TreeParams};
use palmette_io::{
    Annotation, AnnotationStyle, Cells, Format, Labels, Lookup, ReadParams, SupportLabels,
    TreeChoice, TreeFile, TreeParts, ValueSlice, ValueType, Values, losses, read_pairs_bytes,
    read_tree_bytes, read_values_bytes, write_edges, write_newick, write_npy_parents,
    write_parent_columns, write_parent_table, write_table, write_tree,
};
use proptest::prelude::*;

/// Labels as they come: shared, missing, numbers, what needs quotes, words of headers.
fn label() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-c]",
        2 => Just(String::new()),
        2 => prop::sample::select(vec!["0.9", "1", "0", "2", "-1", "007", "1e3", "100"])
            .prop_map(String::from),
        2 => prop::sample::select(vec![
            "id", "name", "parent", "child", "source", "target", "to", "label", "length", "NA",
            "none", "#0", "#1", "#2", "# a", "%", "u", "v", "ID", "Parent",
        ])
        .prop_map(String::from),
        3 => "[ -~\\n\\r\\t'\",;|#%_()\\[\\]:é\u{feff}]{1,6}",
    ]
}

/// A forest in any order of vertices, the labels, perhaps the same for most, and lengths.
fn forest(roots: bool) -> impl Strategy<Value = (Vec<u32>, Vec<String>, Vec<f64>)> {
    let rows = prop::collection::vec((any::<u32>(), label(), -1000i32..1000), 1..30);
    (rows, any::<bool>(), any::<u64>()).prop_map(move |(rows, shuffled, seed)| {
        let n = rows.len() as u32;
        // A permutation: vertices need not come in preorder, nor parents first.
        let mut places: Vec<u32> = (0..n).collect();
        if shuffled {
            places.sort_by_key(|&v| (u64::from(v) + 1).wrapping_mul(seed | 1));
        }
        let mut parents = vec![NONE; rows.len()];
        for (v, (random, ..)) in rows.iter().enumerate().skip(1) {
            let above = random % (v as u32 + u32::from(roots));
            if above != v as u32 {
                parents[places[v] as usize] = places[above as usize];
            }
        }
        let labels = rows.iter().map(|row| row.1.clone()).collect();
        (parents, labels, rows.iter().map(|row| f64::from(row.2) / 8.0).collect())
    })
}

/// A tree as its preorder tells it: parents, labels, names, lengths.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    parents: Vec<u32>,
    labels: Vec<String>,
    names: Vec<String>,
    lengths: Option<Vec<f64>>,
}

fn tree_of(parents: &[u32]) -> Tree {
    Tree::with_params(parents, TreeParams { forest: true, ..TreeParams::default() }).unwrap()
}

fn told(parents: &[u32], labels: &Labels, lengths: Option<&[f64]>) -> Told {
    let tree = tree_of(parents);
    let order = || tree.vertices().iter().copied();
    Told {
        parents: tree.parents().to_vec(),
        labels: order().map(|v| labels.label(v).into_owned()).collect(),
        names: order().map(|v| labels.get(v).into_owned()).collect(),
        lengths: lengths.map(|lengths| order().map(|v| lengths[v as usize]).collect()),
    }
}

const FORMATS: [(Format, u8); 8] = [
    (Format::Newick, 0),
    (Format::Nexus, 0),
    (Format::Csv, b','),
    (Format::Tsv, b'\t'),
    (Format::Edges, 0),
    (Format::Npy, 0),
    (Format::Parquet, 0),
    (Format::Arrow, 0),
];

fn write(
    (format, separator): (Format, u8),
    parents: &[u32],
    labels: &Labels,
    lengths: Option<&[f64]>,
) -> Vec<u8> {
    let mut out = Vec::new();
    match format {
        Format::Newick => write_newick(&mut out, &tree_of(parents), labels, lengths),
        Format::Nexus => {
            let parts = TreeParts { lengths, ..TreeParts::new(parents, labels) };
            write_tree(&mut out, format, &tree_of(parents), &parts, AnnotationStyle::None)
        }
        Format::Csv | Format::Tsv => {
            write_parent_table(&mut out, separator, parents, labels, lengths, &[])
        }
        Format::Edges => write_edges(&mut out, parents, labels),
        Format::Parquet | Format::Arrow => {
            write_parent_columns(&mut out, format, parents, labels, lengths, &[])
        }
        _ => write_npy_parents(&mut out, parents),
    }
    .unwrap();
    out
}

fn read(format: Format, bytes: &[u8]) -> TreeFile {
    let params = ReadParams {
        format: Some(format),
        lengths: true,
        tree: TreeChoice::All,
        ..ReadParams::default()
    };
    read_tree_bytes("t", bytes, &params)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(bytes)))
}

/// What a format holds of a tree: all but its losses.
fn held(format: Format, before: &Told, lost: &[&str]) -> Told {
    let mut told = before.clone();
    if lost.contains(&"branch lengths") {
        told.lengths = None;
    }
    if lost.contains(&"labels that some vertices lack, share or have in addition to an id") {
        told.labels.clone_from(&told.names);
    }
    if format == Format::Npy {
        told.lengths = None;
    }
    told
}

/// Writes, reads, and compares with what the format holds.
fn through(
    format: (Format, u8),
    parents: &[u32],
    labels: &Labels,
    lengths: Option<&[f64]>,
) -> TreeFile {
    let lost = losses(format.0, parents, labels, lengths, &[]);
    let bytes = write(format, parents, labels, lengths);
    let file = read(format.0, &bytes);
    let before = told(parents, labels, lengths);
    let after = told(&file.parents, &file.labels, file.lengths.as_deref());
    let expected = held(format.0, &before, &lost);
    let text = String::from_utf8_lossy(&bytes);
    if format.0 == Format::Npy {
        assert_eq!(after.parents, expected.parents);
        let numbers = labels.are_integers() && before.labels == after.labels;
        assert!(numbers || lost.contains(&"labels"), "{before:?} {after:?}");
    } else if lost.contains(&"the order of children") {
        assert_eq!(after.labels.len(), expected.labels.len());
    } else {
        assert_eq!(
            (&after.parents, &after.labels),
            (&expected.parents, &expected.labels),
            "{text}"
        );
        assert_eq!(after.lengths, expected.lengths, "{text}");
    }
    // Tables also keep what vertices are called, and their numbers.
    if format.0.is_table() {
        assert_eq!((&file.parents[..], &file.labels), (parents, labels), "{text}");
    }
    file
}

/// Writes all that a tree has, reads it, and compares.
fn through_all(format: Format, parts: &TreeParts<'_>) -> TreeFile {
    let tree = tree_of(parts.parents);
    let mut bytes = Vec::new();
    write_tree(&mut bytes, format, &tree, parts, AnnotationStyle::Beast).unwrap();
    let params = ReadParams {
        format: Some(format),
        lengths: true,
        annotations: true,
        tree: TreeChoice::All,
        ..ReadParams::default()
    };
    let text = String::from_utf8_lossy(&bytes);
    let file = read_tree_bytes("t", &bytes, &params).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let told_of = |parts: &TreeParts<'_>| {
        let tree = tree_of(parts.parents);
        let order: Vec<u32> = tree.vertices().to_vec();
        let support = |v: &u32| parts.support.map_or(f64::NAN, |s| s[*v as usize]).to_bits();
        let note = |one: &Annotation, v: &u32| one.get(*v).to_string();
        let mut notes: Vec<(String, Vec<String>)> = parts
            .annotations
            .iter()
            .map(|one| (one.name.clone(), order.iter().map(|v| note(one, v)).collect()))
            .collect();
        notes.sort();
        let mut told = told(parts.parents, parts.labels, parts.lengths);
        told.names.clear();
        (told, order.iter().map(support).collect::<Vec<_>>(), notes)
    };
    assert_eq!(told_of(&file.parts()), told_of(parts), "{text}");
    file
}

/// Labels that are read as they stand.
#[test]
fn names_that_look_like_support_stay_names() {
    let (parents, labels) = (vec![NONE, 0, 0, 1, 1], Labels::texts(["7", "99.5", "3", "4", "5"]));
    for format in [Format::Newick, Format::Nexus] {
        let mut text = Vec::new();
        let parts = TreeParts::new(&parents, &labels);
        write_tree(&mut text, format, &tree_of(&parents), &parts, AnnotationStyle::None).unwrap();
        let file = read_tree_bytes("t", &text, &ReadParams::default()).unwrap();
        assert!(file.support.is_none());
        assert_eq!(told(&file.parents, &file.labels, None).labels, ["7", "99.5", "4", "5", "3"]);
        let forced = ReadParams { support: SupportLabels::Yes, ..ReadParams::default() };
        let file = read_tree_bytes("t", &text, &forced).unwrap();
        assert_eq!(file.support.unwrap()[..2], [7.0, 99.5]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every pair of formats, and the way back.
    #[test]
    fn every_pair((parents, texts, lengths) in forest(true), with_lengths in any::<bool>()) {
        let labels = Labels::texts(&texts);
        let lengths = Some(&lengths[..]).filter(|_| with_lengths);
        for first in FORMATS {
            let file = through(first, &parents, &labels, lengths);
            for second in FORMATS {
                let again = through(second, &file.parents, &file.labels, file.lengths.as_deref());
                through(first, &again.parents, &again.labels, again.lengths.as_deref());
            }
        }
    }

    /// Newick by way of a table is the same text.
    #[test]
    fn newick_by_table((parents, texts, lengths) in forest(false), separator in prop::sample::select(vec![b',', b'\t', b';'])) {
        let text = write((Format::Newick, 0), &parents, &Labels::texts(&texts), Some(&lengths));
        let file = read(Format::Newick, &text);
        let table = write((Format::Csv, separator), &file.parents, &file.labels, file.lengths.as_deref());
        let back = read(Format::Csv, &table);
        let again = write((Format::Newick, 0), &back.parents, &back.labels, back.lengths.as_deref());
        prop_assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&text));
    }

    /// Names are unique, are found, and are labels where nobody shares them.
    #[test]
    fn names((_, texts, _) in forest(true)) {
        let labels = Labels::texts(&texts);
        let mut seen = std::collections::HashSet::new();
        let numbered = texts.iter().enumerate().any(|(v, text)| {
            text.is_empty() || texts[..v].contains(text)
        });
        for (v, text) in texts.iter().enumerate() {
            let name = labels.get(v as u32).into_owned();
            prop_assert_eq!(labels.find(&name), Lookup::Vertex(v as u32));
            let alone = texts.iter().filter(|other| *other == text).count() == 1;
            let like_a_number = numbered && text.strip_prefix('#').is_some_and(|d| d.parse::<u32>().is_ok());
            if alone && !text.is_empty() && !like_a_number {
                prop_assert_eq!(&name, text);
            } else {
                prop_assert_eq!(&name, &format!("#{v}"));
            }
            prop_assert!(seen.insert(name));
        }
    }

    /// Tables of answers name vertices as readers of values and pairs find them.
    #[test]
    fn answers((_, texts, values) in forest(true), picks in prop::collection::vec(any::<prop::sample::Index>(), 2..12)) {
        let labels = Labels::texts(&texts);
        let mut table = Vec::new();
        let columns = [("vertex", Cells::EachVertex), ("sum", Cells::Numbers(ValueSlice::F64(&values)))];
        write_table(&mut table, b',', &labels, &columns).unwrap();
        let read = read_values_bytes("v.csv", &table, ValueType::F64, None, &labels).unwrap();
        prop_assert_eq!(read, Values::F64(values));
        let picks: Vec<u32> = picks.iter().map(|pick| pick.index(texts.len()) as u32).collect();
        let (first, second) = picks.split_at(picks.len() / 2);
        let first = &first[..second.len().min(first.len())];
        let second = &second[..first.len()];
        let mut table = Vec::new();
        let columns = [("u", Cells::Vertices(first)), ("v", Cells::Vertices(second)), ("lca", Cells::Vertices(first))];
        write_table(&mut table, b',', &labels, &columns).unwrap();
        let pairs: Vec<(u32, u32)> = first.iter().copied().zip(second.iter().copied()).collect();
        prop_assert_eq!(read_pairs_bytes("p.csv", &table, &labels).unwrap(), pairs);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Support and annotations go through every format that has names, and through pairs of them.
    #[test]
    fn support_and_annotations(
        (parents, texts, lengths) in forest(true),
        support in prop::collection::vec(prop_oneof![
            3 => Just(f64::NAN), 4 => (0..=1000i32).prop_map(|x| f64::from(x) / 10.0), 1 => -5.0..200.0f64,
        ], 30),
        inner_only in any::<bool>(),
        notes in prop::collection::vec(prop_oneof![2 => Just(String::new()), 1 => label(), 1 => Just("{a,\"b, c\"}".to_string())], 60),
    ) {
        let n = parents.len();
        let labels = Labels::texts(&texts);
        let mut is_inner = vec![false; n];
        parents.iter().filter(|&&parent| parent != NONE).for_each(|&p| is_inner[p as usize] = true);
        let fits = |v: usize| !inner_only || is_inner[v] && texts[v].is_empty();
        let support: Vec<f64> =
            (0..n).map(|v| if fits(v) { support[v] } else { f64::NAN }).collect();
        let some = support.iter().any(|s| !s.is_nan());
        // Brackets without a partner are refused.
        let plain = |text: &String| text.replace(['[', ']'], "");
        let annotations: Vec<Annotation> = ["rate", "k.2_%"].iter().enumerate()
            .map(|(k, key)| Annotation::new(*key, notes[k * n..(k + 1) * n].iter().map(plain)))
            .filter(|one| (0..n as u32).any(|v| !one.get(v).is_empty()))
            .collect();
        let named: Vec<(Format, u8)> =
            FORMATS.into_iter().filter(|f| ![Format::Edges, Format::Npy].contains(&f.0)).collect();
        let parts = TreeParts {
            lengths: Some(&lengths),
            support: some.then_some(&support[..]),
            annotations: &annotations,
            ..TreeParts::new(&parents, &labels)
        };
        for &(first, _) in &named {
            let file = through_all(first, &parts);
            for &(second, _) in &named {
                through_all(second, &file.parts());
            }
        }
    }
}
