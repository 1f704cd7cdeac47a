//! `palmette tree diversity`.

use crate::limit::read_bytes;
use crate::output::separator_of;
use crate::prelude::*;
use palmette::ValueSlice;
use palmette::figures::DiversityFigures;
use palmette::io::{
    TipSide, read_metadata_bytes, read_samples_bytes, write_matrix, write_npy_values, write_table,
};
use palmette::phylo::diversity::{
    Condensed, Distance, DiversityParams, Metric, Pcoa, PcoaParams, pcoa,
};
use palmette::phylogeny::diversity::{Community, TipNames};

/// Distances have two names.
const OUTPUT: &str = "Output: distances as a square csv or tsv with names, or npy (condensed, one \
    number per pair); Faith PD as a table; optionally gz or zst; `-` is stdout (the default without --json)";

#[derive(Debug, Args)]
#[command(mut_arg("output", |argument| argument.help(OUTPUT)))]
#[command(mut_arg("svg", |argument| argument.help("Draw the samples by their principal coordinates; into a folder, NAME/, also their distances as a map")))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Counts of tips by sample: csv or tsv with names in the first row and column, BIOM 1.0 (JSON) or
    /// 2.1 (HDF5); optionally gz or zst.
    #[arg(value_name = "TABLE")]
    counts: PathBuf,
    /// What to compute.
    #[arg(long, value_name = "METRIC", value_parser = named::<Metric>())]
    metric: Metric,
    /// For the generalised metric: how much large shares count, from 0 to 1 (default: 0.5).
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    alpha: Option<f64>,
    /// For kr: the power of differences, at least 1 (default: 2).
    #[arg(long, value_name = "ORDER", allow_negative_numbers = true)]
    order: Option<f64>,
    /// Where the table has tips (default: the side of which more names are tips of the tree).
    #[arg(long, value_name = "SIDE", value_parser = named::<TipSide>())]
    tips_in: Option<TipSide>,
    /// Leave out tips of the table that the tree lacks.
    #[arg(long)]
    ignore_missing: bool,
    /// Count the length above the root, too.
    #[arg(long)]
    root_length: bool,
    /// Write principal coordinates of the samples to a table.
    #[arg(long, value_name = "FILE")]
    pcoa: Option<PathBuf>,
    /// Number of principal coordinates.
    #[arg(long, value_name = "K", default_value_t = PcoaParams::default().axes as u32, value_parser = clap::value_parser!(u32).range(1..))]
    axes: u32,
    /// Table about the samples, with their names in its first column.
    #[arg(long, value_name = "FILE", requires = "colour")]
    metadata: Option<PathBuf>,
    /// Column of the metadata that colours the picture.
    #[arg(long, value_name = "COLUMN", requires = "metadata")]
    colour: Option<String>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    table: TableOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let metric = arguments.metric;
    let kind = if metric == Metric::Faith { Kind::TABLE } else { Kind::SQUARE };
    let files = Files::of(&arguments.input.file)
        .reads("TABLE", Some(&arguments.counts))
        .reads("--metadata", arguments.metadata.as_deref())
        .writes("--pcoa", arguments.pcoa.as_deref(), Kind::COLUMNS_OF_TEXT)
        .draws(&arguments.pictures, "pcoa");
    let mut session = Session::open("tree diversity", arguments.table.files(files, kind), run)?;
    check(arguments)?;
    if arguments.colour.is_some() && !session.draws() {
        bail!("--colour needs --svg, --png or --record");
    }
    note_parameters(&mut session, arguments);
    let needs = Needs { lengths: Lengths::Required, ..Needs::default() };
    let mut loaded = load(&mut session, &arguments.input, &needs)?;
    // The tree has them; this memory is used again.
    loaded.file.parents = Vec::new();
    let community = read_counts(&mut session, arguments, &loaded)?;
    let Loaded { file, tree } = &loaded;
    let params = DiversityParams { root_length: arguments.root_length };
    session.figures(&DiversityFigures::of(metric, &community));
    let (alpha, order) =
        (arguments.alpha.unwrap_or(Distance::ALPHA), arguments.order.unwrap_or(Distance::ORDER));
    let Some(distance) = Distance::of(metric, alpha, order) else {
        let pd = session.phase("compute", || community.faith_pd(file, tree, params))?;
        return write_faith(session, arguments, &community, pd);
    };
    let found = session.phase("compute", || community.distances(file, tree, distance, params))?;
    let drawn = arguments.pcoa.is_some() || session.wants("pcoa");
    if drawn && found.len() >= 2 {
        place(&mut session, arguments, &community, &found)?;
    } else if arguments.pcoa.is_some() {
        bail!("--pcoa needs two samples or more, not {}", found.len());
    }
    if found.len() >= 2 {
        let name = name_of(&arguments.counts);
        show(&mut session, "distances", None, || {
            pictures::sample_distances(&name, metric, &community.names, &found)
        })?;
    }
    write_distances(&mut session, arguments, &community, found)?;
    session.finish()
}

/// Refuses options that would change nothing.
fn check(arguments: &Arguments) -> Result<()> {
    let metric = arguments.metric;
    let given = [
        (
            "--alpha",
            arguments.alpha.is_some(),
            metric == Metric::Generalised,
            "--metric generalised",
        ),
        ("--order", arguments.order.is_some(), metric == Metric::Kr, "--metric kr"),
        ("--pcoa", arguments.pcoa.is_some(), metric != Metric::Faith, "a metric of distances"),
        (
            "--svg and --png",
            !arguments.pictures.is_empty(),
            metric != Metric::Faith,
            "a metric of distances",
        ),
    ];
    match given.into_iter().find(|(_, given, fits, _)| *given && !fits) {
        Some((option, _, _, needed)) => bail!("{option} needs {needed}"),
        None => Ok(()),
    }
}

fn note_parameters(session: &mut Session, arguments: &Arguments) {
    session.parameter("counts", name_of(&arguments.counts));
    session.parameter("metric", arguments.metric.name());
    match arguments.metric {
        Metric::Generalised => {
            session.parameter("alpha", arguments.alpha.unwrap_or(Distance::ALPHA));
        }
        Metric::Kr => {
            session.parameter("order", arguments.order.unwrap_or(Distance::ORDER));
        }
        _ => {}
    }
    session.parameter("root_length", arguments.root_length);
    session.parameter("ignore_missing", arguments.ignore_missing);
    session.file("pcoa", arguments.pcoa.as_deref());
    session.file("metadata", arguments.metadata.as_deref());
    if let Some(colour) = &arguments.colour {
        session.parameter("colour", colour.as_str());
    }
}

/// The samples, and notes about what is not in them.
fn read_counts(session: &mut Session, arguments: &Arguments, loaded: &Loaded) -> Result<Community> {
    let Loaded { file, tree } = loaded;
    let (community, left_out) = session.phase("read", || {
        let known = TipNames::of(tree, &file.labels);
        let (name, bytes) = (name_of(&arguments.counts), read_bytes(&arguments.counts)?);
        let table = read_samples_bytes(&name, &bytes, arguments.tips_in, &known.labels)?;
        let left_out = table.left_out.clone();
        let community = Community::new(table, &file.name, &known, arguments.ignore_missing)?;
        Ok::<_, anyhow::Error>((community, left_out))
    })?;
    if let Some(column) = left_out {
        session.note(&format!("left out the last column of the table, {}", shown(&column)));
    }
    if community.missing > 0 {
        let all = community.missing + community.tips;
        let missing = community.missing;
        session.note(&format!("left out {missing} of {all} tips that the tree lacks"));
    }
    if community.empty > 0 {
        let (empty, all) = (community.empty, community.samples.len());
        let apart = match arguments.metric {
            Metric::Faith => "their Faith PD is 0",
            Metric::Weighted | Metric::Kr => {
                "their distance to others is that to no mass at all, to each other 0"
            }
            _ => "their distance to others is 1, to each other 0",
        };
        session.note(&format!("{empty} of {all} samples have no counts: {apart}"));
    }
    Ok(community)
}

/// Principal coordinates, written and drawn.
fn place(
    session: &mut Session,
    arguments: &Arguments,
    community: &Community,
    distances: &Condensed,
) -> Result<()> {
    let params = PcoaParams { axes: arguments.axes as usize, ..PcoaParams::default() };
    let found = session.phase("pcoa", || pcoa(distances, params))?;
    session.figures(&found);
    if found.residual > params.tolerance {
        let residual = found.residual;
        session.note(&format!("principal coordinates are exact to {residual:.1e} only"));
    }
    if let Some(path) = &arguments.pcoa {
        write_axes(session, path, community, &found)?;
    }
    let colour = match (&arguments.metadata, &arguments.colour) {
        (Some(path), Some(column)) => {
            let bytes = read_bytes(path)?;
            Some((column, read_metadata_bytes(&name_of(path), &bytes, column, &community.names)?))
        }
        _ => None,
    };
    let colour = colour.as_ref().map(|(name, words)| (name.as_str(), &words[..]));
    let name = name_of(&arguments.counts);
    show(session, "pcoa", None, || {
        pictures::coordinates(&name, arguments.metric, &community.names, &found, colour)
    })
}

fn write_axes(
    session: &mut Session,
    path: &Path,
    community: &Community,
    found: &Pcoa,
) -> Result<()> {
    let heads: Vec<String> = (1..=found.axes.len()).map(|k| format!("PC{k}")).collect();
    let mut columns = vec![("sample", Cells::LabelsOf(&community.names))];
    let axes = heads.iter().zip(&found.axes);
    columns.extend(axes.map(|(head, axis)| (head.as_str(), Cells::Numbers(ValueSlice::F64(axis)))));
    let separator = separator_of(path);
    session.write(path, |out| write_table(out, separator, &community.names, &columns))
}

fn write_faith(
    mut session: Session,
    arguments: &Arguments,
    community: &Community,
    pd: Vec<f64>,
) -> Result<()> {
    let values = Values::F64(pd);
    let answers = Answers {
        labels: &community.names,
        columns: vec![
            ("sample", Cells::LabelsOf(&community.names)),
            ("faith_pd", Cells::from(&values)),
        ],
        numbers: Some(&values),
    };
    answers.note(&mut session);
    answers.write(&mut session, &arguments.table)?;
    session.finish()
}

fn write_distances(
    session: &mut Session,
    arguments: &Arguments,
    community: &Community,
    found: Condensed,
) -> Result<()> {
    let path = arguments.table.output.as_deref();
    let Some(path) = session.destination(path) else { return Ok(()) };
    if crate::output::format_of(&path) == Some(palmette::io::Format::Npy) {
        let values = Values::F64(found.into_values());
        return session.write(&path, |out| write_npy_values(out, &values));
    }
    let separator = separator_of(&path);
    let names = &community.names;
    let row = |i: usize, row: &mut [f64]| {
        row.iter_mut().enumerate().for_each(|(j, number)| *number = found.get(i, j));
    };
    session.write(&path, |out| {
        write_matrix(out, separator, names.len(), &|i| names.label(i as u32), &row).map(drop)
    })
}
