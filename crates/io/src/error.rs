//! Errors of reading and writing, with the file and the place in it.

use crate::limit::size;
pub(crate) use crate::quote::shown;
use palmette_core::feeder::FeederError;
use palmette_core::memory::{Bytes, NoRoom};
use palmette_core::{MAX_VERTICES, TreeError};
use std::io;
use thiserror::Error;

/// Why a file could not be read or written. Every message names the file; those
/// about text name the line (the first is 1), those about binary data and Newick
/// the byte of the unpacked file (the first is 0), those about tables of columns the row (the
/// first is 0), and all say what was expected.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum IoError {
    /// The file cannot be opened or read.
    #[error("{file}: cannot read: {source}")]
    Read { file: String, source: io::Error },
    /// The file cannot be created or written.
    #[error("{file}: cannot write: {source}")]
    Write { file: String, source: io::Error },
    /// A compressed file is cut off or damaged.
    #[error("{file}: damaged {kind} stream: {found}")]
    Compressed { file: String, kind: &'static str, found: String },
    /// An input is larger than it may be: as it is, or unpacked from `packed` bytes.
    #[error("{file}: input larger than {}{}", size(*.limit), packed_text(.packed))]
    TooLarge { file: String, limit: u64, packed: Option<u64> },
    /// A tree that memory does not hold, by the size of its file.
    #[error(
        "{file}: not enough memory: {} for {what}, {} available",
        Bytes(.source.needed), Bytes(.source.available)
    )]
    NoRoom { file: String, what: String, source: NoRoom },
    /// More vertices than 32 bits can number.
    #[error("{file}: {vertices} vertices, more than {MAX_VERTICES}")]
    ManyVertices { file: String, vertices: u64 },
    /// A line of text is not what it should be.
    #[error("{file}, line {line}: expected {expected}, found {found}")]
    Line { file: String, line: u64, expected: String, found: String },
    /// A place in a Newick text or in binary data is not what it should be.
    #[error("{file}{}, byte {offset}: expected {expected}, found {found}", line_text(.line))]
    Place { file: String, line: Option<u64>, offset: u64, expected: String, found: String },
    /// A row of a table of columns is not what it should be.
    #[error("{file}, row {row}: expected {expected}, found {found}")]
    Row { file: String, row: u64, expected: String, found: String },
    /// The columns of a table are not what they should be.
    #[error("{file}: expected {expected}, found {found}")]
    Table { file: String, expected: String, found: String },
    /// The file was read, but its parents do not form a tree. The message has the file's names,
    /// the source numbers of vertices.
    #[error("{file}{}: {message}", line_text(.line))]
    Tree { file: String, line: Option<u64>, message: String, source: TreeError },
    /// Which side of a table of counts has tips is not clear: both have some, or none has.
    #[error("{file}: expected {}, found {found}", tip_side_text(*.both))]
    TipSide { file: String, both: bool, found: String },
    /// A feeder was read, but the numbers of one of its elements are wrong.
    #[error("{file}{}: {source}", line_text(.line))]
    Feeder { file: String, line: Option<u64>, source: Box<FeederError> },
    /// A graph without vertices.
    #[error("{file}: the graph has no vertices")]
    NoVertices { file: String },
    /// A label names no vertex, or several.
    #[error("{file}: {} does not name one vertex: {reason}", shown(.label))]
    Label { file: String, label: String, reason: String },
    /// A vertex is its own parent where that does not make it a root.
    #[error("{file}{}: {vertex} is its own parent", place_text(.line, .offset))]
    OwnParent { file: String, line: Option<u64>, offset: Option<u64>, vertex: String },
    /// A file has several trees where one was expected.
    #[error("{file}, line {line}, byte {offset}: expected one tree, found another after it")]
    ManyTrees { file: String, line: u64, offset: u64 },
    /// A network, which extended Newick has, where a tree was expected.
    #[error(
        "{file}, line {line}: expected a tree, found a network: {} is a hybrid with two parents \
        (extended Newick)",
        shown(.label)
    )]
    Network { file: String, line: u64, label: String },
    /// A tip that the taxa of a NEXUS file lack.
    #[error("{file}, line {line}: the tip {} is no taxon of the block `taxa`", shown(.label))]
    NoTaxon { file: String, line: u64, label: String },
    /// The first row of a table may be a header or a row, and one of the two would be wrong.
    #[error("{file}, line {line}: {found} could be a header or a row")]
    Header { file: String, line: u64, found: String },
    /// A vertex has no branch length while others have one.
    #[error(
        "{file}, line {line}, byte {offset}: a vertex without a branch length (`:number`), \
        although others have one"
    )]
    MissingLength { file: String, line: u64, offset: u64 },
    /// A symbol of a sequence that its type does not have.
    #[error("{file}, line {line}, column {column}: expected {expected}, found `{symbol}`")]
    Symbol { file: String, line: u64, column: u64, symbol: char, expected: String },
    /// A file without coordinates, and no other file has them.
    #[error("{file}: no coordinates for {what}")]
    NoCoordinates { file: String, what: &'static str },
    /// Coordinates from another file for a mesh that has its own.
    #[error("{file}: this mesh already has coordinates")]
    OwnCoordinates { file: String },
    /// Integers that only floats can hold, rounded.
    #[error("{0}; no integer type holds this and the other values")]
    NoIntegerType(Box<IoError>),
    /// Some vertices have no value.
    #[error("{file}: no value for {missing} of {vertices} vertices: {names}")]
    MissingValues {
        file: String,
        vertices: usize,
        missing: usize,
        names: String,
        /// All of them.
        without: Vec<u32>,
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

fn tip_side_text(both: bool) -> &'static str {
    match both {
        true => "tips in the header or in the first column, not in both",
        false => "names of tips in the header or in the first column",
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
