//! `palmette tree rename`.

use super::EditOptions;
use crate::input::read_text;
use crate::prelude::*;
use palmette::phylogeny::edit::{read_renames, rename};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    edit: EditOptions,
    /// Table with an old and a new name per row, separated by a tab or a comma. A first row that names
    /// no vertex is a header.
    #[arg(long, value_name = "FILE")]
    names: PathBuf,
    /// Ignore old names that no vertex has.
    #[arg(long)]
    ignore_missing: bool,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let table = &arguments.names;
    let lists = [("--names", Some(table.as_path()))];
    let (mut session, loaded) = arguments.edit.open("tree rename", &lists, run)?;
    session.parameter("names", name_of(table));
    let Loaded { mut file, tree } = loaded;
    let rows = read_renames(&name_of(table), &read_text(table)?)?;
    let found = session
        .phase("compute", || rename(&file, &name_of(table), &rows, arguments.ignore_missing))?;
    if let Some(header) = &found.header {
        session.note(&format!(
            "{}: the first row, `{header}`, names no vertex; treating it as a header",
            name_of(table)
        ));
    }
    if found.shared > 0 {
        session.note(&format!("{} vertices have a new name that others have", found.shared));
    }
    session
        .record
        .figure("renamed", found.renamed)
        .figure("missing", found.missing)
        .figure("shared", found.shared);
    file.labels = found.labels;
    arguments.edit.write(session, &tree, &file)
}
