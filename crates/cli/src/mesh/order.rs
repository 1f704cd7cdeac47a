//! `palmette mesh order`.

use super::options::InputOptions;
use crate::limit::read_integers;
use crate::prelude::*;
use palmette::OrderFile;
use palmette::graph::order::{OrderMethod, OrderParams, order};
use palmette::io::write_integers;

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the matrix, as it is and in this order")))]
pub(crate) struct Arguments {
    /// Method: nested-dissection, minimum-degree, or auto (both; the one with fewer operations).
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<OrderMethod>())]
    method: OrderMethod,
    /// Measure the order in this file instead of finding one.
    #[arg(long, value_name = "FILE", conflicts_with = "method")]
    evaluate: Option<PathBuf>,
    /// Files have the place of each node, from 0, as those of METIS's ndmetis (default: the nodes in
    /// their order, from 1).
    #[arg(long)]
    places: bool,
    /// Output for the order: one number per line; optionally gz or zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    input: InputOptions,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let (output, given) = (arguments.output.as_deref(), arguments.evaluate.as_deref());
    let files = arguments
        .input
        .files()
        .reads("--evaluate", given)
        .writes("-o", output, Kind::NUMBERS)
        .draws(&arguments.pictures, "order");
    let mut session = Session::open("mesh order", files, run)?;
    let form = if arguments.places { OrderFile::Places } else { OrderFile::Vertices };
    session.parameter("places", arguments.places);
    match given {
        Some(path) => session.parameter("evaluate", name_of(path)),
        None => {
            session.parameter("method", arguments.method.name()).parameter("seed", arguments.seed)
        }
    };
    let input = arguments.input.load(&mut session)?;
    let found = match given {
        None => {
            let params = OrderParams {
                method: arguments.method,
                seed: arguments.seed,
                ..OrderParams::default()
            };
            let found = session.phase("order", || order(&input.graph, &params));
            found.with_context(|| input.name.clone())?
        }
        Some(path) => {
            let numbers = session.phase("read", || read_integers(path, input.graph.len()))?;
            let found = session.phase("count", || form.evaluate(&input.graph, numbers));
            found.map_err(|error| anyhow!("{}: {error}", name_of(path)))?
        }
    };
    session.figures(&found);
    show(&mut session, "order", None, || {
        pictures::order(&input.name, &input.graph, &found.vertices)
    })?;
    if output.is_some()
        && let Some(path) = session.destination(output)
    {
        let numbers = form.numbers(&found.vertices);
        session.write(&path, |out| write_integers(out, &numbers))?;
    }
    session.finish()
}
