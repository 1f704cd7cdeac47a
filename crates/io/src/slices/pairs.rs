//! Reads slices of files of pairs, so that each rank reads only its share.

use super::tables::{RowSlice, bytes_a_row, lines_of, source_on};
use super::{ArraySlices, Share, SliceFile};
use crate::IoError;
use crate::error::shown;
use crate::fast::{self, Cell};
use crate::npy::Npy;
use crate::number::canonical;
use crate::rows::{Rows, Separator};
use crate::source::Source;
use std::path::Path;

/// Pairs of ids or numbers of vertices, read in slices: the rows of an npy array of shape
/// `(m, 2)`, or those of a table, by its bytes.
pub enum PairSlices {
    /// An array.
    Array(ArraySlices),
    /// A table of integers.
    Table(PairTable),
}

/// A table with two integers in every row.
pub struct PairTable {
    file: SliceFile,
    separator: Separator,
    /// Where rows begin: the byte and the line.
    begin: u64,
    line: u64,
    /// Bytes per row, from the rows of the head.
    row: f64,
}

/// What has been read of a slice of pairs.
pub enum PairRows {
    /// The pairs.
    Pairs(Vec<(i64, i64)>),
    /// Lines, whose numbers are known when those before are counted.
    Lines(RowSlice),
}

impl PairRows {
    /// How many lines it has.
    pub fn lines(&self) -> u64 {
        match self {
            PairRows::Pairs(_) => 0,
            PairRows::Lines(rows) => rows.lines(),
        }
    }
}

/// Opens a file of pairs. A first row without integers is a header.
///
/// # Errors
/// When the file cannot be read, or an array has another shape.
pub fn open_pair_slices(path: &Path) -> Result<PairSlices, IoError> {
    let file = SliceFile::open(path)?;
    let head = file.head()?;
    if Npy::is_npy(&head) {
        return Ok(PairSlices::Array(ArraySlices::of_pairs(file, &head)?));
    }
    let source = Source::new(&file.name, &head)?;
    let mut rows = Rows::of(source);
    let separator = rows.separator;
    let (before, mut fields) = (rows.clone(), Vec::new());
    let named = rows.next(&mut fields)?.is_some()
        && fields.iter().all(|f| f.text(&source).starts_with(char::is_alphabetic));
    let first = if named { rows } else { before };
    let begin = (first.at + head.len() - source.bytes().len()) as u64;
    let (line, row) = (first.line, bytes_a_row(&source.bytes()[first.at..]));
    Ok(PairSlices::Table(PairTable { file, separator, begin, line, row }))
}

impl PairSlices {
    /// About how many pairs a share has, before it is read.
    pub fn pairs_about(&self, share: Share) -> u64 {
        let range = match self {
            PairSlices::Array(array) => share.of(array.rows()),
            PairSlices::Table(table) => {
                let bytes = (table.file.bytes - table.begin) as f64;
                share.of((bytes / table.row).ceil() as u64)
            }
        };
        range.end - range.start
    }

    /// Reads a share: of the rows, or the lines that begin in a share of the bytes.
    ///
    /// # Errors
    /// When the file cannot be read, or an array has no integers.
    pub fn read(&self, share: Share) -> Result<PairRows, IoError> {
        Ok(match self {
            PairSlices::Array(array) => PairRows::Pairs(array.pairs(share.of(array.rows()))?),
            PairSlices::Table(table) => {
                let bytes = lines_of(&table.file, table.begin, share)?;
                PairRows::Lines(RowSlice { bytes })
            }
        })
    }

    /// Understands the rows of a slice, after those lines of other slices.
    ///
    /// # Errors
    /// When a row has no two integers; the first of the slice, with its line.
    ///
    /// # Panics
    /// When the rows are another file's.
    pub fn parse(&self, rows: PairRows, lines_before: u64) -> Result<Vec<(i64, i64)>, IoError> {
        match (self, rows) {
            (PairSlices::Table(table), PairRows::Lines(rows)) => {
                table.parse(&rows.bytes, table.line + lines_before)
            }
            (_, PairRows::Pairs(pairs)) => Ok(pairs),
            (PairSlices::Array(_), PairRows::Lines(_)) => panic!("rows of another file"),
        }
    }
}

impl PairTable {
    fn parse(&self, bytes: &[u8], line: u64) -> Result<Vec<(i64, i64)>, IoError> {
        if let Some(numbers) = fast::numbers(bytes, line, self.separator, &[Cell::Key, Cell::Key]) {
            return Ok(numbers.keys(0).into_iter().zip(numbers.keys(1)).collect());
        }
        let source = source_on(&self.file.name, bytes, line)?;
        let mut rows = Rows::new(source, self.separator);
        rows.line = line;
        let mut fields = Vec::new();
        while let Some(line) = rows.next(&mut fields)? {
            let texts: Vec<_> = fields.iter().map(|field| field.text(&source)).collect();
            let integers = texts.iter().filter(|text| canonical(text.as_bytes()).is_some()).count();
            if texts.len() != 2 || integers != 2 {
                return Err(source.on_line(line, "two integers", shown(&texts.join(" "))));
            }
        }
        Err(self.file.wrong("two plain integers in every row", "quotes"))
    }
}
