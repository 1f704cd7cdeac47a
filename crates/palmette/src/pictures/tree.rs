//! A tree: a small one whole, a large one by its profile.

use super::{still, title};
use crate::TreeFigures;
use crate::aggregate::as_floats;
use palmette_core::{Picture, Tree, TreeError};
use palmette_io::{TreeFile, Values};
use palmette_report::{Dendrogram, TreeAnswer, TreeSummary};

/// Larger trees are drawn by their profile.
const MOST_LEAVES: usize = 200;
const MOST_VERTICES: usize = 1000;

/// A tree; `values` are a quantity's name and its value by vertex.
///
/// # Errors
/// Lengths or values that are not as many as vertices.
pub fn tree(
    file: &TreeFile,
    tree: &Tree,
    values: Option<(&str, &Values)>,
) -> Result<Picture, TreeError> {
    let title = title(&file.name);
    let floats = |values: &Values| tree.to_positions(&as_floats(values.as_slice()));
    let positioned = values.map(|(name, values)| Ok((name, floats(values)?)));
    let values: Option<(&str, Vec<f64>)> = positioned.transpose()?;
    if tree.leaves() <= MOST_LEAVES && tree.len() <= MOST_VERTICES {
        let lengths = file.lengths.as_deref().map(|all| tree.to_positions(all)).transpose()?;
        let picture = Dendrogram {
            title: &title,
            parents: tree.parents(),
            labels: &|position| file.labels.label(tree.vertices()[position as usize]).into_owned(),
            lengths: lengths.as_deref(),
            values: values.as_ref().map(|(name, values)| (*name, &values[..])),
        };
        return Ok(still("tree", "The tree", picture.to_svg()));
    }
    let TreeFigures { leaves, levels, degrees, .. } = TreeFigures::of(tree);
    let profile =
        TreeSummary { title: &title, leaves: leaves as u64, levels: &levels, degrees: &degrees };
    let svg = match &values {
        Some((name, values)) => {
            profile.with_answer(&TreeAnswer { name, values, depths: &tree.depths() })
        }
        None => profile.to_svg(),
    };
    Ok(still("tree", "The profile of the tree", svg))
}
