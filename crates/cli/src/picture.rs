//! Pictures of trees: small ones whole, large ones by their profile.

use crate::output::unfinished;
use crate::session::Session;
use anyhow::bail;
use palmette::io::Output;
use palmette::{Tree, TreeFigures, TreeFile};
use palmette_report::{Dendrogram, TreeSummary};
use std::io::Write;
use std::path::Path;

/// A tree with more is drawn by its profile.
const MOST_LEAVES: usize = 200;
const MOST_VERTICES: usize = 1000;

/// Draws a tree; `values` are a quantity's name and its value by vertex. The file
/// appears when the output is finished: after all else that can fail.
pub(crate) fn draw(
    session: &mut Session,
    path: &Path,
    file: &TreeFile,
    tree: &Tree,
    values: Option<(&str, Vec<f64>)>,
) -> anyhow::Result<Output> {
    let svg = if tree.leaves() <= MOST_LEAVES && tree.len() <= MOST_VERTICES {
        dendrogram(file, tree, values)?
    } else {
        summary(&title(&file.name), &TreeFigures::of(tree))
    };
    session.record.parameter("svg", path.display().to_string());
    session.phase("write", || written(path, &svg))
}

/// The profile of a tree of any size.
pub(crate) fn summary(title: &str, figures: &TreeFigures) -> String {
    let leaves = figures.leaves as u64;
    TreeSummary { title, leaves, levels: &figures.levels, degrees: &figures.degrees }.to_svg()
}

/// Writes a text whole or not at all.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    Ok(written(path, text)?.finish()?)
}

/// A text that appears when the output is finished.
pub(crate) fn written(path: &Path, text: &str) -> anyhow::Result<Output> {
    if path.as_os_str() == "-" {
        bail!("expected a file after --svg, found `-`");
    }
    Ok(unfinished(path, |out| out.write_all(text.as_bytes()))?)
}

fn dendrogram(
    file: &TreeFile,
    tree: &Tree,
    values: Option<(&str, Vec<f64>)>,
) -> anyhow::Result<String> {
    let label = |position: u32| {
        let vertex = tree.vertices()[position as usize];
        match file.labels.is_labelled(vertex) {
            true => file.labels.get(vertex).into_owned(),
            false => String::new(),
        }
    };
    let lengths = file.lengths.as_deref().map(|lengths| tree.to_positions(lengths)).transpose()?;
    let values = match values {
        Some((name, by_vertex)) => Some((name, tree.to_positions(&by_vertex)?)),
        None => None,
    };
    let picture = Dendrogram {
        title: &title(&file.name),
        parents: tree.parents(),
        labels: &label,
        lengths: lengths.as_deref(),
        values: values.as_ref().map(|(name, values)| (*name, &values[..])),
    };
    Ok(picture.to_svg())
}

/// What a picture calls a file.
pub(crate) fn title(file: &str) -> String {
    let name = Path::new(file).file_name();
    name.map_or(file.to_string(), |name| name.to_string_lossy().into_owned())
}
