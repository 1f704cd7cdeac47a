//! `palmette tree measures`.

use crate::prelude::*;
use palmette::ValueSlice;
use palmette::phylo::measures::lineages_through_time;
use palmette::phylogeny::MeasureFigures;

#[derive(Debug, Args)]
#[command(arg = not_in_place())]
#[command(mut_arg("svg", |argument| argument.help("Draw lineages through time")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Table of lineages through time: the distance from the root, and lineages from there on.
    #[arg(long, value_name = "FILE")]
    ltt: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let files = Files::of(&arguments.input.file).draws(&arguments.pictures, "lineages");
    let files = files.writes("--ltt", arguments.ltt.as_deref(), Kind::COLUMNS);
    let mut session = Session::open("tree measures", files, run)?;
    let draws = arguments.ltt.is_some() || !arguments.pictures.is_empty();
    let lengths = if draws { Lengths::Required } else { Lengths::WherePresent };
    let loaded = load(&mut session, &arguments.input, &Needs { lengths, ..Needs::default() })?;
    let Loaded { file, tree } = &loaded;
    let lengths = file.lengths.as_deref();
    let found = session.phase("compute", || MeasureFigures::of(tree, lengths));
    session.figures(&found);
    if !found.shape.binary {
        session.note("no Colless index: it is defined for binary trees only");
    }
    if let Some(lengths) = lengths.filter(|_| draws || session.draws()) {
        let by_position = tree.to_positions(lengths)?;
        let rows = session.phase("compute", || lineages_through_time(tree, &by_position));
        if let Some(path) = &arguments.ltt {
            let (distances, counts): (Vec<f64>, Vec<i64>) = rows.iter().copied().unzip();
            let table = Answers {
                labels: &file.labels,
                columns: vec![
                    ("distance", Cells::Numbers(ValueSlice::F64(&distances))),
                    ("lineages", Cells::Numbers(ValueSlice::I64(&counts))),
                ],
                numbers: None,
            };
            table.write_to(&mut session, path)?;
        }
        show(&mut session, "lineages", None, || pictures::lineages(&file.name, &rows))?;
    }
    session.finish()
}
