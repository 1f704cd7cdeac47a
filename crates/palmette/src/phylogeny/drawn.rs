//! A tree with what a drawing shows of it, in the user's names.

use palmette_core::Tree;
use palmette_io::{Labels, TreeFile};
use std::borrow::Cow;

/// A tree to draw; slices are indexed by vertex.
#[derive(Debug, Clone, Copy)]
pub struct DrawnTree<'a> {
    /// What it is called.
    pub title: &'a str,
    /// The tree.
    pub tree: &'a Tree,
    /// The labels, where vertices have any but their numbers.
    pub labels: Option<&'a Labels>,
    /// Branch lengths.
    pub lengths: Option<&'a [f64]>,
    /// Support of the branch to the parent; NaN for none.
    pub support: Option<&'a [f64]>,
}

impl<'a> DrawnTree<'a> {
    /// A tree from a file, with what the file has.
    pub fn of(file: &'a TreeFile, tree: &'a Tree) -> DrawnTree<'a> {
        DrawnTree {
            title: &file.name,
            tree,
            labels: Some(&file.labels),
            lengths: file.lengths.as_deref(),
            support: file.support.as_deref(),
        }
    }

    /// What a reader calls a position: its label. Numbers of inner vertices are none: they are
    /// support, or count vertices.
    pub fn label(&self, position: u32) -> Cow<'a, str> {
        let vertex = self.tree.vertices()[position as usize];
        let label = match self.labels {
            Some(labels) => labels.label(vertex),
            None => Cow::Owned(vertex.to_string()),
        };
        let is_name = self.tree.is_leaf(position) || label.parse::<f64>().is_err();
        if is_name { label } else { Cow::Borrowed("") }
    }

    /// The name of a position, which no other has.
    pub fn name_of(&self, position: u32) -> Cow<'a, str> {
        let vertex = self.tree.vertices()[position as usize];
        self.labels.map_or_else(|| Cow::Owned(vertex.to_string()), |labels| labels.get(vertex))
    }
}
