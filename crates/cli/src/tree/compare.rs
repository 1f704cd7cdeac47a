//! `palmette tree compare`.

use crate::limit::limit;
use crate::output::{TreeText, format_of, separator_of};
use crate::prelude::*;
use palmette::io::{
    AnnotationStyle, Format, TreeChoice, TreeInput, TreeParts, write_columns, write_matrix,
    write_npy_values, write_table,
};
use palmette::phylo::compare::{Collection, Consensus, Pair, Quartets, Rooting};
use palmette::phylo::diversity::Condensed;
use palmette::phylogeny::{
    CladeTable, CompareInputError, Given, StatedRooting, TreeMetric, TreeSet, tree_distances,
};
use palmette::{ReadParams, TreeParams};
use std::borrow::Cow;

#[derive(Debug, Args)]
#[command(arg = not_in_place())]
#[command(mut_arg("svg", |argument| argument.help("With --matrix: draw the distances as a map")))]
pub(crate) struct Arguments {
    /// Trees to compare: two files, or one with several trees (Newick or NEXUS); `-` is stdin.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Compare clusters below the root (default: only if the files say that all trees are rooted).
    #[arg(long)]
    rooted: bool,
    /// Compare splits of the unrooted trees, whatever the files say.
    #[arg(long, conflicts_with = "rooted")]
    unrooted: bool,
    /// Compare only tips that all trees have (default: other tips are an error).
    #[arg(long)]
    shared: bool,
    /// Distances of all pairs of trees.
    #[arg(long, conflicts_with = "consensus")]
    matrix: bool,
    /// Also count the sets of four tips that two trees divide differently, which takes quadratic time.
    #[arg(long, conflicts_with_all = ["matrix", "consensus"])]
    quartets: bool,
    /// Distance of a matrix: rf (Robinson-Foulds), rf-normalised, wrf (weighted), kf (branch score) or
    /// quartet.
    #[arg(long, value_name = "NAME", default_value = "rf", requires = "matrix",
        value_parser = named::<TreeMetric>())]
    distance: TreeMetric,
    /// Consensus of all trees: majority, strict, or a share of the trees from 0.5 on.
    #[arg(long, value_name = "KIND", value_parser = consensus)]
    consensus: Option<Consensus>,
    /// Branch length for vertices without one, in a tree where others have one.
    #[arg(long, value_name = "LENGTH")]
    missing_length: Option<f64>,
    /// Output: a table of clades (csv, tsv, parquet or arrow), with --matrix a square csv or tsv or a
    /// condensed npy, with --consensus a tree; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

fn consensus(text: &str) -> Result<Consensus, String> {
    match (text, text.parse::<f64>()) {
        ("majority", _) => Ok(Consensus::HALF),
        ("strict", _) => Ok(Consensus::Strict),
        (_, Ok(share)) if (0.5..1.0).contains(&share) => Ok(Consensus::Majority(share)),
        _ => Err("expected majority, strict, or a share from 0.5 to below 1".to_string()),
    }
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let kind = match (arguments.matrix, arguments.consensus) {
        (true, _) => Kind::PARENTS,
        (_, Some(_)) => Kind::tree(false),
        _ => Kind::COLUMNS,
    };
    let mut files = Files::of(&arguments.files[0]);
    for path in &arguments.files[1..] {
        files = files.reads("FILE", Some(path));
    }
    if !arguments.pictures.is_empty() && !arguments.matrix {
        bail!("--svg and --png draw a matrix; pass --matrix");
    }
    let files = files
        .writes("-o", arguments.output.as_deref(), kind)
        .draws(&arguments.pictures, "distances");
    let mut session = Session::open("tree compare", files, run)?;
    let loaded = read(&mut session, arguments)?;
    let given = loaded.iter().map(|Loaded { file, tree }| Given {
        name: &file.name,
        tree,
        labels: &file.labels,
        lengths: file.lengths.as_deref().filter(|_| !counts_only(arguments)),
        support: file.support.as_deref(),
        facts: &file.trees,
    });
    let given = given.collect();
    let set = session.phase("match", || TreeSet::new(given, arguments.shared))?;
    let rooting = rooting(&mut session, arguments, set.stated_rooting());
    let names = || loaded.iter().map(|one| one.file.name.as_str()).collect::<Vec<_>>().join(", ");
    session.record.figure("trees", set.len()).figure("tips", set.tips.len());
    if set.left_out > 0 {
        session.record.figure("left_out", set.left_out);
        session.note(&format!("{} tips that not all trees have are left out", set.left_out));
    }
    let few = |expected| CompareInputError::Few { name: names(), found: set.len(), expected };
    if arguments.matrix {
        return match set.len() {
            0 | 1 => Err(few("two or more").into()),
            _ => matrix(session, arguments, &set, rooting),
        };
    }
    if let Some(which) = arguments.consensus {
        return agree(session, arguments, &set, rooting, which);
    }
    if set.len() != 2 {
        let expected = "two (or pass --matrix or --consensus)";
        return Err(few(expected).into());
    }
    let trees = set.trees()?;
    let pair = session.phase("compute", || Pair::new(&trees[0], &trees[1], rooting));
    session.figures(&pair.distance());
    if arguments.quartets {
        let found = session.phase("compute", || Quartets::new(&trees[0], &trees[1]))?;
        session.figures(&found);
    }
    if let Some(path) = arguments.output.as_deref().and_then(|to| session.destination(Some(to))) {
        let table = session.phase("compute", || CladeTable::new(&set, &pair));
        let format = format_of(&path).unwrap_or(Format::Csv);
        let separator = separator_of(&path);
        session.write(&path, |out| {
            table.with_columns(|columns| match format.has_columns() {
                true => write_columns(out, format, &set.tips, columns),
                false => write_table(out, separator, &set.tips, columns),
            })
        })?;
    }
    session.finish()
}

/// How trees are compared: as asked for, or else as the files say.
fn rooting(session: &mut Session, arguments: &Arguments, stated: StatedRooting) -> Rooting {
    let rooting = match (arguments.rooted, arguments.unrooted) {
        (true, _) => Rooting::Rooted,
        (_, true) => Rooting::Unrooted,
        _ => {
            match stated {
                StatedRooting::Rooted => session.note(
                    "the files say that all trees are rooted, so clusters are compared; pass \
                    --unrooted to compare splits",
                ),
                StatedRooting::Mixed => session.note(
                    "the files say that some of the trees are rooted, but not all; splits of the \
                    unrooted trees are compared",
                ),
                _ => {}
            }
            stated.default_rooting()
        }
    };
    let name = if rooting == Rooting::Rooted { "rooted" } else { "unrooted" };
    session.parameter("rooting", name);
    rooting
}

fn read(session: &mut Session, arguments: &Arguments) -> Result<Vec<Loaded>> {
    let mut loaded = Vec::new();
    for path in &arguments.files {
        let mut params = ReadParams {
            // Of all pairs, most distances take none.
            lengths: !arguments.matrix || needs_lengths(arguments),
            missing_length: arguments.missing_length,
            tree: TreeChoice::All,
            limit: limit(),
            ..ReadParams::default()
        };
        let mut without = false;
        let mut file = session.phase("read", || -> Result<TreeFile> {
            let opened = TreeInput::open(path, limit(), &params)?;
            Ok(match opened.read(&params) {
                // Lengths matter only where all branches have one.
                Err(IoError::MissingLength { .. }) if !needs_lengths(arguments) => {
                    params.missing_length = Some(0.0);
                    let mut file = opened.read(&params)?;
                    file.lengths = None;
                    without = true;
                    file
                }
                file => file?,
            })
        })?;
        if without {
            let name = &file.name;
            session.note(&format!(
                "{name}: some branches have no length, so lengths are not compared; pass \
                --missing-length LENGTH to give them one"
            ));
        }
        let params = TreeParams { forest: true, ..TreeParams::default() };
        let tree = session.phase("build", || file.tree(params))?;
        // The tree has them; this memory is used again.
        file.parents = Vec::new();
        loaded.push(Loaded { file, tree });
    }
    Ok(loaded)
}

/// Whether lengths change nothing.
fn counts_only(arguments: &Arguments) -> bool {
    arguments.matrix && !arguments.distance.needs_lengths()
}

fn needs_lengths(arguments: &Arguments) -> bool {
    arguments.matrix && arguments.distance.needs_lengths()
}

fn matrix(
    mut session: Session,
    arguments: &Arguments,
    set: &TreeSet<'_>,
    rooting: Rooting,
) -> Result<()> {
    let metric = arguments.distance;
    session.parameter("distance", metric.name());
    let values = session.phase("compute", || tree_distances(set, metric, rooting))?;
    let floats: Cow<'_, [f64]> = match &values {
        Values::F64(x) => Cow::Borrowed(x),
        Values::U64(x) => Cow::Owned(x.iter().map(|&x| x as f64).collect()),
        _ => Cow::Owned(Vec::new()),
    };
    let sum: f64 = floats.iter().sum();
    session
        .record
        .figure("pairs", floats.len())
        .figure("mean", sum / floats.len().max(1) as f64)
        .figure("max", floats.iter().copied().fold(0.0, f64::max));
    if session.wants("distances") {
        let all = Condensed::new(set.len(), floats.to_vec());
        let names: Vec<String> = arguments.files.iter().map(|path| name_of(path)).collect();
        show(&mut session, "distances", None, || {
            pictures::tree_distance_map(&names.join(", "), metric.words(), &all)
        })?;
    }
    if let Some(path) = session.destination(arguments.output.as_deref()) {
        let t = set.len();
        let at = |i: usize, j: usize| i * (2 * t - i - 1) / 2 + j - i - 1;
        let row = |i: usize, row: &mut [f64]| {
            for (j, to) in row.iter_mut().enumerate() {
                *to = if i == j { 0.0 } else { floats[at(i.min(j), i.max(j))] };
            }
        };
        let (npy, separator) = (format_of(&path) == Some(Format::Npy), separator_of(&path));
        let name = |i: usize| -> Cow<'static, str> { i.to_string().into() };
        session.write(&path, |out| match npy {
            true => write_npy_values(out, &values),
            false => write_matrix(out, separator, t, &name, &row).map(drop),
        })?;
    }
    session.finish()
}

fn agree(
    mut session: Session,
    arguments: &Arguments,
    set: &TreeSet<'_>,
    rooting: Rooting,
    which: Consensus,
) -> Result<()> {
    let trees = set.trees()?;
    let found = session.phase("compute", || Collection::new(&trees, rooting).consensus(which));
    let share = |&count: &u32| 100.0 * f64::from(count) / set.len() as f64;
    let labels = Labels::texts(found.tips.iter().map(|&tip| match tip {
        NONE => Cow::Borrowed(""),
        tip => set.tips.label(tip),
    }));
    let support: Vec<f64> = found
        .tips
        .iter()
        .zip(&found.counts)
        .zip(&found.parents)
        .map(|((&tip, count), &parent)| match tip {
            NONE if parent != NONE => (share(count) * 100.0).round() / 100.0,
            _ => f64::NAN,
        })
        .collect();
    let tree = Tree::from_parents(&found.parents)?;
    session.record.figure("vertices", tree.len()).figure("inner", tree.len() - set.tips.len());
    let parts = TreeParts {
        lengths: found.lengths.as_deref(),
        support: Some(&support),
        ..TreeParts::new(&found.parents, &labels)
    };
    let text = TreeText { tree: &tree, parts, style: AnnotationStyle::None };
    let by_name = arguments.output.as_deref().and_then(format_of);
    text.write(&mut session, arguments.output.as_deref(), by_name.or(Some(Format::Newick)))?;
    session.finish()
}
