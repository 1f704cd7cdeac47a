//! Edge lists, written.
//!
//! **Problem.** `parent child` lines that give back the tree: its names, and its children in
//! their order, though readers number vertices as they first appear.
//! **Method.** Edges go by the numbers of children where that keeps siblings (and roots) in
//! order, and by the preorder otherwise. A root needs no line of its own unless it has no
//! children or its name is a word for "no parent"; then its parent is an empty field in quotes.
//! A header is written only where the first edge could be taken for one.
//! **Cost.** Linear; 12 bytes per vertex.

use crate::fast::means_no_parent;
use crate::first_row::{edge_words, is_word};
use crate::labels::Labels;
use crate::number::canonical;
use crate::rows::{write_field, write_label};
use crate::write::blocks;
use palmette_core::{NONE, Tree, TreeParams};
use std::io::{self, Write};

/// Writes an edge list, `parent child` per line, vertices by their names; see [`Labels`].
///
/// # Errors
/// When writing fails.
pub fn write_edges(out: &mut dyn Write, parents: &[u32], labels: &Labels) -> io::Result<()> {
    let mut alone = vec![true; parents.len()];
    for &parent in parents.iter().filter(|&&parent| parent != NONE) {
        alone[parent as usize] = false;
    }
    // A root called `NA` must be stated, or its children would be roots.
    let nobody = |v: u32| means_no_parent(&labels.get(v));
    let stated = |v: u32| parents[v as usize] != NONE || alone[v as usize] || nobody(v);
    let params = TreeParams { forest: true, ..TreeParams::default() };
    let order = match keeps_order(parents, stated, nobody) {
        true => None,
        // Without a tree there is no preorder; the edges are written anyway.
        false => Tree::with_params(parents, params).ok().map(|tree| tree.vertices().to_vec()),
    };
    let vertex = |k: usize| order.as_ref().map_or(k as u32, |order| order[k]);
    let mut lines = (0..parents.len()).map(vertex).filter(|&v| stated(v));
    if lines.next().is_some_and(|v| is_doubtful(parents[v as usize], v, labels)) {
        let mut header = Vec::new();
        for (word, end) in edge_words(labels).iter().zip([b' ', b'\n']) {
            write_field(&mut header, word, b' ');
            header.push(end);
        }
        out.write_all(&header)?;
    }
    blocks(out, parents.len(), |k, bytes| {
        let v = vertex(k);
        if !stated(v) {
            return;
        }
        match parents[v as usize] {
            NONE => bytes.extend_from_slice(b"\"\""),
            parent => write_label(bytes, labels, parent, b' '),
        }
        bytes.push(b' ');
        write_label(bytes, labels, v, b' ');
        bytes.push(b'\n');
    })
}

/// Whether the first edge could be taken for a header, by the rules of `first_row.rs`.
fn is_doubtful(parent: u32, child: u32, labels: &Labels) -> bool {
    if parent == NONE || labels.are_integers() {
        return false;
    }
    let number = |v: u32| canonical(labels.get(v).as_bytes()).is_some();
    let ends = [parent, child];
    ends.iter().any(|&v| is_word(&labels.get(v)))
        || (!ends.iter().any(|&v| number(v)) && (0..labels.len() as u32).any(number))
}

/// Whether siblings, and roots, first appear in the order of their numbers when edges go by the
/// numbers of children. A parent whose name may mean nobody appears as a child only.
fn keeps_order(
    parents: &[u32],
    stated: impl Fn(u32) -> bool,
    nobody: impl Fn(u32) -> bool,
) -> bool {
    // The last of each parent's children to appear; the last place is for roots.
    let (n, mut last) = (parents.len(), vec![NONE; parents.len() + 1]);
    let mut seen = vec![false; n];
    let mut appears = |v: u32| {
        if std::mem::replace(&mut seen[v as usize], true) {
            return true;
        }
        let place = parents[v as usize] as usize;
        let before = std::mem::replace(&mut last[place.min(n)], v);
        before == NONE || before < v
    };
    let lines = (0..n as u32).filter(|&v| stated(v));
    lines.into_iter().all(|v| {
        let parent = parents[v as usize];
        (parent == NONE || nobody(parent) || appears(parent)) && appears(v)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReadParams, read_tree_bytes};

    fn written(parents: &[u32], labels: &[&str]) -> String {
        let mut text = Vec::new();
        write_edges(&mut text, parents, &Labels::texts(labels)).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_header_only_where_a_row_could_be_one() {
        assert_eq!(written(&[NONE, 0, 0], &["r", "a", "b"]), "r a\nr b\n");
        let usual = written(&[NONE, 0, 0, 2], &["person", "id", "name", "first"]);
        assert_eq!(usual, "parent child\nperson id\nperson name\nname first\n");
        assert_eq!(written(&[NONE, 0], &["parent", "child"]), "parent_id child_id\nparent child\n");
        // Another tree of the forest has integers.
        assert_eq!(written(&[NONE, 0, NONE, 2], &["x", "y", "1", "2"]), "parent child\nx y\n1 2\n");
    }

    #[test]
    fn children_keep_their_order() {
        // By numbers, c would appear before a as a parent.
        let (parents, labels) = ([2, NONE, 1, 1], ["x", "r", "c", "a"]);
        assert_eq!(written(&parents, &labels), "c x\nr c\nr a\n");
        let (parents, labels) = ([3, NONE, 1, 1], ["x", "r", "a", "c"]);
        let text = written(&parents, &labels);
        assert_eq!(text, "r a\nr c\nc x\n");
        let params = ReadParams { format: Some(Format::Edges), ..ReadParams::default() };
        let file = read_tree_bytes("t", text.as_bytes(), &params).unwrap();
        assert_eq!((file.parents, file.labels.get(1)), (vec![NONE, 0, 0, 2], "a".into()));
    }
}
