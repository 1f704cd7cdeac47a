//! `palmette tree prune`.

use super::EditOptions;
use crate::name_list::{NameList, path_of};
use crate::prelude::*;
use palmette::phylo::edit::{Unifurcations, prune};
use palmette::phylogeny::edit::TipList;

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("tips").required(true).multiple(true)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
    /// Tips to keep: names with commas between them, or @FILE with a name per line. The name of an
    /// inner vertex stands for all tips below it.
    #[arg(long, value_name = "LIST", value_parser = NameList::parse, group = "tips")]
    #[arg(conflicts_with_all = ["drop", "drop_pattern"])]
    keep: Option<NameList>,
    /// Tips to drop, given the same way.
    #[arg(long, value_name = "LIST", value_parser = NameList::parse, group = "tips")]
    drop: Option<NameList>,
    /// Keep tips with names like this: `*` is any text, `?` one character.
    #[arg(long, value_name = "PATTERN", group = "tips")]
    #[arg(conflicts_with_all = ["drop", "drop_pattern"])]
    keep_pattern: Vec<String>,
    /// Drop tips with names like this.
    #[arg(long, value_name = "PATTERN", group = "tips")]
    drop_pattern: Vec<String>,
    /// What becomes of vertices with one child: suppress (lengths are added) or keep.
    #[arg(long, value_name = "WHAT", default_value = "suppress", value_parser = named::<Unifurcations>())]
    unifurcations: Unifurcations,
    /// Ignore names and patterns that no vertex has.
    #[arg(long)]
    ignore_missing: bool,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let (keep, drop) = (arguments.keep.as_ref(), arguments.drop.as_ref());
    let lists = [("--keep", path_of(keep)), ("--drop", path_of(drop))];
    let (mut session, loaded) = arguments.edit.open("tree prune", &lists, run)?;
    let Loaded { file, tree } = &loaded;
    let dropped = drop.is_some() || !arguments.drop_pattern.is_empty();
    let list = TipList {
        names: keep.or(drop).map(NameList::read).transpose()?.unwrap_or_default(),
        patterns: match dropped {
            true => arguments.drop_pattern.clone(),
            false => arguments.keep_pattern.clone(),
        },
        ignore_missing: arguments.ignore_missing,
    };
    session.parameter("unifurcations", arguments.unifurcations.name());
    let found = session.phase("find", || list.choose(file, tree))?;
    session
        .record
        .figure(if dropped { "dropped" } else { "kept" }, found.tips)
        .figure("missing", found.missing);
    if found.missing > 0 {
        session.note(&format!("{}: {} names are of no vertex", file.name, found.missing));
    }
    let keep: Vec<bool> = found.chosen.iter().map(|&chosen| chosen != dropped).collect();
    let lengths = file.lengths.as_deref();
    let edited = session.phase("compute", || prune(tree, lengths, &keep, arguments.unifurcations));
    arguments.edit.close(session, loaded, edited)
}
