//! Writing tables of answers, and trees.

use crate::prelude::*;
use palmette::io::{
    AnnotationStyle, Format, TreeParts, ValueSlice, write_columns, write_npy_values, write_table,
    write_tree,
};

/// A table of answers: the last column is the answer.
pub(crate) struct Answers<'a> {
    pub(crate) labels: &'a Labels,
    pub(crate) columns: Vec<(&'a str, Cells<'a>)>,
    /// The answer where it is one column of numbers: what an npy file gets.
    pub(crate) numbers: Option<&'a Values>,
}

impl Answers<'_> {
    /// Writes only these rows, or all.
    pub(crate) fn write_rows(
        &self,
        session: &mut Session,
        to: &TableOptions,
        rows: Option<&[u32]>,
    ) -> Result<()> {
        let Some(rows) = rows else { return self.write(session, to) };
        let columns = self.columns.iter().map(|(name, cells)| (*name, Cells::Rows(rows, cells)));
        let numbers = self.numbers.map(|values| values.gathered(rows, 0));
        let columns = columns.collect();
        Answers { labels: self.labels, columns, numbers: numbers.as_ref() }.write(session, to)
    }

    /// Writes the table where it should go: nowhere with `--json` and no file.
    pub(crate) fn write(&self, session: &mut Session, to: &TableOptions) -> Result<()> {
        self.write_where(session, to.output.as_deref())
    }

    /// Notes the answer to a single query, whose vertices are in the columns `u` and `v`.
    pub(crate) fn note(&self, session: &mut Session) {
        for (name, cells) in &self.columns {
            if let Some(answer) = self.single(cells).filter(|_| !["u", "v"].contains(name)) {
                session.record.figure(name, answer);
            }
        }
    }

    /// What a column has, if that is one answer.
    fn single(&self, cells: &Cells<'_>) -> Option<Value> {
        Some(match *cells {
            Cells::Vertices(&[vertex]) if vertex != NONE => {
                self.labels.get(vertex).into_owned().into()
            }
            Cells::Numbers(ValueSlice::I64(&[x])) => x.into(),
            Cells::Numbers(ValueSlice::U64(&[x])) => x.into(),
            Cells::Numbers(ValueSlice::F64(&[x])) => x.into(),
            Cells::Numbers(ValueSlice::F32(&[x])) => x.into(),
            Cells::Where(&[true], cells) => return self.single(cells),
            _ => return None,
        })
    }

    /// Writes the table to a file, or to stdout for `-`.
    pub(crate) fn write_to(&self, session: &mut Session, path: &Path) -> Result<()> {
        self.write_where(session, Some(path))
    }

    /// Writes the table to a file that is not the output.
    pub(crate) fn write_beside(&self, session: &mut Session, path: &Path) -> Result<()> {
        self.write_at(session, path.to_path_buf())
    }

    /// Writes the table to a file, or else to stdout unless `--json` prints the record there.
    pub(crate) fn write_to_output(&self, session: &mut Session, path: Option<&Path>) -> Result<()> {
        self.write_where(session, path)
    }

    fn write_where(&self, session: &mut Session, path: Option<&Path>) -> Result<()> {
        let Some(path) = session.destination(path) else { return Ok(()) };
        self.write_at(session, path)
    }

    fn write_at(&self, session: &mut Session, path: PathBuf) -> Result<()> {
        let format = format_of(&path).unwrap_or(Format::Csv);
        let npy = format == Format::Npy;
        let numbers = match self.numbers {
            None if npy => {
                bail!("{}: npy holds only one column of numbers; use csv or tsv", path.display())
            }
            numbers => numbers.filter(|_| npy),
        };
        let separator = separator_of(&path);
        session.write(&path, |out| match numbers {
            Some(values) => write_npy_values(out, values),
            None if format.has_columns() => write_columns(out, format, self.labels, &self.columns),
            None => write_table(out, separator, self.labels, &self.columns),
        })
    }
}

/// What becomes of annotations.
#[derive(Debug, Args)]
pub(crate) struct AnnotationOptions {
    /// How annotations are written in Newick and NEXUS: none, nhx (`[&&NHX:key=value]`) or beast
    /// (`[&key=value]`); tables have a column `&key` for each.
    #[arg(long, value_name = "STYLE", default_value = "none", value_parser = named::<AnnotationStyle>())]
    pub(crate) annotations: AnnotationStyle,
}

/// A tree as it is written.
pub(crate) struct TreeText<'a> {
    pub(crate) tree: &'a Tree,
    /// What vertices have, by vertex; of a file, [`TreeFile::parts`].
    pub(crate) parts: TreeParts<'a>,
    /// How annotations are written in Newick and NEXUS.
    pub(crate) style: AnnotationStyle,
}

impl TreeText<'_> {
    /// Writes the tree in the requested format, or that of the file's name, or csv.
    pub(crate) fn write(
        &self,
        session: &mut Session,
        path: Option<&Path>,
        format: Option<Format>,
    ) -> Result<()> {
        let by_name = path.and_then(format_of);
        let format = format.or(by_name).unwrap_or(Format::Csv);
        let Some(path) = session.destination(path) else { return Ok(()) };
        session.parameter("format", format.name());
        if !format.is_written() {
            bail!("{} is read, not written; use nexus", format.name());
        }
        self.note_losses(session, format);
        let &TreeText { tree, ref parts, style } = self;
        session.write(&path, |out| write_tree(out, format, tree, parts, style))
    }

    fn note_losses(&self, session: &Session, format: Format) {
        let mut lost = self.parts.losses(format, self.style);
        if matches!(format, Format::Newick | Format::Nexus) && self.style == AnnotationStyle::None {
            let wanted = |what: &&str| matches!(*what, "annotations" | "whether trees are rooted");
            let kept: Vec<&str> = lost.extract_if(.., |what| wanted(&&**what)).collect();
            if !kept.is_empty() {
                let kept = kept.join("; ");
                session.note(&format!("left out: {kept}; pass --annotations beast to write it"));
            }
        }
        if !lost.is_empty() {
            let (format, lost) = (format.name(), lost.join("; "));
            session.note(&format!("left out, because {format} cannot store it: {lost}"));
        }
    }
}

/// The format that a name promises, compression aside.
pub(crate) fn format_of(path: &Path) -> Option<Format> {
    Format::from_name(&path.to_string_lossy())
}

pub(crate) fn separator_of(path: &Path) -> u8 {
    if format_of(path) == Some(Format::Tsv) { b'\t' } else { b',' }
}
