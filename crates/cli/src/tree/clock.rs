//! `palmette tree clock`.

use crate::input::read_text;
use crate::prelude::*;
use palmette::ValueSlice;
use palmette::phylogeny::{Clock, read_dates};
use palmette_report::number::full;

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw distances against dates, and the line")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Dates of tips: rows of name and date, a number or a day as 2020-03-31.
    #[arg(long, value_name = "FILE")]
    dates: PathBuf,
    /// Ignore names that the tree lacks.
    #[arg(long)]
    ignore_missing: bool,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    table: TableOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let files = Files::of(&arguments.input.file).reads("--dates", Some(&arguments.dates));
    let files = arguments.table.files(files.draws(&arguments.pictures, "clock"), Kind::COLUMNS);
    let mut session = Session::open("tree clock", files, run)?;
    session.parameter("dates", name_of(&arguments.dates));
    let needs = Needs { lengths: Lengths::Required, ..Needs::default() };
    let Loaded { file, tree } = load(&mut session, &arguments.input, &needs)?;
    let text = session.phase("read", || read_text(&arguments.dates))?;
    let name = name_of(&arguments.dates);
    let (dates, ignored) = read_dates(&name, &text, &file.labels, arguments.ignore_missing)?;
    let lengths = file.lengths.as_deref().unwrap_or_default();
    let clock = session.phase("compute", || Clock::new(&tree, lengths, &dates))?;
    session.figures(&clock);
    session.tell("root_date", full(clock.line.root_date()));
    if ignored > 0 {
        session.record.figure("ignored", ignored);
        session.note(&format!("{name}: {ignored} names that the tree lacks are ignored"));
    }
    if clock.undated > 0 {
        session.note(&format!("{} tips without a date are left out", clock.undated));
    }
    if let Some(path) = &arguments.table.output {
        let (dates, distances): (Vec<f64>, Vec<f64>) = clock.points.iter().copied().unzip();
        let residuals: Vec<f64> = clock.points.iter().map(|p| p.1 - clock.line.at(p.0)).collect();
        let table = Answers {
            labels: &file.labels,
            columns: vec![
                ("tip", Cells::Vertices(&clock.vertices)),
                ("date", Cells::Numbers(ValueSlice::F64(&dates))),
                ("distance", Cells::Numbers(ValueSlice::F64(&distances))),
                ("residual", Cells::Numbers(ValueSlice::F64(&residuals))),
            ],
            numbers: None,
        };
        table.write_to(&mut session, path)?;
    }
    show(&mut session, "clock", None, || pictures::clock(&file.name, &clock))?;
    session.finish()
}
