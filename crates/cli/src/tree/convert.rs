//! `palmette tree convert`.

use crate::output::{AnnotationOptions, TreeText};
use crate::prelude::*;
use palmette::io::{ColumnKey, Format};
use palmette_vocabulary::TypeOption;

#[derive(Debug, Args)]
#[command(mut_arg("type", |argument| argument.requires("columns")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Output tree; the extension decides the format, optionally gz or zst.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format, overriding the name (default on stdout: csv).
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>())]
    to: Option<Format>,
    /// Columns of numbers to keep from a table.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    #[command(flatten)]
    typed: TypeOption,
    /// Leave out branch lengths.
    #[arg(long)]
    no_lengths: bool,
    #[command(flatten)]
    annotations: AnnotationOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let kind = Kind::tree(arguments.to.is_some());
    let files = Files::of(&arguments.input.file).writes("-o", arguments.output.as_deref(), kind);
    let mut session = Session::open("tree convert", files, run)?;
    let needs = Needs {
        columns: arguments.columns.iter().map(|name| ColumnKey::from(name.as_str())).collect(),
        types: arguments
            .typed
            .kind
            .map_or(vec![ValueType::I64, ValueType::U64, ValueType::F64], |kind| vec![kind]),
        mixed: true,
        // A mix of vertices with and without lengths is an error: a written 0 would be read back as
        // a length.
        lengths: if arguments.no_lengths { Lengths::No } else { Lengths::WherePresent },
        annotations: true,
        ..Needs::default()
    };
    let Loaded { file, tree } = load(&mut session, &arguments.input, &needs)?;
    session
        .record
        .figure("vertices", tree.len())
        .figure("lengths", file.lengths.is_some())
        .figure("support", file.support.is_some())
        .figure("annotations", file.annotations.len())
        .figure("columns", file.columns.len());
    if let Some(note) = file.left_out() {
        session.note(&note);
    }
    let text =
        TreeText { tree: &tree, parts: file.parts(), style: arguments.annotations.annotations };
    text.write(&mut session, arguments.output.as_deref(), arguments.to)?;
    session.finish()
}
