//! `palmette graph resistance`.

use super::options::{InputOptions, SolverOptions, failed, note_found};
use crate::limit::read_pairs;
use crate::prelude::*;
use palmette::figures::ResistanceFigures;
use palmette::node_resistances;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten, next_help_heading = None)]
    pairs: PairOptions,
    #[command(flatten)]
    solver: SolverOptions,
    #[command(flatten, next_help_heading = None)]
    table: TableOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let files = Files::of(&input.file).reads("--pairs", arguments.pairs.pairs.as_deref());
    let files = arguments.table.files(files, Kind::TABLE);
    let mut session = Session::open("graph resistance", files, run)?;
    let params = arguments.solver.params(&mut session);
    let file = input.load(&mut session)?;
    let labels = file.query_labels();
    let pairs = read(&mut session, arguments, &file, &labels)?;
    let found = session.phase("compute", || node_resistances(&file, &pairs, &params));
    let found = found.map_err(|error| failed(&file, error))?;
    let figures = ResistanceFigures(&found);
    session.figures(&figures);
    let apart = figures.without_path();
    note_found(&mut session, &file);
    session.rate("ns_per_query", "compute", pairs.len());
    if apart > 0 {
        session.note(&format!("pairs that are not connected: {apart} of {}", pairs.len()));
    }
    let (first, second): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    let values = Values::F64(found);
    let answers = Answers {
        labels: &labels,
        columns: vec![
            ("u", Cells::Vertices(&first)),
            ("v", Cells::Vertices(&second)),
            ("resistance", Cells::from(&values)),
        ],
        numbers: Some(&values),
    };
    answers.write(&mut session, &arguments.table)?;
    session.finish()
}

fn read(
    session: &mut Session,
    arguments: &Arguments,
    file: &GraphFile,
    labels: &Labels,
) -> Result<Vec<(u32, u32)>> {
    if let [u, v] = &arguments.pairs.vertices[..] {
        return Ok(vec![(file.query(labels, u)?, file.query(labels, v)?)]);
    }
    let path = arguments.pairs.file()?;
    session.parameter("pairs", name_of(path));
    Ok(session.phase("read", || read_pairs(path, labels))?)
}
