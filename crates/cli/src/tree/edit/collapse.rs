//! `palmette tree collapse`.

use super::{EditOptions, number};
use crate::prelude::*;
use palmette::phylo::edit::{CollapsedLength, EditError, collapse, shorter_than, support_below};
use palmette::phylogeny::edit::EditProblem;

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("limit").required(true).multiple(true)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
    /// Collapse inner branches shorter than this.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true, value_parser = number, group = "limit")]
    shorter_than: Option<f64>,
    /// Collapse branches with less support than this; those without support stay.
    #[arg(long, value_name = "SUPPORT", value_parser = number, group = "limit")]
    support_below: Option<f64>,
    /// Add the length of a collapsed branch to those below it, which keeps distances to the root, or
    /// drop it.
    #[arg(long, value_name = "add|drop", default_value = "add", value_parser = named::<CollapsedLength>())]
    lengths: CollapsedLength,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let (mut session, loaded) = arguments.edit.open("tree collapse", &[], run)?;
    session.parameter("lengths", arguments.lengths.name());
    let Loaded { file, tree } = &loaded;
    let lengths = file.lengths.as_deref();
    let mut gone = vec![false; tree.len()];
    let wrong = |error| EditProblem::of(file, error);
    if let Some(limit) = arguments.shorter_than {
        session.parameter("shorter_than", limit);
        let lengths = lengths.ok_or_else(|| wrong(EditError::NoLengths))?;
        gone = shorter_than(tree, lengths, limit).map_err(wrong)?;
    }
    if let Some(limit) = arguments.support_below {
        session.parameter("support_below", limit);
        let Some(support) = &file.support else {
            bail!("{}: no branch has support", file.name);
        };
        let weak = support_below(tree, support, limit).map_err(wrong)?;
        gone.iter_mut().zip(weak).for_each(|(gone, weak)| *gone |= weak);
    }
    let edited = session.phase("compute", || collapse(tree, lengths, &gone, arguments.lengths));
    if let Ok(edited) = &edited {
        session.record.figure("collapsed", tree.len() - edited.len());
    }
    arguments.edit.close(session, loaded, edited)
}
