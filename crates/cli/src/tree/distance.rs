//! `palmette tree distance`.

use crate::arguments::{InputOptions, RunOptions, TableOptions};
use crate::input::{Lengths, Needs, PairOptions, load, name_of};
use crate::output::Answers;
use crate::session::Session;
use anyhow::Context;
use clap::Args;
use palmette::io::Cells;
use palmette::tree::lca::Distances;
use palmette::{Lca, Measure, NONE, Values};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten, next_help_heading = None)]
    pairs: PairOptions,
    /// By branch lengths instead of edges.
    #[arg(long, visible_alias = "weighted")]
    lengths: bool,
    #[command(flatten)]
    table: TableOptions,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let input = &arguments.input;
    let mut session = Session::new("tree distance", &name_of(&input.file), &arguments.run);
    session.record.parameter("lengths", arguments.lengths);
    let lengths = if arguments.lengths { Lengths::Required } else { Lengths::No };
    let loaded = load(&mut session, input, &Needs { lengths, ..Needs::default() })?;
    let pairs = arguments.pairs.read(&mut session, input, &loaded.file)?;
    let index = session.phase("prepare", || Lca::by_vertex(&loaded.tree));
    let lengths = loaded.file.lengths.as_deref().filter(|_| arguments.lengths);
    let (distances, present) = session.phase("compute", || -> anyhow::Result<_> {
        if lengths.is_none() {
            let edges = index.edge_distances(&pairs);
            let present: Vec<bool> = edges.iter().map(|&d| d != NONE).collect();
            return Ok((Values::U64(edges.into_iter().map(u64::from).collect()), present));
        }
        let Values::F64(depths) = Measure::WeightedDepth.by_vertex(&loaded.tree, lengths)? else {
            return Err(crate::Internal("weighted depths are no floats".to_string()).into());
        };
        let distances = Distances::new(&index, &depths).context("one depth a vertex")?;
        let distances = distances.batch(&pairs);
        let present = distances.iter().map(|d| !d.is_nan()).collect();
        Ok((Values::F64(distances), present))
    })?;
    let missing = present.iter().filter(|p| !**p).count();
    session
        .record
        .figure("vertices", loaded.tree.len())
        .figure("queries", pairs.len())
        .figure("without_path", missing);
    session.rate("ns_per_query", "compute", pairs.len());
    let (first, second): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    let cells = Cells::from(&distances);
    let answers = Answers {
        labels: &loaded.file.labels,
        columns: vec![
            ("u", Cells::Vertices(&first)),
            ("v", Cells::Vertices(&second)),
            ("distance", Cells::Where(&present, &cells)),
        ],
        numbers: (missing == 0).then_some(&distances),
    };
    answers.write(&mut session, &arguments.table)?;
    Ok(session.finish()?)
}
