//! Reading the tree, and the queries about it.

use crate::limit::{limit, read_bytes, read_pair_file};
use crate::prelude::*;
use palmette::core::tree::SiblingOrder;
use palmette::io::{ColumnKey, Number, TreeChoice, TreeInput, read_as};
use palmette::{ReadParams, TreeParams};

/// A tree and the file it came from.
pub(crate) struct Loaded {
    pub(crate) file: TreeFile,
    pub(crate) tree: Tree,
}

/// What a command needs in addition to parents.
#[derive(Default)]
pub(crate) struct Needs {
    pub(crate) columns: Vec<ColumnKey>,
    /// The types that the columns may have, in the order of trying.
    pub(crate) types: Vec<ValueType>,
    /// Columns may have different types.
    pub(crate) mixed: bool,
    /// Accept NaN in the columns.
    pub(crate) nan: bool,
    /// What an empty field of the columns stands for.
    pub(crate) missing: Option<String>,
    pub(crate) lengths: Lengths,
    /// Keep annotations.
    pub(crate) annotations: bool,
    pub(crate) siblings: SiblingOrder,
    /// Accept several roots even without the user's permission; the command reports them itself.
    pub(crate) any_roots: bool,
    /// Bytes per vertex after reading, where that is less than a tree takes.
    pub(crate) bytes_per_vertex: Option<u64>,
}

/// Whether branch lengths are read.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lengths {
    #[default]
    No,
    /// Where there are any; vertices without one have 0.
    IfAny,
    /// Where there are any; then all vertices must have one.
    WherePresent,
    Required,
}

pub(crate) fn load(session: &mut Session, input: &InputOptions, needs: &Needs) -> Result<Loaded> {
    let file = load_file(session, input, needs)?;
    let tree = build(session, input, needs, &file)?;
    Ok(Loaded { file, tree })
}

/// The file alone, for a question that needs no tree.
pub(crate) fn load_file(
    session: &mut Session,
    input: &InputOptions,
    needs: &Needs,
) -> Result<TreeFile> {
    session.phase("read", || read(input, needs))
}

/// The tree of a file.
pub(crate) fn build(
    session: &mut Session,
    input: &InputOptions,
    needs: &Needs,
    file: &TreeFile,
) -> Result<Tree> {
    let forest = needs.any_roots || input.has_roots();
    let params = TreeParams { forest, siblings: needs.siblings };
    Ok(session.phase("build", || file.tree(params))?)
}

impl InputOptions {
    /// Whether several roots are allowed.
    pub(crate) fn has_roots(&self) -> bool {
        self.forest || self.tree == Some(TreeChoice::All)
    }
}

fn read(input: &InputOptions, needs: &Needs) -> Result<TreeFile> {
    if needs.lengths == Lengths::No && input.missing_length.is_some() {
        bail!("--missing-length has no effect, because no branch lengths are read; leave it out");
    }
    let default = ReadParams::default();
    let params = ReadParams {
        format: input.format,
        lengths: needs.lengths != Lengths::No,
        missing_length: match needs.lengths {
            Lengths::IfAny => Some(input.missing_length.unwrap_or(0.0)),
            _ => input.missing_length,
        },
        missing_value: needs.missing.clone(),
        support: input.support,
        annotations: needs.annotations,
        self_root: input.self_root,
        header: input.header,
        tree: input.tree.unwrap_or_default(),
        limit: limit(),
        bytes_per_vertex: needs.bytes_per_vertex.unwrap_or(default.bytes_per_vertex),
        ..default
    };
    let opened = TreeInput::open(&input.file, limit(), &params)?;
    let types = if needs.columns.is_empty() { &[ValueType::F64] } else { &needs.types[..] };
    let with = |types: &[ValueType], keys: &[ColumnKey]| {
        read_values(types, needs.nan, |number| {
            let columns = keys.iter().map(|key| (key.clone(), number)).collect();
            let params = ReadParams { columns, ..params.clone() };
            opened.read(&params)
        })
    };
    let all = &needs.columns[..];
    let mut file = match needs.mixed {
        false => with(types, all)?,
        // One reading where all are of the first type; else one or more for each.
        true => with(&types[..1], all).or_else(|_| with(types, &all[..1.min(all.len())]))?,
    };
    for key in &all[file.columns.len()..] {
        file.columns.append(&mut with(types, std::slice::from_ref(key))?.columns);
    }
    if needs.lengths == Lengths::Required && file.lengths.is_none() {
        bail!("{}: the tree has no branch lengths", name_of(&input.file));
    }
    Ok(file)
}

/// The pairs of a file. A note says if the first row was treated as a header and that may be a
/// surprise.
pub(crate) fn pairs_of(
    session: &mut Session,
    path: &Path,
    labels: &Labels,
) -> Result<Vec<(u32, u32)>> {
    let file = session.phase("read", || read_pair_file(path, labels))?;
    if let Some(header) = file.unusual_header {
        let name = name_of(path);
        session.note(&format!(
            "{name}: the first row, `{header}`, names no vertex; treating it as a header"
        ));
    }
    Ok(file.pairs)
}

/// Reads values as the first type that fits.
pub(crate) fn read_values<T>(
    types: &[ValueType],
    nan: bool,
    read: impl FnMut(Number) -> Result<T, IoError>,
) -> Result<T, IoError> {
    read_as(types, nan, read, |error| IoError::NoIntegerType(Box::new(error)))
}

/// How messages call a file.
pub(crate) fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "stdin".to_string() } else { path.display().to_string() }
}

/// The whole of a text file; `-` is stdin.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    text_of(path, read_bytes(path)?)
}

/// The bytes of a file as text.
pub(crate) fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String> {
    let text = String::from_utf8(bytes);
    text.map_err(|_| anyhow!("{}: not UTF-8 text", name_of(path)))
}

/// The pairs of vertices a command is asked about.
#[derive(Debug, Args)]
pub(crate) struct PairOptions {
    /// File of pairs: two names per row, or an npy array of shape (m, 2). A first row without
    /// names is a header.
    #[arg(long, value_name = "FILE", conflicts_with = "vertices")]
    pub(crate) pairs: Option<PathBuf>,
    /// One pair of vertices, by name.
    #[arg(value_name = "VERTEX")]
    pub(crate) vertices: Vec<String>,
}

impl PairOptions {
    /// The file, where no pair is named.
    pub(crate) fn file(&self) -> Result<&Path> {
        match (&self.pairs, self.vertices.len()) {
            (Some(path), _) => Ok(path),
            (None, 0) => bail!("no query given; name two vertices or pass --pairs FILE"),
            (None, given) => bail!("a pair has two vertices, not {given}"),
        }
    }

    /// The pairs by vertex, read as a part of the phase `read`.
    pub(crate) fn read(&self, session: &mut Session, file: &TreeFile) -> Result<Vec<(u32, u32)>> {
        if let [u, v] = &self.vertices[..] {
            return Ok(vec![(file.vertex(u)?, file.vertex(v)?)]);
        }
        let path = self.file()?;
        session.parameter("pairs", name_of(path));
        pairs_of(session, path, &file.labels)
    }
}
