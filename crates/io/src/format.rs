//! Finds the format of a tree file, from its name or its content.

use crate::IoError;
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
        /// A line per edge: parent, child.
        Edges = "edges",
    }
}

impl Format {
    /// Whether it is a table.
    pub const fn is_table(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv)
    }

    /// The format a file's name promises, compression suffixes aside.
    pub fn from_name(name: &str) -> Option<Format> {
        match stem(name).rsplit_once('.')?.1 {
            "nwk" | "newick" | "nw" | "tree" | "tre" | "treefile" | "nhx" => Some(Format::Newick),
            "csv" => Some(Format::Csv),
            "tsv" | "tab" | "dmp" => Some(Format::Tsv),
            "npy" => Some(Format::Npy),
            "edges" | "edgelist" | "el" => Some(Format::Edges),
            _ => None,
        }
    }

    /// The format that a file's content looks like.
    ///
    /// # Errors
    /// When it looks like none.
    pub fn from_content(name: &str, data: &[u8]) -> Result<Format, IoError> {
        if data.starts_with(b"\x93NUMPY") {
            return Ok(Format::Npy);
        }
        let data = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
        let unknown = |line: u64, found: String| {
            let expected =
                "a Newick tree, a table of vertices and parents, an edge list or an npy array"
                    .to_string();
            Err(IoError::Line { file: name.to_string(), line, expected, found })
        };
        for (number, line) in data.split(|&b| b == b'\n').enumerate() {
            let text = line.trim_ascii();
            let has = |byte: u8| text.contains(&byte);
            match text.first() {
                None => {}
                Some(b'#' | b'%') => {}
                Some(b'(' | b'[' | b'\'') => return Ok(Format::Newick),
                Some(_) if has(b',') => return Ok(Format::Csv),
                Some(_) if has(b'\t') => return Ok(Format::Tsv),
                Some(_) if text.ends_with(b";") => return Ok(Format::Newick),
                Some(_) if has(b';') => return Ok(Format::Csv),
                Some(_) if has(b' ') => return Ok(Format::Edges),
                Some(_) => {
                    return unknown(number as u64 + 1, shown(&String::from_utf8_lossy(text)));
                }
            }
        }
        unknown(1, "an empty file".to_string())
    }
}

/// Refuses NEXUS, which may have the names of Newick files: to other readers its first line is
/// a comment or a label.
pub(crate) fn refuse_nexus(name: &str, data: &[u8]) -> Result<(), IoError> {
    let text = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data).trim_ascii_start();
    let word = text.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    if !word.eq_ignore_ascii_case(b"#nexus") {
        return Ok(());
    }
    let line = crate::source::line_at(data, data.len() - text.len());
    let expected = "a Newick tree, a table or an edge list".to_string();
    let found = "NEXUS, which is not supported yet (extract the Newick tree)".to_string();
    Err(IoError::Line { file: name.to_string(), line, expected, found })
}

/// The name in lower case without the suffix of a compression.
pub(crate) fn stem(name: &str) -> String {
    let name = name.to_lowercase();
    for suffix in [".gz", ".zst", ".zstd"] {
        if let Some(stem) = name.strip_suffix(suffix) {
            return stem.to_string();
        }
    }
    name
}
