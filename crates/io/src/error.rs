//! Errors of reading and writing, with the file and the place in it.

use crate::limit::size;
pub(crate) use crate::quote::shown;
use palmette_core::TreeError;
use std::io;
use thiserror::Error;

/// Why a file could not be read or written. Every message names the file; those
/// about text name the line (the first is 1), those about binary data and Newick
/// the byte (the first is 0), and all say what was expected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IoError {
    /// The file cannot be opened or read.
    #[error("{file}: cannot read: {source}")]
    Read {
        /// The file's name as the user gave it.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be created or written.
    #[error("{file}: cannot write: {source}")]
    Write {
        /// The file's name as the user gave it.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A compressed file is cut off or damaged.
    #[error("{file}: damaged {kind} stream: {found}")]
    Compressed {
        /// The file.
        file: String,
        /// `gzip` or `zstd`.
        kind: &'static str,
        /// Whether it is truncated or corrupt, and where the decoder stopped.
        found: String,
    },
    /// An input is larger than it may be, as it is or unpacked.
    #[error("{file}: input larger than {}{}", size(*.limit), packed_text(.packed))]
    TooLarge {
        /// The file.
        file: String,
        /// How many bytes are read at most, and were.
        limit: u64,
        /// How many bytes were being unpacked; `None` where the input is not compressed.
        packed: Option<u64>,
    },
    /// A line of text is not what it should be.
    #[error("{file}, line {line}: expected {expected}, found {found}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What belongs there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A place in a Newick text or in binary data is not what it should be.
    #[error("{file}{}, byte {offset}: expected {expected}, found {found}", line_text(.line))]
    Place {
        /// The file.
        file: String,
        /// The line, from 1, in text.
        line: Option<u64>,
        /// The byte in the (uncompressed) file, from 0.
        offset: u64,
        /// What belongs there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The file was read, but its parents do not form a tree.
    #[error("{file}{}: {message}", line_text(.line))]
    Tree {
        /// The file.
        file: String,
        /// The line of the first vertex the message names, if it has one.
        line: Option<u64>,
        /// What is wrong, with labels.
        message: String,
        /// The same with vertex numbers.
        source: TreeError,
    },
    /// A graph without vertices.
    #[error("{file}: the graph has no vertices")]
    NoVertices {
        /// The file.
        file: String,
    },
    /// A label names no vertex, or several.
    #[error("{file}: {} does not name one vertex: {reason}", shown(.label))]
    Label {
        /// The file the labels come from.
        file: String,
        /// The requested label.
        label: String,
        /// No such vertex, or what the vertices that share it are called.
        reason: String,
    },
    /// A vertex is its own parent where that does not make it a root.
    #[error("{file}{}: {vertex} is its own parent", place_text(.line, .offset))]
    OwnParent {
        /// The file.
        file: String,
        /// The line, from 1, in text.
        line: Option<u64>,
        /// The byte in the (uncompressed) file, from 0, in binary data.
        offset: Option<u64>,
        /// The vertex, as the file calls it.
        vertex: String,
    },
    /// A file has several trees where one was expected.
    #[error("{file}, line {line}, byte {offset}: expected one tree, found another after it")]
    ManyTrees {
        /// The file.
        file: String,
        /// The line where the second begins, from 1.
        line: u64,
        /// The byte where the second begins in the (uncompressed) file, from 0.
        offset: u64,
    },
    /// The first row of a table may be a header or a row, and one of the two would be wrong.
    #[error("{file}, line {line}: {found} could be a header or a row")]
    Header {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The row.
        found: String,
    },
    /// A vertex has no branch length while others have one.
    #[error(
        "{file}, line {line}, byte {offset}: a vertex without a branch length (`:number`), \
        although others have one"
    )]
    MissingLength {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The byte in the (uncompressed) file, from 0, after the vertex.
        offset: u64,
    },
    /// A file without coordinates, and no other file has them.
    #[error("{file}: {what} have no coordinates")]
    NoCoordinates {
        /// The file.
        file: String,
        /// What files of this format are, in the plural.
        what: &'static str,
    },
    /// Coordinates from another file for a mesh that has its own.
    #[error("{file}: this mesh already has coordinates")]
    OwnCoordinates {
        /// The file.
        file: String,
    },
    /// Integers that only floats can hold, rounded.
    #[error("{0}; no integer type holds this and the other values")]
    NoIntegerType(
        /// Why the first type does not hold them.
        Box<IoError>,
    ),
    /// Some vertices have no value.
    #[error("{file}: no value for {missing} of {vertices} vertices: {names}")]
    MissingValues {
        /// The file.
        file: String,
        /// How many vertices there are.
        vertices: usize,
        /// How many of them have no value.
        missing: usize,
        /// The names of the first few.
        names: String,
    },
}

impl IoError {
    /// A line of text is not what it should be.
    pub(crate) fn on_line(
        file: &str,
        line: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        let (file, expected, found) = (file.to_string(), expected.into(), found.into());
        IoError::Line { file, line, expected, found }
    }

    /// A byte of binary data is not what it should be.
    pub(crate) fn at_byte(
        file: &str,
        offset: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> IoError {
        let (file, expected, found) = (file.to_string(), expected.into(), found.into());
        IoError::Place { file, line: None, offset, expected, found }
    }
}

fn packed_text(packed: &Option<u64>) -> String {
    packed.map(|bytes| format!(" after unpacking {}", size(bytes))).unwrap_or_default()
}

fn place_text(line: &Option<u64>, offset: &Option<u64>) -> String {
    let byte = offset.map(|offset| format!(", byte {offset}")).unwrap_or_default();
    line_text(line) + &byte
}

fn line_text(line: &Option<u64>) -> String {
    line.map(|l| format!(", line {l}")).unwrap_or_default()
}
