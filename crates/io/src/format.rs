//! Finds the format of a tree file, from its name or its content.

use crate::IoError;
use crate::known::{COMPRESSIONS, by_ending};
use crate::quote::shown;
use palmette_core::named;

named! {
    /// A format for trees.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Format("format") {
        /// A table with a row per vertex: its label, its parent's, numbers. Commas are written;
        /// readers find the separator themselves.
        Csv = "csv",
        /// The same with tabs.
        Tsv = "tsv",
        /// A NumPy array of parents.
        Npy = "npy",
        /// Nested parentheses with labels and branch lengths.
        Newick = "newick",
        /// Blocks of taxa and of Newick trees.
        Nexus = "nexus",
        /// Nested elements `clade`, with what is known of each; read only.
        PhyloXml = "phyloxml",
        /// A line per edge: parent, child.
        Edges = "edges",
        /// Columns with names and types, packed: what `csv` has.
        Parquet = "parquet",
        /// The same as Arrow has it in memory. Files are written; streams are read, too.
        Arrow = "arrow",
    }
}

impl Format {
    /// Whether it is a table.
    pub const fn is_table(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv) || self.has_columns()
    }

    /// Whether it is written.
    pub const fn is_written(self) -> bool {
        !matches!(self, Format::PhyloXml)
    }

    /// Whether it is a table whose columns lie one after another.
    pub const fn has_columns(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }

    /// The format that was asked for, or else that of a file's name, or else that of its content.
    pub(crate) fn of(asked: Option<Format>, name: &str, data: &[u8]) -> Result<Format, IoError> {
        let said = asked.or_else(|| Format::from_name(name));
        said.map_or_else(|| Format::from_content(name, data), Ok)
    }

    /// Extensions of its files, the usual one first.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Csv => &["csv"],
            Format::Tsv => &["tsv", "tab", "dmp"],
            Format::Npy => &["npy"],
            Format::Newick => &["nwk", "newick", "nw", "tree", "tre", "treefile", "nhx"],
            Format::Nexus => &["nex", "nexus", "nxs"],
            Format::PhyloXml => &["xml", "phyloxml"],
            Format::Edges => &["edges", "edgelist", "el"],
            Format::Parquet => &["parquet", "pq"],
            Format::Arrow => &["arrow", "feather", "ipc"],
        }
    }

    /// What a file holds, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Format::Csv => "a row per vertex: name, parent, numbers",
            Format::Tsv => "the same with tabs",
            Format::Npy => "a NumPy array of parents",
            Format::Newick => "parentheses with labels and lengths",
            Format::Nexus => "taxa, and trees with names",
            Format::PhyloXml => "nested clades with annotations",
            Format::Edges => "a line per edge: parent, child",
            Format::Parquet => "typed columns: id, parent, numbers",
            Format::Arrow => "the same in Arrow IPC (Feather)",
        }
    }

    /// The format a file's name promises, compression suffixes aside.
    pub fn from_name(name: &str) -> Option<Format> {
        by_ending(name, Format::endings)
    }

    /// The format that a file's content looks like.
    ///
    /// # Errors
    /// When it looks like none.
    pub fn from_content(name: &str, data: &[u8]) -> Result<Format, IoError> {
        if data.starts_with(b"\x93NUMPY") {
            return Ok(Format::Npy);
        }
        if let Some(format) = crate::columnar::format_of(data) {
            return Ok(format);
        }
        let expected =
            "a Newick tree, a table of vertices and parents, an edge list or an npy array";
        let comment = |text: &[u8]| matches!(text[0], b'#' | b'%');
        by_first_line(name, data, expected, comment, |text| {
            let has = |byte: u8| text.contains(&byte);
            Some(match text[0] {
                b'(' | b'[' | b'\'' => Format::Newick,
                b'<' => Format::PhyloXml,
                _ if has(b',') => Format::Csv,
                _ if has(b'\t') => Format::Tsv,
                _ if text.ends_with(b";") => Format::Newick,
                _ if has(b';') => Format::Csv,
                _ if has(b' ') => Format::Edges,
                _ => return None,
            })
        })
    }
}

/// The format that the first line says which is neither empty nor a comment.
pub(crate) fn by_first_line<T>(
    name: &str,
    data: &[u8],
    expected: &str,
    comment: impl Fn(&[u8]) -> bool,
    format: impl Fn(&[u8]) -> Option<T>,
) -> Result<T, IoError> {
    let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let lines = data.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    let Some((line, text)) = (1..).zip(lines).find(|(_, text)| !text.is_empty() && !comment(text))
    else {
        return Err(IoError::on_line(name, 1, expected, "an empty file"));
    };
    let found = || shown(&String::from_utf8_lossy(&text[..text.len().min(500)]));
    format(text).ok_or_else(|| IoError::on_line(name, line, expected, found()))
}

/// As [`Format::of`]. NEXUS, whatever its file is called, has Newick trees in it, and is read as
/// Newick where that is asked for; it is no other format, although its first line would be a comment
/// or a label there.
pub(crate) fn of_content(
    asked: Option<Format>,
    name: &str,
    data: &[u8],
) -> Result<Format, IoError> {
    match (asked, crate::newick::nexus_at(data)) {
        (None | Some(Format::Newick | Format::Nexus), Some(_)) => Ok(Format::Nexus),
        (Some(asked), Some(at)) => {
            let line = crate::source::line_at(data, at);
            Err(IoError::on_line(name, line, format!("the format {}", asked.name()), "NEXUS"))
        }
        (asked, None) => match Format::of(asked, name, data)? {
            Format::Nexus => {
                let found = "another beginning";
                Err(IoError::on_line(name, 1, "`#NEXUS` at the start of the file", found))
            }
            format => Ok(format),
        },
    }
}

/// The name in lower case without the suffix of a compression.
pub(crate) fn stem(name: &str) -> String {
    let name = name.to_lowercase();
    match name.rsplit_once('.') {
        Some((stem, ending)) if COMPRESSIONS.contains(&ending) => stem.to_string(),
        _ => name,
    }
}
