//! Answers of other tools: scikit-bio, ssu, QIIME.

use super::*;
use std::collections::BTreeMap;

/// Rows of words, the first of each row its name.
type Rows = Vec<(String, Vec<String>)>;

fn read(path: &str) -> Option<Rows> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/phylo/diversity")
        .join(path);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not here", path.display());
        return None;
    };
    let lines = text.lines().filter(|line| !line.starts_with("# ") && !line.is_empty());
    let words = |line: &str| {
        let mut words = line.split('\t').map(String::from);
        (words.next().unwrap_or_default(), words.collect())
    };
    Some(lines.map(words).collect())
}

/// A tree with the table of its samples, and the names of those.
fn reference(tree: &str, table: &str) -> Option<(palmette_io::TreeFile, Samples, Vec<String>)> {
    let text = read(tree)?.concat_first();
    let params = palmette_io::ReadParams { lengths: true, ..Default::default() };
    let file = palmette_io::read_tree_bytes("tree.nwk", text.as_bytes(), &params).expect("a tree");
    let mut rows = read(table)?.into_iter();
    let (_, names) = rows.next().expect("a header");
    let mut lists = vec![Vec::new(); names.len()];
    for (tip, counts) in rows {
        let tip = file.vertex(&tip).expect("a tip");
        for (list, count) in lists.iter_mut().zip(counts) {
            list.push((tip, count.parse().expect("a count")));
        }
    }
    Some((file, samples_of(&lists), names))
}

trait FirstWords {
    fn concat_first(self) -> String;
}

impl FirstWords for Rows {
    fn concat_first(self) -> String {
        self.into_iter().map(|row| row.0).collect()
    }
}

fn check_matrix(found: &Condensed, names: &[String], answer: &str, room: f64) {
    let mut rows = read(answer).expect("beside the tree").into_iter();
    let (_, columns) = rows.next().expect("a header");
    let number = |name: &String| names.iter().position(|known| known == name);
    let mut seen = 0;
    for (name, values) in rows {
        for (column, value) in columns.iter().zip(values) {
            let (Some(i), Some(j)) = (number(&name), number(column)) else { continue };
            let value: f64 = value.parse().expect("a number");
            seen += 1;
            // ssu has no distance of two empty samples.
            if value.is_nan() {
                continue;
            }
            let apart = (found.get(i, j) - value).abs();
            // Answers have twelve digits.
            let room = if value < 1.0 { room } else { 5.0 * room * value };
            assert!(apart <= room, "{answer} {name} {column}: {apart}");
        }
    }
    assert_eq!(seen, names.len() * names.len(), "{answer}");
}

#[test]
fn answers_of_other_tools() {
    for tree in ["tree100.nwk", "tree100-rootlength.nwk"] {
        let Some((file, samples, names)) = reference(tree, "table100x20.tsv") else { return };
        let tree = file.tree(Default::default()).expect("a tree");
        let lengths = file.lengths.as_deref().expect("lengths");
        let pd = faith_pd(&tree, lengths, &samples, DiversityParams::default()).expect("valid");
        let known: BTreeMap<String, Vec<String>> =
            read("faith_pd.tsv").expect("beside the tree").into_iter().collect();
        for (name, pd) in names.iter().zip(&pd) {
            assert!((pd - known[name][0].parse::<f64>().expect("a number")).abs() < 1e-12);
        }
        for (answer, distance) in [
            ("unweighted.tsv", Distance::Unweighted),
            ("weighted_unnormalized.tsv", Distance::Weighted),
            ("weighted_normalized.tsv", Distance::WeightedNormalised),
            ("generalized_0.0.tsv", Distance::Generalised { alpha: 0.0 }),
            ("generalized_0.5.tsv", Distance::Generalised { alpha: 0.5 }),
            ("generalized_1.0.tsv", Distance::Generalised { alpha: 1.0 }),
            ("kr_p2.tsv", Distance::KantorovichRubinstein { order: 2.0 }),
        ] {
            let found = distances(&tree, lengths, &samples, distance, DiversityParams::default());
            check_matrix(&found.expect("valid"), &names, answer, 1e-12);
        }
    }
}

#[test]
fn answers_about_edges() {
    let Some((file, samples, names)) = reference("edge/tree.nwk", "edge/table.tsv") else { return };
    let tree = file.tree(Default::default()).expect("a tree");
    let lengths = file.lengths.as_deref().expect("lengths");
    let matrices = [
        ("unweighted", Distance::Unweighted),
        ("weighted_unnormalized", Distance::Weighted),
        ("weighted_normalized", Distance::WeightedNormalised),
    ];
    for (root_length, end) in [(true, "with"), (false, "without")] {
        let params = DiversityParams { root_length };
        let pd = faith_pd(&tree, lengths, &samples, params).expect("valid");
        let known = read(&format!("edge/faith_pd.skbio_{end}_root_length.tsv")).expect("there");
        for ((name, known), (own, pd)) in known.iter().skip(1).zip(names.iter().zip(&pd)) {
            assert_eq!(name, own);
            assert!((known[0].parse::<f64>().expect("a number") - pd).abs() < 1e-12);
        }
        for (name, distance) in matrices {
            let found = distances(&tree, lengths, &samples, distance, params).expect("valid");
            let answer = format!("edge/{name}.skbio_{end}_root_length.tsv");
            check_matrix(&found, &names, &answer, 1e-12);
            if !root_length {
                check_matrix(&found, &names, &format!("edge/{name}.ssu.tsv"), 1e-7);
            }
        }
    }
    let half = Distance::Generalised { alpha: 0.5 };
    let found = distances(&tree, lengths, &samples, half, DiversityParams::default());
    check_matrix(&found.expect("valid"), &names, "edge/generalized.ssu.tsv", 1e-7);
}

#[test]
fn answers_of_qiime() {
    let found = reference("qiime-191-tt/tree.nwk", "qiime-191-tt/otu-table.tsv");
    let Some((file, samples, names)) = found else { return };
    let tree = file.tree(Default::default()).expect("a tree");
    let lengths = file.lengths.as_deref().expect("lengths");
    let pd = faith_pd(&tree, lengths, &samples, DiversityParams::default()).expect("valid");
    let known = read("qiime-191-tt/faith-pd.txt").expect("there");
    for ((name, known), (own, pd)) in known.iter().skip(1).zip(names.iter().zip(&pd)) {
        assert_eq!(name, own);
        assert!((known[0].parse::<f64>().expect("a number") - pd).abs() < 1e-12);
    }
    for (answer, distance) in [
        ("unweighted_unifrac_dm", Distance::Unweighted),
        ("weighted_unifrac_dm", Distance::Weighted),
        ("weighted_normalized_unifrac_dm", Distance::WeightedNormalised),
    ] {
        let found = distances(&tree, lengths, &samples, distance, DiversityParams::default());
        let answer = format!("qiime-191-tt/{answer}.txt");
        check_matrix(&found.expect("valid"), &names, &answer, 1e-12);
    }
}
