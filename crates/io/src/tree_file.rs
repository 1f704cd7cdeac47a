//! A tree as a file states it: parents, labels, lengths, support, annotations and columns, with
//! errors in the user's names.

use crate::annotation::Annotation;
use crate::lines::Lines;
use crate::quote::{listed, short};
use crate::values::{Column, ColumnKey, Number};
use crate::{Format, InputLimit, IoError, Labels, Lookup};
use palmette_core::{NONE, Tree, TreeError, TreeParams, named};

/// Which of the trees in a file of trees (Newick, NEXUS, PhyloXML) to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TreeChoice {
    /// The only one; several are an error.
    #[default]
    Only,
    /// The one with this index, from 0.
    Index(usize),
    /// The one that NEXUS marks with `*`.
    Marked,
    /// All of them, as a forest.
    All,
}

named! {
    /// Whether labels of inner vertices that are numbers are support.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum SupportLabels("support") {
        /// Numbers from 0 to 100 without quotes are, where more than half of the labelled inner
        /// vertices have one, or one with more after it (`95:clade`, `97/0.99`: those stay labels).
        #[default]
        Auto = "auto",
        /// All finite numbers are.
        Yes = "yes",
        /// None are; a column `support` is a column like others.
        No = "no",
    }
}

/// Whether a tree has a root or only hangs from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rooting {
    /// The file does not say.
    #[default]
    Unstated,
    /// `[&R]`.
    Rooted,
    /// `[&U]`, or a `utree` of NEXUS.
    Unrooted,
}

/// What a file says of a tree as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TreeFacts {
    /// Its name; empty where it has none.
    pub name: String,
    /// Whether it is rooted.
    pub rooting: Rooting,
    /// Whether NEXUS marks it with `*` as the one to take.
    pub is_marked: bool,
    /// Its annotations: keys and texts.
    pub annotations: Vec<(String, String)>,
}

/// What to read from a tree file.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadParams {
    /// The format; by default it is found from the file's name, then its content.
    pub format: Option<Format>,
    /// Columns of numbers to keep from a table, or annotations of these names.
    pub columns: Vec<(ColumnKey, Number)>,
    /// What an empty field of these columns stands for, instead of an error.
    pub missing_value: Option<String>,
    /// Keep branch lengths (Newick; in tables a column `length` or
    /// `branch_length`). Where only the roots lack one it is 0 for them.
    pub lengths: bool,
    /// The length of a vertex that lacks one while others have one; by default
    /// that is an error.
    pub missing_length: Option<f64>,
    /// Keep the labels; otherwise vertices are called by their numbers.
    pub labels: bool,
    /// Which labels of inner vertices are support, and not labels.
    pub support: SupportLabels,
    /// Keep annotations: of comments, of elements, of columns `&key`.
    pub annotations: bool,
    /// A vertex that is its own parent is a root, not an error.
    pub self_root: bool,
    /// Whether a table has a header; by default it is found from its words and rows, and an
    /// error where it may be either.
    pub header: Option<bool>,
    /// Which tree of a file of trees.
    pub tree: TreeChoice,
    /// What a file of packed columns may decode to.
    pub limit: InputLimit,
    /// Bytes per vertex that the caller takes once the parents are read: by default what it takes to
    /// build the tree. Where they do not fit, [`TreeInput::open`](crate::TreeInput::open) refuses.
    pub bytes_per_vertex: u64,
}

impl Default for ReadParams {
    fn default() -> ReadParams {
        ReadParams {
            format: None,
            columns: Vec::new(),
            missing_value: None,
            lengths: false,
            missing_length: None,
            labels: true,
            support: SupportLabels::Auto,
            annotations: false,
            self_root: false,
            header: None,
            tree: TreeChoice::Only,
            limit: InputLimit::default(),
            bytes_per_vertex: Tree::BYTES_TO_BUILD,
        }
    }
}

/// A tree as a file states it. Vertices are numbered by row (tables, arrays), in
/// the preorder of the text (Newick), or by first appearance (edge lists, unless
/// their labels are exactly `0..n`, which then are the numbers).
#[derive(Debug, Clone)]
pub struct TreeFile {
    /// The file's name, for messages.
    pub name: String,
    /// The parent by vertex; [`palmette_core::NONE`] for a root.
    pub parents: Vec<u32>,
    /// The label by vertex.
    pub labels: Labels,
    /// The length of the branch to the parent by vertex, if asked for and present.
    pub lengths: Option<Vec<f64>>,
    /// The support of the branch to the parent by vertex, NaN where there is none: labels of inner
    /// vertices that were read as support (see [`SupportLabels`]), or a column `support`.
    pub support: Option<Vec<f64>>,
    /// What the file says of vertices beside, by name, if asked for.
    pub annotations: Vec<Annotation>,
    /// What the file says of each tree, in the order of their roots; nothing for formats that have
    /// nothing to say.
    pub trees: Vec<TreeFacts>,
    /// The requested columns, in that order.
    pub columns: Vec<Column>,
    /// How many comments `[…]` a Newick text has, which are not kept.
    pub comments: usize,
    /// Elements of PhyloXML that are not kept: their names, and how many there are.
    pub elements: Vec<(String, usize)>,
    /// Columns of a table that were not asked for: their names, or their numbers where there is no
    /// header.
    pub unread: Vec<String>,
    pub(crate) lines: Lines,
}

impl TreeFile {
    /// A tree that no file states, with a parent and a label for each vertex; `name` is for
    /// messages.
    ///
    /// ```
    /// use palmette_io::{Labels, TreeFile};
    /// let file = TreeFile::new("pets", vec![palmette_core::NONE, 0], Labels::texts(["animal", "cat"]));
    /// assert_eq!(file.vertex("cat")?, 1);
    /// # Ok::<(), palmette_io::IoError>(())
    /// ```
    ///
    /// # Panics
    /// When there is not one label for each vertex.
    pub fn new(name: impl Into<String>, parents: Vec<u32>, labels: Labels) -> TreeFile {
        assert_eq!(parents.len(), labels.len(), "one label for each vertex");
        TreeFile {
            name: name.into(),
            parents,
            labels,
            lengths: None,
            support: None,
            annotations: Vec::new(),
            trees: Vec::new(),
            columns: Vec::new(),
            comments: 0,
            elements: Vec::new(),
            unread: Vec::new(),
            lines: Lines::default(),
        }
    }

    /// What of the file was not kept, for people: comments and elements that say nothing we know,
    /// columns that were not asked for.
    pub fn left_out(&self) -> Option<String> {
        let name = &self.name;
        if !self.unread.is_empty() {
            return Some(format!("{name}: columns were left out: {}", listed(&self.unread)));
        }
        if self.elements.is_empty() {
            let comments = (self.comments > 0).then_some(self.comments)?;
            let what = if comments == 1 { "comment `[…]` was" } else { "comments `[…]` were" };
            return Some(format!("{name}: {comments} {what} left out"));
        }
        let each = self.elements.iter().map(|(element, count)| format!("{count} `<{element}>`"));
        Some(format!("{name}: elements were left out: {}", each.collect::<Vec<_>>().join(", ")))
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The tips: vertices that are nobody's parent, in ascending order.
    pub fn tips(&self) -> Vec<u32> {
        let mut is_tip = vec![true; self.len()];
        for &parent in self.parents.iter().filter(|&&parent| parent != NONE) {
            if let Some(is_tip) = is_tip.get_mut(parent as usize) {
                *is_tip = false;
            }
        }
        (0..self.len() as u32).filter(|&v| is_tip[v as usize]).collect()
    }

    /// The line of the file where a vertex is stated, from 1.
    pub fn line_of(&self, vertex: u32) -> Option<u64> {
        self.lines.line_of(vertex)
    }

    /// The vertex with a name, or with a label that no other vertex has.
    ///
    /// # Errors
    /// When no vertex has it, or several.
    pub fn vertex(&self, label: &str) -> Result<u32, IoError> {
        let reason = match self.labels.find(label) {
            Lookup::Vertex(v) => return Ok(v),
            Lookup::Unknown => "no vertex has this name".to_string(),
            Lookup::Ambiguous(u, v) => {
                format!(
                    "several vertices have this label; the first two are called `{}`{} and `{}`{}",
                    short(&self.labels.get(u)),
                    self.on_line(u),
                    short(&self.labels.get(v)),
                    self.on_line(v)
                )
            }
        };
        Err(IoError::Label { file: self.name.clone(), label: label.to_string(), reason })
    }

    /// The tree, checked.
    ///
    /// # Errors
    /// When the parents form a cycle, or there are several roots and
    /// [`TreeParams::forest`] is not set; the message names labels and lines.
    pub fn tree(&self, params: TreeParams) -> Result<Tree, IoError> {
        Tree::with_params(&self.parents, params).map_err(|error| self.explain(error))
    }

    /// Puts labels and lines into an error that names vertices.
    pub fn explain(&self, error: TreeError) -> IoError {
        let name = |v: u32| {
            let known = (v as usize) < self.len();
            if known { short(&self.labels.get(v)).into_owned() } else { v.to_string() }
        };
        let (first, message) = match &error {
            TreeError::Cycle { vertices, length } => {
                let mut path: Vec<String> = vertices.iter().map(|&v| name(v)).collect();
                let closed = if path.len() == *length { path.first().cloned() } else { None };
                path.push(closed.unwrap_or_else(|| "…".to_string()));
                let text = path.join(" → ");
                let message = format!("the parents form a cycle of {length} vertices: {text}");
                (vertices.first().copied(), message)
            }
            TreeError::ManyRoots { first, second, count } => {
                let message = format!(
                    "expected one root, found {count}: `{}` and `{}`{} have no parent",
                    name(*first),
                    name(*second),
                    self.on_line(*second),
                );
                (Some(*first), message)
            }
            TreeError::ParentOutOfRange { vertex, parent, vertices } => {
                let message = format!(
                    "expected a parent below {vertices}, found {parent} for `{}`",
                    name(*vertex)
                );
                (Some(*vertex), message)
            }
            other => (None, other.to_string()),
        };
        let line = first.and_then(|v| self.line_of(v));
        IoError::Tree { file: self.name.clone(), line, message, source: error }
    }

    fn on_line(&self, vertex: u32) -> String {
        if self.lines.are_of_table() {
            return format!(" (row {vertex})");
        }
        self.line_of(vertex).map(|line| format!(" (line {line})")).unwrap_or_default()
    }
}
