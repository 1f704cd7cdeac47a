//! `palmette tree info`.

use crate::prelude::*;
use palmette::figures::TreeInfo;
use palmette::tree::paths::{PathError, diameter_weighted};

#[derive(Debug, Args)]
#[command(arg = not_in_place())]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the tree: in full up to 200 leaves, otherwise vertices by depth and by \
        degree")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Also find the longest path by branch lengths.
    #[arg(long)]
    lengths: bool,
    #[command(flatten)]
    pictures: PictureOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let files = Files::of(&arguments.input.file).draws(&arguments.pictures, "tree");
    let mut session = Session::open("tree info", files, run)?;
    let lengths = match arguments.lengths {
        true => Lengths::Required,
        false if session.draws() => Lengths::IfAny,
        false => Lengths::No,
    };
    let needs = Needs { lengths, ..Needs::default() };
    let loaded = load(&mut session, &arguments.input, &needs)?;
    let Loaded { file, tree } = &loaded;
    let mut info = session.phase("compute", || TreeInfo::of(file, tree));
    if let (true, Some(lengths)) = (arguments.lengths, &file.lengths) {
        let by_position = tree.to_positions(lengths)?;
        let path = session.phase("compute", || diameter_weighted(tree, &by_position));
        let path = path.map_err(|error| match error {
            PathError::EdgeLength { position, length } => {
                let vertex = tree.vertices()[position as usize];
                let line = file.line_of(vertex);
                let line = line.map_or(String::new(), |line| format!(", line {line}"));
                let name = &file.name;
                anyhow!(
                    "{name}{line}: the branch length above {} is negative: {length}",
                    shown(&file.labels.get(vertex))
                )
            }
            other => other.into(),
        })?;
        info.longest = path;
    }
    session.figures(&info);
    if session.draws() {
        let drawn = session.phase("draw", || pictures::tree(file, tree, None))?;
        keep(&mut session, None, drawn)?;
    }
    session.finish()
}
