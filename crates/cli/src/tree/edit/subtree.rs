//! `palmette tree subtree`.

use super::EditOptions;
use crate::name_list::NameList;
use crate::prelude::*;
use palmette::phylo::edit::{common_ancestor, subtree};
use palmette::phylogeny::edit::{EditProblem, TipList};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
    /// Vertex at the top; for several, their lowest common ancestor. Names with commas between them,
    /// or @FILE with a name per line.
    #[arg(long, value_name = "LIST", value_parser = NameList::parse)]
    of: NameList,
    /// Ignore names that no vertex has.
    #[arg(long)]
    ignore_missing: bool,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let lists = [("--of", arguments.of.path())];
    let (mut session, loaded) = arguments.edit.open("tree subtree", &lists, run)?;
    let Loaded { file, tree } = &loaded;
    let ignore_missing = arguments.ignore_missing;
    let list = TipList { ignore_missing, ..TipList::names(arguments.of.read()?) };
    let (vertices, missing) = list.vertices(file)?;
    session.record.figure("missing", missing);
    let top = common_ancestor(tree, &vertices).map_err(|error| EditProblem::of(file, error))?;
    session.record.figure("top", file.labels.get(top).into_owned());
    let edited = session.phase("compute", || subtree(tree, file.lengths.as_deref(), top));
    arguments.edit.close(session, loaded, edited)
}
