//! Writing tables of answers, and trees.

use crate::arguments::{FormatName, TableOptions};
use crate::session::Session;
use anyhow::bail;
use palmette::io::{
    Cells, Column, Output, losses, write_edges, write_newick, write_npy_parents, write_npy_values,
    write_parent_table, write_table,
};
use palmette::{IoError, Labels, Tree, Values};
use std::path::{Path, PathBuf};

/// A table of answers: the last column is the answer.
pub(crate) struct Answers<'a> {
    pub(crate) labels: &'a Labels,
    pub(crate) columns: Vec<(&'a str, Cells<'a>)>,
    /// The answer where it is one column of numbers: what an npy file gets.
    pub(crate) numbers: Option<&'a Values>,
}

impl Answers<'_> {
    /// Writes the table where it should go: nowhere with `--json` and no file.
    pub(crate) fn write(&self, session: &mut Session, to: &TableOptions) -> anyhow::Result<()> {
        self.write_where(session, to.output.as_deref())
    }

    /// Writes the table to a file, or to stdout for `-`.
    pub(crate) fn write_to(&self, session: &mut Session, path: &Path) -> anyhow::Result<()> {
        self.write_where(session, Some(path))
    }

    fn write_where(&self, session: &mut Session, path: Option<&Path>) -> anyhow::Result<()> {
        let Some(path) = destination(session, path)? else { return Ok(()) };
        let npy = format_of(&path) == Some(FormatName::Npy);
        let numbers = match self.numbers {
            None if npy => bail!(
                "{}: expected a csv or tsv file, found npy, which holds one column of numbers",
                path.display()
            ),
            numbers => numbers.filter(|_| npy),
        };
        let separator = separator_of(&path);
        session.phase("write", || {
            let mut out = Output::create(&path)?;
            out.write_with(|out| match numbers {
                Some(values) => write_npy_values(out, values),
                None => write_table(out, separator, self.labels, &self.columns),
            })?;
            out.finish()
        })?;
        Ok(())
    }
}

/// Refuses a picture and a table in one file.
pub(crate) fn check_distinct(table: Option<&Path>, picture: Option<&Path>) -> anyhow::Result<()> {
    check_two_files((table, "-o"), (picture, "--svg"))
}

/// Whether two paths name one file, which need not be there.
pub(crate) fn same_place(one: &Path, other: &Path) -> bool {
    // The file itself or, before it is there, its name in the folder.
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize();
        let named = folder.ok().zip(path.file_name()).map(|(folder, name)| folder.join(name));
        path.canonicalize().ok().or(named).unwrap_or_else(|| path.to_path_buf())
    };
    place(one) == place(other)
}

/// Refuses to write two things to one file; each comes with the option that names it.
pub(crate) fn check_two_files(
    (one, first): (Option<&Path>, &str),
    (other, second): (Option<&Path>, &str),
) -> anyhow::Result<()> {
    let (Some(one), Some(other)) = (one, other) else { return Ok(()) };
    if same_place(one, other) {
        bail!("expected two files after {first} and {second}, found {} twice", one.display());
    }
    Ok(())
}

/// Refuses, before a long run, files that could not be written after it; `option` is the
/// one that names the picture.
pub(crate) fn check_early(
    session: &Session,
    table: Option<&Path>,
    picture: Option<&Path>,
    option: &str,
) -> anyhow::Result<()> {
    check_two_files((table, "-o"), (picture, option))?;
    if picture.is_some_and(is_stdout) {
        bail!("expected a file after {option}, found `-`");
    }
    if session.is_json() && table.is_some_and(is_stdout) {
        return Err(stdout_has_record());
    }
    table.map_or(Ok(()), |path| check_target(path, "-o"))?;
    picture.map_or(Ok(()), |path| check_target(path, option))
}

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn stdout_has_record() -> anyhow::Error {
    anyhow::anyhow!("expected a file after -o, found `-`: with --json stdout has the record")
}

/// Writes all of a file, which appears when it is finished: what cannot be written must fail
/// before anything else appears.
pub(crate) fn unfinished(
    path: &Path,
    write: impl FnOnce(&mut Output) -> std::io::Result<()>,
) -> Result<Output, IoError> {
    let mut out = Output::create(path)?;
    out.write_with(write)?;
    out.close()?;
    Ok(out)
}

/// Lets a picture appear: after all else that can fail.
pub(crate) fn finish(picture: Option<Output>) -> anyhow::Result<()> {
    picture.map_or(Ok(()), |picture| Ok(picture.finish()?))
}

/// Refuses a name that no file can have, before any long work; `option` is the one that
/// gives it. Nothing stays behind.
pub(crate) fn check_target(path: &Path, option: &str) -> anyhow::Result<()> {
    if is_stdout(path) {
        return Ok(());
    }
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => {
            bail!("{}: expected a file after {option}, found a directory", path.display())
        }
        // Pipes and devices are opened once only.
        Ok(there) if !there.is_file() => Ok(()),
        _ => {
            drop(Output::create(path)?);
            Ok(())
        }
    }
}

/// Where a table, tree or page goes, if anywhere.
pub(crate) fn destination(
    session: &mut Session,
    path: Option<&Path>,
) -> anyhow::Result<Option<PathBuf>> {
    match path {
        None if session.is_json() => Ok(None),
        Some(path) if !is_stdout(path) => {
            session.record.parameter("output", path.display().to_string());
            Ok(Some(path.to_path_buf()))
        }
        _ if session.is_json() => Err(stdout_has_record()),
        _ => {
            session.take_stdout();
            Ok(Some(PathBuf::from("-")))
        }
    }
}

/// A tree as it is written.
pub(crate) struct TreeText<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) parents: &'a [u32],
    pub(crate) labels: &'a Labels,
    pub(crate) lengths: Option<&'a [f64]>,
    pub(crate) columns: &'a [Column],
}

impl TreeText<'_> {
    /// Writes the tree in the format asked for, or the one of the file's name, or csv.
    pub(crate) fn write(
        &self,
        session: &mut Session,
        path: Option<&Path>,
        format: Option<FormatName>,
    ) -> anyhow::Result<()> {
        let by_name = match path.filter(|p| p.as_os_str() != "-") {
            Some(path) if format.is_none() && format_of(path).is_none() => bail!(
                "{}: expected a name that ends in csv, tsv, npy, nwk or edges, or --to FORMAT",
                path.display()
            ),
            Some(path) => format_of(path),
            None => None,
        };
        let format = format.or(by_name).unwrap_or(FormatName::Csv);
        let Some(path) = destination(session, path)? else { return Ok(()) };
        session.record.parameter("format", format.name());
        self.note_losses(session, format);
        session.phase("write", || {
            let mut out = Output::create(&path)?;
            let &TreeText { tree, parents, labels, lengths, columns } = self;
            out.write_with(|out| match format {
                FormatName::Csv => write_parent_table(out, b',', parents, labels, lengths, columns),
                FormatName::Tsv => {
                    write_parent_table(out, b'\t', parents, labels, lengths, columns)
                }
                FormatName::Npy => write_npy_parents(out, parents),
                FormatName::Newick => write_newick(out, tree, labels, lengths),
                FormatName::Edges => write_edges(out, parents, labels),
            })?;
            out.finish()
        })?;
        Ok(())
    }

    fn note_losses(&self, session: &Session, format: FormatName) {
        let &TreeText { parents, labels, lengths, columns, .. } = self;
        let lost = losses(format.format(), parents, labels, lengths, columns);
        if !lost.is_empty() {
            let (format, lost) = (format.name(), lost.join(" and "));
            session.note(&format!("{format} cannot hold {lost}; left out"));
        }
    }
}

/// The format that a name promises, compression aside.
pub(crate) fn format_of(path: &Path) -> Option<FormatName> {
    let name = path.to_string_lossy().to_lowercase();
    let stem = [".gz", ".zst", ".zstd"].iter().find_map(|s| name.strip_suffix(s)).unwrap_or(&name);
    match stem.rsplit_once('.')?.1 {
        "csv" => Some(FormatName::Csv),
        "tsv" | "tab" => Some(FormatName::Tsv),
        "npy" => Some(FormatName::Npy),
        "nwk" | "newick" | "nw" | "tree" | "tre" | "treefile" => Some(FormatName::Newick),
        "edges" | "edgelist" | "el" => Some(FormatName::Edges),
        _ => None,
    }
}

pub(crate) fn separator_of(path: &Path) -> u8 {
    if format_of(path) == Some(FormatName::Tsv) { b'\t' } else { b',' }
}
