//! `palmette tree path`.

use crate::prelude::*;
use crate::tree::treefix::explain;
use palmette::{HeavyPaths, PathParams, aggregate_paths};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    pairs: PairOptions,
    /// Operator, applied in path order; without one the vertices of the path are listed.
    #[arg(long = "op", value_name = "OP", value_parser = named::<OperatorName>())]
    operator: Option<OperatorName>,
    #[command(flatten)]
    values: ValueOptions,
    /// Treat a vertex's value as that of the edge above it (always so for branch lengths).
    #[arg(long)]
    edges: bool,
    /// Find the ancestor K edges above every vertex instead.
    #[arg(long, value_name = "K", conflicts_with_all = ["operator", "pairs", "vertices"])]
    ancestor: Option<u32>,
    /// Engine that computes the products.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = device::query_engine())]
    engine: AnyEngine,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    table: TableOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let pairs = arguments.pairs.pairs.as_deref();
    let files = Files::of(&arguments.input.file).reads("--pairs", pairs);
    let files = value_files(&arguments.values.given.values, files);
    let kind = if arguments.operator.is_some() { Kind::TABLE } else { Kind::COLUMNS };
    let mut session = Session::open("tree path", arguments.table.files(files, kind), run)?;
    if arguments.operator.is_none() {
        let options = arguments
            .values
            .options()
            .chain([("--edges", arguments.edges), ("--pairs", arguments.pairs.pairs.is_some())]);
        match ({ options }.find(|option| option.1), arguments.ancestor) {
            (Some((option, _)), None) => bail!("{option} needs an operator; add --op"),
            (Some((option, _)), Some(_)) => bail!("--ancestor takes no {option}"),
            _ => (),
        }
        let why = "no operator given; add --op";
        arguments.device.refuse(&session, arguments.engine, why)?;
    }
    match (arguments.operator, arguments.ancestor) {
        (_, Some(k)) => ancestors(&mut session, arguments, k)?,
        (Some(operator), _) => products(&mut session, arguments, operator)?,
        _ => walk(&mut session, arguments)?,
    }
    session.finish()
}

fn products(session: &mut Session, arguments: &Arguments, name: OperatorName) -> Result<()> {
    let options = &arguments.values;
    let (operator, plan) = ValuePlan::new(name, options, false)?;
    let mut loaded = load(session, &arguments.input, &plan.needs())?;
    let values = plan.read(session, &mut loaded.file)?;
    let Loaded { file, tree } = &loaded;
    let pairs = arguments.pairs.read(session, file)?;
    let params = PathParams { on_edges: arguments.edges || plan.on_edges() };
    let kind = values.first().map_or("", |v| v.value_type().name());
    session
        .parameter("op", name.name())
        .parameter("values", options.given.text(name))
        .parameter("type", kind)
        .parameter("edges", params.on_edges);
    let values = Values::slices(&values);
    let found = arguments.device.run(session, arguments.engine, tree, |_| DeviceJob::Paths {
        pairs: &pairs,
        operator,
        values: &values,
        params: &params,
    });
    let answer = match found {
        Ok(Some(answer)) => Ok(answer),
        Ok(None) => {
            session.phase("compute", || aggregate_paths(tree, &pairs, operator, &values, &params))
        }
        Err(error) => Err(error.downcast::<AggregateError>()?),
    };
    let answer = answer.map_err(|error| match error {
        AggregateError::PathOverflow { pair, exact } => {
            let name = |v: u32| shown(&file.labels.get(v));
            let (u, v) = (name(pairs[pair].0), name(pairs[pair].1));
            let text = format!("{}: the sum from {u} to {v} overflows {kind}: {exact}", file.name);
            anyhow::Error::new(error).context(text)
        }
        other => explain(other, file, None),
    })?;
    session.record.figure("vertices", tree.len()).figure("queries", pairs.len());
    session.rate("ns_per_query", "compute", pairs.len());
    let (first, second): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    let cells = answer.cells();
    let mut columns = vec![("u", Cells::Vertices(&first)), ("v", Cells::Vertices(&second))];
    columns.extend(cells.iter().map(|(name, cells)| match &answer.present {
        Some(present) => (*name, Cells::Where(present, cells)),
        None => (*name, *cells),
    }));
    let numbers = answer.numbers().filter(|_| answer.present.is_none());
    let answers = Answers { labels: &file.labels, columns, numbers };
    answers.note(session);
    answers.write(session, &arguments.table)
}

fn ancestors(session: &mut Session, arguments: &Arguments, k: u32) -> Result<()> {
    session.parameter("ancestor", k);
    let Loaded { file, tree } = load(session, &arguments.input, &Needs::default())?;
    let heavy = session.phase("prepare", || HeavyPaths::new(&tree));
    let ancestors: Vec<u32> = session.phase("compute", || {
        let queries: Vec<(u32, u32)> = tree.positions().iter().map(|&p| (p, k)).collect();
        let name = |p: Option<u32>| p.map_or(NONE, |p| tree.vertices()[p as usize]);
        heavy.ancestor_batch(&queries).into_iter().map(name).collect()
    });
    session
        .record
        .figure("vertices", tree.len())
        .figure("without_ancestor", ancestors.iter().filter(|&&a| a == NONE).count());
    let columns = vec![("vertex", Cells::EachVertex), ("ancestor", Cells::Vertices(&ancestors))];
    Answers { labels: &file.labels, columns, numbers: None }.write(session, &arguments.table)
}

fn walk(session: &mut Session, arguments: &Arguments) -> Result<()> {
    let Loaded { file, tree } = load(session, &arguments.input, &Needs::default())?;
    let pairs = arguments.pairs.read(session, &file)?;
    let path =
        session.phase("compute", || pairs.iter().flat_map(|&p| vertices(&tree, p)).collect());
    let path: Vec<u32> = path;
    session
        .record
        .figure("vertices", tree.len())
        .figure("edges", path.len().saturating_sub(1))
        .figure("connected", !path.is_empty());
    let steps = Values::U64((0..path.len() as u64).collect());
    let columns = vec![("vertex", Cells::Vertices(&path)), ("step", Cells::from(&steps))];
    Answers { labels: &file.labels, columns, numbers: None }.write(session, &arguments.table)
}

/// The vertices from one end to the other; none in different trees.
fn vertices(tree: &Tree, (u, v): (u32, u32)) -> Vec<u32> {
    let (mut u, mut v) = (tree.positions()[u as usize], tree.positions()[v as usize]);
    let (mut up, mut down) = (vec![u], vec![v]);
    // In preorder, the larger of two positions is never an ancestor of the other.
    while u != v {
        let (lower, way) = if u > v { (&mut u, &mut up) } else { (&mut v, &mut down) };
        match tree.parent(*lower) {
            Some(parent) => {
                *lower = parent;
                way.push(parent);
            }
            None => return Vec::new(),
        }
    }
    down.pop();
    up.into_iter().chain(down.into_iter().rev()).map(|p| tree.vertices()[p as usize]).collect()
}
