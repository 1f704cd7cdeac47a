//! Pictures of trees: small ones whole, large ones by their profile.

use crate::session::Session;
use palmette::core::Picture;
use palmette::{Tree, TreeFigures, TreeFile};
use palmette_report::png::{self, RenderError};
use palmette_report::{Dendrogram, TreeAnswer, TreeSummary};
use serde_json::Value;
use std::path::Path;

/// A tree with more is drawn by its profile.
const MOST_LEAVES: usize = 200;
const MOST_VERTICES: usize = 1000;

/// A picture and, for pages, what more there is to see.
pub(crate) struct Drawn {
    pub(crate) svg: String,
    pub(crate) view: Option<Value>,
}

impl From<String> for Drawn {
    fn from(svg: String) -> Drawn {
        Drawn { svg, view: None }
    }
}

/// Pixels for one of a picture in PNG files.
const SCALE: f32 = 2.0;

/// A picture as a PNG file.
pub(crate) fn to_png(svg: &str) -> Result<Vec<u8>, RenderError> {
    // What turns panics into errors says nothing on stderr; no other thread works meanwhile.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let file = png::render(svg, SCALE);
    std::panic::set_hook(hook);
    file
}

/// Draws what is wanted: in files (`--svg`, `--png`, and `path` in a folder of results), in the
/// record for a report, or in both. The name is that of the picture in reports, with its heading.
pub(crate) fn show<D: Into<Drawn>>(
    session: &mut Session,
    (name, heading): (&str, &str),
    path: Option<&Path>,
    draw: impl FnOnce() -> D,
) -> anyhow::Result<()> {
    if path.is_none() && !session.wants(name) {
        return Ok(());
    }
    let Drawn { svg, view } = session.phase("draw", || draw().into());
    session.write_picture(name, &svg)?;
    path.map_or(Ok(()), |path| session.write_text(path, &svg))?;
    if session.keeps_pictures() {
        let (name, title) = (name.to_string(), heading.to_string());
        session.record.pictures.push(Picture { name, title, svg, view });
    }
    Ok(())
}

/// Draws a tree; `values` are a quantity's name and its value by vertex.
pub(crate) fn draw(
    session: &mut Session,
    file: &TreeFile,
    tree: &Tree,
    values: Option<(&str, Vec<f64>)>,
) -> anyhow::Result<()> {
    if !session.draws() {
        return Ok(());
    }
    if tree.leaves() <= MOST_LEAVES && tree.len() <= MOST_VERTICES {
        let svg = dendrogram(file, tree, values)?;
        return show(session, ("tree", "The tree"), None, || svg);
    }
    let values = match values {
        Some((name, by_vertex)) => Some((name, tree.to_positions(&by_vertex)?)),
        None => None,
    };
    let svg = || {
        let (figures, title) = (TreeFigures::of(tree), title(&file.name));
        let Some((name, values)) = &values else { return summary(&title, &figures) };
        let answer = TreeAnswer { name, values, depths: &tree.depths() };
        profile(&title, &figures).with_answer(&answer)
    };
    show(session, ("tree", "The profile of the tree"), None, svg)
}

/// The profile of a tree of any size.
pub(crate) fn summary(title: &str, figures: &TreeFigures) -> String {
    profile(title, figures).to_svg()
}

fn profile<'a>(title: &'a str, figures: &'a TreeFigures) -> TreeSummary<'a> {
    let leaves = figures.leaves as u64;
    TreeSummary { title, leaves, levels: &figures.levels, degrees: &figures.degrees }
}

fn dendrogram(
    file: &TreeFile,
    tree: &Tree,
    values: Option<(&str, Vec<f64>)>,
) -> anyhow::Result<String> {
    let label = |position: u32| file.labels.label(tree.vertices()[position as usize]).into_owned();
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
