//! `palmette tree lca`.

use crate::input::pairs_of;
use crate::limit::read_sets;
use crate::prelude::*;
use palmette::figures::ancestors;
use palmette::io::read_sets_bytes;
use palmette::phylogeny::Ancestors;
use palmette::{Lca, ValueSlice};

/// An npy file has no room for names.
const OUTPUT: &str = "Output table: csv, or tsv, parquet or arrow by the file's name, optionally gz \
    or zst; `-` is stdout (the default without --json)";

#[derive(Debug, Args)]
#[command(mut_arg("missing_length", |argument| argument.hide(true)))]
#[command(mut_arg("output", |argument| argument.help(OUTPUT)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Two or more vertices, by name.
    #[arg(value_name = "VERTEX", conflicts_with_all = ["pairs", "set", "sets"])]
    vertices: Vec<String>,
    /// File of pairs: two names per row, or an npy array of shape (m, 2). A first row without
    /// names is a header.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["set", "sets"])]
    pairs: Option<PathBuf>,
    /// Set of vertices: names separated by commas.
    #[arg(long, value_name = "NAMES", conflicts_with = "sets")]
    set: Option<String>,
    /// File of sets, one per line.
    #[arg(long, value_name = "FILE")]
    sets: Option<PathBuf>,
    /// Engine that answers the pairs.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = device::query_engine())]
    engine: AnyEngine,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    table: TableOptions,
}

enum Queries {
    Pairs(Vec<(u32, u32)>),
    Sets(Vec<Vec<u32>>),
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let (pairs, sets) = (arguments.pairs.as_deref(), arguments.sets.as_deref());
    let files = Files::of(&input.file).reads("--pairs", pairs).reads("--sets", sets);
    let files = arguments.table.files(files, Kind::COLUMNS);
    let mut session = Session::open("tree lca", files, run)?;
    for path in [pairs, sets].into_iter().flatten() {
        session.parameter("queries", name_of(path));
    }
    let loaded = load(&mut session, input, &Needs::default())?;
    let queries = read(&mut session, arguments, &loaded)?;
    match queries {
        Queries::Pairs(pairs) => answer_pairs(session, &loaded, &pairs, arguments),
        Queries::Sets(sets) => {
            let why = "expected pairs, not sets";
            arguments.device.refuse(&session, arguments.engine, why)?;
            answer_sets(session, &loaded, &sets, arguments)
        }
    }
}

fn read(session: &mut Session, arguments: &Arguments, loaded: &Loaded) -> Result<Queries> {
    let file = &loaded.file;
    if let Some(path) = &arguments.pairs {
        return Ok(Queries::Pairs(pairs_of(session, path, &file.labels)?));
    }
    if let Some(path) = &arguments.sets {
        return Ok(Queries::Sets(session.phase("read", || read_sets(path, &file.labels))?));
    }
    if let Some(text) = &arguments.set {
        return Ok(Queries::Sets(read_sets_bytes("--set", text.as_bytes(), &file.labels)?));
    }
    let vertices =
        arguments.vertices.iter().map(|v| file.vertex(v)).collect::<Result<Vec<u32>, _>>()?;
    match vertices[..] {
        [] | [_] => bail!("name two or more vertices, or pass --pairs, --set or --sets"),
        [u, v] => Ok(Queries::Pairs(vec![(u, v)])),
        _ => Ok(Queries::Sets(vec![vertices])),
    }
}

fn answer_pairs(
    mut session: Session,
    loaded: &Loaded,
    pairs: &[(u32, u32)],
    arguments: &Arguments,
) -> Result<()> {
    let tree = &loaded.tree;
    let job = |_| DeviceJob::Lca(pairs);
    let found = arguments.device.run(&mut session, arguments.engine, tree, job)?;
    let answers = match found.and_then(|answer| answer.into_cells()) {
        Some(AnswerCells::Vertices(answers)) => answers,
        _ => {
            let index = session.phase("prepare", || Lca::by_vertex(tree));
            session.phase("compute", || index.batch(pairs))
        }
    };
    note_answers(&mut session, loaded, &answers);
    let (first, second): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    let table = Answers {
        labels: &loaded.file.labels,
        columns: vec![
            ("u", Cells::Vertices(&first)),
            ("v", Cells::Vertices(&second)),
            ("lca", Cells::Vertices(&answers)),
        ],
        numbers: None,
    };
    table.note(&mut session);
    table.write(&mut session, &arguments.table)?;
    session.finish()
}

fn answer_sets(
    mut session: Session,
    loaded: &Loaded,
    sets: &[Vec<u32>],
    arguments: &Arguments,
) -> Result<()> {
    let Loaded { file, tree } = loaded;
    let found = session.phase("compute", || Ancestors::of_sets(tree, &file.labels, sets));
    let answers = &found.vertices;
    note_answers(&mut session, loaded, answers);
    let text = |set: &Vec<u32>| {
        set.iter().map(|&v| file.labels.get(v).into_owned()).collect::<Vec<_>>().join(" ")
    };
    let sets = Labels::texts(sets.iter().map(text));
    let table = Answers {
        labels: &file.labels,
        columns: vec![
            ("set", Cells::LabelsOf(&sets)),
            ("lca", Cells::Vertices(answers)),
            ("tips", Cells::Numbers(ValueSlice::U64(&found.tips))),
            ("named", Cells::Vertices(&found.named)),
        ],
        numbers: None,
    };
    table.note(&mut session);
    table.write(&mut session, &arguments.table)?;
    session.finish()
}

fn note_answers(session: &mut Session, loaded: &Loaded, answers: &[u32]) {
    let apart = answers.iter().filter(|&&a| a == NONE).count();
    let (vertices, queries) = (loaded.tree.len() as u64, answers.len() as u64);
    ancestors(&mut session.record, vertices, queries, apart as u64);
    session.rate("ns_per_query", "compute", answers.len());
}
