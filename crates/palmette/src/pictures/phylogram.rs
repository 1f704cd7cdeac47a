//! A phylogeny of any size, and a page to look around in it.

use super::{still, title};
use crate::figures::PhylogramFigures;
use crate::phylogeny::colours::{ColourColumn, ColourKind};
use crate::phylogeny::drawn::DrawnTree;
use palmette_core::{Picture, TreeError};
use palmette_report::{BranchColours, Phylogram, TreePage};

pub use palmette_report::{MOST_ROWS, TreeForm};

/// How a phylogeny is drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PhylogramParams {
    /// Straight or around a circle.
    pub form: TreeForm,
    /// At most so many rows; none stands for as many as are easy to read.
    pub rows: Option<usize>,
    /// Clades to collapse, by vertex.
    pub collapse: Vec<u32>,
    /// Clades to mark, by vertex, with words; empty ones stand for the name.
    pub highlight: Vec<(u32, String)>,
    /// The unit of branch lengths.
    pub unit: String,
    /// How much support gets a dot; none stands for 90, or 0.9 where no support is above 1.
    pub support: Option<f64>,
}

/// Draws a phylogeny: large clades are triangles.
///
/// # Errors
/// Lengths or supports that are not as many as vertices.
pub fn phylogram(
    of: &DrawnTree<'_>,
    colours: Option<&ColourColumn>,
    params: &PhylogramParams,
) -> Result<(Picture, PhylogramFigures), TreeError> {
    let tree = of.tree;
    let title = title(of.title);
    let lengths = of.lengths.map(|all| tree.to_positions(all)).transpose()?;
    let support = of.support.map(|all| tree.to_positions(all)).transpose()?;
    let least = params.support.unwrap_or_else(|| usual_support(support.as_deref()));
    let position = |v: u32| tree.positions()[v as usize];
    let collapsed: Vec<u32> = params.collapse.iter().map(|&v| position(v)).collect();
    let highlights: Vec<(u32, String)> =
        params.highlight.iter().map(|(v, words)| (position(*v), words.clone())).collect();
    let labels = |p: u32| of.label(p).into_owned();
    let drawn = Phylogram {
        lengths: lengths.as_deref(),
        unit: &params.unit,
        form: params.form,
        limit: params.rows.unwrap_or_else(|| params.form.usual_limit()),
        collapsed: &collapsed,
        highlights: &highlights,
        colours: colours.map(lent),
        colour_note: colours.map_or("", ColourColumn::note),
        support: support.as_deref().map(|all| (all, least)),
        ..Phylogram::new(&title, tree.parents(), &labels)
    }
    .draw();
    let hidden = drawn.hidden.iter().map(|&p| tree.vertices()[p as usize]).collect();
    let figures = PhylogramFigures {
        vertices: tree.len(),
        tips: tree.leaves(),
        rows: drawn.rows,
        clades: drawn.clades,
        groups: drawn.groups,
        single_tips: drawn.tips,
        hidden,
    };
    Ok((still("tree", "The tree", drawn.svg), figures))
}

/// A page to look around in a phylogeny, which opens in a form, with a still picture for those without a script.
///
/// # Errors
/// Lengths or supports that are not as many as vertices.
pub fn tree_page(
    of: &DrawnTree<'_>,
    colours: Option<&ColourColumn>,
    params: &PhylogramParams,
    still: &str,
) -> Result<String, TreeError> {
    let tree = of.tree;
    let title = title(of.title);
    let lengths = of.lengths.map(|all| tree.to_positions(all)).transpose()?;
    let support = of.support.map(|all| tree.to_positions(all)).transpose()?;
    let labels = |p: u32| of.label(p);
    let page = TreePage {
        lengths: lengths.as_deref(),
        unit: &params.unit,
        circular: params.form == TreeForm::Circular,
        support: support.as_deref(),
        colours: colours.map(lent),
        colour_note: colours.map_or("", ColourColumn::note),
        still,
        ..TreePage::new(&title, tree.parents(), &labels)
    };
    Ok(page.to_html())
}

/// Nearly sure, in percent or as a share.
fn usual_support(support: Option<&[f64]>) -> f64 {
    let above = support.is_some_and(|all| all.iter().any(|&s| s > 1.0));
    if above { 90.0 } else { 0.9 }
}

fn lent(column: &ColourColumn) -> BranchColours<'_> {
    let name = &column.name;
    match &column.kind {
        ColourKind::Numbers(values) => BranchColours::Values { name, values },
        ColourKind::Classes(classes, names) => BranchColours::Classes { name, classes, names },
    }
}
