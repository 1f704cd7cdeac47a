//! `palmette tree info`.

use crate::arguments::{InputOptions, PictureOptions, RunOptions};
use crate::files::Files;
use crate::input::{Lengths, Loaded, Needs, load};
use crate::picture;
use crate::session::Session;
use clap::Args;
use palmette::TreeFigures;
use palmette::io::shown;
use palmette::tree::paths::{PathError, centroids, diameter, diameter_weighted};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the tree: whole up to 200 leaves, else vertices by depth and by degree")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Also the longest path by branch lengths.
    #[arg(long)]
    lengths: bool,
    #[command(flatten)]
    pictures: PictureOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> anyhow::Result<()> {
    let files = Files::of(&arguments.input.file).draws(&arguments.pictures, "tree");
    let mut session = Session::open("tree info", files, run)?;
    let lengths = match arguments.lengths {
        true => Lengths::Required,
        false if session.draws() => Lengths::IfAny,
        false => Lengths::No,
    };
    let needs = Needs { lengths, ..Needs::default() };
    let loaded = load(&mut session, &arguments.input, &needs)?;
    let (figures, middle, longest) = session.phase("compute", || {
        let tree = &loaded.tree;
        (TreeFigures::of(tree), centroids(tree), diameter(tree))
    });
    let Loaded { file, tree } = &loaded;
    let label = |position: u32| file.labels.get(tree.vertices()[position as usize]).into_owned();
    session
        .record
        .figure("vertices", figures.vertices)
        .figure("roots", figures.roots)
        .figure("leaves", figures.leaves)
        .figure("height", figures.height)
        .figure("max_children", figures.max_children)
        .figure("mean_depth", figures.mean_depth);
    if let [centroids] = middle[..] {
        session.record.figure("centroid", label(centroids.first));
    }
    if let Some(path) = longest {
        session
            .record
            .figure("diameter", path.length)
            .figure("diameter_from", label(path.ends.0))
            .figure("diameter_to", label(path.ends.1));
    }
    if let (true, Some(lengths)) = (arguments.lengths, &file.lengths) {
        let by_position = tree.to_positions(lengths)?;
        let path = session.phase("compute", || diameter_weighted(tree, &by_position));
        let path = path.map_err(|error| match error {
            PathError::EdgeLength { position, length } => {
                let line = file.line_of(tree.vertices()[position as usize]);
                let line = line.map_or(String::new(), |line| format!(", line {line}"));
                let name = &file.name;
                anyhow::anyhow!(
                    "{name}{line}: expected a branch length of at least 0 above {}, found {length}",
                    shown(&label(position))
                )
            }
            other => other.into(),
        })?;
        if let Some(path) = path {
            session
                .record
                .figure("diameter_length", path.length)
                .figure("diameter_length_from", label(path.ends.0))
                .figure("diameter_length_to", label(path.ends.1));
        }
    }
    session.record.figure("input_order", figures.input_order.to_string());
    // Parents, sizes and the two permutations.
    session.record.figure("bytes_per_vertex", 4 * size_of::<u32>());
    picture::draw(&mut session, file, tree, None)?;
    session.finish()
}
