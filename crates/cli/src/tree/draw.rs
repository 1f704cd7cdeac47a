//! `palmette tree draw`.

use crate::limit::read_bytes;
use crate::prelude::*;
use palmette::io::{VertexColumn, read_column_bytes};
use palmette::phylogeny::annotation::{write_itol, write_taxonium};
use palmette::phylogeny::colours::ColourColumn;
use palmette::phylogeny::drawn::DrawnTree;
use palmette::pictures::{MOST_ROWS, PhylogramParams, TreeForm, phylogram, tree_page};
use palmette_vocabulary::ValueSource;

#[derive(Debug, Args)]
#[command(arg = not_in_place())]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the tree as SVG; large clades are triangles")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// Straight or around a circle.
    #[arg(long, value_name = "LAYOUT", default_value = "rectangular", value_parser = named::<TreeForm>())]
    layout: TreeForm,
    /// What colours branches: `support`, `length`, a column of the tree's table, or a file with names and
    /// numbers or words (a name with a `/` or ending in csv, tsv, txt, npy, parquet, arrow, gz or zst).
    /// Vertices may be missing; inner ones then have the mean, or the word, of their tips.
    #[arg(long, value_name = "COLUMN|FILE")]
    colour: Option<String>,
    /// Mark a clade, or the last common ancestor of vertices joined by `+`, with words if given.
    #[arg(long, value_name = "NAME[=LABEL]")]
    highlight: Vec<String>,
    /// Collapse a clade into a triangle: by name, or vertices joined by `+`.
    #[arg(long, value_name = "NAME")]
    collapse: Vec<String>,
    /// Draw at most so many tips and triangles (default: 60, on a circle 44).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=MOST_ROWS as i64))]
    rows: Option<u32>,
    /// Draw by depth, without branch lengths.
    #[arg(long)]
    no_lengths: bool,
    /// Unit of branch lengths, for the scale bar.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    unit: String,
    /// Support from which a branch gets a dot (default: 90, or 0.9 if none is above 1).
    #[arg(long, value_name = "MIN")]
    dots: Option<f64>,
    #[command(flatten)]
    pictures: PictureOptions,
    /// Write a page to look around in: pan, zoom, search, collapse.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the colours as a dataset for iTOL: a strip for words, bars for numbers.
    #[arg(long, value_name = "FILE", requires = "colour")]
    itol: Option<PathBuf>,
    /// Write the tree for Taxonium, as jsonl, optionally gz.
    #[arg(long, value_name = "FILE")]
    taxonium: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let source = arguments.colour.as_deref().map(Source::parse);
    let files = Files::of(&arguments.input.file)
        .draws(&arguments.pictures, "tree")
        .writes("--html", arguments.html.as_deref(), Kind::PAGE)
        .writes("--itol", arguments.itol.as_deref(), Kind::ITOL)
        .writes("--taxonium", arguments.taxonium.as_deref(), Kind::TAXONIUM);
    let files = match &source {
        Some(Source::Values(ValueSource::File(path))) => files.reads("--colour", Some(path)),
        _ => files,
    };
    let mut session = Session::open("tree draw", files, run)?;
    let written = [&arguments.html, &arguments.itol, &arguments.taxonium];
    if !session.draws() && written.iter().all(|path| path.is_none()) {
        bail!("nothing to draw; pass --svg FILE, --png FILE or --html FILE");
    }
    note_options(&mut session, arguments);
    let mut needs = Needs {
        lengths: if arguments.no_lengths { Lengths::No } else { Lengths::IfAny },
        ..Needs::default()
    };
    if let Some(Source::Values(ValueSource::Column(key))) = &source {
        needs.columns.push(key.clone());
        needs.types = vec![ValueType::F64];
        (needs.nan, needs.missing) = (true, Some("nan".to_string()));
    }
    let Loaded { file, tree } = load(&mut session, &arguments.input, &needs)?;
    let column = match &source {
        Some(source) => Some(source.column(&mut session, &file, &tree, arguments)?),
        None => None,
    };
    let of = DrawnTree::of(&file, &tree);
    let params = PhylogramParams {
        form: arguments.layout,
        rows: arguments.rows.map(|rows| rows as usize),
        collapse: clades(&arguments.collapse, &file, &tree)?.into_iter().map(|c| c.0).collect(),
        highlight: clades(&arguments.highlight, &file, &tree)?,
        unit: arguments.unit.clone(),
        support: arguments.dots,
    };
    if let Some(vertex) =
        params.collapse.iter().find(|&&v| tree.is_leaf(tree.positions()[v as usize]))
    {
        bail!("--collapse {}: this is a tip, not a clade", shown(&file.labels.get(*vertex)));
    }
    if arguments.dots.is_some() && file.support.is_none() {
        bail!("--dots: {} has no support values", file.name);
    }
    let (picture, figures) = session.phase("draw", || phylogram(&of, column.as_ref(), &params))?;
    session.figures(&figures);
    for &vertex in &figures.hidden {
        let name = shown(&file.labels.get(vertex));
        session
            .note(&format!("{name} lies inside of a collapsed clade; a larger --rows may show it"));
    }
    if let Some(path) = &arguments.html {
        session.file("html", Some(path));
        let page =
            session.phase("page", || tree_page(&of, column.as_ref(), &params, &picture.svg))?;
        session.record.figure("page_bytes", page.len());
        session.write_text(path, &page)?;
    }
    keep(&mut session, None, picture)?;
    if let (Some(path), Some(column)) = (&arguments.itol, &column) {
        session.file("itol", Some(path));
        session.write(path, |out| write_itol(out, &of, column))?;
    }
    if let Some(path) = &arguments.taxonium {
        session.file("taxonium", Some(path));
        session.write(path, |out| write_taxonium(out, &of, column.as_ref()))?;
    }
    session.finish()
}

fn note_options(session: &mut Session, arguments: &Arguments) {
    session.parameter("layout", arguments.layout.name());
    if let Some(colour) = &arguments.colour {
        session.parameter("colour", colour.as_str());
    }
    for (key, names) in [("highlight", &arguments.highlight), ("collapse", &arguments.collapse)] {
        if !names.is_empty() {
            session.parameter(key, names.clone());
        }
    }
    if let Some(rows) = arguments.rows {
        session.parameter("rows", rows);
    }
    session.parameter("lengths", !arguments.no_lengths);
}

/// What colours branches.
enum Source {
    Support,
    Length,
    Values(ValueSource),
}

impl Source {
    fn parse(text: &str) -> Source {
        match text {
            "support" => Source::Support,
            "length" => Source::Length,
            _ => Source::Values(ValueSource::parse(text)),
        }
    }

    fn column(
        &self,
        session: &mut Session,
        file: &TreeFile,
        tree: &Tree,
        arguments: &Arguments,
    ) -> Result<ColourColumn> {
        let of_branches = |name: &str, values: &Option<Vec<f64>>| match values {
            Some(values) => Ok(ColourColumn::of_branches(name, tree, values)?),
            None if name == "length" && arguments.no_lengths => {
                bail!("--colour length needs branch lengths; leave out --no-lengths")
            }
            None => bail!("--colour {name}: {} has none", file.name),
        };
        match self {
            Source::Support => of_branches("support", &file.support),
            Source::Length => of_branches("length", &file.lengths),
            Source::Values(ValueSource::File(path)) => {
                let name = name_of(path);
                let (head, column) = session.phase("read", || -> Result<_> {
                    Ok(read_column_bytes(&name, &read_bytes(path)?, None, &file.labels)?)
                })?;
                let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let head = if head.is_empty() { stem.unwrap_or(name) } else { head };
                Ok(ColourColumn::new(&head, tree, &column)?)
            }
            Source::Values(_) => {
                let column = file.columns.first();
                let column =
                    column.context("--colour needs `support`, `length`, a column or a file")?;
                let Values::F64(numbers) = &column.values else {
                    return Err(Internal("a column of another type".to_string()).into());
                };
                Ok(ColourColumn::new(&column.name, tree, &VertexColumn::Numbers(numbers.clone()))?)
            }
        }
    }
}

/// The vertices of names, with the words after `=`. A name that has a `=` or a `+` itself is found
/// first.
fn clades(names: &[String], file: &TreeFile, tree: &Tree) -> Result<Vec<(u32, String)>> {
    let index = std::cell::OnceCell::new();
    let find = |text: &str| -> Result<u32> {
        let whole = file.vertex(text);
        if whole.is_ok() || !text.contains('+') {
            return Ok(whole?);
        }
        let all = text.split('+').map(|name| file.vertex(name)).collect::<Result<Vec<u32>, _>>()?;
        let lca = index.get_or_init(|| palmette::Lca::by_vertex(tree));
        let common = all[1..].iter().try_fold(all[0], |a, &b| lca.query(a, b));
        common.with_context(|| format!("{} have no common ancestor", shown(text)))
    };
    let one = |text: &String| -> Result<(u32, String)> {
        match (file.vertex(text), text.rsplit_once('=')) {
            (Err(_), Some((name, words))) => Ok((find(name)?, words.to_string())),
            _ => Ok((find(text)?, if text.contains('+') { text.clone() } else { String::new() })),
        }
    };
    names.iter().map(one).collect()
}
