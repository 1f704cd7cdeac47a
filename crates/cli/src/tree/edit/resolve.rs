//! `palmette tree resolve`.

use super::EditOptions;
use crate::prelude::*;
use palmette::phylo::edit::{Resolution, resolve};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
    /// How children are joined: comb, balanced or random.
    #[arg(long, value_name = "HOW", default_value = "comb", value_parser = named::<Resolution>())]
    method: Resolution,
    /// Seed for random choices.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let (mut session, loaded) = arguments.edit.open("tree resolve", &[], run)?;
    let &Arguments { method, seed, .. } = arguments;
    session.parameter("method", method.name()).parameter("seed", seed);
    let Loaded { file, tree } = &loaded;
    let lengths = file.lengths.as_deref();
    let edited = session.phase("compute", || resolve(tree, lengths, method, seed));
    if let Ok(edited) = &edited {
        session.record.figure("added", edited.len() - tree.len());
    }
    arguments.edit.close(session, loaded, edited)
}
