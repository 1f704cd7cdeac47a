//! `palmette tree graft`.

use super::{EditOptions, fraction};
use crate::limit::limit;
use crate::prelude::*;
use palmette::io::TreeInput;
use palmette::phylo::edit::{EditError, GraftPlace, graft};
use palmette::phylogeny::edit::{EditProblem, apply, both};
use palmette::{ReadParams, TreeParams};

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("place").required(true)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
    /// Tree to hang into the other, in any format of trees. The branch above it has its root's length.
    #[arg(long = "with", value_name = "FILE")]
    scion: PathBuf,
    /// Below this vertex, as its last child.
    #[arg(long, value_name = "NAME", group = "place")]
    below: Option<String>,
    /// On the branch above this vertex.
    #[arg(long, value_name = "NAME", group = "place")]
    above: Option<String>,
    /// With --above: the share of the branch below the new vertex.
    #[arg(long, value_name = "F", default_value_t = 0.5, value_parser = fraction)]
    fraction: f64,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let lists = [("--with", Some(arguments.scion.as_path()))];
    let (mut session, Loaded { file, tree }) = arguments.edit.open("tree graft", &lists, run)?;
    session.parameter("with", name_of(&arguments.scion));
    let missing_length = arguments.edit.input.missing_length;
    let params = ReadParams {
        lengths: true,
        annotations: true,
        missing_length,
        limit: limit(),
        ..Default::default()
    };
    let (scion, twigs) = session.phase("read", || {
        let scion = TreeInput::open(&arguments.scion, limit(), &params)?.read(&params)?;
        let twigs = scion.tree(TreeParams::default())?;
        Ok::<_, IoError>((scion, twigs))
    })?;
    let place = match (&arguments.below, &arguments.above) {
        (Some(name), _) => GraftPlace::Below(file.vertex(name)?),
        (None, above) => {
            let name = above.as_deref().unwrap_or_default();
            session.parameter("fraction", arguments.fraction);
            GraftPlace::Above { vertex: file.vertex(name)?, share: arguments.fraction }
        }
    };
    let (lengths, more) = (file.lengths.as_deref(), scion.lengths.as_deref());
    let edited = session.phase("compute", || graft(&tree, lengths, &twigs, more, place));
    let edited = edited.map_err(|error| match error {
        EditError::OneHasLengths => {
            let (with, without) = match lengths {
                Some(_) => (&file.name, &scion.name),
                None => (&scion.name, &file.name),
            };
            anyhow!("{with} has branch lengths, but {without} has none")
        }
        error => EditProblem::of(&file, error).into(),
    })?;
    session.record.figure("grafted", twigs.len());
    let file = session.phase("compute", || apply(both(file, &scion), edited));
    arguments.edit.write(session, &tree, &file)
}
