//! `palmette tree ladderize`.

use super::EditOptions;
use crate::prelude::*;
use palmette::phylo::edit::{LadderOrder, ladderize};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
    /// Children with few tips first (ascending) or with many (descending); ties as in the file.
    #[arg(long, value_name = "ORDER", default_value = "ascending", value_parser = named::<LadderOrder>())]
    order: LadderOrder,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let (mut session, loaded) = arguments.edit.open("tree ladderize", &[], run)?;
    session.parameter("order", arguments.order.name());
    let Loaded { file, tree } = &loaded;
    let lengths = file.lengths.as_deref();
    let edited = session.phase("compute", || ladderize(tree, lengths, arguments.order));
    arguments.edit.close(session, loaded, edited)
}
