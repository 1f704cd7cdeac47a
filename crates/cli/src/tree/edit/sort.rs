//! `palmette tree sort`.

use super::EditOptions;
use crate::prelude::*;
use palmette::phylo::edit::sort;
use palmette::phylogeny::edit::ranks_by_name;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let (mut session, loaded) = arguments.edit.open("tree sort", &[], run)?;
    let Loaded { file, tree } = &loaded;
    let ranks = session.phase("find", || ranks_by_name(file, tree));
    let edited = session.phase("compute", || sort(tree, file.lengths.as_deref(), &ranks));
    arguments.edit.close(session, loaded, edited)
}
