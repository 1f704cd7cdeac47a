//! Verbs that make a tree from a tree: what they share.

pub(super) mod collapse;
pub(super) mod graft;
pub(super) mod ladderize;
pub(super) mod prune;
pub(super) mod rename;
pub(super) mod reroot;
pub(super) mod resolve;
pub(super) mod sort;
pub(super) mod subtree;

use crate::output::{AnnotationOptions, TreeText, format_of};
use crate::prelude::*;
use palmette::figures::EditFigures;
use palmette::io::Format;
use palmette::phylo::edit::{EditError, Edited};
use palmette::phylogeny::edit::{EditProblem, apply};

/// The tree to edit, and where the new one goes.
#[derive(Debug, Args)]
pub(super) struct EditOptions {
    #[command(flatten)]
    pub(super) input: InputOptions,
    /// Output tree; the extension decides the format, optionally gz or zst (default: stdout).
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format, overriding the name (default on stdout: that of the input).
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>())]
    to: Option<Format>,
    #[command(flatten)]
    annotations: AnnotationOptions,
}

impl EditOptions {
    /// Opens the session of a verb that reads these files beside the tree, and reads the tree.
    pub(super) fn open(
        &self,
        verb: &str,
        lists: &[(&'static str, Option<&Path>)],
        run: &RunOptions,
    ) -> Result<(Session, Loaded)> {
        let mut files = Files::of(&self.input.file);
        for (option, path) in lists {
            files = files.reads(option, *path);
        }
        let files = files.writes("-o", self.output.as_deref(), Kind::tree(self.to.is_some()));
        let mut session = Session::open(verb, files, run)?;
        let needs = Needs { lengths: Lengths::WherePresent, annotations: true, ..Needs::default() };
        let loaded = load(&mut session, &self.input, &needs)?;
        Ok((session, loaded))
    }

    /// Makes the new tree and writes it.
    pub(super) fn close(
        &self,
        mut session: Session,
        Loaded { file, tree }: Loaded,
        edited: Result<Edited, EditError>,
    ) -> Result<()> {
        let edited = edited.map_err(|error| EditProblem::of(&file, error))?;
        let file = session.phase("compute", || apply(file, edited));
        self.write(session, &tree, &file)
    }

    /// Writes a new tree, with its size and that of the old one in the record.
    pub(super) fn write(&self, mut session: Session, old: &Tree, file: &TreeFile) -> Result<()> {
        let params = palmette::TreeParams { forest: true, ..Default::default() };
        let tree = session.phase("build", || file.tree(params))?;
        EditFigures::of(old, &tree).figures(&mut session.record);
        session.record.figure("lengths", file.lengths.is_some());
        if let Some(note) = file.left_out() {
            session.note(&note);
        }
        let style = self.annotations.annotations;
        let text = TreeText { tree: &tree, parts: file.parts(), style };
        let named = self.output.as_deref().and_then(format_of);
        let own = self.input.format.or_else(|| format_of(&self.input.file));
        let format = self.to.or(named).or(own).unwrap_or(Format::Newick);
        text.write(&mut session, self.output.as_deref(), Some(format))?;
        session.finish()
    }
}

/// A share of a branch.
pub(super) fn fraction(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x| (0.0..=1.0).contains(x));
    number.ok_or_else(|| format!("expected a number from 0 to 1, found `{text}`"))
}

/// A limit.
pub(super) fn number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| x.is_finite());
    number.ok_or_else(|| format!("expected a number, found `{text}`"))
}
