//! `palmette tree reroot`.

use super::{EditOptions, fraction};
use crate::name_list::{NameList, path_of};
use crate::prelude::*;
use palmette::phylo::edit::{
    EditError, Edited, RootPlace, midpoint, min_variance, outgroup, reroot, unroot,
};
use palmette::phylogeny::edit::{TipList, join_supports, set_rooted};

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("place").required(true)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
    /// In the middle of the longest path between two tips.
    #[arg(long, group = "place")]
    midpoint: bool,
    /// On the branch between these tips and all others: names with commas between them, or @FILE
    /// with a name per line.
    #[arg(long, value_name = "LIST", value_parser = NameList::parse, group = "place")]
    outgroup: Option<NameList>,
    /// Where the variance of the distances to the tips is least.
    #[arg(long, group = "place")]
    min_variance: bool,
    /// Nowhere: three branches or more at the top.
    #[arg(long, group = "place")]
    unroot: bool,
    /// On the branch above this vertex.
    #[arg(long, value_name = "NAME", group = "place")]
    at: Option<String>,
    /// With --at and --outgroup: the share of the branch on the side of the vertex or outgroup.
    #[arg(long, value_name = "F", default_value_t = 0.5, value_parser = fraction)]
    fraction: f64,
    /// Ignore names that no vertex has.
    #[arg(long)]
    ignore_missing: bool,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let lists = [("--outgroup", path_of(arguments.outgroup.as_ref()))];
    let (mut session, mut loaded) = arguments.edit.open("tree reroot", &lists, run)?;
    if let Some(note) = join_supports(&mut loaded.file.support, &loaded.tree) {
        session.note(&format!("{}: {note}", loaded.file.name));
    }
    let way = match arguments {
        Arguments { midpoint: true, .. } => "midpoint",
        Arguments { min_variance: true, .. } => "min-variance",
        Arguments { unroot: true, .. } => "unroot",
        Arguments { outgroup: Some(_), .. } => "outgroup",
        _ => "at",
    };
    session.parameter("root", way);
    let edited = place(&mut session, arguments, &loaded)?;
    if let Ok(edited) = &edited {
        note_lost_root(&session, &loaded, edited);
    }
    set_rooted(&mut loaded.file, !arguments.unroot);
    arguments.edit.close(session, loaded, edited)
}

/// Moves the root, and notes where it is.
fn place(
    session: &mut Session,
    arguments: &Arguments,
    Loaded { file, tree }: &Loaded,
) -> Result<Result<Edited, EditError>> {
    let lengths = file.lengths.as_deref();
    let name = |v: u32| file.labels.get_alone(v).into_owned();
    Ok(if arguments.midpoint {
        session.phase("compute", || midpoint(tree, lengths)).map(|found| {
            note_place(session, found.place, &name);
            session
                .record
                .figure("diameter", found.diameter)
                .figure("diameter_from", name(found.ends.0))
                .figure("diameter_to", name(found.ends.1));
            found.edited
        })
    } else if arguments.min_variance {
        session.phase("compute", || min_variance(tree, lengths)).map(|found| {
            note_place(session, found.place, &name);
            session.record.figure("variance", found.variance);
            found.edited
        })
    } else if let Some(list) = &arguments.outgroup {
        session.parameter("fraction", arguments.fraction);
        let ignore_missing = arguments.ignore_missing;
        let out = TipList { ignore_missing, ..TipList::names(list.read()?) };
        let out = session.phase("find", || out.choose(file, tree))?;
        session.record.figure("outgroup_tips", out.tips).figure("missing", out.missing);
        let found =
            session.phase("compute", || outgroup(tree, lengths, &out.chosen, arguments.fraction));
        found.map(|found| {
            session.record.figure("root_branch", name(found.branch));
            found.edited
        })
    } else if let Some(at) = &arguments.at {
        session.parameter("fraction", arguments.fraction);
        let vertex = file.vertex(at)?;
        session.record.figure("root_branch", name(vertex));
        let place = RootPlace::Share { vertex, share: arguments.fraction };
        session.phase("compute", || reroot(tree, lengths, place))
    } else {
        session.phase("compute", || unroot(tree, lengths))
    })
}

fn note_place(session: &mut Session, place: RootPlace, name: &dyn Fn(u32) -> String) {
    match place {
        RootPlace::Distance { vertex, distance } => {
            session.record.figure("root_branch", name(vertex)).figure("root_distance", distance)
        }
        RootPlace::Share { vertex, .. } | RootPlace::Vertex(vertex) => {
            session.record.figure("root_branch", name(vertex))
        }
    };
}

/// A root with two children is no vertex of the unrooted tree: its name goes with it.
fn note_lost_root(session: &Session, Loaded { file, tree }: &Loaded, edited: &Edited) {
    let Some(&root) = tree.vertices().first() else { return };
    if file.labels.is_labelled(root) && !edited.origin.contains(&root) {
        let name = shown(&file.labels.label(root));
        session.note(&format!(
            "{}: the old root {name} only divided a branch; it is gone, with its name",
            file.name
        ));
    }
}
