//! What a tree is written from, and into any format.

use crate::annotation::{Annotation, AnnotationStyle};
use crate::columnar::put_parent_columns;
use crate::labels::Labels;
use crate::newick::{put_newick, put_nexus};
use crate::tree_file::{Rooting, TreeFacts, TreeFile};
use crate::values::Column;
use crate::write::{invalid, put_parent_table};
use crate::{Format, losses, write_edges, write_npy_parents};
use palmette_core::Tree;
use std::io::{self, Write};

/// All that is known of a tree's vertices, by vertex. Lent: an edit fills it from where it has it.
#[derive(Debug, Clone, Copy)]
pub struct TreeParts<'a> {
    /// Parents; [`palmette_core::NONE`] for a root.
    pub parents: &'a [u32],
    /// Labels.
    pub labels: &'a Labels,
    /// Lengths of the branches to parents.
    pub lengths: Option<&'a [f64]>,
    /// Support of the branches to parents, NaN where there is none.
    pub support: Option<&'a [f64]>,
    /// Annotations.
    pub annotations: &'a [Annotation],
    /// What is said of each tree, in the order of roots; or nothing.
    pub trees: &'a [TreeFacts],
    /// Columns of numbers.
    pub columns: &'a [Column],
}

impl<'a> TreeParts<'a> {
    /// Parents and labels only.
    pub fn new(parents: &'a [u32], labels: &'a Labels) -> TreeParts<'a> {
        TreeParts {
            parents,
            labels,
            lengths: None,
            support: None,
            annotations: &[],
            trees: &[],
            columns: &[],
        }
    }

    /// Whether vertices have neither support nor annotations.
    pub(crate) fn is_bare(&self) -> bool {
        self.support.is_none() && self.annotations.is_empty()
    }

    /// What is lost when this is written in a format, in words for a message; nothing where what is
    /// written reads back as the same tree.
    pub fn losses(&self, format: Format, style: AnnotationStyle) -> Vec<&'static str> {
        let &TreeParts { parents, labels, lengths, annotations, trees, columns, .. } = self;
        let mut lost = losses(format, parents, labels, lengths, columns);
        let nested = matches!(format, Format::Newick | Format::Nexus);
        let kept = format.is_table() || nested && style != AnnotationStyle::None;
        let some = |what: fn(&TreeFacts) -> bool| trees.iter().any(what);
        let of_trees = some(|tree| !tree.annotations.is_empty());
        let more = [
            ("support", self.support.is_some() && !format.is_table() && !nested),
            ("annotations", !kept && (!annotations.is_empty() || nested && of_trees)),
            ("annotations of trees", !nested && of_trees),
            ("names of trees", format != Format::Nexus && some(|tree| !tree.name.is_empty())),
            (
                "whether trees are rooted",
                format != Format::Nexus
                    && !(format == Format::Newick && style != AnnotationStyle::None)
                    && some(|tree| tree.rooting != Rooting::Unstated),
            ),
        ];
        lost.extend(more.iter().filter(|one| one.1).map(|one| one.0));
        lost
    }
}

impl TreeFile {
    /// The file's own parts.
    pub fn parts(&self) -> TreeParts<'_> {
        TreeParts {
            lengths: self.lengths.as_deref(),
            support: self.support.as_deref(),
            annotations: &self.annotations,
            trees: &self.trees,
            columns: &self.columns,
            ..TreeParts::new(&self.parents, &self.labels)
        }
    }
}

/// Writes a tree or a forest in any format that is written. `tree` has the order of children for
/// Newick and NEXUS, `parts` all by vertex; `style` is how these two hold annotations. Support is
/// the label of inner vertices there (see `newick/write.rs` for where it cannot be), and a column
/// `support` in tables, where annotations are columns `&key`. [`TreeParts::losses`] says what a
/// format does not hold.
///
/// # Errors
/// When writing fails, a style cannot hold an annotation, or the format is not written
/// (`InvalidInput`).
pub fn write_tree(
    out: &mut dyn Write,
    format: Format,
    tree: &Tree,
    parts: &TreeParts<'_>,
    style: AnnotationStyle,
) -> io::Result<()> {
    match format {
        Format::Csv => put_parent_table(out, b',', parts),
        Format::Tsv => put_parent_table(out, b'\t', parts),
        Format::Npy => write_npy_parents(out, parts.parents),
        Format::Newick => put_newick(out, tree, parts, style),
        Format::Nexus => put_nexus(out, tree, parts, style),
        Format::Edges => write_edges(out, parts.parents, parts.labels),
        Format::Parquet | Format::Arrow => put_parent_columns(out, format, parts),
        Format::PhyloXml => Err(invalid("phyloxml is read, not written; use nexus")),
    }
}
