//! Tests of edits: trees from texts, and what a checker sees of them.
//!
//! The checker knows nothing of how edits work: it walks parents, collects the tips below every vertex
//! in sets, and compares sets with lengths and supports.

mod conventions;
mod large;
mod properties;
mod reference;

use super::*;
use palmette_core::Tree;
use palmette_io::{ReadParams, SupportLabels, read_tree_bytes};
use std::collections::{BTreeMap, BTreeSet};

/// A tree with names and supports.
#[derive(Debug, Clone)]
pub(super) struct Plain {
    pub(super) tree: Tree,
    pub(super) names: Vec<String>,
    pub(super) lengths: Option<Vec<f64>>,
    pub(super) support: Vec<f64>,
}

type Tips = BTreeSet<String>;

impl Plain {
    /// From Newick; numbers on inner vertices are supports.
    pub(super) fn new(newick: &str) -> Plain {
        let support = SupportLabels::No;
        let params = ReadParams { lengths: true, support, ..ReadParams::default() };
        let file = read_tree_bytes("test.nwk", newick.trim().as_bytes(), &params).expect(newick);
        let tree = Tree::from_parents(&file.parents).expect(newick);
        let names: Vec<String> =
            (0..file.len() as u32).map(|v| file.labels.label(v).into_owned()).collect();
        let inner = |v: usize| tree.sizes()[tree.positions()[v] as usize] > 1;
        // The root's label is the support of the branch that was above it.
        let support = (0..names.len())
            .map(|v| names[v].parse().ok().filter(|_| inner(v)).unwrap_or(f64::NAN))
            .collect();
        let names = (0..names.len())
            .map(|v| if inner(v) { String::new() } else { names[v].clone() })
            .collect();
        Plain { tree, names, lengths: file.lengths, support }
    }

    pub(super) fn lengths(&self) -> Option<&[f64]> {
        self.lengths.as_deref()
    }

    /// The tree that an edit made of this one.
    pub(super) fn edited(&self, edited: &Edited) -> Plain {
        let name = |&v: &u32| self.names.get(v as usize).cloned().unwrap_or_default();
        let tree = Tree::from_parents(&edited.parents).expect("edits make trees");
        assert!(tree.vertices().iter().enumerate().all(|(i, &v)| i as u32 == v), "preorder");
        Plain {
            tree,
            names: edited.origin.iter().map(name).collect(),
            lengths: edited.lengths.clone(),
            support: edited.by_branch(&self.support),
        }
    }

    pub(super) fn vertex(&self, name: &str) -> u32 {
        self.names.iter().position(|n| n == name).expect(name) as u32
    }

    /// By vertex, whether it is one of these.
    pub(super) fn among<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Vec<bool> {
        let wanted: BTreeSet<&str> = names.into_iter().collect();
        self.names.iter().map(|name| wanted.contains(&name[..])).collect()
    }

    /// By vertex, the names of the tips below.
    pub(super) fn tips_below(&self) -> Vec<Tips> {
        let tree = &self.tree;
        let mut below = vec![Tips::new(); tree.len()];
        for i in (0..tree.len() as u32).rev() {
            let v = tree.vertices()[i as usize] as usize;
            if tree.is_leaf(i) {
                below[v].insert(self.names[v].clone());
            }
            if let Some(p) = tree.parent(i) {
                let own = below[v].clone();
                below[tree.vertices()[p as usize] as usize].extend(own);
            }
        }
        below
    }

    /// Every vertex as its tips, length and support, in an order of their own.
    pub(super) fn clades(&self) -> Vec<(Tips, String, String)> {
        let text = |x: f64| if x.is_nan() { String::new() } else { format!("{:.12}", x + 0.0) };
        let root = self.tree.vertices()[0] as usize;
        let mut clades: Vec<_> = self
            .tips_below()
            .into_iter()
            .enumerate()
            .map(|(v, tips)| {
                let length = self.lengths().filter(|_| v != root).map_or(f64::NAN, |x| x[v]);
                (tips, text(length), text(self.support[v]))
            })
            .collect();
        clades.sort();
        clades
    }

    /// The splits of the unrooted tree: the side without the first tip, with the sum of lengths (of
    /// the two branches at a binary root, and along unifurcations) and the least support.
    pub(super) fn splits(&self) -> BTreeMap<Tips, (f64, f64)> {
        let below = self.tips_below();
        let root = self.tree.vertices()[0] as usize;
        let all = &below[root];
        let mut splits: BTreeMap<Tips, (f64, f64)> = BTreeMap::new();
        for (v, tips) in below.iter().enumerate() {
            if v == root || tips.len() == all.len() {
                continue;
            }
            let side: Tips = match tips.contains(all.first().expect("there are tips")) {
                true => all.difference(tips).cloned().collect(),
                false => tips.clone(),
            };
            let trivial = side.len() == 1 || side.len() + 1 == all.len();
            let support = if trivial { f64::NAN } else { self.support[v] };
            let entry = splits.entry(side).or_insert((0.0, f64::NAN));
            entry.0 += self.lengths().map_or(0.0, |x| x[v]);
            entry.1 = entry.1.min(support);
        }
        splits
    }

    /// The same splits, lengths within rounding, and supports.
    pub(super) fn same_unrooted(&self, other: &Plain) -> Result<(), String> {
        let (one, two) = (self.splits(), other.splits());
        if !one.keys().eq(two.keys()) {
            return Err(format!("splits differ:\n{one:?}\n{two:?}"));
        }
        for ((side, a), b) in one.iter().zip(two.values()) {
            let near = (a.0 - b.0).abs() <= 1e-9 * (1.0 + a.0.abs());
            if !near || (a.1 != b.1 && !(a.1.is_nan() && b.1.is_nan())) {
                return Err(format!("{side:?}: {a:?} and {b:?}"));
            }
        }
        Ok(())
    }

    /// Names and supports in the order of the children, without lengths.
    pub(super) fn shape(&self) -> String {
        let mut out = Vec::new();
        let labels: Vec<String> = (0..self.names.len())
            .map(|v| match self.support[v] {
                s if s.is_nan() => self.names[v].clone(),
                s => s.to_string(),
            })
            .collect();
        palmette_io::write_newick(&mut out, &self.tree, &palmette_io::Labels::texts(labels), None)
            .expect("memory can be written");
        String::from_utf8(out).expect("names are text")
    }

    /// Distances from the root to all tips, by name.
    pub(super) fn heights(&self) -> BTreeMap<String, f64> {
        let tree = &self.tree;
        let mut depth = vec![0.0; tree.len()];
        let mut found = BTreeMap::new();
        for i in 0..tree.len() as u32 {
            let v = tree.vertices()[i as usize] as usize;
            if let Some(p) = tree.parent(i) {
                depth[i as usize] = depth[p as usize] + self.lengths().map_or(1.0, |x| x[v]);
            }
            if tree.is_leaf(i) {
                found.insert(self.names[v].clone(), depth[i as usize]);
            }
        }
        found
    }
}

/// The population variance.
pub(super) fn variance(values: impl IntoIterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.into_iter().collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n
}
