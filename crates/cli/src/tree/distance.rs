//! `palmette tree distance`.

use crate::name_list::{NameList, path_of};
use crate::output::{format_of, separator_of};
use crate::prelude::*;
use palmette::io::{Format, write_matrix, write_npy_matrix};
use palmette::measures::whole_lengths;
use palmette::phylogeny::{distance_table, tips_of};
use palmette::tree::lca::Distances;
use palmette::{Lca, Measure, Operator, PathParams, ValueSlice};
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    pairs: PairOptions,
    /// Distances of all tips, or of those of --of: a square csv or tsv, or an npy array.
    #[arg(long, conflicts_with_all = ["pairs", "vertices"])]
    matrix: bool,
    /// Vertices of the matrix: names with commas between them, or @FILE with a name per line.
    #[arg(long, value_name = "LIST", value_parser = NameList::parse, requires = "matrix")]
    of: Option<NameList>,
    /// Count edges even where the tree has branch lengths.
    #[arg(long, conflicts_with = "lengths")]
    edges: bool,
    /// Require branch lengths (default: use them if the tree has any).
    #[arg(long)]
    lengths: bool,
    /// Engine that answers the pairs; a device adds lengths only if they are whole numbers.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = device::query_engine())]
    engine: AnyEngine,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    table: TableOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let files = Files::of(&input.file).reads("--pairs", arguments.pairs.pairs.as_deref());
    let files = files.reads("--of", path_of(arguments.of.as_ref()));
    let kind = if arguments.matrix { Kind::PARENTS } else { Kind::TABLE };
    let files = arguments.table.files(files, kind);
    let mut session = Session::open("tree distance", files, run)?;
    let lengths = match (arguments.edges, arguments.lengths) {
        (true, _) => Lengths::No,
        (_, true) => Lengths::Required,
        _ => Lengths::WherePresent,
    };
    let loaded = load(&mut session, input, &Needs { lengths, ..Needs::default() })?;
    let unit = if loaded.file.lengths.is_some() { "length" } else { "edges" };
    session.parameter("distance", unit);
    if arguments.matrix {
        return matrix(session, arguments, &loaded);
    }
    let pairs = arguments.pairs.read(&mut session, &loaded.file)?;
    let (distances, present) = measure(&mut session, arguments, &loaded, &pairs)?;
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
            (unit, Cells::Where(&present, &cells)),
        ],
        numbers: (missing == 0).then_some(&distances),
    };
    answers.note(&mut session);
    answers.write(&mut session, &arguments.table)?;
    session.finish()
}

/// The distances of tips to each other.
fn matrix(mut session: Session, arguments: &Arguments, loaded: &Loaded) -> Result<()> {
    let Loaded { file, tree } = loaded;
    let chosen = match &arguments.of {
        None => tips_of(tree),
        Some(list) => {
            let names = session.phase("read", || list.read())?;
            names.iter().map(|name| Ok(file.vertex(name)?)).collect::<Result<Vec<u32>>>()?
        }
    };
    let mut seen = vec![false; tree.len()];
    if let Some(&v) = chosen.iter().find(|&&v| std::mem::replace(&mut seen[v as usize], true)) {
        bail!("--of names {} twice", shown(&file.labels.get(v)));
    }
    let rows = session.phase("compute", || distance_table(tree, file.lengths.as_deref(), &chosen));
    session.record.figure("vertices", tree.len()).figure("tips", chosen.len());
    if let Some(path) = session.destination(arguments.table.output.as_deref()) {
        let format = format_of(&path).unwrap_or(Format::Csv);
        let (n, separator) = (rows.len(), separator_of(&path));
        let row = |i: usize, to: &mut [f64]| rows.row(i, to);
        let mut computing = Duration::ZERO;
        session.write(&path, |out| {
            computing = match format {
                Format::Npy => write_npy_matrix(out, n, &row)?,
                _ => write_matrix(out, separator, n, &|i| file.labels.get(chosen[i]), &row)?,
            };
            Ok(())
        })?;
        // Rows are made while they are written.
        session.record.move_time("write", "compute", computing);
    }
    session.finish()
}

/// The distances, and which pairs have one.
fn measure(
    session: &mut Session,
    arguments: &Arguments,
    loaded: &Loaded,
    pairs: &[(u32, u32)],
) -> Result<(Values, Vec<bool>)> {
    let Loaded { file, tree } = loaded;
    let Some(lengths) = file.lengths.as_deref() else {
        let found = arguments
            .device
            .run(session, arguments.engine, tree, |_| DeviceJob::EdgeDistances(pairs))?;
        if let Some(mut answer) = found
            && let Some(present) = answer.present.take()
            && let Some(AnswerCells::Numbers(edges)) = answer.into_cells()
        {
            return Ok((edges, present));
        }
        let index = session.phase("prepare", || Lca::by_vertex(tree));
        let edges = session.phase("compute", || index.edge_distances(pairs));
        let present: Vec<bool> = edges.iter().map(|&d| d != NONE).collect();
        return Ok((Values::U64(edges.into_iter().map(u64::from).collect()), present));
    };
    if let Some(found) = whole_distances(session, arguments, loaded, lengths, pairs)? {
        return Ok(found);
    }
    let index = session.phase("prepare", || Lca::by_vertex(tree));
    session.phase("compute", || {
        let Values::F64(depths) = Measure::WeightedDepth.by_vertex(tree, Some(lengths))? else {
            return Err(Internal("distances by length are no floats".to_string()).into());
        };
        let distances = Distances::new(&index, &depths).context("one depth per vertex")?;
        let distances = distances.batch(pairs);
        let present = distances.iter().map(|d| !d.is_nan()).collect();
        Ok((Values::F64(distances), present))
    })
}

/// Distances by lengths from a device, if one is requested: integer sums, since devices have no
/// f64.
fn whole_distances(
    session: &mut Session,
    arguments: &Arguments,
    Loaded { file, tree }: &Loaded,
    lengths: &[f64],
    pairs: &[(u32, u32)],
) -> Result<Option<(Values, Vec<bool>)>> {
    let (options, engine) = (&arguments.device, arguments.engine);
    if !options.is_wanted(session, engine)? {
        return Ok(None);
    }
    let whole = match whole_lengths(tree, lengths) {
        Ok(whole) => whole,
        Err(vertex) => {
            let why = format!(
                "a device needs whole-number lengths with a total below 2^53, because it has no \
                f64; found {} at {}",
                lengths[vertex as usize],
                shown(&file.labels.get(vertex))
            );
            options.refuse(session, engine, &why)?;
            return Ok(None);
        }
    };
    let (params, values) = (PathParams { on_edges: true }, [ValueSlice::I64(&whole)]);
    let found = options.run(session, engine, tree, |_| DeviceJob::Paths {
        pairs,
        operator: Operator::SUM,
        values: &values,
        params: &params,
    })?;
    let Some(answer) = found else { return Ok(None) };
    let present = answer.present.unwrap_or_else(|| vec![true; pairs.len()]);
    let AnswerCells::Numbers(Values::I64(sums)) = &answer.columns[0].cells else {
        return Err(Internal("sums of integers are no integers".to_string()).into());
    };
    let distances = sums.iter().map(|&sum| sum as f64).collect();
    Ok(Some((Values::F64(distances), present)))
}
